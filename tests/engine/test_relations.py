"""Which records an edit changes together, against all values of its parameters in a small world."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.engine.relations import (
    X,
    Y,
    agreements,
    disjunction,
    end_points,
    properties,
    shapes,
    spelled,
    spoken,
    vocabulary,
)
from dpcomp_sym.finite import World
from dpcomp_sym.model import Domain, Edit, Granularity
from dpcomp_sym.terms import (
    TRUE,
    conjuncts,
    evaluate,
    free_variables,
    parse,
    reads_database,
    to_text,
)

DOMAIN = Domain(
    {"id": "R", "owner": "U", "day": "int"}, {"house": (["U"], "H")}, symbols={"w": "w >= 1"}
)
POOLS = {
    "R": ("R1", "R2"), "U": ("U1", "U2", "U3"), "H": ("H1", "H2"), "int": range(-6, 12),
    "bool": (False, True),
}  # fmt: skip
RECORDS = tuple(itertools.product(POOLS["R"], POOLS["U"], (0, 1, 3, 4)))
HOUSES = {("U1",): "H1", ("U2",): "H1", ("U3",): "H2"}
WORLD = World(DOMAIN, RECORDS, POOLS, {"house": HOUSES}, {}, {"w": 2})
INT, TWO = {"t": "int"}, {"x": "cell", "y": "cell"}
FRAMES = {
    "user": ({"u": "U"}, "true", "owner(c) == u"),
    "house": ({"h": "H"}, "true", "house(owner(c)) == h"),
    "window": (INT, "true", "t <= day(c) and day(c) < t + w"),
    "strict": (INT, "true", "t < day(c) and day(c) < t + w + 1"),
    "other way": (INT, "true", "day(c) >= t and t + w >= day(c)"),
    "downwards": (INT, "true", "0 <= day(c) + t and day(c) + t < w"),
    "an end": (INT, "t == w + 1", "day(c) <= t and t <= day(c) + 2"),
    "two owners": ({"u": "U", "v": "U"}, "u != v", "owner(c) == u or owner(c) == v"),
    "owner and day": ({"u": "U", **INT}, "t >= 1", "owner(c) == u and day(c) == t"),
    "a record called x": ({"x": "cell"}, "day(x) >= 3", "owner(c) == owner(x) and c != x"),
    "an integer called x": ({"x": "int"}, "true", "x <= day(c) and day(c) < x + 2"),
    "integers called x and y": (
        {"y": "int", "x": "int"}, "x < y and y <= x + w", "x <= day(c) and day(c) < y"),
    "the day after": (INT, "true", "t + 1 == day(c)"),
    "all": ({}, "true", "c == c"),
    "multiplied": (INT, "true", "2*t <= day(c) and day(c) < 2*t + 2"),
    "a flag": ({"late": "bool"}, "true", "(day(c) >= 3) == late"),
    "another's owner": ({"u": "U", "v": "U"}, "u == v", "owner(c) != u"),
    "called like a function": ({"house": "U"}, "true", "house(house) == house(owner(c))"),
    "an equality of itself": (INT, "t == t + 0", "day(c) <= t"),
}  # fmt: skip
POINTS = {
    "replaced": (TWO, "D[x] >= 1 and x != y and owner(x) == owner(y)"),
    "later": (TWO, "day(x) < day(y)"),
    "not long before": (TWO, "day(x) - w < day(y)"),
    "not far apart": (TWO, "day(x) - w < day(y) and day(y) - w < day(x)"),
    "of one owner": ({**TWO, "u": "U"}, "owner(x) == u and owner(y) == u"),
    "between": ({**TWO, **INT}, "day(x) < t and t < day(y)"),
    "between, at most": ({**TWO, **INT}, "day(x) <= t and t <= day(y) and day(x) >= 1"),
    "called otherwise": ({"y": "cell", "z": "cell", "x": "int"}, "day(y) < x and x <= day(z)"),
    "as far apart, both ways": (TWO, "day(x) - w == day(y) and day(y) - w == day(x)"),
    "apart by what records say": (TWO, "day(x) - day(x) < day(y) and day(y) - day(y) < day(x)"),
    "of a number that is not a record's": (TWO, "w - 1 < w and owner(x) == owner(y)"),
    "never": (TWO, "day(x) < day(x)"),
    "with a third": ({**TWO, "z": "cell"}, "owner(x) == owner(z) and owner(y) == owner(z)"),
}
LOOSE = {"multiplied", "two owners", "a record called x", "a flag", "called like a function"}
"""Of these more records are said to be related than are."""


DETERMINED = {"user", "house", "owner and day", "an end", "all", "a flag"}
"""In these the records say what the parameters are."""


def edit_of(params, guard, frame=None):
    """Return an edit of the cells of a frame, or of its first two records."""
    cells = [name for name, sort in params.items() if sort == "cell"]
    edit = Edit(params, guard, frame=frame) if frame else Edit(
        params, guard, dict.fromkeys(cells[:2], 1)
    )  # fmt: skip
    return Granularity("own", [edit]).bind(DOMAIN).edits[0]


def true(term, **variables):
    return evaluate(term, WORLD.environment(variables=variables))


def related(relation, x, y, **variables):
    return true(relation, **{X.name: x, Y.name: y}, **variables)


def text(term):
    return to_text(spoken(term))


def choices(params, **known):
    pools = [(known[n],) if n in known else RECORDS if s == "cell" else POOLS[s] for n, s in params]
    for values in itertools.product(*pools):
        yield dict(zip((n for n, _ in params), values, strict=True))


def changed(edit, x, y):
    """Return whether one edit with some parameters can change both records."""
    static = [a for a in conjuncts(edit.guard) if not reads_database(a)]
    if edit.frame is not None:
        return any(
            all(true(a, **v) for a in static)
            and all(true(edit.frame, **{**v, "c": c}) for c in (x, y))
            for v in choices(edit.params)
        )
    first, second = edit.points
    return any(
        all(true(a, **v) for a in static) for v in choices(edit.params, **{first: x, second: y})
    )


SOME = list(itertools.product(RECORDS[::5], RECORDS[::3]))


@pytest.mark.parametrize("name", [*FRAMES, *POINTS])
def test_records_are_related_if_one_edit_changes_both(name):
    edit = edit_of(*{**FRAMES, **POINTS}[name])
    pairs, single = shapes(edit)
    assert len(pairs) == 1
    assert len(single) == (0 if name in FRAMES else 2)
    said = spelled(edit)
    assert len(said) == (name not in DETERMINED)
    for x, y in SOME:
        expected = changed(edit, x, y)
        found = related(pairs[0], x, y)
        assert found >= expected
        assert name in LOOSE or found == expected
        for relation, given in said:
            names = [(g.name, g.sort) for g in given]
            assert any(related(relation, x, y, **v) for v in choices(names)) == expected


@pytest.mark.parametrize("name", POINTS)
def test_a_single_record_that_an_edit_names(name):
    edit = edit_of(*POINTS[name])
    _, single = shapes(edit)
    static = [a for a in conjuncts(edit.guard) if not reads_database(a)]
    for relation, point in zip(single, edit.points, strict=True):
        for x in RECORDS[::3]:
            named = any(
                all(true(a, **v) for a in static) for v in choices(edit.params, **{point: x})
            )
            assert related(relation, x, x) >= named


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("window", ["abs(day(x) - day(y)) < w"]),
        ("other way", ["abs(day(x) - day(y)) <= w"]),
        ("not far apart", ["abs(day(x) - day(y)) < w"]),
        ("not long before", ["day(x) - w < day(y)"]),
    ],
)
def test_what_is_not_far_apart_is_said_shortly(name, said):
    """What is said of one record alone, and always true, is left out by whoever proves it."""
    ((relation,), _) = shapes(edit_of(*{**FRAMES, **POINTS}[name]))
    both = [a for a in conjuncts(relation) if free_variables(a) >= {X.name, Y.name}]
    assert [text(a) for a in both] == said


def test_one_of_several_relations():
    first, second = agreements(DOMAIN)[:2]
    assert disjunction([first]) == first
    assert text(disjunction([first, second])) == "id(x) == id(y) or owner(x) == owner(y)"
    assert disjunction([first, TRUE]) == TRUE


def test_what_can_be_said_of_records():
    functions = {
        "house": (["U"], "H"), "street": (["H"], "S"), "town": (["S"], "T"),
        "kind": (["cell"], "int"), "near": (["U", "U"], "bool"),
    }  # fmt: skip
    domain = Domain({"id": "R", "owner": "U", "day": "int"}, functions)
    alone = ["id(x)", "owner(x)", "day(x)", "kind(x)", "house(owner(x))", "street(house(owner(x)))"]
    assert [text(t) for t in properties(domain)] == alone
    assert [text(t) for t in agreements(domain)] == [
        f"{one} == {one.replace('x', 'y')}" for one in alone
    ]
    extra = [parse(text, domain.scope(), None) for text in ("3", "1 + 1", "3")]
    assert [text(t) for t in vocabulary(domain, "int", extra=extra)] == [
        "day(x)", "day(y)", "kind(x)", "kind(y)", "3", "1 + 1",
    ]  # fmt: skip
    assert [text(t) for t in vocabulary(domain, "U", extra=extra)] == ["owner(x)", "owner(y)"]


@pytest.mark.parametrize(
    ("params", "guard", "frame", "ends"),
    [
        ({"u": "U"}, "true", "owner(c) == u", ["owner(x)", "owner(y)"]),
        (INT, "true", "t <= day(c) and day(c) < t + w",
         ["day(x)", "day(y)", "day(x) - w + 1", "day(y) - w + 1"]),
        (INT, "t == w and t > 3", "day(c) != t", ["w", "3 + 1"]),
        ({"x": "cell", "u": "U"}, "D[x] >= 1 and owner(x) == u", None, ["owner(x)", "owner(y)"]),
        ({"x": "cell", "y": "cell", "u": "U"}, "x == y and owner(x) == u", None,
         ["owner(x)", "owner(y)"]),
        (INT, "true", "t < day(c)", ["day(x) - 1", "day(y) - 1"]),
        ({"x": "cell", "t": "int", "s": "int"}, "day(x) < t and s <= t", None,
         ["s", "day(x) + 1", "day(y) + 1", "t"]),
    ],
)  # fmt: skip
def test_where_parameters_begin_or_end(params, guard, frame, ends):
    assert sorted(text(t) for t in end_points(edit_of(params, guard, frame))) == sorted(ends)
