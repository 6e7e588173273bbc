"""Blocks that are named by what the class declares can be renumbered where values are alike."""

import itertools

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.profiler import tables
from dpcomp_sym.engine.renumbering import looked_up, values_can_be_renamed
from dpcomp_sym.spec import load_spec
from tests.differential.campaign import Outcome, answered
from tests.differential.compare import disagreements
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

pytestmark = pytest.mark.in_turn

DOMAINS = {
    "attribute": 'attributes = { id = "Person", lab = "int" }',
    "limited": 'attributes = { id = "Person", lab = "int" }\nlimits = [["id(c), lab(c)", 1]]',
    "function": 'attributes = { id = "Person" }\nfunctions = { lab = [["cell"], "int"] }',
}
GUARDS = {
    "any": "D[x] >= 1 and x != y",
    "same": "D[x] >= 1 and x != y and lab(x) == lab(y)",
    "other": "D[x] >= 1 and lab(x) != lab(y)",
    "same or first": "D[x] >= 1 and x != y and (size(D) == 1 or lab(x) == lab(y))",
    "later": "D[x] >= 1 and x != y and lab(x) <= lab(y)",
    "next": "D[x] >= 1 and lab(y) == lab(x) + 1",
    "one": "D[x] >= 1 and x != y and lab(x) == 1",
}
ALIKE = ("any", "same", "other", "same or first")
MAPS = {
    "blocks": 'member = "lab(c) == i"',
    "others": 'member = "lab(c) != i"',
}


def problem(domain, guard, member, rest=""):
    return load_spec(f"""
        [domain]
        {DOMAINS[domain]}
        [[granularity.edit]]
        params = {{ x = "cell", y = "cell" }}
        guard = "{GUARDS[guard]}"
        change = {{ x = -1, y = 1 }}
        [[map]]
        name = "blocks"
        {MAPS[member]}
        index = {{ i = "k" }}
        [[part]]
        name = "M"
        map = "blocks"
        granularity = "unbounded_or_bounded"
        guarantee = {{ pure = "eps", zcdp = "rho", gaussian = "mu" }}
        {rest}""").problem


EACH = list(itertools.product(GUARDS, MAPS))
CELLS = list(itertools.product(("p", "q"), (0, 1, 2, 3)))  # 0 is the label of no block
PEOPLE = {"Person": ("p", "q")}


def wrong(here):
    """Return what neighbours of three blocks say against the bounds."""
    drawn = Drawn(here, {"k": 3}, lambda: iter([CELLS]), PEOPLE, most=2)
    return Comparison(0, drawn).wrong()


@pytest.mark.in_turn
@pytest.mark.parametrize(("guard", "member"), EACH)
def test_bounds_that_are_called_tight_are_so_in_small_worlds(guard, member):
    assert wrong(problem("attribute", guard, member)) == []


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(("guard", "member"), EACH)
def test_values_are_alike_where_formulas_only_compare_them(domain, guard, member):
    (mapping,) = (here := problem(domain, guard, member)).used_maps.values()
    assert values_can_be_renamed(here, mapping) is (guard in ALIKE and member == "blocks")


@pytest.mark.in_turn
@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(("guard", "most"), [("any", 2), ("other", 2), ("same", 1)])
def test_such_a_bound_is_tight(domain, guard, most):
    found = derive(problem(domain, guard, "blocks")).bounds
    (bound,) = [b for b in found if b.notion == "pure"]
    assert bound.text == ("max(eps[i])" if most == 1 else "sum of the 2 largest eps[i]")
    assert bound.tight == "yes"


OTHERS = {
    "a condition on values": """
        [[map]]
        name = "old"
        member = "lab(c) <= 3"
        [[part]]
        name = "N"
        map = "old"
        guarantee = { pure = "eta" }""",
    "another map's blocks": """
        [[map]]
        name = "also"
        member = "lab(c) == j"
        index = { j = "n" }
        [[part]]
        name = "N"
        map = "also"
        guarantee = { pure = "eta" }""",
}


