"""Proofs that one bound is at most another, by the kernel's rules about inequalities.

The search is small and incomplete; whatever it returns is a theorem of the kernel.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import UnionType
from typing import Any, Final, ParamSpec

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.counts import places_of
from dpcomp_sym.algebra.polynomials import normal, polynomial
from dpcomp_sym.statements.places import totals_of

__all__ = ["at_most", "cases_of", "claimed"]

MOST_PLANS: Final = 200
MOST_CHOICES: Final = 80
MOST_TRIED: Final = 60
MOST_RAISED: Final = 120
DEEPEST: Final = 6
P = ParamSpec("P")
Monomial = tuple[tuple[k.Expr, int], ...]
MOST_STEPS: Final = 2
ONE: Final = k.Num(Fraction(1))


def claimed(
    theorem: k.Theorem, parameters: tuple[tuple[k.Expr, ...], ...], where: k.Where = ()
) -> k.Theorem | None:
    """Return the theorem that the composition has the claimed guarantee, if a proof is found.

    Args:
        theorem: the composition's guarantee between neighbours.
        parameters: for each parameter, the expressions of which the least one is claimed; one of
            each stands in the theorem that is returned, but all are proved.
        where: the sizes of which the claim speaks.
    """
    cases = cases_of(theorem, where)
    last = None
    for choice in itertools.zip_longest(*parameters):
        goals = tuple(e or given[0] for e, given in zip(choice, parameters, strict=True))
        known = [x for case in cases if (x := _changed(case, goals)) is not None]
        if not known or len(known) < len(cases):
            return None
        last = known[0] if len(known) == 1 else k.cover_cases(tuple(known), where)
    return last


def cases_of(theorem: k.Theorem, where: k.Where = ()) -> list[k.Theorem]:
    """Return the cases of sizes in which a guarantee is shown, as far as they are in a box."""
    cases = theorem.premises if theorem.rule == "cover_cases" else (theorem,)
    if not where:
        return list(cases)
    found = [_tried(k.restrict, case, where) for case in cases]
    return [x for x in found if x is not None]


def _changed(theorem: k.Theorem, goals: tuple[k.Expr, ...]) -> k.Theorem | None:
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return None
    values = statement.loss.guarantee
    leqs = [at_most(v, g, statement.where) for v, g in zip(values, goals, strict=True)]
    known = tuple(x for x in leqs if x is not None)
    return k.change_guarantee(theorem, known) if len(known) == len(leqs) else None


def at_most(left: k.Expr, right: k.Expr, where: k.Where) -> k.Theorem | None:
    """Return the theorem left <= right for all parameters and all sizes of a box, or None.

    >>> eps = k.BlockEntry("eps", ("k",))
    >>> largest = k.Worst(("k",), (k.Choice(k.Num(Fraction(1)), eps),))
    >>> two = k.Worst(("k",), (k.Choice(k.Num(Fraction(2)), eps),))
    >>> twice = k.Product((k.Num(Fraction(2)), largest))
    >>> at_most(two, twice, ()).statement.text(), at_most(twice, two, ())
    ('sum of the 2 largest eps[i] <= 2*max(eps[i])', None)
    """
    return _at_most(left, right, where, _Search(0, {}))


@dataclass(frozen=True)
class _Search:
    """How deep a search is, and what it has tried; a failure is final."""

    depth: int
    tried: dict[tuple[k.Expr, k.Expr, k.Where], k.Theorem | None]
    raised: list[k.Expr] = field(default_factory=list)

    def deeper(self) -> _Search:
        return _Search(self.depth + 1, self.tried, self.raised)


def _at_most(left: k.Expr, right: k.Expr, where: k.Where, search: _Search) -> k.Theorem | None:
    key = (left, right, where)
    if key in search.tried:
        return search.tried[key]
    if search.depth > DEEPEST or len(search.tried) > MOST_TRIED:
        return None
    search.tried[key] = None
    for way in (
        _by_polynomials, _by_items, _by_root_of_choice, _by_roots, _by_choices, _by_powers,
        _by_factors, _by_parts,
    ):  # fmt: skip
        found = way(left, right, where, search)
        if found is not None:
            search.tried[key] = found
            return found
    return None


def _tried(rule: Callable[P, k.Theorem], *args: P.args, **kwargs: P.kwargs) -> k.Theorem | None:
    try:
        return rule(*args, **kwargs)
    except k.KernelError:
        return None


def _then(first: k.Theorem | None, second: k.Theorem | None) -> k.Theorem | None:
    if first is None or second is None:
        return None
    return _tried(k.transitive, first, second)


def _by_polynomials(
    left: k.Expr, right: k.Expr, where: k.Where, search: _Search
) -> k.Theorem | None:
    del search
    return _tried(k.bounded_polynomial, left, right, where)


def _by_items(left: k.Expr, right: k.Expr, where: k.Where, search: _Search) -> k.Theorem | None:
    if isinstance(left, k.Max):
        found = [_at_most(item, right, where, search.deeper()) for item in left.items]
        known = tuple(x for x in found if x is not None)
        if known and len(known) == len(found):
            return k.maximum(known)
        return None
    match right:
        case k.Product((k.Num() as factor, k.Max() as most)):
            same = k.bounded_polynomial(factor, factor, where)
            for item in most.items:
                below = _at_most(left, k.Product((factor, item)), where, search.deeper())
                if below is not None:
                    one = k.some_item(item, most, where)
                    return _then(below, k.monotone("product", (same, one)))
        case _:
            pass
    if isinstance(right, k.Sum) and isinstance(left, k.Product | k.Sqrt) and _holds_root(left):
        for item in right.items:
            if _holds_root(item):
                below = _at_most(left, item, where, search.deeper())
                if below is not None:
                    return _then(below, k.bounded_polynomial(item, right, where))
    if isinstance(right, k.Max):
        for ways in (_QUICK, (_at_most,)):
            for item, way in itertools.product(right.items, ways):
                below = way(left, item, where, search.deeper())
                if below is not None:
                    return _then(below, k.some_item(item, right, where))
    return None


def _by_roots(left: k.Expr, right: k.Expr, where: k.Where, search: _Search) -> k.Theorem | None:
    """Compare squares where a side is a root."""
    if not isinstance(left, k.Sqrt) and not _holds_root(right):
        return None
    squares = [k.Product((e, e)) for e in (left, right)]
    inside = [normal(e) for e in squares]
    if inside == [left, right] or any(_holds_root(e) for e in inside):
        return None
    below = _at_most(inside[0], inside[1], where, search.deeper())
    first = k.bounded_polynomial(squares[0], inside[0], where)
    last = k.bounded_polynomial(inside[1], squares[1], where)
    whole = _then(_then(first, below), last)
    return None if whole is None else _tried(k.root, whole)


def _by_root_of_choice(
    left: k.Expr, right: k.Expr, where: k.Where, search: _Search
) -> k.Theorem | None:  # fmt: skip
    """Take the root out of a worst choice where the right side is a root, too."""
    del search
    if not (isinstance(left, k.Worst) and isinstance(right, k.Sqrt)):
        return None
    out = _by_squares(left, where)
    if out is None or not isinstance(out.statement, k.BoundLeq):
        return None
    return _then(out, _tried(k.bounded_polynomial, out.statement.right, right, where))


def _holds_root(e: k.Expr) -> bool:
    return isinstance(e, k.Sqrt) or (
        isinstance(e, k.Sum | k.Product | k.Max) and any(map(_holds_root, e.items))
    )


# ------------------------------------------------------------------ worst choices of blocks


def _by_choices(left: k.Expr, right: k.Expr, where: k.Where, search: _Search) -> k.Theorem | None:
    if not isinstance(left, k.Worst) or not isinstance(right, k.Worst):
        return None
    if left.sizes != right.sizes:
        return None
    for base in _bases(left):
        found = _tried(k.abel, left, right, base, where)
        if found is not None:
            return found
    targets = range(len(right.groups))
    plans = itertools.product(targets, repeat=len(left.groups))
    for plan in itertools.islice(plans, MOST_PLANS):
        leqs = [
            _at_most(group.value, right.groups[target].value, where, search.deeper())
            for group, target in zip(left.groups, plan, strict=True)
        ]
        known = tuple(x for x in leqs if x is not None)
        if len(known) == len(leqs):
            found = _tried(k.transport, left, right, plan, known, where)
            if found is not None:
                return found
    return None


_QUICK = (_by_polynomials, _by_choices)


def _bases(worst: k.Worst) -> Iterator[k.Expr]:
    for group in worst.groups:
        yield group.value
        terms = polynomial(group.value)
        if len(terms) == 1:
            ((monomial, _),) = terms.items()
            factors = tuple(x for x, power in monomial for _ in range(power))
            yield factors[0] if len(factors) == 1 else k.Product(factors)


def _by_factors(left: k.Expr, right: k.Expr, where: k.Where, search: _Search) -> k.Theorem | None:
    """Draw what blocks share out of worst choices on the right: c*max(a[i]) <= max(c*a[i]).

    That is numbers and symbols.
    """
    table: dict[k.Expr, k.Expr] = {}
    theorems: dict[k.Expr, k.Theorem] = {}
    for worst in dict.fromkeys(_worsts(right)):
        terms = [row for g in worst.groups for row in polynomial(g.value).items()]
        if not terms:
            continue
        number = _common([c for _, c in terms])
        symbols = _symbols([monomial for monomial, _ in terms])
        if number == 1 and not symbols:
            continue
        factor = normal(k.Product((k.Num(number), *symbols.elements())))
        groups = tuple(k.Choice(g.count, _divided(g.value, number, symbols)) for g in worst.groups)
        inside = k.Worst(worst.sizes, groups)
        theorem = _tried(k.factor_in, worst, factor, inside, where)
        if theorem is not None:
            table[worst] = k.Product((factor, inside))
            theorems[table[worst]] = theorem
    if not table:
        return None
    drawn = _replaced(right, table)
    return _then(_at_most(left, drawn, where, search.deeper()), _raised(drawn, theorems, where))


def _common(numbers: list[Fraction]) -> Fraction:
    """Return the largest number of which all are whole multiples."""
    down = math.lcm(*(n.denominator for n in numbers))
    return Fraction(math.gcd(*(int(n * down) for n in numbers)), down)


def _symbols(monomials: list[Monomial]) -> Counter[k.Expr]:
    """Return the symbols of the spec that are factors of all products, as often as they are."""
    found = [Counter[k.Expr]({x: n for x, n in m if isinstance(x, k.Size)}) for m in monomials]
    return functools.reduce(operator.and_, found)


def _divided(value: k.Expr, number: Fraction, symbols: Counter[k.Expr]) -> k.Expr:
    """Return a sum of products without a factor that all of these have."""
    sums = []
    for monomial, c in polynomial(value).items():
        left = Counter(dict(monomial)) - symbols
        sums.append(k.Product((k.Num(c / number), *left.elements())))
    return normal(k.Sum(tuple(sums)))


def _replaced(e: k.Expr, table: Mapping[k.Expr, k.Expr]) -> k.Expr:
    if e in table:
        return table[e]
    if isinstance(e, k.Sum | k.Product | k.Max):
        return type(e)(tuple(_replaced(x, table) for x in e.items))
    return e


# ------------------------------------------------------------------ growth and powers of e


def _by_powers(left: k.Expr, right: k.Expr, where: k.Where, search: _Search) -> k.Theorem | None:
    """Compare growth over a distance with powers of e on the other side."""
    powers = dict.fromkeys(_applied("exp", right))
    if not powers:
        return _of_powers(left, right, where, search)
    grown = list(dict.fromkeys(_applied("growth", left)))
    steps = dict.fromkeys(s for g in grown for p in powers for s in _steps(g, p))
    tables = [{g: _tried(k.growth_out, g, where) for g in grown}]
    tables += [{g: _tried(k.growth_most, g, s, where) for g in grown} for s in steps]
    raised = [
        _raised(left, {g: one for g, one in table.items() if one is not None}, where)
        for table in tables if any(table.values())
    ]  # fmt: skip
    raised += [_times_power(left, p, where) for p in powers]
    for first in raised:
        if first is not None and isinstance(first.statement, k.BoundLeq):
            rest = _at_most(first.statement.right, right, where, search.deeper())
            if rest is not None:
                return _then(first, rest)
    return None


def _of_powers(left: k.Expr, right: k.Expr, where: k.Where, search: _Search) -> k.Theorem | None:
    """Write growth on the right as powers of e, where the left side has some."""
    if not any(True for _ in _applied("exp", left)):
        return None
    table: dict[k.Expr, k.Expr] = {}
    theorems: dict[k.Expr, k.Theorem] = {}
    for grown in dict.fromkeys(_applied("growth", right)):
        theorem = _tried(k.growth_in, grown, where)
        if theorem is not None and isinstance(theorem.statement, k.BoundLeq):
            table[grown] = theorem.statement.left
            theorems[table[grown]] = theorem
    if not table:
        return None
    drawn = _replaced(right, table)
    return _then(_at_most(left, drawn, where, search.deeper()), _raised(drawn, theorems, where))


def _times_power(left: k.Expr, power: k.Apply, where: k.Where) -> k.Theorem | None:
    """Return "left <= left * e^x"."""
    one = k.Apply("growth", (power.items[0], ONE))
    most = _then(_tried(k.bounded_polynomial, ONE, one, where), k.growth_most(one, ONE, where))
    same = k.bounded_polynomial(left, left, where)
    if most is None:
        return None
    both = k.monotone("product", (same, most))
    return _then(_tried(k.bounded_polynomial, left, k.Product((left, ONE)), where), both)


def _applied(name: str, e: k.Expr) -> Iterator[k.Apply]:
    """Yield where a function stands in sums, products and maxima."""
    if isinstance(e, k.Apply) and e.name == name:
        yield e
    if isinstance(e, k.Sum | k.Product | k.Max):
        for item in e.items:
            yield from _applied(name, item)


def _steps(growth: k.Apply, power: k.Apply) -> Iterator[k.Expr]:
    """Yield the s for which a power of e is e^(s eps), of a growth over distances."""
    match list(polynomial(growth.items[0]).items()):
        case [(((atom, 1),), factor)]:
            terms = [(Counter(dict(m)), c / factor) for m, c in polynomial(power.items[0]).items()]
            if all(m[atom] for m, _ in terms):
                once = Counter([atom])
                yield normal(k.Sum(tuple(
                    k.Product((k.Num(c), *(m - once).elements())) for m, c in terms
                )))  # fmt: skip
        case _:
            pass


# ------------------------------------------------------------------ sums and products


def _by_parts(left: k.Expr, right: k.Expr, where: k.Where, search: _Search) -> k.Theorem | None:
    """Replace the worst choices on the left by larger terms, until polynomials compare."""
    atoms = list(dict.fromkeys(_worsts(left, k.Worst | k.MaxOver)))
    if not atoms:
        return None
    options = [list(_larger(a, right, where, search)) for a in atoms]
    raised: dict[k.Expr, tuple[k.Theorem | None, k.Expr]] = {}
    for choice in itertools.islice(itertools.product(*options), MOST_CHOICES):
        table: dict[k.Expr, k.Theorem] = dict(zip(atoms, choice, strict=True))
        if len(search.raised) >= MOST_RAISED:
            break
        search.raised.append(left)
        first = _raised(left, table, where)
        statement = None if first is None else first.statement
        if isinstance(statement, k.BoundLeq) and statement.right != left:
            raised.setdefault(normal(statement.right), (first, statement.right))
    for first, middle in raised.values():
        whole = _then(first, _by_polynomials(middle, right, where, search))
        if whole is not None:
            return whole
    if search.depth >= MOST_STEPS:
        return None
    for first, middle in raised.values():
        whole = _then(first, _at_most(middle, right, where, search.deeper()))
        if whole is not None:
            return whole
    return None


def _worsts(e: k.Expr, kinds: type[k.Expr] | UnionType = k.Worst) -> Iterator[Any]:
    """Yield the worst choices of blocks in sums, products and maxima."""
    if isinstance(e, kinds):
        yield e
    if isinstance(e, k.Sum | k.Product | k.Max):
        for item in e.items:
            yield from _worsts(item, kinds)


def _larger(
    worst: k.Worst | k.MaxOver, right: k.Expr, where: k.Where, search: _Search
) -> Iterator[k.Theorem]:
    """Yield theorems "worst <= something" that may lead to the right side."""
    yield k.bounded_polynomial(worst, worst, where)
    if isinstance(worst, k.MaxOver):
        yield from _some_blocks(worst, right, where)
        return
    yield k.spread(worst, where)
    yield from (
        found
        for make in (_each_block, _all_blocks, _by_squares)
        if (found := make(worst, where)) is not None
    )
    shared = _shared(worst, right, where, search)
    if shared is not None:
        yield shared
    for monomial, factor in polynomial(right).items():
        for atom, power in monomial:
            if not isinstance(atom, k.Worst) or atom.sizes != worst.sizes:
                continue
            if power > 1:
                square = k.squares(atom, where)
                left = square.statement.left if isinstance(square.statement, k.BoundLeq) else atom
                below = _then(_at_most(worst, normal(left), where, search.deeper()), square)
                if below is not None:
                    yield below
            if atom != worst:
                below = _by_choices(worst, atom, where, search.deeper())
                if below is not None:
                    yield below
            if factor == 1:
                continue
            number = k.Num(factor)
            groups = tuple(k.Choice(g.count, k.Product((number, g.value))) for g in atom.groups)
            scaled = k.Worst(atom.sizes, groups)
            below = _by_choices(worst, scaled, where, search.deeper())
            out = _tried(k.factor_out, scaled, number, atom, where)
            whole = _then(below, out)
            if whole is not None:
                yield whole


def _some_blocks(most: k.MaxOver, right: k.Expr, where: k.Where) -> Iterator[k.Theorem]:
    """Yield "max over t of sum(a[i] for t <= i < t + w) <= sum of the w largest a[i]".

    First with as many blocks as seen, then with as many as the right side has, then with all; and
    as many times the worst block.
    """
    choices = [
        dict.fromkeys([*_seen(total), *_wanted(total.sizes, right), k.Inf()])
        for total in totals_of(most.body)
    ]
    for choice in itertools.islice(itertools.product(*choices), MOST_CHOICES):
        found = _tried(k.anywhere, most, choice, where)
        if found is not None and isinstance(found.statement, k.BoundLeq):
            yield found
            some = found.statement.right
            raised = _raised(some, {w: k.spread(w, where) for w in _worsts(some)}, where)
            if (each := _then(found, raised)) is not None:
                yield each


def _wanted(sizes: k.Sizes, right: k.Expr) -> Iterator[k.Expr]:
    """Yield of how many blocks of a family the terms of a bound are."""
    for monomial, number in polynomial(right).items():
        chosen = [x for x, power in monomial if isinstance(x, k.Worst) and x.sizes == sizes]
        times = [x for x, power in monomial for _ in range(power) if isinstance(x, k.Size)]
        for group in (g for worst in chosen for g in worst.groups):
            yield normal(k.Product((k.Num(Fraction(math.floor(number))), *times, group.count)))


def _seen(total: k.SumOver) -> Iterator[k.Expr]:
    """Yield how many blocks there are in a total, or some more, where this can be read off."""
    try:
        cases = places_of(total)
    except k.KernelError:
        return
    if len(cases) > 1:
        first = [next(more for by, more, _ in ways if by == ONE) for ways in cases]
        yield normal(k.Sum(tuple(first)))
        return
    for by, more, _ in cases[0] if cases else ():
        if isinstance(by, k.Num):
            yield normal(k.Sum(tuple(
                k.Product((k.Num(Fraction(math.ceil(number / by.value))), *_factors(monomial)))
                for monomial, number in polynomial(more).items()
            )))  # fmt: skip


def _factors(monomial: Monomial) -> list[k.Expr]:
    return [x for x, power in monomial for _ in range(power)]


def _shared(
    worst: k.Worst, right: k.Expr, where: k.Where, search: _Search
) -> k.Theorem | None:  # fmt: skip
    """Return "sum of the 2r largest <= r * (sum of the 2 largest)", with the pieces of the right.

    Pieces whose values are larger are first made smaller, to pieces of the value on the left.
    """
    pieces: list[tuple[k.Worst, k.Expr]] = []
    raised: dict[k.Expr, k.Theorem] = {}
    for monomial, factor in polynomial(right).items():
        found = [x for x, power in monomial if isinstance(x, k.Worst) and power == 1]
        if len(found) != 1 or found[0].sizes != worst.sizes or factor < 1:
            continue
        for piece in _of_one_value(worst, found[0], where):
            below = _at_most(piece, found[0], where, search.deeper())
            if below is not None:
                break
        else:
            continue
        raised[piece] = below
        number = k.Num(Fraction(math.floor(factor)))
        others = [x for x, power in monomial for _ in range(power) if x != found[0]]
        pieces.append((piece, normal(k.Product((number, *others)))))
    if not pieces:
        return None
    small, times = zip(*pieces, strict=True)
    shared = _tried(lambda: k.share(worst, small, times, where))
    if shared is None or not isinstance(shared.statement, k.BoundLeq):
        return None
    return _then(shared, _raised(shared.statement.right, raised, where))


def _of_one_value(worst: k.Worst, piece: k.Worst, where: k.Where) -> Iterator[k.Worst]:
    """Yield what may be below a piece, with the value of a worst choice for its own ones.

    First for all of them, then for those that are larger than this value.
    """
    if len(worst.groups) != 1:
        yield piece
        return
    value = worst.groups[0].value

    def above(e: k.Expr) -> bool:
        return _tried(lambda: k.bounded_polynomial(value, e, where)) is not None

    larger = [g.count for g in piece.groups if above(g.value)]
    for counts in ([g.count for g in piece.groups], larger):
        count = k.Inf() if k.Inf() in counts else normal(k.Sum(tuple(counts)))
        yield k.Worst(worst.sizes, (k.Choice(count, value),))


def _each_block(worst: k.Worst, where: k.Where) -> k.Theorem | None:
    """Return "max(f(a[i], b[i])) <= f(max(a[i]), max(b[i]))"."""
    if len(worst.groups) != 1 or worst.groups[0].count != ONE:
        return None
    value = worst.groups[0].value
    table: dict[k.Expr, k.Theorem] = {}
    for entry in _entries(value):
        largest = k.Worst(worst.sizes, (k.Choice(ONE, entry),))
        table[entry] = k.choose(largest, where)
    raised = _raised(value, table, where)
    if raised is None or worst in table:
        return None
    return _tried(k.each_block, raised, worst)


def _all_blocks(worst: k.Worst, where: k.Where) -> k.Theorem | None:
    """Return "sum of the n largest a[i] <= k*max(a[i])"."""
    if len(worst.groups) != 1:
        return None
    (group,) = worst.groups
    everything = k.Worst(worst.sizes, (k.Choice(k.Inf(), group.value),))
    same = k.bounded_polynomial(group.value, group.value, where)
    return _then(
        _tried(k.transport, worst, everything, (0,), (same,), where),
        k.spread(everything, where),
    )


def _by_squares(worst: k.Worst, where: k.Where) -> k.Theorem | None:
    """Return "max(a[i]) <= sqrt(max(a[i]^2))"; a[i] may be a root itself, or a multiple of one."""
    if len(worst.groups) != 1 or worst.groups[0].count != ONE:
        return None
    value = worst.groups[0].value
    twice = k.Product((value, value))
    square = normal(twice)
    if not isinstance(value, k.BlockEntry) and (not _holds_root(value) or _holds_root(square)):
        return None
    largest = k.choose(k.Worst(worst.sizes, (k.Choice(ONE, square),)), where)
    root = k.Sqrt(square)
    squares = _then(
        _tried(k.bounded_polynomial, twice, square, where),
        _tried(k.bounded_polynomial, square, k.Product((root, root)), where),
    )
    first = None if squares is None else _tried(k.root, squares)
    below = _then(first, k.monotone("sqrt", (largest,)))
    return None if below is None else _tried(k.each_block, below, worst)


def _entries(e: k.Expr) -> set[k.BlockEntry]:
    if isinstance(e, k.BlockEntry):
        return {e}
    if isinstance(e, k.Sqrt):
        return _entries(e.of)
    if isinstance(e, k.Sum | k.Product | k.Max | k.Apply):
        return set().union(*map(_entries, e.items))
    return set()


def _raised(e: k.Expr, table: Mapping[k.Expr, k.Theorem], where: k.Where) -> k.Theorem | None:
    """Return the theorem e <= e with the expressions of a table replaced, by monotony."""
    if e in table:
        return table[e]
    match e:
        case k.Sum(items):
            kind = "sum"
        case k.Product(items):
            kind = "product"
        case k.Max(items):
            kind = "max"
        case k.Apply(kind, items):
            pass
        case k.Sqrt(of):
            kind, items = "sqrt", (of,)
        case _:
            kind, items = "", ()
    if items:
        raised = [_raised(x, table, where) for x in items]
        known = tuple(x for x in raised if x is not None)
        return _tried(k.monotone, kind, known) if len(known) == len(raised) else None
    return _tried(k.bounded_polynomial, e, e, where)
