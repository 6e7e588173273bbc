"""Comparisons with other programs are collected where these are installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [
    file
    for file, package in (
        ("test_dp_accounting.py", "dp_accounting"),
        ("test_drawing.py", "matplotlib"),
    )
    if find_spec(package) is None
]
