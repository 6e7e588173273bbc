"""Metrics: closed forms, their proofs, and distances between granularities."""
