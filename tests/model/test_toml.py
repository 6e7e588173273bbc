"""Problems are written as specs that say the same, and that one could have written by hand."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym.model.serial import problem_to_json
from dpcomp_sym.model.toml import toml
from dpcomp_sym.spec.new import starter
from tests.random_problems.generate import generate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = sorted(
    file
    for file in EXAMPLES.rglob("*.toml")
    if file.parent.name not in {"uncertain", "membership", "metric"}
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_written_and_read_as_it_was(file):
    spec = dp.load(file)
    text = spec.to_toml()
    again = dp.load(text)
    assert problem_to_json(again.problem) == problem_to_json(spec.problem)
    assert again.problem == spec.problem
    assert (again.values, again.sizes, again.title) == (spec.values, spec.sizes, spec.title)
    assert again.to_toml() == text
    # Built-ins stay built-ins, so that the text is about as long as the one by hand.
    by_hand = [line for line in file.read_text().splitlines() if line.strip("# \t")]
    data = tomllib.loads(file.read_text())
    if "databases" not in data["domain"]:
        assert text.count('use = "') >= file.read_text().count('\nuse = "'), text
        assert len(text.splitlines()) <= 2 * len(by_hand) + 5


@pytest.mark.parametrize("name", ["ambulances", "own-granularity", "nested", "mixed-notions"])
def test_it_has_the_same_bounds(name, derived):
    problem = dp.load(EXAMPLES / f"{name}.toml").problem
    again = dp.load(problem.to_toml()).derive()
    assert [b.text for b in again.bounds] == [b.text for b in derived(name).bounds]


@pytest.mark.in_turn
def test_random_problems_are_written_and_read_as_they_were():
    """Directed edits, groups, inner classes, parts with granularities of their own."""
    texts = []
    for seed in range(150):
        problem = generate(seed)
        texts.append(problem.to_toml())
        assert problem_to_json(dp.load(texts[-1]).problem) == problem_to_json(problem)
    for word in ("directed =", "group =", "[part.granularity]", "facts =", "limits =", "image ="):
        assert any(word in text for text in texts), word


@pytest.mark.parametrize("use", dp.library_names("granularity"))
def test_every_built_in_granularity_is_written_by_its_name(use):
    from dpcomp_sym.model.library import library_entry

    words = dict.fromkeys(library_entry("granularity", use).get("arguments", {}), "day")
    chosen = dp.library_granularity(use, **words)
    domain = dp.Domain(id="Record", day=int, flag=bool)
    try:
        problem = dp.Problem(domain, chosen, [], [])
    except dp.InputError:  # an argument that is not a number
        chosen = dp.library_granularity(use, **dict.fromkeys(words, "flag"))
        problem = dp.Problem(domain, chosen, [], [])
    assert f'use = "{use}"' in problem.to_toml()
    assert "edit" not in problem.to_toml()
    assert dp.load(problem.to_toml()).problem == problem


def test_what_is_fixed_and_what_is_named_like_a_built_in_is_written_in_full():
    problem = dp.load(EXAMPLES / "ambulances.toml").problem.at({"k": 3})
    assert dp.load(problem.to_toml()).problem == problem
    own = dp.Granularity("bounded", [dp.Edit(x="cell", change={"x": 2})], symbol=r"\mathcal{B}'")
    odd = dp.Problem(dp.Domain(id="Record", name='a "name" \\ of\x7fit'), own, [], [])
    assert dp.load(odd.to_toml()).problem == odd
    assert 'name = "bounded"' in odd.to_toml()


def test_numbers_go_along(tmp_path):
    table = tmp_path / "eps.csv"
    table.write_text("1\n0.5\n")
    spec = dp.load(EXAMPLES / "ambulances.toml", eps=table, delta=["1/3", 0.25])
    again = dp.load(spec.to_toml())
    assert (again.values, again.sizes) == (spec.values, spec.sizes)
    assert str(table) not in spec.to_toml()
    waiting = dp.load(EXAMPLES / "ambulances.toml", eps=lambda i: 1 / i)
    assert list(dp.load(waiting.to_toml()).subs(k=2).values["eps"]) == [1, Fraction(1, 2)]
    answer = spec.derive()
    assert answer.save(tmp_path / "a.toml").read_text() == spec.to_toml()
    with pytest.raises(dp.InputError, match="membership"):
        dp.load(EXAMPLES / "membership/hospitals.toml").to_toml()


def test_a_starter_spec_survives():
    text = starter("mine")
    assert dp.load(dp.load(text).to_toml()).problem == dp.load(text).problem


def test_what_toml_has_no_word_for():
    with pytest.raises(TypeError, match="TOML has no"):
        toml(None)
