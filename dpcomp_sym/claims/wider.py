"""Bounds that are at most a claim since its maxima over integers run over more blocks.

A maximum over integers is at most a sum of others if to each of its places belongs a place of each
of these, so that in every block what counts in the one is at most what counts in the others.  A
solver decides that for a block, a place and all sizes at once; the rest is the kernel's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import normal
from dpcomp_sym.claims.blockwise import AnyBlock
from dpcomp_sym.claims.readings import maxima, readings, summed
from dpcomp_sym.claims.substitutions import substitutions
from dpcomp_sym.derivation.order import at_most
from dpcomp_sym.model import Problem

__all__ = ["WiderMaxima"]

MOST_COMPARED: Final = 80
MOST_RAISED: Final = 40
_ONE: Final = Fraction(1)
Pieces = tuple[tuple[Fraction, k.Expr], ...]
"""Maxima, or values without blocks, and their factors in a sum."""


class WiderMaxima:
    """Compares bounds of a problem.

    Args:
        problem: it says what its symbols can be.
        sizes: sizes and symbols that are given.
    """

    def __init__(self, problem: Problem, sizes: Mapping[str, int]) -> None:
        self._problem, self._sizes = problem, sizes
        self._blocks: dict[k.Where, AnyBlock] = {}
        self._found: dict[tuple[k.Expr, Pieces, k.Where], bool] = {}

    def at_most(self, left: k.Expr, right: k.Expr, where: k.Where) -> k.Theorem | None:
        """Return a theorem "raised <= right", where ``left`` is at most what is raised; or None.

        What is raised is the left side, with maxima in it replaced by larger sums of such on the
        right.
        """
        left = self._fewer(left, right, where)
        sums: list[Pieces] = [
            ((_ONE, x),) for x in dict.fromkeys(maxima(right)) if isinstance(x, k.MaxOver)
        ]
        if not sums:
            return at_most(left, right, where)
        sums += [pieces for x in _sides(right) if len(pieces := tuple(summed(x))) > 1]
        atoms = list(dict.fromkeys(maxima(left)))
        options = [[None, *(s for s in sums if self.below(a, s, where))] for a in atoms]
        for choice in itertools.islice(itertools.product(*options), MOST_RAISED):
            table: dict[k.Expr, k.Expr]
            table = {a: _total(s) for a, s in zip(atoms, choice, strict=True) if s is not None}
            found = at_most(_raised(left, table), right, where) if table else None
            if found is not None:
                return found
        return None

    def _fewer(self, left: k.Expr, right: k.Expr, where: k.Where) -> k.Expr:
        """Return at least an expression, with what several choices cover as the right side has it.

        So many choices on the right cover more if one of them alone does, of at least as many; and
        they cover at most as many times what one of them does.
        """
        others = [x for x in k.subterms(right) if isinstance(x, k.Coverage)]
        table: dict[k.Expr, k.Expr] = {}
        for one in dict.fromkeys(x for x in k.subterms(left) if isinstance(x, k.Coverage)):
            table[one] = next(
                (x for x in others if self._covers(one, x, where)),
                k.Product((one.times, one.most)),
            )
        return _raised(left, table) if table else left

    def _covers(self, one: k.Coverage, other: k.Coverage, where: k.Where) -> bool:
        """Return whether a coverage is shown to be at most another one.

        What counts in a block at one place counts, in the other, at the place that belongs to it;
        so it is with blocks that count in one total each.
        """
        totals = [x.sizes for x in k.subterms(one.most) if isinstance(x, k.SumOver)]
        if len(set(totals)) < len(totals) or (() in totals and len(totals) > 1):
            return False
        return at_most(one.times, other.times, where) is not None and self.below(
            one.most, ((_ONE, other.most),), where
        )

    def below(self, one: k.Expr, others: Pieces, where: k.Where) -> bool:
        """Return whether a maximum is shown to be at most a sum of others."""
        key = (one, others, where)
        if key not in self._found:
            self._found[key] = self._below(one, others, where)
        return self._found[key]

    def _below(self, one: k.Expr, others: Pieces, where: k.Where) -> bool:
        if where not in self._blocks:
            self._blocks[where] = AnyBlock(self._problem, self._sizes, where)
        block = self._blocks[where]
        try:
            tried = (
                block.counts_less(own, placed)
                for own in readings(one)
                for placed in itertools.product(*(
                    [(factor, e, at) for e in readings(x) for at in substitutions(own, e)]
                    for factor, x in others
                ))
            )  # fmt: skip
            return any(itertools.islice(tried, MOST_COMPARED))
        except k.KernelError:
            return False


def _sides(e: k.Expr) -> Iterator[k.Expr]:
    """Yield what is compared with a bound as a sum: inside of roots, and of maxima each."""
    match e:
        case k.Max(items):
            for item in items:
                yield from _sides(item)
        case k.Sqrt(of):
            yield from _sides(of)
        case k.Sum() | k.Product():
            yield e
        case _:
            pass


def _total(pieces: Pieces) -> k.Expr:
    return normal(k.Sum(tuple(k.Product((k.Num(c), x)) for c, x in pieces)))


def _raised(e: k.Expr, table: Mapping[k.Expr, k.Expr]) -> k.Expr:
    """Return an expression with some that it grows with replaced."""
    if e in table:
        return table[e]
    match e:
        case k.Sum(items) | k.Product(items) | k.Max(items):
            return type(e)(tuple(_raised(x, table) for x in items))
        case k.Apply("exp", items):
            return k.Apply("exp", tuple(_raised(x, table) for x in items))
        case k.Sqrt(of):
            return k.Sqrt(_raised(of, table))
        case _:
            return e
