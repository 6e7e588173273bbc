"""The atlas: cells that are well understood, laws over a slice, and runs that are interrupted."""

from __future__ import annotations

import itertools
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli
from dpcomp_sym import rocq as checker
from dpcomp_sym.atlas import atlas, default_table
from dpcomp_sym.atlas import run as running
from dpcomp_sym.atlas.answer import answer
from dpcomp_sym.atlas.page import as_html
from dpcomp_sym.atlas.table import SETTINGS
from dpcomp_sym.atlas.text import as_text
from dpcomp_sym.engine import AnswerCache
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite.enumerate import UNREACHABLE, Enumeration, label_worlds
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.kept import Kept
from dpcomp_sym.rocq import CoqAnswer
from dpcomp_sym.spec import read_spec

TABLE = default_table()
QUESTIONS = {(q.granularity, q.map, q.setting): q for q in TABLE.questions}
SLICE = (
    ["unbounded", "bounded", "unbounded, N records", "user", "event"],
    ["identity", "partition", "partial partition", "partition by owner", "cardinality"],
)


@pytest.fixture(scope="module")
def cells():
    found = atlas(TABLE.slice(*SLICE))
    return {(a["granularity"], a["map"], a["setting"]): a for a in found.answers}


def test_the_table_is_large_enough():
    assert len(TABLE.granularities) >= 20
    assert len(TABLE.maps) >= 15
    assert len({q.name for q in TABLE.questions}) == len(TABLE.questions) >= 600


@pytest.mark.in_turn
def test_every_cell_is_a_spec_that_can_be_read():
    for question in TABLE.questions:
        problem = read_spec(question.spec, question.name, pathlib.Path()).problem
        assert [p.name for p in problem.bound_parts] == ["p"]


LARGEST_TWO = "sum of the 2 largest eps[i]"


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("granularity", "map_", "separate", "common"),
    [
        ("unbounded", "identity", "eps", "eps"),
        ("unbounded", "partition", "max(eps[i])", "max(eps[i])"),
        ("bounded", "identity", "eps", "eps"),
        ("bounded", "partition", "max(eps[i]) for k = 1; inf for k >= 2", LARGEST_TWO),
        ("bounded", "partial partition", "inf (no guarantee)", LARGEST_TWO),
        ("bounded", "cardinality", "0", "0"),
        ("user", "partition", "sum(eps[i])", "sum(eps[i])"),
        ("user", "partition by owner", "max(eps[i])", "max(eps[i])"),
        ("user", "cardinality", "inf (no guarantee)", "eps"),
    ],
)
def test_bounds_that_are_known(cells, granularity, map_, separate, common):
    found = [cells[granularity, map_, s]["bounds"]["pure"] for s in SETTINGS]
    assert [b["text"] for b in found] == [separate, common]
    assert [b["tight"] for b in found] == ["yes", "yes"]


def test_weakest_conditions_and_counterexamples_are_there(cells):
    said = cells["user", "partition", "separate"]["conditions"]["commutes"]
    assert said["weakest"] == "h is constant on each owner's records"
    assert said["counterexample"]["changed"] == ["f 1", "f 2"]


@pytest.mark.parametrize("row", ["node", "edge neighbourhood"])
def test_two_edges_at_a_vertex_change_the_number_of_edges_by_two(row):
    said = answer(QUESTIONS[row, "cardinality", "separate"])["conditions"]["sensitivity"]
    assert said["verdict"] == "refuted"
    example = said["counterexample"]
    assert abs(len(example["D"]) - len(example["D_prime"])) == 2


def test_answers_about_the_blocks_serve_both_settings():
    """Together as alone; and what was found of other blocks is refused."""
    pair = [QUESTIONS["user", "partition", setting] for setting in SETTINGS]
    shared = AnswerCache()
    together = [answer(question, shared)["conditions"] for question in pair]
    assert shared.answers
    for said, question in zip(together, pair, strict=True):
        alone = answer(question)["conditions"]
        assert [(n, c["verdict"], c["weakest"]) for n, c in said.items()] == [
            (n, c["verdict"], c["weakest"]) for n, c in alone.items()
        ]
    with pytest.raises(ValueError, match="other neighbours or maps"):
        answer(QUESTIONS["user", "partition by owner", "common"], shared)


