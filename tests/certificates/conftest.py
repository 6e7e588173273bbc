"""Certificates of the examples, each made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcomp_sym.certificates.write import certificate

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
