"""Classes that are listed: distances in a second granularity, against search in the graph."""

from __future__ import annotations

import itertools
import random

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.counterexample import Demand
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite.enumerate import Enumeration
from dpcomp_sym.finite.world import World
from dpcomp_sym.model import Map, Part, Problem
from dpcomp_sym.model.listed import listed_domain, listed_granularity
from dpcomp_sym.profile import Infinity
from dpcomp_sym.spec import load_spec


def drawn(rng, names, fewest=1):
    """Some random pairs of different databases."""
    pairs = list(itertools.combinations(names, 2))
    return rng.sample(pairs, rng.randint(fewest, min(len(pairs), len(names))))


def turned(rng, pairs):
    """The same pairs, some of them the other way round."""
    return [rng.choice([(a, b), (b, a)]) for a, b in pairs]


def problem(seed: int, group: int = 1, *, directed: bool = False) -> Problem:
    rng = random.Random(seed)
    names = [f"n{j}" for j in range(rng.randint(3, 6))]
    pairs = turned(rng, drawn(rng, names, 2)) if directed else drawn(rng, names, 2)
    inner = listed_granularity("inner", pairs, directed=directed, group=group)
    some = rng.sample(names, rng.randint(1, 2))
    said = " or ".join(f"database(c) == {n}" for n in some)
    maps = {"all": Map("all"), "some": Map("some", image={"joined": said})}
    used = rng.choice(["all", "some"])
    setting = "common" if used == "some" else rng.choice(["common", "separate"])
    return Problem(
        listed_domain(names), listed_granularity("outer", drawn(rng, names)), [maps[used]],
        [Part("m", used, granularity=inner, setting=setting)],
    )  # fmt: skip


def truth(given: Problem):
    """Return the largest distance of the images of neighbours, by search."""
    domain = given.domain
    (sort,) = domain.attribute_sorts.values()
    cells = tuple((v,) for v in domain.enumerations[sort])
    world = World(domain, cells, dict(domain.enumerations))
    (part,) = given.bound_parts
    return Enumeration(given, world, bound=1, extra=0).farthest(part, [world]).value


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(20))
def test_the_bound_is_the_largest_distance(seed):
    try:
        given = problem(seed)
        found = derive(given, {"eps": 1})
    except InputError:
        return
    most = truth(given)
    (bound,) = [b for b in found.bounds if b.notion == "pure"]
    if most in (0, float("inf")):
        assert most == 0 or isinstance(bound.value, Infinity)
        assert most == 0 or bound.known
        return
    assert bound.value == most
    assert bound.tight == "yes"


@pytest.mark.in_turn
@pytest.mark.parametrize("group", [1, 2])
@pytest.mark.parametrize("seed", range(12))
def test_directed_neighbours_are_bounded_in_both_directions(seed, group):
    try:
        given = problem(seed, group, directed=True)
        found = derive(given, {"eps": 1})
    except InputError:
        return
    most = truth(given)
    (bound,) = [b for b in found.bounds if b.notion == "pure"]
    if most in (0, float("inf")):
        assert most == 0 or isinstance(bound.value, Infinity)
        return
    assert bound.value == most


def steps(pairs, kept, start):
    """How many steps each of some databases is away, through these alone; counted by hand."""
    far, border = {start: 0}, [start]
    while border:
        here = border.pop(0)
        for a, b in [*pairs, *((b, a) for a, b in pairs)]:
            if a == here and b in kept and b not in far:
                far[b] = far[here] + 1
                border.append(b)
    return far


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(12))
def test_images_in_the_separate_setting_are_searched_among_images(seed):
    rng = random.Random(seed)
    names = [f"n{j}" for j in range(rng.randint(3, 5))]
    moved, target = rng.sample(names, 2)
    image = Map("image", image={"database": f"{target} if database(c) == {moved} else database(c)"})
    outer, inner = drawn(rng, names), drawn(rng, names, 2)
    part = Part("m", "image", granularity=listed_granularity("inner", inner))
    found = derive(
        Problem(listed_domain(names), listed_granularity("outer", outer), [image], [part]),
        {"eps": 1},
    )
    kept = {n for n in names if n != moved}
    ends = [tuple(target if n == moved else n for n in pair) for pair in outer]
    most = max(steps(inner, kept, a).get(b, float("inf")) for a, b in ends)
    (bound,) = [b for b in found.bounds if b.notion == "pure"]
    if most == float("inf"):
        assert isinstance(bound.value, Infinity)
        assert bound.known
    else:
        assert bound.value == most


