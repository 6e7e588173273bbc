"""The replay agrees with the kernel, on what both accept and on what both refuse."""

from __future__ import annotations

import gc
import weakref
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpcomp_sym import kernel as k
from dpcomp_sym.certificates.write import steps_of
from dpcomp_sym.replay import RejectedError, check
from dpcomp_sym.replay import algebra as replay_algebra
from dpcomp_sym.replay import notions as replay_notions
from dpcomp_sym.replay import terms as replay_terms
from dpcomp_sym.replay.rules import RULES
from dpcomp_sym.replay.terms import Reader
from dpcomp_sym.statements import terms
from tests.certificates import both
from tests.certificates.both import side_by_side
from tests.kernel import rejects, test_patterns, test_profiles, test_rules, world

FEW = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def test_the_rules_have_the_same_names():
    assert set(RULES) == set(k.RULES)


def test_what_the_kernel_must_refuse_the_replay_refuses(monkeypatch):
    with side_by_side(monkeypatch) as (found, counts):
        assert rejects.unrefused() == []
    assert found == []
    assert counts["refused"] > 100
    assert counts["accepted"] > 150


def test_what_steps_cost_is_the_same_in_both(monkeypatch):
    with side_by_side(monkeypatch) as (found, counts):
        test_rules.test_steps_are_worth_more_than_their_distance()
        test_rules.test_only_where_a_path_leads_through_databases_its_steps_count()
        for target, count in (("zcdp", world.ONE), ("gaussian", test_profiles.M_SIZE)):
            test_profiles.test_what_steps_cost_is_shared_only_if_it_is_convex(target, count)
    assert found == []
    assert counts["accepted"] > 40


# ------------------------------------------------------------- inequalities

atoms = st.one_of(
    st.sampled_from([world.A, world.B, world.C, world.EPS, world.SIZE, world.INF]),
    st.fractions(0, 5, max_denominator=3).map(k.Num),
)
values = st.sampled_from([world.EPS, world.DELTA, world.ONE])


def choices(inner):
    count = st.sampled_from([world.ONE, world.TWO, world.SIZE, world.INF, world.num(3)])
    return st.lists(st.builds(k.Choice, count, inner), min_size=1, max_size=3).map(tuple)


def operations(inner):
    items = st.lists(inner, max_size=3).map(tuple)
    scaled = st.tuples(st.fractions(0, 3, max_denominator=2).map(k.Num), values).map(k.Product)
    return st.one_of(
        items.map(k.Sum),
        items.map(k.Product),
        items.map(k.Max),
        inner.map(k.Sqrt),
        inner.map(lambda x: k.Sqrt(k.Product((x, x)))),
        st.builds(k.Apply, st.sampled_from(["gdp", "tanh", "exp"]), st.tuples(inner)),
        st.builds(
            k.Apply,
            st.sampled_from(["growth", "path_rho", "path_mu"]),
            st.tuples(inner, inner),
        ),
        choices(st.one_of(values, scaled)).map(lambda g: k.Worst(world.K, g)),
    )


expressions = st.recursive(atoms, operations, max_leaves=8)
boxes = st.sampled_from(
    [(), world.up_to("k", 1, 1), world.up_to("k", 2), world.up_to("k", 1, 3), world.up_to("l", 2)]
)
worsts = choices(values).map(lambda g: k.Worst(world.K, g))


@st.composite
def rewritten(draw, e):
    """An expression that is equal or larger, mostly."""
    if isinstance(e, k.Sum | k.Product | k.Max) and e.items:
        order = draw(st.permutations(e.items))
        more = draw(st.lists(expressions, max_size=1)) if isinstance(e, k.Sum | k.Max) else []
        return type(e)((*order, *more))
    return draw(
        st.sampled_from([k.Sum((e,)), k.Product((e, world.ONE)), k.Sqrt(k.Product((e, e)))])
    )


def attempt(call, *args):
    try:
        return call(*args)
    except k.KernelError:
        return None


