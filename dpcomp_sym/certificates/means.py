"""What an edit does as a mean: questions behind such facts, built from the problem and asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dpcomp_sym.certificates.facts import FactChecker
from dpcomp_sym.certificates.integers import as_number, as_term, lettered
from dpcomp_sym.certificates.wording import TOGETHER
from dpcomp_sym.engine.distances import one_by_one
from dpcomp_sym.engine.quotients import WHOLE
from dpcomp_sym.engine.together import integers_of_a_record
from dpcomp_sym.engine.together.slices import records_of_slices
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.replay.algebra import INF, ONE, at_most, num
from dpcomp_sym.replay.terms import Node, make
from dpcomp_sym.smt import logic
from dpcomp_sym.smt.query import equal
from dpcomp_sym.terms.data import to_data_text

__all__ = ["MeanChecker"]


class MeanChecker(FactChecker):
    """Decides of which vectors what an edit does is a mean, besides what it does at most."""

    def _arguments(self, statement: Node) -> dict[str, Callable[[], bool]]:
        if statement[0] != "Mixed":
            return super()._arguments(statement)
        _, _, edit, vectors = statement
        ways: dict[str, Callable[[], bool]] = {
            "records lie in one of these": partial(self._mixed, edit, vectors)
        }
        if len(vectors) == 1 and vectors[0][0] == "BlockPattern":
            ways["one block has the records that others leave"] = partial(
                self._shared_out, edit, vectors[0]
            )
        return ways

    def _mixed(self, edit_name: str, vectors: Sequence[Node]) -> bool:
        """Prove that what parts see is a mean of what they see if all records lie where one does.

        No more records come or go than each part that is listed sees in each vector; and each of
        them lies in no blocks but those of one vector.
        """
        edit, _ = self._edit(edit_name)
        if any(v[0] == "BlockPattern" for v in vectors):
            ways: dict[str, Callable[[], bool]] = {
                "all records are where one is": partial(self._mixed_by_place, edit, vectors[0]),
                "those of each slice are where one is": partial(
                    self._mixed_by_slices, edit, vectors[0]
                ),
            }
            if len(vectors) > 1:
                return False
            return bool(self.structure.trail.first("a mean", ways, lambda way: ways[way]()))
        groups = [g for _, listed in vectors for g in listed]
        maps = {g[1]: self._map(g[1]) for g in groups}
        parts = {part: self._part(part) for g in groups for _, part, _ in g[3]}
        if edit.frame is None or any(m.image is not None for m in maps.values()):
            return False
        if not all(one_by_one(p) and self._in_class(p) for p in parts.values()):
            return False
        seen = [s[2] for g in groups for s in g[3]]
        if not self._no_more_records(edit, WHOLE, [(r, ONE) for r in seen], one_block=False):
            return False
        for _, name, count, _, block, _ in groups:
            each = num(1) if block else self._each(maps[name])
            if each is None or not at_most(each, count, ()):
                return False
        return self._held_by_one(edit, vectors)

    def _mixed_by_place(self, edit: BoundEdit, pattern: Node) -> bool:
        """Prove that what parts see is a mean of what they see if all records are where one is.

        No more records come or go than each part sees in a block that holds one; and each block
        that holds one has the condition, for integers of this record.
        """
        _, free, facts, families = pattern
        maps = {f[1]: self._map(f[1]) for f in families}
        parts = [self._part(part) for f in families for _, part, _ in f[3]]
        if edit.frame is None or len(maps) < len(families) or {*maps} != {*self.problem.used_maps}:
            return False
        if any(m.image is not None for m in maps.values()):
            return False
        if not all(one_by_one(p) and self._in_class(p) for p in parts):
            return False
        seen = [s[2] for f in families for s in f[3]]
        if not self._no_more_records(edit, WHOLE, [(r, ONE) for r in seen], one_block=False):
            return False
        for _, name, count, _, _ in families:
            each = self._each(maps[name])
            if count != INF and (each is None or not at_most(each, count, ())):
                return False
        found = integers_of_a_record(self.structure, edit, list(maps.values())) if free else ()
        if len(found) != free:
            return False
        terms = tuple(map(to_data_text, found))
        return self._record_has(edit, terms, facts, None) and all(
            self._record_has(edit, terms, f[4], maps[f[1]]) for f in families
        )

    def _mixed_by_slices(self, edit: BoundEdit, pattern: Node) -> bool:
        """Prove that what parts see is a mean of what they see if each slice has one place.

        No more records come or go in a slice than each part sees in a block that holds one; and
        each block that holds one has the condition, for integers of this record: functions of it.
        """
        _, free, facts, families = pattern
        maps = {f[1]: self._map(f[1]) for f in families}
        parts = [self._part(part) for f in families for _, part, _ in f[3]]
        if edit.frame is None or len(maps) < len(families) or {*maps} != {*self.problem.used_maps}:
            return False
        if any(m.image is not None or not m.indices for m in maps.values()):
            return False
        if not all(one_by_one(p) and self._in_class(p) for p in parts):
            return False
        at = {x for _, x in lettered(tuple(f[4] for f in families))}
        if facts != TOGETHER or len(at) != 1 or any(f[2] != INF for f in families):
            return False
        (sliced,) = at
        listed, seen = list(maps.values()), [s[2] for f in families for s in f[3]]
        found = records_of_slices(self.structure, edit, listed, tuple(map(as_term, sliced)))
        if found is None or len(found[0].letters) != free:
            return False
        if not all(self._no_more_in_slices(edit, r, listed, at) for r in seen):
            return False
        terms = tuple(to_data_text(found[0].named(x)) for x in found[0].letters)
        return all(self._record_has(edit, terms, f[4], maps[f[1]]) for f in families)

    def _held_by_one(self, edit: BoundEdit, vectors: Sequence[Node]) -> bool:
        """Prove that no record that changes lies outside of the blocks of each of the vectors."""
        pair = self._pair(edit)
        cell = pair.query.cell("z")
        pair.query.add(pair.old(cell) != pair.new(cell))
        for _, listed in vectors:
            outside = []
            for name, mapping in self.problem.used_maps.items():
                own = [g[4] for g in listed if g[1] == name]
                if () in own:
                    continue
                block, facts = self._block(pair, mapping, ())
                facts += [logic.Not(equal(block, tuple(map(logic.IntVal, b)))) for b in own]
                outside.append(logic.And(pair.member(mapping, cell, block), *facts))
            pair.query.add(logic.Or(*outside))
        return self._never(pair.query)

    def _shared_out(self, edit_name: str, pattern: Node) -> bool:
        """Prove that what parts see is a mean of what they see if one block has what others leave.

        The pattern must be this: one block, by its indices, and so many others as an integer says,
        from 0 on, less than the records that change, and less than the blocks; all of them may have
        a condition that each block has in which a record changes.  A part sees all of
        them from as far, or else one record in the others and in the first one all that are left.

        No more records come or go than that, each in one block.  Blocks S change with n_i >= 1
        records in block i, N in all and at most M.  With weights (n_j - 1)/(M - |S|) for the blocks
        j in S, and what is left of 1 for any of them, the mean of 1 and of M - |S| + 1 records in j
        is at least n_i for each block i.
        """
        edit, _ = self._edit(edit_name)
        _, free, facts, families = pattern
        names = {f[1] for f in families}
        if edit.frame is None or len(families) != 2 or names != {*self.problem.used_maps}:
            return False
        (mapping,) = map(self._map, names)
        places = len(mapping.indices)
        if not places or free != places + 1 or mapping.image is not None or mapping.constant:
            return False
        each = self._each(mapping)
        if each is None or not at_most(each, ONE, ()):
            return False
        here, others = families
        several = make("Letter", free)
        if here[2] != INF or others[2] != make("Amount", several):
            return False
        among = _among(here[4], others[4], places)
        if among is None or not self._record_has(edit, (), among, mapping):
            return False
        limits = _limits(facts, several)
        if limits is None or not all(self._so_many(edit_name, mapping, n) for n in limits):
            return False
        if [part for _, part, _ in here[3]] != [part for _, part, _ in others[3]]:
            return False
        return all(
            self._shared_by(edit_name, part, (most, each_), several)
            for (_, part, most), (_, _, each_) in zip(here[3], others[3], strict=True)
        )

    def _so_many(self, edit_name: str, mapping: BoundMap, most: Node) -> bool:
        """Prove that no more blocks change: no more records do, or blocks by another argument."""
        edit, _ = self._edit(edit_name)
        records = partial(self._no_more_records, edit, WHOLE, [(most, ONE)], one_block=False)
        ways: dict[str, Callable[[], bool]] = {"records": records}
        ways |= self._counts(edit_name, mapping.name, most)
        return bool(self.structure.trail.first("blocks", ways, lambda way: ways[way]()))

    def _shared_by(
        self, edit_name: str, name: str, seen: tuple[Node, Node], several: Node
    ) -> bool:  # fmt: skip
        """Prove how far a part sees one block, and how far the others."""
        edit, _ = self._edit(edit_name)
        part, (most, each) = self._part(name), seen
        if most == each and _of_sizes(most):
            ways = self._distances(edit_name, name, (), most)
            return bool(self.structure.trail.first("distance", ways, lambda way: ways[way]()))
        match most:
            case ("Amount", ("Combined", "add", (whole, ("Combined", "neg", (left,))))):
                records = as_number(whole)
            case _:
                return False
        if records is None or left != several or each != ONE:
            return False
        return (
            one_by_one(part)
            and self._in_class(part)
            and self._no_more_records(edit, WHOLE, [(records, ONE)], one_block=False)
        )


def _of_sizes(distance: Node) -> bool:
    """Return whether a distance is made of numbers and sizes: it names no letter."""
    match distance:
        case ("Sum" | "Product", items):
            return all(map(_of_sizes, items))
        case _:
            return distance[0] in {"Num", "Size"}


def _one_and_others(places: int) -> tuple[Node, Node]:
    """Return the conditions that a block is the one that letters name, and that it is not."""
    letters = [(make("Index", n), make("Letter", n)) for n in range(1, places + 1)]
    if places == 1:
        ((index, letter),) = letters
        return make("Compared", "eq", index, letter), make("Compared", "ne", index, letter)
    same = make("Connected", "and", tuple(make("Compared", "eq", *pair) for pair in letters))
    return same, make("Connected", "not", (same,))


def _among(one: Node, others: Node, places: int) -> Node | None:
    """Return which condition one block and the others have besides; None if they are not these."""
    here, elsewhere = _one_and_others(places)
    if (one, others) == (here, elsewhere):
        return TOGETHER
    match one, others:
        case ("Connected", "and", (a, among)), ("Connected", "and", (b, again)) if (
            a,
            b,
            again,
        ) == (here, elsewhere, among) and not any(lettered(among)):
            common: Node = among
            return common
        case _:
            return None


def _limits(facts: Node, letter: Node) -> list[Node] | None:
    """Return what a letter from 0 on is less than; None if facts say anything else."""
    match facts:
        case ("Connected", "and", (first, *rest)) if rest:
            pass
        case _:
            return None
    if first != make("Compared", "le", make("Integer", 0), letter):
        return None
    found = []
    for one in rest:
        match one:
            case ("Compared", "lt", left, right) if left == letter:
                found.append(as_number(right))
            case _:
                return None
    return None if None in found else [n for n in found if n is not None]
