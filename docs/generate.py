"""Pages that are made from the program itself: built-ins, commands, theorems, and the files above.

Run when the documentation is built; everything goes into a folder of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from joblib import Parallel, delayed

from dpcomp_sym import cli
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model.library import library_entry, library_names, library_text
from dpcomp_sym.notions import of_pairs
from dpcomp_sym.numbers import Bound
from dpcomp_sym.report.works import WORKS
from dpcomp_sym.spec import load_spec
from dpcomp_sym.spec.new import starter
from theorems import _papers as papers
from theorems import _rocq as rocq
from theorems import _run as library

ROOT = Path(__file__).resolve().parent.parent


def page(folder: Path, name: str, *blocks: str) -> None:
    """Write one page."""
    (folder / f"{name}.md").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def fenced(text: str, language: str = "text") -> str:
    """Return a block of code."""
    return f"```{language}\n{text.rstrip()}\n```"


# ------------------------------------------------------------- the files at the top


def top_level(folder: Path, name: str) -> None:
    """Copy a file from above; its links to its neighbours become links to their pages."""
    text = (ROOT / f"{name.upper()}.md").read_text(encoding="utf-8")
    text = re.sub(r"\]\(([A-Z]+)\.md\)", lambda m: f"]({m[1].lower()}.md)", text)
    page(folder, name, text.replace("](docs/", "](../"))


# ------------------------------------------------------------- built-ins and commands


def toml_of(kind: str, name: str) -> str:
    """Return the lines of a built-in, as they stand in its file."""
    folder = ROOT / "dpcomp_sym" / "model" / "library"
    for file in sorted(folder.glob("*.toml")):
        blocks = re.split(rf"(?m)^(?=\[\[{kind}\]\]$)", file.read_text(encoding="utf-8"))
        for block in blocks:
            if re.search(rf'(?m)^name = "{name}"$', block):
                return re.split(r"(?m)^#", block)[0].rstrip()
    raise KeyError(name)


def builtins() -> Iterator[str]:
    """Yield the page of built-ins."""
    yield "# Built-in granularities and maps"
    yield "They are written in the language of a spec; nothing in the program looks at their names."
    yield 'Use one with `use = "name"`, and give the arguments that are empty here.'
    for kind, title in (("granularity", "Granularities"), ("map", "Maps")):
        yield f"## {title}"
        for name in library_names(kind):
            needed = [a for a, m in library_entry(kind, name).get("arguments", {}).items() if not m]
            yield f"### {name}"
            yield library_text(kind, name) + (f" (needs `{'`, `'.join(needed)}`)" if needed else "")
            yield fenced(toml_of(kind, name), "toml")


def helps(command: click.Command, path: str) -> Iterator[str]:
    """Yield the help of a command and of those below it."""
    context = click.Context(command, info_name=path, max_content_width=80)
    yield f"## {path}"
    yield fenced(command.get_help(context))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from helps(below, f"{path} {name}")


TABLES = """\
| in a spec | what it is |
| --- | --- |
| `title`, before all | what the spec calls itself |
| `setting`, before all | [of parts](../how-to/map.md#where-the-guarantee-holds) without theirs |
| `[domain]` | [the databases](../how-to/granularity.md#which-databases-there-are) |
| `[granularity]` | [which of them are neighbours](../how-to/granularity.md) |
| `[[map]]` | [what mechanisms read](../how-to/map.md) |
| `[[part]]`, `[part.domain]` | [the mechanisms](../how-to/map.md#what-a-part-may-say) |
| `[values]` | numbers for parameters and symbols, as [after `--set`](../tutorial.md) |
| `[membership]` | instead of these, [a person's databases](../how-to/membership.md) |
| `[[metric]]`, `[points]` | [claims about distances](../how-to/relate.md) |
| `[variables]`, `[survey]`, `[days]`, `[chain]` | [random data](../how-to/uncertain.md) |
| `[[distance]]` | instead of neighbours, [given distances](../how-to/given-distances.md) |"""
"""Where each part of a spec is described."""


def specs() -> Iterator[str]:
    """Yield the page on specs: the starter, and every example."""
    yield "# Specs"
    yield "`dpcomp new NAME` writes this one, which shows every key."
    yield fenced(starter("A first spec"), "toml")
    yield TABLES
    yield "## Examples"
    for file in sorted((ROOT / "examples").rglob("*.toml")):
        yield f"### {file.stem}"
        yield fenced(file.read_text(encoding="utf-8"), "toml")


# ------------------------------------------------------------- bounds of the examples


def bounds_of(file: Path) -> list[Bound]:
    """Return the bounds of an example, without numbers."""
    return list(derive(load_spec(file).problem).bounds)


def tightness() -> Iterator[str]:
    """Yield the page of the examples' bounds, and for which symbols they are tight.

    Raises:
        ValueError: a bound that is no pair (ε, δ) is not shown to be tight.
    """
    yield "# Bounds of the examples"
    yield (
        "What `dpcomp derive` prints for each of the [specs](specs.md), without numbers. *Tight*: "
        "mechanisms that lose as much exist, for some databases and labels of the class; where a "
        "range of symbols is named, this was shown for these. For (ε, δ) the closed form is an "
        "upper bound wherever several losses add up; with numbers, `dpcomp derive` also prints "
        "the smallest ε at that δ and how far the closed form is from it."
    )
    lines, open_yet = ["| example | notion | bound | tight |", "| --- " * 4 + "|"], set()
    # Copies of this process: a new one would not find this module, which is in no package.
    beside = Parallel(n_jobs=-1, backend="multiprocessing")
    files = sorted((ROOT / "examples").glob("*.toml"))
    for file, bounds in zip(files, beside(map(delayed(bounds_of), files)), strict=True):
        for bound in bounds:
            if bound.text.startswith("vacuous"):
                continue
            said = {"yes": "tight", "no": "not tight", "unknown": "perhaps not tight"}[bound.tight]
            said += f" ({bound.tight_note})" if bound.tight_note else ""
            lines.append(f"| {file.stem} | {bound.notion} | `{bound.text}` | {escaped(said)} |")
            if bound.tight == "unknown" and bound.notion != of_pairs():
                open_yet.add(file.stem)
    if open_yet:
        raise ValueError(f"bounds that are not shown to be tight: {open_yet}")
    yield "All that are no pairs (ε, δ) are tight:"
    yield "\n".join(lines)


# ------------------------------------------------------------- theorems


def entry(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield an entry of the library, with its evidence to be unfolded."""
    yield f"**{document['status']}** `{document['name']}`"
    yield escaped(document["statement"])
    yield f"*Source*: {escaped(document['source'])}"
    if document["note"]:
        yield escaped("\n".join(map(str.strip, document["note"].splitlines())))
    lines = [line for one in document["evidence"] for line in library.evidence_lines(one)]
    yield "<details><summary>Evidence</summary>"
    yield fenced("\n".join(lines))
    yield "</details>"


def escaped(text: str) -> str:
    """Return a text in which no character means anything to Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$])", r"\\\1", text)


def statements(title: str, words: str, rows: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a page with a table of statuses, and each statement with its entries."""
    every = library.entries()
    documents = {
        name: library.entry_as_json(every[name], run_body=True)
        for name in dict.fromkeys(n for names in rows.values() for n in names)
    }
    table = ["| statement | status | entry |", "| --- | --- | --- |"]
    table += [
        f"| [{row}](#{anchor(row)}) | {documents[name]['status']} | {escaped(name)} |"
        for row, names in rows.items()
        for name in names
    ]
    yield f"# {title}"
    yield words
    yield "\n".join(table)
    for row, names in rows.items():
        yield f"({anchor(row)})=\n## {row}"
        for name in names:
            yield from entry(documents[name])


def paper(key: str) -> Iterator[str]:
    """Yield the page of a paper: its items in their order, and what each comes to here."""
    by_row = library.rows(library.entries().values())
    listed = [i for i in papers.items() if i.paper == key]
    numbered = {row for item in listed for row in item.rows}
    others = [r for r in by_row if r.partition(".")[0] == key and r not in numbered]
    yield f"# {WORKS[key].title}"
    yield escaped(WORKS[key].text())
    yield (
        "Every numbered item, what the library states for it, and the verdict on each statement: "
        "[what the words mean](../soundness/library.md). Where something printed is wrong, loose "
        "or silent, the correction says what, and has the counterexample. Each statement can be "
        "run again, and most have specs that use them."
    )
    lines = ["| item | verdicts | corrections |", "| --- | --- | --- |"]
    for item in listed:
        found = dict.fromkeys(e.status for _, e in entries_of(item.rows))
        wrong = dict.fromkeys(linked(e.rows[0]) for e in corrected(key, rows_of(item)))
        lines.append(
            f"| [{named(item)}](#{place(key, named(item))}) | {', '.join(found) or 'none'} | "
            f"{', '.join(wrong)} |"
        )
    yield "\n".join(lines)
    for item in listed:
        yield f"({place(key, named(item))})=\n## {named(item)}"
        yield from stated(key, item.rows, f"{key} {named(item)}", item.examples, rows_of(item))
        if item.reason:
            yield f"*No entry*: {escaped(item.reason)}."
    if others:
        yield "## Not numbered in the paper"
    for row in others:
        yield f"### {papers.title(row)}"
        yield from stated(key, (row,), row, papers.examples(row), (row,))
    shown = {*numbered, *others, *(f"{key}.{item.number}" for item in listed)}
    rest = [e for e in refuted(key) if e not in corrected(key, sorted(shown))]
    if rest:
        yield "## Further corrections"
        yield "\n".join(f"- {correction(e)}" for e in rest)


STRONGEST = (
    "defined", "derived", "decided", "rocq", "rule", "argued", "checked", "computed", "vacuous",
    "refuted",
)  # fmt: skip


def entries_of(rows: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the entries that meet some rows, with the row: what is true first."""
    by_row = library.rows(library.entries().values())
    found = {e.name: (row, e) for row in rows for e in by_row[row]}
    order = [*STRONGEST, "unknown"]
    return sorted(found.values(), key=lambda pair: order.index(pair[1].status))


def named(item: papers.Item) -> str:
    """Return what a paper calls an item, such as "Theorem IV.1"."""
    return f"{item.kind} {item.number}"


def place(key: str, name: str) -> str:
    """Return the anchor of an item on the page of its paper."""
    return anchor(f"{key} {name}").replace("row-", "item-", 1)


def refuted(key: str) -> list[Any]:
    """Return the entries that refute something that a paper prints, by their numbers."""
    found = [
        entry
        for entry in library.entries().values()
        if entry.status == "refuted"
        and re.fullmatch(r"E\d+", entry.rows[0])
        and re.search(rf"\b{key}\b", entry.cite)
    ]
    return sorted(found, key=lambda entry: library.row_order(entry.rows[0]))


def rows_of(item: papers.Item) -> list[str]:
    """Return the rows that an item is met by, and the row of its own number."""
    return [*item.rows, f"{item.paper}.{item.number}"]


def corrected(key: str, rows: Sequence[str]) -> list[Any]:
    """Return the entries that refute something that this paper itself prints about some rows."""
    own = [row for row in rows if row.partition(".")[0] == key]
    return [e for e in refuted(key) if papers.mentioned(e.cite, own)]


def linked(number: str) -> str:
    """Return a link to a correction."""
    return f"[{number}](corrections.md#{anchor(number)})"


def correction(entry: Any) -> str:
    """Return what is corrected, with a link to the counterexample."""
    return f"{linked(entry.rows[0])}: {escaped(entry.statement)}"


def stated(
    key: str, rows: Sequence[str], words: str, examples: Sequence[str], printed: Sequence[str]
) -> Iterator[str]:
    """Yield what the library states for some rows, what is corrected, and how it is run.

    ``printed`` are the rows that a correction may name.
    """
    for row, entry in entries_of(rows):
        proved = rocq.words(entry.name)
        besides = f"; proved in Rocq, {escaped(', '.join(proved))}" if proved else ""
        yield (
            f"**{entry.status}**: {escaped(entry.statement)} "
            f"([evidence](theorems.md#{anchor(row)}){besides})"
        )
    if not rows:
        return
    if wrong := corrected(key, printed):
        yield "\n".join(f"- Correction {correction(e)}" for e in wrong)
    run = [f'dpcomp theorems verify "{words}"']
    run += [f"dpcomp derive examples/{name}.toml" for name in examples]
    yield fenced("\n".join(run), "console")


def anchor(row: str) -> str:
    """Return the anchor of a statement."""
    words = row.lower().replace("′", " prime")
    return "row-" + re.sub(r"[^a-z0-9]+", "-", words).strip("-")


def everything(folder: Path) -> None:
    """Write all pages anew."""
    folder.mkdir(exist_ok=True)
    for name in ("soundness", "changelog", "contributing"):
        top_level(folder, name)
    page(folder, "library", *builtins())
    page(folder, "specs", *specs())
    page(folder, "commands", "# Command line", *helps(cli.main, "dpcomp"))
    page(folder, "bounds", *tightness())
    found = {
        row: [one.name for one in entries]
        for row, entries in library.rows(library.entries().values()).items()
    }
    errata = {row: names for row, names in found.items() if re.fullmatch(r"E\d+", row)}
    theorems = {row: names for row, names in found.items() if row not in errata}
    meaning = "The words are explained under [Statuses](../soundness/library.md)."
    words = "What each published statement comes to here; `dpcomp theorems verify` runs all anew."
    page(folder, "theorems", *statements("Theorems", f"{words} {meaning}", theorems))
    for key in papers.PAPERS:
        page(folder, f"paper-{key.lower()}", *paper(key))
    words = (
        "Where a printed statement is wrong, loose or silent: the counterexample, and the truth."
    )
    page(
        folder,
        "corrections",
        *statements("Corrections to the papers", f"{words} {meaning}", errata),
    )
