"""The laws of notions, and numbers against brute force."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.notions.meeting import points
from dpcomp_sym.numbers import gaussian_delta, parameter_names, zcdp_epsilon
from dpcomp_sym.numbers.exact import root, tanh
from dpcomp_sym.numbers.guarantee import as_guarantee
from dpcomp_sym.numbers.sources import sources
from dpcomp_sym.profile import ALL, INFINITY, Group, Infinity, MapInfo, PartInfo
from tests.notions.arithmetic import ARITHMETIC, convert
from tests.notions.rows import FOUR, WHOLE, bounds, evaluated, four, profile


def choices(capacities, blocks):
    """Return all ways to put blocks into groups of limited size (None: into no group)."""
    return [
        choice
        for choice in itertools.product([None, *range(len(capacities))], repeat=blocks)
        if all(choice.count(g) <= capacity for g, capacity in enumerate(capacities))
    ]


F = Fraction
ALL_FOUR = PURE, APPROXIMATE, ZCDP, GAUSSIAN = tuple(ARITHMETIC.values())

numbers = st.fractions(min_value=0, max_value=5, max_denominator=6)
distances = st.fractions(min_value=0, max_value=4, max_denominator=3)
positive = st.fractions(min_value=F(1, 3), max_value=4, max_denominator=3)


def guarantees(notion):
    finite = st.tuples(numbers, numbers) if notion is APPROXIMATE else numbers
    if notion is GAUSSIAN:
        finite = numbers.map(root)
    return st.one_of(finite, st.just(INFINITY))


@pytest.mark.in_turn
@pytest.mark.parametrize("notion", ALL_FOUR, ids=lambda n: n.name)
@given(data=st.data())
def test_combine_is_an_ordered_monoid(notion, data):
    a, b, c = (data.draw(guarantees(notion)) for _ in range(3))
    combine = notion.combine
    assert combine(combine(a, b), c) == combine(a, combine(b, c))
    assert combine(a, b) == combine(b, a)
    assert combine(a, notion.unit) == a
    assert notion.at_most(a, combine(a, b))
    if notion.at_most(a, b):
        assert notion.at_most(combine(a, c), combine(b, c))


@pytest.mark.in_turn
@pytest.mark.parametrize("notion", ALL_FOUR, ids=lambda n: n.name)
@given(data=st.data(), r=distances, s=distances)
def test_scaling_is_an_action(notion, data, r, s):
    g, h = data.draw(guarantees(notion)), data.draw(guarantees(notion))
    assert notion.scale(notion.scale(g, r), s) == notion.scale(g, r * s)
    assert notion.scale(g, 1) == g
    assert notion.scale(g, 0) == notion.unit
    assert notion.scale(g, INFINITY) is INFINITY
    if r <= s:
        assert notion.at_most(notion.scale(g, r), notion.scale(g, s))
    both = notion.scale(notion.combine(g, h), r)
    apart = notion.combine(notion.scale(g, r), notion.scale(h, r))
    if notion is not APPROXIMATE:
        assert both == apart


def test_scaling_pairs_does_not_distribute():
    g = (F(1), F(1, 10))
    both = APPROXIMATE.scale(APPROXIMATE.combine(g, g), 2)
    apart = APPROXIMATE.combine(APPROXIMATE.scale(g, 2), APPROXIMATE.scale(g, 2))
    assert both != apart
    assert both[1] > apart[1]


def test_units_and_infinities():
    for notion in ALL_FOUR:
        assert notion.scale(INFINITY, 0) == notion.unit
        assert notion.scale(notion.unit, INFINITY) is INFINITY
        assert notion.combine(INFINITY, notion.unit) is INFINITY
    assert APPROXIMATE.scale((0, F(1, 10)), 3) == (0, F(3, 10))


def test_conversions():
    assert convert(F(1, 2), "pure", "zcdp") == tanh(F(1, 4)) * F(1, 2)
    assert convert(F(3), "gaussian", "zcdp") == F(9, 2)
    assert convert(root(5), "gaussian", "zcdp") == F(5, 2)
    assert convert(F(1), "pure", "approximate") == (1, 0)
    assert convert((F(1), F(1, 2)), "approximate", "zcdp") is None
    assert convert(F(1), "zcdp", "gaussian") is None
    mu = convert(F(1), "pure", "gaussian")
    assert float(mu) == pytest.approx(1.2320347)
    assert gaussian_delta(float(mu), 1) <= 0.5
    with pytest.raises(ValueError, match="a target delta"):
        zcdp_epsilon(1, 0)


# Brute force over all assignments of blocks to groups.


def brute(p, notion, values, n):
    """The join over all vectors and all choices of blocks, by the notion's own functions."""
    used = sources(p, NOTIONS[notion.name])
    maps = {info.name: info for info in p.maps}
    reached = []
    for vector in p.cases[0].vectors:
        by_map = {}
        for g in vector:
            by_map.setdefault(g.map, []).append(g)
        options = []
        for name, groups in by_map.items():
            blocks = n if maps[name].indices else 1
            caps = [blocks if g.count == ALL else g.count for g in groups]
            options.append(
                [
                    [(groups[g], b) for b, g in enumerate(choice) if g is not None]
                    for choice in choices(caps, blocks)
                ]
            )
        for chosen in itertools.product(*options):
            total = notion.unit
            for g, b in itertools.chain(*chosen):
                for part, r in g.distances:
                    if r == 0:
                        continue
                    source = used[part]
                    row = [
                        values[x][b] if isinstance(values[x], list) else values[x]
                        for x, _ in source.slots()
                    ]
                    at = row.pop() if source.chosen else None
                    one = row[0] if len(row) == 1 else tuple(row)
                    scaled = ARITHMETIC[source.notion].scale(one, r)
                    total = notion.combine(total, convert(scaled, source.notion, notion.name, at))
            reached.append(total)
    if any(isinstance(x, Infinity) for x in reached):
        return INFINITY, None
    if notion is APPROXIMATE:
        join = as_guarantee(max(x[0] for x in reached), max(x[1] for x in reached))
        best = {x for x in reached if not any(_beats(y, x) for y in reached)}
        return join, best
    return max(reached), None


