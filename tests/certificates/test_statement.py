"""What verify says that it verified: all of it, on lines of its own, and whether it is a spec's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import World
from dpcomp_sym.model import Domain, Granularity, Part, Problem, library_granularity, library_map
from dpcomp_sym.model.serial import problem_from_json, problem_to_json
from dpcomp_sym.model.statement import differences, digest, stated
from dpcomp_sym.printable import one_line
from dpcomp_sym.replay import RejectedError, seal
from tests.certificates.test_certificates import changed, others, places
from tests.command import dpcomp

ROOT = Path(__file__).resolve().parents[2]
EVIL = "Fine\nverified: x\r\x1b[2K\x9b2K\u202e\u200b\u2028 pure: 0"
SPEC = """
title = {title}
[domain]
attributes = {{ id = "Record", owner = "Person" }}
limits = [["owner(c)", 3]]
[granularity]
name = {name}
symbol = {name}
edit = [{{ params = {{ x = "cell" }}, change = {{ x = 1 }} }}]
[[map]]
name = "blocks"
use = "cover"
m = 2
[[part]]
name = "first"
map = "blocks"
guarantee = {{ pure = "eps" }}
[[part]]
name = "second"
map = "identity"
guarantee = {{ pure = "1/2" }}
"""


def spec(folder, name="spec.toml", title="A title", granularity="own", **changes):
    text = SPEC.format(title=json.dumps(title), name=json.dumps(granularity))
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new)
    file = folder / name
    file.write_text(text, "utf-8")
    return file


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certified")
    file = spec(folder)
    assert dpcomp("derive", file, "--certificate", folder / "c.json").returncode == 0
    return file, folder / "c.json"


# ------------------------------------------------------------- the statement


def test_everything_is_said(certified):
    _, certificate = certified
    done = dpcomp("verify", certificate)
    text = re.sub(r"\s+", " ", done.stdout)
    for said in (
        "a record: id: Record, owner: Person",
        "at most 3 records with the same owner(c)",
        "E[x] is D[x] with 1 added",
        "each record in at most 2 blocks",
        "first for each block of map blocks",
        "pure: eps[i]",
        "pure: 1/2",
        "private on what the map hands on",
        "sum of the 2 largest eps[i]",
        "impossible, they say: z3: ",
    ):
        assert said in text.replace("mechanism ", ""), said


def test_each_field_of_a_problem_is_in_the_digest_and_in_the_differences(library):
    for name in ("own-granularity", "user-level-truncated", "nested"):
        data = problem_to_json(library.derivation(name).problem)
        for path, value in places(data):
            for other in others(value)[:2]:
                if other == value or path == ("title",):
                    continue
                mutant = changed(data, path, other)
                assert digest(mutant) != digest(data)
                assert differences(data, mutant), (path, other)


def test_what_is_stated_differs_where_problems_do(library):
    seen = {}
    for name in ("unbounded-partition", "bounded-partition", "label-dp", "nested", "histogram"):
        problem = library.derivation(name).problem
        text = "\n".join(stated(problem))
        assert text not in seen
        seen[text] = name
        again = problem_from_json(problem_to_json(problem))
        assert stated(again) == stated(problem)


# ------------------------------------------------------------- a spec beside it


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('["owner(c)", 3]', '["owner(c)", 4]'), "domain, limits"),
        (("x = 1 }", "x = 2 }"), "granularity, edits, 1, change, x"),
        (("m = 2", "m = 3"), "maps, blocks, multiplicity"),
        (('"eps"', '"eps2"'), "parts, first, guarantees, pure"),
        (('"1/2"', '"1/3"'), "parts, second, guarantees, pure"),
        (('id = "Record", owner = "Person"', 'owner = "Person", id = "Record"'), "in the order"),
        (('name = "second"', 'name = "third"'), "parts, third"),
    ],
)
def test_another_spec_is_told_apart(certified, tmp_path, change, said):
    _, certificate = certified
    done = dpcomp("verify", certificate, spec(tmp_path, change=change))
    assert (done.returncode, done.stderr) == (1, "")
    assert "NOT the statement of the spec" in done.stdout
    assert said in re.sub(r"\s+", " ", done.stdout)
    done = dpcomp("verify", certificate, tmp_path / "spec.toml", "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 1
    assert (document["verdict"], document["spec"]["same"]) == ("refuted", False)
    assert document["spec"]["differences"]


def test_the_same_spec_under_another_title_is_the_same(certified, tmp_path):
    file, certificate = certified
    for other in (file, spec(tmp_path, title="Another title")):
        done = dpcomp("verify", certificate, other)
        assert (done.returncode, done.stderr) == (0, "")
        assert "this is the statement of the spec" in done.stdout
    assert json.loads(dpcomp("verify", certificate, file, "--json").stdout)["spec"]["same"]


def test_numbers_are_part_of_the_statement(tmp_path):
    file, certificate = ROOT / "examples" / "bounded-partition-common.toml", tmp_path / "c.json"
    assert dpcomp("derive", file, "--set", "k=1", "--certificate", certificate).returncode == 0
    assert dpcomp("verify", certificate, file).returncode == 1
    assert dpcomp("verify", certificate, file, "--set", "k=1").returncode == 0
    assert dpcomp("verify", certificate, "--set", "k=1").returncode == 2


# ------------------------------------------------------------- names


def test_no_name_makes_a_line_of_its_own(tmp_path):
    plain = spec(tmp_path, "plain.toml", "T", "own name")
    evil = spec(tmp_path, "evil.toml", EVIL, EVIL)
    for file in (plain, evil):
        certificate = file.with_suffix(".json")
        done = dpcomp("derive", file, "--certificate", certificate)
        assert done.returncode == 0
        outputs = [done.stdout]
        for more in ((), (file,), ("--json",)):
            done = dpcomp("verify", certificate, *more)
            assert (done.returncode, done.stderr) == (0, "")
            outputs.append(done.stdout)
        outputs.append(dpcomp("check", file).stdout)
        assert all(line.isprintable() for output in outputs for line in output.splitlines())
        # What goes on from a broken line stands further to the right than any line of its own.
        verified = outputs[1:3]
        assert not [
            o for o in verified if re.search(r"^ {0,4}(verified: x|pure: 0)", o, re.MULTILINE)
        ]


def test_files_and_words_of_the_command_line_stay_on_their_line():
    for done in (
        dpcomp("verify", "no\nverified: x\x1b[2K"),
        dpcomp("derive", "no\nproved\x1b[2K"),
    ):
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert done.stderr.rstrip("\n").isprintable()


def test_letters_and_signs_stay_what_they_are():
    assert one_line("ε, δ – “Müller”, 中") == "ε, δ – “Müller”, 中"


@pytest.mark.parametrize("name", ["0", "1/0", "max(eps[i])", "eps\n  pure: 0", "", " ", "ерs"])
def test_parameters_are_words(name):
    with pytest.raises(InputError, match="parameter"):
        Problem(
            Domain({"id": "Record"}), library_granularity("unbounded"),
            [library_map("partition", name="blocks")],
            [Part("counts", "blocks", guarantees={"pure": (name,)})],
        )  # fmt: skip


@pytest.mark.parametrize("path", [("title",), ("granularity", "name"), ("domain", "name")])
def test_a_certificate_with_marks_in_a_name_is_rejected(library, path):
    data = json.loads(json.dumps(library.certificate("unbounded-partition")))
    target = data["problem"]
    for name in path[:-1]:
        target = target[name]
    target[path[-1]] = EVIL
    data["seal"] = seal(data)
    with pytest.raises(RejectedError):
        verify(data)


def test_names_are_kept_on_one_line_wherever_they_come_from():
    edits = library_granularity("unbounded").edits
    assert Granularity(EVIL, edits, EVIL).name == one_line(EVIL)
    assert Granularity(EVIL, edits, EVIL).symbol == one_line(EVIL)
    assert Domain({"id": "Record"}, name=EVIL).name == one_line(EVIL)


# ------------------------------------------------------------- examples


def test_blocks_of_two_maps_do_not_overlap():
    maps = [library_map("cover", name=name, m=2) for name in ("left", "right")]
    problem = Problem(
        Domain({"id": "Record"}), library_granularity("unbounded"), maps,
        [Part("a", "left"), Part("b", "right")],
    )  # fmt: skip
    left, right = problem.used_maps["left"], problem.used_maps["right"]
    world = World(problem.domain, (("r",),), {"Record": ("r",)})
    for blocks, names in (
        (((left, (1,)), (right, (2,))), ["left"]),
        (((left, (1,)), (left, (1,))), ["left"]),
        (((right, (1,)), (right, (2,))), ["left"]),
        (((left, (1,)),), ["left"]),
    ):
        found = FoundPair(world, {("r",): 1}, {}, blocks)
        assert not Recheck._overlap(found, names)
