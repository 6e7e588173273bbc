"""The question whether a claim holds: the claim, the derivation, the numbers that are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.parse import Claim
from dpcomp_sym.claims.worlds import blocks_of, families
from dpcomp_sym.derivation.derive import Derivation
from dpcomp_sym.engine import Structure
from dpcomp_sym.errors import InputError
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.numbers.columns import ParameterTable
from dpcomp_sym.numbers.evaluator import Evaluator
from dpcomp_sym.numbers.exact import Exact, Root, is_infinite
from dpcomp_sym.spec import Spec

__all__ = ["ClaimQuestion", "ParameterNumbers"]

Block = tuple[int, ...]
ParameterNumbers = dict[str, Fraction | dict[Block, Fraction]]


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

    def enclosed(
        self, bound: k.Expr, numbers: ParameterNumbers, sizes: Mapping[str, int], bits: int
    ) -> tuple[Fraction, Fraction] | None:
        """Return fractions around what a bound is at some numbers; None if it is infinite.

        Raises:
            LargeError: there are too many places to look at, or it is no fraction's root.
        """
        if not any(isinstance(x, k.MaxOver) for x in k.subterms(bound)):
            return standalone.enclose(bound.as_json(), numbers, sizes, bits)
        columns: dict[tuple[str, k.Sizes], Fraction | list[Fraction]] = {}
        for family in self.families:
            of = numbers[family.name]
            blocks = blocks_of(family.sizes, sizes)
            listed = [of[block] for block in blocks] if isinstance(of, Mapping) else of
            columns[family.name, family.sizes] = listed
        try:
            value = Evaluator(ParameterTable.plain(columns), sizes).of(bound)
        except k.KernelError:
            raise standalone.LargeError from None
        squared = value.square if isinstance(value, Root) else value
        if is_infinite(squared):
            return None
        if not isinstance(squared, int | Fraction):
            raise standalone.LargeError
        of_it = {"op": "Num", "value": str(squared)}
        plain = {"op": "Sqrt", "of": of_it} if isinstance(value, Root) else of_it
        return standalone.enclose(plain, {}, {}, bits)

    def _all_sizes(self, values: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, int]:
        found = dict(sizes)
        for family in self.families:
            value = values.get(family.name)
            for size in family.sizes:  # of several indices there are lists of lists
                if isinstance(value, Sequence):
                    if isinstance(size, str):
                        found.setdefault(size, len(value))
                    value = value[0]
        return found

    def _given(self, values: Mapping[str, Any]) -> ParameterNumbers:
        found: ParameterNumbers = {}
        for family in self.families:
            value = values.get(family.name)
            try:
                if isinstance(value, Sequence):
                    found[family.name] = dict(_by_block(value))
                elif value is not None:
                    found[family.name] = _fraction(value)
            except InputError as error:
                raise error.within(family.name) from None
        return found

    def box(self) -> k.Where:
        """Return the given sizes as the kernel says them."""
        known = sorted((s, n) for s, n in self.sizes.items() if n >= 1)
        return tuple(k.SizeRange(s, n, n) for s, n in known)


def _by_block(value: Sequence[Any], block: Block = ()) -> Iterator[tuple[Block, Fraction]]:
    """Yield the numbers of blocks from a list, or from lists of lists for several indices."""
    for n, x in enumerate(value, 1):
        if isinstance(x, Sequence):
            yield from _by_block(x, (*block, n))
        else:
            yield (*block, n), _fraction(x)


def _fraction(x: int | Fraction | Exact) -> Fraction:
    if isinstance(x, Exact):
        said = "claims are decided for fractions, and for all numbers where none is given"
        raise InputError(f"{x} is no fraction: {said}", word=str(x))
    return Fraction(x)
