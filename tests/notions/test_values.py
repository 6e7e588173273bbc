"""The notions that come with the program, value by value: formulas, curves, mechanisms, points."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpcomp_sym.notions import NOTIONS, conversion_between
from dpcomp_sym.notions import meeting as m
from dpcomp_sym.notions import points as at
from dpcomp_sym.notions.written import beside, squared
from dpcomp_sym.profile import PartInfo
from dpcomp_sym.statements import terms as t

G, C = t.Param("g"), t.Param("c")
fewer = st.fractions(min_value=0, max_value=9, max_denominator=20)
CURVES = {"pure": (2.0,), "approximate": (2.0, 0.25), "zcdp": (0.5,), "gaussian": (3.0,)}


@pytest.mark.parametrize(
    ("name", "formulas"),
    [
        ("pure", (r"G \, r",)),
        ("approximate", (r"G \, r", r"H \, [r]_{G}")),
        ("zcdp", (r"G \, r^2",)),
        ("gaussian", (r"G \, r",)),
    ],
)
def test_formulas_at_a_distance(name, formulas):
    notion = NOTIONS[name]
    assert notion.words.at_distance(("G", "H")[: len(notion.parameters)], "r") == formulas


@pytest.mark.parametrize(
    ("source", "target", "result", "latex"),
    [
        ("pure", "approximate", ["g", "0"], ("G", "0")),
        ("gaussian", "approximate", ["c", "gaussian_delta(g, c)"],
         (r"C \, A", r"\delta_{\mathrm{G}}(G, C)")),
        ("zcdp", "approximate", ["zcdp_epsilon(g, c)", "c"],
         (r"\varepsilon_{\mathrm{Z}}(G, C)", r"C \, A")),
        ("gaussian", "zcdp", ["1/2*g^2"], (r"\tfrac12 G^2",)),
        ("pure", "zcdp", ["g*tanh(1/2*g)"], (r"G \, \tanh\bigl(\tfrac12 \, G\bigr)",)),
        ("pure", "gaussian", ["gdp(g)"], (r"2\,\Phi^{-1}\bigl(e^{G} / (1 + e^{G})\bigr)",)),
    ],
)  # fmt: skip
def test_conversions_and_their_formulas(source, target, result, latex):
    rule = conversion_between(source, target)
    assert [e.text() for e in rule.rule((G,), (C,))] == result
    assert rule.latex(("G",), ("C",), "A") == latex


@pytest.mark.parametrize(
    ("target", "one", "more", "latex"),
    [
        ("zcdp", "g*tanh(1/2*g)", "path_rho(g, r)", r"\rho_{\mathrm{P}}(G, R)"),
        ("gaussian", "gdp(g)", "path_mu(g, r)", r"\mu_{\mathrm{P}}(G, R)"),
    ],
)
def test_paths_of_one_step_and_of_more(target, one, more, latex):
    path = conversion_between("pure", target).path
    steps = (t.Num(Fraction(1)), t.Size("r"))
    assert [[e.text() for e in path.rule((G,), r)] for r in steps] == [[one], [more]]
    assert path.latex(("G",), "R") == (latex,)


def test_pairs_grow_by_a_geometric_sum():
    scale = NOTIONS["approximate"].scale
    one, zero, r = t.Num(Fraction(1)), t.Num(Fraction(0)), t.Size("r")
    assert [e.text() for e in scale((G, C), r)] == ["r*g", "c*growth(g, r)"]
    assert scale((G, C), one) == (G, C)
    assert scale((G, zero), r)[1] == zero


# Curves


@pytest.mark.parametrize("name", CURVES)
def test_curves_fall_from_the_whole_to_nothing(name):
    delta = NOTIONS[name].curve.delta(CURVES[name])
    values = [delta(e / 8) for e in range(160)]
    assert 0 < values[0] <= 1
    assert all(a >= b for a, b in pairwise(values))
    assert values[-1] < 0.001 or name == "approximate"


@pytest.mark.parametrize("eps", [0.5, 1.0, 3.0])
def test_the_curve_of_pure_privacy_is_that_of_a_coin(eps):
    """Randomized response tells e^eps/(1 + e^eps) from 1/(1 + e^eps), and nothing tells more."""
    likely, other = math.exp(eps) / (1 + math.exp(eps)), 1 / (1 + math.exp(eps))
    pure = NOTIONS["pure"].curve.delta((eps,))
    pair = NOTIONS["approximate"].curve.delta((eps, 0.25))
    for e in (0.0, eps / 2, eps, 2 * eps):
        expected = max(likely - math.exp(e) * other, 0.0)
        assert pure(e) == pytest.approx(expected, abs=1e-12)
        assert pair(e) == pytest.approx(0.25 + 0.75 * expected)
    assert pure(eps) == pure(2 * eps) == 0
    assert pair(eps) == pair(2 * eps) == 0.25


@pytest.mark.parametrize("mu", [0.5, 1.0, 3.0])
def test_the_curve_of_gaussian_privacy_is_that_of_two_normals(mu):
    delta = NOTIONS["gaussian"].curve.delta((mu,))
    for e in (0.0, 0.5, 2.0):
        exact = mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
        assert delta(e) == pytest.approx(float(exact))
    assert NOTIONS["gaussian"].curve.delta((0,))(0.0) == 0


@pytest.mark.parametrize("rho", [0.125, 0.5, 2.0])
def test_the_curve_of_zero_concentrated_privacy_is_its_conversion(rho):
    """At eps = rho + 2 sqrt(rho ln(1/x)) it is x; up to eps = rho the formula says nothing."""
    delta = NOTIONS["zcdp"].curve.delta((rho,))
    for x in (0.5, 0.1, 1e-6):
        eps = rho + 2 * math.sqrt(rho * math.log(1 / x))
        assert delta(eps) == pytest.approx(x)
    assert delta(0.0) == delta(rho / 2) == delta(rho) == 1
    assert delta(rho * 1.0001) < 1
    nothing = NOTIONS["zcdp"].curve.delta((0,))
    assert nothing(0.0) == nothing(1.0) == 0


def test_how_far_curves_are_drawn():
    found = {name: NOTIONS[name].curve.reach(value) for name, value in CURVES.items()}
    assert found["pure"] == found["approximate"] == 1.2 * 2
    assert found["zcdp"] == 0.5 + 2 * math.sqrt(0.5 * 12)
    assert found["gaussian"] == 3 * 3 / 2 + 5 * 3


# Mechanisms


def test_the_inequalities_behind_mechanisms():
    """What they must say is derived in the notions' files, in q = 1 + s and u = 1/(1 + x)."""
    lemmas = {
        name: [(low.text(), high.text()) for low, high in n.attaining.lemmas]
        for name, n in NOTIONS.items()
        if n.attaining
    }
    assert lemmas == {
        "pure": [("1", "1 + s"), ("2 + s", "2*(1 + s)*(1 + x)")],
        "zcdp": [("alpha*1/2*(2*rho)", "alpha*rho")],
        "gaussian": [("sqrt(mu^2)", "mu")],
    }


