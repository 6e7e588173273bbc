"""Makes random problems wider: what one draw of each piece alone would not put together.

Each widening takes a problem and returns one that has something more: up to four parts, maps that
apply a function to an index, amounts that depend on a condition, several maps under frames,
composed maps, symbols that may be 0 or negative, and so on.  What does not fit together raises
`InputError`, as for a user.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    Universe,
    library_map,
)
from dpcomp_sym.terms import BOOL, CELL, INT
from tests.random_problems.draw import (
    Words,
    guarantees,
    inner_class,
    inner_granularity,
    known_granularity,
    own_granularity,
    random_map,
)

__all__ = ["MOST_PARTS", "widened"]

MOST_PARTS: Final = 4
Functions = dict[str, tuple[Sequence[str], str]]


def widened(problem: Problem, rng: random.Random) -> Problem:
    """Return the problem as it is, or with one to three things more.

    Raises:
        InputError: what was drawn does not fit together.
    """
    for widening in rng.sample(_WIDENINGS, rng.choice([0, 0, 1, 1, 1, 2, 2, 3])):
        problem = widening(problem, rng)
    return problem


# -------------------------------------------------------------------- parts


def _another(names: Sequence[str], stem: str) -> str:
    """Return a name that is not among the given ones."""
    return next(n for n in (f"{stem}{m}" for m in range(1, 99)) if n not in names)


def _reading(
    problem: Problem, rng: random.Random, reads: str | Sequence[str], maps: Sequence[Map]
) -> Part:
    """Return one more part, which reads the given map or chain of maps."""
    name = _another([p.name for p in problem.parts], "r")
    last = reads if isinstance(reads, str) else reads[-1]
    image = next(m for m in maps if m.name == last).image is not None
    setting = rng.choices(["separate", "common"], [3, 1])[0]
    if setting == "common":
        inner = None if rng.random() < 0.7 else known_granularity(problem.domain, rng)
        return Part(name, reads, inner, guarantees(name), setting="common")
    own = inner_granularity(problem.domain, rng, image=image)
    return Part(name, reads, own, guarantees(name), inner=inner_class(rng))


def _more_parts(problem: Problem, rng: random.Random) -> Problem:
    """Add parts up to four, on the maps that there are or on simple new ones."""
    while len(problem.parts) < MOST_PARTS and rng.random() < 0.75:
        maps = list(problem.maps)
        if rng.random() < 0.4 and len(maps) < MOST_PARTS:
            name = _another([m.name for m in maps], "m")
            simple = rng.choice(["identity", "filter", "partition", "copies", "any"])
            made = library_map(simple, name=name) if simple != "any" else None
            maps.append(made or random_map(problem.domain, rng, name))
            reads: str | Sequence[str] = name
        else:
            reads = rng.choice([p.map for p in problem.parts])
        part = _reading(problem, rng, reads, maps)
        problem = replace(problem, maps=maps, parts=[*problem.parts, part])
    return problem


def _of_several_notions(problem: Problem, rng: random.Random) -> Problem:
    """Let each part declare some notions only, now and then with numbers."""
    numbers = [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)]
    parts = []
    for part in problem.parts:
        kept = [n for n in part.guarantees if rng.random() < 0.5] or [
            rng.choice(list(part.guarantees))
        ]
        chosen: dict[str, tuple[str | Fraction, ...]] = {}
        for notion in kept:
            names = part.guarantees[notion]
            given = (rng.choice(numbers), Fraction(1, 100))[: len(names)]
            chosen[notion] = given if rng.random() < 0.2 else names
        parts.append(replace(part, guarantees=chosen))
    return replace(problem, parts=parts)


def _with_classes(problem: Problem, rng: random.Random) -> Problem:
    """Let the parts on separate domains demand classes of their own, of any form."""
    parts = []
    for part in problem.parts:
        if part.setting == "common":
            parts.append(part)
            continue
        term, _ = rng.choice(Words(problem.domain, rng).terms("c"))
        limits: list[str | int] = [1, 2, *problem.domain.symbols]
        limit = rng.choice(limits)
        own = rng.choice(
            [
                InnerClass(limits=[(term, limit)]), InnerClass(cap=1, size=["size(D) <= 2"]),
                InnerClass(size=[f"size(D) <= {limit}"]), InnerClass(size=["size(D) != 1"]),
                InnerClass(cap=2, limits=[(term, limit)]), InnerClass(size=["size(D) == 1"]),
            ]
        )  # fmt: skip
        parts.append(replace(part, inner=own))
    return replace(problem, parts=parts)


def _of_own_granularities(problem: Problem, rng: random.Random) -> Problem:
    """Give every part a granularity of its own, also in the common domain."""
    parts = []
    for part in problem.parts:
        names = [part.map] if isinstance(part.map, str) else part.map
        image = any(m.image is not None for m in problem.maps if m.name in names)
        inner: Granularity | None
        if part.setting == "separate":
            inner = inner_granularity(problem.domain, rng, image=image) or part.granularity
        elif rng.random() < 0.5:
            inner = own_granularity(problem.domain, rng, "inner")
        else:
            inner = known_granularity(problem.domain, rng)
        parts.append(replace(part, granularity=inner))
    return replace(problem, parts=parts)


def _in_other_settings(problem: Problem, rng: random.Random) -> Problem:
    """Turn settings over: common and separate parts side by side."""
    parts = []
    for part in problem.parts:
        if rng.random() < 0.5:
            parts.append(replace(part, setting="common", inner=None))
        else:
            parts.append(replace(part, setting="separate"))
    return replace(problem, parts=parts)


# -------------------------------------------------------------------- maps


def _size(rng: random.Random) -> str | int:
    sizes: list[str | int] = ["k", "k", "k", "l", 1, 2, 3]
    return rng.choice(sizes)


def _of_indices(domain: Domain, rng: random.Random, name: str) -> Map:
    """Return a family whose blocks are chosen by functions of the index."""
    words = Words(domain, rng)
    terms = [(t, s) for t, s in words.terms("c") if s != BOOL]
    term, sort = rng.choice([*terms, ("c", CELL)])
    h: Functions = {"h": ([sort], INT)}
    g: Functions = {"g": ([INT], INT)}
    lab: Functions = {"lab": ([sort, INT], BOOL)}
    on: Functions = {"on": ([INT], BOOL)}
    forms: list[tuple[str, Functions]] = [
        (f"h({term}) == g(i)", {**h, **g}), (f"h({term}) <= g(i)", {**h, **g}),
        (f"lab({term}, g(i))", {**lab, **g}), (f"h({term}) == i + g(1)", {**h, **g}),
        (f"lab({term}, i) and not lab({term}, i + 1)", lab), (f"lab({term}, i - 1)", lab),
        (f"h({term}) == i and on(i)", {**h, **on}), (f"on(h({term}) + i)", {**h, **on}),
        (f"lab({term}, 2*i)", lab), (f"h({term}) + i == 3", h),
        (f"h({term}) == g(g(i))", {**h, **g}),
        (f"h({term}) - i <= 0 or on(i)", {**h, **on}),
    ]  # fmt: skip
    times = [t for t, s in words.terms("c") if s == INT]
    if times:
        time = rng.choice(times)
        forms += 2 * [
            (f"g({time} + i) == i", g), (f"g({time} - i) == 1", g), (f"g(i) == {time}", g),
            (f"g(i) <= {time} and {time} < g(i + 1)", g), (f"on({time} + i)", on),
            (f"g({time}) == g(i)", g), (f"g({time}) == i", g), (f"g({time} + i) <= g(i)", g),
            (f"{time} == 2*i - g(1)", g), (f"g({time}*i) == i", g),
        ]  # fmt: skip
    member, functions = rng.choice(forms)
    index = {"i": _size(rng)}
    if rng.random() < 0.15:
        index["j"] = "l" if rng.random() < 0.5 else 2
        member = f"({member}) and i != j" if rng.random() < 0.5 else member.replace("+ i", "+ j")
    return Map(name, member, index, functions)


def _functions_of_indices(problem: Problem, rng: random.Random) -> Problem:
    """Put a family with functions of its index in the place of a map, or beside the maps."""
    if rng.random() < 0.6:
        place = rng.randrange(len(problem.maps))
        made = _of_indices(problem.domain, rng, problem.maps[place].name)
        maps = [*problem.maps[:place], made, *problem.maps[place + 1 :]]
        return replace(problem, maps=maps)
    maps = list(problem.maps)
    made = _of_indices(problem.domain, rng, _another([m.name for m in maps], "m"))
    part = _reading(problem, rng, made.name, [*maps, made])
    return _within(problem, [*maps, made], part)


def _within(problem: Problem, maps: Sequence[Map], part: Part) -> Problem:
    """Return the problem with other maps and one part more, or one part in the place of another."""
    parts = list(problem.parts)
    if len(parts) == MOST_PARTS:
        parts.pop()
    return replace(problem, maps=list(maps), parts=[*parts, part])


def _composed(problem: Problem, rng: random.Random) -> Problem:
    """Add a part behind a chain of two or three maps."""
    words = Words(problem.domain, rng)
    term, sort = rng.choice([(t, s) for t, s in words.terms("c") if s != BOOL] + [("c", CELL)])
    names = [m.name for m in problem.maps]
    first = Map(_another(names, "m"), words.predicate("c") or "keep(c)", functions={
        "keep": ([CELL], BOOL)})  # fmt: skip
    second = Map(_another([*names, first.name], "m"), f"g({term}) == j", {"j": _size(rng)}, {
        "g": ([sort], INT)})  # fmt: skip
    if rng.random() < 0.4:
        second = replace(second, facts=[f"1 <= g({term}) and g({term}) <= 2"])
    chains = [
        [first.name, second.name], [first.name, names[0]], [second.name, names[0]],
        [second.name, names[-1]], [first.name, second.name, names[-1]],
        [names[0], names[-1]] if len(names) > 1 else [second.name, first.name],
    ]  # fmt: skip
    chain = rng.choice(chains)
    maps = [*problem.maps, *(m for m in (first, second) if m.name in chain)]
    return _within(problem, maps, _reading(problem, rng, chain, maps))


def _images(problem: Problem, rng: random.Random) -> Problem:
    """Add a part behind a family or a filter that changes the attributes as well."""
    words = Words(problem.domain, rng)
    enumerated = problem.domain.enumerations
    terms = [(t, s) for t, s in words.terms("c") if s not in enumerated]
    if not terms:
        return problem
    image = {f"v{n}": t for n, (t, _) in enumerate(rng.sample(terms, min(len(terms), 2)), 1)}
    image = dict(list(image.items())[: rng.choice([0, 1, 1, 2])])
    name = _another([m.name for m in problem.maps], "m")
    term, sort = rng.choice(terms)
    made = rng.choice(
        [
            Map(name, f"g({term}) == i", {"i": _size(rng)}, {"g": ([sort], INT)}, image=image),
            Map(name, words.predicate("c") or "true", image=image),
            Map(name, image={**image, "seen": f"f({term})"}, functions={"f": ([sort], INT)}),
            Map(name, f"on({term}, i)", {"i": _size(rng)}, {"on": ([sort, INT], BOOL)}, image={}),
        ]
    )
    maps = [*problem.maps, made]
    return _within(problem, maps, _reading(problem, rng, name, maps))


# -------------------------------------------------------------------- edits


def _edit(words: Words, amounts: Mapping[str, str | int], *atoms: str) -> Edit:
    guard = " and ".join(a for a in atoms if words.rng.random() < 0.7) or "true"
    return Edit(dict.fromkeys(amounts, CELL), guard, dict(amounts))


def _conditional_amounts(problem: Problem, rng: random.Random) -> Problem:
    """Let an edit add what depends on the database, on the cell or on a symbol."""
    words = Words(problem.domain, rng)
    one = words.predicate("x") or "D[x] >= 1"
    same = words.same("x", "y")
    number: str | int = next(iter(problem.domain.symbols), "2")
    single = [
        "1 if size(D) <= 1 else -1", "1 if D[x] == 0 else -1", "-1 if D[x] >= 1 else 2",
        f"1 if {one} else -1", f"2 if {one} else 1", "-D[x] if size(D) >= 2 else 1",
        "D[x] if D[x] >= 1 else 1", f"{number}", f"{number} - D[x]", "min(D[x], 1) - D[x]",
        "1 if D[x] == 0 else 0", "0", "1 if D[x] <= 1 else 0 if D[x] == 2 else -1",
        "size(D) - D[x]", f"abs({number} - D[x])", "1 - D[x] if size(D) == D[x] else -1",
    ]  # fmt: skip
    double: list[dict[str, str | int]] = [
        {"x": "-1 if D[x] >= 1 else 0", "y": 1}, {"x": "-min(D[x], 1)", "y": "min(D[x], 1)"},
        {"x": f"1 if {same} else -1", "y": f"-1 if {same} else 1"},
        {"x": "1 if size(D) <= 1 else -1", "y": "1 if size(D) >= 2 else 0"},
        {"x": "1 if D[y] == 0 else -D[x]", "y": "1 if D[x] == 0 else -D[y]"},
        {"x": f"{number}", "y": -1}, {"x": "1 if x == y else -1", "y": 1},
        {"x": "D[y] if D[y] >= D[x] else -D[x]", "y": "-1 if D[y] >= 1 else 0"},
    ]  # fmt: skip
    amounts = {"x": rng.choice(single)} if rng.random() < 0.6 else rng.choice(double)
    atoms = ["x != y"] if "y" in amounts else []
    atoms += [rng.choice(["D[x] >= 1", "D[x] <= 1", "size(D) <= 2", one, "D[x] == 0", "true"])]
    made = _edit(words, amounts, *atoms)
    others = list(problem.granularity.edits) if rng.random() < 0.2 else []
    arguments = dict(problem.granularity.arguments)
    directed = rng.random() < 0.15
    own = Granularity("outer", [made, *others], directed=directed, arguments=arguments)
    if rng.random() < 0.2 and problem.parts[0].setting == "separate":
        return _first_part(problem, granularity=replace(own, name="inner", edits=[made]))
    return replace(problem, granularity=own)


def _first_part(problem: Problem, *, granularity: Granularity) -> Problem:
    first = replace(problem.parts[0], granularity=granularity)
    return replace(problem, parts=[first, *problem.parts[1:]])


def _groups(problem: Problem, rng: random.Random) -> Problem:
    """Let neighbours be some edits apart, in a direction or not, or the edits be several."""
    made = problem.granularity
    if rng.random() < 0.3:
        made = own_granularity(problem.domain, rng, "outer")
    elif rng.random() < 0.3:
        made = known_granularity(problem.domain, rng)
    if rng.random() < 0.4:
        more = own_granularity(problem.domain, rng, "outer")
        made = replace(made, edits=[*made.edits, *more.edits][:3], group=1)
    if rng.random() < 0.5:
        made = replace(made, directed=not made.directed)
    many = len(made.edits) == 1 and made.group == 1
    if many and rng.random() < 0.5:
        made = replace(made, group=rng.choice([2, 2, 3]))
    return replace(problem, granularity=made)


def _frames(problem: Problem, rng: random.Random) -> Problem:
    """Put several maps under an edit with a frame."""
    words = Words(problem.domain, rng)
    frames: list[tuple[dict[str, str], str]] = [({}, "true"), ({"x": CELL}, words.same("c", "x"))]
    for term, sort in words.terms("c"):
        frames.append(({"u": sort}, f"{term} == u"))
        frames.append(({"u": sort, "v": sort}, f"{term} == u or {term} == v"))
    if (time := words.time()) is not None:
        frames.append(({"t": INT}, f"t <= {time}(c) and {time}(c) < t + {words.width()}"))
    params, frame = rng.choice(frames)
    steps = ["true"] * 5 + ["old == 0", "new == old or new == 0", "new <= old", "old + new <= 2"]
    guards = ["true"] * 6 + ["size(D) >= 1", "size(D) <= 2"]
    edit = Edit(params, rng.choice(guards), None, frame, rng.choice(steps))
    made = Granularity("outer", [edit], directed=rng.random() < 0.1)
    if rng.random() < 0.4:
        made = known_granularity(problem.domain, rng)
    problem = replace(problem, granularity=made)
    for _ in range(rng.choice([1, 1, 2])):
        if len(problem.parts) < MOST_PARTS:
            name = _another([m.name for m in problem.maps], "m")
            simple = rng.choice(["identity", "partition", "filter", "any"])
            maps = [
                *problem.maps,
                library_map(simple, name=name)
                if simple != "any"
                else random_map(problem.domain, rng, name),
            ]
            problem = _within(problem, maps, _reading(problem, rng, name, maps))
    return problem


# -------------------------------------------------------------------- classes


_FACTS: Final = ("s >= 0", "s >= -2", "s <= 0", "true", "0 <= s and s <= 2", "s >= -1", "s != 1")


def _symbols(problem: Problem, rng: random.Random) -> Problem:
    """Bring in a symbol that may be 0 or negative, and let something depend on it."""
    domain = problem.domain
    if "s" in domain.symbols:
        return problem
    domain = replace(domain, symbols={**domain.symbols, "s": rng.choice(_FACTS)})
    words = Words(domain, rng)
    for use in rng.sample(["class", "guard", "guard", "amount", "map", "step"], rng.choice([1, 2])):
        match use:
            case "class" if rng.random() < 0.5:
                size = rng.choice(["size(D) <= s + 2", "size(D) >= s", "size(D) != s"])
                domain = replace(domain, size=[*domain.size, size])
            case "class":
                term, _ = rng.choice(words.terms("c"))
                domain = replace(domain, limits=[*domain.limits, (term, rng.choice(["s", "s+2"]))])
            case "map":
                problem = replace(problem, maps=[_shifted(m, rng) for m in problem.maps])
            case _:
                problem = replace(problem, granularity=_depending(problem.granularity, use, rng))
    return replace(problem, domain=domain)


def _shifted(mapping: Map, rng: random.Random) -> Map:
    """Return a family of which the symbol moves, or cuts off, the blocks."""
    if "i" not in mapping.index:
        return replace(mapping, member=f"({mapping.member}) and {rng.choice(['s >= 1', 's != 0'])}")
    more = rng.choice(["i > s", "i <= s", "i != s", "s >= 1"])
    return replace(mapping, member=f"({mapping.member}) and {more}")


def _depending(granularity: Granularity, use: str, rng: random.Random) -> Granularity:
    """Return a granularity of which one edit depends on the symbol."""
    edit, *others = granularity.edits
    point = next((p for p, s in edit.params.items() if s == CELL), None)
    if edit.change is not None and use == "amount":
        change = dict(edit.change)
        first = next(iter(change))
        change[first] = rng.choice(
            ["s", "-s", "s - D[x]" if first == "x" else "s", "1 if s >= 1 else -1"]
        )
        edit = replace(edit, change=change)
    elif edit.frame is not None and use == "step":
        step = rng.choice(["new <= old + s", "new - old >= s", "new == old or s >= 1"])
        edit = replace(edit, step=step if edit.step == "true" else f"({edit.step}) and {step}")
    else:
        atoms = ["size(D) >= s", "size(D) <= s", "s >= 1", "s <= 0"]
        atoms += [f"D[{point}] <= s", f"D[{point}] > s"] if point else []
        edit = replace(edit, guard=f"({edit.guard}) and {rng.choice(atoms)}")
    return replace(granularity, edits=[edit, *others])


def _other_class(problem: Problem, rng: random.Random) -> Problem:
    """Change what is known of the class: what X is, its cap, limits and sizes."""
    domain = problem.domain
    aside = random.Random()
    aside.setstate(rng.getstate())  # so that what is drawn elsewhere stays as it was
    words = Words(domain, rng)
    term, _ = rng.choice(words.terms("c"))
    options: list[dict[str, Any]] = [
        {"cap": rng.choice([None, 1, 2])}, {"limits": [*domain.limits, (term, rng.choice([1, 2]))]},
        {"size": [rng.choice(["size(D) >= 2", "size(D) == 1", "size(D) != 1 and size(D) <= 3"])]},
        {"at_least": rng.choice([1, 2, 3])}, {"universe": Universe.PRODUCT},
        {"limits": [*domain.limits, (f"{term}, {rng.choice(words.terms('c'))[0]}", 1)]},
    ]  # fmt: skip
    changed = problem.domain
    for chosen in rng.sample(options, 2):
        changed = replace(changed, **chosen)
    changed = replace(changed, **_few_values(changed, aside))
    if changed.universe is Universe.PRODUCT and INT in changed.attribute_sorts.values():
        changed = replace(changed, universe=Universe.ANY)
    return replace(problem, domain=changed)


def _few_values(domain: Domain, rng: random.Random) -> dict[str, Any]:
    """Return, now and then, limits on the distinct values of a term among records that share one.

    Some take the place of a limit on records.
    """
    if rng.random() < 0.6:
        return {}
    terms = [term for term, _ in Words(domain, rng).terms("c")]
    of, each = rng.choice(terms), rng.choice([*terms, "true"])
    known = [*domain.symbols, 1, 1, 2]
    found: dict[str, Any] = {"distinct": [(of, each, rng.choice(known))]}
    if domain.limits and rng.random() < 0.5:
        (key, most), *others = domain.limits
        found = {"distinct": [(of, key, most)], "limits": others}
    return found


Widening = Callable[[Problem, random.Random], Problem]
_WIDENINGS: Final[tuple[Widening, ...]] = (
    _more_parts, _of_several_notions, _with_classes, _of_own_granularities, _in_other_settings,
    _functions_of_indices, _composed, _images, _conditional_amounts, _groups, _frames, _symbols,
    _other_class,
)  # fmt: skip
