"""The question whether a claim holds: the claim, the derivation, the numbers that are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.claims.parse import Claim
from dpcomp_sym.claims.worlds import families
from dpcomp_sym.derivation.derive import Derivation
from dpcomp_sym.engine import Structure
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.spec import Spec

__all__ = ["ClaimQuestion", "ParameterNumbers"]

ParameterNumbers = dict[str, Fraction | dict[tuple[int, ...], Fraction]]


class ClaimQuestion:
    """A claim about a composition, with what was derived of it and the numbers that are given.

    Attributes:
        sizes: numbers for k and other symbols, also those that lists of values imply.
        given: numbers for the parameters.
        plain: the claimed parameters as plain data, as the stand-alone program reads them.
        numbered: whether the claim names single blocks.
    """

    def __init__(self, spec: Spec, claim: Claim, derivation: Derivation) -> None:
        self.problem, self.claim, self.derivation = spec.problem, claim, derivation
        self.profile = derivation.profile
        self.notion = NOTIONS[claim.notion]
        self.families = families(spec.problem, claim.notion)
        self.sizes = self._all_sizes(spec.values, spec.sizes)
        self.given: ParameterNumbers = self._given(spec.values)
        self.plain = [[e.as_json() for e in items] for items in claim.parameters]
        self.numbered = any(
            isinstance(x, k.EntryOf)
            for items in claim.parameters for e in items for x in k.subterms(e)
        )  # fmt: skip
        self.claimed: dict[tuple[object, ...], Fraction | None] = {}
        """Upper bounds of the claimed numbers, by position, sizes and parameters."""

    @cached_property
    def structure(self) -> Structure:
        """What decides questions about the problem."""
        return Structure(self.problem)

    def _all_sizes(self, values: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, int]:
        found = dict(sizes)
        for family in self.families:
            value = values.get(family.name)
            if isinstance(value, Sequence) and len(family.sizes) == 1:
                (size,) = family.sizes
                if isinstance(size, str):
                    found.setdefault(size, len(value))
        return found

    def _given(self, values: Mapping[str, Any]) -> ParameterNumbers:
        found: ParameterNumbers = {}
        for family in self.families:
            value = values.get(family.name)
            if isinstance(value, Sequence):
                found[family.name] = {(n,): Fraction(x) for n, x in enumerate(value, 1)}
            elif value is not None:
                found[family.name] = Fraction(value)
        return found

    def box(self) -> k.Where:
        """Return the given sizes as the kernel says them."""
        known = sorted((s, n) for s, n in self.sizes.items() if n >= 1)
        return tuple(k.SizeRange(s, n, n) for s, n in known)
