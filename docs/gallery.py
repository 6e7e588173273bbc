"""The gallery: every example with its spec, its bounds and a picture, drawn by the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from html import escape
from math import prod
from pathlib import Path
from typing import Any, Final

from joblib import Parallel, delayed

from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.finite.enumerate import EditGraph, databases
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.metric_privacy.finding import MetricFinding
from dpcomp_sym.model import Domain, Problem
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.report.article import article, examples
from dpcomp_sym.report.document import Memberships, Section
from dpcomp_sym.report.drawings import figure, strips
from dpcomp_sym.report.notebook import embedded
from dpcomp_sym.report.pictures import picture
from dpcomp_sym.surface.answer import Answer, load_any

__all__ = ["EXAMPLES", "gallery"]

EXAMPLES: Final = Path(__file__).resolve().parent.parent / "examples"
GROUPS: Final = {
    "": "Compositions",
    "membership": "Databases that a person can be in",
    "claims": "Claims",
    "uncertain": "Random data",
    "metric": "Given distances",
}
"""The folders of examples, each with its heading; the first one has no name."""
WORDS: Final = """\
Every spec of the folder `examples/`, with what `dpcomp derive` says of it. The pictures are made by
the program when these pages are built.

Where a condition fails, the picture is its counterexample: two neighbouring databases, with what
changes marked + and −, or filled. Otherwise it is the first bound against the number of blocks, or
against another symbol, beside what sequential composition gives where that is more; guarantees are
1 there unless the spec has numbers, every δ is 10⁻⁶, and symbols that are not on the axis are 2.
Where there is no symbol, it is the trade-off of a test's errors that these numbers leave. Where no
database has a neighbour, it is a database and what an edit makes of it, which is not in the class.
For given distances it is what is lost against the distance, and for random data without numbers how
likely outputs are."""
TIGHT: Final = {"yes": "tight", "no": "not tight", "unknown": "perhaps not tight"}


def gallery(folder: Path) -> Iterator[str]:
    """Draw pictures into a folder; yield the blocks of the page beside them."""
    yield "# Gallery"
    yield WORDS
    # Copies of this process: a new one would not find this module, which is in no package.
    beside = Parallel(n_jobs=-1, backend="multiprocessing")
    for heading, files in places().items():
        yield f"## {heading}"
        for blocks in beside(delayed(whole_entry)(file, folder) for file in files):
            yield from blocks


def places() -> dict[str, list[Path]]:
    """Return the examples below each heading."""
    return {heading: sorted((EXAMPLES / group).glob("*.toml")) for group, heading in GROUPS.items()}


def whole_entry(file: Path, folder: Path) -> list[str]:
    """Return what the gallery has on one example."""
    return list(entry(file, folder))


def entry(file: Path, folder: Path) -> Iterator[str]:
    """Yield what the gallery has on one example."""
    finding = load_any(file).derive()
    place = file.relative_to(EXAMPLES)
    yield f"### {finding.title}"
    yield f"`examples/{place.as_posix()}`"
    yield stated(finding)
    yield drawn(finding, folder, "-".join(("gallery", *place.with_suffix("").parts)))
    text = escape(file.read_text(encoding="utf-8").rstrip())
    yield raw(f"<details><summary>Spec</summary><pre>{text}</pre></details>")


def raw(html: str) -> str:
    """Return HTML as a block of a page in Markdown."""
    return f"```{{raw}} html\n{html}\n```"


def stated(finding: Any) -> str:
    """Return a table of bounds, or why there are none."""
    if isinstance(finding, Answer):
        if finding.vacuous:
            return "There are no two different neighbouring databases: nothing is protected."
        rows = [(b.notion, b.text, TIGHT[b.tight]) for b in finding.bounds]
    elif isinstance(finding, MetricFinding):
        rows = [(b.notion, b.text, "tight") for b in finding.bounds]
    else:
        rows = [(g.about, g.said, "") for g in finding.guarantees]
    lines = ["| | bound | |", "| --- | --- | --- |"]
    lines += [f"| {a} | `{text}` | {said} |".replace("\n", " ") for a, text, said in rows]
    return "\n".join(lines)


def drawn(finding: Any, folder: Path, name: str) -> str:
    """Return the picture of an example: each has one."""
    if isinstance(finding, MetricFinding):
        return saved(apart(finding), folder, name)
    if not isinstance(finding, Answer):
        return saved(finding.drawing, folder, name)
    for _, example in examples(finding):
        data, domain = example.data, finding.problem.domain
        both = figure(data) + picture(domain, data)
        return raw(embedded(f'<div class="figures">{both}</div>'))
    for block in inside(article(finding).blocks):
        if isinstance(block, Memberships):
            return raw(embedded(strips(block.sizes, block.rows)))
    if not finding.vacuous:
        return saved(swept(finding), folder, name)
    shown = figure(outside(finding.problem))
    shown = shown.replace("Two neighbouring databases", "A database and an edit of it")
    return raw(embedded(f'<div class="figures">{shown}</div>'))


def outside(problem: Problem) -> dict[str, Any]:
    """Return a small database of the class, and what an edit makes of it: nothing of the class."""
    loose = replace(problem.domain, size=(), limits=(), distinct=(), facts=(), cap=None)
    found = []
    for world in filter(None, (sample_world(problem, seed, cells=2) for seed in range(20))):
        cells = world.cells
        edits = EditGraph(world, problem.granularity.bind(loose), cells, 2)
        for held in databases(world, problem.domain, cells, 2):
            after = edits.after(tuple(held.get(c, 0) for c in cells))
            found += [(held, dict(zip(cells, one, strict=True)), world.symbols) for one in after]
    old, new, symbols = min(found, key=lambda one: sum(one[0].values()))
    first, second = ([*records(problem.domain, side)] for side in (old, new))
    known = {name: symbols[name] for name in problem.domain.symbols}
    said = f"there {' and '.join(problem.domain.size)}"
    return {"D": first, "D_prime": second, "D′ is not in the class": said, "symbols": known}


def records(domain: Domain, held: Mapping[Any, int]) -> Iterator[dict[str, Any]]:
    """Yield the records of a database as counterexamples have them."""
    for cell, number in held.items():
        if number:
            yield {"cell": dict(zip(domain.attributes, cell, strict=True)), "count": number}


def apart(finding: MetricFinding) -> Drawing:
    """Return what is lost against the distance of two databases, the same for every mechanism."""
    about, places = finding.about, [n / 10 for n in range(21)]
    panels = []
    for notion in finding.theorems:
        losses = NOTIONS[notion].additive
        if losses is None:
            continue
        each = []
        for part in about.parts:
            given = part.guarantees[notion]
            number = about.values.get(given, 1) if isinstance(given, str) else given
            blocks = prod(2 if isinstance(n, str) else n for n in about.sizes_of(part.distance))
            name = part.name if blocks == 1 else f"{part.name}, {blocks} blocks"
            each.append((name, float(blocks * (number**2 if losses.root else number))))
        each.append(("together", sum(g for _, g in each)))
        power = (lambda x: x**0.5) if losses.root else float
        lines = [(name, places, [power(x**losses.power * g) for x in places]) for name, g in each]
        panels.append(Panel("distance of two databases", NOTIONS[notion].words.label, lines))
    return Drawing(finding.title, panels)


def inside(blocks: Any) -> Iterator[Any]:
    """Yield blocks, and those in sections."""
    for block in blocks:
        yield block
        if isinstance(block, Section):
            yield from inside(block.blocks)


def saved(drawing: Any, folder: Path, name: str) -> str:
    """Write a drawing, whose title is already on the page; return what shows it."""
    (folder / f"{name}.svg").write_text(replace(drawing, title="").svg(), encoding="utf-8")
    about = ", ".join(f"{panel.y} against {panel.x}" for panel in drawing.panels)
    return f"![{about}]({name}.svg)"


def swept(finding: Answer) -> Any:
    """Return the bound against a number of blocks, or another symbol; else errors of tests."""
    symbols = list(finding.problem.symbols)
    given: dict[str, Any] = {
        name: Fraction(1, 10**6) if name.startswith("delta") else 1
        for name in finding.symbols
        if name not in symbols and name not in finding.spec.values
    }
    if not symbols:
        return finding.drawing("trade-off", **given)
    axis = "k" if "k" in symbols else symbols[0]
    given |= dict.fromkeys((name for name in symbols if name != axis), 2)
    given[axis] = range(1, 11)
    return finding.drawing(**given)
