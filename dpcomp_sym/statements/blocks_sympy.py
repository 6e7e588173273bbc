"""Totals over blocks as functions of SymPy: with numbers of blocks they are written out.

Only imported by what is asked for a SymPy expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from math import comb, perm, prod
from typing import Any, Final, Self

import sympy as sp
from sympy.core.evalf import prec_to_dps

from dpcomp_sym.statements.latex import latex_name
from dpcomp_sym.statements.places import Form, tried
from dpcomp_sym.statements.terms import KernelError

__all__ = ["BlockSum", "MaxCoverage", "MaxOver", "MaxOverIntegers", "SumOfLargest"]

MOST_CHOICES: Final = 5000
"""How many choices of blocks are tried; where there are more, a function stays as it is."""
MOST_COMPARED: Final = 200
"""How many totals in symbols are compared; SymPy decides for each pair which one is larger."""


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

    def _eval_derivative(self, by: Any) -> Any:
        """Leave it as it stands: which blocks are the largest changes with the numbers.

        Written out it has a derivative wherever no two totals are equal.
        """
        if not by.free_symbols & self.free_symbols:
            return sp.S.Zero
        return sp.Derivative(self, by, evaluate=False)

    def sizes(self) -> list[int] | None:
        """Return the numbers of blocks, if these are numbers."""
        ends = [limit[2] for limit in self.limits]
        return [int(end) for end in ends] if all(end.is_Integer for end in ends) else None

    def _numpycode(self, printer: Any) -> str:
        return self.code(printer)

    _pythoncode = _lambdacode = _numpycode

    def _inside(self, printer: Any, *items: Any) -> list[str]:
        """Return the LaTeX of what stands in a function, with Greek letters for parameters."""
        symbols = {s for item in items for s in item.atoms(sp.Symbol)}
        # A name that is LaTeX is printed as it stands; one that the reader chose is left alone.
        names = {
            s: sp.Symbol(latex_name(s.name), **s.assumptions0)
            for s in symbols
            if s.name.startswith(("eps", "delta")) and printer.doprint(s).strip("$") == sp.latex(s)
        }
        return [printer.doprint(item.xreplace(names)).strip("$") for item in items]

    def _ranges(self, printer: Any) -> str:
        """Return the LaTeX of the letters with their ends."""
        return ", ".join(
            rf"{printer.doprint(i)} \le {printer.doprint(end)}".replace("$", "")
            for i, _, end in self.limits
        )

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


class BlockSum(_OverBlocks, sp.Sum):
    """The sum over all blocks: SymPy's own, in which single entries can get numbers."""

    def __new__(cls, function: Any, *limits: Any) -> Self:
        """Make a sum as it stands: SymPy would move conditions out of what binds their letters."""
        made: Self = sp.Expr.__new__(cls, function, *(sp.Tuple(*limit) for limit in limits))
        made.is_commutative = function.is_commutative
        return made

    def _eval_derivative(self, by: Any) -> Any:
        """Return SymPy's own: all blocks count."""
        return super(_OverBlocks, self)._eval_derivative(by)

    def doit(self, **hints: Any) -> Any:
        """Return it written out, if there are numbers and not too many."""
        sizes = self.sizes()
        if sizes is None or prod(sizes) > MOST_CHOICES:
            return super().doit(**hints)
        each = (self.function.subs(one).doit(**hints) for one in _blocks(self.limits, sizes))
        return sp.Add(*each)

    def _eval_evalf(self, prec: int) -> Any:
        return _in_numbers(self, prec)

    def _latex(self, printer: Any) -> str:
        body, when = self.function, sp.true
        if isinstance(body, sp.Piecewise) and [c.expr for c in body.args[1:]] == [0]:
            body, when = body.args[0].args  # other blocks add nothing
        inside, condition = self._inside(printer, body, when)
        if when == sp.true and len(self.limits) == 1:
            letter, low, high = (printer.doprint(x).strip("$") for x in self.limits[0])
            under = rf"_{{{letter}={low}}}^{{{high}}}"
        else:
            chosen = "" if when == sp.true else rf" \colon {condition}"
            under = rf"_{{{self._ranges(printer)}{chosen}}}"
        return rf"\sum{under} {_bracketed(body, inside)}"

    def code(self, printer: Any) -> str:
        """Return the program for numbers."""
        return f"builtins.sum({printer.doprint(_from_zero(self.function))} {self._loops(printer)})"


