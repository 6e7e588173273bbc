"""Derivations side by side: which bound is smaller is proved, or decided by exact numbers."""

from __future__ import annotations

import pytest

import dpcomp_sym as dp
from dpcomp_sym.notebook import html


@pytest.fixture(scope="module")
def some():
    days = dp.Domain(person="Person", day=int)
    daily = dp.partition(days.c.day, pure="eps", gaussian="mu", approximate=("eps", "delta"))
    return {
        "event": dp.derive(days, "unbounded", daily=daily),
        "week": dp.derive(days, "w_event(day, 7)", daily=daily),
        "three": dp.derive(days, "w_event(day, 3)", daily=daily),
        "user": dp.derive(days, "user(person)", daily=daily),
        "other": dp.derive(days, "unbounded", daily=dp.partition(days.c.day, pure="eta")),
    }


def test_bounds_in_symbols_are_ordered_by_proofs(some):
    found = dp.compare(**some)
    for notion in ("pure", "gaussian", "approximate"):
        assert found.order(notion, "event", "week") == "<="
        assert found.order(notion, "week", "event") == ">="
        assert found.order(notion, "three", "week") == "<="
        assert found.order(notion, "event", "event") == "="
        assert found.order(notion, "week", "user") == "<="
    assert found.order("pure", "event", "other") == ""
    assert found.smallest("pure") == ()
    assert found.smallest("gaussian") == ("event",)
    assert "smallest" in repr(found).splitlines()[-1] + repr(found).splitlines()[-2]


def test_bounds_in_numbers_are_ordered_exactly(some):
    numbers = {"k": 2, "eps": [1, 2], "mu": [3, 4], "delta": ["1/100", 0]}
    found = dp.compare(**{n: d.subs(**numbers) for n, d in some.items() if n != "other"})
    assert found.order("pure", "event", "week") == "<"
    assert found.order("pure", "week", "user") == "="
    assert found.order("gaussian", "user", "event") == ">"
    # Larger in one parameter and smaller in the other one: not comparable.
    mixed = dp.compare(
        a=some["event"].subs(k=1, eps=1, delta="1/2"),
        b=some["event"].subs(k=1, eps=2, delta="1/3"),
    )
    assert mixed.order("approximate", "a", "b") == ""
    assert mixed.smallest("approximate") == ()


def test_roots_are_compared_exactly(some):
    """sqrt(2) is less than its decimal by less than floats can tell."""
    close = "1414213562373095048801688724209698078570/1000000000000000000000000000000000000000"
    two = some["week"].subs(k=2, mu=1)
    one = some["event"].subs(k=1, mu=close)
    assert dp.compare(a=two, b=one).order("gaussian", "a", "b") == "<"
    assert dp.compare(a=one, b=two).order("gaussian", "a", "b") == ">"


def test_no_finite_bound_is_larger_than_any():
    blocks = dp.partition(pure="eps")
    open_ = dp.derive(dp.Domain(id="Record"), "bounded", it=blocks)
    one = dp.derive(dp.Domain(id="Record"), "unbounded", it=blocks)
    assert open_.subs(k=2).bounds["pure"].infinite
    for numbers in ({"k": 2}, {"k": 2, "eps": [1, 2]}):
        found = dp.compare(open=open_.subs(**numbers), one=one.subs(**numbers))
        assert found.order("pure", "one", "open") in {"<", "<="}
        assert found.order("pure", "open", "one") in {">", ">="}
        assert found.smallest("pure") == ("one",)


def test_names(some):
    a, b = some["event"], some["week"]
    assert list(dp.compare(a, b)) == ["1", "2"]
    titled = [dp.derive(x.problem, title="Same") for x in (a, b)]
    assert list(dp.compare(*titled)) == ["Same 1", "Same 2"]
    assert list(dp.compare(titled[0], b)) == ["Same", "2"]
    with pytest.raises(dp.InputError, match="two are called '1'"):
        dp.compare(a, b, **{"1": a})
    with pytest.raises(dp.InputError, match="two derivations or more"):
        dp.compare(a)
    with pytest.raises(dp.InputError, match="derivations are compared"):
        dp.compare(a, "week")
    with pytest.raises(dp.InputError, match="did you mean 'week'"):
        dp.compare(event=a, week=b).order("pure", "event", "weak")


def test_a_notebook_shows_a_table(some):
    page = html(dp.compare(event=some["event"], **{"<b>": some["week"]}))
    assert "<table" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
