"""Random problems whose blocks have structure, each with a small world that shows what is worst.

Blocks are times, windows, strips, places on a cycle, nodes of a tree, pairs of labels or written
out one by one;
edits change a window of time, what a user has, or single records; classes limit records by one key
or by several.  There are one or two maps, and parts on the common domain or on their own.  Others
are about tables, with all places filled, or with rows that belong to a row of another one.

``python -m tests.random_problems.structured --count 3 --seed 5`` prints three problems.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dpcomp_sym.finite.world import Cell, World
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem, library_granularity
from tests.random_problems import edits
from tests.random_problems.beside import ELEMENTS, cells_beside, problem_beside
from tests.random_problems.epochs import (
    ELEMENTS as OF_USERS,
)
from tests.random_problems.epochs import (
    cells_of_epochs,
    problem_of_epochs,
    sizes_of_epochs,
)
from tests.random_problems.generate import describe

__all__ = ["Drawn", "K", "either", "epochs", "structured", "tables"]

K = 3
"""The number of blocks of a family without an end, in the small world."""
LEAVES = ("q1", "q2", "q3", "q4")
LABELS = 2
"""So many labels values have."""


@dataclass(frozen=True)
class Drawn:
    """A problem, numbers for its symbols, and the cells of worlds in which something may be worst.

    A cell of these holds at most so many records.
    """

    problem: Problem
    sizes: dict[str, int]
    cells: Callable[[], Iterator[Sequence[Cell]]]
    elements: dict[str, tuple[str, ...]]
    most: int = 1

    def worlds(self) -> Iterator[World]:
        """Yield worlds, with labels of every kind; the first ones are the most telling."""
        domain, maps = self.problem.domain, self.problem.used_maps.values()
        listed = {sort: tuple(values) for sort, values in domain.enumerations.items()}
        names = [name for m in maps for name in m.functions]
        symbols = {name: self.sizes[name] for name in self.problem.symbols}

        def world(cells: Sequence[Cell], labels: Sequence[int]) -> World:
            tables = {name: {(c,): n for c, n in zip(cells, labels, strict=True)} for name in names}
            every = {**self.elements, **listed}
            return World(domain, tuple(cells), every, tables, dict.fromkeys(names, 1), symbols)

        for some in self.cells():
            cells = [c for c in some if world(some, [1] * len(some)).is_cell(c)]
            yield world(cells, [1 + n % K for n in range(len(cells))])
            for labels in itertools.product(range(1, K + 1), repeat=len(cells) if names else 0):
                yield world(cells, labels)


def structured(seed: int) -> Drawn:
    """Return the random problem with this number.

    >>> structured(1).problem.title
    'structured problem 1'
    """
    rng = random.Random(f"{seed} structured")
    kinds = (
        _tree, _family, _limits, _pairs, _stays, _devices, _labels, _roles, _levels, _budgets,
        _counts, _beside, _houses, _papers, _undirected,
    )  # fmt: skip
    return rng.choice((*(_times,) * 9, *kinds))(rng, seed)


# -------------------------------------------------------------------- times and places

_FRAMES = (
    "t <= day(c) and day(c) < t + {a}",
    "{a}*t <= day(c) and day(c) < {a}*(t + {b})",
    "day(c) == t or day(c) == t + {a}",
    "abs(day(c) - t) < {b}",
    "day(c)//2 == t",
    "(day(c) + {a})//3 == t",
    "day(c) % 3 == t",
)
_GUARDS = ("x != y", "x != y and abs(day(x) - day(y)) <= {a}", "day(y) == day(x) + {a}")
_MEMBERS = (
    "day(c) == i",
    "{a}*(i - 1) <= day(c) and day(c) < {a}*i",
    "i <= day(c) and day(c) < i + {b}",
    "day(c) == i or day(c) == i + {a}",
    "abs(day(c) - i) <= {a}",
    "day(c) == {a}*i",
    "day(c) >= i",
    "day(c) < i and day(c) >= 0",
    "(day(c) + 1)//{b} == i",
    "day(c)//2 == i - 1",
    "day(c) % 3 == i - 1",
    "day(c) == i//2 + {a}",
    "day(c) % 3 == i % 3",
    "day(c) == max(i, {a})",
)


def _times(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about events, each with a day."""
    numbers = {"a": rng.randint(1, 2), "b": rng.randint(1, 3)}
    chosen = rng.choice((*_FRAMES, *_GUARDS, ""))
    if chosen in _FRAMES:
        step = "new <= old" if rng.random() < 0.15 else "true"
        edit = Edit({"t": "int"}, "true", frame=chosen, step=step)
    elif chosen:
        guard = f"D[x] >= 1 and {chosen}"
        edit = Edit({"x": "cell", "y": "cell"}, guard, {"x": "-1", "y": "1"})
    else:
        edit = Edit({"x": "cell"}, "true", {"x": "1"})
    members = rng.sample(_MEMBERS, rng.choice((1, 1, 1, 2)))
    divides = any("//{b}" in member for member in members)
    names = [x for x in numbers if rng.random() < 0.2 and not (divides and x == "b")]
    given = {x: x if x in names else str(n) for x, n in numbers.items()}
    written = re.sub(r"(?<!\w)1\*", "", (edit.frame or edit.guard).format(**given))
    edit = Edit(edit.params, "true" if edit.frame else written, edit.change,
                written if edit.frame else None, edit.step)  # fmt: skip
    maps = [Map(f"m{n}", m.format(**given), {"i": "k"}) for n, m in enumerate(members)]
    said = " ".join([written, *(m.member for m in maps)])
    used = [x for x in names if re.search(rf"\b{x}\b", said)]
    domain = Domain(
        {"id": "Event", "day": "int"},
        symbols={x: f"{x} >= 1" for x in used},
        cell=rng.choice(("true", "true", "true", "day(c) >= 1")),
        cap=rng.choice((None, None, 1)),
        limits=[("day(c)", 1)] if rng.random() < 0.15 else [],
    )
    parts = _parts(rng, maps, counted=edit.frame is None)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    sizes = {"k": K, **{x: numbers[x] for x in used}}
    return Drawn(problem, sizes, lambda: _days(random.Random(seed)), {"Event": ("e", "f")})


