"""Results in notebooks."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from dpcomp_sym.report.notebook import of_value


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
