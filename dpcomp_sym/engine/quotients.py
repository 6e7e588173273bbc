"""Parts on the common domain with a granularity of their own: distances of the pushforward.

Two images are neighbours if some neighbouring databases have them as images.  So every path of
edits between the whole databases bounds the distance, and so does one between the images
themselves, where these are databases of the class: whatever the map hides may be chosen empty.
From below, a count that the edits keep and that the image shows shows an infinite distance, and
the number of records that one edit moves bounds the number of edits.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

from dpcomp_sym.engine.distances import Bracket, Invariant, steps_needed
from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.model import BoundMap, BoundPart, Universe
from dpcomp_sym.profile import INFINITY
from dpcomp_sym.smt import Pair, View, logic
from dpcomp_sym.terms import INT, TRUE, evaluate, reads_database

__all__ = ["WHOLE", "pushed", "views", "whole_view"]

WHOLE: Final = BoundMap(".whole", (), TRUE, {}, (), None, None, {}, ("", "whole"))
MOST_HIDDEN: Final = 4
LONGEST: Final = 4


def views(pair: Pair, part: BoundPart, block: tuple[Any, ...]) -> list[View]:
    """Return what a path of edits may be looked for in: its length bounds the distance."""
    found = [whole_view(pair)]
    if _images_are_databases(part) and _idle(pair, part):
        found.append(pair.view(part.map, block))
    return found


def whole_view(pair: Pair) -> View:
    """Return the whole databases."""
    return pair.view(WHOLE, ())


def _images_are_databases(part: BoundPart) -> bool:
    """Return whether what a block keeps of a database is one of the class, too."""
    return part.map.image is None and not part.domain.size and not part.domain.facts


def _idle(pair: Pair, part: BoundPart) -> bool:
    """Prove that an edit may leave empty what a block does not show.

    A frame can reach beyond the block; its step must allow that nothing is there, before and
    after.
    """
    for edit in part.granularity.edits:
        if edit.frame is None:
            continue
        if reads_database(edit.step):
            return False
        query = pair.query.beside()
        params = {n: query.fresh(s, n) for n, s in edit.params}
        names = {**params, "c": query.cell("c"), "old": logic.IntVal(0), "new": logic.IntVal(0)}
        query.add(logic.Not(query.read(edit.step, names)))
        if query.check() != logic.unsat:
            return False
    return True


def pushed(
    world: World, part: BoundPart, index: tuple[int, ...], old: Database, new: Database,
    kept: Sequence[Invariant],
) -> Bracket:  # fmt: skip
    """Bound the distance at which a part sees two whole databases through a block.

    The world's cells are all of X, as far as the class leaves that open.
    """
    images = [world.apply(part.map, d, index) for d in (old, new)]
    if images[0] == images[1]:
        return Bracket(0, 0)
    upper = _upper(world, part, index, (old, new), images)
    if part.map.image is not None:
        return Bracket(1, upper)
    shown = world.block_cells(part.map, index)
    if _all_cells_known(world) and any(_tells(world, part, shown, i, images) for i in kept):
        return Bracket(INFINITY, INFINITY)
    return Bracket(max(1, steps_needed(part.granularity, *images)), upper)


def _upper(
    world: World, part: BoundPart, index: tuple[int, ...], whole: tuple[Database, Database],
    images: Sequence[Database],
) -> int | None:  # fmt: skip
    if _one_edit(world, part, index, images):
        return 1
    ends = [whole, tuple(images)] if _images_are_databases(part) else [whole]
    paths = [
        world.path(part.granularity, start, goal, LONGEST, world.cells, part.domain)
        for start, goal in ends
    ]
    return min((len(p) for p in paths if p is not None), default=None)


def _one_edit(
    world: World, part: BoundPart, index: tuple[int, ...], images: Sequence[Database]
) -> bool:
    """Find one edit between databases with these images, with few hidden records."""
    if part.map.image is not None:
        return False
    shown = set(world.block_cells(part.map, index))
    hidden = [c for c in world.cells if c not in shown][:MOST_HIDDEN]
    for counts in itertools.product((0, 1), repeat=len(hidden)):
        rest = {c: n for c, n in zip(hidden, counts, strict=True) if n}
        first, goal = ({**image, **rest} for image in images)
        if not world.contains(first, part.domain, world.cells):
            continue
        for _, then in world.successors(part.granularity, first, goal, world.cells):
            held = {c: n for c, n in then.items() if n}
            if world.contains(held, part.domain, world.cells) and (
                world.apply(part.map, held, index) == images[1]
            ):
                return True
    return False


def _all_cells_known(world: World) -> bool:
    """Return whether the world's cells may be all cells there are."""
    domain = world.domain
    return domain.universe is Universe.ANY or (
        domain.universe is Universe.PRODUCT and INT not in domain.attribute_sorts.values()
    )


def _tells(
    world: World, part: BoundPart, shown: Sequence[Cell], kept: Invariant,
    images: Sequence[Database],
) -> bool:  # fmt: skip
    """Return whether a count that edits keep is seen in the images, and differs there."""
    domain = part.granularity.domain
    env = world.environment(domain)

    def key(cell: Cell) -> tuple[Any, ...]:
        env.variables["c"] = cell
        return tuple(evaluate(k, env) for k in kept.keys)

    beyond = {key(c) for c in world.cells if c not in set(shown)}
    before, after = (kept.counts(world, domain, image) for image in images)
    return any(
        before.get(value, 0) != after.get(value, 0)
        for value in {*before, *after}
        if value not in beyond
    )