def test_no_cell_leaves_open_why(cells):
    """What is not decided, not tight, or without a weakest condition says why."""
    for one in cells.values():
        assert one["verdict"] in ("proved", "vacuous") or one["reason"]
        for said in one["conditions"].values():
            assert said["verdict"] not in ("unknown", "checked") or said["reason"]
            if said["verdict"] == "refuted":
                assert said["counterexample"]
                assert bool(said["weakest"]) != bool(said["no_weakest"]) or "partition" in str(said)
        for bound in one["bounds"].values():
            assert bound["tight"] == "yes" or bound["tight_reason"]


def test_without_neighbours_nothing_is_claimed(cells):
    for (granularity, _, _), one in cells.items():
        assert (one["verdict"] == "vacuous") == (granularity == "unbounded, N records")
        assert bool(one["bounds"]) == (one["verdict"] != "vacuous")


RANK = {"0": 0, "eps": 1, "max(eps[i])": 1, LARGEST_TWO: 2, "sum(eps[i])": 3,
        "max(eps[i]) for k = 1; inf for k >= 2": 4, "inf (no guarantee)": 5}  # fmt: skip


def test_the_common_domain_is_never_worse(cells):
    compared = 0
    for granularity, map_ in itertools.product(*SLICE):
        separate, common = (cells[granularity, map_, s] for s in SETTINGS)
        if separate["bounds"]:
            ranks = [RANK[c["bounds"]["pure"]["text"]] for c in (common, separate)]
            assert ranks == sorted(ranks)
            compared += ranks[0] < ranks[1]
    assert compared >= 3  # and often better


def test_the_maximum_holds_iff_the_metric_commutes(cells):
    for (_, map_, _), one in cells.items():
        if "partition" in map_ and one["bounds"]:
            best = one["bounds"]["pure"]["text"] == "max(eps[i])"
            assert best == (one["conditions"]["commutes"]["verdict"] == "proved")


# ------------------------------------------------------------------ against exhaustive search

