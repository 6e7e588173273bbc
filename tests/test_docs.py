"""What the documentation says comes out."""

from __future__ import annotations

import doctest
import importlib
import json
import re
from pathlib import Path

import pytest

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


def test_the_paper_of_the_tutorial(tmp_path, monkeypatch):
    """Its Python runs, its preamble is what the fragment asks for, and its references exist."""
    from dpcomp_sym.report import latex

    text = (DOCS / "tutorial.md").read_text("utf-8")
    spec, limited = blocks("tutorial.md")
    before, _, after = spec.partition("[granularity]")
    clinic = f"{before.partition('[domain]')[0]}{limited}[granularity]{after}"
    monkeypatch.chdir(tmp_path)
    Path("clinic.toml").write_text(clinic, "utf-8")
    found = doctest.testfile(str(DOCS / "tutorial.md"), module_relative=False)
    assert (found.attempted, found.failed) == (4, 0)
    assert Path("clinic-figure.pdf").read_bytes().startswith(b"%PDF")
    fragment = latex.fragment(load_spec(clinic).derive().document(), columns=2)
    (paper,) = re.findall(r"(?ms)^```latex\n(.*?)^```", text)
    asked = re.findall(r"(?m)^% (\\.*)", fragment)
    assert len(asked) > 10
    assert [line for line in asked if line not in paper.splitlines()] == []
    (label,) = re.findall(r"\\cref\{([^}]*:theorem)\}", paper)
    assert rf"\label{{{label}}}" in fragment


def test_the_guide_to_reports():
    from dpcomp_sym.report import latex

    guide = (DOCS / "how-to/reports.md").read_text("utf-8")
    (label,) = re.findall(r"\\cref\{([^}]*)\}", guide)
    fragment = latex.fragment(load_spec(blocks("tutorial.md")[0]).derive().document())
    assert rf"\label{{{label}}}" in fragment
    assert rf"\label{{{label.partition(':')[0]}:step3}}" in fragment


@pytest.mark.in_turn
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
    assert pure(alone + single) == "inf (no guarantee)"
    assert pure(users + teams + user + by_team + single) == "2*r*m*max(eps[i])"


def test_maps_of_the_guide():
    domain = """
        granularity = "unbounded"
        [domain]
        attributes = { id = "Id", person = "Person", day = "int" }
        """
    together = {
        "halves": "max(eps[1] + eps[2], eps[1] + eps[3])",
        "levels": "sum over i of max over j of eps[i,j]",
    }
    for text in blocks("how-to/map.md")[:-1]:
        name = re.search(r'name = "(\w+)"', text)[1]
        bound = together.get(name, "max(eps[i])")
        assert pure(f'{domain}{text}\n[[part]]\nmap = "{name}"\n') == bound


def test_random_data_of_the_guide():
    known, chain = blocks("how-to/uncertain.md")
    assert load_any(known).derive().tables[0].rows[0][1] == "0.477081"
    (found,) = load_any(chain).derive().guarantees
    assert found.said == "(0.943147, 1/1000)"


def keys(schema, node, path=()):
    """Yield every key that a schema allows, after the tables in which it stands."""
    while "$ref" in node:
        node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    for key, value in node.get("properties", {}).items():
        yield *path, key
        yield from keys(schema, value, (*path, key))
    for inner in (*node.get("oneOf", ()), *node.get("anyOf", ()), node.get("items")):
        if inner is not None:
            yield from keys(schema, inner, path)


PAGES = {
    "domain": "how-to/granularity.md",
    "granularity": "how-to/granularity.md",
    "map": "how-to/map.md",
    "part": "how-to/map.md",
    "membership": "how-to/membership.md",
    "metric": "how-to/relate.md",
    "points": "how-to/relate.md",
}


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("spec", PAGES),
        ("uncertain", "how-to/uncertain.md"),
        ("metric", "how-to/given-distances.md"),
    ],
    ids=["spec", "uncertain", "metric"],
)
def test_every_key_of_a_spec_is_documented(name, pages):
    """Each on the page about its table; a key above all tables among the tables."""
    file = DOCS.parent / "dpcomp_sym" / "spec" / f"{name}.schema.json"
    schema = json.loads(file.read_text("utf-8"))
    found = set(keys(schema, schema))
    assert len(found) > 8
    missing = []
    for *path, key in found:
        if isinstance(pages, str):
            page = pages
        elif path[:2] == ["part", "granularity"]:
            page = pages["granularity"]
        else:
            page = pages[path[0]] if path else "generate.py"
        said = rf"`{key}`|`\[\[?{key}\]|^{key} = |[`{{,] *{key} = |^\[\[?([a-z]+\.)?{key}\]"
        if not re.search(said, (DOCS / page).read_text("utf-8"), re.MULTILINE):
            missing.append((page, *path, key))
    assert missing == []


