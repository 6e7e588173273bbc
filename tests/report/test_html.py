"""The HTML page: well-formed, self-contained, readable, and about the right databases."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli
from dpcomp_sym.report import latex
from dpcomp_sym.report.curves import curves, delta_curve, trade_off
from dpcomp_sym.report.drawings import figure
from dpcomp_sym.report.html import HtmlWriter, formula
from dpcomp_sym.report.page import page
from dpcomp_sym.report.pictures import picture
from dpcomp_sym.report.webpage import page_of
from dpcomp_sym.spec import load_spec

NAMESPACES = {"http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"}


def tree(text: str) -> ET.Element:
    start, _, rest = text.partition("\n")
    assert start == "<!DOCTYPE html>"
    return ET.fromstring(rest)


def test_every_page_is_well_formed_and_self_contained(example, derived) -> None:
    text = page_of(derived(example))
    root = tree(text)
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) <= NAMESPACES
    for element in root.iter():
        for name in ("src", "data", "action", "poster"):
            assert name not in element.attrib
    assert root.find(".//link").get("href") == "data:,"
    assert "@import" not in text
    assert "url(" not in text


def test_links_lead_somewhere_and_ids_are_unique(example, derived) -> None:
    root = tree(page_of(derived(example)))
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    links = [e.get("href") for e in root.iter("a")]
    assert {link.removeprefix("#") for link in links} <= set(ids)


def test_every_formula_is_understood(example, derived) -> None:
    """A command that the converter does not know would stay in the text."""
    root = tree(page_of(derived(example)))
    for math in root.iter("{http://www.w3.org/1998/Math/MathML}math"):
        assert "\\" not in "".join(math.itertext())


@pytest.mark.parametrize(
    ("latex", "wanted"),
    [
        (r"D \sim_{G} E", "<mo>&#x0223C;</mo>"),
        (r"\infty", "<mi>&#x0221E;</mi>"),
        (r"\mathbf{1}_x", "&#x1D7CF;"),
        (r"A \setminus B", "<mo>&#x02216;</mo>"),
    ],
)
def test_signs_stand_as_in_print(latex, wanted) -> None:
    assert wanted in formula(latex)


def test_a_formula_keeps_what_belongs_to_it() -> None:
    """No line starts with a full stop, and what may be too wide scrolls by itself."""
    prose = HtmlWriter([]).prose
    assert re.fullmatch(
        r'so <span class="whole"><math.*</math>-DP</span> too', prose("so $x$-DP too")
    )
    long = "+".join("abcdefghijklmnopq")
    assert re.fullmatch(r'<span class="long"><math.*</math>\.</span>', prose(f"${long}$."))
    assert prose("$x$ and $y$").count("<span") == 0


def test_the_page_says_what_was_found(example, derived) -> None:
    found = derived(example)
    root = tree(page_of(found))
    assert root.find(".//h1").text == found.title
    chips = [e.text for e in root.iter("span") if (e.get("class") or "").startswith("chip")]
    assert chips[0] == found.verdict
    verdicts = sorted(c.verdict for c in found.conditions.values())
    assert sorted(c for c in chips[1:] if "tight" not in c) == verdicts
    heads = [e.text for e in root.iter("h2")]
    assert ("Bounds" in heads) == (not found.vacuous)


def test_the_drawing_shows_the_databases_of_the_evaluator(derived) -> None:
    found = derived("bounded-partition")
    outcome = found.conditions["compatibility"].outcome.counterexample
    drawing = next(tree(page_of(found)).iter("{http://www.w3.org/2000/svg}svg"))
    words = "".join(drawing.find("{http://www.w3.org/2000/svg}desc").itertext())
    for place, database in enumerate((outcome.old, outcome.new)):
        for cell, count in database.items():
            if count:
                told = f"{1 - place} before, {place} after"
                assert re.search(rf"id = {cell[0]} in blocks \d: {told}", words)


def test_the_picture_of_the_readme_is_like_that_of_the_page(derived) -> None:
    stored = (Path(__file__).resolve().parents[2] / "docs" / "counterexample.svg").read_text()
    drawn = re.search(r"<svg.*?</svg>", page_of(derived("bounded-partition")))[0]
    for pattern in (r"<svg[^>]*>", r">([^<]+)</text>", r'rx="\d"'):  # whichever record it is
        both = [sorted(re.sub(r"record\d", "record", x) for x in re.findall(pattern, one))
                for one in (stored, drawn)]  # fmt: skip
        assert both[0] == both[1] != []


def test_the_derivation_opens_from_the_bound_down(derived) -> None:
    found = derived("nested")
    root = tree(page_of(found))
    section = next(
        s
        for s in root.iter("section")
        if s.find("h2") is not None and s.find("h2").text == "Derivation"
    )
    tops = section.findall("details")
    assert len(tops) == len(found.theorems)
    assert tops[0].get("open") == "open"
    assert "GB24s" in "".join(tops[0].itertext())


def test_edges_are_drawn_as_a_graph(derived) -> None:
    found = derived("graph-node-incident")
    example = found.conditions["compatibility"].outcome.counterexample
    data = example.as_json(found.problem.used_maps)
    drawn = ET.fromstring(f"<div>{picture(found.problem.domain, data)}</div>")
    edges = [c for d in (example.old, example.new) for c, n in d.items() if n]
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}line"))) == len(edges)
    vertices = {v for c in edges for v in c}
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == 2 * len(vertices)


def test_events_are_drawn_on_a_line(derived) -> None:
    found = derived("stream-w-event-days")
    example = found.conditions["compatibility"].outcome.counterexample
    data = example.as_json(found.problem.used_maps)
    drawn = ET.fromstring(f"<div>{picture(found.problem.domain, data)}</div>")
    events = [c for d in (example.old, example.new) for c, n in d.items() if n]
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == len(events)
    assert "day" in "".join(drawn.itertext())


def test_records_without_a_shape_are_not_drawn_twice(derived) -> None:
    found = derived("bounded-partition")
    data = found.conditions["compatibility"].as_json(found.problem.used_maps)["counterexample"]
    assert picture(found.problem.domain, data) == ""


# ------------------------------------------------------------------ curves


def test_curves_only_where_there_are_numbers() -> None:
    assert curves([{"notion": "pure", "value": None}, {"notion": "zcdp", "value": "inf"}]) == ""
    drawn = curves([{"notion": "pure", "value": 1}, {"notion": "gaussian", "value": 1.0}])
    assert drawn.count("<polyline") == 4
    ET.fromstring(f"<div>{drawn}</div>")


def test_delta_of_zero_epsilon_is_total_variation() -> None:
    assert delta_curve("pure", 1)(0.0) == pytest.approx(0.46211716)  # tanh(1/2)
    assert delta_curve("approximate", (1, 0.25))(1.0) == 0.25
    assert delta_curve("zcdp", 0.0)(0.0) == 0.0


def test_the_trade_off_of_pure_privacy_is_that_of_randomized_response() -> None:
    curve = delta_curve("pure", 1.0)
    kink = 1 / (1 + 2.718281828459045)
    assert trade_off(curve, kink, 1.0) == pytest.approx(kink)
    assert trade_off(curve, 0.0, 1.0) == pytest.approx(1.0)


# ------------------------------------------------------------------ for every reader


def luminance(colour: str) -> float:
    values = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_can_be_told_apart(theme) -> None:
    style = re.findall(r":root \{(.*?)\}", page("", ""), re.DOTALL)[theme]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", style))
    for ink in ("ink", "soft", "link"):
        for ground in ("paper", "panel"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for word in ("good", "bad", "open", "none"):
        assert contrast(colours[word], colours[f"{word}-fill"]) >= 4.5, word


def test_a_page_in_a_folder_that_is_not_there(tmp_path, spec_file) -> None:
    spec = spec_file(
        'granularity = "unbounded"\n[domain]\nattributes = { id = "Record" }\n'
        '[[part]]\nname = "counts"\nmap = "partition"\n'
    )
    place = tmp_path / "none" / "a.html"
    result = CliRunner().invoke(cli.main, ["derive", spec, "--html", str(place)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert [p.name for p in tmp_path.iterdir()] == ["spec.toml"]
    place = tmp_path / "a.html"
    result = CliRunner().invoke(cli.main, ["derive", spec, "--html", str(place)])
    assert result.exit_code == 0
    tree(place.read_text(encoding="utf-8"))


def test_numbers_of_bounds_are_set_as_mathematics() -> None:
    sets = ["k=2", "eps=[1, 2]", "mu=[1, 1/2]", "delta=1e-6"]
    found = load_spec(Path("examples/ambulances.toml"), sets).derive()
    for text in (found.page(), latex.article(found.document())):
        assert "sqrt(" not in text
        assert "e-06" not in text
    assert "10⁻⁸" in found.page()


def test_what_differs_is_never_cut_off_in_a_drawing() -> None:
    cells = [{"place": f"a-place-with-a-long-name-{n}"} for n in (1, 2)]
    sides = [[{"cell": cell, "count": 1}] for cell in cells]
    drawn = figure({"D": sides[0], "D_prime": sides[1], "changed": []})
    words = "".join(x.text or "" for x in ET.fromstring(drawn).iter() if x.tag.endswith("text"))
    assert "…" not in drawn
    assert all("".join(cell["place"].split()) in words for cell in cells)
    assert "no block" not in drawn
