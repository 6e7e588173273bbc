"""Metric privacy: mechanisms that are private for given distances of databases, composed.

No neighbours are needed: what is lost is a function of every two databases.
"""
