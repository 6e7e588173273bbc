"""The question whether a claim holds: the claim, the derivation, the numbers that are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.alike import aligned
from dpcomp_sym.claims.parse import Claim
from dpcomp_sym.claims.wider import WiderMaxima
from dpcomp_sym.claims.worlds import blocks_of, families
from dpcomp_sym.claims.written_out import speaks_of_integers, written_out
from dpcomp_sym.derivation.counted import by_counts
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
        parameters: the claimed parameters, in the words of the bound where they say the same.
        over_integers: whether there are maxima over integers in the claim.
        numbered: whether the claim names single blocks, or does so at given sizes.
        unwritten: why the claim was not written out at some sizes, if it was not.
    """

    def __init__(self, spec: Spec, claim: Claim, derivation: Derivation) -> None:
        self.problem, self.claim, self.derivation = spec.problem, claim, derivation
        self.profile = derivation.profile
        self.notion = NOTIONS[claim.notion]
        self.families = families(spec.problem, claim.notion)
        self.sizes = self._all_sizes(spec.values, spec.sizes)
        self.given: ParameterNumbers = self._given(spec.values)
        self.over_integers = any(speaks_of_integers(e) for items in claim.parameters for e in items)
        self.numbered = self.over_integers or any(
            isinstance(x, k.EntryOf)
            for items in claim.parameters for e in items for x in k.subterms(e)
        )  # fmt: skip
        self.unwritten = ""
        self._written: dict[tuple[tuple[str, int], ...], list[list[k.Expr]] | None] = {}
        self.claimed: dict[tuple[object, ...], Fraction | None] = {}
        """Upper bounds of the claimed numbers, by position, sizes and parameters."""

    @cached_property
    def structure(self) -> Structure:
        """What decides questions about the problem."""
        return Structure(self.problem)

    @cached_property
    def theorems(self) -> tuple[k.Theorem, ...]:
        """The guarantee between neighbours, and what it was before it was written in fewer words.

        At w = 1 the largest sum of w blocks in a row is the largest entry, and printed as that.
        """
        found = []
        theorem = self.derivation.theorems.get(self.claim.notion)
        while theorem is not None:
            found.append(theorem)
            shortened = theorem.rule == "change_guarantee" and self.over_integers
            theorem = theorem.premises[0] if shortened else None
        counted = None if not found else by_counts(found[-1])
        return (*found, *([] if counted is None else [counted]))

    @cached_property
    def wider(self) -> WiderMaxima:
        """What compares maxima over integers."""
        return WiderMaxima(self.problem, self.sizes)

    @cached_property
    def parameters(self) -> tuple[tuple[k.Expr, ...], ...]:
        """The claimed parameters, in the words of the bound where they say the same."""
        bounds = [
            e for theorem in self.theorems
            if isinstance(theorem.statement, k.Private)
            and isinstance(theorem.statement.loss, k.Neighbouring)
            for e in theorem.statement.loss.guarantee
        ]  # fmt: skip
        return tuple(
            tuple(aligned(e, bounds, self.sizes) if speaks_of_integers(e) else e for e in items)
            for items in self.claim.parameters
        )

    def written(self, sizes: Mapping[str, int]) -> list[list[k.Expr]]:
        """Return the claimed parameters at some sizes, without maxima over integers.

        Raises:
            LargeError: they cannot be written out.
        """
        key = tuple(sorted(sizes.items()))
        if key not in self._written:
            try:
                self._written[key] = [
                    [written_out(e, sizes) for e in items] for items in self.claim.parameters
                ]
            except k.KernelError as error:
                self.unwritten = str(error)
                self._written[key] = None
        found = self._written[key]
        if found is None:
            raise standalone.LargeError(self.unwritten)
        return found

    def plain(self, sizes: Mapping[str, int]) -> list[list[dict[str, Any]]]:
        """Return the claimed parameters at some sizes as the stand-alone program reads them.

        Raises:
            LargeError: they cannot be written out.
        """
        return [[e.as_json() for e in items] for items in self.written(sizes)]

    def enclosed(
        self, bound: k.Expr, numbers: ParameterNumbers, sizes: Mapping[str, int], bits: int
    ) -> tuple[Fraction, Fraction] | None:
        """Return fractions around what a bound or a claim is at some numbers; None if infinite.

        Raises:
            LargeError: there are too many places to look at, or it is no fraction's root.
        """
        if not speaks_of_integers(bound):
            return standalone.enclose(bound.as_json(), numbers, sizes, bits)
        columns: dict[tuple[str, k.Sizes], Fraction | list[Fraction]] = {}
        for family in self.families:
            of = numbers[family.name]
            blocks = blocks_of(family.sizes, sizes)
            listed = [of[block] for block in blocks] if isinstance(of, Mapping) else of
            columns[family.name, family.sizes] = listed
        try:
            value = Evaluator(ParameterTable.plain(columns), sizes).of(bound)
        except (k.KernelError, InputError):
            value = None
        squared = value.square if isinstance(value, Root) else value
        if squared is not None and is_infinite(squared):
            return None
        if not isinstance(squared, int | Fraction):
            try:
                plain = written_out(bound, sizes).as_json()
            except k.KernelError as error:
                raise standalone.LargeError(str(error)) from None
            return standalone.enclose(plain, numbers, sizes, bits)
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
