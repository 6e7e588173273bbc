"""Nothing that is called proved is contradicted by databases beyond the scope.

Functions that are maps, stated as such, in random company: granularities, classes, metrics (some of
them code, and some of that code other beyond the scope), and bounds.  All claims that come out as
proved are tried on larger databases, with more values.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import World
from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.model import Domain
from dpcomp_sym.profile import INFINITY
from dpcomp_sym.stability import (
    ABSOLUTE,
    CHANGE_ONE,
    DISCRETE,
    HAMMING,
    INSERT_DELETE,
    L1,
    METRICS,
    SYMMETRIC,
    Lists,
    MapStatement,
    Metric,
    StabilityClaim,
    check_stability,
    neighbours,
)
from dpcomp_sym.stability.bounds import DistanceBound
from dpcomp_sym.stability.metrics import Read
from dpcomp_sym.stability.statement import _part_of
from tests.shares import shared

VALUES, MORE = (0, 1), (0, 1, 9)


@dataclass(frozen=True)
class Written:
    """A function, and the map that it is."""

    body: str
    function: Callable[[list[Any]], Any]
    more: dict[str, Any] = field(default_factory=dict)
    ordered: bool = True


FUNCTIONS = (
    Written('member = "true"', list),
    Written('member = "true"', sorted, ordered=False),
    Written('member = "true"', lambda rows: rows[::-1], ordered=False),
    Written('use = "cardinality"', len),
    Written('member = "value(c) >= 1"', lambda rows: [x for x in rows if x >= 1], ordered=False),
    Written('image = { value = "-value(c)" }', lambda rows: [-x for x in rows], ordered=False),
    Written('image = { value = "0" }', lambda rows: [0] * len(rows), ordered=False),
    Written('image = { value = "value(c)" }', lambda rows: [rows.count(x) for x in MORE],
            {"counts": MORE}, ordered=False),
    Written('image = { value = "value(c)" }', lambda rows: [rows.count(x) for x in MORE],
            {"counts": lambda out: dict(zip(MORE, out, strict=True))}, ordered=False),
)  # fmt: skip
SMALL = (Lists(VALUES, at_most=1), Lists(VALUES, size=2), Lists(VALUES, at_most=2))
CLASSES = {
    "any": ("", SMALL, Lists(MORE, at_most=3), {}),
    "one size": (
        'size = "size(D) == n"\nsymbols = { n = "n >= 1" }',
        [Lists(VALUES, size=2)], Lists(MORE, size=2), {"sizes": {"n": 2}},
    ),
    "lists": (
        'cell = "1 <= place(c)"\nkind = "set"\nlimits = [["place(c)", 1]]',
        SMALL, Lists(MORE, at_most=3), {"position": "place"},
    ),
}  # fmt: skip
GRANULARITIES = (
    *3 * ('"unbounded"', '"bounded"'), *2 * ('"free_lunch"',), '"unbounded_or_bounded"',
    '"attribute"',
    '{ use = "unbounded", group = 2 }', '{ use = "nearby", value = "value" }',
)  # fmt: skip
PLACES = '{ use = "ordered_bounded", position = "place" }'
BETWEEN_LISTS = (SYMMETRIC, CHANGE_ONE, INSERT_DELETE, HAMMING, DISCRETE)
FITTING = {
    '"unbounded"': (SYMMETRIC, INSERT_DELETE), '"bounded"': (CHANGE_ONE, HAMMING),
    '"free_lunch"': (DISCRETE,),
}  # fmt: skip
BOUNDS = ("d", "2*d", "d/2", "3*d", "d + 1", "max(d, 2)", "min(2*d, 2)", "1", "d**2", "d*(d + 1)")


def other_beyond(metric: Metric) -> Metric:
    """The same metric, but ten times as far for values and sizes that the scope does not have."""

    def of(x, y):
        far = any(9 in (z if isinstance(z, list) else [z]) for z in (x, y))
        distance = metric.of(x, y)
        return distance if distance is None or not far else 10 * distance

    return Metric(metric.name, metric.statement, of)


def random_claim(rng: random.Random) -> tuple[StabilityClaim, Lists, str]:
    kind = rng.choice(list(CLASSES))
    domain, scopes, larger, more = CLASSES[kind]
    written = rng.choice(FUNCTIONS if kind != "lists" else [f for f in FUNCTIONS if f.ordered])
    outer, inner = (
        rng.choice((*GRANULARITIES, PLACES, PLACES) if kind == "lists" else GRANULARITIES)
        for _ in range(2)
    )
    place = ', place = "int"' if kind == "lists" else ""
    text = f"""
        granularity = {outer}
        [domain]
        attributes = {{ value = "int"{place} }}
        {domain}
        [[map]]
        name = "f"
        {written.body}
        [[part]]
        map = "f"
        granularity = {inner}
    """
    usual = (HAMMING,) if outer == PLACES else FITTING.get(outer, BETWEEN_LISTS)
    d_in = rng.choice(usual if rng.random() < 0.7 else BETWEEN_LISTS)
    numbers = isinstance(written.function([0]), int)
    d_out = ABSOLUTE if numbers else rng.choice([SYMMETRIC, CHANGE_ONE, HAMMING, L1, L1, DISCRETE])
    bound: Any = rng.choice(BOUNDS)
    match rng.randrange(12):
        case 0:
            d_in = neighbours("one", lambda D, E: SYMMETRIC.of(D, E) == 1)
        case 1:
            d_out = other_beyond(d_out)
        case 2:
            bound = lambda d: 0 if d == 5 else 2 * d  # noqa: E731
    statement = MapStatement(text, **written.more, **more)
    scope = rng.choice(scopes)
    claim = StabilityClaim(written.function, scope, d_in, d_out, bound, "f", statement)
    return claim, larger, text


def pairs(scope: Lists) -> Iterator[tuple[list[Any], list[Any]]]:
    return itertools.combinations(list(scope.databases()), 2)


def contradiction(claim: StabilityClaim, larger: Lists) -> tuple[Any, ...] | None:
    """Return databases of a larger scope at which the claim is false."""
    bound = DistanceBound(claim.bound)
    for old, new in pairs(larger):
        near = claim.d_in.of(old, new)
        if near is None:
            continue
        apart = claim.d_out.of(claim.function(list(old)), claim.function(list(new)))
        if apart is None or apart > bound.at(near):
            return old, new, near, apart
    return None


def checked_claims(rng: random.Random, *, true: bool) -> Iterator[tuple[StabilityClaim, str]]:
    """Yield claims that are true in their scope, and true or false beyond."""
    while True:
        claim, larger, text = random_claim(rng)
        try:
            _part_of(claim.stated.problem, claim.stated.part)
        except InputError:  # the granularity is about what the images do not have
            continue
        near = any(claim.d_in.of(*pair) for pair in pairs(claim.scope))
        if not near or contradiction(claim, claim.scope) is not None:
            continue
        if (contradiction(claim, larger) is None) == true:
            yield claim, text


@pytest.mark.in_turn
@pytest.mark.parametrize("number", shared(1, [12, 50]))
def test_nothing_that_is_proved_is_contradicted(number):
    for claim, text in itertools.islice(checked_claims(random.Random(7), true=False), number):
        found = check_stability(claim)
        assert found.verdict == "checked", (text, claim, found.text())


@pytest.mark.long
def test_what_is_true_is_proved_now_and_then():
    true = itertools.islice(checked_claims(random.Random(7), true=True), 25)
    assert [check_stability(claim).verdict for claim, _ in true].count("proved") >= 3


# ------------------------------------------------------------------ what is known of metrics


def as_databases(x, y, read):
    """A world with two lists as databases of the language."""
    if read is Read.NUMBER:
        return World(Domain({}), ((),), {}, {}), {(): x}, {(): y}
    if read is Read.NUMBERS:
        x, y = ([v for v, n in enumerate(z) for _ in range(n)] for z in (x, y))
    places = {"place": "int"} if read is Read.LIST else {}
    old, new = ([(*([n] if places else []), v) for n, v in enumerate(z, 1)] for z in (x, y))
    cells = tuple(dict.fromkeys((*old, *new)))
    world = World(Domain({**places, "value": "int"}), cells, {}, {})
    return world, {c: old.count(c) for c in old}, {c: new.count(c) for c in new}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", METRICS)
def test_what_is_known_of_a_metric_is_true(name):
    """Its multiples are nowhere larger, or nowhere smaller, on lists of small numbers."""
    metric = METRICS[name]
    databases = list(Lists((0, 1), at_most=3).databases())
    for (readings, below), read in itertools.product(
        ((metric.below, True), (metric.above, False)), Read
    ):
        points = list(range(5)) if read is Read.NUMBER else databases
        if read is Read.NUMBERS:
            points = [x for x in databases if len(x) == 2]
        for one in readings.get(read, ()):
            form = ClosedForm(one.value, one.finite.replace("{position}", "place"))
            attained = False
            for x, y in itertools.product(points, repeat=2):
                world, old, new = as_databases(x, y, read)
                said = form.bind(world.domain).distance(world, old, new)
                distance = metric.of(x, y)
                if distance is None:
                    assert below or said == INFINITY
                    continue
                assert below or said == INFINITY or distance <= one.factor * said, (one, x, y)
                assert not below or distance >= one.factor * said, (one, x, y)
                attained |= x != y and said != INFINITY and distance == one.factor * said
            assert attained or read is Read.NUMBER, one  # of one kind, none is replaced


def test_a_function_that_is_another_one_beyond_the_scope_is_assumed_not_to_be():
    """What no finite number of databases can tell is said in the first line, and in words."""
    text = 'granularity = "unbounded"\n[domain]\nattributes = { value = "int" }\n[[part]]\n'
    text += 'map = "cardinality"\ngranularity = "unbounded"\n'
    claim = StabilityClaim(
        lambda rows: 99 if 9 in rows else len(rows), Lists(VALUES, at_most=2), SYMMETRIC, ABSOLUTE,
        "d", "count", MapStatement(text),
    )  # fmt: skip
    found = check_stability(claim)
    (assumed,) = found.as_json()["proof"]["assumes"]
    assert assumed == (
        "the function returns what 'cardinality' does on every database of the class (it does on "
        "all 7 of the scope)"
    )
    assert "proved, under an assumption" in found.text().splitlines()[0]
    wider = check_stability(replace(claim, scope=Lists(MORE, at_most=2)))
    assert wider.verdict == "refuted"
