"""Blocks that integers of an edit name one by one, said of the block itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpcomp_sym.engine.together.find import TRUE
from dpcomp_sym.engine.together.trimming import Trimming, flat
from dpcomp_sym.statements import terms as s

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["of_one_block"]


def of_one_block(
    structure: Structure, free: int, facts: s.Predicate, when: s.Predicate, sizes: s.Sizes
) -> s.Predicate | None:
    """Return which blocks change, each for other integers; None where these say more than that.

    An integer that only facts speak of is left out, if there is one whatever the others are.

    Args:
        structure: the questions about the problem.
        free: how many integers there are.
        facts: what is known of them.
        when: which blocks change for these integers.
        sizes: how many blocks there are, by index.
    """
    if any(isinstance(x, s.LetterAt) for p in (facts, when) for x in s.subterms(p)):
        return None
    place_of: dict[int, int] = {}
    rest = []
    for one in flat(when):
        match one:
            case s.Compared("eq", s.Index(place), s.Letter(n)) if (
                n not in place_of and place not in place_of.values()
            ):
                place_of[n] = place
            case _:
                rest.append(one)
    if len(place_of) < len(sizes):
        return None
    left: Sequence[s.Predicate] | None = flat(facts)
    trim = Trimming(structure, free)
    for letter in {*range(1, free + 1)} - place_of.keys():
        if left is None or any(_speaks(one, letter) for one in rest):
            return None
        left = _without(trim, left, letter)
    if left is None:
        return None

    def of_block(x: s.KernelTerm) -> s.Whole | None:
        return s.Index(place_of[x.number]) if isinstance(x, s.Letter) else None

    said = s.Connected("and", tuple(s.rewritten(one, of_block) for one in (*left, *rest)))
    return trim.trimmed(said, TRUE, sizes)


def _without(
    trim: Trimming, facts: Sequence[s.Predicate], letter: int
) -> Sequence[s.Predicate] | None:
    """Return facts about other integers, of which it follows that there is such a one."""
    about = [one for one in facts if _speaks(one, letter)]
    others = [one for one in facts if one not in about]
    ends = (end for p in about for x in s.subterms(p) if isinstance(x, s.Compared)
            for end in (x.left, x.right) if not _speaks(end, letter))  # fmt: skip
    for value in dict.fromkeys(ends):

        def given(x: s.KernelTerm, value: s.Whole = value) -> s.Whole | None:
            return value if x == s.Letter(letter) else None

        if all(trim.follows(s.rewritten(one, given), others, ()) for one in about):
            return others
    return None if about else facts


def _speaks(x: s.KernelTerm, letter: int) -> bool:
    return any(one == s.Letter(letter) for one in (x, *s.subterms(x)))
