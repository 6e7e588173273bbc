"""The library in Rocq: it has a theorem for each rule of the kernel, and assumes nothing."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from dpcomp_sym.kernel import laws, rules
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.rocq.coqc import EXPECTED, MODULES, _axioms, library
from tests.rocq.certified import ACCEPTED, NOT_WRITTEN, ROOT

FOLDER = ROOT / "rocq"
ORDER = [*MODULES, "Conversions", "Guarantees", "Gaussian", "Paths", "Rules", "Discrete"]
ASSUMED = {"given", "oracle"}
"""These rules introduce what a file states as a hypothesis, or proves as a lemma."""
THEOREM = re.compile(r"^Theorem (\w+)", re.MULTILINE)


def theorems(module: str) -> list[str]:
    return THEOREM.findall((FOLDER / f"{module}.v").read_text(encoding="utf-8"))


def test_each_rule_of_the_kernel_has_a_theorem_of_its_name():
    wanted = {*rules.__all__, *laws.__all__} - ASSUMED
    assert wanted <= set(theorems("Rules"))


def test_each_conversion_of_the_kernel_has_a_theorem_and_what_paths_cost_too():
    known = [c for notion in NOTIONS.values() for c in notion.conversions]
    wanted = {f"convert_{c.source}_{c.target}" for c in known}
    wanted |= {f"convert_path_{c.target}" for c in known if c.path is not None}
    assert {"convert_gaussian_zcdp", "convert_path_zcdp", "convert_path_gaussian"} <= wanted
    assert wanted <= set(theorems("Rules"))


def test_each_theorem_about_a_rule_is_named_after_it():
    known = {*rules.__all__, *laws.__all__}
    stray = [
        n for n in theorems("Rules") if not any(n == k or n.startswith(f"{k}_") for k in known)
    ]
    assert stray == []


def test_the_folder_that_the_program_uses_is_this_one():
    assert library() == FOLDER
    files = {f.relative_to(FOLDER).as_posix() for f in FOLDER.rglob("*.v")}
    assert files >= {f"{m}.v" for m in ORDER}


@pytest.mark.parametrize("file", sorted(FOLDER.rglob("*.v")), ids=lambda f: f.name)
def test_nothing_is_admitted_or_assumed(file):
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"\b(Admitted|Axioms?|Parameters?|Conjectures?|admit|Unset)\b", text)


@pytest.mark.rocq
def test_the_table_of_the_documentation_is_that_of_the_tests():
    page = (ROOT / "docs" / "how-to" / "rocq.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (\w+)", page, re.MULTILINE))
    wanted = dict.fromkeys(ACCEPTED, "accepted")
    assert rows == wanted | dict.fromkeys(NOT_WRITTEN, "no")


@pytest.mark.rocq
def test_every_theorem_is_accepted_with_the_axioms_of_the_reals_alone(tmp_path):
    papers = sorted(f.stem for f in (FOLDER / "papers").glob("*.v"))
    files = [f"{m}.v" for m in ORDER] + [f"papers/{m}.v" for m in papers]
    shutil.copytree(FOLDER, tmp_path / "rocq", ignore=shutil.ignore_patterns("*.vo*", "*.glob"))
    for file in files:
        assert run(tmp_path / "rocq", file).returncode == 0, file
    names = [file.removesuffix(".v") for file in files]
    said = [f"Dpcomp.{n.replace('/', '.')}.{t}" for n in names for t in theorems(n)]
    assert len(said) > 100
    # One definition that mentions them all: what they rest on is gone through once.
    lines = [f"From Dpcomp Require {n.replace('/', '.')}." for n in names]
    lines += ["Definition all : True :=", *(f"let _ := @{t} in" for t in said), "I."]
    lines += ["Print Assumptions all."]
    (tmp_path / "rocq" / "All.v").write_text("\n".join(lines), encoding="utf-8")
    asked = run(tmp_path / "rocq", "All.v")
    assert asked.returncode == 0, asked.stderr
    assert set(_axioms(asked.stdout)) <= EXPECTED
    assert len(_axioms(asked.stdout)) > 1


def run(folder, file):
    command = [shutil.which("coqc"), "-q", "-Q", ".", "Dpcomp", file]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
