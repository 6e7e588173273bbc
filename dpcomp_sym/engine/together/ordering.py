"""Integers of two records, of which it does not matter which one is whose: the least comes first.

Where a record moves from t to u, the blocks between the two change, and so they do where it moves
from u to t.  Said of the least of the two and of the largest, that is one case and not two.  And
where no block is lost with the largest value that the second may have, it is no integer any more.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from dpcomp_sym.engine.together.find import TRUE
from dpcomp_sym.engine.together.trimming import Trimming, flat
from dpcomp_sym.statements import terms as s
from dpcomp_sym.terms import BOOL, INT, Term

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["Ordered", "in_order", "length", "without_last"]

MOST_COMPARED: Final = 18
"""Longer conditions, as of many blocks that are written out, are left as they are."""
Conditions = Mapping[str, tuple[s.Predicate, s.Sizes]]
Ordered = tuple[tuple[Term, ...], s.Predicate, dict[str, s.Predicate]]
"""Integers of an edit, facts about them, and conditions of the blocks of some maps."""


def in_order(
    structure: Structure, terms: tuple[Term, ...], facts: s.Predicate, conditions: Conditions
) -> Ordered | None:
    """Return conditions in the least and the largest of two integers.

    None where facts or conditions do not say the same of the two the other way round.
    """
    said = (facts, *(p for p, _ in conditions.values()))
    if len(terms) != 2 or length(*said) > MOST_COMPARED:
        return None
    if any(isinstance(x, s.LetterAt) for p in said for x in s.subterms(p)):
        return None
    trim = Trimming(structure, 2)
    if not trim.follows(_exchanged(facts), [facts], ()) or not all(
        trim.follows(_exchanged(p), [facts, p], sizes) for p, sizes in conditions.values()
    ):
        return None
    apart = trim.follows(s.Compared("ne", s.Letter(1), s.Letter(2)), [facts], ())
    order = s.Compared("lt" if apart else "le", s.Letter(1), s.Letter(2))
    inside = flat(trim.trimmed(facts, order, ()))
    known = trim.trimmed(s.Connected("and", (*inside, order)), TRUE, ())
    found = {n: trim.trimmed(p, known, sizes) for n, (p, sizes) in conditions.items()}
    one, other = terms
    first = Term("le", (one, other), BOOL)
    ends = (Term("ite", (first, one, other), INT), Term("ite", (first, other, one), INT))
    return ends, known, found


def without_last(
    structure: Structure, terms: tuple[Term, ...], facts: s.Predicate, conditions: Conditions
) -> tuple[s.Whole, Ordered] | None:
    """Return conditions without the last integer, and the value of it that is always the best one.

    Whatever it is, all blocks that have a condition have it for this value, too, of which the facts
    hold.
    """
    number = len(terms)
    trim = Trimming(structure, number)
    for value in _largest(facts, number):
        here = _put(facts, number, value)
        # What speaks of no integer holds whatever the numbers of symbols are.
        if not trim.follows(here, [facts] if number > 1 else (), ()):
            continue
        found = {n: _tidy(_put(p, number, value)) for n, (p, _) in conditions.items()}
        if all(trim.follows(found[n], [facts, p], sizes) for n, (p, sizes) in conditions.items()):
            left = Trimming(structure, number - 1)
            known = left.trimmed(here, TRUE, ())
            best = {n: left.trimmed(found[n], known, sizes) for n, (_, sizes) in conditions.items()}
            # With this value all that is left over does change.
            given = [known, s.Compared("eq", s.Letter(number), value)]
            if trim.follows(facts, given, ()) and all(
                trim.follows(p, [*given, best[n]], sizes) for n, (p, sizes) in conditions.items()
            ):
                return value, (terms[:-1], known, best)
    return None


def _exchanged(p: s.Predicate) -> s.Predicate:
    """Return a condition with the two integers the other way round."""
    return s.rewritten(p, lambda x: s.Letter(3 - x.number) if isinstance(x, s.Letter) else None)


def length(*said: s.Predicate) -> int:
    """Return how many comparisons there are in some conditions."""
    return sum(isinstance(x, s.Compared) for p in said for x in s.subterms(p))


def _largest(facts: s.Predicate, number: int) -> Iterator[s.Whole]:
    """Yield values in the other integers that facts say an integer has, or does not exceed."""
    letter = s.Letter(number)
    for fact in flat(facts):
        match fact:
            case s.Compared("eq" | "le", one, other) if one == letter:
                value = other
            case s.Compared("eq", other, one) if one == letter:
                value = other
            case s.Compared("lt", one, other) if one == letter:
                value = _sum([other, s.Integer(-1)])
            case s.Compared("le", s.Combined("add", (one, s.Integer(n))), other) if one == letter:
                value = _sum([other, s.Integer(-n)])
            case _:
                continue
        if letter not in s.subterms(value):
            yield value


def _put(p: s.Predicate, number: int, value: s.Whole) -> s.Predicate:
    """Return a condition for one value of the integer with a number."""
    return s.rewritten(p, lambda x: value if x == s.Letter(number) else None)


def _tidy(p: s.Predicate) -> s.Predicate:
    """Return the same with numbers added up, and with an equation where one value is left."""
    match p:
        case s.Connected("and", items):
            found = [y for x in items for y in flat(_tidy(x))]
            for low, high in itertools.permutations(list(found), 2):
                same = {(x, a) for a, x in _ends(low)} & {*_ends(high)}
                if same and low in found and high in found:
                    value, end = min(same, key=lambda pair: len(pair[1].text()))
                    found[found.index(low)] = s.Compared("eq", value, end)
                    found.remove(high)
            return found[0] if len(found) == 1 else s.Connected("and", tuple(found))
        case s.Connected(word, items):
            return s.Connected(word, tuple(map(_tidy, items)))
        case s.Compared(word, left, right):
            left, right = _sum([left]), _sum([right])
            if word == "lt" and isinstance(right, s.Combined) and s.Integer(1) in right.items:
                return s.Compared("le", left, _sum([right, s.Integer(-1)]))
            return s.Compared(word, left, right)
        case _:
            return p


def _ends(p: s.Predicate) -> Sequence[tuple[s.Whole, s.Whole]]:
    """Return the two sides of a comparison as a <= b, in the ways to say it."""
    match p:
        case s.Compared("le", left, right):
            return [(left, right)]
        case s.Compared("lt", left, right):
            return [(_sum([left, s.Integer(1)]), right), (left, _sum([right, s.Integer(-1)]))]
        case _:
            return []


def _sum(items: Iterable[s.Whole]) -> s.Whole:
    """Return a sum with its numbers added up, after the rest."""
    total, rest, left = 0, list[s.Whole](), list(items)
    while left:
        match left.pop(0):
            case s.Combined("add", inner):
                left = [*inner, *left]
            case s.Combined("neg", (s.Combined("add", inner),)):
                left = [*(s.Combined("neg", (x,)) for x in inner), *left]
            case s.Combined("neg", (s.Combined("neg", (inner,)),)):
                left = [inner, *left]
            case s.Combined("neg", (s.Integer(value),)):
                total -= value
            case s.Integer(value):
                total += value
            case other:
                rest.append(other)
    rest += [s.Integer(total)] if total or not rest else []
    return rest[0] if len(rest) == 1 else s.Combined("add", tuple(rest))