def combine(leqs):
    attempt(k.maximum, leqs)
    for kind in (
        "sum", "product", "max", "sqrt", "gdp", "growth", "tanh", "exp", "path_rho", "path_mu",
        "other",
    ):  # fmt: skip
        attempt(k.monotone, kind, leqs)
    if len(leqs) == 2:
        attempt(k.transitive, *leqs)
    attempt(k.root, leqs[0])


@pytest.mark.in_turn
@FEW
@given(data=st.data())
def test_inequalities(monkeypatch, data):
    left, where = data.draw(expressions), data.draw(boxes)
    right = data.draw(st.one_of(expressions, rewritten(left)))
    with side_by_side(monkeypatch) as (found, _):
        first = attempt(k.bounded_polynomial, left, right, where)
        again = attempt(k.bounded_polynomial, right, right, where)
        if isinstance(right, k.Max):
            attempt(k.some_item, left, right, where)
        for r in (world.TWO, left):
            attempt(k.growth_least, k.Apply("growth", (right, r)), where)
            attempt(k.growth_least, k.Apply("path_rho", (right, r)), where)
            attempt(k.growth_most, k.Apply("growth", (right, r)), left, where)
            for law in (k.growth_in, k.growth_out):
                attempt(law, k.Apply("growth", (right, r)), where)
                attempt(law, k.Apply("path_rho", (right, r)), where)
        for leqs in ((first,), (first, again), (again, first)):
            if None not in leqs:
                combine(leqs)
    assert found == []


@pytest.mark.in_turn
@FEW
@given(one=worsts, other=worsts, base=values, where=boxes, plan=st.data())
def test_worst_choices(monkeypatch, one, other, base, where, plan):
    factor = plan.draw(st.sampled_from([world.A, world.TWO, world.EPS]))
    targets = plan.draw(st.lists(st.integers(0, 3), min_size=len(one.groups), max_size=3))
    groups = tuple(k.Choice(g.count, k.Product((factor, g.value))) for g in one.groups)
    times = attempt(k.Worst, world.K, groups) or one
    with side_by_side(monkeypatch) as (found, _):
        attempt(k.abel, one, other, base, where)
        attempt(k.abel, times, one, base, where)
        attempt(k.choose, one, where)
        k.spread(one, where)
        k.squares(one, where)
        for number in (factor, world.ONE):
            attempt(k.share, one, (other, one), (number, world.TWO), where)
        attempt(k.factor_out, times, factor, one, where)
        attempt(k.factor_in, times, factor, other, where)
        leqs = [
            attempt(k.bounded_polynomial, g.value, other.groups[t].value, where)
            for g, t in zip(one.groups, targets, strict=False)
            if t < len(other.groups)
        ]
        if None not in leqs:
            attempt(k.transport, one, other, tuple(targets), tuple(leqs), where)
        for leq in leqs:
            if leq is not None:
                attempt(k.each_block, leq, one)
    assert found == []


# ------------------------------------------------------------- mechanisms and profiles

counts = st.sampled_from([world.num(0), world.ONE, world.TWO, world.SIZE, world.INF])
distances = st.sampled_from([world.ZERO, world.ONE, world.TWO, world.INF])
subsets = {0: [()], 1: [(1,)], 2: [(1,), (2,), (1, 2)]}


@st.composite
def facts(draw, problem, points):
    found = [k.TouchCount(problem, "e", "p", draw(counts))]
    for touched in subsets[points]:
        if draw(st.booleans()):
            found += [k.BlockDistance(problem, "e", "s", touched, draw(distances))]
    if points and draw(st.booleans()):
        kind = k.TouchedKind("p", draw(st.sampled_from(subsets[points])), draw(st.integers(1, 2)))
        found.append(k.Infeasible(problem, "e", (kind,), ()))
    for fact in tuple(found):
        box = draw(boxes)
        if box and draw(st.booleans()):
            found.append(k.Restricted(fact, box))
    return tuple(world.fact(f) for f in draw(st.permutations(found)))


