"""Derivations of the examples, made once for all tests of reports."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from dpcomp_sym.derivation import Derivation, derive
from dpcomp_sym.spec import load_spec

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.toml"))


@lru_cache
def _derived(name: str) -> Derivation:
    spec = load_spec(next(p for p in EXAMPLES if p.stem == name))
    return derive(spec.problem, values=spec.values, sizes=spec.sizes, title=spec.title)


@pytest.fixture(scope="session")
def derived():
    """Return the derivation of an example by its name."""
    return _derived


def pytest_generate_tests(metafunc):
    """Run a test that asks for an ``example`` on each of them."""
    if "example" in metafunc.fixturenames:
        metafunc.parametrize("example", [p.stem for p in EXAMPLES])
