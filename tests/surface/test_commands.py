"""What a command prints and writes, Python returns and saves: by one call each."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym import rocq
from dpcomp_sym.notebook import html, latex, markdown
from tests.command import dpcomp

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
AMBULANCES = str(EXAMPLES / "ambulances.toml")
LABELS = str(EXAMPLES / "label-dp.toml")


def printed(*arguments):
    return json.loads(dpcomp(*arguments, "--json").stdout)


def plain(document):
    return json.loads(json.dumps(document))


@pytest.mark.in_turn
def test_relate_of_a_spec():
    names = ["unbounded", "bounded"]
    found = dp.load(LABELS).relate(*names)
    options = [word for name in names for word in ("--granularity", name)]
    assert plain(found.as_json()) == printed("relate", LABELS, *options)
    for form in ("dot", "mermaid"):
        said = dpcomp("relate", LABELS, *options, "--diagram", form)
        assert found.diagram(form) == said.stdout.rstrip("\n")
    with pytest.raises(dp.InputError, match="did you mean 'unbounded'"):
        dp.load(LABELS).relate("unbonded")
    with pytest.raises(dp.InputError, match="did you mean 'dot'"):
        found.diagram("dots")


def test_claims_about_metrics_are_compared_too(tmp_path, monkeypatch):
    """Of two specs that differ in a claim alone, no answer is taken for the other's."""
    monkeypatch.setenv("DPCOMP_KEPT", str(tmp_path / "answers.sqlite"))
    spec = """
        granularity = "unbounded"
        [domain]
        attributes = {{ id = "Record" }}
        [[part]]
        map = "identity"
        [[metric]]
        granularity = "unbounded"
        value = "{}"
    """
    right, wrong = (
        dp.load(spec.format(value)).relate("unbounded")
        for value in ("sum(abs(D[c] - E[c]))", "2*sum(abs(D[c] - E[c]))")
    )
    assert [one.as_json()["verdict"] for one in (right, wrong)] == ["proved", "refuted"]


def test_a_refutation_for_rocq(tmp_path):
    d = dp.load(AMBULANCES).derive()
    refuted = d.refute("max(eps[i])")
    text = refuted.save(tmp_path / "no.v").read_text()
    assert text == rocq.refutation_file(d.problem, refuted.counterexample.data)
    with pytest.raises(dp.InputError, match=r"nothing is written as '\.v'"):
        d.refute("3*max(eps[i])").save(tmp_path / "proved.v")


def test_a_certificate_verified_by_others(tmp_path):
    d = dp.load(LABELS).derive()
    file = d.save(tmp_path / "label.json", "certificate")
    found = dp.verify(file, d.problem)
    assert plain(found.as_json()) == printed("verify", file, LABELS)
    dpcomp("verify", file, "--scripts", tmp_path / "theirs")
    found.write_scripts(tmp_path / "mine")
    theirs, mine = (
        {one.name: one.read_text() for one in (tmp_path / whose).iterdir()}
        for whose in ("theirs", "mine")
    )
    assert theirs == mine
    assert len(mine) == len(found.questions)
    other = tmp_path / "other.v"
    other.write_text("Theorem nothing : True. Proof. exact I. Qed.\n")
    assert found.by_rocq(other)["verdict"] == "refuted"
    with pytest.raises(dp.InputError, match=r"Cpc\.eo"):
        found.prove(tmp_path / "proofs", calculus=tmp_path / "none.eo")


def test_the_atlas(tmp_path, monkeypatch):
    monkeypatch.setenv("DPCOMP_KEPT", str(tmp_path / "answers.sqlite"))
    found = dp.derive_atlas("bounded", ["identity", "partition"])
    options = ("--granularity", "bounded", "--map", "identity", "--map", "partition")
    assert plain(found.as_json()) == printed("atlas", *options)
    theirs = tmp_path / "theirs.html"
    assert dpcomp("atlas", *options, "--html", theirs).stdout.rstrip("\n") == str(found)
    assert found.save(tmp_path / "mine.html").read_text() == theirs.read_text()
    assert r"\begin{document}" in found.save(tmp_path / "atlas.tex").read_text()
    assert all(write(found) for write in (html, latex, markdown))
    with pytest.raises(dp.InputError, match="did you mean 'bounded'"):
        dp.derive_atlas("bonded")


def test_cells_of_the_atlas_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("DPCOMP_KEPT", str(tmp_path / "answers.sqlite"))
    seen = []
    for fresh in (False, False, True):
        steps = []
        dp.derive_atlas(
            "bounded",
            "identity",
            fresh=fresh,
            progress=lambda done, _all, to=steps: to.append(done),
        )
        seen.append(steps[0])
    assert seen == [0, 2, 0]


@pytest.mark.in_turn
def test_theorems(tmp_path):
    found = dp.find_theorems("parallel", status="refuted")
    listed = printed("theorems", "list", "parallel", "--status", "refuted")["theorems"]
    assert [one.name for one in found] == [one["name"] for one in listed]
    shown = dp.verify_theorems("Corollary IV.13")
    assert shown.holds
    assert plain(shown.as_json()) == printed("theorems", "show", "Corollary IV.13")
    assert str(shown) == dpcomp("theorems", "show", "Corollary IV.13").stdout.rstrip("\n")
    theirs = tmp_path / "theirs.tex"
    dpcomp("theorems", "show", "Corollary IV.13", "--latex", theirs)
    assert shown.save(tmp_path / "mine.tex").read_text() == theirs.read_text()
    assert all(write(shown) for write in (html, latex, markdown))
    with pytest.raises(dp.InputError, match="did you mean 'corollary'"):
        dp.find_theorems(kind="corolary")
    with pytest.raises(dp.InputError, match=r"no theorem 'IV\.99'"):
        dp.verify_theorems("IV.99")


@pytest.mark.in_turn
def test_stability():
    place = str(EXAMPLES / "foreign" / "proved.py")
    mine = dp.check_stability(dp.stability.claims_of(place)[0])
    assert plain(mine.as_json()) == printed("stability", place)["claims"][0]
    assert str(mine).startswith(mine.claim.name)
    assert mine.verdict in repr(mine)


def test_limits_starters_and_schemas(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = dp.write_starter("first", granularity="bounded", setting="common")
    assert dp.load(place).derive().bound("pure").text.endswith("sum of the 2 largest eps[i]")
    assert dp.spec_schema() == json.loads(dpcomp("schema", "--spec").stdout)
    with dp.limited(total=0):
        hurried = dp.load(EXAMPLES / "insertion-truncated-owner.toml").derive()
    assert hurried.verdict == "unknown"


def test_every_command_has_its_line():
    """The table in the documentation names each command, and each name that it calls is there."""
    text = (EXAMPLES.parent / "docs" / "python.md").read_text()
    table = text.partition("## Commands")[2].partition("\n\n")[2].partition("\n\n")[0]
    commands = set(re.findall(r"^\| `dpcomp (\w+)", table, re.MULTILINE))
    listed = dpcomp("--help").stdout.partition("Commands:")[2].partition("Exit status")[0]
    assert commands == set(re.findall(r"^  (\w+) ", listed, re.MULTILINE))
    called = set(re.findall(r"dp\.(\w+)", table))
    assert called - {"stability"} <= set(dp.__all__)
    assert called <= set(dir(dp))