@st.composite
def vectors(draw):
    groups = st.builds(
        lambda c, r: k.BlockGroup("p", c, (k.SeenDistance("s", r),)), counts, distances
    )
    return k.DifferenceVector(tuple(draw(st.lists(groups, max_size=2))))


@pytest.mark.in_turn
@FEW
@given(data=st.data())
def test_profiles_and_bounds(monkeypatch, data):
    points = data.draw(st.integers(0, 2))
    problem = world.problem(edits=(("e", points),))
    notion = data.draw(st.sampled_from(list(k.NOTIONS)))
    wanted = tuple(data.draw(st.lists(vectors(), min_size=1, max_size=2)))
    where = data.draw(boxes)
    with side_by_side(monkeypatch) as (found, _):
        known = data.draw(facts(problem, points))
        profile = attempt(k.compose_profile, problem, known, wanted, where)
        profile = profile or world.fact(k.ProfileFact(problem, where, wanted))
        more = tuple(data.draw(st.lists(vectors(), min_size=1, max_size=2)))
        weaker = attempt(k.weaken_profile, profile, more, where) or profile
        target = data.draw(st.sampled_from(list(k.NOTIONS)))
        chosen = data.draw(st.sampled_from([(), (world.A,), (world.DELTA,)]))
        one = k.preprocess(k.everywhere(world.part(notion)), world.P)
        if data.draw(st.booleans()):
            family = k.run_family(attempt(k.convert, one, target, chosen) or one, world.K)
        else:
            family = k.run_family(one, world.K)
            family = attempt(k.convert, family, target, chosen) or family
        bounds = [attempt(k.maximum_over_neighbours, family, p) for p in (profile, weaker)]
        for bound in bounds:
            if bound is None:
                continue
            attempt(k.convert, bound, target, chosen)
            attempt(k.restrict, bound, data.draw(boxes))
            everything = attempt(k.everywhere, bound)
            if everything is not None:
                attempt(k.between_neighbours, everything)
                attempt(k.run_adaptively, (everything, bound))
        if None not in bounds:
            attempt(k.cover_cases, tuple(bounds), data.draw(boxes))
    assert found == []


def test_a_group_of_no_blocks_is_below_no_groups(monkeypatch):
    """Both programs read a count of 0 as "nothing changes"."""
    problem = world.problem(edits=(("e", 0),))
    no_block = k.DifferenceVector(
        (k.BlockGroup("p", world.ZERO, (k.SeenDistance("s", world.ONE),)),)
    )
    profile = world.fact(k.ProfileFact(problem, (), (no_block,)))
    nothing = k.DifferenceVector(())
    with side_by_side(monkeypatch) as (found, _):
        weaker = attempt(k.weaken_profile, profile, (nothing,), ())
    assert weaker.statement.vectors == (nothing,)
    assert found == []


@pytest.mark.parametrize(("larger", "holds"), test_patterns.LARGER)
def test_patterns_that_are_below_others(monkeypatch, larger, holds):
    profile = world.fact(k.ProfileFact(rejects.FRAMED, (), (test_patterns.TWO_BLOCKS,)))
    with side_by_side(monkeypatch) as (found, _):
        assert (attempt(k.weaken_profile, profile, (larger,), ()) is not None) is holds
    assert found == []


@pytest.mark.parametrize("notion", list(k.NOTIONS))
@pytest.mark.parametrize("target", list(k.NOTIONS))
def test_one_sided_conversions(monkeypatch, notion, target):
    with side_by_side(monkeypatch) as (found, _):
        for theorem in world.one_sided(notion):
            attempt(k.convert, theorem, target)
    assert found == []


def node(term):
    return Reader().value(term.as_json(), "Statement")


