"""Conditions on integers of an edit and on blocks, said in fewer words.

What comes of it says the same wherever it is asked for, which the solver shows for each step.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.find import TRUE
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.statements import terms as s
from dpcomp_sym.statements.integers import Values
from dpcomp_sym.terms import INT

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Trimming", "different", "flat"]


@dataclass(frozen=True)
class Trimming:
    """Leaves out of conditions what follows from the rest, from facts and from the range."""

    structure: Structure
    free: int

    def trimmed(self, p: s.Predicate, facts: s.Predicate, sizes: s.Sizes) -> s.Predicate:
        """Return a condition that says the same, where facts hold, of blocks of these sizes."""
        match p:
            case s.Connected("and", items):
                kept = [x for i in items for x in flat(self.trimmed(i, facts, sizes))]
                for one in list(kept):
                    others = list(kept)
                    others.remove(one)
                    if self.follows(one, [facts, *others], sizes):
                        kept = others
                return kept[0] if len(kept) == 1 else s.Connected("and", tuple(kept))
            case s.Connected("or", items):
                if self.follows(p, [facts], sizes):
                    return TRUE
                cases = [self.trimmed(i, facts, sizes) for i in items]
                for one in list(cases):
                    rest = list(cases)
                    rest.remove(one)
                    if rest and self.follows(s.Connected("or", tuple(rest)), [facts, one], sizes):
                        cases = rest
                cases = self.merged(cases, facts, sizes)
                return cases[0] if len(cases) == 1 else s.Connected("or", tuple(cases))
            case _:
                return TRUE if self.follows(p, [facts], sizes) else p

    def merged(
        self, cases: Sequence[s.Predicate], facts: s.Predicate, sizes: s.Sizes
    ) -> list[s.Predicate]:
        """Return cases, of which two are one if nothing lies between them: 1 <= i or i <= 0."""
        left = _with_differences(cases)
        points: dict[s.Predicate, Values | None] = {}
        apart: set[tuple[s.Predicate, s.Predicate]] = set()

        def joined() -> bool:
            for one in left:
                if one not in points:
                    points[one] = self.point([facts, one], sizes)
            for pair in itertools.combinations(left, 2):
                if pair in apart:
                    continue
                apart.add(pair)
                if _between(pair, facts, [points[one] for one in pair]):
                    continue
                every = dict.fromkeys(c for one in pair for x in flat(one) for c in _sides(x))
                both = [c for c in every if all(self.follows(c, [facts, x], sizes) for x in pair)]
                whole = s.Connected("and", tuple(_in_chains(_equations(both))))
                if both and self.follows(s.Connected("or", pair), [facts, whole], sizes):
                    left[left.index(pair[0])] = self.trimmed(whole, facts, sizes)
                    left.remove(pair[1])
                    return True
            return False

        while joined():
            pass
        return left

    def apart(
        self,
        facts: s.Predicate,
        conditions: Mapping[str, s.Predicate],
        pairs: Sequence[tuple[int, int]],
    ) -> s.Predicate | None:
        """Return facts that say of some pairs of integers that one pair differs, if it may so."""
        narrow = different(facts, pairs)
        moved = dict.fromkeys([*((b,) for _, b in pairs), tuple(b for _, b in pairs)])
        found = any(self.enough(narrow, facts, conditions, numbers) for numbers in moved)
        return narrow if found else None

    def without_integer(
        self, facts: s.Predicate, conditions: Mapping[str, tuple[s.Predicate, s.Sizes]]
    ) -> dict[str, s.Predicate] | None:
        """Return conditions that do not mention the only integer, where its least value is best.

        All blocks that have a condition for some value have it for that one, which has the facts.
        """
        for value in _least(facts) if self.free == 1 else ():
            at = {n: _put(p, value) for n, (p, _) in conditions.items()}
            if self.follows(_put(facts, value), (), ()) and all(
                self.follows(at[n], [facts, p], sizes) for n, (p, sizes) in conditions.items()
            ):
                return {n: self.trimmed(at[n], TRUE, s) for n, (_, s) in conditions.items()}
        return None

    def enough(
        self,
        narrow: s.Predicate,
        facts: s.Predicate,
        conditions: Mapping[str, s.Predicate],
        numbers: Collection[int],
    ) -> bool:
        """Prove that integers can be taken apart: no block is lost when some of them are moved.

        Wherever the facts hold and the narrow ones do not, all blocks with a condition have it for
        the integers with these numbers plus 1, or minus 1, too, and there the narrow facts hold.
        """
        given = [facts, s.Connected("not", (narrow,))]

        def keeps(by: int, when: s.Predicate) -> bool:
            return all(
                self.follows(_moved(p, numbers, by), [*given, when, p], _sizes(p))
                for p in conditions.values()
            )

        def found(by: int) -> bool:
            """Move them one way where the narrow facts hold then, and the other way elsewhere."""
            one, other = (_moved(narrow, numbers, way) for way in (by, -by))
            return (
                self.follows(s.Connected("or", (one, other)), given, ())
                and keeps(by, one)
                and keeps(-by, s.Connected("not", (one,)))
            )

        return found(1) or found(-1)

    def clamped(
        self,
        more: s.Predicate,
        facts: s.Predicate,
        conditions: Mapping[str, tuple[s.Predicate, s.Sizes]],
    ) -> s.Predicate | None:
        """Return facts that say more of some integers, if no block is lost by it.

        Where these are not so, all blocks with a condition have it for the least integers of which
        they are, too.
        """
        narrow = s.Connected("and", (*flat(facts), *flat(more)))
        numbers = sorted({x.number for x in s.subterms(more) if isinstance(x, s.Letter)})
        least = [next(_least(more, n), None) for n in numbers]

        def moved(p: s.Predicate) -> s.Predicate:
            for n, value in zip(numbers, least, strict=True):
                p = p if value is None else _put(p, value, n)
            return p

        given = [facts, s.Connected("not", (more,))]
        found = self.follows(moved(narrow), given, ()) and all(
            self.follows(moved(p), [*given, p], sizes) for p, sizes in conditions.values()
        )
        return narrow if found else None

    def follows(self, p: s.Predicate, given: Sequence[s.Predicate], sizes: s.Sizes) -> bool:
        """Return whether a condition follows from others, and from the range of blocks."""
        query, asked = self._asked(given, sizes)
        query.add(logic.Not(asked.holds(p)))
        return bool(query.check() == logic.unsat)

    def point(self, given: Sequence[s.Predicate], sizes: s.Sizes) -> Values | None:
        """Return integers, and a block, with some conditions; None if none are found."""
        query, asked = self._asked(given, sizes)
        if query.check() != logic.sat:
            return None
        model = query.model()
        return Values(
            {n: logic.integer_of(model, x) for n, x in query.symbols.items()},
            tuple(logic.integer_of(model, x) for x in asked.letters),
            tuple(logic.integer_of(model, x) for x in asked.indices),
        )

    def _asked(self, given: Sequence[s.Predicate], sizes: s.Sizes) -> tuple[Query, SolverNames]:
        """Return a question about integers of the edit and a block of which conditions hold."""
        query = Query(self.structure.signature, self.structure.problem.symbols)
        letters = [query.fresh(INT, "p") for _ in range(self.free)]
        block = [query.fresh(INT, "i") for _ in sizes]
        for here, size in zip(block, sizes, strict=True):
            if size == "":
                continue
            top = query.symbols[size] if isinstance(size, str) else logic.IntVal(size)
            query.add(here >= 1, here <= top)
        asked = SolverNames(query.symbols, letters, block)
        query.add(*map(asked.holds, given))
        return query, asked


def _with_differences(cases: Sequence[s.Predicate]) -> list[s.Predicate]:
    """Return cases, of which two are one if they say a < b and b < a, and are else the same."""
    left = list(cases)
    for one, other in itertools.permutations(cases, 2):
        if one not in left or other not in left:
            continue
        rest = [x for x in flat(one) if x not in flat(other)]
        back = [x for x in flat(other) if x not in flat(one)]
        match rest, back:
            case [s.Compared("lt", a, b)], [s.Compared("lt", c, d)] if (a, b) == (d, c):
                a, b = sorted((a, b), key=lambda x: not _speaks_of_block(x))
                items = [s.Compared("ne", a, b) if x == rest[0] else x for x in flat(one)]
                whole = items[0] if len(items) == 1 else s.Connected("and", tuple(items))
                left[left.index(one)] = whole
                left.remove(other)
            case _:
                pass
    return left


def _speaks_of_block(x: s.Whole) -> bool:
    return any(isinstance(one, s.Index) for one in (x, *s.subterms(x)))


def _in_chains(items: Iterable[s.Predicate]) -> Iterator[s.Predicate]:
    """Yield conditions such that b <= c follows a <= b, which reads as a <= b <= c."""
    left = list(items)
    while left:
        ends = [x.right for x in left if isinstance(x, s.Compared)]
        here = next((x for x in left if isinstance(x, s.Compared) and x.left not in ends), left[0])
        while here in left:
            left.remove(here)
            yield here
            end = here.right if isinstance(here, s.Compared) else None
            here = next((x for x in left if isinstance(x, s.Compared) and x.left == end), here)


def _between(
    pair: Sequence[s.Predicate], facts: s.Predicate, ends: Sequence[Values | None]
) -> bool:
    """Return whether something is seen to lie between two cases: one case would say too much.

    Tried is what is between one point of each, for the same numbers of symbols.
    """
    a, b = ends
    if a is None or b is None:
        return False
    try:
        for symbols in (a.symbols, b.symbols):
            one, other = (replace(x, symbols=symbols) for x in (a, b))
            if one.hold(pair[0]) and other.hold(pair[1]) and one.hold(facts) and other.hold(facts):
                return _points_between(pair, facts, one, other)
    except s.KernelError:  # a number that is too large to be computed
        pass
    return False


def _points_between(
    pair: Sequence[s.Predicate], facts: s.Predicate, a: Values, b: Values
) -> bool:  # fmt: skip
    """Return whether a point in the middle, or one with an integer of the other, is in no case."""
    one, other = a.letters + a.indices, b.letters + b.indices
    tried = [tuple((x + y) // 2 for x, y in zip(one, other, strict=True))]
    for n in range(len(one)):
        tried += [(*x[:n], y[n], *x[n + 1 :]) for x, y in ((one, other), (other, one))]
    free = len(a.letters)
    sides = [c for p in pair for x in flat(p) for c in _sides(x) if a.hold(c) and b.hold(c)]
    points = [replace(a, letters=x[:free], indices=x[free:]) for x in tried]
    return any(
        not any(map(x.hold, pair)) and x.hold(facts) and all(map(x.hold, sides)) for x in points
    )


def _sides(p: s.Predicate) -> Sequence[s.Predicate]:
    """Return an equation as two inequalities, and anything else as it is."""
    match p:
        case s.Compared("eq", left, right):
            return s.Compared("le", left, right), s.Compared("le", right, left)
        case _:
            return (p,)


def _equations(ps: Sequence[s.Predicate]) -> Iterator[s.Predicate]:
    """Yield conditions, with an equation for two inequalities that say it."""
    for p in ps:
        match p:
            case s.Compared("le", left, right) if s.Compared("le", right, left) in ps:
                if ps.index(p) < ps.index(s.Compared("le", right, left)):
                    yield s.Compared("eq", left, right)
            case _:
                yield p


def _moved(p: s.Predicate, which: Collection[int], by: int) -> s.Predicate:
    """Return a condition for the integers with some numbers plus another one."""

    def change(x: s.KernelTerm) -> s.Whole | None:
        if isinstance(x, s.Letter) and x.number in which:
            return s.Combined("add", (x, s.Integer(by)))
        return None

    return s.rewritten(p, change)


def _least(facts: s.Predicate, number: int = 1) -> Iterator[s.Whole]:
    """Yield the least values that facts say an integer has."""
    for fact in flat(facts):
        match fact:
            case s.Compared("le", s.Integer() as low, s.Letter(n)) if n == number:
                yield low
            case s.Compared("lt", s.Integer(low), s.Letter(n)) if n == number:
                yield s.Integer(low + 1)
            case _:
                pass


def _put(p: s.Predicate, value: s.Whole, number: int = 1) -> s.Predicate:
    """Return a condition for one value of an integer."""
    return s.rewritten(p, lambda x: value if x == s.Letter(number) else None)


def _sizes(p: s.Predicate) -> s.Sizes:
    """Return as many sizes as a condition names indices: any block, whatever its number."""
    return ("",) * max((x.number for x in s.subterms(p) if isinstance(x, s.Index)), default=0)


def different(facts: s.Predicate, pairs: Sequence[tuple[int, int]]) -> s.Predicate:
    """Return facts that say besides of some pairs of integers that one pair differs."""
    each = [s.Compared("ne", s.Letter(a), s.Letter(b)) for a, b in pairs]
    other = each[0] if len(each) == 1 else s.Connected("or", tuple(each))
    return s.Connected("and", (*flat(facts), other))


def flat(p: s.Predicate) -> Sequence[s.Predicate]:
    """Return the conditions that all hold where a condition does."""
    return p.items if isinstance(p, s.Connected) and p.word == "and" else (p,)
