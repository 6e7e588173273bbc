"""Totals over blocks as functions of SymPy: with numbers of blocks they are written out.

Only imported by what is asked for a SymPy expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product
from math import comb, perm, prod
from typing import Any, Final

import sympy as sp
from sympy.core.evalf import prec_to_dps

__all__ = ["BlockSum", "MaxOver", "SumOfLargest"]

MOST_CHOICES: Final = 5000
"""So many choices of blocks are tried; beyond, a function stays as it is."""
MOST_COMPARED: Final = 200
"""So many totals in symbols are compared; for each pair SymPy asks which one is larger."""


class _OverBlocks:
    """What functions of blocks share: letters that are bound, and entries that get numbers."""

    args: tuple[Any, ...]
    func: Any
    code: Callable[[Any], str]
    """The program for numbers: sequences start at 0 there, and blocks at 1."""

    @property
    def limits(self) -> tuple[Any, ...]:
        """The letters with their ends: (i, 1, k)."""
        return tuple(a for a in self.args if isinstance(a, sp.Tuple))

    @property
    def bound_symbols(self) -> list[Any]:
        """The letters."""
        return [limit[0] for limit in self.limits]

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols that can get numbers."""
        plain: set[Any] = set()
        for a in self.args:
            if not isinstance(a, sp.Tuple):
                plain |= a.free_symbols
        ends = {s for limit in self.limits for end in limit[1:] for s in end.free_symbols}
        return (plain - set(self.bound_symbols)) | ends

    def _eval_subs(self, old: Any, new: Any) -> Any:
        """Leave letters alone; a number for one entry, ``eps[2]``, is kept where it is that one."""
        if old in self.bound_symbols:
            return self
        if isinstance(old, sp.Indexed) and not old.free_symbols & set(self.bound_symbols):
            inside = [x for a in self.args for x in a.atoms(sp.Indexed) if x.base == old.base]
            chosen = {
                x: sp.Piecewise((new, sp.And(*map(sp.Eq, x.indices, old.indices))), (x, True))
                for x in inside if len(x.indices) == len(old.indices)
            }  # fmt: skip
            return self.func(*(a.xreplace(chosen) for a in self.args))
        return None  # as for every other expression

    def sizes(self) -> list[int] | None:
        """Return the numbers of blocks, if these are numbers."""
        ends = [limit[2] for limit in self.limits]
        return [int(end) for end in ends] if all(end.is_Integer for end in ends) else None

    def _numpycode(self, printer: Any) -> str:
        return self.code(printer)

    _pythoncode = _lambdacode = _numpycode

    def _loops(self, printer: Any) -> str:
        return " ".join(
            f"for {printer.doprint(i)} in range(1, {printer.doprint(end)} + 1)"
            for i, _, end in self.limits
        )


def _from_zero(body: Any) -> Any:
    """Return an expression in which the entries of sequences are counted from 0."""
    return body.replace(
        lambda x: isinstance(x, sp.Indexed), lambda x: x.base[tuple(i - 1 for i in x.indices)]
    )


class BlockSum(_OverBlocks, sp.Sum):  # type: ignore[misc]  # SymPy has no types
    """The sum over all blocks: SymPy's own, in which single entries can get numbers."""

    def doit(self, **hints: Any) -> Any:
        """Return it written out, if there are numbers and not too many."""
        sizes = self.sizes()
        if sizes is None or prod(sizes) > MOST_CHOICES:
            return super().doit(**hints)
        each = (self.function.subs(one).doit(**hints) for one in _blocks(self.limits, sizes))
        return sp.Add(*each)

    def _eval_evalf(self, prec: int) -> Any:
        return _in_numbers(self, prec)

    def code(self, printer: Any) -> str:
        """Return the program for numbers."""
        return f"builtins.sum({printer.doprint(_from_zero(self.function))} {self._loops(printer)})"


class SumOfLargest(_OverBlocks, sp.Function):  # type: ignore[misc]  # the same
    """The sum of the n largest values: ``SumOfLargest(n, body, (i, 1, k))``.

    >>> eps, i, k = sp.IndexedBase("eps", nonnegative=True), *sp.symbols("i k", integer=True)
    >>> two = SumOfLargest(2, eps[i], (i, 1, k))
    >>> two.subs(k, 2).doit(), two.subs(k, 3).doit()
    (eps[1] + eps[2], Max(eps[1] + eps[2], eps[1] + eps[3], eps[2] + eps[3]))
    >>> two.subs({k: 3, eps[1]: 1, eps[2]: sp.Rational(1, 2), eps[3]: 5}).evalf()
    6.00000000000000
    >>> sp.lambdify((k, eps), two)(3, [1, 0.5, 5])
    6
    """

    def doit(self, **hints: Any) -> Any:
        """Return it written out, if there are numbers and not too many."""
        count, body = (a.doit(**hints) for a in self.args[:2])
        sizes = self.sizes()
        if sizes is None or not (count.is_Integer or count == sp.oo):
            return self.func(count, body, *self.limits)
        values = [body.subs(one).doit(**hints) for one in _blocks(self.limits, sizes)]
        if count >= len(values):
            return sp.Add(*values)
        most = max(int(count), 0)
        if all(v.is_number and v.is_comparable for v in values):
            return sp.Add(*sorted(values, reverse=True)[:most])
        if comb(len(values), most) > MOST_COMPARED:
            return self.func(count, body, *self.limits)
        return sp.Max(*(sp.Add(*chosen) for chosen in combinations(values, most)))

    def _eval_evalf(self, prec: int) -> Any:
        return _in_numbers(self, prec)

    def code(self, printer: Any) -> str:
        """Return the program for numbers."""
        count, body = self.args[:2]
        each = f"({printer.doprint(_from_zero(body))} {self._loops(printer)})"
        return f"builtins.sum(sorted({each}, reverse=True)[:{printer.doprint(count)}])"