def test_what_a_part_demands():
    *_, spec = blocks("how-to/map.md")
    assert "[part.domain]" in spec
    assert pure(spec) == "eps"
    assert load_spec(spec.replace('limits = [["owner(c)", 2]]', "")).derive().bounds == ()


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


def test_the_page_from_other_tools():
    """What is said of this program; the other tools are not installed for the tests."""
    found = doctest.testfile(str(DOCS / "from-other-tools.md"), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


@pytest.fixture(scope="module")
def scripts():
    """Let the scripts that make pages be imported, which are in no package."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(DOCS))
        yield importlib.import_module


@pytest.fixture(scope="module")
def gallery(scripts):
    return scripts("gallery")


@pytest.fixture(scope="module")
def concept(scripts):
    return scripts("concept")


def test_notebooks_have_pages_with_their_outputs(scripts, tmp_path):
    made = "\n\n".join(scripts("notebooks").notebooks(tmp_path))
    drawn = 0
    for file in scripts("notebooks").NOTEBOOKS:
        assert f"\nnotebook-{file.stem}\n" in made
        text = (tmp_path / f"notebook-{file.stem}.md").read_text("utf-8")
        assert text.startswith("# ")
        assert "```python" in text
        drawn += "```{raw} html" in text
        assert not re.search(r"^(\{'|\[\{)", text, re.MULTILINE)  # results show themselves
    assert drawn > 6


CONCEPTS = sorted((DOCS / "concepts").glob("*.md"))


@pytest.mark.in_turn
@pytest.mark.parametrize("page", CONCEPTS, ids=lambda page: page.stem)
def test_a_page_on_a_concept(page, concept, tmp_path, monkeypatch):
    """Its specs are saved under the names that it gives them, and its Python runs beside them."""
    monkeypatch.chdir(tmp_path)
    for name, spec in concept.specs(page.read_text("utf-8")).items():
        Path(name).write_text(spec, "utf-8")
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 2
    assert found.failed == 0


def test_the_pictures_of_concepts(concept, tmp_path):
    concept.draw(tmp_path)
    assert set(concept.DRAWN) < {page.stem for page in CONCEPTS}
    for page in CONCEPTS:
        shown = (tmp_path / f"concept-{page.stem}.md").read_text("utf-8")
        assert f"../generated/concept-{page.stem}.md" in page.read_text("utf-8")
        drawing = re.search(r"\((concept-.*?)\)", shown)
        assert "</svg>" in ((tmp_path / drawing[1]).read_text("utf-8") if drawing else shown)


def test_every_example_has_its_place_in_the_gallery(gallery):
    shown = [file for files in gallery.places().values() for file in files]
    assert sorted(shown) == sorted(gallery.EXAMPLES.rglob("*.toml"))


@pytest.mark.parametrize(
    ("name", "bound", "drawn"),
    [
        ("ambulances", "sum of the 3 largest eps[i]", "hospitals 1"),
        ("graph-edge-incident", "sum of the 2 largest eps[i]", "<circle"),
        ("membership/uninformed", "sum(eps[i])", "Membership vectors"),
        ("stream-event-windows", "max(eps[i])", "(gallery-stream-event-windows.svg)"),
        ("several-maps-one-frame", "max(eps_a, eps_b)", "type II error against type I error"),
        ("uncertain/votes", "(∞, 1/10)", "(gallery-uncertain-votes.svg)"),
        ("fixed-size-unbounded", "There are no two different", "not in the class: there size(D)"),
        ("uncertain/chain", "ln((1 + e^(eps1", "(gallery-uncertain-chain.svg)"),
        ("uncertain/one-time-pad", "rule a value", "probability against output of the key"),
        ("metric/homes-and-places", "eps*d_home", "pure (ε) against distance of two"),
    ],
)
def test_what_the_gallery_shows(gallery, tmp_path, name, bound, drawn):
    file = gallery.EXAMPLES / f"{name}.toml"
    blocks = list(gallery.entry(file, tmp_path))
    assert f"examples/{name}.toml" in blocks[1]
    assert bound in blocks[2]
    assert drawn in blocks[3]
    assert "<details><summary>Spec" in blocks[4]
    for picture in re.findall(r"\((gallery-[^)]*)\)", blocks[3]):
        assert "</svg>" in (tmp_path / picture).read_text("utf-8")