class SumOfLargest(_OverBlocks, sp.Function):
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
        if all(v.is_comparable for v in values):
            return sp.Add(*sorted(values, reverse=True)[:most])
        if comb(len(values), most) > MOST_COMPARED:
            return self.func(count, body, *self.limits)
        return sp.Max(*(sp.Add(*chosen) for chosen in combinations(values, most)))

    def _eval_evalf(self, prec: int) -> Any:
        return _in_numbers(self, prec)

    def _latex(self, printer: Any) -> str:
        count, body = self._inside(printer, *self.args[:2])
        return rf"\operatorname{{top}}_{{{count}}}\left\{{{body} : {self._ranges(printer)}\right\}}"

    def code(self, printer: Any) -> str:
        """Return the program for numbers."""
        count, body = self.args[:2]
        each = f"({printer.doprint(_from_zero(body))} {self._loops(printer)})"
        return f"builtins.sum(sorted({each}, reverse=True)[:{printer.doprint(count)}])"


class MaxOver(_OverBlocks, sp.Function):
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
        widths = {len(x.indices) for x in body.atoms(sp.Indexed) if set(x.indices) <= set(letters)}
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

    def _latex(self, printer: Any) -> str:
        (body,) = self._inside(printer, self.args[0])
        different = [str(printer.doprint(i)).strip("$") for i in self.bound_symbols]
        apart = r",\ " + r" \ne ".join(different) if len(different) > 1 else ""
        return rf"\max_{{{self._ranges(printer)}{apart}}} {_bracketed(self.args[0], body)}"

    def code(self, printer: Any) -> str:
        """Return the program for numbers: of one block only."""
        groups = self._groups(self.args[0])
        if groups is None or len(groups) > 1:
            raise ValueError("give the numbers of blocks first: .subs(k, 3).doit()")
        return f"builtins.max({printer.doprint(_from_zero(self.args[0]))} {self._loops(printer)})"


