"""In how many databases two compared membership vectors can differ, for every k.

Constraints that are about numbers of databases only are symmetric inside each group, so a pair of
vectors matters through four numbers a group: the databases in both, in the first only, in the
second only, and in none.  A claim like "no two differ in more than 2m databases" is then a formula
of linear integer arithmetic in which k and m are variables, and the solver decides it for all of
them.  Candidates are made from the numbers and symbols of the constraints; what is returned has
been confirmed.

Source: HBW.V-A with correction E5; N4.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.errors import InputError
from dpcomp_sym.membership.setting import Membership
from dpcomp_sym.profile import ALL, Count, Symbolic
from dpcomp_sym.smt.counts import SolverGaveUpError, always_possible, numbers
from dpcomp_sym.terms import (
    BOOL,
    INT,
    Environment,
    Term,
    conjunction,
    evaluate,
    substitute,
    subterms,
    to_text,
    variable,
)
from dpcomp_sym.terms.term import integer

__all__ = ["Definition", "VectorReach", "differ", "reach", "widest_pair"]

MOST_CANDIDATES: Final = 600
MOST_GROUPS: Final = 4
ZERO: Final = integer(0)


@dataclass(frozen=True)
class VectorReach:
    """What two compared vectors can differ in.

    Attributes:
        vectors: group → number of databases, at most; each difference is below one of them.
        exact: each of them is the difference of two vectors, whatever the sizes are.
        vacuous: no two different vectors are compared.
        distance: at which distance a database counts: 2 where a record is replaced by another.
        definition: a symbol in the vectors that stands for a formula.
    """

    vectors: tuple[Mapping[str, Count], ...]
    exact: bool
    vacuous: bool = False
    distance: int = 1
    definition: Definition | None = None


@dataclass(frozen=True)
class Definition:
    """A symbol that stands for a formula: a number of databases that a profile cannot spell."""

    symbol: str
    term: Term
    text: str


@dataclass(frozen=True)
class _Amount:
    """A number of databases: how a vector says it, and the term that it stands for."""

    count: Count
    term: Term
    text: str = ""
    """The formula, if the count is a symbol of its own."""


def reach(membership: Membership) -> VectorReach:
    """Return in how many databases of each group two compared vectors can differ.

    Raises:
        InputError: no vector is allowed; the zero vector is not, though it is compared with.

    >>> hospitals = Membership({"databases": "k"}, ["total <= m"], {"m": "m >= 1"}, "bounded")
    >>> reach(hospitals).vectors == ({"databases": Symbolic("m", 2)},)
    True
    """
    if not membership.counting:
        # Of single databases nothing is known here; leaving constraints out allows more pairs.
        free = replace(membership, require=())
        return replace(reach(free), exact=False)
    pair = _Pair(membership, "")
    _check(membership, pair)
    distance = 2 if membership.neighbours == "replace-one" else 1
    if _none(pair.names, [*pair.facts, pair.different]):
        return VectorReach((), exact=True, vacuous=True, distance=distance)
    found = _one_group(membership, pair) if len(membership.groups) == 1 else _groups(pair)
    return replace(found, distance=distance)


def _check(membership: Membership, pair: _Pair) -> None:
    if _none(pair.names, pair.facts):
        raise InputError(
            f"no membership vector is allowed: {membership.text()}", where="membership"
        )
    if membership.neighbours == "unbounded":
        zero = membership.counted(dict.fromkeys(membership.groups, ZERO))
        against = numbers(membership.names, [*membership.facts, _no(zero)])
        if against is not None:
            given = ", ".join(f"{n} = {v}" for n, v in against.items())
            where = f" (for example for {given})" if given else ""
            raise InputError(
                f"unbounded neighbours compare with being in no database, which is not allowed "
                f'here{where}: say neighbours = "bounded", or allow total == 0',
                where="membership, neighbours", word="unbounded",
            )  # fmt: skip


def differ(membership: Membership, sizes: Mapping[str, int]) -> bool:
    """Return whether two different vectors are compared, for these numbers.

    >>> differ(Membership({"databases": "k"}, ["total == 3"], {}, "bounded"), {"k": 3})
    False
    """
    pair = _Pair(membership, "")
    known = [_equal(variable(n, INT), integer(sizes[n])) for n in membership.names]
    return not _none(pair.names, [*pair.facts, pair.different, *known])


def widest_pair(membership: Membership, sizes: Mapping[str, int]) -> tuple[int, int, int] | None:
    """Return how many databases are in both, in the first only and in the second only.

    Of all compared pairs over a single group, one that differs in as many databases as possible;
    None if there are no two different vectors.

    >>> hospitals = Membership({"databases": "k"}, ["total == m"], {"m": "m >= 1"}, "bounded")
    >>> widest_pair(hospitals, {"k": 7, "m": 5})
    (3, 2, 2)
    """
    ((group, size),) = membership.groups.items()
    k = sizes[size] if isinstance(size, str) else size
    possible = [n for n in range(k + 1) if membership.allows_counts({group: n}, sizes)]
    if membership.neighbours != "bounded":
        most = max(possible, default=0)
        return (0, 0, most) if most else None
    best: tuple[int, int, int] | None = None
    for a in possible:
        # With a and b databases, min(a + b, 2k - a - b) can differ: a + b nearest to k is best.
        at = bisect_left(possible, k - a)
        for b in possible[max(0, at - 1) : at + 1]:
            both = max(0, a + b - k)
            differ = a + b - 2 * both
            if differ and (best is None or differ > best[1] + best[2]):
                best = (both, a - both, b - both)
    return best


class _Pair:
    """Two vectors that are compared, by their counts, as terms over variables of this prefix."""

    def __init__(self, membership: Membership, prefix: str) -> None:
        self.membership = membership
        self.inner: list[str] = []
        self.differ: dict[str, Term] = {}
        facts: list[Term] = []
        first: dict[str, Term] = {}
        second: dict[str, Term] = {}
        for group in membership.groups:
            names = [f"{prefix}{group} {which}" for which in ("both", "first", "second", "none")]
            self.inner += names
            both, one, other, none = (variable(n, INT) for n in names)
            facts += [_at_least(v, ZERO) for v in (both, one, other, none)]
            first[group], second[group] = _plus(both, one), _plus(both, other)
            facts.append(_equal(_plus(_plus(both, one), _plus(other, none)),
                                membership.number(group)))  # fmt: skip
            self.differ[group] = _plus(one, other)
            if membership.neighbours != "bounded":
                facts += [_equal(both, ZERO), _equal(one, ZERO)]
        facts.append(membership.counted(second))
        if membership.neighbours == "bounded":
            facts.append(membership.counted(first))
        self.own = facts
        self.facts = [*membership.facts, *facts]
        self.names = [*membership.names, *self.inner]
        total = ZERO
        for term in self.differ.values():
            total = _plus(total, term)
        self.different = _at_least(total, integer(1))

    def above(self, vector: Mapping[str, Term]) -> Term:
        """The difference is not below a vector."""
        return Term(
            "or", tuple(Term("gt", (self.differ[g], vector[g]), BOOL) for g in vector), BOOL
        )

    def is_at(self, vector: Mapping[str, Term]) -> Term:
        """The difference is a vector, as far as there are databases."""
        return conjunction(
            [
                _equal(self.differ[g], _least(t, self.membership.number(g)))
                for g, t in vector.items()
            ]
        )

    def attains(self, vector: Mapping[str, Term]) -> bool:
        """Whether, for all sizes with different vectors, two of them differ in just this.

        First such pairs are tried of which one vector has all of the difference in a group, and
        that have all or nothing else of it in common; only then any pair.
        """
        other = _Pair(self.membership, "other ")
        here = [*self.facts, self.different]
        if len(vector) <= MOST_GROUPS:
            for witness in product(*(self._witnesses(g, t) for g, t in vector.items())):
                values = {name: term for one in witness for name, term in one.items()}
                meant = substitute(conjunction([*other.own, other.is_at(vector)]), values)
                if _none(self.names, [*here, _no(meant)]):
                    return True
        goals = [*other.own, other.is_at(vector)]
        return always_possible(self.names, here, other.inner, goals)

    def _witnesses(self, group: str, most: Term) -> Iterator[dict[str, Term]]:
        size = self.membership.number(group)
        differing = _least(most, size)
        rest = Term("sub", (size, differing), INT)
        for both, none in ((ZERO, rest), (rest, ZERO)):
            for first, second in ((ZERO, differing), (differing, ZERO)):
                terms = {"both": both, "first": first, "second": second, "none": none}
                yield {f"other {group} {which}": term for which, term in terms.items()}


def _base(membership: Membership) -> Iterator[_Amount]:
    """Yield the numbers and symbols of the constraints."""
    seen: set[Term] = set()
    known = set(membership.names) - set(membership.sizes)
    for term in subterms(membership.rule):
        if term in seen:
            continue
        seen.add(term)
        if term.op == "var" and term.name in known:
            yield _Amount(Symbolic(term.name), term)
        elif term.op == "int" and isinstance(term.args[0], int) and term.args[0] > 0:
            yield _Amount(term.args[0], term)


def _plain(membership: Membership) -> list[_Amount]:
    found = []
    for one in _base(membership):
        twice = one.count * 2 if isinstance(one.count, int) else Symbolic(str(one.count), 2)
        found += [one, _Amount(twice, _twice(one.term))]
    return found


def _one_group(membership: Membership, pair: _Pair) -> VectorReach:
    """Find the least candidate that no difference exceeds."""
    ((group, _),) = membership.groups.items()
    size = membership.number(group)
    amounts = [*_plain(membership), _Amount(ALL, size)]
    for one in _base(membership):
        rest = Term("sub", (size, one.term), INT)
        here, left = to_text(one.term), to_text(rest)
        amounts += [
            _Amount(0, rest, left),
            _Amount(0, _twice(rest), f"2*({left})"),
            _Amount(0, _least(one.term, rest), f"min({here}, {left})"),
            _Amount(0, _twice(_least(one.term, rest)), f"2*min({here}, {left})"),
        ]
    best = _least_amount(pair, group, amounts)
    exact = pair.attains({group: best.term})
    if not best.text:
        return VectorReach(({group: best.count},), exact)
    symbol = next(n for n in ("r", "r_", "r__") if n not in membership.names)
    definition = Definition(symbol, best.term, best.text)
    return VectorReach(({group: Symbolic(symbol)},), exact, definition=definition)


def _least_amount(pair: _Pair, group: str, amounts: Sequence[_Amount]) -> _Amount:
    """Return the least amount that no difference exceeds in this group; one of them is ALL."""
    size = pair.membership.number(group)
    covering = [a for a in amounts if _none(pair.names, [*pair.facts, pair.above({group: a.term})])]
    return next((a for a in covering if _is_least(pair, size, a, covering)), covering[0])


def _is_least(pair: _Pair, size: Term, one: _Amount, others: Sequence[_Amount]) -> bool:
    here = _least(one.term, size)
    facts = [*pair.facts, pair.different]
    return all(
        _none(pair.names, [*facts, Term("gt", (here, _least(o.term, size)), BOOL)]) for o in others
    )


def _groups(pair: _Pair) -> VectorReach:
    """Collect the maximal candidate vectors that can occur, and confirm that they are all."""
    membership = pair.membership
    plain = [_Amount(0, ZERO), *_plain(membership)]
    options = {g: [*plain, _Amount(ALL, membership.number(g))] for g in membership.groups}
    if prod(len(o) for o in options.values()) > MOST_CANDIDATES:
        options = {g: [o[0], o[-1]] for g, o in options.items()}
    whole = {g: _least_amount(pair, g, o).count for g, o in options.items()}
    if prod(len(o) for o in options.values()) > MOST_CANDIDATES:
        return VectorReach((whole,), exact=False)
    generic = _generic(pair)
    at = numbers(pair.names, generic) or {}
    environment = Environment(dict(at))
    found: list[tuple[tuple[int, ...], dict[str, _Amount]]] = []
    for choice in product(*options.values()):
        vector = dict(zip(options, choice, strict=True))
        goal = pair.is_at({g: a.term for g, a in vector.items()})
        if not _none(pair.names, [*generic, goal]):
            found.append((tuple(evaluate(a.term, environment) for a in choice), vector))
    kept: dict[tuple[int, ...], dict[str, _Amount]] = {}
    for here, vector in found:
        if not any(_below(here, other) and here != other for other, _ in found):
            kept.setdefault(here, vector)
    terms = [{g: a.term for g, a in vector.items()} for vector in kept.values()]
    if not terms or not _none(pair.names, [*pair.facts, *(pair.above(t) for t in terms)]):
        return VectorReach((whole,), exact=False)
    vectors = tuple({g: a.count for g, a in vector.items()} for vector in kept.values())
    return VectorReach(vectors, exact=all(map(pair.attains, terms)))


def _generic(pair: _Pair) -> list[Term]:
    """Return the facts with groups much larger than what the constraints are about, if possible."""
    membership = pair.membership
    sizes = [membership.number(g) for g in membership.groups]
    total = integer(1)
    large: list[Term] = []
    for one in _base(membership):
        total = _plus(total, one.term)
        large.append(_at_least(one.term, integer(2 if one.term.op == "var" else 0)))
    four = Term("mul", (integer(4), total), INT)
    wanted = [*pair.facts, *large, *(_at_least(s, four) for s in sizes)]
    return pair.facts if _none(pair.names, wanted) else wanted


def _below(one: Sequence[int], other: Sequence[int]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def _none(names: Sequence[str], formulas: Sequence[Term]) -> bool:
    """Whether it is certain that no integers satisfy the formulas."""
    try:
        return numbers(names, formulas) is None
    except SolverGaveUpError:
        return False


def _plus(left: Term, right: Term) -> Term:
    return right if left == ZERO else Term("add", (left, right), INT)


def _twice(term: Term) -> Term:
    return Term("mul", (integer(2), term), INT)


def _least(left: Term, right: Term) -> Term:
    if left == right:
        return left
    return Term("ite", (Term("le", (left, right), BOOL), left, right), INT)


def _equal(left: Term, right: Term) -> Term:
    return Term("eq", (left, right), BOOL)


def _at_least(left: Term, right: Term) -> Term:
    return Term("ge", (left, right), BOOL)


def _no(term: Term) -> Term:
    return Term("not", (term,), BOOL)
