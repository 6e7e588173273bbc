"""Parts for which one edit replaces a record: what comes takes the place of what goes."""

from __future__ import annotations

import itertools
import json

import pytest

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.engine.replaced import counts_one_side, in_pairs
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.model import Domain, library_granularity
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay.terms import make
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.in_turn

OF_USER = '["user(c)", "r"]'
OF_DAY = '["user(c), day(c)", "r"]'
OF_CITY = '["city(c)", "r"]'
ONCE_A_CITY = '["user(c), city(c)", 1]'
REPLACES = 'guard = "D[x] >= 1 and x != y"\nchange = { x = -1, y = 1 }'
OWN = """
[part.granularity]
name = "own"
[[part.granularity.edit]]
params = {{ x = "cell" }}
change = {{ x = 1 }}
[[part.granularity.edit]]
params = {{ x = "cell", y = "cell" }}
{replaces}
"""


def spec(limits=OF_USER, mapping="identity", inner='granularity = "unbounded_or_bounded"', top=""):
    return f"""{top}
[domain]
attributes = {{ id = "Record", user = "User", city = "City", day = "int" }}
symbols = {{ r = "r >= 1", T = "T >= 1" }}
cell = "1 <= day(c) and day(c) <= T"
limits = [{limits}]
[granularity]
use = "user"
owner = "user"
[[map]]
name = "m"
use = "{mapping}"
{'by = "city"' if mapping == "partition" else ""}
[[part]]
name = "p"
map = "m"
guarantee = {{ pure = "eps" }}
{inner}
"""


def bound(text):
    (found,) = load_spec(text).derive().bounds
    return found.text, found.tight


def own(replaces=REPLACES, more=""):
    return OWN.format(replaces=replaces) + more


THREE = """
[[part.granularity.edit]]
params = { x = "cell" }
change = { x = 3 }
"""


@pytest.mark.parametrize(
    ("changed", "text", "tight"),
    [
        ({}, "r*eps", "yes"),
        ({"limits": OF_DAY}, "r*T*eps", "yes"),
        ({"limits": f"{OF_USER}, {ONCE_A_CITY}"}, "r*eps", "yes"),
        ({"limits": f"{ONCE_A_CITY}, {OF_USER}"}, "r*eps", "yes"),
        ({"inner": own()}, "r*eps", "yes"),
        ({"limits": f"{OF_USER}, {OF_CITY}"}, "eps for r = 1; 2*r*eps for r >= 2", "unknown"),
        ({"inner": own(replaces=REPLACES.replace("x != y", "city(x) == city(y)"))},
         "2*r*eps", "yes"),
        ({"top": 'setting = "common"'}, "eps for r = 1; 2*r*eps for r >= 2", "unknown"),
    ],
    ids=["of a user", "of a day", "nested", "nested the other way", "own", "crossed",
         "within a city", "common"],
)  # fmt: skip
def test_no_more_edits_than_records_of_one_side(changed, text, tight):
    found, exact = bound(spec(**changed))
    assert (found, exact) == (text, tight)


def test_an_edit_that_adds_three_makes_up_for_three():
    """As many records as there may be are no longer as many edits away."""
    assert bound(spec(inner=own(more=THREE), limits='["user(c)", 3]')) != ("3*eps", "yes")
    assert bound(spec(inner=own(), limits='["user(c)", 3]')) == ("3*eps", "yes")


def test_less_is_not_confirmed():
    """The certificate is verified, and no smaller distance would be; nor where limits cross."""
    derivation = load_spec(spec(limits=OF_DAY)).derive()
    verify(json.loads(as_text(certificate(derivation.theorems, derivation))))
    seen = make("Product", (make("Size", "r"), make("Size", "T")))
    check = Recheck(load_spec(spec(limits=OF_DAY)).problem)
    check.fact(make("BlockDistance", check.meaning.term, "edit 1", "p", (), seen))
    for limits, far in ((OF_DAY, make("Size", "r")), (f"{OF_DAY}, {ONCE_A_CITY}", seen)):
        check = Recheck(load_spec(spec(limits=limits)).problem)
        with pytest.raises(RejectedError):
            check.fact(make("BlockDistance", check.meaning.term, "edit 1", "p", (), far))


def part(limits):
    """Return the part of a problem with these limits, as the engine sees it."""
    (found,) = load_spec(spec(limits=limits)).problem.bound_parts
    return found


@pytest.mark.parametrize(
    ("limits", "paired"),
    [
        ("", True),
        (OF_USER, True),
        (f"{OF_USER}, {ONCE_A_CITY}", True),
        (f"{OF_USER}, {OF_CITY}", False),
        (f"{OF_DAY}, {ONCE_A_CITY}", False),
    ],
)
def test_limits_of_which_each_is_finer(limits, paired):
    assert in_pairs(part(limits)) is counts_one_side(part(limits)) is paired


NESTED = [("a(c)", 2), ("a(c), b(c)", 1)]
CROSSED = [("a(c)", 1), ("b(c)", 1)]


@pytest.mark.parametrize(("limits", "always"), [(NESTED, True), (CROSSED, False), ([], True)])
def test_by_enumeration(limits, always):
    """The distance is the larger one of what comes and what goes, unless limits cross."""
    domain = Domain({"a": "A", "b": "B"}, cap=1, cell="there(a(c), b(c))", limits=limits,
                    functions={"there": [["A", "B"], "bool"]})  # fmt: skip
    pairs = [("1", "1"), ("2", "2"), ("3", "3"), ("1", "2"), ("2", "3"), ("3", "1")]
    world = World(
        domain, tuple(pairs), {"A": ("1", "2", "3"), "B": ("1", "2", "3")},
        {"there": dict.fromkeys(pairs, True)}, {"there": False},
    )  # fmt: skip
    granularity = library_granularity("unbounded_or_bounded").bind(domain)
    graph = EditGraph(world, granularity, world.cells, 1)
    far = [
        graph.distance(a, b) <= max(
            sum(max(x - y, 0) for x, y in zip(a, b, strict=True)),
            sum(max(y - x, 0) for x, y in zip(a, b, strict=True)),
        )
        for a, b in itertools.combinations(graph.states, 2)
    ]  # fmt: skip
    assert all(far) is always


def test_blocks_that_see_all_records_of_one_side():
    """One block holds what goes and another one what comes: for one record, too, in few words."""
    found, exact = bound(spec(mapping="partition"))
    assert (found, exact) == ("r*(sum of the 2 largest eps[i])", "yes")
