"""What the documentation says comes out."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from dpcomp_sym.spec import load_any, load_spec

DOCS = Path(__file__).resolve().parent.parent / "docs"


def blocks(name: str) -> list[str]:
    return re.findall(
        r"^```toml\n(.*?)^```", (DOCS / name).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )


def pure(spec: str) -> str:
    return load_spec(spec).derive().bounds[0].text


def test_the_tutorial():
    spec, limited = blocks("tutorial.md")
    assert pure(spec) == "sum(eps[i])"
    assert pure(spec.replace('by = "ward"', 'by = "person"')) == "max(eps[i])"
    before, _, after = spec.partition("[granularity]")
    title = before.partition("[domain]")[0]
    assert pure(f"{title}{limited}[granularity]{after}") == "sum of the 4 largest eps[i]"


def test_the_guide_to_reports():
    from dpcomp_sym.report import latex

    guide = (DOCS / "how-to/reports.md").read_text("utf-8")
    (label,) = re.findall(r"\\cref\{([^}]*)\}", guide)
    fragment = latex.fragment(load_spec(blocks("tutorial.md")[0]).derive().document())
    assert rf"\label{{{label}}}" in fragment
    assert rf"\label{{{label.partition(':')[0]}:step3}}" in fragment


def test_granularities_of_the_guide():
    domain = """
        [domain]
        attributes = { id = "Id", person = "Person", ward = "Ward", day = "int" }
        functions = { household = [["Person"], "House"] }
        """
    part = """
        [[part]]
        map = "partition"
        """
    replaced, swapped, household, table, teams = blocks("how-to/granularity.md")
    assert (
        pure(domain + "[granularity]\n" + replaced + part)
        == "max(eps[i]) for k = 1; inf for k >= 2"
    )
    assert (
        pure(domain + "[granularity]\n" + swapped + part) == "max(eps[i]) for k = 1; inf for k >= 2"
    )
    assert pure(domain + "[granularity]\n" + household + part) == "sum(eps[i])"
    rows = '[granularity]\nuse = "user"\nowner = "row"\n'
    found = load_spec(table + rows + part).derive().conditions["compatibility"]
    assert found.weakest == "h is constant on the records with the same row"
    users = """
        [domain]
        attributes = { id = "Record", user = "User", team = "Team" }
        symbols = { m = "m >= 1", r = "r >= 1" }
        """
    user = '[granularity]\nuse = "user"\nowner = "user"\n'
    by_team = '[[map]]\nname = "teams"\nuse = "partition"\nby = "team"\n[[part]]\nmap = "teams"\n'
    single = 'granularity = "unbounded"\n'
    alone = users + teams.splitlines()[-1] + "\n" + user + by_team
    assert pure(alone) == "sum of the 2*m largest eps[i]"
    assert pure(alone + single) == "inf (not known)"
    assert pure(users + teams + user + by_team + single) == "2*r*m*max(eps[i])"


def test_maps_of_the_guide():
    domain = """
        granularity = "unbounded"
        [domain]
        attributes = { id = "Id", person = "Person", day = "int" }
        """
    together = {"halves": "max(eps[1] + eps[2], eps[1] + eps[3])"}
    for text in blocks("how-to/map.md"):
        name = re.search(r'name = "(\w+)"', text)[1]
        bound = together.get(name, "max(eps[i])")
        assert pure(f'{domain}{text}\n[[part]]\nmap = "{name}"\n') == bound


def test_random_data_of_the_guide():
    known, chain = blocks("how-to/uncertain.md")
    assert load_any(known).derive().tables[0].rows[0][1] == "0.477081"
    (found,) = load_any(chain).derive().guarantees
    assert found.said == "(0.943147, 1/1000)"


def test_what_the_readme_does_in_python():
    found = doctest.testfile(str(DOCS.parent / "README.md"), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


def test_the_page_on_python(monkeypatch):
    """Its examples run from the folder of the project, one after the other."""
    monkeypatch.chdir(DOCS.parent)
    found = doctest.testfile(str(DOCS / "python.md"), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0
