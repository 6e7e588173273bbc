"""Whether the blocks that one edit changes together are some of those that another edit does.

Two steps change what one does and more: one way to differ says it of both, and is shorter.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dpcomp_sym.algebra.means import with_letters
from dpcomp_sym.engine.together import Structured
from dpcomp_sym.engine.together.trimming import Trimming
from dpcomp_sym.model import BoundMap
from dpcomp_sym.terms import Term

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["within"]

MOST_TRIED: Final = 16


def within(
    structure: Structure, small: Structured, big: Structured, maps: Mapping[str, BoundMap]
) -> Structured | None:
    """Return which blocks an edit changes together, in the words of another one, if that holds.

    Each integer of ``big`` is one of ``small``; then all that has a condition of this has that of
    the other one, for which facts about the integers hold, too.
    """
    if small.conditions.keys() != big.conditions.keys():
        return None
    if small.spans or big.spans or small.held or big.held or small.times != big.times:
        return None
    ways = [x for x in (small, small.before) if x is not None]
    found = (_in_words(structure, one, big, maps) for one in ways)
    return next((replace(small, terms=terms, facts=big.facts, conditions=big.conditions)
                 for terms in found if terms is not None), None)  # fmt: skip


def _in_words(
    structure: Structure, small: Structured, big: Structured, maps: Mapping[str, BoundMap]
) -> tuple[Term, ...] | None:
    """Return which integers of one edit are those of another one, in the order of the other's."""
    trim = Trimming(structure, len(small.terms))
    choices = itertools.product(range(1, len(small.terms) + 1), repeat=len(big.terms))
    for chosen in itertools.islice(choices, MOST_TRIED):
        facts = with_letters(big.facts, chosen)
        if trim.follows(facts, [small.facts], ()) and all(
            trim.follows(
                with_letters(big.conditions[name], chosen),
                [small.facts, condition],
                maps[name].sizes,
            )
            for name, condition in small.conditions.items()
        ):
            return tuple(small.terms[n - 1] for n in chosen)
    return None
