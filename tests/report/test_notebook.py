"""Results in notebooks."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym.atlas import atlas, default_table
from dpcomp_sym.certificate import certificate
from dpcomp_sym.engine import Proved, Unknown
from dpcomp_sym.foreign import check_stability, claims_of
from dpcomp_sym.membership import Membership, pair_at
from dpcomp_sym.metrics.relate import Comparison
from dpcomp_sym.recheck import verify
from dpcomp_sym.report import notebook
from dpcomp_sym.report.notebook import of_value

FOLDER = Path(__file__).resolve().parents[2] / "examples"


def read(text: str) -> str:
    """Check that HTML is well-formed, and return its words."""
    assert "http" not in text.replace("http://www.w3.org/", "")
    return " ".join("".join(ET.fromstring(text).itertext()).split())


def test_a_derivation_has_every_representation(example, derived) -> None:
    found = derived(example)
    words = read(found._repr_html_())
    assert found.title in words
    assert found._repr_markdown_().startswith(f"**{found.title}**: {found.verdict}")
    latex = found._repr_latex_()
    assert (latex is None) == found.vacuous
    for bound in () if found.vacuous else found.bounds:
        assert bound.latex in latex
        assert f"${bound.latex}$" in found._repr_markdown_()


@pytest.mark.parametrize("name", ["compatibility", "sensitivity"])
def test_a_condition_and_its_counterexample(name, derived) -> None:
    condition = derived("bounded-partition").conditions[name]
    words = read(of_value(condition))
    assert "refuted" in words
    assert condition.statement in words
    for outcome in (condition.outcome, condition.outcome.counterexample):
        assert "id = record1" in read(of_value(outcome))


def test_a_problem_and_a_bound(derived) -> None:
    found = derived("own-granularity")
    words = read(of_value(found.problem))
    assert "household visits within w days" in words
    assert "tight" in read(of_value(found.bounds[0]))


def of_each_type():
    """Yield results with words that a reader must find, none of them in a report."""
    spec = FOLDER / "claims" / "parallel-bounded.toml"
    yield dp.refute(spec, "max(eps[i])"), ["refuted", "max(eps[i])", "no finite guarantee"]
    yield dp.refute(FOLDER / "ambulances.toml", "2*max(rho[i])"), ["refuted", "3 alpha"]
    survey = dp.load_any(FOLDER / "uncertain" / "votes.toml")
    yield survey.derive(), ["Derivation", "Desfontaines"]
    yield survey.refute("1"), ["refuted", "Event: the output is", "Probability"]
    found = dp.load_spec(FOLDER / "ambulances.toml", ["k=5", "eps=[1,2,3,4,5]"]).derive()
    yield found.comparison, ["advanced", "optimal", "12"]
    yield found.witnesses["pure"], ["counts[i]", "e^(-eps[i]*t)/2"]
    yield found.theorems["pure"], ["unbounded-neighbours", "8 steps", "GB24s"]
    names = ("unbounded", "bounded")
    given = {name: dp.library_granularity(name) for name in names}
    compared = Comparison("records", dp.Domain({"id": "Record"}), given)
    yield compared, ["proved", "sum(abs(D[c] - E[c]))", "unbounded ──2ε──▸ bounded"]
    limited = Membership({"databases": "k"}, ["total <= m"], {"m": "m >= 1"}, "bounded")
    yield limited, ["|b|≤m", "any two allowed"]
    weights = {"databases": [Fraction(n) for n in range(4)]}
    yield pair_at(limited, {"k": 4, "m": 1}, weights), ["b in 4; b′ in 3", "Weight: 5"]
    claims = claims_of(FOLDER / "foreign" / "released_library.py")
    yield check_stability(claims[0]), ["refuted", "claimed is at most"]
    yield check_stability(claims[2]), ["checked", "Outputs are at most apart"]
    proved = claims_of(FOLDER / "foreign" / "proved.py")[0]
    yield check_stability(proved), ["proved", "Beyond the scope this is said of the map"]
    yield Proved(), ["proved"]
    yield Unknown("nobody knows <why>"), ["unknown", "nobody knows <why>"]
    yield verify(certificate(found.theorems, found)), ["verified", "steps replayed"]
    cells = atlas(default_table().slice(["unbounded"], ["partition"]))
    yield cells, [""]


def test_results_of_every_other_type() -> None:
    seen = set()
    for value, wanted in of_each_type():
        shown = value._repr_html_() if hasattr(value, "_repr_html_") else of_value(value)
        found = read(shown)
        assert [word for word in wanted if word not in found] == []
        seen.add((type(value).__module__.removeprefix("dpcomp_sym."), type(value).__name__))
    # What IPython is told of is what can be shown, and each of it was.
    assert {".".join(one) for one in dp._SHOWN} == set(notebook._SHOWN)
    reports = {"Condition", "Counterexample", "Refuted", "Problem", "Bound"}  # tested above
    outcomes = {"Checked", "Vacuous"}  # shown like the others
    assert {one for one in dp._SHOWN if one[1] not in reports | outcomes} <= seen


def test_ipython_is_told_and_nothing_is_loaded_for_it() -> None:
    script = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import dpcomp_sym as dp")
loaded = sorted({"z3", "sympy", "dpcomp_sym.report.notebook"} & set(sys.modules))
shell.run_cell('''problem = dp.Problem(
    dp.Domain({"id": "Record"}), dp.library_granularity("bounded"),
    [dp.library_map("partition", name="blocks")], [dp.Part("counts", "blocks")])''')
formats, _ = shell.display_formatter.format(shell.user_ns["problem"])
print(json.dumps([loaded, sorted(formats), "Neighbours" in formats["text/html"]]))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [[], ["text/html", "text/plain"], True]
