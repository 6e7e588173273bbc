"""Which blocks change together: where the number of a block means a time, a place or a node.

:mod:`integers` solves conditions for an integer, :mod:`find` makes conditions of edits and maps,
:mod:`attain` shows that all blocks with a condition do change at once; here it is put together.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dpcomp_sym.engine.integers import TooManyError
from dpcomp_sym.engine.quotients import WHOLE
from dpcomp_sym.engine.records import in_solver, records_by_keys
from dpcomp_sym.engine.together.asking import SolverNames
from dpcomp_sym.engine.together.attain import (
    Placement,
    any_choice,
    any_of_each,
    attained,
    block_filled,
    cells_filled,
    everything,
    filled,
    in_one_record,
    one_of_each,
    records_filled,
    some_block,
)
from dpcomp_sym.engine.together.find import (
    TRUE,
    ChangeCondition,
    Finder,
    function_of,
    index_variable,
    label_of,
    truth_of,
)
from dpcomp_sym.engine.together.frame_placing import FramePlacing, only_mirror
from dpcomp_sym.engine.together.kinds import Held, Kinds, OnePlace, kinds_of, one_place
from dpcomp_sym.engine.together.naming import named_records, names_of_records
from dpcomp_sym.engine.together.ordering import in_order, length, without_last
from dpcomp_sym.engine.together.placing import in_range
from dpcomp_sym.engine.together.record_placing import PilePlacing, ScatteredPlacing
from dpcomp_sym.engine.together.spans import only_one_value, span, steps_of_one_value
from dpcomp_sym.engine.together.trimming import Trimming, different, flat
from dpcomp_sym.engine.worst import PlacedCells, PlacedPair
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.profile import Number
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.statements import terms as s
from dpcomp_sym.statements.places import arguments
from dpcomp_sym.terms import (
    CELL,
    INT,
    Term,
    reads_database,
    substitute,
    subterms,
    variable,
)
from dpcomp_sym.terms import TRUE as TRUE_TERM
from dpcomp_sym.terms.data import to_data_text

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = [
    "Structured",
    "any_few",
    "in_one_place",
    "integers_of_a_record",
    "of_few_records",
    "of_several_records",
    "records_anywhere",
    "together",
]

MOST_CHOSEN = 3
MOST_RECORDS = 4
"""Places of more records are not told apart."""


@dataclass(frozen=True)
class Structured:
    """Which blocks one edit changes together.

    ``terms`` are integers of the edit, in the words of the edit; they have ``facts``, and each
    block of a map that changes has the map's condition.  ``attained``: for all integers with the
    facts one pair of neighbours changes all blocks that have it, in all maps.
    """

    terms: tuple[Term, ...]
    facts: s.Predicate
    conditions: Mapping[str, s.Predicate]
    attained: bool
    spans: Mapping[tuple[str, str], s.Whole] = field(default_factory=dict)
    """By map and part: a distance at which the part sees a block of the map that changes."""
    any_choice: int = 0
    """Of how many blocks of the only map any choice changes together; more are not tried."""
    everything: bool = False
    """Whether all blocks of all maps have their conditions, for some integers with the facts.

    Where they are told apart by the records that they hold, whether they hold all of these.

    It is asked where that is attained, and of edits that name their records.
    """
    full: Mapping[tuple[str, str], Number] = field(default_factory=dict)
    """By map and part: how many records with each value of an attribute come or go at once."""
    worst: PlacedPair | None = None
    """The neighbours that change all of it, where it is attained."""
    held: Mapping[str, Mapping[Held, s.Predicate]] = field(default_factory=dict)
    """By map and records, numbered from 1: a condition of blocks that hold these and no other."""
    alike: OnePlace | None = None
    """What changes if all records are where one of them is, where blocks are told apart by them."""
    times: Number = 1
    """How often the integers can be chosen: a block changes that has its condition for one choice.
    """
    by_records: bool = False
    """Whether the integers are those of any one record that the edit changes."""
    before: Structured | None = None
    """The same in the integers of single records, where these are put in order."""

    @property
    def names_blocks(self) -> bool:
        """Whether it matters which number a block has."""
        return any(
            isinstance(x, s.Index | s.LetterAt)
            for p in self.conditions.values() for x in s.subterms(p)
        )  # fmt: skip

    @property
    def distinguishes(self) -> bool:
        """Whether some block does not change with the others, whatever the edit and the symbols."""
        return self.names_blocks or any(p != TRUE for p in self.conditions.values())

    def when(self, name: str) -> tuple[int, s.Predicate, s.Predicate] | None:
        """Return which blocks of a map change, as profiles say it; None if that is not known."""
        known = self.conditions.get(name)
        return None if known is None else (len(self.terms), self.facts, known)

    @property
    def written(self) -> tuple[str, ...]:
        """The integers of the edit as plain data."""
        return tuple(map(to_data_text, self.terms))


def together(
    structure: Structure,
    edit: BoundEdit,
    maps: Sequence[BoundMap],
    far: Sequence[BoundPart] = (),
    types: Mapping[str, Collection[frozenset[int]]] | None = None,
) -> Structured | None:
    """Return which blocks of some maps an edit changes together, found once; None if unknown.

    ``far`` are parts that see a block of a frame from farther than 1; ``types`` are the records,
    from 0 on, that blocks of each map may hold that change, where these are told apart by them.
    """
    names = tuple(m.name for m in maps), tuple(p.name for p in far)

    def find() -> Structured | None:
        return _together(structure, edit, maps, far, types)

    return structure.once("together", edit, *names, types is not None, find=find)


def _together(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], far: Sequence[BoundPart],
    types: Mapping[str, Collection[frozenset[int]]] | None,
) -> Structured | None:  # fmt: skip
    try:
        finder, found = _found(structure, edit, maps, whole=False)
        whole = _by_integers(finder, found, maps, far, types)
        if not whole.attained and any(x.op == "mod" for x in finder.letters):
            finder, found = _found(structure, edit, maps)
            whole = _by_integers(finder, found, maps, far, types)
    except TooManyError:
        return None
    if not whole.attained and edit.frame is None and _say_labels(maps):
        with suppress(TooManyError):
            finder, found = _found(structure, edit, maps, truths=True)
            told = _by_integers(finder, found, maps, far, types)
            whole = told if told.attained else whole
    if whole.attained and edit.frame is None and not (whole.spans or whole.full or whole.held):
        whole = _in_order(structure, edit, whole, maps)
    more = whole.everything or whole.worst or whole.spans or whole.full or whole.held
    return whole if more or not whole.attained else _at_the_least(structure, whole, maps)


def _in_order(
    structure: Structure, edit: BoundEdit, found: Structured, maps: Sequence[BoundMap]
) -> Structured:  # fmt: skip
    """Return the same by the least and the largest of two integers, where that is shorter.

    What attains it attains it still: for any two integers the neighbours are those with these in
    this order.
    """
    sizes = {m.name: m.sizes for m in maps}

    def sized(conditions: Mapping[str, s.Predicate]) -> dict[str, tuple[s.Predicate, s.Sizes]]:
        return {n: (p, sizes[n]) for n, p in conditions.items()}

    ordered = in_order(structure, found.terms, found.facts, sized(found.conditions))
    if ordered is None:
        return found
    terms, facts, conditions = ordered
    worst = found.worst and replace(found.worst, facts=facts)
    while terms and (best := without_last(structure, terms, facts, sized(conditions))):
        last = s.Compared("eq", s.Letter(len(terms)), best[0])
        worst = worst and replace(worst, facts=s.Connected("and", (*flat(worst.facts), last)))
        terms, facts, conditions = best[1]
    before, after = (
        length(found.facts, *found.conditions.values()),
        length(facts, *conditions.values()),
    )
    if after > before or (after == before and len(terms) == len(found.terms)):
        return found
    said = Structured(
        terms, facts, conditions, found.attained, any_choice=found.any_choice,
        everything=found.everything, worst=worst, before=found,
    )  # fmt: skip
    return said if all(_is_so(structure, edit, said, m) for m in maps) else found


def _is_so(structure: Structure, edit: BoundEdit, said: Structured, mapping: BoundMap) -> bool:
    """Prove that the integers have their facts, and a block that changes its condition."""
    pair = structure.pair(edit)
    block = pair.index(mapping)
    pair.view(mapping, block).changed()
    letters = [pair.query.read(x, pair.params) for x in said.terms]
    asked = SolverNames(pair.query.symbols, letters, block)
    whole = s.Connected("and", (said.facts, said.conditions[mapping.name]))
    pair.query.add(logic.Not(asked.holds(whole)))
    return structure.unsat(pair.query)


def _say_labels(maps: Sequence[BoundMap]) -> bool:
    """Return whether maps ask records for truth values, or for listed ones."""
    cell = {"c": variable("record", CELL)}
    asked = (x for m in maps for x in subterms(substitute(m.member, cell)))
    return any(label_of(x) is not None for x in asked)


def of_few_records(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap]
) -> Structured | None:
    """Return which blocks a frame's edit changes, said of the places of the records that change.

    None where these may be many, or where not all blocks change that lie there.
    """

    def find() -> Structured | None:
        if reads_database(edit.guard, edit.frame or TRUE_TERM, edit.step):
            return None
        most = records_by_keys(structure, edit, WHOLE, one_block=False)
        if not isinstance(most, int) or not 1 <= most <= MOST_RECORDS:
            return None
        for truths in (False, True) if _say_labels(maps) else (False,):
            try:
                named, names = named_records(edit, most), names_of_records(most)
                finder, found = _found(structure, named, maps, names, truths=truths)
            except TooManyError:
                return None
            said = _by_integers(finder, found, maps, (), None)
            if said.attained:
                return said
        return None

    return structure.once("few records", edit, *(m.name for m in maps), find=find)


def in_one_place(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], number: Number
) -> Structured | None:
    """Return which blocks hold one of the records that a frame's edit changes, by its integers.

    ``attained``: so many of them change at once in one place, whichever it is.  ``everything``: in
    some place all blocks hold these.
    """

    def find() -> Structured | None:
        known = _of_one_record(structure, edit, maps, images=True)
        if known is None:
            return None
        finder, found, said = known
        if _reads_databases(structure, maps) or finder.functions_of:
            return replace(said, attained=False)
        pile = PilePlacing(structure, finder, [(m, found[m.name]) for m in maps], said.facts)
        pile.number, pile.of = number, edit
        if not pile.holds():
            return replace(said, attained=False)
        conditions = [(m, found[m.name]) for m in maps]
        if len(maps) == 1 and any_choice(structure, finder, *conditions[0], said.facts, 1):
            said = replace(said, any_choice=1)
        if everything(structure, finder, said.facts, conditions):
            return replace(said, everything=True)
        return _at_the_least(structure, said, maps)

    return structure.once("in one place", edit, number, *(m.name for m in maps), find=find)


def of_several_records(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], number: Number
) -> Structured | None:
    """Return which blocks hold a record of a frame's edit, of which it changes so many at most.

    ``attained``: all blocks change that hold one of so many records, wherever these are.
    """

    def find() -> Structured | None:
        known = _of_one_record(structure, edit, maps, apart=True)
        if known is None or not known[2].terms:
            return None
        finder, found, said = known
        conditions = [(m, found[m.name]) for m in maps]
        if any(_of_all_indices(p, m) for m, p in zip(maps, said.conditions.values(), strict=True)):
            return None  # one choice is as many as there are
        if _reads_databases(structure, maps) or finder.functions_of:
            return replace(said, times=number, by_records=True, attained=False)
        scattered = ScatteredPlacing(structure, finder, conditions, said.facts)
        scattered.number, scattered.of = number, edit
        return replace(said, times=number, by_records=True, attained=scattered.holds())

    return structure.once("several records", edit, number, *(m.name for m in maps), find=find)


def records_anywhere(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], number: Number,
    among: s.Predicate = TRUE, *, distinct: bool = False, slices: tuple[Term, ...] = (),
) -> bool:  # fmt: skip
    """Prove that a frame's edit changes so many records at once, one each, in whichever blocks.

    These are blocks with a condition, if there is one map; of several, whichever of each.  Several
    records may be in one block, but for ``distinct`` ones, and no others change, if a record lies
    in one block only.  With ``slices``, terms of a record, there are so many for each choice of
    their values.
    """

    def find() -> bool:
        known = _of_one_record(structure, edit, maps, apart=True, images=True)
        if known is None or not known[2].terms:
            return False
        finder, found, said = known
        if _reads_databases(structure, maps) or finder.functions_of:
            return False
        if distinct and said.facts != TRUE:
            return False  # there may be fewer integers than records
        labels = finder.facts_of_labels(maps)
        facts = (
            said.facts if labels == TRUE else s.Connected("and", (*flat(said.facts), *flat(labels)))
        )
        if len(maps) > 1:
            each = {m.name: (said.conditions[m.name], m.sizes) for m in maps}
            place = any_of_each(structure, len(said.terms), facts, each) == each.keys()
        else:
            (mapping,) = maps
            place = among == TRUE and bool(
                any_choice(structure, finder, mapping, found[mapping.name], facts, 1)
            )
            told = replace(said, facts=facts)
            place = place or _each_has_a_place(structure, told, mapping, among)
        if not place:
            return False
        conditions = [(m, found[m.name]) for m in maps]
        scattered = ScatteredPlacing(structure, finder, conditions, facts)
        scattered.number, scattered.of = number, edit
        # By slices it is asked where the records are: equal choices are one record.
        scattered.alike, scattered.scattering = not (distinct or slices), distinct
        scattered.slices = slices
        return scattered.holds()

    names = (m.name for m in maps)
    what = (edit, number, *names, among, distinct, slices)
    return structure.once("records anywhere", *what, find=find)


def _each_has_a_place(
    structure: Structure, said: Structured, mapping: BoundMap, among: s.Predicate
) -> bool:
    """Prove that there are integers for each block: its indices are these, and the facts hold."""
    condition = said.conditions[mapping.name]
    every: Sequence[s.Predicate] = (condition,)
    if isinstance(condition, s.Connected) and condition.word == "and":
        every = condition.items
    places: dict[int, int] = {}
    for one in every:
        match one:
            case s.Compared("eq", s.Index(index), s.Letter(letter)) if letter not in places:
                places[letter] = index
            case _:
                return False
    if sorted(places) != list(range(1, len(said.terms) + 1)):
        return False
    if len(set(places.values())) < len(places):
        return False
    query = structure.pair(structure.edits[0]).query.beside()
    for fact in structure.problem.symbols.values():
        query.add(query.read(fact))
    block = [query.fresh(INT, "i") for _ in mapping.indices]
    query.add(*in_range(query, mapping, block))
    query.add(SolverNames(query.symbols, [], block).holds(among))
    letters = [block[places[n] - 1] for n in sorted(places)]
    query.add(logic.Not(SolverNames(query.symbols, letters).holds(said.facts)))
    return structure.unsat(query)


def _of_all_indices(p: s.Predicate, mapping: BoundMap) -> bool:
    """Return whether a condition names functions of all indices: of each block by itself."""
    return set(map(s.Index, range(1, len(mapping.indices) + 1))) <= {*arguments(p)} != set()


def _reads_databases(structure: Structure, maps: Sequence[BoundMap]) -> bool:
    """Return whether the class or a map says something of whole databases, limits aside."""
    domain = structure.problem.domain
    written = (*domain.fact_terms, *(f for m in maps for f in m.facts))
    return bool(domain.size) or any(map(reads_database, written))


def integers_of_a_record(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap]
) -> tuple[Term, ...]:
    """Return by which integers of one record that changes it is said which blocks hold it."""
    known = _of_one_record(structure, edit, maps)
    return () if known is None else known[2].terms


def _of_one_record(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap], *, apart: bool = False,
    images: bool = False,
) -> tuple[Finder, dict[str, ChangeCondition], Structured] | None:  # fmt: skip
    """Return which blocks hold a record that changes, whatever else does.

    ``apart``: by integers alone, or functions alone.  ``images``: also where blocks see images.
    """
    if edit.frame is None or not (images or all(m.image is None for m in maps)):
        return None
    if reads_database(edit.guard, edit.frame, edit.step):
        return None
    try:
        named, names = named_records(edit, 1), names_of_records(1)
        finder, found = _found(structure, named, maps, names, apart=apart)
    except TooManyError:
        return None
    if any(m.name not in found for m in maps):
        return None
    trim = Trimming(structure, len(finder.letters))
    facts = finder.facts()
    facts = facts if _record_has(structure, edit, finder, facts) else TRUE
    facts = trim.trimmed(facts, TRUE, ())
    conditions = {m.name: trim.trimmed(found[m.name].predicate, facts, m.sizes) for m in maps}
    if not all(_record_has(structure, edit, finder, conditions[m.name], m) for m in maps):
        return None
    letters = tuple(map(finder.named, finder.letters))
    return finder, found, Structured(letters, facts, conditions, attained=True)


def _record_has(
    structure: Structure, edit: BoundEdit, finder: Finder, p: s.Predicate,
    mapping: BoundMap | None = None,
) -> bool:  # fmt: skip
    """Prove that each record that an edit changes has facts, or a block that holds it a condition.

    ``finder`` is that of the edit in which the record has a name.
    """
    if p == TRUE:
        return True
    pair = structure.pair(edit)
    query, cell = pair.query, pair.query.cell("z")
    query.add(pair.old(cell) != pair.new(cell))
    block: Sequence[Any] = ()
    if mapping is not None:
        block = pair.index(mapping)
        query.add(pair.member(mapping, cell, block))
    params = {**pair.params, finder.records[0]: cell}
    query.add(logic.Not(finder.asked(query, params, block).holds(p)))
    return structure.unsat(query)


def _at_the_least(
    structure: Structure, found: Structured, maps: Sequence[BoundMap]
) -> Structured:  # fmt: skip
    """Return the same without the integer of the edit, where its least value is the best one."""
    sizes = {m.name: m.sizes for m in maps}
    conditions = {n: (p, sizes[n]) for n, p in found.conditions.items()}
    best = Trimming(structure, len(found.terms)).without_integer(found.facts, conditions)
    return found if best is None else replace(found, terms=(), facts=TRUE, conditions=best)


def _by_integers(
    finder: Finder, found: Mapping[str, ChangeCondition], maps: Sequence[BoundMap],
    far: Sequence[BoundPart], types: Mapping[str, Collection[frozenset[int]]] | None,
) -> Structured:  # fmt: skip
    """Return what is known of blocks that change together, in the integers of the edit."""
    structure, edit = finder.structure, finder.edit
    trim = Trimming(structure, len(finder.letters))
    facts = _facts_of(structure, finder, trim, apart=types is not None)
    proved = {
        m.name: condition
        for m in maps if m.name in found
        for condition in [trim.trimmed(found[m.name].predicate, facts, m.sizes)]
        if _holds(structure, finder, m, condition)
    }  # fmt: skip
    parts = [(m, found.get(m.name)) for m in maps]
    whole = all(m.name in proved for m in maps)
    kinds = kinds_of(structure, finder, maps, facts, types) if types and whole else None
    placement, where = None, facts
    if whole and not finder.functions_of:
        placement, where, facts = _placed_for(finder, parts, facts, proved, kinds, near=not far)
    exact, choice = placement is not None, 0
    if alone := exact and len(maps) == 1:
        of = found[maps[0].name]
        choice = any_choice(structure, finder, maps[0], of, facts, MOST_CHOSEN)
    spans = dict(_spans(structure, finder, [p for p in far if p.map.name in proved], found))
    full = {
        (p.map.name, p.name): records
        for p in (far if alone else ())
        if (records := records_filled(structure, finder, p, found[p.map.name], facts)) is not None
    }
    ended = [(p, found[p.map.name]) for p in far if (p.map.name, p.name) in spans]
    comes = False if placement is None else placement.comes
    exact = exact and not (ended and comes is None) and all(
        _spans_filled(structure, finder, p, c, facts)
        or _all_values_full(structure, finder, p, c, full)
        for p, c in ended
    )  # fmt: skip
    for p in far if exact else ():
        if (place := (p.map.name, p.name)) not in {*spans, *full}:
            asking = structure, finder, p, found[p.map.name], facts
            records = block_filled(*asking) if alone else None
            records = records or cells_filled(*asking, comes=comes)
            full |= {} if records is None else {place: records}
    # Of a frame it is only of use where it is attained.
    asked = bool(finder.letters) and whole and (exact or edit.frame is None)
    known = kinds.all_of_them if kinds else found
    all_at_once = asked and everything(
        structure, finder, facts, [(m, known[m.name]) for m in maps if m.name in known]
    )
    # Records with all values, or so many of each, are not written.
    written = exact and placement is not None and placement.written and not (spans or full)
    worst = _placed(finder, parts, where, placement) if written and placement else None
    letters = tuple(map(finder.named, finder.letters))
    told = (kinds.exactly, one_place(structure, finder, kinds, facts)) if kinds else ({}, None)
    conditions = {m.name: proved.get(m.name, TRUE) for m in maps}  # nothing is said of some
    return Structured(
        letters, facts, conditions, exact, spans, choice, all_at_once, full, worst, *told
    )  # fmt: skip


def _spans(
    structure: Structure,
    finder: Finder,
    far: Sequence[BoundPart],
    conditions: Mapping[str, ChangeCondition],
) -> Iterator[tuple[tuple[str, str], s.Whole]]:
    """Yield, by map and part, the distance at which parts see a block that changes, if known."""
    for part in far:
        name = part.map.name
        length = span(structure, finder, part.map, part, conditions[name])
        if length is not None:
            yield (name, part.name), length


def _placed_for(
    finder: Finder, conditions: Sequence[tuple[BoundMap, ChangeCondition | None]],
    facts: s.Predicate, proved: Mapping[str, s.Predicate], kinds: Kinds | None, *, near: bool,
) -> tuple[Placement | None, s.Predicate, s.Predicate]:  # fmt: skip
    """Return how all blocks with their conditions are attained, for which facts, and what is said.

    More is said of the integers where that is true and needed: that records are in different
    places, or which labels there are.  ``near``: no part sees a block from farther than 1.
    """
    placement, where = _placement(finder, conditions, facts, proved, kinds, near=near)
    if placement is not None:
        return placement, where, facts
    maps, pairs = [m for m, _ in conditions], _places(finder)
    ways: list[s.Predicate] = []
    if kinds is not None:
        labels, alone = flat(finder.facts_of_labels(maps)), _one_differs(pairs)
        ways = [s.Connected("and", (*flat(facts), *x)) for x in (labels, alone, (*labels, *alone))]
    elif pairs:
        ways = [different(facts, pairs)]
    for narrow in dict.fromkeys(ways):
        more = len(flat(narrow)) > len(flat(facts))
        if more and _facts_hold(finder.structure, finder, narrow, maps):
            placement, where = _placement(finder, conditions, narrow, proved, kinds, near=near)
            if placement is not None:
                return placement, where, narrow
    return None, where, facts


def _one_differs(pairs: Sequence[tuple[int, int]]) -> list[s.Predicate]:
    """Say that two records differ in one place at most."""
    same = [s.Compared("eq", s.Letter(a), s.Letter(b)) for a, b in pairs]
    return [s.Connected("or", both) for both in itertools.combinations(same, 2)]


def _placement(
    finder: Finder,
    conditions: Sequence[tuple[BoundMap, ChangeCondition | None]],
    facts: s.Predicate,
    proved: Mapping[str, s.Predicate],
    kinds: Kinds | None,
    *,
    near: bool,
) -> tuple[Placement | None, s.Predicate]:
    """Return how all blocks with their conditions are attained, if they are, and for which facts.

    Where blocks are not told apart by their records, these may be in different places, and labels
    those that there are, if that loses no block.  One record is enough for parts that are near.
    """
    structure, pairs = finder.structure, _places(finder)
    placement = attained(structure, finder, conditions, facts, kinds)
    if placement is None and kinds is not None and pairs:
        return _in_two_ways(finder, conditions, facts, kinds, pairs), facts
    if placement is None and kinds is None and near:
        placement = in_one_record(structure, finder, conditions, facts)
    if placement is not None or kinds is not None:
        return placement, facts
    trim, maps = Trimming(structure, len(finder.letters)), [m for m, _ in conditions]
    narrow = trim.apart(facts, proved, pairs) if pairs else None
    if narrow is None and (more := finder.facts_of_labels(maps)) != TRUE:
        narrow = trim.clamped(more, facts, {m.name: (proved[m.name], m.sizes) for m in maps})
    if narrow is None:
        return None, facts
    placement = attained(structure, finder, conditions, narrow)
    if placement is None and near:
        placement = in_one_record(structure, finder, conditions, narrow)
    return placement, narrow


def _in_two_ways(
    finder: Finder, conditions: Sequence[tuple[BoundMap, ChangeCondition | None]],
    facts: s.Predicate, kinds: Kinds, pairs: Sequence[tuple[int, int]],
) -> Placement | None:  # fmt: skip
    """Return that records in one place differ in something else than those in two, if both can be.

    These are different neighbours, which are not written down.
    """
    same = [s.Compared("eq", s.Letter(a), s.Letter(b)) for a, b in pairs]
    for where in (different(facts, pairs), s.Connected("and", (*flat(facts), *same))):
        if attained(finder.structure, finder, conditions, where, kinds) is None:
            return None
    return Placement(frozenset(), written=False)


def _facts_of(
    structure: Structure, finder: Finder, trim: Trimming, *, apart: bool
) -> s.Predicate:  # fmt: skip
    """Return facts about the integers of an edit; ``apart``: also that its records differ there."""
    facts = finder.facts()
    if not _facts_hold(structure, finder, facts):
        facts = TRUE
    facts = trim.trimmed(facts, TRUE, ())
    pairs = _places(finder)
    if apart and pairs and _facts_hold(structure, finder, differ := different(facts, pairs)):
        return differ
    return facts


def _placed(
    finder: Finder,
    conditions: Sequence[tuple[BoundMap, ChangeCondition | None]],
    facts: s.Predicate,
    placement: Placement,
) -> PlacedPair:
    """Return the neighbours that were shown to change all blocks with the conditions."""
    frame = finder.edit.frame is not None
    cells = tuple(
        PlacedCells(mapping, predicate, tuple(
            (_of_edit(finder, mapping, old), _of_edit(finder, mapping, new))
            for old, new in chosen.values
        ))
        for mapping, condition in conditions if frame and condition is not None
        for predicate, chosen in condition.cases
    )  # fmt: skip
    letters = tuple(map(finder.named, finder.letters))
    return PlacedPair(finder.edit, letters, facts, cells, placement.shared, bool(placement.comes))


def _of_edit(finder: Finder, mapping: BoundMap, term: Term) -> Term:
    """Return a term with the names that the edit and the map give their own."""
    indices = {
        index_variable(p).name: variable(n, INT) for p, (n, _) in enumerate(mapping.indices, 1)
    }
    return finder.named(substitute(term, indices))


def _places(finder: Finder) -> list[tuple[int, int]]:
    """Return which integers of an edit are the same attribute of its two records: by number.

    Others are labels, and what both agree in.  Any two integers are places, if there are no others.
    """
    letters, common = finder.letters, set(finder.same.values())
    if len(letters) == 2:
        return [(1, 2)]
    found: dict[Any, list[int]] = {}
    for number, letter in enumerate(letters, 1):
        truth = truth_of(letter) or letter
        said = truth.terms if truth.op == "eq" else (truth,)
        if said[0].op == "apply":
            continue
        if said[0].op != "attr":
            return []
        if letter not in common:
            found.setdefault((said[0].args[0], *said[1:]), []).append(number)
    pairs = [(x[0], x[1]) for x in found.values() if len(x) == 2]
    return pairs if len(pairs) == len(found) else []


def _spans_filled(
    structure: Structure,
    finder: Finder,
    part: BoundPart,
    condition: ChangeCondition,
    facts: s.Predicate,
) -> bool:
    """Prove that each value in a span occurs in a block that changes, and is a step by itself."""
    (term, _), *others = condition.cases[0][1].ends
    return (
        not others
        and only_one_value(structure, part, term)
        and filled(structure, finder, part.map, condition, facts)
    )


def _all_values_full(
    structure: Structure, finder: Finder, part: BoundPart, condition: ChangeCondition,
    full: Mapping[tuple[str, str], Number],
) -> bool:  # fmt: skip
    """Return whether all records with each value of a span that may come or go do so at once."""
    ((term, _), *_) = condition.cases[0][1].ends
    steps = steps_of_one_value(structure, finder.edit, part, term)
    return steps is not None and full.get((part.map.name, part.name)) == steps


def _found(
    structure: Structure, edit: BoundEdit, maps: Sequence[BoundMap],
    records: tuple[str, ...] = (), *, whole: bool = True, truths: bool = False,
    apart: bool = False,
) -> tuple[Finder, dict[str, ChangeCondition]]:  # fmt: skip
    """Return the conditions of maps, in the integers that read best.

    Integers beside functions of an index are taken to be such functions, too, where these are to
    be ``apart``, or no condition is found otherwise: that says less.
    ``whole``: nothing is said of a remainder alone, but of what it is the remainder of; ``truths``:
    it is an integer, too, whether a record has a truth value, or a listed one.

    Raises:
        TooManyError: there are too many cases.
    """
    first = Finder(structure, edit, records=records, whole=whole, truths=truths)
    finder, found = _conditions(first, maps)
    if truths:
        return finder, found
    if finder.mixed and (apart or len(found) < len(maps)):
        mixed = Finder(structure, edit, functions_of=finder.mixed, records=records)
        return _conditions(mixed, maps)
    shift = next((x for c in found.values() if (x := finder.better_shift(c))), None)
    if not shift:
        return finder, found
    return _conditions(Finder(structure, edit, shift, records=records), maps)


def _conditions(
    finder: Finder, maps: Sequence[BoundMap]
) -> tuple[Finder, dict[str, ChangeCondition]]:
    """Return the conditions of maps, where they are found."""
    found: dict[str, ChangeCondition] = {}
    for mapping in maps:
        frame = finder.edit.frame is not None and not finder.records
        some = _changing_with(finder.structure, finder.edit, mapping)
        if some:
            condition = finder.of_some_points(mapping, some)
        else:
            condition = finder.of_frame(mapping) if frame else finder.of_points(mapping)
        if condition is not None:
            found[mapping.name] = condition
    return finder, {m.name: found[m.name] for m in _with_same_sizes(finder, maps, found)}


def _changing_with(
    structure: Structure, edit: BoundEdit, mapping: BoundMap
) -> tuple[frozenset[int], ...]:
    """Return which records of an edit a block may hold, and no other, that sees a change.

    Nothing where it sees one whichever it holds: only an image can make records alike that go and
    come, as a count does.
    """
    if mapping.image is None or edit.frame is not None or len(edit.points) > MOST_RECORDS:
        return ()

    def find() -> tuple[frozenset[int], ...]:
        numbers = range(len(edit.points))
        each = [frozenset(x) for n in numbers for x in itertools.combinations(numbers, n + 1)]
        some = [x for x in each if not structure.unsat(_change_with(structure, edit, mapping, x))]
        return tuple(some) if len(some) < len(each) else ()

    return structure.once("changing with", edit, mapping.name, find=find)


def _change_with(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, held: frozenset[int]
) -> Query:
    """Ask for a block that holds just these records of an edit, and sees a change."""
    pair = structure.pair(edit)
    block = pair.index(mapping)
    for number, point in enumerate(pair.points):
        inside = pair.member(mapping, point, block)
        pair.query.add(inside if number in held else logic.Not(inside))
    pair.view(mapping, block).changed()
    return pair.query


def _with_same_sizes(
    finder: Finder, maps: Sequence[BoundMap], found: Mapping[str, ChangeCondition]
) -> Iterator[BoundMap]:
    """Yield the maps whose functions take indices of the same sizes, and those without functions.

    Integers that are taken to be functions say too little where there is no function beside them.
    """
    same = None
    for mapping in maps:
        if mapping.name not in found:
            continue
        named = [x for x in s.subterms(found[mapping.name].predicate) if isinstance(x, s.LetterAt)]
        if not named:
            yield mapping
        elif any(function_of(finder.letters[x.number - 1]) for x in named):
            sizes = tuple(mapping.sizes[n - 1] for n in s.indices_named(named[0]))
            same = sizes if same is None else same
            if sizes == same:
                yield mapping


def _holds(structure: Structure, finder: Finder, mapping: BoundMap, p: s.Predicate) -> bool:
    """Prove that a block that the edit changes has a condition."""
    pair = structure.pair(finder.edit)
    block = pair.index(mapping)
    pair.view(mapping, block).changed()
    asked = finder.asked(pair.query, pair.params, block)
    pair.query.add(logic.Not(asked.holds(p)))
    return structure.unsat(pair.query)


def _facts_hold(
    structure: Structure, finder: Finder, facts: s.Predicate, maps: Sequence[BoundMap] = ()
) -> bool:  # fmt: skip
    """Prove that the integers of the edit have some facts, if it changes anything."""
    pair = structure.pair(finder.edit)
    pair.differ()
    for mapping in maps:
        pair.speak_of(mapping)
    pair.query.add(logic.Not(finder.asked(pair.query, pair.params, ()).holds(facts)))
    return facts == TRUE or structure.unsat(pair.query)


def any_few(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, count: Number,
    inside: Sequence[BoundMap] = (), *, each: bool = False,
) -> bool:  # fmt: skip
    """Prove that a frame's edit changes any so many blocks that have the condition of its map.

    So many and no others: of what else has the condition nothing needs to change.  It changes a
    cell of each, and all of these lie ``inside`` other maps: in all blocks that have the condition
    of their map.  ``each``: always so many cells change, since these maps see how many there are.
    """
    return structure.once(
        "any few", edit, mapping.name, count, each, *(m.name for m in inside),
        find=lambda: _any_few(structure, edit, mapping, count, inside, each=each),
    )  # fmt: skip


def _any_few(
    structure: Structure, edit: BoundEdit, mapping: BoundMap, count: Number,
    inside: Sequence[BoundMap], *, each: bool,
) -> bool:  # fmt: skip
    domain = structure.problem.domain
    known, mirror = only_mirror(domain)
    if edit.frame is None or any(m.image is not None for m in (mapping, *inside)) or domain.size:
        return False
    if not known or any(reads_database(f) for m in (mapping, *inside) for f in m.facts):
        return False
    told = [mapping, *(m for m in inside if m.indices)]
    try:
        finder, found = _found(structure, edit, told)
    except TooManyError:
        return False
    if any(m.name not in found for m in told) or finder.functions_of:
        return False
    facts = _facts_of(structure, finder, Trimming(structure, len(finder.letters)), apart=False)
    one, *families = [(m, found[m.name]) for m in told]
    placing = FramePlacing(structure, finder, [one], facts)
    placing.mirror = mirror
    # Maps without indices change with any of its blocks: then one must, for some integers.
    if len(inside) > len(families) and not some_block(structure, finder, *one, facts):
        return False
    # Where none of its blocks has the condition those of others do not change with them, either.
    # As many of its blocks as records have the condition: all of these, or ones beyond them.
    enough = not each or _has_so_many(Trimming(structure, len(finder.letters)), *one, count)
    return any(
        one_of_each(
            structure, finder, facts, one, [one, *families] if each and beyond else families,
            beyond=beyond, many=each and beyond,
        )
        and placing.any_of(
            count, [(m, found.get(m.name)) for m in inside], beyond=beyond, each=each
        )
        for beyond in (False, True)
        if (inside if beyond else enough)
    )  # fmt: skip


def _has_so_many(
    trim: Trimming, mapping: BoundMap, condition: ChangeCondition, count: Number
) -> bool:  # fmt: skip
    """Prove that a map has so many blocks, and that all of them have the condition."""
    structure = trim.structure
    if trim.trimmed(condition.predicate, TRUE, mapping.sizes) != TRUE:
        return False
    query = Query(structure.signature, structure.problem.symbols)
    sizes = (n if isinstance(n, int) else query.symbols[n] for n in mapping.sizes)
    query.add(in_solver(query, count) > math.prod(sizes, start=logic.IntVal(1)))
    return structure.unsat(query)