def _beats(y, x):
    return y != x and y[0] >= x[0] and y[1] >= x[1]


small = st.fractions(min_value=0, max_value=3, max_denominator=4)
tiny = st.fractions(min_value=0, max_value=F(1, 20), max_denominator=100)
steps = st.sampled_from([0, 1, 1, 2, 3, F(1, 2)])


@st.composite
def problems(draw, two_parts, said=None):
    """A profile and numbers; ``said``: the notion that each part declares, or all four."""
    n = draw(st.integers(1, 4))
    parts = [PartInfo("m", "p", FOUR)]
    if two_parts:
        parts.append(PartInfo("n", "p", four("b")))
    names = [part.name for part in parts]
    parts.append(PartInfo("q", "w", four("0")))
    if said is not None:
        parts = [
            PartInfo(p.name, p.map, tuple(g for g in p.guarantees if g[0] == said[p.name]))
            for p in parts
        ]

    def one_group():
        count = draw(st.sampled_from([1, 1, 2, 3, ALL]))
        return Group("p", count, tuple((name, draw(steps)) for name in names))

    vectors = []
    for _ in range(draw(st.integers(1, 2))):
        groups = [one_group() for _ in range(draw(st.integers(1, 3)))]
        if draw(st.booleans()):
            groups.append(Group("w", 1, (("q", draw(steps)),)))
        vectors.append(tuple(groups))
    family = MapInfo("p", (("i", "k"),), exchangeable=True)
    p = profile(*vectors, maps=(family, WHOLE), parts=tuple(parts))
    values = {}
    for suffix in ("", "b", "0") if two_parts else ("", "0"):
        for name, numbers_of in (("eps", small), ("delta", tiny), ("rho", small), ("mu", small)):
            one = numbers_of if suffix == "0" else st.lists(numbers_of, min_size=n, max_size=n)
            values[name + suffix] = draw(one)
    return p, values, n