class MaxOverIntegers(_OverBlocks, sp.Function):
    """The largest value over all integers with some facts: ``MaxOverIntegers(body, t, …, facts)``.

    It is 0 if no integers have these facts; ``body`` is never negative.

    >>> eps, w = sp.IndexedBase("eps", nonnegative=True), sp.Symbol("w", integer=True)
    >>> i, k, t = sp.symbols("i k t", integer=True)
    >>> near = sp.Piecewise((eps[i], (t <= i) & (i < t + w)), (0, True))
    >>> days = MaxOverIntegers(BlockSum(near, (i, 1, k)), t, sp.true)
    >>> days.subs({k: 3, w: 2}).doit()
    Max(eps[1] + eps[2], eps[2] + eps[3])
    >>> days.subs({k: 3, w: 2, eps[1]: 1, eps[2]: sp.Rational(1, 2), eps[3]: 5}).evalf()
    5.50000000000000
    >>> sp.lambdify((k, w, eps), days, "math")(3, 2, [1, sp.Rational(1, 2), 5])
    11/2
    """

    @property
    def bound_symbols(self) -> list[Any]:
        """The letters."""
        return list(self.args[1:-1])

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols that can get numbers."""
        free = self.args[0].free_symbols | self.args[-1].free_symbols
        return set(free) - set(self.bound_symbols)

    def _eval_subs(self, old: Any, new: Any) -> Any:
        del new
        return self if old in self.bound_symbols else None

    def doit(self, **hints: Any) -> Any:
        """Return it written out, if there are numbers for all that is not a parameter."""
        body, letters = self.args[0], self.bound_symbols
        found = self.places()
        if found is None:
            return self.func(body, *letters, self.args[-1])
        values = []
        for place in found:
            here = dict(zip(letters, map(sp.Integer, place), strict=True))
            if self.args[-1].xreplace(here) == sp.true:
                values.append(body.xreplace(here).doit(**hints))
        different = list(dict.fromkeys(values))
        if len(different) > MOST_COMPARED and not all(v.is_number for v in different):
            return self.func(body, *letters, self.args[-1])
        return sp.Max(0, *different)

    def _eval_evalf(self, prec: int) -> Any:
        return _in_numbers(self, prec)

    def places(self) -> list[tuple[int, ...]] | None:
        """Return places among which the largest value is attained; None if they are not found."""
        letters, comparisons = self.bound_symbols, self.comparisons()
        if comparisons is None or not self._steps:
            return None
        forms = []
        for one in comparisons:
            difference = _whole(one)
            factors = [difference.coeff(x) for x in letters]
            linear = sum(a * x for a, x in zip(factors, letters, strict=True))
            rest = sp.expand(difference - linear)
            if not all(sp.sympify(x).is_Integer for x in (*factors, rest)):
                return None
            forms.append(Form(tuple(map(int, factors)), int(rest)))
        try:
            return list(tried(forms, len(letters)))
        except KernelError:
            return None

    @property
    def _steps(self) -> bool:
        """Whether the letters only decide which blocks count, and not for how much."""
        outside = self.args[0].replace(lambda x: x.is_Relational, lambda _: sp.Symbol("_"))
        return not set(self.bound_symbols) & outside.free_symbols

    def _ends(self) -> dict[Any, Any]:
        """Return the last number of each index of blocks."""
        totals = self.args[0].atoms(BlockSum, SumOfLargest, MaxOver)
        return {limit[0]: limit[2] for total in totals for limit in total.limits}

    def comparisons(self) -> list[Any] | None:
        """Return all comparisons, one for each block; None if there are no numbers of blocks."""
        ends = self._ends()
        found: dict[Any, None] = {}
        for one in _relations(self):
            inner = [i for i in ends if i in one.free_symbols]
            if not all(ends[i].is_Integer for i in inner):
                return None
            if prod(int(ends[i]) for i in inner) > MOST_CHOICES:
                return None
            for numbers in product(*(range(1, int(ends[i]) + 1) for i in inner)):
                at = one.xreplace(dict(zip(inner, map(sp.Integer, numbers), strict=True)))
                if at not in {sp.true, sp.false}:
                    found[at] = None
        return list(found)

    def _latex(self, printer: Any) -> str:
        body, facts = self._inside(printer, self.args[0], self.args[-1])
        letters = ", ".join(str(printer.doprint(t)).strip("$") for t in self.bound_symbols)
        where = "" if self.args[-1] == sp.true else f" : {facts}"
        return rf"\max_{{{letters}{where}}} {_bracketed(self.args[0], body)}"

    def code(self, printer: Any) -> str:
        """Return the program for numbers: for one letter, beside each place where things change."""
        if len(self.bound_symbols) > 1 or not self._steps:
            raise ValueError(_FIRST)
        (t,) = self.bound_symbols
        ends, edges, said = self._ends(), [], {}
        for number, one in enumerate(sorted(_relations(self), key=str)):
            difference = _whole(one)
            factor = difference.coeff(t)
            rest = sp.expand(difference - factor * t)
            if t in rest.free_symbols or not factor.is_Integer:
                raise ValueError(_FIRST)
            # Without fractions, so that floats cannot decide.
            text = f"({printer.doprint(difference)} {_SIGNS[type(one)]} 0)"
            said[one] = (sp.Symbol(f"_c{number}_"), text)
            if factor != 0:
                loops = " ".join(
                    f"for {printer.doprint(i)} in range(1, {printer.doprint(end)} + 1)"
                    for i, end in ends.items() if i in one.free_symbols
                )  # fmt: skip
                edge = f"(-({printer.doprint(rest)})) // ({factor}) + _d"
                edges.append(f"*({edge} {loops} for _d in (-1, 0, 1))")
        names = {one: name for one, (name, _) in said.items()}
        body, facts = (printer.doprint(a.xreplace(names)) for a in (self.args[0], self.args[-1]))
        for name, text in said.values():
            body, facts = (x.replace(str(name), text) for x in (body, facts))
        places = ", ".join(edges) or "0"
        return (
            f"builtins.max((({body}) for {printer.doprint(t)} in {{{places}}} if ({facts})), "
            "default=0)"
        )


class MaxCoverage(_OverBlocks, sp.Function):
    """The largest total over what several choices of integers cover: ``MaxCoverage(n, most)``.

    A block counts once that counts in ``most``, a :class:`MaxOverIntegers`, for one of n choices.

    >>> eps, r = sp.IndexedBase("eps", nonnegative=True), sp.Symbol("r", integer=True)
    >>> i, k, t = sp.symbols("i k t", integer=True)
    >>> near = sp.Piecewise((eps[i], (t <= i) & (i < t + 2)), (0, True))
    >>> days = MaxCoverage(r, MaxOverIntegers(BlockSum(near, (i, 1, k)), t, sp.true))
    >>> days.subs({k: 3, r: 1}).doit()
    Max(eps[1] + eps[2], eps[2] + eps[3])
    >>> days.subs({k: 3, r: 2}).doit()
    eps[1] + eps[2] + eps[3]
    """

    def doit(self, **hints: Any) -> Any:
        """Return it written out, if there are numbers for all that is not a parameter."""
        times, most = self.args
        found = most.places() if isinstance(most, MaxOverIntegers) else None
        if found is None or not times.is_Integer:
            return self
        body, letters = most.args[0], most.bound_symbols
        different: dict[Any, Any] = {}
        for place in found:
            here = dict(zip(letters, map(sp.Integer, place), strict=True))
            if most.args[-1].xreplace(here) == sp.true:
                held = tuple(c.xreplace(here) for c in most.comparisons() or ())
                different.setdefault(held, here)
        some = min(int(times), len(different))
        if not some:
            return sp.Integer(0)
        if comb(len(different), some) > MOST_CHOICES:
            return self
        values = [
            _at_one_of(body, chosen).doit(**hints)
            for chosen in combinations(different.values(), some)
        ]
        return sp.Max(0, *dict.fromkeys(values))

    def _eval_evalf(self, prec: int) -> Any:
        return _in_numbers(self, prec)

    def _latex(self, printer: Any) -> str:
        times, most = (printer.doprint(x).strip("$") for x in self.args)
        return rf"\left[{most}\right]_{{{times}\ \text{{choices}}}}"

    def code(self, printer: Any) -> str:
        """Refuse: with numbers it is written out."""
        del printer
        raise ValueError(_FIRST)


def _at_one_of(e: Any, places: Sequence[Mapping[Any, Any]]) -> Any:
    """Return a value where conditions hold that do so at one of some places."""

    def held(x: Any) -> Any:
        return sp.Piecewise(
            *((v, sp.Or(*(when.xreplace(at) for at in places))) for v, when in x.args)
        )

    return e.replace(lambda x: isinstance(x, sp.Piecewise), held)


_FIRST: Final = "give the numbers first: .subs({k: 3, w: 2}).doit()"
_SIGNS: Final = {sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">=", sp.Eq: "==", sp.Ne: "!="}


def _relations(e: Any) -> set[Any]:
    return set(e.atoms(sp.core.relational.Relational))


def _whole(relation: Any) -> Any:
    """Return the difference of the sides, times a positive number that leaves no fractions."""
    difference = sp.expand(relation.lhs - relation.rhs)
    return sp.expand(difference * sp.denom(sp.together(difference)))


def _bracketed(e: Any, latex: str) -> str:
    """Return a formula that stands alone after a sign."""
    return rf"\left({latex}\right)" if e.is_Add else latex


def _blocks(limits: Sequence[Any], sizes: Sequence[int]) -> Iterator[dict[Any, int]]:
    """Yield each block: its letters with their numbers."""
    letters = [limit[0] for limit in limits]
    for numbers in product(*(range(1, size + 1) for size in sizes)):
        yield dict(zip(letters, numbers, strict=True))


def _in_numbers(function: Any, prec: int) -> Any:
    found = function.doit()
    return None if isinstance(found, type(function)) else found.evalf(prec_to_dps(prec))