DIRECTED = """
[domain]
databases = ["p", "q", "r"]
[granularity]
name = "ends"
neighbours = [["p", "q"]]
[[part]]
name = "counts"
map = "identity"
guarantee = { pure = "eps" }
[part.granularity]
neighbours = [["p", "q"], ["q", "r"], ["r", "p"]]
"""


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("[part.granularity]\n", "[part.granularity]\ndirected = true\n", "2*eps"),
        ("[part.granularity]\n", "[part.granularity]\ngroup = 2\n", "eps"),
        ('["p", "q"]]', '["p", "q"], ["q", "r"]]\ngroup = 2', "eps"),
    ],
)
def test_what_stands_beside_the_pairs_counts(old, new, text):
    given = load_spec(DIRECTED.replace(old, new, 1)).problem
    assert derive(given).bounds["pure"].text == text


def test_two_steps_in_a_list():
    outer = '["p", "q"]]'
    given = DIRECTED.replace('["q", "r"], ["r", "p"]', '["q", "r"]').replace(
        outer, '["p", "q"], ["q", "r"]]\ngroup = 2', 1
    )
    assert derive(load_spec(given).problem).bounds["pure"].text == "2*eps"


@pytest.mark.parametrize("more", ["[[granularity.edit]]\nchange = {}", 'arguments = { a = "b" }'])
def test_pairs_and_edits_are_not_given_together(more):
    text = DIRECTED.replace('neighbours = [["p", "q"]]', f'neighbours = [["p", "q"]]\n{more}', 1)
    with pytest.raises(InputError, match="unknown key"):
        load_spec(text)


def test_a_path_through_a_database_that_no_edit_names():
    outer = listed_granularity("ends", [("p", "r")])
    inner = listed_granularity("steps", [("p", "q"), ("q", "r")])
    given = Problem(
        listed_domain(["p", "q", "r"]), outer, [Map("all")], [Part("m", "all", granularity=inner)]
    )  # fmt: skip
    found = derive(given, {"eps": 1})
    assert (found.bounds[0].text, found.bounds[0].value, found.bounds[0].tight) == (
        "2*eps", 2, "yes",
    )  # fmt: skip
    assert verify(certificate(found.theorems, found)).verdict == "proved"


def test_what_search_proves_of_images_the_conditions_use():
    """Images of q and r are neighbours, since p and s are: C2 was not decided, the bound was."""
    names = ["p", "q", "r", "s"]
    half = Map("half", image={"database": "p if database(c) == p or database(c) == q else r"})
    path = listed_granularity("path", [("p", "q"), ("q", "r"), ("r", "s")])
    part = Part(
        "m", "half", granularity=listed_granularity("far", [("p", "s")]), setting="common"
    )  # fmt: skip
    found = derive(Problem(listed_domain(names), path, [half], [part]))
    assert [c.verdict for c in found.conditions.values()] == ["proved"]
    assert found.bounds["pure"].text == "eps"


PAIRS = [("n0", "n5"), ("n1", "n2"), ("n1", "n3"), ("n1", "n5"), ("n2", "n4"), ("n4", "n5")]


@pytest.mark.parametrize("wanted", PAIRS)
def test_all_neighbours_are_looked_at_whichever_the_solver_names_first(wanted):
    """All of them are one record less and one more: they differ in which databases they are."""
    names = [f"n{j}" for j in range(6)]
    use = listed_granularity("outer", PAIRS)
    structure = Structure(Problem(listed_domain(names), use, [Map("all")], [Part("m", "all")]))
    (edit,) = structure.edits[:1]

    def judge(found):
        return {value for (value,) in (*found.old, *found.new)} == set(wanted)

    found = structure.confirmed(edit, lambda _: Demand([], []), judge, tries=3, again=12)
    assert found is not None
    assert judge(found)