@given(s=fewer, x=fewer)
def test_a_coin_is_private_where_the_inequalities_hold(s, x):
    """The coin at t and at t + 1, by its definition; and the pairs are those of the lemmas."""
    q, u = 1 + s, 1 / (1 + x)
    outcomes = ((u / 2, u / (2 * q)), (1 - u / 2, 1 - u / (2 * q)))
    assert all(a <= q * b and b <= q * a for a, b in outcomes)
    # b <= q*a for the second outcome, without its denominators, is the second lemma.
    (_, (a, b)) = outcomes
    assert (q * a - b) * (1 + x) * 2 * q == (q - 1) * (2 * (1 + s) * (1 + x) - (2 + s))


def test_normals_that_refute():
    zcdp, gaussian = (NOTIONS[name].refuting for name in ("zcdp", "gaussian"))
    assert zcdp.normal(Fraction(3), "t") == (
        "a normal number of mean t and variance 1/6",
        "Rényi divergences between neighbours are at most 3 times their order",
    )  # fmt: skip
    assert zcdp.normal(Fraction(0), "t")[0] == "nothing"
    assert gaussian.normal(Fraction(3), "t") == (
        "a normal number of mean 3*t and variance 1",
        "its mean differs by at most 3 between neighbours",
    )  # fmt: skip
    assert gaussian.normal(Fraction(1), "t")[0] == "a normal number of mean t and variance 1"
    start = "the Rényi divergence of the outputs at D from those at D' is "
    assert zcdp.identity("T", "L") == f"{start}T times its order, for every order"
    assert zcdp.identity("1", "L") == f"{start}its order, for every order"
    assert gaussian.identity("T", "L").endswith("at D and D' is that of L-GDP")


# Points of curves

rhos = st.fractions(min_value=Fraction(1, 100), max_value=5, max_denominator=100)
small = st.fractions(min_value=Fraction(1, 10**9), max_value=Fraction(1, 2))
ORDERS = [1 + mpmath.mpf(10) ** (mpmath.mpf(n) / 20) for n in range(-40, 61)]


