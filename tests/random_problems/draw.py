"""Draws domains, granularities, maps and parts at random, in the words of the language.

Everything is made of strings, as a user writes them.  Guards, changes, frames and steps come from
small pools that are chosen to bite: a condition that almost never holds, or almost always, finds no
mistakes.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence

from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    Universe,
    library_granularity,
    library_map,
)
from dpcomp_sym.terms import BOOL, CELL, INT

__all__ = [
    "Words",
    "draw",
    "guarantees",
    "inner_class",
    "inner_granularity",
    "known_granularity",
    "own_granularity",
    "random_map",
]


# -------------------------------------------------------------------- domains


def _domain(rng: random.Random) -> Domain:
    kind = rng.choices(
        ["tuples", "owner", "stream", "flags", "kinds", "ordered", "records", "graph", "table"],
        [4, 3, 3, 2, 2, 2, 3, 3, 2],
    )[0]
    if kind == "graph":
        return _graph(rng)
    if kind == "table":
        return _table_of_places(rng)
    cap = rng.choice([None, None, 1])
    universe = rng.choice([Universe.ANY, Universe.ANY, Universe.PRODUCT])
    limits: list[tuple[str, str | int]] = []
    functions: dict[str, tuple[Sequence[str], str]] = {}
    symbols: dict[str, str] = {}
    cell = "true"
    attributes: dict[str, str | Sequence[str]]
    match kind:
        case "tuples":
            attributes = {"a": "A", "b": rng.choice(["A", "B", "B"])}
            if rng.random() < 0.4:
                functions["vip"] = (["cell"], "bool")
            if rng.random() < 0.3:
                functions["good"] = (["A"], "bool")
            if attributes["b"] == "A" and rng.random() < 0.5:
                cell = "a(c) != b(c)"
            if rng.random() < 0.15:
                limits = [("a(c)", rng.choice([1, 2]))]
        case "owner":
            attributes = {"id": "R", "owner": "U"}
            functions["home"] = (["U"], "H")
            if rng.random() < 0.25:
                limits = [(rng.choice(["owner(c)", "home(owner(c))"]), rng.choice([1, 2]))]
        case "stream":
            attributes = {"time": "int", "owner": "U"}
            symbols["w"] = rng.choice(["w >= 1", "w >= 2", "1 <= w and w <= 2"])
            universe = Universe.ANY
            if rng.random() < 0.25:
                limits = [(rng.choice(["time(c)", "owner(c)"]), rng.choice([1, 2]))]
            if rng.random() < 0.2:
                cell = "time(c) >= 0"
        case "flags":
            attributes = {"id": "R", "vip": "bool"}
        case "kinds":
            attributes = {"kind": ["red", "green"], "id": "R"}
            if rng.random() < 0.3:
                attributes = {"kind": ["red", "green", "blue"]}
        case "ordered":
            attributes = {"idx": "int", "val": "V"}
            cap, limits, universe = 1, [("idx(c)", 1)], Universe.ANY
        case _:
            attributes = {"id": "R"}
            functions["group"] = (["cell"], rng.choice(["G", "int"]))
            if rng.random() < 0.5:
                functions["vip"] = (["cell"], "bool")
    sizes = ["size(D) == 2", "size(D) <= 2", "size(D) >= 1", "size(D) <= 3"]
    size = [rng.choice(sizes)] if rng.random() < 0.2 else []
    return Domain(
        attributes, functions=functions, symbols=symbols, cell=cell, cap=cap, size=size,
        limits=limits, universe=universe, at_least=rng.choice([1, 1, 1, 2, 3]),
        facts=_facts(attributes, rng),
    )  # fmt: skip


def _facts(attributes: Mapping[str, str | Sequence[str]], rng: random.Random) -> tuple[str, ...]:
    """Return now and then what one cell of a database says of another, or of the size."""
    if rng.random() < 0.93:
        return ()
    found = ["implies(D[c] >= 1, size(D) <= 2)", "D[c] <= 1 or size(D) >= 3"]
    for name, sort in attributes.items():
        if sort == INT:
            found += [
                f"implies(D[c] >= 1, {name}(c) <= size(D))",
                f"implies({name}(c) >= 1, D[c] <= D[replace(c, {name}, {name}(c) - 1)])",
            ]
    for (a, s), (b, t) in itertools.combinations(attributes.items(), 2):
        if s == t:
            found += [f"D[c] <= D[replace(c, {a}, {b}(c))]", f"D[c] <= D[({b}(c), {a}(c))]"]
    return (rng.choice(found),)


def _graph(rng: random.Random) -> Domain:
    sort = rng.choice(["V", INT])
    cell = "tail(c) < head(c)" if sort == INT else "tail(c) != head(c)"
    near: dict[str, tuple[Sequence[str], str]] = {"near": ([sort, sort], BOOL)}
    symmetric = sort == "V" and rng.random() < 0.3
    return Domain(
        {"tail": sort, "head": sort}, functions=near if rng.random() < 0.2 else {}, cell=cell,
        cap=1, at_least=rng.choice([1, 1, 2, 3]),
        facts=("D[c] == D[(head(c), tail(c))]",) if symmetric else (),
    )  # fmt: skip


def _table_of_places(rng: random.Random) -> Domain:
    return Domain(
        {"row": INT, "col": rng.choice([INT, "K"]), "val": "V"},
        symbols={"w": rng.choice(["w >= 1", "1 <= w and w <= 2"])},
        cell=rng.choice(["true", "1 <= row(c) and row(c) <= w"]),
        cap=rng.choice([1, None]),
        size=[rng.choice(["size(D) == 2", "size(D) == w"])] if rng.random() < 0.2 else [],
        limits=[("row(c), col(c)", rng.choice([1, 1, 2]))],
    )


# -------------------------------------------------------------------- granularities


class Words:
    """Terms over a cell variable, by sort, and parameters that a formula may use."""

    def __init__(self, domain: Domain, rng: random.Random) -> None:
        self.domain = domain
        self.rng = rng

    def terms(self, cell: str) -> list[tuple[str, str]]:
        """Return (term, sort) for the attributes of a cell and functions of them."""
        found = [(f"{a}({cell})", s) for a, s in self.domain.attribute_sorts.items()]
        for name, (args, result) in self.domain.signatures.items():
            if args == (CELL,):
                found.append((f"{name}({cell})", result))
            elif len(args) == 1:
                found += [
                    (f"{name}({a}({cell}))", result)
                    for a, s in self.domain.attribute_sorts.items()
                    if s == args[0]
                ]
        return found

    def same(self, x: str, y: str) -> str:
        """Return that two cells agree on a random term."""
        number = self.rng.randrange(len(self.terms("c")))
        return f"{self.terms(x)[number][0]} == {self.terms(y)[number][0]}"

    def relations(self, x: str, y: str) -> list[tuple[str, str, str]]:
        """Return relations of the domain between attributes of two cells: (name, term, term)."""
        return [
            (name, left, right)
            for name, (args, result) in self.domain.signatures.items()
            if len(args) == 2 and result == BOOL
            for left in [t for t, s in self.terms(x) if s == args[0]][:1]
            for right in [t for t, s in self.terms(y) if s == args[1]][:2]
        ]

    def ends(self) -> tuple[str, str] | None:
        """Return the names of two attributes of one sort."""
        pairs = itertools.combinations(self.domain.attribute_sorts.items(), 2)
        return next(((a, b) for (a, s), (b, t) in pairs if s == t), None)

    def predicate(self, x: str) -> str | None:
        """Return a random condition on one cell."""
        found = [t for t, s in self.terms(x) if s == BOOL]
        found += [f"{t} <= 0" for t, s in self.terms(x) if s == INT]
        for term, sort in self.terms(x):
            found += [f"{term} == {v}" for v in self.domain.enumerations.get(sort, ())[:1]]
        if not found:
            return None
        chosen = self.rng.choice(found)
        return chosen if self.rng.random() < 0.7 else f"not {chosen}"

    def time(self) -> str | None:
        """Return the name of an integer attribute."""
        found = [a for a, s in self.domain.attribute_sorts.items() if s == INT]
        return found[0] if found else None

    def width(self) -> str:
        """Return a symbol of the domain, or a number."""
        return next(iter(self.domain.symbols), "2")


def _guard(words: Words, points: Sequence[str], *, removes: Sequence[str]) -> str:
    rng, x = words.rng, points[0]
    atoms = [f"D[{p}] >= 1" for p in removes if rng.random() < 0.7]
    pool = [
        f"D[{x}] >= 1", f"D[{x}] >= 2", f"D[{x}] == 0", f"D[{x}] <= 1", "size(D) <= 2",
        "size(D) >= 1", "size(D) != 2",
    ]  # fmt: skip
    if (one := words.predicate(x)) is not None:
        pool += [one, one, f"D[{x}] >= 1 or {one}"]
    for x, y in itertools.combinations(points, 2):
        if rng.random() < 0.6:
            atoms.append(f"{x} != {y}")
        else:
            pool.append(f"{x} == {y}")
        pool += [
            f"D[{y}] == 0", f"D[{y}] >= 1", f"D[{x}] >= D[{y}]",
            f"D[{x}] + D[{y}] <= 2", words.same(x, y), words.same(x, y),
            f"not ({words.same(x, y)})", f"differ_in_one({x}, {y})",
        ]  # fmt: skip
        attribute = rng.choice(list(words.domain.attributes))
        mixed = f"replace({x}, {attribute}, {attribute}({y}))"
        pool += rng.sample([f"D[{mixed}] == 0", f"D[{mixed}] >= 1", f"{mixed} != {y}"], 1)
        pool += [f"agree({x}, {y}, {attribute})", f"differ_only({x}, {y}, {attribute})"]
        pool += [f"{f}({a}, {b})" for f, a, b in words.relations(x, y)]
        if (other := words.predicate(y)) is not None:
            pool += [other, f"implies({other}, D[{x}] == 1)"]
        if (time := words.time()) is not None:
            apart = f"{time}({x}) - {time}({y})"
            pool += [
                f"{time}({x}) <= {time}({y})", f"abs({apart}) < {words.width()}",
                f"{time}({y}) == {time}({x}) + 1", f"{apart} <= {words.width()}",
            ]  # fmt: skip
    atoms += rng.sample(pool, min(len(pool), rng.choice([0, 0, 1, 1, 1, 2])))
    return " and ".join(f"({a})" if " or " in a else a for a in atoms) or "true"


_CHANGES: tuple[dict[str, str | int], ...] = (
    {"x": 1}, {"x": -1}, {"x": 2}, {"x": "-D[x]"}, {"x": "D[x]"}, {"x": "1 - 2*D[x]"},
    {"x": -1, "y": 1}, {"x": -1, "y": 1}, {"x": 1, "y": 1}, {"x": -1, "y": 2},
    {"x": -1, "y": -1}, {"x": "-D[x]", "y": "D[x]"}, {"x": -2, "y": "1"},
    {"x": "D[y] - D[x]", "y": "D[x] - D[y]"}, {"x": -1, "y": 1, "z": 1},
    {"x": 1, "y": 1, "z": -2}, {"x": 1, "y": "1 if D[x] == 0 else 0"},
)  # fmt: skip
_SIMPLE: tuple[dict[str, str | int], ...] = ({"x": 1}, {"x": -1}, {"x": -1, "y": 1}, {"x": 2})
_STEPS = (
    "true", "true", "old == 0", "new <= old", "new == old + 1", "abs(new - old) <= 1",
    "new == 0 or new == old", "new >= old", "old + new <= 2", "new != old",
)  # fmt: skip


def _change_edit(words: Words, changes: Sequence[dict[str, str | int]]) -> Edit:
    rng = words.rng
    change = dict(rng.choice(changes))
    points = list(change)
    extra = ["q"] if rng.random() < 0.06 and len(points) < 3 else []
    removes = [p for p, d in change.items() if str(d).startswith("-")]
    guard = _guard(words, [*points, *extra], removes=removes)
    params = dict.fromkeys([*points, *extra], CELL)
    return Edit(params, guard, change)


def _frame_edit(words: Words) -> Edit:
    rng = words.rng
    options: list[tuple[dict[str, str], str]] = [({}, "true"), ({"x": CELL}, "c == x")]
    for term, sort in words.terms("c"):
        options += [({"u": sort}, f"{term} == u")] * 2
    if (one := words.predicate("c")) is not None:
        options += [({}, one)]
    options += [({"x": CELL}, words.same("c", "x"))] * 2
    if (time := words.time()) is not None:
        window = f"t <= {time}(c) and {time}(c) < t + {words.width()}"
        options += [({"t": INT}, window)] * 3
    params, frame = rng.choice(options)
    if (two := words.predicate("c")) is not None and rng.random() < 0.25:
        frame = f"{frame} and {two}"
    guard = "true"
    if rng.random() < 0.4:
        point = "x" if "x" in params else "y" if rng.random() < 0.5 else None
        if point is None:
            guard = rng.choice(["size(D) <= 2", "size(D) >= 1", "size(D) == 1"])
        else:
            params = {**params, point: CELL}
            guard = _guard(words, [point], removes=[])
    steps = list(_STEPS)
    if rng.random() < 0.15:
        steps = _steps_that_read(words)
    return Edit(params, guard, None, frame, rng.choice(steps))


def _steps_that_read(words: Words) -> list[str]:
    """Return steps that look at another cell of the database before the edit."""
    found = ["new <= size(D)", "new == old or size(D) >= 2"]
    for name, sort in words.domain.attribute_sorts.items():
        if sort == INT:
            before = f"D[replace(c, {name}, {name}(c) - 1)]"
            found += [f"new == {before}", f"new <= old + {before}", f"new == old or {before} >= 1"]
        for other, same in words.domain.attribute_sorts.items():
            if other != name and same == sort:
                found.append(f"new == D[replace(c, {name}, {other}(c))]")
    return found


def own_granularity(domain: Domain, rng: random.Random, name: str) -> Granularity:
    """Return a granularity of one to three random edits."""
    words = Words(domain, rng)
    if rng.random() < 0.12:
        edits = [_change_edit(words, _SIMPLE)]
        return Granularity(name, edits, directed=rng.random() < 0.2, group=2)
    edits = []
    for _ in range(rng.choice([1, 1, 1, 2])):
        frame = rng.random() < 0.3
        edits.append(_frame_edit(words) if frame else _change_edit(words, _CHANGES))
    return Granularity(name, edits, directed=rng.random() < 0.08)


def known_granularity(domain: Domain, rng: random.Random) -> Granularity:
    """Return a built-in granularity that fits the attributes."""
    terms = [t for t, s in Words(domain, rng).terms("c") if s != BOOL]
    attribute = rng.choice(list(domain.attributes))
    options: list[tuple[str, dict[str, str]]] = [
        *[("unbounded", {})] * 3, *[("bounded", {})] * 3, ("unbounded_or_bounded", {}),
        ("attribute", {}), ("label", {"label": attribute}), ("free_lunch", {}),
        ("user", {"owner": rng.choice(terms)}), ("user", {"owner": rng.choice(terms)}),
        ("user_presence", {"owner": rng.choice(terms)}),
        ("ordered_bounded", {"position": attribute}),
    ]  # fmt: skip
    words = Words(domain, rng)
    if (ends := words.ends()) is not None:
        both = {"tail": ends[0], "head": ends[1]}
        options += [("node", both), ("node", both), ("edge_neighbourhood", both)]
    if (time := words.time()) is not None:
        options += [
            ("w_event", {"time": time, "length": words.width()}),
            ("nearby", {"value": time}),
        ]
    if (one := words.predicate("c")) is not None:
        options.append(("one_sided", {"sensitive": one}))
    name, arguments = rng.choice(options)
    return library_granularity(name, group=1, **arguments)


_ANYWHERE = ("unbounded", "bounded", "unbounded_or_bounded", "free_lunch", "attribute")


def inner_granularity(domain: Domain, rng: random.Random, *, image: bool) -> Granularity | None:
    """Return None for the outer granularity; on images the vocabulary of cells is another one."""
    if rng.random() < 0.45:
        return None
    if image:
        if rng.random() < 0.7:
            return library_granularity(rng.choice(_ANYWHERE[:4]))
        points = {"x": CELL, "y": CELL}
        change: dict[str, str | int] = {"x": -1, "y": 1}
        guard = rng.choice(["D[x] >= 1", "D[x] >= 1 and D[y] >= 1", "x != y and size(D) <= 3"])
        return Granularity("inner", [Edit(points, guard, change)])
    if rng.random() < 0.5:
        return known_granularity(domain, rng)
    return own_granularity(domain, rng, "inner")


# -------------------------------------------------------------------- maps


def random_map(domain: Domain, rng: random.Random, name: str) -> Map:
    """Return a built-in map, or one that is put together at random."""
    words = Words(domain, rng)
    k: str | int = "k"
    by = rng.choice(["c", "c", *[t for t, s in words.terms("c") if s != BOOL]])
    sort = next((s for t, s in words.terms("c") if t == by), CELL)
    options = [
        *["partition"] * 4, *["partial"] * 3, *["cover"] * 2, "filter", "filter", "projection",
        "cardinality", "identity", "copies", *["own"] * 3,
    ]  # fmt: skip
    time = words.time()
    if time is not None:
        options += ["windows"] * 3 + ["sliding"] + ["labels"] * 2
    ends = words.ends()
    if ends is not None:
        options += ["induced", "incident"] * 2
    match rng.choice(options):
        case "partition":
            return library_map("partition", name=name, by=by)
        case "partial":
            k = 2 if rng.random() < 0.3 else "k"
            return library_map("partial_partition", name=name, by=by, index={"i": k})
        case "cover":
            m: int | str = rng.choice([1, 2, 2, 2])
            m = "m" if rng.random() < 0.2 else m
            k = 3 if rng.random() < 0.3 else "k"
            return library_map("cover", name=name, by=by, m=m, index={"i": k})
        case "filter":
            keep = words.predicate("c")
            if keep is None or rng.random() < 0.5:
                return library_map("filter", name=name)
            return Map(name, keep)
        case "projection":
            terms = [(t, s) for t, s in words.terms("c") if "(" in t and t.count("(") == 1]
            names = {t.split("(")[0]: t for t, _ in terms if t.split("(")[0] in domain.attributes}
            kept = rng.sample(sorted(names), rng.randint(1, len(names)))
            image = {n: names[n] for n in kept}
            if rng.random() < 0.25:
                other, other_sort = rng.choice(words.terms("c"))
                if other_sort not in domain.enumerations:
                    image["seen"] = other
            return library_map("projection", name=name, image=image)
        case "cardinality":
            return library_map("cardinality", name=name)
        case "identity":
            return library_map("identity", name=name)
        case "copies":
            return library_map("copies", name=name)
        case "windows":
            if rng.random() < 0.5:
                return library_map("windows", name=name, time=str(time), length="2")
            member = f"(i-1)*L <= {time}(c) and {time}(c) < i*L"
            return Map(name, member, {"i": k}, symbols={"L": "1 <= L and L <= 3"})
        case "sliding":
            if rng.random() < 0.5:
                return library_map(
                    "sliding_windows", name=name, time=str(time), length=words.width()
                )
            member = f"i <= {time}(c) and {time}(c) < i + L"
            return Map(name, member, {"i": k}, symbols={"L": "1 <= L and L <= 3"})
        case "induced" | "incident" as use if ends is not None:
            return library_map(use, name=name, tail=ends[0], head=ends[1])
        case "labels":
            return library_map("labels", name=name, label=str(time))
        case _:
            return _own_map(rng, name, by, sort, words)


def _own_map(rng: random.Random, name: str, by: str, sort: str, words: Words) -> Map:
    inner = "c" if by == "c" else by
    h = f"h({inner})"
    functions: dict[str, tuple[Sequence[str], str]] = {"h": ([sort], "int")}
    options: list[Map] = [
        Map(name, f"{h} <= i", {"i": "k"}, functions),
        Map(name, f"{h} != i", {"i": "k"}, functions, ["1 <= " + h]),
        Map(name, f"{h} == i or {h} == i + 1", {"i": "k"}, functions),
        Map(name, f"{h} == i and keep(c)", {"i": "k"}, {**functions, "keep": (["cell"], "bool")}),
        Map(name, f"{h} == i", {"i": "k"}, functions, [f"0 <= {h} and {h} <= 2"]),
        Map(name, f"{h} <= i", {"i": "k"}, functions, [f"{h} >= k"]),
        Map(
            name, f"{h} == i or g(c) == i", {"i": "k"},
            {**functions, "g": (["cell"], "int")}, [f"g(c) == {h}"],
        ),
        Map(name, f"{h} == i and j <= 2", {"i": "k", "j": 2}, functions),
    ]  # fmt: skip
    terms = [t for t, s in words.terms("c") if s == sort]
    if sort not in (CELL, BOOL) and len(terms) > 1:
        left, right = terms[:2]
        incident = f"h({left}) == i or h({right}) == i"
        induced = f"h({left}) == i and h({right}) == i"
        options += [Map(name, f, {"i": "k"}, functions) for f in (incident, induced)]
    one = words.predicate("c")
    if one is not None:
        options.append(Map(name, f"{h} == i and {one}", {"i": "k"}, functions))
        constant = [f"implies({one}, {h} == 1)"]
        options.append(Map(name, f"{h} == i", {"i": "k"}, functions, constant))
    return rng.choice(options)


# -------------------------------------------------------------------- problems


def inner_class(rng: random.Random) -> InnerClass | None:
    """Return now and then a class that a part demands."""
    if rng.random() < 0.9:
        return None
    return rng.choice(
        [
            InnerClass(cap=1), InnerClass(cap=2), InnerClass(size=["size(D) <= 2"]),
            InnerClass(size=["size(D) >= 1"]), InnerClass(size=["size(D) <= 4"]),
        ]
    )  # fmt: skip


def draw(rng: random.Random, title: str) -> Problem:
    """Return a problem of one or two parts; what does not fit together raises an error."""
    domain = _domain(rng)
    known = rng.random() < 0.4
    outer = known_granularity(domain, rng) if known else own_granularity(domain, rng, "outer")
    maps = [random_map(domain, rng, "f")]
    wanted: str | list[str] = "f"
    if rng.random() < 0.1:
        maps = [library_map("filter", name="g"), maps[0]]
        wanted = ["g", "f"]
    image = maps[-1].image is not None
    setting = rng.choices(["separate", "common"], [4, 1])[0]
    parts = [_part(domain, rng, "p", wanted, setting, image=image)]
    if rng.random() < 0.25:
        other = rng.random()
        setting = rng.choices(["separate", "common"], [4, 1])[0]
        if other < 0.4:
            parts.append(_part(domain, rng, "q", wanted, setting, image=image))
        else:
            extra = library_map("identity", name="whole") if other < 0.6 else None
            maps.append(extra or random_map(domain, rng, "e"))
            image = maps[-1].image is not None
            parts.append(_part(domain, rng, "q", maps[-1].name, setting, image=image))
    return Problem(domain, outer, maps, parts, title)


def _part(
    domain: Domain, rng: random.Random, name: str, reads: str | list[str], setting: str, *,
    image: bool,
) -> Part:  # fmt: skip
    if setting == "common":
        inner = None if rng.random() < 0.8 else known_granularity(domain, rng)
        return Part(name, reads, inner, guarantees(name), setting="common")
    inner = inner_granularity(domain, rng, image=image)
    return Part(name, reads, inner, guarantees(name), inner=inner_class(rng))


def guarantees(name: str) -> dict[str, tuple[str, ...]]:
    """Return parameters of a part's own: two families of blocks must not share any."""
    return {
        "pure": (f"eps_{name}",),
        "approximate": (f"eps_{name}", f"delta_{name}"),
        "zcdp": (f"rho_{name}",),
        "gaussian": (f"mu_{name}",),
    }
