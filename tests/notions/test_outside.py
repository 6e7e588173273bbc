"""A notion from outside, as docs/how-to/notion.md shows it: the page's own code is run here."""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.claims import refute
from dpcomp_sym.notions import NOTIONS, forget, register
from dpcomp_sym.numbers.exact import root, square
from dpcomp_sym.replay import notions as replayed
from dpcomp_sym.replay import terms as replay_terms
from dpcomp_sym.replay.terms import RejectedError
from dpcomp_sym.report import latex
from dpcomp_sym.report.text import render
from dpcomp_sym.statements.terms import KernelError

PAGE = (Path(__file__).parents[2] / "docs/how-to/notion.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SAID = re.search(r"It prints `(.*?)`", PAGE)
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def page():
    """Run the page; afterwards the notion is gone."""
    known = dict(NOTIONS), dict(replayed.MEANINGS), dict(replayed.CONVERSIONS)
    found = {"__name__": "page"}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            for block in CODE:
                exec(compile(block, "docs/how-to/notion.md", "exec"), found)  # noqa: S102 - the page's
        found["printed"] = printed.getvalue().strip()
        yield found
    finally:
        for name in set(NOTIONS) - set(known[0]):
            forget(name)
        for name in set(replayed.MEANINGS) - set(known[1]):
            del replayed.MEANINGS[name], replay_terms.NOTIONS[name]
        for pair in set(replayed.CONVERSIONS) - set(known[2]):
            del replayed.CONVERSIONS[pair]
        assert known == (NOTIONS, replayed.MEANINGS, replayed.CONVERSIONS)


def rewritten(name, kinds):
    """Return the problem of an example, each part's pure guarantee in the notions of ``kinds``."""
    problem = dp.load_spec(str(EXAMPLES / f"{name}.toml")).problem
    parts = [
        replace(part, guarantees={kinds.get(part.name, kinds[""]): part.guarantees["pure"]})
        for part in problem.parts
    ]
    return replace(problem, parts=parts)


def test_the_page_prints_what_it_says(page):
    assert SAID is not None
    assert page["printed"] == SAID[1]


def test_it_is_verified_written_and_drawn(page):
    found = page["found"]
    data = certificate(found.theorems, found)
    said = verify(data).text()
    assert "counts is rooted private (theta[i])" in said
    assert [c["notion"] for c in data["conclusions"]] == ["rooted"]
    written = latex.article(found.document())
    assert r"\sqrt{\sum_{j=1}^{\min(2, k)} \theta_{(j)}^{2}}" in written
    assert "$-rDP" in written
    assert r"e^{-\theta_p^2 s_p(E)}" in written
    html = str(found.page())
    assert "rooted (θ)" in html
    assert 'stroke-dasharray="1 3"' in html
    printed = io.StringIO()
    from rich.console import Console

    render(found.as_json(), console=Console(file=printed, width=80))
    assert "rooted (θ)" in printed.getvalue()
    assert found.bounds[0].sympy({"k": 3}) is not None
    assert json.dumps(found.as_json())


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "text", "sizes", "values"),
    [
        ("users-of-records", "sqrt(6)*sqrt(eps^2 + max(eps_count[i]^2))", {"r": 3},
         {"eps": 2, "eps_count": [1, 3]}),
        ("graph-symmetric", None, {}, {"eps": [1, 2, 3]}),
        ("ordered-transposition", None, {}, {"eps": [1, 2, 3, 1]}),
        ("w-event-days-of-events", None, {}, {"eps": [1, 2, 3, 1]}),
        ("bounded-partition", None, {}, {"eps": [1, 2]}),
    ],
)  # fmt: skip
def test_groups_grow_with_the_root_of_the_distance(page, name, text, sizes, values):
    """The bound is the root of the pure bound at theta^2, in text and in numbers."""
    del page
    found = dp.derive(rewritten(name, {"": "rooted"}), values, sizes)
    squares = {
        n: [Fraction(x) ** 2 for x in v] if isinstance(v, list) else Fraction(v) ** 2
        for n, v in values.items()
    }
    pure = dp.derive(rewritten(name, {"": "pure"}), squares, sizes)
    (bound,), (known,) = found.bounds, pure.bounds
    assert bound.notion == "rooted"
    assert text is None or bound.text == text
    if known.infinite:
        assert bound.infinite
    else:
        assert square(bound.value) == known.value
    assert bound.tight == known.tight
    certificate(found.theorems, found)


def test_it_meets_pure_parts_in_both_notions(page):
    del page
    problem = rewritten("query-and-partition", {"": "rooted", "query": "pure"})
    found = dp.derive(problem, {"eps": [2, 3], "eps0": 5})
    values = {b.notion: b.value for b in found.bounds}
    assert values == {"pure": 5 + 9, "rooted": root(5 + 9)}
    data = certificate(found.theorems, found)
    assert verify(data).text()


def test_a_claim_is_proved_or_left_open(page, tmp_path):
    del page
    spec = tmp_path / "rooted.toml"
    spec.write_text(
        '[domain]\nattributes = { id = "Record" }\n[granularity]\nuse = "bounded"\n'
        '[[map]]\nname = "blocks"\nuse = "partition"\n'
        '[[part]]\nname = "counts"\nmap = "blocks"\nsetting = "common"\n'
        'guarantee = { rooted = "theta" }\n',
        encoding="utf-8",
    )
    assert refute(str(spec), "2*max(theta)").verdict == "proved"
    assert refute(str(spec), "max(theta)").verdict == "unknown"


def test_nothing_is_certified_that_the_replay_was_not_told(page):
    del replayed.CONVERSIONS["pure", "rooted"], replayed.CONVERSIONS["rooted", "pure"]
    del replayed.MEANINGS["rooted"]
    with pytest.raises(RejectedError):
        certificate(page["found"].theorems, page["found"])
    replayed.enter("rooted", replayed.Meaning(1, lambda g, r: (replayed.times(r, *g),)))
    with pytest.raises(RejectedError):
        certificate(page["found"].theorems, page["found"])


def test_names_and_conversions_are_taken_once(page):
    with pytest.raises(ValueError, match="already a notion named 'rooted'"):
        register(replace(page["rooted"]))
    twice = (replace(page["rooted"].conversions[0], source="other"),) * 2
    with pytest.raises(ValueError, match="two conversions from other to pure"):
        register(replace(page["rooted"], name="other", conversions=twice))
    with pytest.raises(KernelError, match="about other notions"):
        replace(page["rooted"], name="other")
    with pytest.raises(KernelError, match="one parameter each"):
        replace(page["rooted"], parameters=("theta", "delta"))
    with pytest.raises(KernelError, match="at least with the distance"):
        replace(page["rooted"].growth, power=0)
