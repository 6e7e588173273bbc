"""Certificates of derivations: how they are written, and checked again."""
