"""Integer terms as polynomials, conditions as disjunctions, and how one integer is solved for.

Everything here proposes: what comes of it is proved afterwards, by the solver.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

from dpcomp_sym.terms import BOOL, CELL, INT, Term, subterms, variable
from dpcomp_sym.terms.term import integer

__all__ = [
    "CELL_VARIABLE", "Ends", "Polynomial", "TooManyError", "all_replaced", "compared", "disjuncts",
    "possible", "replaced", "solve", "told",
]  # fmt: skip

CELL_VARIABLE: Final = variable("c", CELL)
MOST_DISJUNCTS: Final = 64
Monomial = tuple[Term, ...]
_NEGATED: Final = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}


class TooManyError(Exception):
    """A condition falls into too many cases."""


@dataclass(frozen=True)
class Polynomial:
    """A sum of products of atoms: terms that are neither sums nor products."""

    terms: tuple[tuple[Monomial, int], ...]

    @classmethod
    def made(cls, pairs: Iterable[tuple[Monomial, int]]) -> Polynomial:
        """Return the sum of products with their coefficients."""
        found: dict[Monomial, int] = {}
        for monomial, c in pairs:
            found[monomial] = found.get(monomial, 0) + c
        kept = ((m, c) for m, c in found.items() if c)
        return cls(tuple(sorted(kept, key=lambda row: (len(row[0]), repr(row[0])))))

    @classmethod
    def of(cls, term: Term) -> Polynomial:
        """Return a term as a polynomial.

        >>> from dpcomp_sym.terms import Scope, parse
        >>> scope = Scope(variables={"a": "int", "b": "int"})
        >>> first, second = parse("(a + 1)*(b - 1)", scope), parse("a*b - a + b - 1", scope)
        >>> Polynomial.of(first) == Polynomial.of(second)
        True
        """
        args = term.terms
        match term.op:
            case "int":
                return cls.made([((), term.number)])
            case "add":
                return cls.of(args[0]) + cls.of(args[1])
            case "sub":
                return cls.of(args[0]) - cls.of(args[1])
            case "neg":
                return cls.of(args[0]) * -1
            case "mul":
                return cls.of(args[0]).times(cls.of(args[1]))
            case _:
                return cls.made([((term,), 1)])

    def __add__(self, other: Polynomial) -> Polynomial:
        return Polynomial.made([*self.terms, *other.terms])

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other * -1

    def __mul__(self, factor: int) -> Polynomial:
        return Polynomial.made((m, c * factor) for m, c in self.terms)

    def reduced(self, by: int) -> Polynomial:
        """Return a sum with the same remainder, by a number, without what it divides.

        >>> from dpcomp_sym.terms import Scope, parse
        >>> p = Polynomial.of(parse("7*a + b + 13", Scope(variables={"a": "int", "b": "int"})))
        >>> p.reduced(7) == Polynomial.of(parse("b - 1", Scope(variables={"b": "int"})))
        True
        """
        constant = (self.constant + by // 2) % by - by // 2
        kept = [(m, c) for m, c in self.terms if m and c % by]
        return Polynomial.made([*kept, ((), constant)])

    def tightened(self) -> Polynomial:
        """Return q such that q <= 0 says of integers what p <= 0 says, with smaller factors.

        >>> from dpcomp_sym.terms import Scope, parse
        >>> p = Polynomial.of(parse("7*a - 6", Scope(variables={"a": "int"})))
        >>> p.tightened() == Polynomial.of(parse("a", Scope(variables={"a": "int"})))
        True
        """
        factor = gcd(*(c for m, c in self.terms if m))
        if factor < 2:
            return self
        moved = [(m, c // factor) for m, c in self.terms if m]
        return Polynomial.made([*moved, ((), -(-self.constant // factor))])

    def times(self, other: Polynomial) -> Polynomial:
        """Return the product."""
        return Polynomial.made(
            (tuple(sorted((*m, *n), key=repr)), a * b)
            for (m, a), (n, b) in itertools.product(self.terms, other.terms)
        )

    @property
    def constant(self) -> int:
        """The number in the sum."""
        return dict(self.terms).get((), 0)

    def renamed(self, names: Mapping[Term, Term]) -> Polynomial:
        """Return the sum with other atoms in the place of some, inside of other atoms, too."""

        def new(atom: Term) -> Term:
            for old, other in names.items():
                atom = replaced(atom, old, other)
            return atom

        pairs = ((tuple(map(new, m)), c) for m, c in self.terms)
        return Polynomial.made((tuple(sorted(m, key=repr)), c) for m, c in pairs)

    def substituted(self, atom: Term, value: Polynomial) -> Polynomial:
        """Return the sum with a sum in the place of an atom.

        >>> from dpcomp_sym.terms import Scope, parse
        >>> scope = Scope(variables={"a": "int", "b": "int"})
        >>> p, q = (Polynomial.of(parse(text, scope)) for text in ("a*b + 1", "b - 1"))
        >>> p.substituted(parse("a", scope), q) == Polynomial.of(parse("b*b - b + 1", scope))
        True
        """
        found = Polynomial(())
        for monomial, c in self.terms:
            product = Polynomial.made([((), c)])
            for a in monomial:
                factor = value if a == atom else Polynomial.made([((a,), 1)])
                product = product.times(factor)
            found += product
        return found

    def part(self, wanted: Callable[[Monomial], bool]) -> Polynomial:
        """Return the sum of some of the products."""
        return Polynomial(tuple((m, c) for m, c in self.terms if wanted(m)))

    def term(self) -> Term:
        """Return the polynomial as a term."""
        found: Term | None = None
        for monomial, c in self.terms:
            product: Term | None = None
            for atom in monomial:
                product = atom if product is None else Term("mul", (product, atom), INT)
            size = abs(c)
            if product is None:
                product = integer(size)
            elif size != 1:
                product = Term("mul", (integer(size), product), INT)
            if found is None:
                found = product if c > 0 else _negative(product)
            else:
                found = Term("add" if c > 0 else "sub", (found, product), INT)
        return integer(0) if found is None else found


def _negative(term: Term) -> Term:
    return integer(-term.number) if term.op == "int" else Term("neg", (term,), INT)


def replaced(term: Term, old: Term, new: Term) -> Term:
    """Return a term with another one in the place of a part."""
    return all_replaced(term, {old: new})


def all_replaced(term: Term, others: Mapping[Term, Term]) -> Term:
    """Return a term with others in the places of some parts, all at once.

    Quotients of quotients repeat large parts: each is looked at once.
    """
    found = dict(others)

    def inside(part: Term) -> Term:
        if not part.terms:
            return found.get(part, part)
        known = found.get(part)
        if known is None:
            args = tuple(inside(a) if isinstance(a, Term) else a for a in part.args)
            known = found[part] = part if args == part.args else Term(part.op, args, part.sort)
        return known

    return inside(term)


def compared(literal: Term) -> Polynomial | None:
    """Return p for an integer comparison p <= 0; None for everything else."""
    if literal.op not in ("le", "lt", "ge", "gt") or literal.terms[0].sort != INT:
        return None
    left, right = map(Polynomial.of, literal.terms)
    one = Polynomial.made([((), 1)])
    match literal.op:
        case "le":
            return left - right
        case "lt":
            return left - right + one
        case "ge":
            return right - left
        case _:
            return right - left + one


# ------------------------------------------------------------- conditions as disjunctions


def disjuncts(term: Term, *, holds: bool = True) -> list[list[Term]]:
    """Return a condition as cases, each a list of literals that all hold.

    Raises:
        TooManyError: there are too many cases.
    """
    found = _cases(term, holds)
    if len(found) > MOST_DISJUNCTS:
        raise TooManyError
    return found


def _cases(term: Term, holds: bool) -> list[list[Term]]:
    args = term.terms
    match term.op:
        case "bool":
            return [[]] if bool(term.args[0]) == holds else []
        case "not":
            return _cases(args[0], not holds)
        case "implies":
            return _cases(Term("or", (Term("not", (args[0],), BOOL), args[1]), BOOL), holds)
        case "and" | "or" if (term.op == "and") == holds:
            return _all([_cases(a, holds) for a in args])
        case "and" | "or":
            return [case for a in args for case in _cases(a, holds)]
        case _:
            pass
    split = next((s for s in subterms(term) if s.op == "ite"), None)
    if split is not None:
        condition, yes, no = split.terms
        return [
            *_all([_cases(condition, True), _cases(replaced(term, split, yes), holds)]),
            *_all([_cases(condition, False), _cases(replaced(term, split, no), holds)]),
        ]
    if term.op in _NEGATED:
        op = term.op if holds else _NEGATED[term.op]
        if op in ("eq", "ne") and "tuple" in (args[0].op, args[1].op):
            return [[Term(op, args, BOOL)]]
        if op == "ne" and args[0].sort == INT:
            return [[Term("lt", args, BOOL)], [Term("gt", args, BOOL)]]
        return [[Term(op, args, BOOL)]]
    return [[term if holds else Term("not", (term,), BOOL)]]


def _all(parts: Sequence[list[list[Term]]]) -> list[list[Term]]:
    size = 1
    for part in parts:
        size *= len(part)
    if size > MOST_DISJUNCTS:
        raise TooManyError
    return [list(itertools.chain(*choice)) for choice in itertools.product(*parts)]


# ------------------------------------------------------------- one integer


@dataclass(frozen=True)
class Ends:
    """What a conjunction says of one integer v: factor*v >= low, and factor*v <= high."""

    lows: tuple[tuple[int, Polynomial], ...]
    highs: tuple[tuple[int, Polynomial], ...]
    rest: tuple[Polynomial, ...]

    def joined(self) -> list[Polynomial]:
        """Return what is left when v is gone: each lower end is at most each upper one.

        Between low and high there is a multiple of n if the remainder of -low, which is what the
        next one is away, is at most high - low.
        """
        found = []
        for (a, low), (b, high) in itertools.product(self.lows, self.highs):
            room, away = high - low, (low * -1).reduced(a)
            if room == Polynomial(()) and sum(c for m, c in away.terms if m) < 0:
                away = low.reduced(a)  # as well, where nothing may be left
            small = 0 <= room.constant < a - 1 or any(m for m, _ in room.terms)
            if a == b != 1 and small and not (_of_cell(room) or _of_cell(away)):
                rest = Term("mod", (away.term(), integer(a)), INT)
                found.append(Polynomial.made([((rest,), 1)]) - room)
            else:
                found.append(low * b - high * a)
        return found


def _of_cell(p: Polynomial) -> bool:
    """Return whether a sum is about the cell of a block, so that it does not stay."""
    return any(CELL_VARIABLE in subterms(a) for m, _ in p.terms for a in m)


def possible(rows: Sequence[Polynomial]) -> bool:
    """Return whether no row p <= 0 says 1 <= 0, or the like, in numbers alone."""
    return not any(p.constant > 0 and all(not m for m, _ in p.terms) for p in rows)


def told(rows: Sequence[Polynomial], v: Term) -> Ends | None:
    """Return what v is where two rows say it, p <= 0 and -p <= 0; None where none do.

    So it need not stand alone in the other rows, as it must where it is solved for.
    """
    for p in rows:
        others = p.part(lambda m: m != (v,))
        factor = dict(p.terms).get((v,), 0)
        if abs(factor) == 1 and p * -1 in rows and not _speaks(others, v):
            value = others * -factor
            rest = [q.substituted(v, value) for q in rows if q not in (p, p * -1)]
            if not any(_speaks(q, v) for q in rest):
                return Ends(((1, value),), ((1, value),), tuple(rest))
    return None


def _speaks(p: Polynomial, v: Term) -> bool:
    return any(v in subterms(a) for m, _ in p.terms for a in m)


def solve(rows: Sequence[Polynomial], v: Term) -> Ends | None:
    """Solve p <= 0 for some p for one of their atoms; None where it is not linear."""
    lows, highs, rest = [], [], []
    for p in rows:
        if not _speaks(p, v):
            rest.append(p)
            continue
        others = p.part(lambda m: m != (v,))
        if _speaks(others, v):
            return None
        factor = dict(p.terms)[v,]
        if factor > 0:
            highs.append((factor, others * -1))
        else:
            lows.append((-factor, others))
    return Ends(tuple(lows), tuple(highs), tuple(rest))
