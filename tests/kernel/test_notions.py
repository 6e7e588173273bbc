"""What the kernel knows of notions: how they grow, what adds up, and what converts."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import touched_by
from dpcomp_sym.notions import (
    NOTIONS,
    Additive,
    Conversion,
    conversion_between,
    conversions_to,
    epsilon_delta,
    forget,
    label,
    notion_named,
    of_epsilon,
    of_pairs,
    register,
    usual_parameters,
)
from dpcomp_sym.notions.core import times
from dpcomp_sym.statements import terms
from tests.kernel.world import (
    DELTA,
    EPS,
    ONE,
    SEEN,
    SIZE,
    TWO,
    ZERO,
    A,
    B,
    K,
    group,
    problem,
    vector,
)

PURE = NOTIONS["pure"]
APPROXIMATE = NOTIONS["approximate"]


def texts(items):
    return [x.text() for x in items]


@pytest.mark.parametrize(
    ("power", "root", "scaled", "lost", "at_one"),
    [
        (1, False, "m*a", "m*a", "a"),
        (2, False, "m^2*a", "m^2*a", "a"),
        (3, False, "m^3*a", "m^3*a", "a"),
        (1, True, "sqrt(m)*a", "m*a^2", "a"),
        (2, True, "m*a", "m*a*m*a", "a"),
        (3, True, "m*sqrt(m)*a", "m^3*a^2", "a"),
    ],
)
def test_what_is_lost_at_a_distance(power, root, scaled, lost, at_one):
    growth = Additive(power, root)
    m, a = k.Size("m"), k.Param("a")
    assert texts(growth.scale((a,), m)) == [scaled]
    assert growth.lost(a, m).text() == lost
    assert texts(growth.scale((a,), ONE)) == [at_one]
    assert growth.convex is True


def test_losses_grow_at_least_with_the_distance():
    with pytest.raises(k.KernelError, match="at least with the distance"):
        Additive(0)
    assert Additive(1).root is False


def test_nothing_and_everything_are_kept():
    assert APPROXIMATE.scale((A, B), ZERO) == (ZERO, ZERO)
    assert APPROXIMATE.scale((A, B), k.Inf()) == (k.Inf(), k.Inf())
    assert APPROXIMATE.scale((A, B), ONE) == (A, B)
    assert APPROXIMATE.scale((A, ZERO), TWO)[1] == ZERO
    assert (APPROXIMATE.growth.root, APPROXIMATE.additive) == (False, None)
    assert PURE.additive == Additive(1)


def test_what_does_not_fit_together_is_no_notion():
    with pytest.raises(k.KernelError, match="one parameter each"):
        replace(PURE, parameters=("a", "b"))
    with pytest.raises(k.KernelError, match="one parameter each"):
        replace(APPROXIMATE, parameters=("a",))
    with pytest.raises(k.KernelError, match="about other notions"):
        replace(PURE, name="other", conversions=NOTIONS["zcdp"].conversions)
    of_itself = Conversion("pure", "zcdp", lambda g, _: g, "", "", lambda g, _, __: tuple(g))
    assert replace(PURE, conversions=(of_itself,)).conversions == (of_itself,)
    assert (of_itself.both_ways, of_itself.convex, of_itself.path) == (False, False, None)


@pytest.mark.parametrize("r", [ZERO, TWO, k.Inf()])
def test_a_guarantee_has_as_many_parameters_as_its_notion(r):
    for notion, guarantee in ((APPROXIMATE, (A,)), (PURE, (A, B)), (PURE, ())):
        with pytest.raises(k.KernelError, match=rf"with {len(guarantee)} parameter\(s\)"):
            notion.scale(guarantee, r)


def test_products_without_factors_1():
    assert (times(), times(ONE, ONE), times(ONE, A)) == (ONE, ONE, A)
    assert times(A, ONE, ZERO) == k.Product((A, ZERO))


def test_notions_do_not_change():
    values = [
        PURE, PURE.growth, APPROXIMATE.growth, PURE.words, PURE.attaining, PURE.refuting,
        PURE.curve, NOTIONS["zcdp"].points, NOTIONS["zcdp"].conversions[0],
    ]  # fmt: skip
    for one in values:
        name = fields(one)[0].name
        with pytest.raises(FrozenInstanceError):
            setattr(one, name, getattr(one, name))


def test_the_conversions():
    known = {
        (c.source, c.target): (c.chosen, c.both_ways, c.convex)
        for target in NOTIONS
        for c in conversions_to(target)
    }
    assert known == {
        ("pure", "approximate"): (None, False, True),
        ("gaussian", "approximate"): ("eps", False, False),
        ("zcdp", "approximate"): ("delta", False, False),
        ("gaussian", "zcdp"): (None, False, True),
        ("pure", "zcdp"): (None, True, False),
        ("pure", "gaussian"): (None, True, False),
    }
    paths = {(c.source, c.target): c.path.convex
             for n in NOTIONS for c in conversions_to(n) if c.path}  # fmt: skip
    assert paths == {("pure", "zcdp"): True, ("pure", "gaussian"): False}
    assert [c.source for c in conversions_to("approximate")] == ["pure", "gaussian", "zcdp"]
    assert [c.source for c in conversions_to("zcdp")] == ["gaussian", "pure"]
    assert list(conversions_to("renyi")) == []
    assert conversion_between("approximate", "pure") is None


def test_the_notions():
    assert [(n.name, n.growth.root, n.growth.convex) for n in NOTIONS.values()] == [
        ("pure", False, True), ("approximate", False, True),
        ("zcdp", False, True), ("gaussian", True, True),
    ]  # fmt: skip
    assert [getattr(n.additive, "power", None) for n in NOTIONS.values()] == [1, None, 2, 2]
    assert usual_parameters() == {
        "pure": ("eps",), "approximate": ("eps", "delta"), "zcdp": ("rho",), "gaussian": ("mu",),
    }  # fmt: skip
    assert epsilon_delta() == ["approximate", "pure"]
    assert (of_epsilon(), of_pairs()) == ("pure", "approximate")
    assert k.NOTIONS == {"pure": 1, "approximate": 2, "zcdp": 1, "gaussian": 1}
    with pytest.raises(k.KernelError, match="nothing is known of renyi"):
        notion_named("renyi")


@pytest.fixture
def bent():
    """A further notion: pairs whose δ is not convex in the distance; it is gone afterwards."""
    bent = replace(
        APPROXIMATE, name="bent", growth=replace(APPROXIMATE.growth, convex=False), conversions=()
    )
    yield register(bent)
    forget("bent")
    assert "bent" not in {*NOTIONS, *terms.NOTIONS}


def test_a_notion_is_registered_once(bent):
    assert register(bent) is bent
    assert terms.NOTIONS["bent"] == 2
    with pytest.raises(ValueError, match="already a notion named 'bent'"):
        register(replace(bent))
    there = Conversion("pure", "zcdp", lambda g, _: g, "", "", lambda g, _, __: tuple(g))
    with pytest.raises(ValueError, match="already a notion named 'zcdp'"):
        register(replace(NOTIONS["zcdp"], conversions=(there,)))
    second = replace(there, source="further")
    with pytest.raises(ValueError, match="two conversions from further to zcdp"):
        register(replace(PURE, name="further", conversions=(second, second)))
    assert "further" not in NOTIONS


def test_losses_that_are_not_convex_are_not_shared_out(bent):
    """Blocks that share a distance count as fewer only where what is lost is convex in it."""
    of = problem(k.PartView("s", "p", K, SEEN))
    way = vector(group(1, wide=SIZE, s=2))
    loss = k.EachJoint(K, k.At((EPS, DELTA), SEEN))
    counts = {
        name: [count for one in touched_by(of, way, name, loss) for count, _ in one.groups]
        for name in ("approximate", bent.name)
    }
    assert counts == {"approximate": [ONE], "bent": [SIZE]}


def test_what_notions_are_called():
    words = notion_named("pure").words, notion_named("approximate").words
    assert [w.formula for w in words] == [r"\varepsilon", r"(\varepsilon, \delta)"]
    assert [label(n) for n in ("pure", "approximate", "shuffled")] == [
        "pure (ε)", "approximate (ε, δ)", "shuffled"
    ]  # fmt: skip


def test_what_is_lost_against_the_direction_of_a_guarantee():
    """Laws (1, 0) and (1/2, 1/2) are private this way, and that way an output is impossible.

    A δ below 1 leaves something of each output; trade-off functions of normals are the same
    both ways.
    """
    assert {n for n, one in NOTIONS.items() if replace(one).lost_back} == {"pure", "zcdp"}