@pytest.mark.in_turn
@pytest.mark.parametrize("two_parts", [False, True])
@pytest.mark.parametrize("notion", ALL_FOUR, ids=lambda n: n.name)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_numbers_agree_with_brute_force(notion, two_parts, data):
    numbers_agree_with_brute_force(notion, two_parts, data)


@pytest.mark.long
@pytest.mark.parametrize("two_parts", [False, True])
@pytest.mark.parametrize("notion", ALL_FOUR, ids=lambda n: n.name)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_numbers_agree_with_brute_force_more_often(notion, two_parts, data):
    numbers_agree_with_brute_force(notion, two_parts, data)


def numbers_agree_with_brute_force(notion, two_parts, data):
    p, values, n = data.draw(problems(two_parts))
    expected, best = brute(p, notion, values, n)
    found = evaluated(p, notion, values, {"k": n})
    assert not isinstance(found.value, float)
    assert found.value == expected
    if best is not None and isinstance(found.pareto, tuple):
        assert set(found.pareto) == best


MIXTURES = [
    {"m": "zcdp", "n": "gaussian", "q": "approximate"},
    {"m": "approximate", "n": "zcdp", "q": "zcdp"},
    {"m": "gaussian", "n": "approximate", "q": "gaussian"},
]


@pytest.mark.in_turn
@pytest.mark.parametrize("said", MIXTURES, ids=lambda said: "-".join(said.values()))
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_points_of_curves_agree_with_brute_force(said, data):
    points_agree_with_brute_force(said, data)


@pytest.mark.long
@pytest.mark.parametrize("said", MIXTURES, ids=lambda said: "-".join(said.values()))
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_points_of_curves_agree_with_brute_force_more_often(said, data):
    points_agree_with_brute_force(said, data)


def points_agree_with_brute_force(said, data):
    """Converted at a point, after scaling: by the notions' own functions, over all choices."""
    p, values, n = data.draw(problems(two_parts=True, said=said))
    at = points(p.parts)
    assert {part: point.rule.source for part, point in at.items()} == {
        part: notion for part, notion in said.items() if notion != "approximate"
    }
    for part, point in at.items():
        one = tiny.filter(bool) if point.rule.chosen == "delta" else small
        values[point.name] = data.draw(
            one if part == "q" else st.lists(one, min_size=n, max_size=n)
        )
    expected, _ = brute(p, APPROXIMATE, values, n)
    known = {name: values[name] for name, _ in parameter_names(p)}
    found = evaluated(p, APPROXIMATE, known, {"k": n}).value
    if isinstance(expected, Infinity):
        assert found == expected
    else:
        assert tuple(map(float, found)) == pytest.approx(tuple(map(float, expected)))


@pytest.mark.parametrize("notion", ALL_FOUR, ids=lambda n: n.name)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_sympy_says_the_same(notion, data):
    sympy_says_the_same(notion, data)


@pytest.mark.long
@pytest.mark.parametrize("notion", ALL_FOUR, ids=lambda n: n.name)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_sympy_says_the_same_more_often(notion, data):
    sympy_says_the_same(notion, data)


def sympy_says_the_same(notion, data):
    import sympy

    from dpcomp_sym.numbers.exact import to_sympy

    p, values, n = data.draw(problems(two_parts=False))
    (bound,) = [b for b in bounds(p) if b.notion == notion.name]
    expression = bound.sympy({"k": n})
    table = {}
    for name, value in values.items():
        if isinstance(value, list):
            base = sympy.IndexedBase(name, nonnegative=True)
            table.update({base[b + 1]: float(x) + 1e-9 for b, x in enumerate(value)})
        else:
            table[sympy.Symbol(name, nonnegative=True)] = float(value) + 1e-9
    found = evaluated(p, notion, values, {"k": n}).value
    if isinstance(found, Infinity):
        return
    pair = found if isinstance(found, tuple) else (found,)
    said = expression if notion is APPROXIMATE else (expression,)
    for mine, theirs in zip(pair, said, strict=True):
        value = float(theirs.subs(table).evalf())
        assert value == pytest.approx(float(to_sympy(mine)), rel=1e-5, abs=1e-5)
