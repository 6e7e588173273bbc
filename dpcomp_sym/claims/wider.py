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
        sums: list[Pieces] = [
            ((_ONE, x),) for x in dict.fromkeys(maxima(right)) if isinstance(x, k.MaxOver)
        ]
        if not sums:
            return None
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
