"""Certificates of the examples, each made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(p.stem for p in EXAMPLES.glob("*.toml"))


class Library:
    """Derivations and certificates by the name of the example."""

    def __init__(self):
        self._derivations = {}
        self._certificates = {}

    def derivation(self, name):
        if name not in self._derivations:
            problem = load_spec(EXAMPLES / f"{name}.toml", ()).problem
            self._derivations[name] = derive(problem)
        return self._derivations[name]

    def certificate(self, name):
        if name not in self._certificates:
            derivation = self.derivation(name)
            self._certificates[name] = certificate(derivation.theorems, derivation)
        return self._certificates[name]


@pytest.fixture(scope="session")
def library():
    return Library()
