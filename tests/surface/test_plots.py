"""Pictures of answers: the numbers of bounds, beside what sequential composition gives."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import matplotlib as mpl
import pytest

import dpcomp_sym as dp
from dpcomp_sym.derivation.derive import evaluated
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.numbers.columns import parameter_names
from dpcomp_sym.surface import plotting

mpl.use("Agg")


@pytest.fixture(scope="module")
def weeks():
    visits = dp.Domain(person="Person", day=int)
    visits.symbol("w", at_least=1)
    daily = dp.blocks(lambda c, i: c.day == i, pure="eps", zcdp="rho", gaussian="mu")
    return dp.derive(visits, "w_event(day, w)", daily=daily)


@pytest.fixture(scope="module")
def covered():
    return dp.derive(
        dp.Domain(id="Record"), "unbounded",
        counts=dp.cover(2, pure="eps"), total=dp.filter(True, pure="eta"),
    )  # fmt: skip


def lines(drawing):
    [panel] = drawing.panels
    return {name.partition(":")[0]: list(zip(xs, ys, strict=True)) for name, xs, ys in panel.lines}


def test_a_bound_is_drawn_as_it_is_derived_for_each_number(weeks):
    found = lines(weeks.subs(w=3).drawing(k=range(1, 8), eps=lambda i: 1 / i))
    for k, y in found["this composition"]:
        again = weeks.subs(w=3, k=int(k), eps=lambda i: 1 / i).bounds["pure"].value
        assert y == float(again)
        assert again == sum(Fraction(1, i) for i in range(1, min(int(k), 3) + 1))
    assert [y for _, y in found["sequential composition"]] == pytest.approx(
        [sum(1 / i for i in range(1, k + 1)) for k in range(1, 8)]
    )


def test_nothing_is_derived_again_for_numbers_that_the_derivation_covers(weeks, monkeypatch):
    monkeypatch.setattr("dpcomp_sym.derivation.derive.derive", None)
    drawn = lines(weeks.drawing(w=[1, 2, 5], k=4, eps=[1, 2, 3, 4]))
    assert drawn["this composition"] == [(1, 4), (2, 7), (5, 10)]
    assert lines(weeks.drawing(k=[5, 1], w=2, eps=3))["this composition"] == [(5, 6), (1, 3)]


def test_another_number_for_what_is_fixed_is_derived(weeks):
    fixed = weeks.subs(w=2, k=4)
    drawn = lines(fixed.drawing(w=[1, 2, 5], eps=1))
    assert drawn["this composition"] == [(1, 1), (2, 2), (5, 4)]


def test_roots_and_several_parts_of_sequential_composition(weeks, covered):
    drawn = lines(weeks.drawing(k=[4, 9], w=1, mu=2, notion="gaussian"))
    assert drawn["this composition"] == [(4, 2), (9, 2)]
    assert drawn["sequential composition"] == [(4, 4), (9, 6)]
    drawn = lines(covered.drawing(k=[1, 2, 3], eps=1, eta="1/2"))
    assert drawn["this composition"] == [(1, 1.5), (2, 2.5), (3, 2.5)]
    assert drawn["sequential composition"] == [(1, 1.5), (2, 2.5), (3, 3.5)]
    single = lines(covered.drawing(eta=[0, "1/2"], k=3, eps=1))
    assert single["this composition"] == [(0, 2), (0.5, 2.5)]
    several = lines(covered.drawing(over="eps", eps=[1, 2], k=3, eta=0))
    assert several["this composition"] == [(1, 2), (2, 4)]


def test_curves_lie_in_the_order_of_what_they_say(covered):
    numbers = {"k": 4, "eps": 1, "eta": 1}
    drawn = lines(covered.drawing("delta", **numbers))
    assert list(drawn) == ["pure bound", "advanced composition", "optimal composition"]
    for (x, pure), (_, best) in zip(drawn["pure bound"], drawn["optimal composition"], strict=True):
        assert pure is None or best is None or best <= pure + 1e-12
        assert 0 <= x <= 3.6 + 1e-9
    errors = lines(covered.drawing("trade-off", **numbers))
    assert errors["nothing is lost"] == [(0, 1), (1, 0)]
    for (a, y), (_, best) in zip(errors["pure bound"], errors["optimal composition"], strict=True):
        # An ε-private pair: max(1 - e^ε α, e^-ε (1 - α)).
        exact = max(0, 1 - math.exp(3) * a, math.exp(-3) * (1 - a))
        assert y == pytest.approx(exact, abs=1e-2)
        assert best >= y - 1e-9
        assert best <= 1 - a + 1e-12


@pytest.mark.parametrize(
    ("given", "numbers", "said"),
    [
        ((), {}, "there is nothing to draw"),
        (("bound",), {"k": 3}, "several values"),
        (("delat",), {"k": 3}, "did you mean 'delta'"),
        (("delta",), {"k": range(3)}, "for one number"),
        ((), {"k": [], "eps": 1, "eta": 1}, "k: give at least one value"),
        ((), {"k": [1, 2], "eta": [1, 2], "eps": 1}, "not k and eta"),
        ((), {"k": [0, 1], "eps": 1, "eta": 1}, "contradicts"),
        ((), {"kk": [1], "eps": 1}, "unknown parameter 'kk'"),
        ((), {"k": [1, 2]}, "there is nothing to draw"),
        ((), {"k": [1], "eps": 1, "eta": 1, "notion": "pur"}, "did you mean 'pure'"),
        ((), {"over": "eps", "k": 3}, "give the values of eps"),
    ],
)
def test_what_cannot_be_drawn_is_refused(covered, given, numbers, said):
    with pytest.raises(dp.InputError, match=said):
        covered.drawing(*given, **numbers)


def test_no_finite_bound_is_a_gap():
    none = dp.derive(dp.Domain(id="Record"), "bounded", it=dp.partition(pure="eps"))
    [panel] = none.drawing(k=[1, 2], eps=1).panels
    assert [ys for _, _, ys in panel.lines] == [[1, None]]


def test_axes_of_ones_own_and_new_ones(covered):
    from matplotlib import pyplot as plt

    _, axes = plt.subplots()
    assert covered.plot(k=range(1, 4), eps=1, eta=1, ax=axes) is axes
    assert covered.plot(k=range(1, 4), eps=1, eta=1) is not axes
    assert (axes.get_xlabel(), axes.get_ylabel(), len(axes.lines)) == ("$k$", "ε", 2)
    plt.close("all")
    two = Drawing("two", [Panel("x", "y", [("a", [0, 1], [1, 2])])] * 2)
    assert len(two.axes()) == 2
    with pytest.raises(dp.InputError, match="2 panels"):
        two.axes(axes)
    plt.close("all")


@pytest.mark.parametrize("names", [("a", "b"), ("a long name " * 6, "b"), tuple("abcdefgh")])
def test_legends_stand_off_the_curves_and_ticks_are_round(names):
    panel = Panel("k", "ε", [(n, range(1, 60), range(1, 60)) for n in names], whole_x=True)
    axes = Drawing("title", [panel]).axes()
    axes.figure.canvas.draw()
    legend, inside = axes.get_legend().get_window_extent(), axes.get_window_extent()
    assert legend.y0 >= inside.y1
    assert legend.y1 <= axes.figure.bbox.y1
    assert legend.x1 <= axes.figure.bbox.x1
    assert inside.height >= 0.5 * axes.figure.bbox.height
    ticks = [t for t in axes.get_xticks() if 1 <= t <= 59]
    assert ticks == [10, 20, 30, 40, 50]
    mpl.pyplot.close("all")


def test_without_matplotlib(covered, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(dp.InputError, match="pip install"):
        covered.plot(k=range(1, 4), eps=1, eta=1)


def test_sequential_composition_is_never_below_a_proved_bound(derived):
    """It holds of all compositions, so that a derived bound that is larger would be a bad one."""
    compared = 0
    for name in ("ambulances", "query-and-partition", "nested", "users-of-records", "histogram"):
        found = derived(name)
        sizes = dict.fromkeys(found.problem.symbols, 3)
        names = parameter_names(found.profile)
        values = {name: Fraction(1 - slot, 2) for name, slot in names}
        for bound in evaluated(found, values, sizes).bounds:
            simple = plotting.sequential(found.profile, bound.notion, values, sizes)
            if simple is not None and bound.notion != "approximate":
                compared += 1
                assert float(bound.value) <= simple + 1e-9, (name, bound)
    assert compared > 6


def test_a_legend_has_the_formula_in_signs(weeks, covered):
    """Greek letters, sums and maxima, as matplotlib sets them; and a name on the axis alike."""
    [panel] = covered.drawing(k=[1, 2, 3], eps=1, eta=1).panels
    said = panel.formulas["this composition"]
    assert said.startswith(r"\eta + \sum_{j=1}^{\min(2, k)} \varepsilon_{(j)}")
    assert said.endswith(r"\varepsilon_{(1)} \ge \varepsilon_{(2)} \ge \dots")
    drawn = covered.drawing(k=[1, 2, 3], eps=1, eta=1).svg()
    assert "eps[i]" not in drawn
    assert "&#x3b5;" in drawn or "ε" in drawn
    axes = weeks.drawing(k=[1, 2, 3], w=2, eps=1).axes()
    first, second = (text.get_text() for text in axes.get_legend().get_texts())
    assert first.startswith(r"this composition: $\max_{t} \sum_{1 \leq i \leq k")
    assert second == "sequential composition"
    assert axes.get_xlabel() == "$k$"


def test_every_bound_of_the_examples_has_its_formula_or_none():
    """What matplotlib cannot set, or what is long, is left out; cases are set in one line."""
    by_value = Panel("k", "ε", (), formulas={
        "a": r"\begin{cases} \max_{i} \rho_i & k = 1 \\ \infty & k \ge 2 \end{cases}",
        "b": r"\unknown{x}", "c": " + ".join(["x"] * 50),
        "d": r"\Bigl(\max_{i} \mu_i\Bigr) + \tfrac12 \lfloor x / 2 \rfloor \bmod y \lor z",
    })  # fmt: skip
    assert by_value._label("a") == (r"a: $\max_{i} \rho_i\ \ (k = 1),\ \ \infty\ \ (k \geq 2)$")
    assert by_value._label("b") == "b"
    assert by_value._label("c") == "c"
    assert by_value._label("d").startswith(r"d: $(\max_{i} \mu_i) + \frac{1}{2} \lfloor")


def test_signs_of_money_are_no_formulas():
    named = dp.derive(
        dp.Domain(id="Record"), "unbounded", counts=dp.cover(2, pure="eps"), title="$5 or $6",
    )  # fmt: skip
    axes = named.drawing(k=[1, 2], eps=1).axes()
    assert axes.figure.get_suptitle() == r"\$5 or \$6"


def test_numbers_for_one_notion_are_enough():
    """Other notions may have a value without numbers, such as an infinite one."""
    none = dp.derive(dp.Domain(id="Record"), "bounded", it=dp.partition(pure="eps", zcdp="rho"))
    [panel] = none.drawing(k=[1, 2], rho=1, notion="zcdp").panels
    assert [ys for _, _, ys in panel.lines] == [[1, None]]
    axes = none.drawing(k=[1, 4], rho=1, notion="zcdp").axes()
    assert axes.get_xlim()[1] > 4