@pytest.mark.in_turn
@pytest.mark.parametrize("rest", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("domain", DOMAINS)
def test_another_map_that_reads_the_values_ties_them(domain, rest):
    here = problem(domain, "any", "blocks", rest)
    assert not values_can_be_renamed(here, here.used_maps["blocks"])
    assert disagreements(here, answered(here, 20, Outcome(0))) == []


@pytest.mark.in_turn
@pytest.mark.parametrize("guard", ["next", "one"])
def test_a_family_that_is_taken_for_renumberable_is_found(guard, monkeypatch):
    """What stands in the guard was not looked at."""
    monkeypatch.setattr(tables, "values_can_be_renamed", lambda *_: True)
    assert wrong(problem("attribute", guard, "blocks"))


LIMITED = """
    [domain]
    attributes = { user = "User", team = "int", kind = "Kind" }
    symbols = { m = "m >= 1" }
    distinct = [{ of = "team(c)", each = "user(c)", at_most = "m" }]
    [granularity]
    use = "user"
    owner = "user"
    [[map]]
    name = "teams"
    member = "team(c) == i"
    index = { i = "k" }
    [[part]]
    name = "M"
    map = "teams"
    guarantee = { pure = "eps" }
    """


def test_keys_of_limits_compare_values():
    here = load_spec(LIMITED).problem
    assert values_can_be_renamed(here, here.used_maps["teams"])
    (bound,) = derive(here).bounds
    assert (bound.text, bound.tight) == ("sum of the 2*m largest eps[i]", "yes")
    tied = load_spec(LIMITED.replace('"team(c)", each', '"team(c)//2", each')).problem
    assert not values_can_be_renamed(tied, tied.used_maps["teams"])


# ------------------------------------------------------------- an index that is only looked up

NODES = """
    [domain]
    attributes = {{ id = "Reading", node = "int" }}
    functions = {{ linked = [["int", "int"], "bool"] }}
    [granularity]
    use = "user"
    owner = "node"
    [[map]]
    name = "near"
    index = {{ {index} }}
    functions = {{ centre = [["int"], "int"], also = [["int", "int"], "bool"] }}
    member = "{member}"
    {rest}
    [[part]]
    name = "M"
    map = "near"
    guarantee = {{ pure = "eps" }}
"""


def near(member, rest='multiplicity = "2"', index='i = "3"'):
    index = index.replace('"3"', "3")
    return load_spec(NODES.format(member=member, rest=rest, index=index)).problem


@pytest.mark.parametrize(
    ("member", "index", "alike"),
    [
        ("node(c) == centre(i)", 'i = "3"', True),
        ("node(c) == centre(i) or linked(node(c), centre(i))", 'i = "3"', True),
        ("also(i, node(c)) and node(c) != centre(i)", 'i = "3"', True),
        ("node(c) == centre(i) and i >= 2", 'i = "3"', False),
        ("node(c) == centre(i + 1)", 'i = "3"', False),
        ("linked(node(c), centre(i)) and node(c) != centre(1)", 'i = "3"', False),
        ("also(i, i) and node(c) == centre(i)", 'i = "3"', True),
        ("also(i, node(c)) or also(node(c), i)", 'i = "3"', False),
        ("linked(node(c), i)", 'i = "3"', False),
        ("also(i, j) and node(c) == centre(i)", 'i = "3", j = "3"', False),
    ],
)
def test_an_index_that_is_only_looked_up(member, index, alike):
    assert bool(looked_up(near(member, index=index).used_maps["near"])) is alike


def test_facts_of_what_is_looked_up_tell_blocks_apart():
    for rest, alike in (('facts = ["centre(1) == 1"]', False), ("", True)):
        here = near("node(c) == centre(i)", rest)
        assert bool(looked_up(here.used_maps["near"])) is alike


def test_such_blocks_are_as_bad_in_any_order():
    (bound,) = derive(near("node(c) == centre(i)", index='i = "k"')).bounds
    assert (bound.text, bound.tight) == ("sum of the 2 largest eps[i]", "yes")
    (other,) = derive(near("node(c) == centre(i) and i >= 2", index='i = "k"')).bounds
    assert other.text != bound.text or other.tight != "yes"
