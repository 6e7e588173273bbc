"""Certificates of the examples, each made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.smt.solvers import FirstSolver, SecondSolver

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(p.stem for p in EXAMPLES.glob("*.toml"))


class Library:
    """Derivations and certificates by the name of the example."""

    def __init__(self, derived):
        self.derivation = derived
        self._certificates = {}

    def certificate(self, name):
        if name not in self._certificates:
            derivation = self.derivation(name)
            self._certificates[name] = certificate(derivation.theorems, derivation)
        return self._certificates[name]


@pytest.fixture(scope="session")
def library(derived):
    return Library(derived)


@pytest.fixture(scope="session")
def strangers():
    """Return both solvers as verify uses them; their processes are started once, and stay."""
    kept = (_kept(FirstSolver)(), _kept(SecondSolver)())
    yield kept
    for solver in kept:
        super(type(solver), solver).close()


def _kept(kind):
    """Return a kind of solver whose process goes on when one verification is over."""
    return type(kind.__name__, (kind,), {"close": lambda _: None})