def exactly(x):
    return mpmath.mpf(x.numerator) / x.denominator


def by_order(rho, delta, order):
    """Return the ε of ρ-zCDP at δ, from the divergence at one order."""
    gain = mpmath.log(1 - 1 / order) - mpmath.log(order * delta) / (order - 1)
    return max(rho * order + gain, mpmath.mpf(0))


@settings(max_examples=20, deadline=None)
@given(rho=rhos, delta=small)
@example(rho=Fraction(1), delta=Fraction(1, 1000))
def test_an_epsilon_is_that_of_the_best_order(rho, delta):
    with mpmath.workdps(30):
        found = exactly(at.concentrated_epsilon(rho, delta))
        best = min(by_order(exactly(rho), exactly(delta), order) for order in ORDERS)
        assert found <= best + mpmath.mpf(10) ** -9
        # An order a little off the best one of a grid gains no more than this.
        assert found >= best * mpmath.mpf("0.98") - mpmath.mpf(10) ** -3


@settings(max_examples=20, deadline=None)
@given(rho=rhos, eps=st.fractions(0, 20, max_denominator=50))
@example(rho=Fraction(1), eps=Fraction(3))
def test_a_delta_is_that_of_the_best_order(rho, eps):
    """It is the δ whose ε at the best order is this one: exp((α - 1)(αρ - ε + ln(1 - 1/α)))/α."""
    with mpmath.workdps(30):
        r, e = exactly(rho), exactly(eps)
        found = exactly(at.concentrated_delta(rho, eps))
        best = min(mpmath.exp((a - 1) * (a * r - e + mpmath.log(1 - 1 / a))) / a for a in ORDERS)
        assert found <= min(best, 1) * (1 + mpmath.mpf(10) ** -6)
        assert found == 1 or found >= best ** mpmath.mpf("1.05") * mpmath.mpf("0.7")


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(2), Fraction(40)])
def test_an_epsilon_at_an_order(order):
    divergence, delta = Fraction(7, 5), Fraction(1, 1000)
    with mpmath.workdps(30):
        expected = by_order(exactly(divergence) / exactly(order), exactly(delta), exactly(order))
        found = exactly(at.epsilon_at_order(at.Ball.of(divergence), order, delta))
        assert expected <= found <= expected + mpmath.mpf(10) ** -12
    assert at.epsilon_at_order(at.Ball.of(0), Fraction(40), Fraction(1, 2)) == 0


@settings(max_examples=20, deadline=None)
@given(mu=rhos, eps=st.fractions(0, 8, max_denominator=50))
def test_a_delta_of_two_normals(mu, eps):
    with mpmath.workdps(300):
        x, e = exactly(mu), exactly(eps)
        exact = mpmath.ncdf(x / 2 - e / x) - mpmath.exp(e) * mpmath.ncdf(-x / 2 - e / x)
        found = exactly(at.gaussian_delta(mu, eps))
        assert exact <= found + mpmath.mpf(10) ** -290
        assert found <= min(exact * (1 + mpmath.mpf(10) ** -9) + mpmath.mpf(10) ** -30, 1)


def test_points_at_the_ends():
    none, half = Fraction(0), Fraction(1, 2)
    assert at.gaussian_delta(none, none) == at.gaussian_delta(none, half) == 0
    assert at.gaussian_epsilon(Fraction(1, 100), half) == 0
    assert at.concentrated_epsilon(none, half) == at.concentrated_delta(none, half) == 0
    assert at.concentrated_delta(Fraction(20), none) == 1
    # The ball around a probability reaches beyond 1; the probability does not.
    assert at.gaussian_delta(Fraction(100), none) == 1
    # What an ε of 0 needs is enough for it, and not a hair less.
    least = at.gaussian_delta(Fraction(1), none)
    assert at.gaussian_epsilon(Fraction(1), least) == 0
    assert at.gaussian_epsilon(Fraction(1), least * Fraction(999_999, 10**6)) > 0


@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 10**8), Fraction(1, 10**14)])
def test_an_epsilon_of_two_normals_is_the_smallest(delta):
    for mu in (Fraction(1, 3), Fraction(2), Fraction(7)):
        found = at.gaussian_epsilon(mu, delta)
        assert at.gaussian_delta(mu, found) <= delta
        assert at.gaussian_delta(mu, found * (1 - Fraction(1, 2**39))) > delta


# Where parts meet


def part(name, notion, names, *, directed=False):
    return PartInfo(name, "p", ((notion, names),), directed=directed)


