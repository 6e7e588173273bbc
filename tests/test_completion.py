"""What the shell offers: names of a spec, of the library and of the atlas."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.shell_completion import ShellComplete

from dpcomp_sym.cli import main
from tests.command import dpcomp

PARTITION = "examples/bounded-partition.toml"


def offered(*words):
    *before, incomplete = words
    found = ShellComplete(main, {}, "dpcomp", "_X").get_completions(list(before), incomplete)
    return [(item.type, item.value) for item in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("theorems", "show", "GB24.IV.13"), ["GB24.IV.13"]),
        (("theorems", "verify", "private_two_l"), ["private_two_largest_of_bounded_partition"]),
        (("relate", PARTITION, "--granularity", "unb"), ["unbounded", "unbounded_or_bounded"]),
        (("derive", PARTITION, "--set", "e"), ["eps="]),
        (("derive", PARTITION, "--set", "k"), ["k="]),
        (("derive", PARTITION, "--set", "k=3", "--set", "r"), ["rho="]),
        (("atlas", "--map", "histo"), ["histogram of kinds"]),
        (("atlas", "--granularity", "bou"), ["bounded", "bounded, N records"]),
        (("refute", PARTITION, "--notion", "g"), ["gaussian"]),
        (("refute", PARTITION, "--claim", "max(e"), ["max(eps[i])"]),
        (("refute", PARTITION, "--claim", "ch"), ["changed(blocks) <= "]),
        (("refute", PARTITION, "--claim", "d"), ["distance(counts) <= "]),
        (("new", "first", "--granularity", "bou"), ["bounded"]),
        (("new", "first", "--map", "cov"), ["cover"]),
        (("theorems", "list", "--status", "de"), ["decided", "defined", "derived"]),
        (("relate", "there-is-none.toml", "--granularity", ""), []),
        (("derive", "README.md", "--set", ""), []),
        (("derive", "examples", "--set", ""), []),
        (("derive", "pyproject.toml", "--set", ""), []),
        (("derive", "docs/counterexample.svg", "--set", ""), []),
        (("derive", "", "--set", ""), []),
        (("derive", "--set", ""), []),
        (("derive", "a\0b", "--set", ""), []),
        (("derive", "examples/survey.toml", "--set", ""), []),
    ],
)
def test_names_are_offered(words, expected):
    assert sorted({value for _, value in offered(*words)}) == sorted(expected)


def test_files_are_offered():
    assert offered("derive", "exa") == [("file", "exa")]


def test_relate_compares_the_granularities_that_are_named():
    named = ["--granularity", "bounded", "--granularity", "unbounded"]
    few, every = dpcomp("relate", PARTITION, *named), dpcomp("relate", PARTITION)
    assert few.returncode == every.returncode == 0
    assert "free_lunch" in every.stdout
    assert "free_lunch" not in few.stdout
    assert "unbounded ──2ε──▸ bounded" in few.stdout
    wrong = dpcomp("relate", PARTITION, "--granularity", "bonded")
    assert wrong.returncode == 2
    assert "no granularity here is called 'bonded'; did you mean 'bounded'?" in wrong.stderr


def test_claims_about_granularities_that_are_left_out_are_left_out(spec_file):
    spec = spec_file("""
granularity = "bounded"
[domain]
attributes = { id = "Record" }
[points]
metrics = ["east"]
claims = ["unbounded <= 2*bounded", "east <= 2*east"]
""")
    every = dpcomp("relate", spec, "--json")
    few = dpcomp("relate", spec, "--granularity", "bounded", "--json")
    said = [[one["claim"] for one in json.loads(x.stdout)["points"]] for x in (every, few)]
    assert said == [["unbounded <= 2*bounded", "east <= 2*east"], ["east <= 2*east"]]


def test_what_to_try_where_a_bound_is_perhaps_not_tight(derived):
    """Each hint is a claim that the program decides or at least reads."""
    from dpcomp_sym.cli.hints import hints
    from dpcomp_sym.engine.properties import read_property

    assert list(hints(derived("ambulances"), "x.toml")) == []
    assert list(hints(derived("bounded-partition"), "x.toml")) == []
    found = derived("ambulances")
    loose = replace(
        found, profile=replace(found.profile, exact=False),
        bounds=[replace(b, tight="unknown") for b in found.bounds],
    )  # fmt: skip
    said = list(hints(loose, "x.toml"))
    assert said == [
        'perhaps not tight; try: dpcomp refute x.toml --claim "changed(hospitals) <= 2"'
    ]
    assert read_property(said[0].split('"')[1], found.problem) is not None
    assert dpcomp("derive", "examples/ambulances.toml").stderr == ""