def test_the_replay_never_takes_a_notion_for_another(monkeypatch):
    """A further notion, of which no rule knows anything yet."""
    for table in (terms.NOTIONS, replay_terms.NOTIONS):
        monkeypatch.setitem(table, "renyi", 1)
    one = replay_algebra.ONE
    with pytest.raises(RejectedError, match="no conversion"):
        replay_notions.converted("renyi", "approximate", (one,), ())
    for r in (replay_algebra.ZERO, one, replay_algebra.INF, replay_algebra.num(2)):
        with pytest.raises(RejectedError, match="nothing is known of renyi"):
            replay_notions.scaled("renyi", (one,), r)
    seen = k.Pullback(k.CanonicalMetric(world.H, world.E), world.F)
    of = world.problem(k.PartView("s", "f", (), seen))
    private = node(k.Private(world.M, "renyi", k.At((world.A,), seen), ()))
    for r in (0, 1, world.INF):
        profile = k.ProfileFact(of, (), (world.vector(world.group(1, "f", s=r)),))
        with pytest.raises(RejectedError, match="renyi guarantees"):
            RULES["maximum_over_neighbours"][1](private, node(profile))


@pytest.mark.parametrize("count", rejects.NO_COUNTS.values(), ids=list(rejects.NO_COUNTS))
def test_the_replay_takes_integers_alone_for_numbers_of_blocks(count):
    entry = world.EPS.as_json()
    problem = rejects.EDITED.as_json()
    one = k.Num(Fraction(1)).as_json()
    group = {"op": "Group", "map": "p", "distances": [], "block": []}
    for data, kind in (
        ({"op": "Choice", "count": count.as_json(), "value": entry}, "Choice"),
        (group | {"count": count.as_json(), "wide": None}, "Group"),
        (group | {"count": count.as_json(), "wide": one}, "Group"),
        (group | {"count": one, "wide": count.as_json()}, "Group"),
        ({"op": "TouchCount", "problem": problem, "edit": "swap", "map": "p",
          "count": count.as_json()}, "Statement"),
    ):  # fmt: skip
        with pytest.raises(RejectedError, match="must be an integer"):
            Reader().value(data, kind)


@pytest.mark.parametrize(
    ("kinds", "why"),
    [
        ([((1,), 0)], "no block"),
        ([((1,), -1)], "no block"),
        ([((1,), 1), ((1,), 2)], "occurs twice"),
    ],
)
def test_the_replay_refuses_patterns_without_meaning(kinds, why):
    pattern = [{"op": "Kind", "map": "p", "touched": list(t), "count": n} for t, n in kinds]
    data = {"op": "Infeasible", "problem": rejects.EDITED.as_json(), "edit": "swap",
            "pattern": pattern, "where": []}  # fmt: skip
    with pytest.raises(RejectedError, match=why):
        Reader().value(data, "Statement")


@pytest.mark.parametrize(
    ("fact", "box", "why"),
    [
        (k.TouchCount(rejects.EDITED, "swap", "p", world.ONE), (), "about all sizes"),
        (k.Compatible(world.P, world.G, world.D), world.up_to("k", 1, 1), "facts about edits"),
        (k.ProfileFact(rejects.EDITED, (), ()), world.up_to("k", 1, 1), "facts about edits"),
    ],
)
def test_the_replay_restricts_only_facts_about_edits_and_to_some_sizes(fact, box, why):
    data = {"op": "Restricted", "of": fact.as_json(), "where": [r.as_json() for r in box]}
    with pytest.raises(RejectedError, match=why):
        Reader().value(data, "Statement")


@pytest.mark.parametrize("parts", [(), ("s", "s"), ("t",), ("s", "t")])
def test_the_replay_wants_every_part_in_a_vector(parts):
    good = k.ProfileFact(world.problem(), (), (world.vector(world.group(1)),)).as_json()
    node_of = Reader().value
    assert node_of(good, "Statement")
    (group,) = good["vectors"][0]["groups"]
    (seen,) = group["distances"]
    group["distances"] = [seen | {"part": p} for p in parts]
    with pytest.raises(RejectedError, match="lists all parts"):
        node_of(good, "Statement")
    group["map"], group["distances"] = "q", []
    with pytest.raises(RejectedError, match="lists all parts"):
        node_of(good, "Statement")