class MaxOver(_OverBlocks, sp.Function):  # type: ignore[misc]  # the same
    """The largest value over different blocks: ``MaxOver(body, (i, 1, k), (j, 1, k))``.

    Where there are fewer blocks than letters, terms are left out, so that the rest is largest.

    >>> eps, mu = (sp.IndexedBase(name, nonnegative=True) for name in ("eps", "mu"))
    >>> i, j, k = sp.symbols("i j k", integer=True)
    >>> MaxOver(eps[i] + mu[j], (i, 1, k), (j, 1, k)).subs(k, 2).doit()
    Max(eps[1] + mu[2], eps[2] + mu[1])
    >>> MaxOver(eps[i] + mu[j], (i, 1, 1), (j, 1, 1)).doit()
    Max(eps[1], mu[1])
    >>> sp.lambdify((k, eps), MaxOver(eps[i], (i, 1, k)))(2, [1, 3])
    3
    """

    def doit(self, **hints: Any) -> Any:
        """Return it written out, if there are numbers and not too many."""
        body = self.args[0].doit(**hints)
        sizes = self.sizes()
        groups = self._groups(body)
        if sizes is None or groups is None:
            return self.func(body, *self.limits)
        blocks = list(_blocks(groups[0], sizes[: len(groups[0])]))
        fit = min(len(groups), len(blocks))
        if perm(len(blocks), fit) * comb(len(groups), fit) > MOST_CHOICES:
            return self.func(body, *self.limits)
        values = [v.doit(**hints) for v in self._values(body, groups, blocks, fit)]
        if not all(v.is_number for v in values) and len(set(values)) > MOST_COMPARED:
            return self.func(body, *self.limits)
        return sp.Max(*values)

    def _eval_evalf(self, prec: int) -> Any:
        return _in_numbers(self, prec)

    def _groups(self, body: Any) -> list[Sequence[Any]] | None:
        """Return the limits of each block: it has as many letters as its entries."""
        letters = self.bound_symbols
        widths = {
            len(x.indices)
            for x in body.atoms(sp.Indexed)
            if x.indices and set(x.indices) <= set(letters)
        }
        width = max(widths, default=1)
        if len(widths) > 1 or len(letters) % width:
            return None
        limits = self.limits
        return [limits[n : n + width] for n in range(0, len(limits), width)]

    @staticmethod
    def _values(
        body: Any, groups: Sequence[Sequence[Any]], blocks: Sequence[dict[Any, int]], fit: int
    ) -> Iterator[Any]:
        """Yield the value for each choice of different blocks."""
        letters = [[limit[0] for limit in group] for group in groups]
        terms = sp.Add.make_args(body)
        for kept in combinations(range(len(groups)), fit):
            gone = {i for n, group in enumerate(letters) if n not in kept for i in group}
            rest = sp.Add(*(t for t in terms if not t.free_symbols & gone))
            for chosen in permutations(blocks, fit):
                at = {
                    i: number
                    for n, block in zip(kept, chosen, strict=True)
                    for i, number in zip(letters[n], block.values(), strict=True)
                }
                yield rest.subs(at)

    def code(self, printer: Any) -> str:
        """Return the program for numbers: of one block only."""
        groups = self._groups(self.args[0])
        if groups is None or len(groups) > 1:
            raise ValueError("give the numbers of blocks first: .subs(k, 3).doit()")
        return f"builtins.max({printer.doprint(_from_zero(self.args[0]))} {self._loops(printer)})"


def _blocks(limits: Sequence[Any], sizes: Sequence[int]) -> Iterator[dict[Any, int]]:
    """Yield each block: its letters with their numbers."""
    letters = [limit[0] for limit in limits]
    for numbers in product(*(range(1, size + 1) for size in sizes)):
        yield dict(zip(letters, numbers, strict=True))


def _in_numbers(function: Any, prec: int) -> Any:
    found = function.doit()
    return None if isinstance(found, type(function)) else found.evalf(prec_to_dps(prec))
