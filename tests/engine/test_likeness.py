"""Maps and parts that are alike share their answers, and others do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.conditions import conditions
from dpcomp_sym.engine.contradictions import check_input
from dpcomp_sym.engine.likeness import Likeness, form
from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import Proved, Refuted
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity, library_map

RECORDS = Domain({"id": "R", "owner": "U"})
OWN = {"h": (["cell"], "int")}
BLOCKS = {
    "partition": {}, "partial_partition": {}, "cover": {"m": 2}, "filter": {}, "identity": {},
}  # fmt: skip


def made(kind, name):
    return library_map(kind, name=name, **BLOCKS[kind])


def problem(maps, granularity="bounded", setting="separate", domain=RECORDS):
    arguments = {"owner": "owner"} if granularity == "user" else {}
    outer = library_granularity(granularity, **arguments)
    parts = [
        Part(f"of_{m.name}", m.name, guarantees={"pure": (f"e_{m.name}",)}, setting=setting)
        for m in maps
    ]
    return Problem(domain, outer, maps, parts)


def told(condition, name):
    """What is said of a condition, without the name of its map."""
    said = (condition.verdict, condition.statement, condition.reason, condition.weakest)
    return tuple(text and text.replace(name, "_") for text in said)


@pytest.mark.in_turn
@pytest.mark.parametrize("granularity", ["unbounded", "bounded", "user"])
@pytest.mark.parametrize("setting", ["separate", "common"])
@pytest.mark.parametrize("kind", ["partition", "partial_partition", "cover"])
def test_what_is_shared_is_what_each_would_be_told_alone(kind, setting, granularity):
    names = ("one", "two", "three")
    together = conditions(Structure(problem([made(kind, n) for n in names], granularity, setting)))
    for name in names:
        single = conditions(Structure(problem([made(kind, name)], granularity, setting)))
        for what, condition in single.items():
            about = f"of_{name}" if what == "sensitivity" else name
            shared = together[f"{what}[{about}]"]
            assert told(shared, name) == told(condition, name)
            if isinstance(condition.outcome, Refuted):
                example = shared.outcome.counterexample
                assert {block for block, _ in example.blocks} == {name}
                assert {part for part, *_ in example.distances} <= {f"of_{name}"}


def test_a_form_has_no_names():
    forms = [form(made(kind, name).bind(RECORDS)) for kind in BLOCKS for name in ("a", "b")]
    assert forms[::2] == forms[1::2]
    assert len(set(forms)) == len(BLOCKS)


@pytest.mark.parametrize(
    ("member", "functions"),
    [
        ("h(c) != i", OWN),
        ("h(c) == i + 1", OWN),
        ("g(c) == i", {}),  # a function of all maps is not one's own
        ("h(c) == i", {"h": (["R"], "int")}),
        ("h(c) == i", OWN),
    ],
)
def test_what_differs_in_more_than_names_is_not_alike(member, functions):
    domain = replace(RECORDS, functions={"g": (["cell"], "int")})
    if functions == {"h": (["R"], "int")}:
        member = member.replace("h(c)", "h(id(c))")
    one = Map("one", "h(c) == i", {"i": "k"}, OWN).bind(domain)
    other = Map("other", member, {"i": "k"}, functions).bind(domain)
    assert (form(one) == form(other)) is (member == "h(c) == i")


def test_sizes_and_limits_are_part_of_a_form():
    maps = [Map("a", "h(c) == i", {"i": size}, OWN, multiplicity=most, facts=facts)
            for size in ("k", "l", 3) for most in (None, 2)
            for facts in ((), ("h(c) >= 1",))]  # fmt: skip
    assert len({form(m.bind(RECORDS)) for m in maps}) == len(maps)


def test_parts_are_alike_if_they_see_the_same_distances():
    maps = [made("partition", "a"), made("partition", "b"), made("cover", "c")]
    parts = [
        Part("p", "a"), Part("q", "b"), Part("r", "c"), Part("s", "a", setting="common"),
        Part("t", "b", library_granularity("unbounded")), Part("u", "a", guarantees={}),
    ]  # fmt: skip
    found = Problem(RECORDS, library_granularity("bounded"), maps, parts)
    likeness = Likeness(found)
    assert [likeness.part(p).name for p in found.bound_parts] == ["p", "p", "r", "s", "t", "p"]


FIXED = Domain({"id": "R"}, functions={"g": (["cell"], "int")})
READER = Map("reader", "g(c) == i", {"i": "k"})
TELLER = Map("teller", "true", facts=("g(c) == 1",))


def test_a_fact_that_concerns_another_map_is_given():
    """All records lie in block 1 of a map, since another map says so."""
    alone = problem([READER], domain=FIXED)
    assert isinstance(Structure(alone).compatible(alone.used_maps["reader"]), Refuted)
    both = problem([READER, TELLER], domain=FIXED)
    assert isinstance(Structure(both).compatible(both.used_maps["reader"]), Proved)


def test_facts_of_a_map_s_own_labels_concern_no_other_map():
    own = [made(kind, "m").bind(RECORDS) for kind in BLOCKS]
    assert all(m.loose for m in own)
    assert not TELLER.bind(FIXED).loose
    for fact in ("h(c) >= 1", "1 <= h(c) and h(c) <= 2", "h(c) == 1", "h(c) <= l"):
        assert (
            not Map("m", "h(c) == i", {"i": "k"}, OWN, facts=(fact,))
            .bind(Domain({"id": "R"}, symbols={"l": "true"}))
            .loose
        )
    assert (
        Map("m", "h(c) == i", {"i": 2}, OWN, facts=("1 <= h(c) and h(c) <= 2",)).bind(RECORDS).loose
    )


def test_an_empty_class_is_found_by_the_facts_of_all_maps():
    contradicting = Map("other", "true", facts=("g(c) == 2",))
    with pytest.raises(Exception, match="contradict"):
        check_input(Structure(problem([TELLER, contradicting], domain=FIXED)))


@pytest.mark.parametrize("setting", ["separate", "common"])
def test_the_profile_of_alike_maps_is_that_of_each(setting):
    single = profile_of(Structure(problem([made("partition", "a")], "bounded", setting)))
    many = profile_of(Structure(problem([made("partition", n) for n in "abcde"], "bounded",
                                        setting)))  # fmt: skip
    assert many.exact == single.exact
    assert [c.ranges for c in many.cases] == [c.ranges for c in single.cases]
    for alone, joint in zip(single.cases, many.cases, strict=True):
        [vector], [wide] = alone.vectors, joint.vectors
        assert [(g.count, [d for _, d in g.distances]) for g in wide] == 5 * [
            (g.count, [d for _, d in g.distances]) for g in vector
        ]


@pytest.mark.in_turn
def test_a_hundred_maps_add_up():
    """Replaced records, a mechanism on the common domain for each of a hundred partitions."""
    found = derive(problem([made("partition", f"m{n}") for n in range(100)], setting="common"))
    [pure] = found.bounds
    *first, last = (f"sum of the 2 largest e_m{n}[i]" for n in range(100))
    assert pure.text == " + ".join([*(f"({each})" for each in first), last])
    assert (pure.tight, found.verdict) == ("yes", "proved")
    assert len(found.profile.cases) == 1
