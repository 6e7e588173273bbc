"""Claims that name blocks by their numbers, where it is known how many there are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import dpcomp_sym as dp
from dpcomp_sym.claims import refute
from dpcomp_sym.cli import main
from dpcomp_sym.errors import InputError

pytestmark = pytest.mark.in_turn

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.mark.parametrize(
    ("name", "sets", "claim", "verdict"),
    [
        ("bounded-partition-common", ["k=2"], "eps[1] + eps[2]", "proved"),
        ("bounded-partition-common", ["k=3"], "eps[1] + eps[2]", "refuted"),
        ("bounded-partition-common", ["k=3"], "sum(eps[i]) - eps[1]", None),
        ("unbounded-partition", ["k=3"], "max(eps[1], eps[2], eps[3])", "proved"),
        ("unbounded-partition", ["k=3"], "max(eps[1], eps[2])", "refuted"),
        ("w-event-each-step", ["w=2", "k=3"], "max(eps[1] + eps[2], eps[2] + eps[3])", "proved"),
        ("w-event-each-step", ["w=2", "k=3"], "eps[1] + eps[2]", "refuted"),
        ("w-event-each-step", ["w=2", "k=3", "eps=[1, 2, 1/2]"], "eps[1] + eps[2]", "proved"),
        ("w-event-each-step", ["w=2", "k=3", "eps=[1, 2, 3]"], "eps[1] + eps[2]", "refuted"),
        ("w-event-each-step", ["w=2", "k=3"], "eps[1] + k*eps[2] + eps[3]", "proved"),
        ("bounded-partition-common", ["k=3"], "k*max(eps[1], eps[2], eps[3])", "proved"),
        ("bounded-partition-common", ["k=3"], "eps[1] + max(eps[k])", "refuted"),
        ("unbounded-partition", ["k=3"], "max(eps[1], max(eps[k]))", "proved"),
        ("unbounded-partition", ["k=3"], "max(eps[1], eps[3])", "refuted"),
        ("w-event-each-step", ["w=2", "k=3"], "k*max(eps[1], eps[3])", "refuted"),
        ("family-written-out", [], "max(eps[1], eps[2])", "proved"),
        ("family-written-out", [], "eps[1]", "refuted"),
    ],
)
def test_blocks_are_named_by_number(name, sets, claim, verdict):
    spec = dp.load_spec(EXAMPLES / f"{name}.toml", sets)
    if verdict is None:
        with pytest.raises(InputError):
            refute(spec, claim)
    else:
        assert refute(spec, claim).verdict == verdict


def test_a_refutation_is_checked_by_its_script(tmp_path):
    script = tmp_path / "no.py"
    words = ["refute", str(EXAMPLES / "w-event-each-step.toml"), "--set", "w=2", "--set", "k=3",
             "--claim", "eps[1] + eps[2]", "--script", str(script)]  # fmt: skip
    assert CliRunner().invoke(main, words).exit_code == 1
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "the claim eps[1] + eps[2] is false" in done.stdout


def test_an_answer_is_asked_as_the_command_is():
    records = dp.Domain(id="Record")
    answer = dp.derive(records, "unbounded", counts=dp.partition(pure="eps")).subs(k=2)
    assert answer.refute("max(eps[1], eps[2])").verdict == "proved"
    assert answer.refute("eps[1]").verdict == "refuted"
    assert answer.refute("max(eps[i])").verdict == "proved"
    assert answer.bound().text == "max(eps[i])"


@pytest.mark.parametrize(
    ("sets", "claim", "message"),
    [
        ([], "eps[1]", "blocks are named by letters"),
        (["k=3"], "eps[4]", "the blocks of 'eps' are numbered 1 to 3"),
        (["k=3"], "eps[0]", "the blocks of 'eps' are numbered 1 to 3"),
    ],
)
def test_what_has_no_such_number_is_refused(sets, claim, message):
    spec = dp.load_spec(EXAMPLES / "unbounded-partition.toml", sets)
    with pytest.raises(InputError, match=message):
        refute(spec, claim)


def blocks(**more):
    some = dp.Map("some", "age(c) == i", {"i": "k"}, **more)
    return dp.Problem(
        dp.Domain({"age": "int"}), dp.library_granularity("unbounded"), [some],
        [dp.Part("p", "some", guarantees={"pure": ("eps",)})],
    )  # fmt: skip


def test_numbers_that_contradict_the_spec_are_refused():
    problem = blocks(symbols={"k": "k >= 3"})
    with pytest.raises(InputError, match="k"):
        refute(problem, "max(eps[1], eps[2])", sizes={"k": 2})
    assert refute(problem, "max(eps[1], eps[2])", sizes={"k": 3}).verdict == "refuted"


def test_what_is_known_of_other_symbols_is_kept():
    problem = blocks(symbols={"k": "k >= 1", "w": "w >= 1 and w <= k"})
    assert refute(problem, "w*max(eps[1], eps[2])", sizes={"k": 2}).verdict == "proved"


def test_only_the_symbol_gets_the_number():
    """Longer names that begin with it, or end with it, are names of their own."""
    some = dp.Map("some", "kk(c) == i and i <= k and k1 >= 1", {"i": "k"},
                  {"kk": (["cell"], "int")}, facts=["kk(c) <= k"],
                  symbols={"k": "k >= 1", "k1": "k1 >= 1"})  # fmt: skip
    counted = some.counted({"k": 3, "k1": 5})
    assert counted.member == "kk(c) == i and i <= 3 and k1 >= 1"
    assert (counted.index, counted.facts, counted.symbols) == (
        {"i": 3}, ("kk(c) <= 3",), {"k": "k >= 1", "k1": "k1 >= 1"},
    )  # fmt: skip
    assert some.counted({"k1": 5}) is some