PAIR = part("m", "approximate", ("eps", "delta"))


def test_a_part_takes_the_first_rule_that_fits():
    pure, zcdp = part("a", "pure", ("eps",)), part("b", "zcdp", ("rho",))
    assert m.conversion(pure, "zcdp").name == "pure_to_zcdp"
    assert m.conversion(pure, "gaussian").name == "pure_to_gaussian"
    assert m.conversion(zcdp, "gaussian") is None
    assert m.conversion(zcdp, "approximate") is None
    assert m.conversion(zcdp, "approximate", at_points=True).chosen == "delta"
    both = PartInfo("c", "p", (("pure", ("eps",)), ("gaussian", ("mu",))))
    assert m.conversion(both, "zcdp").name == "gaussian_to_zcdp"
    one_way = part("d", "pure", ("eps",), directed=True)
    assert m.conversion(one_way, "zcdp") is None
    assert m.conversion(one_way, "approximate").name == "pure_to_approximate"


def test_points_are_read_only_where_parts_do_not_meet_otherwise():
    zcdp, mean = part("a", "zcdp", ("rho",)), part("b", "gaussian", ("mu",))
    assert m.points([]) == m.points([zcdp]) == m.points([PAIR]) == {}
    assert m.points([zcdp, mean]) == {}
    found = m.points([zcdp, mean, PAIR])
    assert {name: (p.rule.name, p.name, p.slot) for name, p in found.items()} == {
        "a": ("zcdp_to_approximate", "delta_a", 1),
        "b": ("gaussian_to_approximate", "eps_b", 0),
    }
    pure = part("c", "pure", ("eps",))
    assert set(m.points([zcdp, pure, PAIR])) == {"a"}
    assert m.points([part("a", "unheard", ("x",)), PAIR]) == {}
    own = PartInfo("d", "p", (("zcdp", ("sigma",)), ("approximate", ("eps_d", "delta_d"))))
    assert set(m.points([zcdp, own, PAIR])) == {"a"}


def test_names_of_points_are_new():
    taken = part("m", "approximate", ("eps", "delta_a"))
    twice = part("n", "approximate", ("eta", "delta_a_"))
    zcdp = part("a", "zcdp", ("rho",))
    assert m.points([zcdp, taken])["a"].name == "delta_a_"
    assert m.points([zcdp, taken, twice])["a"].name == "delta_a__"
    odd = [part("a b", "zcdp", ("rho",)), part("a-b", "zcdp", ("sigma",)), PAIR]
    assert [p.name for p in m.points(odd).values()] == ["delta_a_b", "delta_a_b_"]


def test_points_are_explained():
    parts = [part("a", "zcdp", ("rho",)), part("b", "gaussian", ("mu",)), PAIR]
    assert [text.partition(":")[0] for text in m.explained(parts)] == [
        f"the bound takes {part}, which is {notion} private, as (eps, delta) private at {one} of "
        f"your choice, {name}"
        for part, notion, one, name in (
            ("a", "zcdp", "a delta", "delta_a"),
            ("b", "gaussian", "an eps", "eps_b"),
        )
    ]
    assert m.explained([PAIR]) == []


def test_small_formulas():
    assert [beside("1", "r"), beside("r", "1"), beside("1", "1")] == ["r", r"r \, 1", "1"]
    squares = {
        "x": "x^2", r"\mu": r"\mu^2", "ab": r"\bigl(ab\bigr)^2", r"\sqrt{x}": "x",
        r"\mu_p": r"\bigl(\mu_p\bigr)^2", r"\sqrt{x^{2}}": "x^{2}", "}": "}^2",
        r"\sqrt{x} \sqrt{y}": r"\bigl(\sqrt{x} \sqrt{y}\bigr)^2",
        r"\sqrt{x} + y_{2}": r"\bigl(\sqrt{x} + y_{2}\bigr)^2",
        r"\sqrt{x}}{y}": r"\bigl(\sqrt{x}}{y}\bigr)^2", r"\sqrt{{x}": r"\bigl(\sqrt{{x}\bigr)^2",
        "2a}": r"\bigl(2a}\bigr)^2",
        r"\sqrt{x}^3": r"\bigl(\sqrt{x}^3\bigr)^2", "": r"\bigl(\bigr)^2",
        r"\sqrt{xy": r"\bigl(\sqrt{xy\bigr)^2", r"\!x": r"\bigl(\!x\bigr)^2",
    }  # fmt: skip
    assert {text: squared(text) for text in squares} == squares