def _days(rng: random.Random) -> Iterator[Sequence[Cell]]:
    """Yield some days, the first ones and then any; at last days with two events each.

    Among them are the days of every third one, for edits of these.
    """
    yield [("e", d) for d in range(6)]
    for first in (-2, -1, 0):
        yield [("e", d) for d in range(first, first + 18, 3)]
    for first in (1, 2, 3, -1, -3, 5):
        yield [("e", d) for d in range(first, first + 7)]
    for _ in range(12):
        yield [("e", d) for d in sorted(rng.sample(range(-3, 12), 6))]
    for days in (
        (1, 2, 3),
        (0, 1, 2),
        (3, 4, 5),
        (6, 7, 8),
        (9, 10, 11),
        (-3, -2, -1),
        *(rng.sample(range(-1, 10), 3) for _ in range(4)),
    ):
        yield [(event, d) for d in sorted(days) for event in ("e", "f")]


def _parts(rng: random.Random, maps: Sequence[Map], *, counted: bool) -> list[Part]:
    """Return a part for each map; where few records change, some count them on their own domain."""
    own = library_granularity("unbounded")
    return [
        Part(f"p{n}", m.name, own, _guarantees(n))
        if counted and rng.random() < 0.4
        else Part(f"p{n}", m.name, None, _guarantees(n), setting="common")
        for n, m in enumerate(maps)
    ]


def _guarantees(number: int) -> dict[str, tuple[str, ...]]:
    return {"pure": (f"eps{number}",), "zcdp": (f"rho{number}",)}


# -------------------------------------------------------------------- trees and families


def _one_of(values: Sequence[str]) -> str:
    return " or ".join(f"val(c) == {v}" for v in values) or "false"


def _among_values(rng: random.Random) -> Granularity:
    """Return what changes records that have one of four values."""
    near = rng.choice(("true", "val(x) == q1", "not (val(x) == q4 and val(y) == q1)"))
    guard = f"D[x] >= 1 and x != y and id(x) == id(y) and {near}"
    return rng.choice((
        library_granularity("unbounded"),
        library_granularity("bounded"),
        Granularity("relabelled", [Edit({"x": "cell", "y": "cell"}, guard, {"x": "-1", "y": "1"})]),
        library_granularity("user_presence", owner="id"),
    ))  # fmt: skip


def _of_values(rng: random.Random, seed: int, maps: Sequence[Map]) -> Drawn:
    """Return a problem about records that have one of four values."""
    granularity = _among_values(rng)
    person = granularity.name == "user_presence"
    limit = rng.choice(([("id(c)", 1)], [("id(c)", 2)], [("id(c)", 3), ("val(c)", 1)]))
    domain = Domain({"id": "Record", "val": LEAVES}, limits=limit if person else [], cap=1)
    problem = Problem(
        domain, granularity, maps, _parts(rng, maps, counted=not person),
        f"structured problem {seed}",
    )  # fmt: skip
    return Drawn(problem, {}, _values, {"Record": ("r", "s")})


def _values() -> Iterator[Sequence[Cell]]:
    """Yield what one record can be, and two."""
    yield list(itertools.product(("r",), LEAVES))
    yield list(itertools.product(("r", "s"), LEAVES))