@pytest.mark.parametrize("value", rejects.CAN_BE_INFINITE, ids=lambda e: e.text())
def test_the_replay_pushes_no_guarantee_forward_that_can_be_infinite(value):
    private = node(k.Private(world.M, "pure", k.At((value,), world.EUCLID), ()))
    with pytest.raises(RejectedError, match="stays finite"):
        RULES["pushforward"][1](private, node(k.Dependent(world.M, world.F)))


def test_a_forged_theorem_has_no_certificate():
    """Who reaches the kernel's table can enter anything there; the replay is not impressed."""
    true, false = (k.BoundLeq(world.ONE, e, ()) for e in (world.ONE, world.ZERO))
    theorem = k.bounded_polynomial(true.left, true.right, ())
    gc.unfreeze()  # only what is not frozen is listed
    (table,) = [
        x for x in gc.get_objects()
        if type(x) is weakref.WeakKeyDictionary and x.get(theorem) is not None
    ]  # fmt: skip
    table[theorem] = table[theorem]._replace(statement=false)
    assert k.is_theorem(theorem)
    assert theorem.statement == false
    private = k.change_guarantee(
        world.private(loss=k.Neighbouring(world.G, world.D, (world.ONE,))), (theorem,)
    )
    with pytest.raises(RejectedError, match="bounded_polynomial"):
        check.replay(document(pure=private))


# ------------------------------------------------------------- certificates of derivations


def one():
    """A derivation with parts, a family, a profile and cases."""
    problem = world.problem(("s", world.P), edits=(("e", 1),))
    leaves = (
        world.fact(k.TouchCount(problem, "e", "p", world.ONE)),
        world.fact(k.BlockDistance(problem, "e", "s", (1,), world.ONE)),
    )
    wanted = (world.vector(world.group(1)),)
    profile = k.compose_profile(problem, leaves, wanted, ())
    return k.maximum_over_neighbours(world.family(), profile)


def document(**theorems):
    rest = dict.fromkeys(("problem", "conditions", "profile", "evidence", "seal"))
    return {"schema": check.SCHEMA, "verdict": "proved", **rest, **steps_of(theorems)}


def test_steps_are_replayed():
    theorem = one()
    played = check.replay(document(pure=theorem))
    assert check.digest_of(played.conclusions["pure"]) == theorem.statement.digest()
    assert len(played.statements) == len(k.dag(theorem))
    assert {leaf.kind for leaf in played.leaves} == {"given", "smt"}


@pytest.mark.in_turn
@pytest.mark.parametrize("rule", sorted(RULES))
def test_no_rule_stands_for_another(rule):
    data = document(pure=one())
    for step in data["steps"]:
        if step["rule"] != rule:
            before, step["rule"] = step["rule"], rule
            with pytest.raises(RejectedError, match=f"step {step['step']}"):
                check.replay(data)
            step["rule"] = before
    check.replay(data)


@pytest.mark.parametrize("kind", [k.Sum, k.Product])
def test_an_item_of_something_else_is_not_below_it(kind):
    arguments = {"left": world.A, "right": kind((world.A, world.ZERO)), "where": ()}
    with pytest.raises(RejectedError, match="Max is needed"):
        both.replayed("some_item", {n: both.plain(v) for n, v in arguments.items()})


def test_numbers_are_read_in_one_way():
    reader = Reader()
    assert reader.value({"op": "Num", "value": "3/2"}, "Expr") == ("Num", Fraction(3, 2))
    for bad in ("6/4", "1.5", "-1", "+1", "01", "1/0", " 1", "1e3", "", "1/1", 1, None, "9" * 2000):
        with pytest.raises(RejectedError):
            reader.value({"op": "Num", "value": bad}, "Expr")
