"""The profile of a composition: all joint vectors of distances, up to domination.

An edit that names its cells ("points") touches a block in a *type*: the set of points that the
block holds.  For every type the distance that the parts see is bounded (a proof each); then all
assignments of types to blocks are enumerated, the impossible ones excluded (a proof each), and
the maximal ones attained on concrete databases.

A frame can touch any number of cells.  There the number of changed blocks is bounded, by proof
for small numbers, by counting records where the class limits them, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dpcomp_sym.engine.facts import Facts
from dpcomp_sym.engine.freed import left_open, says_as_much, specialised
from dpcomp_sym.engine.profiler.search import Profiler
from dpcomp_sym.engine.ranges import divided
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Vacuous
from dpcomp_sym.model import Problem
from dpcomp_sym.profile import Case, KRange, Profile
from dpcomp_sym.terms import free_variables

__all__ = ["profile_of", "profile_with_facts", "rough_profile"]


def profile_with_facts(structure: Structure) -> tuple[Profile, Facts]:
    """Return the profile with the facts that it was made of.

    Where symbols have numbers it is never worse than what was found of all numbers of these.
    """
    found = _found(structure)
    if structure.freed is None or found[0].exact:
        return found
    numbers = {s: i.low for s in structure.problem.symbols
               if (i := structure.numbers(s)).low is not None and i.low == i.high}  # fmt: skip
    general, facts = _found(structure.freed)
    known = specialised(general, numbers)
    if says_as_much(found[0], known, numbers):
        return found
    narrower = (f for f in facts.narrower if _speak_of(f.ranges, numbers))
    return known, replace(
        _at(facts, general, numbers), narrower=tuple(_at(f, general, numbers) for f in narrower)
    )


def _speak_of(ranges: tuple[KRange, ...], numbers: Mapping[str, int]) -> bool:
    return Case(ranges, (), attained=False).speaks_of(numbers)


def _at(facts: Facts, general: Profile, numbers: Mapping[str, int]) -> Facts:
    """Return facts that were found of all numbers of some symbols as facts about a few of them."""
    never = tuple(
        replace(n, ranges=left_open(n.ranges, general, numbers))
        for n in facts.never
        if _speak_of(n.ranges, numbers)
    )
    return replace(facts, never=never, freed=True, ranges=left_open(facts.ranges, general, numbers))


def _found(structure: Structure, apart: Sequence[str] | None = None) -> tuple[Profile, Facts]:
    """Return what there is to find, small numbers of symbols set apart: of these, or of any."""
    whole = _undivided(structure, of_a_range=apart is not None)
    if apart is None:
        sizes = {size for info in whole[0].maps for _, size in info.indices}
        shown = {one.symbol for case in whole[0].cases for one in case.shown}
        # Numbers of others are looked at inside the ranges of those that were not shown for all.
        spoken = _spoken_of(structure.problem)
        apart = sorted(
            (s for s in structure.problem.symbols if s in spoken and s not in sizes),
            key=lambda s: s not in shown,
        )
    return divided(structure, whole, apart, _found, _bound)


def _spoken_of(problem: Problem) -> set[str]:
    """Return the names in formulas, and in what is known of the symbols among these.

    What is only declared changes nothing.
    """
    known = {*problem.symbols.values()}
    names = set[str]().union(*(free_variables(f) for f in problem.formulas() if f not in known))
    facts = (fact for name, fact in problem.symbols.items() if name in names)
    return names.union(*map(free_variables, facts))


def _bound(structure: Structure) -> Profile:
    """Return what bounds a range of numbers, whether or not it is attained."""
    return Profiler(structure, attaining=False).profile()


def rough_profile(structure: Structure) -> tuple[Profile, Facts]:
    """Return a profile for which few questions are asked: as if all blocks changed together."""
    return _undivided(structure, of_a_range=False, rough=True)


def _undivided(
    structure: Structure, *, of_a_range: bool, rough: bool = False
) -> tuple[Profile, Facts]:
    profiler = Profiler(structure, rough=rough)
    # That nothing happens for some numbers only is shown like anything else that does not happen.
    vacuous = isinstance(structure.vacuity, Vacuous) and not of_a_range
    profile = profiler.nothing() if vacuous else profiler.profile()
    together = tuple(profiler.together.values())
    never = tuple(profiler.never())
    return profile, Facts(
        tuple(profiler.facts), never, together, tuple(profiler.shared),
        tuple(profiler.mixed), patterns=profiler.patterns,
    )  # fmt: skip


def profile_of(structure: Structure) -> Profile:
    """Return the profile of a problem's composition.

    Everything in it is proved as an upper bound; ``exact`` says that every vector of every case
    was also attained.
    """
    return profile_with_facts(structure)[0]