def _tree(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about the nodes of a tree with four leaves, or about its levels."""
    halves = (LEAVES[:2], LEAVES[2:])
    nodes = [LEAVES, *halves, *((leaf,) for leaf in LEAVES)]
    if rng.random() < 0.3:  # one node is not there
        nodes.remove(rng.choice(nodes))
    if rng.random() < 0.5:
        member = " or ".join(f"(i == {n} and ({_one_of(v)}))" for n, v in enumerate(nodes, 1))
        return _of_values(rng, seed, [Map("m0", member, {"i": len(nodes)})])
    levels = rng.sample([[LEAVES], list(halves), [(leaf,) for leaf in LEAVES]], 2)
    maps = []
    for number, level in enumerate(levels):
        member = " or ".join(f"(i == {n} and ({_one_of(v)}))" for n, v in enumerate(level, 1))
        maps.append(Map(f"m{number}", member, {"i": len(level)}))
    return _of_values(rng, seed, maps)


def _family(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about blocks that are written out, and perhaps a map beside them."""

    def some() -> str:
        return _one_of([v for v in LEAVES if rng.random() < rng.choice((0.3, 0.6))])

    many = rng.randint(2, 5)
    member = " or ".join(f"(i == {n} and ({some()}))" for n in range(1, many + 1))
    maps = [Map("m0", member, {"i": many})]
    maps += [Map(f"m{n}", some()) for n in range(1, rng.choice((1, 1, 2, 3)))]
    return _of_values(rng, seed, maps)


# -------------------------------------------------------------------- pairs of labels


@dataclass(frozen=True)
class Labelled(Drawn):
    """A problem whose functions, of the class or of its only map, are tried one and all."""

    labels: int = LABELS

    def keys(self, sort: str, cells: Sequence[Cell]) -> Sequence[Any]:
        """Return what a function of a sort is tried on."""
        return cells if sort == "cell" else self.elements.get(sort, range(1, self.labels + 1))

    def worlds(self) -> Iterator[World]:
        """Yield worlds with all labels from 1 on."""
        symbols = {name: self.sizes[name] for name in self.problem.symbols}
        owners = (self.problem.domain, *self.problem.used_maps.values())
        functions = {n: f for owner in owners for n, f in owner.functions.items()}
        labels: dict[str, tuple[Any, ...]] = {"int": tuple(range(1, self.labels + 1)),
                                              "bool": (False, True)}  # fmt: skip
        for cells in self.cells():
            keys = [
                (name, key, result) for name, (sorts, result) in functions.items()
                for key in itertools.product(*[self.keys(s, cells) for s in sorts])
            ]  # fmt: skip
            for values in itertools.product(*[labels[result] for _, _, result in keys]):
                tables: dict[str, dict[Any, Any]] = {name: {} for name in functions}
                for (name, key, _), value in zip(keys, values, strict=True):
                    tables[name][key] = value
                first = {n: labels[result][0] for n, (_, result) in functions.items()}
                yield World(
                    self.problem.domain, tuple(cells), self.elements, tables, first, symbols
                )


def _pairs(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about records with a known and a secret value, with a label for each."""
    guards = ("x != y", "x != y and agree(x, y, open)", "x != y and agree(x, y, id, open)",
              "x != y and agree(x, y, id)", "agree(x, y, open) and sec(x) != sec(y)")  # fmt: skip
    frames = ("open(c) == v", "open(c) == v and sec(c) == u", "id(c) == r")
    chosen = rng.choice((*guards, *guards, *frames, ""))
    if chosen in frames:
        params = {n: s for n, s in {"v": "Open", "u": "Sec", "r": "Id"}.items()
                  if re.search(rf"== {n}\b", chosen)}  # fmt: skip
        edit = Edit(params, "true", frame=chosen)
    elif chosen:
        edit = Edit({"x": "cell", "y": "cell"}, f"D[x] >= 1 and {chosen}", {"x": "-1", "y": "1"})
    else:
        edit = Edit({"x": "cell"}, "true", {"x": "1"})
    functions = {"f": (["Open"], "int"), "g": (["Sec"], "int"), "h": (["Open", "Sec"], "int"),
                 "p": (["Open", "int"], "bool")}  # fmt: skip
    members = ("f(open(c)) == i and g(sec(c)) == j", "f(open(c)) == i and g(sec(c)) == j",
               "g(sec(c)) == i", "h(open(c), sec(c)) == i", "p(open(c), i) and g(sec(c)) == j",
               "f(open(c)) == i or g(sec(c)) == i", "f(open(c)) == i and i <= j")  # fmt: skip
    some = rng.sample(members, rng.choice((1, 1, 2)))
    used = {n: t for n, t in functions.items() for m in some if re.search(rf"\b{n}\(", m)}
    own = len(some) == 1 and rng.random() < 0.7  # labels of the class are the same for all maps
    maps = [
        Map(f"m{number}", member, {n: "k" for n in "ij" if re.search(rf"\b{n}\b", member)},
            used if own else {})
        for number, member in enumerate(some)
    ]  # fmt: skip
    domain = Domain({"id": "Id", "open": "Open", "sec": "Sec"}, {} if own else used,
                    cap=rng.choice((None, 1)))  # fmt: skip
    parts = _parts(rng, maps, counted=edit.frame is None)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    elements = {"Id": ("r", "s"), "Open": ("a", "b"), "Sec": ("u", "v")}
    cells = list(itertools.product(*elements.values()))
    return Labelled(problem, {"k": LABELS}, lambda: iter([cells[:4], cells]), elements)


def _stays(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about where people are at some times, at each in few places."""
    frames = ("user(c) == p", "user(c) == p", "user(c) == p and time(c) >= t",
              "user(c) == p and t <= time(c) and time(c) < t + 2")  # fmt: skip
    frame = rng.choice(frames)
    params = {n: s for n, s in {"p": "User", "t": "int"}.items() if re.search(rf"\b{n}\b", frame)}
    step = rng.choice(("true", "true", "new <= old", "new <= 1"))
    keys = [("user(c), time(c)", rng.choice((1, 1, 2))), ("user(c)", rng.choice((1, 2, 3))),
            ("time(c)", rng.choice((1, 2)))]  # fmt: skip
    limits = [keys[0], *rng.sample(keys[1:], rng.choice((0, 0, 1)))]
    distinct = [("place(c)", "user(c), time(c)", 1)] if rng.random() < 0.1 else []
    limits = limits[1:] if distinct else limits
    functions = {"f": (["Place"], "int"), "g": (["Place", "int"], "int")}
    members = ("time(c) == i and f(place(c)) == j", "f(place(c)) == i and time(c) == j",
               "time(c) == i and g(place(c), time(c)) == j", "time(c) == i and f(place(c)) >= j",
               "f(place(c)) == i and time(c) <= j", "g(place(c), time(c)) == i and time(c) == j",
               "time(c) == i and j == 1")  # fmt: skip
    some = [rng.choice(members)]
    if rng.random() < 0.4:
        others = ("time(c) == i", "time(c) <= i", "true", "time(c) >= 2")
        some.append(rng.choice((*members, *others, *others)))
    used = {n: f for n, f in functions.items() if any(re.search(rf"\b{n}\(", m) for m in some)}
    own = len(some) == 1 and rng.random() < 0.7
    maps = [
        Map(f"m{n}", m, {x: "k" for x in "ij" if re.search(rf"\b{x}\b", m)}, used if own else {})
        for n, m in enumerate(some)
    ]
    domain = Domain({"user": "User", "time": "int", "place": "Place"}, {} if own else used,
                    limits=limits, distinct=distinct, cap=rng.choice((1, 1, 2)),
                    cell=rng.choice(("true", "true", "1 <= time(c)", "time(c) <= 1")))  # fmt: skip
    edit = Edit(params, "true", frame=frame, step=step)
    parts = _parts(rng, maps, counted=False)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    elements = {"User": ("p", "q"), "Place": ("a", "b")}
    cells = list(itertools.product(("p",), (1, 2), ("a", "b")))
    return Labelled(problem, {"k": LABELS}, lambda: iter([cells]), elements, 2)


def _houses(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about few people of a house, which lies in a county, in several maps."""
    step = rng.choice(("true", "true", "new <= old"))
    many = 1 if step == "true" else 2  # else the world has too few people
    functions = {"f": (["House"], "int")}
    main = ("f(house(c)) == i and age(c) == j", "f(house(c)) == i and age(c) >= j",
            "f(house(c)) <= i and age(c) == j", "f(house(c)) == i and age(c) == j and i <= 1",
            "f(house(c)) == i or age(c) == j", "age(c) == i")  # fmt: skip
    others = (
        "f(house(c)) == i",
        "f(house(c)) <= i",
        "f(house(c)) == i and age(c) >= 2",
        "f(house(c))//2 == i",
        "true",
        "age(c) >= 1",
        "f(house(c)) == 2 and i == 1",
    )
    some = [rng.choice(main), *rng.sample(others, rng.choice((1, 1, 2)))]

    def indices(member: str) -> dict[str, str]:
        return {x: size for x, size in {"i": "k", "j": "h"}.items()
                if re.search(rf"\b{x}\b", member)}  # fmt: skip

    maps = [Map(f"m{n}", member, indices(member)) for n, member in enumerate(some)]
    domain = Domain({"house": "House", "age": "int", "name": "Name"}, functions,
                    limits=[("house(c)", rng.choice((many, "m")))], symbols={"m": "m >= 1"},
                    cap=1, cell=rng.choice(("true", "f(house(c)) >= 1")))  # fmt: skip
    edit = Edit({"p": "House"}, "true", frame="house(c) == p", step=step)
    parts = _parts(rng, maps, counted=True)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    elements = {"House": ("p",), "Name": ("a", "b")}
    cells = [[("p", age, name) for age in (1, 2) for name in "ab"]]
    sizes = {"k": LABELS, "h": LABELS, "m": many}
    return Labelled(problem, sizes, lambda: iter(cells), elements, labels=2 * LABELS)


def _papers(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about an author's few papers, by their years and venues in several maps."""
    step = rng.choice(("true", "new <= old", "new <= old"))
    few = 1 if step == "true" else rng.choice((1, 2))  # else the world has too few papers
    keys = [("author(c), paper(c)", 1), ("author(c), year(c)", 1), ("venue(c)", few),
            ("author(c), venue(c)", 1)]  # fmt: skip
    limits = [("author(c)", rng.choice((few, "m"))), *rng.sample(keys, rng.choice((0, 1, 1, 2)))]
    functions = {"f": (["Venue"], "int"), "g": (["int"], "int")}
    members = ("year(c) == i", "f(venue(c)) == i", "g(year(c)) == i", "year(c) <= i",
               "f(venue(c)) == i and year(c) == j", "year(c) == i and year(c) == j", "true",
               "lab(venue(c), i)", "year(c) == 1 and i == 1", "year(c) == 2")  # fmt: skip
    some = rng.sample(members, rng.choice((1, 2, 2, 3)))
    read = {n: x for n, x in functions.items() if any(f"{n}(" in member for member in some)}

    def drawn(n: int, member: str) -> Map:
        index = {x: "k" for x in "ij" if re.search(rf"\b{x}\b", member)}
        own = {"lab": (["Venue", "int"], "bool")} if "lab" in member else {}
        return Map(f"m{n}", member, index, own)

    maps = [drawn(n, member) for n, member in enumerate(some)]
    attributes = {"author": "Author", "paper": "Paper", "year": "int", "venue": "Venue"}
    cell = rng.choice(("true", "true", "1 <= year(c)", "1 <= year(c) and year(c) <= 2"))
    domain = Domain(attributes, read, limits=limits, cap=1, cell=cell, symbols={"m": "m >= 1"})
    edit = Edit({"p": "Author"}, "true", frame="author(c) == p", step=step)
    parts = _parts(rng, maps, counted=True)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    elements = {"Author": ("p",), "Paper": ("a", "b"), "Venue": ("u", "v")}
    cells = [list(itertools.product("p", "ab", (1, 2), "uv"))]
    return Labelled(problem, {"k": LABELS, "m": few}, lambda: iter(cells), elements)


def _undirected(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about a vertex of an undirected graph, with few edges of several kinds."""
    step = rng.choice(("true", "new <= old", "new <= old"))
    few = 1 if step == "true" else 2  # else the world has too few vertices
    keys = [("head(c)", "m"), ("tail(c), kind(c)", 1), ("kind(c)", 2), ("tail(c), head(c)", 1)]
    limits = [("tail(c)", rng.choice((few, "m"))), *rng.sample(keys, rng.choice((0, 0, 1)))]
    members = ("kind(c) == i", "kind(c) == i", "kind(c) <= i", "kind(c) == 2", "lab(kind(c), i)",
               "kind(c) == i and kind(c) >= 2", "kind(c) == i or kind(c) == 1")  # fmt: skip
    maps = [
        Map(f"m{n}", m, {"i": "k"} if re.search(r"\bi\b", m) else {},
            {"lab": (["int", "int"], "bool")} if "lab" in m else {})
        for n, m in enumerate(rng.sample(members[1:], rng.choice((1, 1, 2))))
    ]  # fmt: skip
    domain = Domain({"tail": "Vertex", "head": "Vertex", "kind": "int"}, limits=limits, cap=1,
                    facts=["D[c] == D[(head(c), tail(c), kind(c))]"], symbols={"m": "m >= 1"},
                    cell=rng.choice(("tail(c) != head(c)", "true")))  # fmt: skip
    edit = Edit({"p": "Vertex"}, "true", frame="tail(c) == p or head(c) == p", step=step)
    parts = _parts(rng, maps, counted=False)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    ends = [(a, b) for a, b in itertools.product("pvw", repeat=2) if "p" in (a, b)]
    cells = [[(*x, kind) for x in ends for kind in (1, 2)]]
    elements = {"Vertex": ("p", "v", "w")}
    return Labelled(problem, {"k": LABELS, "m": few}, lambda: iter(cells), elements)


def _levels(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about places on two levels, of the few records of a person."""
    frames = ("user(c) == p", "user(c) == p", "user(c) == p and day(c) == t",
              "user(c) == p and t <= day(c)")  # fmt: skip
    frame = rng.choice(frames)
    params = {n: s for n, s in {"p": "User", "t": "int"}.items() if re.search(rf"\b{n}\b", frame)}
    step = rng.choice(("true", "old == 0", "new <= old"))
    few = 1 if step == "true" else 2  # else the world has too few places
    keys = [("user(c)", rng.choice((1, few, "m", "m"))),
            ("user(c), day(c)", rng.choice((1, 1, "m")))]  # fmt: skip
    limits = rng.sample(keys, rng.choice((1, 1, 2)))
    distinct = [("place(c)", "user(c)", rng.choice((1, "m")))] if rng.random() < 0.25 else []
    limits = limits[1:] if distinct else limits
    used = sorted({str(x[-1]) for x in (*limits, *distinct) if isinstance(x[-1], str)})
    functions = {"f": (["Place", "int"], "int"), "g": (["Place"], "int")}
    members = ("f(place(c), i) == j", "f(place(c), i) == j", "f(place(c), i) == j",
               "f(place(c), i) == j and day(c) == i", "f(place(c), i) == j and day(c) <= i",
               "f(place(c), i) >= j", "f(place(c), i) == j or day(c) == j",
               "f(place(c), i) == day(c) and j == 1", "f(place(c), i) == j and g(place(c)) == i",
               "f(place(c), i) == j and g(place(c)) == j")  # fmt: skip
    some = rng.sample(members, rng.choice((1, 1, 1, 2)))
    own = len(some) == 1 and rng.random() < 0.7
    read = {n: f for n, f in functions.items() if any(f"{n}(" in member for member in some)}
    maps = [Map(f"m{n}", member, {"i": "h", "j": "k"}, read if own else {})
            for n, member in enumerate(some)]  # fmt: skip
    domain = Domain({"user": "User", "place": "Place", "day": "int"}, {} if own else read,
                    limits=limits, distinct=distinct, cap=rng.choice((None, 1)),
                    symbols={x: f"{x} >= 1" for x in used},
                    cell=rng.choice(("true", "true", "1 <= day(c)")))  # fmt: skip
    edit = Edit(params, "true", frame=frame, step=step)
    parts = _parts(rng, maps, counted=True)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    elements = {"User": ("p",), "Place": ("a", "b")}
    cells = [[("p", place, day) for place in "ab" for day in (1, 2)]]
    sizes = {"h": LABELS, "k": LABELS, **dict.fromkeys(used, 1)}
    return Labelled(problem, sizes, lambda: iter(cells), elements, 2)


def _devices(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about records of one user on some days, with few devices or the like."""
    frames = ("user(c) == p", "user(c) == p", "user(c) == p and device(c) >= t",
              "user(c) == p and t <= day(c) and day(c) < t + 2")  # fmt: skip
    frame = rng.choice(frames)
    params = {n: s for n, s in {"p": "User", "t": "int"}.items() if re.search(rf"\b{n}\b", frame)}
    of = rng.choice(("device(c)", "device(c)", "device(c)", "device(c) // 2", "device(c) % 2"))
    each = rng.choice(("user(c)", "user(c)", "user(c), day(c)", "day(c)"))
    most = rng.choice((1, 1, 2, "m"))
    limits = [("user(c)", rng.choice((1, 2, 3)))] if rng.random() < 0.15 else []
    members = ("device(c) == i and day(c) == j", "device(c) == i and day(c) == j",
               "device(c) == i and day(c) <= j", "i <= device(c) and day(c) == j",
               "device(c) == i or device(c) == i + 1", "device(c) % 2 == i % 2 and day(c) == j",
               "device(c) == i", "device(c) == i and day(c) <= device(c) + j - 1")  # fmt: skip
    some = rng.sample(members, rng.choice((1, 1, 1, 2)))
    some = some[:1] if any("%" in member for member in some) else some  # they may need a device 4
    maps = [
        Map(f"m{number}", member, {n: {"i": "k", "j": 2}[n] for n in "ij"
                                   if re.search(rf"\b{n}\b", member)})
        for number, member in enumerate(some)
    ]  # fmt: skip
    domain = Domain({"user": "User", "device": "int", "day": "int"}, limits=limits,
                    distinct=[(of, each, most)], cap=rng.choice((None, 1, 1)),
                    symbols={"m": "m >= 1"} if most == "m" else {},
                    cell=rng.choice(("true", "true", "1 <= device(c)", "1 <= day(c)")))  # fmt: skip
    edit = Edit(params, "true", frame=frame, step=rng.choice(("true", "true", "new <= old")))
    parts = _parts(rng, maps, counted=False)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    cells = [[("p", device, day) for device in (1, 2, 3) for day in (1, 2)]]
    sizes = {"k": K, **({"m": 1} if most == "m" else {})}
    return Drawn(problem, sizes, lambda: iter(cells), {"User": ("p", "q")}, 1)


# -------------------------------------------------------------------- records, counted or not


def _budgets(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about the few records of a user, which some parts count, others not."""
    name = rng.choice(("user_presence", "user_presence", "user"))
    most = rng.choice((1, 2, 2, 2 if name == "user" else 3, "m"))
    limits: list[tuple[str, int | str]] = [("user(c)", most)]
    limits += rng.choice(([], [], [("user(c), day(c)", 1)], [("user(c), day(c)", 2)]))
    distinct = rng.choice(([], [], [], [("day(c)", "user(c)", 1)]))
    members = ("h(c) == i", "h(c) == i", "h(c) == i", "day(c) == i", "h(id(c)) == i",
               "h(day(c)) == i", "h(c) == i or h(c) == i + 1",
               "h(c) == i and id(c) == r", "true", "day(c) <= 1")  # fmt: skip
    maps = []
    chosen = rng.sample(members, rng.choice((1, 1, 1, 2, 2)))
    known = any("== r" in member for member in chosen)
    name_of = "id" if known else "Record"
    for number, member in enumerate(chosen):
        labels = {f"h{number}": [{"h(c)": "cell", "h(id(c))": name_of, "h(day(c))": "int"}[of]]
                  for of in ("h(c)", "h(id(c))", "h(day(c))") if of in member}  # fmt: skip
        own = {f: (sorts, "int") for f, sorts in labels.items()}
        index = {"i": "k"} if "== i" in member else {}
        maps.append(Map(f"m{number}", member.replace("h(", f"h{number}("), index, own))
    domain = Domain(
        {"user": "User", "id": ("r", "s") if known else "Record", "day": "int"},
        symbols={"m": "m >= 1"} if most == "m" else {},
        cell="1 <= day(c) and day(c) <= 2",
        limits=limits, distinct=distinct, cap=rng.choice((None, 1, 1)),
    )  # fmt: skip
    settings = (
        (None, "separate"),
        (None, "common"),
        (library_granularity("unbounded"), "separate"),
    )
    parts = []
    for number in range(rng.choice((2, 2, 2, 3))):
        own, setting = settings[rng.choice((0, 1, 2, 2))]
        mapping = maps[number % len(maps)].name
        parts.append(Part(f"p{number}", mapping, own, _guarantees(number), setting=setting))
    granularity = library_granularity(name, owner="user")
    problem = Problem(domain, granularity, maps, parts, f"structured problem {seed}")
    ids = ("r", "s") if known else ("r", "s", "t", "u")
    some = [[("p", x, day) for x in ids[:2] for day in (1, 2)]]
    ways = ((1, 2, 1, 2), (1, 1, 1, 1), (2, 2, 2, 2), (1, 1, 1, 2), (2, 2, 2, 1))
    some += [
        [("p", x, day) for x, day in zip(ids, days, strict=True)]
        for days in (() if known else ways)
    ]  # fmt: skip
    sizes = {"k": K, **({"m": 2} if most == "m" else {})}
    records = {"User": ("p",), name_of: ids}
    return Labelled(problem, sizes, lambda: iter(some), records, 2, labels=K)


# -------------------------------------------------------------------- counts of what blocks hold

_MOVES = (
    "x != y",
    "day(x) != day(y)",
    "abs(day(x) - day(y)) == {a}",
    "x != y and abs(day(x) - day(y)) <= {b}",
    "day(y) == day(x) + {a}",
    "day(x) == day(y) + {a} or day(y) == day(x) + {b}",
    "x != y and kind(x) == kind(y)",
    "day(x) == day(y) and kind(x) != kind(y)",
    "kind(x) != kind(y) and abs(day(x) - day(y)) <= {a}",
)
_IMAGES: tuple[dict[str, str], ...] = (
    {},
    {},
    {},
    {"kind": "kind(c)"},
    {"half": "day(c)//2"},
    {"far": "abs(day(c))"},
    {"day": "day(c)"},
)
_HOLDING = (
    "day(c) <= i",
    "day(c) >= i",
    "day(c) == i",
    "i <= day(c) and day(c) < i + {b}",
    "{a}*(i - 1) < day(c) and day(c) <= {a}*i",
    "day(c) < i or day(c) > i + {a}",
    "day(c) <= i and kind(c) == red",
    "day(c) == i or kind(c) == blue",
    "day(c) % 3 == i",
    "abs(day(c) - i) <= {a}",
)


def _counts(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about how many records blocks hold, of what an image leaves of these."""
    numbers = {"a": rng.randint(1, 2), "b": rng.randint(1, 3)}
    names = [x for x in numbers if rng.random() < 0.25]
    given = {x: x if x in names else str(n) for x, n in numbers.items()}
    guard = rng.choice(_MOVES).format(**given)
    edits = [
        Edit({"x": "cell", "y": "cell"}, f"D[x] >= 1 and ({guard})", {"x": "-1", "y": "1"}),
        Edit({"x": "cell", "y": "cell"}, guard, {"x": "1", "y": "1"}),
        Edit({"x": "cell"}, "true", {"x": "1"}),
    ]
    chosen = [rng.choice((edits[0], edits[0], edits[0], *edits))]
    chosen += [edits[2]] if chosen[0] is edits[0] and rng.random() < 0.1 else []
    maps = [
        Map(f"m{n}", member.format(**given), {"i": "k"}, image=rng.choice((*_IMAGES, None)))
        for n, member in enumerate(rng.sample(_HOLDING, rng.choice((1, 1, 2))))
    ]
    said = " ".join([chosen[0].guard, *(m.member for m in maps)])
    used = [x for x in names if re.search(rf"\b{x}\b", said)]
    domain = Domain(
        {"id": "Event", "day": "int", "kind": ("red", "blue")},
        symbols={x: f"{x} >= 1" for x in used},
        cell=rng.choice(("true", "true", "day(c) >= 1", "1 <= day(c) and day(c) <= 3")),
        cap=rng.choice((None, None, 1)),
    )
    parts = [
        Part(f"p{n}", m.name, library_granularity(rng.choice((*("unbounded",) * 5, "bounded")))
             if (separate := rng.random() < 0.8) else None, _guarantees(n),
             setting="separate" if separate else "common")
        for n, m in enumerate(maps)
    ]  # fmt: skip
    problem = Problem(domain, Granularity("g", chosen), maps, parts, f"structured problem {seed}")
    sizes = {"k": K, **{x: numbers[x] for x in used}}
    return Drawn(problem, sizes, lambda: _events(random.Random(seed)), {"Event": ("e", "f")}, 2)


def _events(rng: random.Random) -> Iterator[Sequence[Cell]]:
    """Yield days one after the other and any others, with events of one kind, of two, or two alike.

    A step of up to three days is in some of each, wherever it begins.
    """
    for first, kind in itertools.product((-5, -3, -1, 1, 3), ("red", "blue")):
        yield [("e", d, kind) for d in range(first, first + 6)]
    for first in (1, 0, 2, -1, 3, 4, -2, 5, -3, 6, -4):
        days = (first, first + 1, first + 3)
        yield [("e", d, kind) for d in days for kind in ("red", "blue")]
        yield from ([(e, d, kind) for d in days for e in ("e", "f")] for kind in ("red", "blue"))
    for _ in range(12):
        some = sorted({(rng.randint(-4, 8), rng.choice(("red", "blue"))) for _ in range(6)})
        yield [("e", d, kind) for d, kind in some]


# -------------------------------------------------------------------- labels beside days


def _beside(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about what records are about, by labels, and about their days."""
    problem = problem_beside(rng, f"structured problem {seed}")
    some = list(cells_beside(problem, random.Random(seed)))
    return Labelled(problem, {"k": LABELS}, lambda: iter(some), ELEMENTS)


# -------------------------------------------------------------------- what records are said to be


def either(seed: int) -> Drawn:
    """Return a problem about neighbours that differ by a user's records, or by single ones.

    >>> either(1).problem.title
    'problem 1 of two edits'
    """
    rng = random.Random(f"{seed} either")
    domain, granularity, maps = edits.problem_parts(rng)
    parts = _parts(rng, maps, counted=True)
    problem = Problem(domain, granularity, maps, parts, f"problem {seed} of two edits")
    return Labelled(problem, edits.SIZES, lambda: iter([edits.CELLS]), edits.ELEMENTS)


def _labels(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about records that are one thing or another, on some days."""
    kinds = rng.choice((("red", "blue"), ("red", "blue", "green")))
    attributes: dict[str, Any] = {"day": "int"} | rng.choice(
        ({"flag": "bool", "kind": kinds[:2]}, {"kind": kinds}, {"flag": "bool", "who": "Who"})
    )
    of = "kind" if "kind" in attributes else "flag"
    names = list(attributes)
    asked = {"flag": ("flag(c)", "not flag(c)"),
             "kind": tuple(f"kind(c) {op} {v}" for op in ("==", "!=") for v in kinds
                           if v in attributes.get("kind", ())),
             "who": ("p(who(c))", "not p(who(c))")}  # fmt: skip
    labels = [x for a in names for x in asked.get(a, ())]
    guards = (
        "x != y",
        "x != y",
        f"x != y and {of}(x) == {of}(y)",
        "agree(x, y, day) and x != y",
        "x != y and abs(day(x) - day(y)) <= 1",
        f"day(x) == day(y) and {of}(x) != {of}(y)",
    )
    if rng.random() < 0.5:
        guard = rng.choice(("true", "true", rng.choice(labels).replace("(c)", "(x)")))
        edit = Edit({"x": "cell"}, guard, {"x": "1"})
    else:
        guard = f"D[x] >= 1 and {rng.choice(guards)}"
        edit = Edit({"x": "cell", "y": "cell"}, guard, {"x": "-1", "y": "1"})
    days = ("day(c) == i", "day(c) == i", "day(c) == i or day(c) == i + 1", "day(c) <= i")

    def member() -> str:
        one, two = rng.choice(labels), rng.choice(labels)
        return rng.choice((
            f"{rng.choice(days)}", f"({rng.choice(days)}) and {one}",
            f"({rng.choice(days)}) and {one}", f"({rng.choice(days)}) and ({one} or {two})",
            f"day(c) == i and (j == 1 and {one} or j == 2 and not ({one}))",
        ))  # fmt: skip

    some = [member() for _ in range(rng.choice((1, 2, 2, 3)))]
    maps = [
        Map(f"m{n}", member, {x: {"i": "k", "j": 2}[x] for x in "ij"
                              if re.search(rf"\b{x}\b", member)})
        for n, member in enumerate(some)
    ]  # fmt: skip
    used = any("p(" in member for member in some) or "p(" in guard
    domain = Domain(attributes, {"p": (["Who"], "bool")} if used else {},
                    cap=rng.choice((None, 1, 1)))  # fmt: skip
    parts = _parts(rng, maps, counted=True)
    problem = Problem(domain, Granularity("g", [edit]), maps, parts, f"structured problem {seed}")
    values = {"day": (1, 2, 3), "flag": (False, True), "kind": kinds, "who": ("p", "q")}
    cells = list(itertools.product(*(values[a] for a in names)))
    if "kind" in attributes and len(kinds) == 3 and len(names) > 2:
        cells = [c for c in cells if c[-1] != "green"]
    listed = {s: tuple(v) for s, v in domain.enumerations.items()}
    elements = {**listed, "Who": ("p", "q")}
    return Labelled(problem, {"k": LABELS}, lambda: iter([cells]), elements)


# -------------------------------------------------------------------- limits with keys


def _limits(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about what people have on three days, limited by keys."""
    keys = [("user(c)", rng.choice((1, 2, "m"))), ("user(c), day(c)", rng.choice((1, 1, "r"))),
            ("day(c)", 1)]  # fmt: skip
    limits = rng.sample(keys, rng.choice((1, 2, 2)))
    numbers = {"m": rng.choice((1, 2)), "r": 1}
    used = [str(most) for _, most in limits if isinstance(most, str)]
    limits, distinct = _of_different(limits, random.Random(f"{seed} distinct"))
    domain = Domain(
        {"user": "User", "day": "int"},
        symbols={x: f"{x} >= 1" for x in used},
        cell="1 <= day(c) and day(c) <= 3",
        limits=limits,
        distinct=distinct,
    )
    owned = {"owner": "user"}
    granularity = rng.choice((
        library_granularity("user", **owned),
        library_granularity("user_presence", **owned),
        Granularity("two days", [Edit({"u": "User", "t": "int"}, "true",
            frame="user(c) == u and t <= day(c) and day(c) < t + 2")]),
    ))  # fmt: skip
    members = ("day(c) == i", "h(c) == i", "i <= day(c) and day(c) < i + 2", "day(c) >= i")
    maps = []
    for number, member in enumerate(rng.sample(members, rng.choice((1, 1, 2)))):
        labels = {f"h{number}": (["cell"], "int")} if "h(" in member else {}
        maps.append(Map(f"m{number}", member.replace("h(", f"h{number}("), {"i": "k"}, labels))
    counted = all(m.functions or m.member == "day(c) == i" for m in maps)
    problem = Problem(
        domain, granularity, maps, _parts(rng, maps, counted=counted), f"structured problem {seed}"
    )
    sizes = {"k": K, **{x: numbers[x] for x in used}}
    most = 2 if any(most != 1 for _, most in limits) else 1
    cells = [[("p", day) for day in (1, 2, 3)]]
    return Drawn(problem, sizes, lambda: iter(cells), {"User": ("p", "q")}, most)


def _of_different(
    limits: Sequence[tuple[str, int | str]], rng: random.Random
) -> tuple[list[tuple[str, int | str]], list[tuple[str, str, int | str]]]:
    """Return limits of which some, now and then, count different days, or people, not records."""
    counted = {"user(c)": "day(c)", "day(c)": "user(c)"}
    kept: list[tuple[str, int | str]] = []
    distinct: list[tuple[str, str, int | str]] = []
    chance = rng.choice((0, 0.5, 1))
    for key, most in limits:
        if key in counted and rng.random() < chance:
            distinct.append((counted[key], key, most))
        else:
            kept.append((key, most))
    return kept, distinct


def _roles(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about messages, of which a person may send some and get some."""
    numbers = {"p": rng.choice((1, 2)), "q": rng.choice((1, 2))}
    limits = [("sender(c)", rng.choice((1, 2, "p", "p"))),
              ("receiver(c)", rng.choice((1, 2, "q", "q", "p")))]  # fmt: skip
    used = sorted({most for _, most in limits if isinstance(most, str)})
    domain = Domain(
        {"sender": "User", "receiver": "User", "day": "int"},
        symbols={x: f"{x} >= 1" for x in used},
        cell="1 <= day(c) and day(c) <= 2",
        limits=limits,
        cap=rng.choice((None, 1)),
    )
    frame = rng.choice((
        "sender(c) == v or receiver(c) == v",
        "(sender(c) == v or receiver(c) == v) and day(c) <= t",
        "sender(c) == v and day(c) == 1 or receiver(c) == v",
    ))  # fmt: skip
    one, other = (numbers.get(str(most), most) for _, most in limits)
    both = one == other and (one == 1 or domain.cap is None)  # else the world has too few people
    step = (
        rng.choice(("true", "true", "old == 0")) if both else rng.choice(("old == 0", "new <= old"))
    )
    edit = Edit({"v": "User", "t": "int"}, "true", frame=frame, step=step)
    member = rng.choice(("true", "day(c) == i", "day(c) >= i"))
    maps = [Map("m", member, {"i": "k"} if "i" in member else {})]
    problem = Problem(
        domain, Granularity("a person", [edit]), maps, _parts(rng, maps, counted=True),
        f"structured problem {seed}",
    )  # fmt: skip
    pairs = (("v", "w"), ("v", "x"), ("w", "v"), ("x", "v"))
    cells = [[(*pair, 1) for pair in pairs], [(*pair, 2) for pair in pairs],
             [(*pair, day) for pair in pairs[::2] for day in (1, 2)]]  # fmt: skip
    sizes = {"k": K, **{x: numbers[x] for x in used}}
    return Drawn(problem, sizes, lambda: iter(cells), {"User": ("v", "w", "x")}, 2)


# -------------------------------------------------------------------- tables


def tables(seed: int) -> Drawn:
    """Return the random problem about tables with this number.

    >>> len(tables(1).problem.domain.attributes)
    3
    """
    rng = random.Random(f"{seed} tables")
    return rng.choice((_table, _rows))(rng, seed)


def _table(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about tables with a value at each place, of which some may change."""
    height, width = rng.choice(((1, 2), (2, 1), (1, 1)))
    domain = Domain(
        {"row": "int", "column": "int", "val": "Value"},
        symbols={"R": "R >= 1", "C": "C >= 1"},
        cap=1,
        universe="product",
        cell="1 <= row(c) and row(c) <= R and 1 <= column(c) and column(c) <= C",
        limits=[("row(c), column(c)", 1)],
        size=["size(D) == R*C"],
    )
    frame = rng.choice(("row(c) == t", "column(c) == t", "row(c) == t or column(c) == t", "true",
                        "t <= column(c) and column(c) < t + 2", "row(c) <= t"))  # fmt: skip
    step = rng.choice(("true", "true", "true", "old == 0 or new == 0", "new <= old", "val(c) != v"))
    params = {"t": "int", **({"v": "Value"} if "v" in step.split() else {})}
    edit = Edit(params, "true", frame=frame, step=step)
    members = ("column(c) == i", "row(c) == i", "h(c) == i", "h(c) == i and column(c) <= 1")
    maps = []
    for number, member in enumerate(rng.sample(members, rng.choice((1, 1, 2)))):
        labels = {f"h{number}": (["cell"], "int")} if "h(" in member else {}
        maps.append(Map(f"m{number}", member.replace("h(", f"h{number}("), {"i": "k"}, labels))
    if rng.random() < 0.3:
        maps.append(Map("all", "true"))
    parts = [Part(f"p{n}", m.name, None, _guarantees(n), setting="common")
             for n, m in enumerate(maps)]  # fmt: skip
    problem = Problem(
        domain, Granularity("places", [edit]), maps, parts, f"structured problem {seed}"
    )
    places = itertools.product(range(1, height + 1), range(1, width + 1))
    values = ("v1", "v2", "v3", "v4")[: 2 * height * width]
    cells = [(*place, v) for place in places for v in values]
    sizes = {"k": K, "R": height, "C": width}
    return Drawn(problem, sizes, lambda: iter([cells]), {"Value": values})


def _rows(rng: random.Random, seed: int) -> Drawn:
    """Return a problem about customers, their orders, and the items of these: foreign keys."""
    a, b = rng.choice(((1, 1), (1, 2), (2, 1)))
    limits = rng.choice((
        [], [], [], [("customer(c)", rng.choice((1, 2, 3, "a", "b")))],
        [("customer(c), order(c)", rng.choice((1, 2, "b")))],
    ))  # fmt: skip
    domain = Domain(
        {"customer": "Customer", "order": "int", "item": "int"},
        symbols={"a": "a >= 1", "b": "b >= 1"},
        cap=1,
        cell="0 <= order(c) and order(c) <= a and 0 <= item(c) and item(c) <= b "
        "and implies(order(c) == 0, item(c) == 0)",
        limits=limits,
    )
    granularity = rng.choice((
        library_granularity("user", owner="customer"),
        library_granularity("user_presence", owner="customer"),
        library_granularity("user_presence", owner="customer"),
        Granularity("orders", [Edit({"u": "Customer"}, "true",
            frame="customer(c) == u and order(c) >= 1", step="new <= old")]),
        Granularity("an order", [Edit({"u": "Customer", "t": "int"}, "true",
            frame="customer(c) == u and order(c) == t", step="new <= old")]),
    ))  # fmt: skip
    members = ("order(c) == 0", "order(c) >= 1 and item(c) == 0", "item(c) >= 1", "order(c) >= 1",
               "true", "order(c) <= 1", "item(c) <= 1 and order(c) >= 1")  # fmt: skip
    maps = [Map(f"m{n}", m) for n, m in enumerate(rng.sample(members, rng.choice((1, 2, 3))))]
    if rng.random() < 0.3 and (a, b) != (2, 1):
        label = Map("h", "h(c) == i", {"i": "k"}, {"h": (["cell"], "int")})
        maps.append(rng.choice((label, Map("o", "order(c) == i", {"i": "k"}))))
    problem = Problem(
        domain, granularity, maps, _parts(rng, maps, counted=True), f"structured problem {seed}"
    )
    cells = [("p", 0, 0), *(("p", o, i) for o in range(1, a + 1) for i in range(b + 1))]
    return Drawn(problem, {"k": K, "a": a, "b": b}, lambda: iter([cells]), {"Customer": ("p", "q")})


# -------------------------------------------------------------------- few records in each epoch


def epochs(seed: int) -> Drawn:
    """Return a problem about users with few records in each epoch.

    >>> epochs(1).problem.title
    'problem 1 of epochs'
    """
    rng = random.Random(f"{seed} epochs")
    problem = problem_of_epochs(rng, f"problem {seed} of epochs")
    some = cells_of_epochs(problem)
    return Drawn(problem, sizes_of_epochs(problem, rng), lambda: iter(some), OF_USERS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print random problems as specs."""
    parser = argparse.ArgumentParser(description="print random problems with structured blocks")
    parser.add_argument("--count", type=int, default=1, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first")
    chosen = parser.parse_args(arguments)
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        sys.stdout.write(describe(structured(seed).problem) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
