"""Tests of OpenDP's own transformations are collected where it is installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("opendp") else ["test_opendp.py"]
