"""The gallery: every example with its spec, its bounds and a picture, drawn by the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any, Final

from joblib import Parallel, delayed

from dpcomp_sym.metric_privacy.finding import MetricFinding
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
Where there is no symbol, it is the trade-off of a test's errors that these numbers leave."""
UNDRAWN: Final = "*There is nothing to draw.*"
"""What stands in the place of a picture where losses are a constant or nobody is protected."""
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
    """Return the picture of an example."""
    if isinstance(finding, MetricFinding):
        return UNDRAWN
    if not isinstance(finding, Answer):
        return saved(finding.drawing, folder, name) if finding.drawing else UNDRAWN
    for _, example in examples(finding):
        data, domain = example.data, finding.problem.domain
        both = figure(data) + picture(domain, data)
        return raw(embedded(f'<div class="figures">{both}</div>'))
    for block in inside(article(finding).blocks):
        if isinstance(block, Memberships):
            return raw(embedded(strips(block.sizes, block.rows)))
    return saved(swept(finding), folder, name) if not finding.vacuous else UNDRAWN


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