SAMPLE = [
    ("unbounded", "partition"), ("bounded", "partial partition"), ("user", "partition by owner"),
    ("same day", "partition by kind"), ("ordered bounded", "partition by kind"),
    ("node", "induced subgraphs"),
    ("one-sided", "filter"), ("label", "partition by kind"), ("event", "days"),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize(("granularity", "map_"), SAMPLE)
def test_verdicts_agree_with_exhaustive_search(granularity, map_):
    question = QUESTIONS[granularity, map_, "separate"]
    said = answer(question)["conditions"]
    problem = read_spec(question.spec, question.name, pathlib.Path()).problem
    (part,) = problem.bound_parts
    pairs = most = 0
    farthest = 0.0
    for seed in range(5):
        world = sample_world(problem, seed, 3)
        if world is None:
            continue
        enumeration = Enumeration(problem, world, 1)
        pairs += len(enumeration.pairs)
        worlds = label_worlds(world, [part.map], 24)
        changed = enumeration.most_changed(part.map, worlds)
        seen = enumeration.farthest(part, worlds)
        most = max(most, int(changed.value) if changed else 0)
        farthest = max(farthest, seen.value if seen else 0)
    assert pairs
    if "compatibility" in said:
        assert said["compatibility"]["verdict"] == ("proved" if most <= 1 else "refuted")
    assert said["sensitivity"]["verdict"] == ("proved" if farthest <= 1 else "refuted")
    assert farthest in (1, 2, UNREACHABLE)


# ------------------------------------------------------------------ interruptions

SMALL = TABLE.slice(["unbounded", "bounded"], ["identity", "cardinality"])


class StoppedError(Exception):
    """The run is stopped here."""


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    place = tmp_path / "answers.sqlite"

    def stop(done, _all):
        if done == 3:
            raise StoppedError

    with pytest.raises(StoppedError):
        atlas(SMALL, kept=Kept(place), progress=stop)
    asked = []
    right = running.answer

    def counted(question, shared, *, rocq):
        asked.append(question)
        return right(question, shared, rocq=rocq)

    monkeypatch.setattr(running, "answer", counted)
    resumed = atlas(SMALL, kept=Kept(place)).as_json()
    assert len(asked) == len(SMALL.questions) - 3
    assert resumed == atlas(SMALL).as_json()


@pytest.mark.in_turn
def test_several_at_a_time_find_the_same():
    assert atlas(SMALL, jobs=2).as_json() == atlas(SMALL).as_json()


def test_bounds_that_are_perhaps_not_tight_are_counted():
    found = atlas(TABLE.slice(["one-sided", "bounded"], ["weeks and days", "partition"]))
    assert all(a["bounds"]["pure"]["tight"] == "yes" for a in found.answers)
    # From infinitely far, against the direction of the edits, something may hold in two notions.
    loose = {(a["granularity"], a["map"]) for a in found.answers
             if a["bounds"]["gaussian"]["tight"] != "yes"}  # fmt: skip
    assert loose == {("one-sided", "partition"), ("one-sided", "weeks and days")}
    assert found.perhaps_not_tight == 2
    assert found.summary == "8 cells: 8 proved; 2 perhaps not tight"
    assert "8 cells: 8 proved; 2 perhaps not tight" in as_html(found)


@pytest.mark.parametrize(
    ("granularity", "map_", "bound"),
    [
        ("unbounded", "tree of kinds", "max(eps[1] + eps[2], eps[1] + eps[3])"),
        ("unbounded", "weeks and days", "max over t of sum(eps[i,j] for "),
        ("neighbouring place", "squares of a grid", "max over t, u, v, x with "),
    ],
)
def test_hierarchies_fixed_families_and_grids(granularity, map_, bound):
    found = atlas(TABLE.slice([granularity], [map_]))
    common = found.answers[1]["bounds"]["pure"]
    assert common["tight"] == "yes"
    assert common["text"].startswith(bound)


def test_unknown_rows_are_told():
    with pytest.raises(InputError, match="no granularity 'bonded'; did you mean 'bounded'"):
        TABLE.slice(["bonded"])


# ------------------------------------------------------------------ faces


def test_the_page_is_complete_and_needs_no_network():
    text = as_html(atlas(SMALL))
    root = ET.fromstring(text.replace("<!DOCTYPE html>", ""))
    links = {a.get("href") for a in root.iter("a")}
    ids = {f"#{d.get('id')}" for d in root.iter("details") if d.get("class") == "cell"}
    assert links == {*ids, "#cells"}
    assert len(ids) == len(SMALL.questions)
    assert "src=" not in text
    assert "http" not in text


def test_the_command(tmp_path):
    page = tmp_path / "atlas.html"
    arguments = ["--granularity", "bounded", "--map", "identity", "--jobs", "1", "--json"]
    places = ["--cache", str(tmp_path / "answers.sqlite"), "--html", str(page)]
    done = subprocess.run(
        [sys.executable, "-m", "dpcomp_sym", "atlas", *arguments, *places],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert [c["bounds"]["pure"]["text"] for c in document["cells"]] == ["eps", "eps"]
    assert document["counts"] == {"proved": 2}
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_cells_that_rocq_has_checked_have_a_tick(tmp_path, monkeypatch):
    few, place = (
        TABLE.slice(["bounded"], ["identity", "partition"]),
        Kept(tmp_path / "answers.sqlite"),
    )
    before = atlas(few, kept=place)
    assert before.checked is None
    assert "✓" not in as_text(before)

    def said(text):
        return text, CoqAnswer(accepted="range k_" in text, message="no")

    monkeypatch.setattr(checker, "check_either", said)
    found = atlas(few, kept=place, rocq=True)
    assert found.checked == 1
    assert "bounded   1  ∞\n" in as_text(found)
    assert "bounded   1 Σ✓\n" in as_text(found)
    assert "; 1 checked by Rocq" in found.summary
    reasons = [c["rocq"]["reason"] for c in found.as_json()["cells"] if not c["rocq"]["checked"]]
    assert "the bound is infinite, if only for some sizes" in reasons
    assert "coqc does not accept it: no" in as_html(found)
    assert as_html(found).count("Rocq: coqc accepts the proof of the bound") == 1
    monkeypatch.setattr(checker, "check_either", None)
    assert atlas(few, kept=place, rocq=True).as_json() == found.as_json()


def test_without_coqc_no_cell_is_checked(tmp_path, monkeypatch):
    monkeypatch.setattr("dpcomp_sym.rocq.coqc.shutil.which", lambda _: None)
    done = CliRunner().invoke(cli.main, ["atlas", "--rocq", "--cache", str(tmp_path / "c")])
    assert done.exit_code == 2
    assert "--rocq needs coqc" in done.stderr


CLUSTER = """
from dask.distributed import LocalCluster
from dpcomp_sym.atlas import atlas, default_table

if __name__ == "__main__":
    table = default_table().slice(["unbounded", "bounded"], ["identity", "cardinality"])
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        found = atlas(table, cluster=cluster.scheduler_address).as_json()
    assert found == atlas(table).as_json()
    print(len(found["cells"]))
"""


@pytest.mark.in_turn
def test_a_cluster_finds_the_same(tmp_path):
    pytest.importorskip("distributed")
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, f"{len(SMALL.questions)}\n"), done.stderr
