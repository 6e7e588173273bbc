"""Claims as expressions of SymPy, in the words in which they are written.

Imported only when there is an expression of SymPy.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import sympy as sp

from dpcomp_sym import kernel as k
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Problem
from dpcomp_sym.statements.blocks_sympy import MaxCoverage, MaxOver, MaxOverIntegers, SumOfLargest
from dpcomp_sym.statements.integers import PLAIN_SIGNS, TRUE, Naming

__all__ = ["claim_text"]

_COMPARED: Final = {sp.Lt: "lt", sp.Le: "le", sp.Gt: "lt", sp.Ge: "le", sp.Eq: "eq", sp.Ne: "ne"}
_TURNED: Final = (sp.Gt, sp.Ge)


def claim_text(given: Any, problem: Problem) -> str:
    """Return the text of a claim about a problem.

    Args:
        given: an expression of SymPy; sums and maxima over blocks run over all blocks.
        problem: its parts say how many blocks a parameter has.

    Raises:
        InputError: claims have no words for it.

    >>> import dpcomp_sym as dp
    >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.cover(2, pure="eps"))
    >>> claim_text(d.bound().sympy() / 2, d.problem)
    '(1/2)*top(2, eps[i])'
    """
    sizes = {
        name: part.map.sizes for part in problem.bound_parts
        for _, names in part.guarantees for name in names if isinstance(name, str)
    }  # fmt: skip
    return _Writer(sizes, frozenset(problem.symbols)).of(given)


def _ratio(e: Any) -> bool:
    return bool(e.is_Rational and not e.is_Integer)


def _unknown(e: Any) -> InputError:
    return InputError(f"claims have no words for {e}", where="claim", word=str(e))


@dataclass(frozen=True)
class _Writer:
    """Writes an expression; ``letters`` and ``indices`` are what symbols are called that are bound.

    A bound symbol gets another name where its own one means something in the problem.
    """

    sizes: Mapping[str, Sequence[str | int]]
    symbols: Collection[str]
    letters: Mapping[Any, str] = field(default_factory=dict)
    indices: Mapping[Any, str] = field(default_factory=dict)

    def of(self, e: Any) -> str:
        if isinstance(e, sp.Expr) and self.is_amount(e):
            return self.amount(e)
        match e:
            case MaxOverIntegers():
                return self.over_integers(e)
            case MaxCoverage(args=(times, MaxOverIntegers() as most)):
                return self.over_integers(most, f"{self.factor(times)} choices of ")
            case SumOfLargest():
                return self.over(f"top({self.of(e.args[0])}, ", e)
            case MaxOver():
                return self.over("max(", e)
            case sp.Sum() if isinstance(e.args[0], MaxOver):
                return self.largest_of_each(e)
            case sp.Sum():
                return self.over("sum(", e)
            case sp.Piecewise():
                return f"({self.under(e, ' if ')})"
            case sp.Max() | sp.Min():
                word = "max" if isinstance(e, sp.Max) else "min"
                return f"{word}({', '.join(map(self.of, e.args))})"
            case sp.Indexed():
                return f"{e.base}[{', '.join(self.indices.get(i, str(i)) for i in e.indices)}]"
            case sp.Symbol() | sp.Integer():
                return str(e)
            case sp.Rational():
                return f"{e.p}/{e.q}"
            case sp.Tuple() | tuple():
                return f"({', '.join(map(self.of, e))})"
            case sp.Add():
                return " + ".join(map(self.term, e.args))
            case sp.Mul():
                return "*".join(self.factors(e.args))
            case sp.exp():
                return f"exp({self.of(e.args[0])})"
            case sp.Pow(base=base, exp=power) if power == sp.S.Half:
                return f"sqrt({self.of(base)})"
            case sp.Pow(base=base, exp=power) if power.is_Integer and power > 0:
                return f"{self.factor(base)}**{power}"
            case _:
                raise _unknown(e)

    def term(self, e: Any) -> str:
        """Return what stands in a sum: what has no end of its own stands in brackets."""
        return f"({self.of(e)})" if _is_open(e) else self.of(e)

    def factor(self, e: Any) -> str:
        """Return what stands in a product or before a power."""
        text = self.of(e)
        if self.is_amount(e):
            return text
        loose = isinstance(e, sp.Add | sp.Mul | sp.Pow) or _ratio(e) or _is_open(e)
        return f"({text})" if loose else text

    def factors(self, items: Sequence[Any]) -> list[str]:
        """Return the factors of a product; (e^(r a) - 1)/(e^a - 1) is growth(a, r)."""
        for below in items:
            eps = _less_one(below.base) if isinstance(below, sp.Pow) and below.exp == -1 else None
            for above in items if eps is not None else ():
                grown = _less_one(above)
                if grown is not None and not (grown / eps).has(sp.Indexed):
                    rest = self.factors([x for x in items if x not in {above, below}])
                    return [f"growth({self.of(eps)}, {self.of(grown / eps)})", *rest]
        return [self.factor(x) for x in items]

    # ------------------------------------------------------------- over blocks

    def over(self, start: str, e: Any) -> str:
        """Return what runs over all blocks; where it runs over others, it is no such claim."""
        body, limits = (e.args[1] if isinstance(e, SumOfLargest) else e.args[0]), e.limits
        inside = replace(self, indices=self.named([x for x, *_ in limits]))
        named = self.runs_over_all(e, body, limits)
        text = inside.under(body, " for ") if isinstance(body, sp.Piecewise) else inside.of(body)
        if not named:
            text += "; " + ", ".join(f"{inside.indices[x]} <= {end}" for x, _, end in limits)
        together = isinstance(e, SumOfLargest) and (isinstance(body, sp.Piecewise) or not named)
        return f"{start}({text}))" if together else f"{start}{text})"

    def runs_over_all(self, e: Any, body: Any, limits: Any) -> bool:
        """Return whether the value tells over which blocks it runs, and check that it is all."""
        ends = {letter: (str(low), str(high)) for letter, low, high in limits}
        entries = body.atoms(sp.Indexed)
        for one in entries:
            sizes = self.sizes.get(str(one.base), ())
            said = [ends.get(letter) for letter in one.indices]
            if said != [("1", str(size)) for size in sizes]:
                raise InputError(f"{e} does not run over all blocks of {one.base}",
                                 where="claim", word=str(one.base))  # fmt: skip
        if not entries and any(low != 1 for _, low, _ in limits):
            raise _unknown(e)
        return bool(entries)

    def largest_of_each(self, e: Any) -> str:
        """Return the sum, over some indices, of the largest value over another one."""
        largest = e.args[0]
        limits = [*e.limits, *largest.limits]
        inside = replace(self, indices=self.named([x for x, *_ in limits]))
        body = largest.args[0]
        if len(largest.limits) > 1 or not self.runs_over_all(e, body, limits):
            raise _unknown(e)
        *others, last = (inside.indices[x] for x, *_ in limits)
        return f"sum over {', '.join(others)} of max over {last} of {inside.factor(body)}"

    def named(self, bound: Sequence[Any]) -> dict[Any, str]:
        """Return names for letters that mean nothing else: their own ones, if possible."""
        taken = {*self.sizes, *self.symbols, *self.letters.values(), *self.indices.values()}
        found: dict[Any, str] = {}
        for one in bound:
            own = [one.name] if len(one.name) == 1 else []
            free = (x for x in (*own, *string.ascii_lowercase) if x not in taken)
            found[one] = next(free)
            taken.add(found[one])
        return found

    # ------------------------------------------------------------- over integers

    def over_integers(self, e: Any, choices: str = "") -> str:
        """Return the largest value over integers, or choices of them, as bounds are printed."""
        *letters, facts = e.args[1:]
        inside = replace(self, letters=self.named(letters))
        over = ", ".join(inside.letters.values())
        if facts != sp.true:
            over += f" with {inside.condition(facts)}"
        return f"max over {choices}{over} of {inside.factor(e.args[0])}"

    def under(self, e: Any, between: str) -> str:
        """Return a value with its condition; where this does not hold, the value is 0."""
        (value, when), *others = e.args
        if [tuple(x) for x in others] != [(0, sp.true)]:
            raise _unknown(e)
        return f"{self.of(value)}{between}{self.condition(when)}"

    @property
    def bound(self) -> set[Any]:
        return {*self.letters, *self.indices}

    def is_amount(self, e: Any) -> bool:
        """Return whether an expression is an integer: it has letters, or can be negative."""
        if not isinstance(e, sp.Expr) or not {x.name for x in e.free_symbols - self.bound} <= (
            set(self.symbols)
        ):
            return False
        if e.has(MaxCoverage, MaxOverIntegers, MaxOver, SumOfLargest, sp.Sum, sp.Piecewise):
            return False
        signs = isinstance(e, sp.Max) and any(x.is_nonnegative is None for x in e.args)
        return bool(e.free_symbols & self.bound) or (signs and 0 in e.args)

    def amount(self, e: Any) -> str:
        """Return an integer as a number: 0 if it is negative."""
        if isinstance(e, sp.Max) and 0 in e.args:
            e = sp.Max(*(x for x in e.args if x != 0))
        elif isinstance(e, sp.Mul | sp.Pow):
            power = isinstance(e, sp.Pow)
            return (
                f"{self.factor(e.base)}**{e.exp}" if power else "*".join(map(self.factor, e.args))
            )
        elif e.is_nonnegative is not True:
            raise _unknown(e)
        return f"max(0, {self.naming.integer(self.whole(e))})"

    @property
    def naming(self) -> Naming:
        letters, indices = (tuple(names.values()) for names in (self.letters, self.indices))
        return Naming(PLAIN_SIGNS, letters=letters, indices=indices)

    def condition(self, p: Any) -> str:
        """Return a condition."""
        return self.naming.predicate(self.predicate(p))

    def predicate(self, p: Any) -> k.Predicate:
        match p:
            case sp.And() | sp.Or():
                word = "and" if isinstance(p, sp.And) else "or"
                items = sorted(map(self.predicate, p.args), key=self._place)
                return k.Connected(word, tuple(items))
            case sp.Not():
                return k.Connected("not", (self.predicate(p.args[0]),))
            case sp.logic.boolalg.BooleanAtom():
                return TRUE if p == sp.true else k.Connected("or", ())
            case _ if type(p) in _COMPARED:
                scale = sp.ilcm(*(x.q for side in p.args for x in _coefficients(side)))
                left, right = (self.whole(sp.expand_mul(side * scale)) for side in p.args)
                if isinstance(p, _TURNED):
                    left, right = right, left
                return k.Compared(_COMPARED[type(p)], left, right)
            case _:
                raise _unknown(p)

    @staticmethod
    def _place(p: k.Predicate) -> tuple[bool, str]:
        """Order conditions such that what is below a block's index comes first."""
        inside = set(k.subterms(p.right)) if isinstance(p, k.Compared) else set()
        return not any(isinstance(x, k.Index) for x in inside), repr(p)

    def whole(self, e: Any) -> k.Whole:
        """Return an integer."""
        match e:
            case sp.Integer():
                return k.Integer(int(e))
            case sp.Symbol():
                return self.symbol(e)
            case sp.Add():
                terms = sorted(e.as_ordered_terms(), key=_is_negative)
                return k.Combined("add", tuple(map(self.whole, terms)))
            case sp.Mul():
                if _is_negative(e):
                    return k.Combined("neg", (self.whole(-e),))
                return k.Combined("mul", tuple(map(self.whole, e.args)))
            case sp.Min() | sp.Max():
                word = "min" if isinstance(e, sp.Min) else "max"
                return k.Combined(word, tuple(map(self.whole, e.args)))
            case sp.Mod():
                return k.Combined("mod", tuple(map(self.whole, e.args)))
            case sp.floor():
                of, by = sp.fraction(sp.together(e.args[0]))
                if not (by.is_Symbol or (by.is_Integer and by > 0)):
                    raise _unknown(e)
                return k.Combined("div", (self.whole(sp.expand_mul(of)), self.whole(by)))
            case sp.Pow():
                return self.power(e)
            case _:
                raise _unknown(e)

    def symbol(self, e: Any) -> k.Whole:
        for names, kind in ((self.indices, k.Index), (self.letters, k.Letter)):
            if e in names:
                return kind(list(names).index(e) + 1)
        if e.name not in self.symbols:
            raise _unknown(e)
        return k.Symbol(e.name)

    def power(self, e: Any) -> k.Whole:
        """Return a power: in claims it is 1 for a base below 1, or an exponent below 0."""
        base, exponent = e.args
        if exponent.is_Integer and 0 < exponent <= 8:
            return k.Combined("mul", (self.whole(base),) * int(exponent)) if exponent > 1 else (
                self.whole(base)
            )  # fmt: skip
        if isinstance(exponent, sp.Max) and 0 in exponent.args:
            exponent = sp.Max(*(x for x in exponent.args if x != 0))
        elif exponent.is_nonnegative is not True:
            raise _unknown(e)
        if isinstance(base, sp.Max) and 1 in base.args:
            base = sp.Max(*(x for x in base.args if x != 1))
        elif not (base.is_Integer and base > 0):
            raise _unknown(e)
        return k.Combined("pow", (self.whole(base), self.whole(exponent)))


def _is_negative(e: Any) -> bool:
    """Return whether a term of a sum is written with a minus."""
    return bool(e.as_coeff_Mul()[0] < 0)


def _less_one(e: Any) -> Any:
    """Return x where an expression is e^x - 1, None if it is none."""
    match e:
        case sp.Add(args=(one, sp.exp(args=(x,)))) | sp.Add(args=(sp.exp(args=(x,)), one)) if (
            one == -1
        ):
            return x
        case _:
            return None


def _is_open(e: Any) -> bool:
    """Return whether what is written has no end of its own."""
    return isinstance(e, MaxCoverage | MaxOverIntegers) or (
        isinstance(e, sp.Sum) and isinstance(e.args[0], MaxOver)
    )


def _coefficients(e: Any) -> list[Any]:
    """Return the numbers before the terms of a sum."""
    found = [x.as_coeff_Mul()[0] for x in sp.Add.make_args(sp.expand_mul(e))]
    return [x for x in found if x.is_Rational] or [sp.Integer(1)]
