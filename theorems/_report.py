"""The library as a LaTeX document: contents, statuses, every statement with its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from dpcomp_sym import printable
from dpcomp_sym.report import latex
from dpcomp_sym.report.answers import (
    Writer,
    as_markdown_file,
    as_page,
    latex_texts,
    write_answer,
)
from dpcomp_sym.report.article import rule_words, spoken
from dpcomp_sym.report.document import (
    Block,
    Display,
    Document,
    Items,
    Paragraph,
    Section,
    Table,
    plain,
)
from dpcomp_sym.report.document import StatementBlock as Said
from dpcomp_sym.report.layout import Layout
from dpcomp_sym.report.notebook import Shown
from dpcomp_sym.report.standalone import standalone
from dpcomp_sym.report.works import cited
from theorems import _run
from theorems._entry import Entry

__all__ = [
    "fragment", "library", "mathematical", "shown", "shown_of", "texts", "together", "write",
]  # fmt: skip

_PARTS: Final = {
    "GB24": "General granularities",
    "HBW": "The choice of databases",
    "Des": "Partial knowledge",
    "conversions": "Conversions between notions",
    "N": "Beyond the papers",
    "E": "Corrections",
}
_KINDS: Final = {
    "derived": "theorem",
    "decided": "theorem",
    "rule": "theorem",
    "argued": "theorem",
    "rocq": "theorem",
    "unknown": "remark",
    "computed": "example",
}
_GREEK: Final = {
    "ε": r"\varepsilon ", "δ": r"\delta ", "μ": r"\mu ", "ρ": r"\rho ", "α": r"\alpha ",
    "θ": r"\theta ", "φ": r"\varphi ", "𝔻": r"\mathbb{D}", "Φ": r"\Phi ", "−": "-", "′": "'",
    "·": r"\cdot ", "∞": r"\infty ", "Σ": r"\sum ", "⁻": "-", "π": r"\pi ", "λ": r"\lambda ",
    "σ": r"\sigma ", "τ": r"\tau ", "β": r"\beta ", "γ": r"\gamma ", "ν": r"\nu ", "∪": r"\cup ",
    "Δ": r"\Delta ",
}  # fmt: skip
_SCRIPT: Final = r"(?:\{[^{}]*\}|\([^()]*\)|[A-Za-z0-9εδμρα𝔻Φ∞]+|−[0-9a-zε]+)"
_SYMBOL: Final = re.compile(
    rf"(?<![A-Za-z0-9_])([A-Za-zεδμραθφ𝔻Φπλστβγν])((?:[_^]{_SCRIPT})+)(?![A-Za-z0-9_])"
)


# ------------------------------------------------------------------ words


def mathematical(text: str) -> str:
    r"""Return a sentence as marked prose, its indices and powers as mathematics.

    >>> print(mathematical("M_i is ε_i-DP, so e^(2ε) of *them*"))
    $M_{i}$ is $\varepsilon _{i}$-DP, so $e^{2\varepsilon }$ of \*them\*
    """
    found, at = [], 0
    for match in _SYMBOL.finditer(text):
        found.append(_words(text[at : match.start()]))
        found.append(f"${_greek(match[1])}{_scripts(match[2])}$")
        at = match.end()
    return "".join([*found, _words(text[at:])])


def _words(text: str) -> str:
    pieces = re.split(r"``([^`]*)``", text)
    return "".join(
        f"`{plain(piece)}`" if number % 2 else plain(piece) for number, piece in enumerate(pieces)
    )


def _scripts(text: str) -> str:
    found: dict[str, str] = {}
    for mark, script in re.findall(rf"([_^])({_SCRIPT})", text):
        inner = script[1:-1] if script[0] in "{(" else script
        inner = rf"\mathrm{{{inner}}}" if re.fullmatch(r"[A-Za-z]{3,}", inner) else _greek(inner)
        if not inner.isascii() or "\\" in script or mark in found:
            return plain(text)
        found[mark] = f"{mark}{{{inner}}}"
    return "".join(found.values())


def _greek(text: str) -> str:
    return "".join(_GREEK.get(letter, letter) for letter in text)


# ------------------------------------------------------------------ statements


def _statement(document: Mapping[str, Any]) -> Said:
    """Return an entry, from its JSON form, as a statement with its evidence as the proof."""
    name = document["name"]
    title = f"{', '.join(document['ids'])}: {document['status']}"
    proof = [
        *(Paragraph(mathematical(" ".join(p.split()))) for p in _paragraphs(document["note"])),
        *_evidence(document.get("evidence", []), name),
    ]
    kind = _KINDS.get(document["status"], "proposition")
    return Said(kind, title, f"thm:{name}", tuple(_body(document)), tuple(proof))


def shown_of(value: Entry | _run.Outcome) -> Shown:
    """Return what notebooks show: an entry, or its outcome with the evidence that it has."""
    if isinstance(value, Entry):
        return shown(_run.entry_as_json(value))
    return shown(*_run.told({value.name: value}))


def shown(document: Mapping[str, Any]) -> Shown:
    """Return an entry, from its JSON form, with its evidence if that is there."""
    said = _statement(document)
    blocks = [*said.body, *said.proof, Paragraph(f"Source: {plain(document['source'])}.")]
    ids = ", ".join(document["ids"])
    return Shown(blocks, f"{ids}, {document['name'].replace('_', ' ')}", document["status"])


def _paragraphs(note: str | None) -> list[str]:
    return [p for p in re.split(r"\n\s*\n", note or "") if p.strip()]


def _body(document: Mapping[str, Any]) -> Iterator[Block]:
    known = document["latex"]
    if not known:
        yield Paragraph(mathematical(document["statement"]))
    elif "$" in known:
        yield Paragraph(known)
    else:
        yield Paragraph(mathematical(document["statement"]))
        yield Display(known.removeprefix(r"\[").removesuffix(r"\]"))


def _evidence(pieces: Sequence[Mapping[str, Any]], name: str) -> Iterator[Block]:
    for number, one in enumerate(pieces, 1):
        match one["kind"]:
            case "derivation":
                yield from _derivation(one, f"{name}:{number}")
            case "rocq":
                named = [f"`{plain(theorem)}`" for theorem in one["theorems"]]
                only = f" ({mathematical(one['only'])})" if one["only"] else ""
                if len(named) == 1:
                    yield Paragraph(f"Checked by coqc{only}: {named[0]}.")
                else:
                    yield Paragraph(f"Checked by coqc{only}:")
                    yield Items(tuple((Paragraph(one),) for one in named))
            case "obligations":
                yield Paragraph(f"Settled by {plain(one['by'])}:")
                yield _listed([o["statement"] for o in one["obligations"]])
                if one["argument"]:
                    yield Paragraph(f"So, in prose: {mathematical(one['argument'])}")
            case _:
                first, *rest = _run.evidence_lines(one)
                yield Paragraph(f"{mathematical(first)}{':' if rest else '.'}")
                if rest:
                    yield _listed([line.strip() for line in rest])


def _listed(lines: Sequence[str]) -> Items:
    return Items(tuple((Paragraph(mathematical(line)),) for line in lines))


def _derivation(one: Mapping[str, Any], label: str) -> Iterator[Block]:
    items = []
    for step in one["steps"]:
        why = rule_words(step["rule"])
        source = cited(step["source"])
        why = f"{why} {source}" if "[@" in source else why
        if step["uses"]:
            why += f", from [[{','.join(f'step:{label}:{n}' for n in step['uses'])}]]"
        because = "*(Given.)*" if step["rule"] == "given" else f"*By* {why}."
        said, formula = step["marked"]
        items.append(tuple(spoken(said, formula, because)))
    labels = tuple(f"step:{label}:{step['step']}" for step in one["steps"])
    yield Items(tuple(items), labels, numbered=True)
    rests = "; ".join(one["trust"]) or "nothing but the rules"
    yield Paragraph(f"It rests on: {mathematical(rests)}.")
    if one["states"]:
        yield Paragraph(
            f"It states a rule of the kernel, {rule_words(one['states']['rule'])}: what stands "
            "beside it is the justification of the rule."
        )
    for step in one["prose"]:
        yield Paragraph(f"In prose: {mathematical(step)}.")


# ------------------------------------------------------------------ documents


def fragment(document: Mapping[str, Any]) -> str:
    r"""Return an entry and its evidence as LaTeX for ``\input``."""
    return "\n".join(latex.lines([_statement(document)])).strip()


def together(documents: Sequence[Mapping[str, Any]]) -> tuple[list[Block], str]:
    """Return entries with their evidence one after another, and their statuses."""
    blocks: list[Block] = []
    for one in documents:
        said = shown(one)
        blocks += [Paragraph(f"*{plain(said.title)}* ({plain(said.verdict)})."), *said.blocks]
    return blocks, ", ".join(dict.fromkeys(one["status"] for one in documents))


def texts(title: str, documents: Sequence[Mapping[str, Any]]) -> dict[str, Writer]:
    """Return what can be written of entries with their evidence, by the end of a file's name.

    Args:
        title: what was asked for.
        documents: the entries in their JSON form.
    """
    blocks, statuses = together(documents)
    abstract = f"Statements of the library, with what verifies them here: {plain(statuses)}."
    paper = Document(title, abstract, tuple(standalone(blocks)))
    return {
        **latex_texts(lambda: paper),
        ".html": lambda: as_page(title, statuses, blocks),
        ".md": lambda: as_markdown_file(title, statuses, standalone(blocks)),
        ".json": lambda: printable.as_json({"theorems": list(documents)}) + "\n",
    }


def write(
    files: Mapping[str, Path], title: str, documents: Sequence[Mapping[str, Any]], layout: Layout
) -> None:
    """Write entries with their evidence to files: all of them, or nothing.

    Args:
        files: by form, "latex" or "html", the file.
        title: what was asked for.
        documents: the entries in their JSON form.
        layout: of LaTeX.
    """
    write_answer(files, texts(title, documents), layout)


def library(documents: Iterable[Mapping[str, Any]]) -> str:
    """Return all of these entries as one LaTeX document.

    Args:
        documents: entries in their JSON form, with the evidence.
    """
    entries = {d["name"]: d for d in documents}
    by_row = sorted(
        ((row, d) for d in entries.values() for row in d["ids"]),
        key=lambda pair: (_run.row_order(pair[0]), pair[1]["name"]),
    )
    rows = tuple(
        (plain(row), f"[[thm:{d['name']}]]", plain(d["name"].replace("_", " ")), d["status"])
        for row, d in by_row
    )
    header = ("Number", "Here", "Statement", "Status")
    table = Table(header, rows, (0.17, 0.2, 0.38, 0.11))
    counts: dict[str, int] = {}
    for d in entries.values():
        counts[d["status"]] = counts.get(d["status"], 0) + 1
    told = ", ".join(f"{n} {word}" for word, n in sorted(counts.items()))
    abstract = (
        f"{len(entries)} statements on the composition of differentially private mechanisms, each "
        f"with its status and the evidence for it: {told}. Every status was established when this "
        "document was written, by running the evidence again."
    )
    sections: dict[str, list[Block]] = {}
    seen: set[str] = set()
    for row, d in by_row:
        if d["name"] not in seen:
            seen.add(d["name"])
            sections.setdefault(_part(row), []).append(_statement(d))
    blocks = [
        Section("Statuses", "part:statuses", (table,)),
        *(Section(_PARTS[p], f"part:{p}", tuple(blocks)) for p, blocks in sections.items()),
    ]
    title = "The theorem library of dpcomp-sym"
    return latex.article(Document(title, abstract, tuple(blocks), contents=True))


def _part(row: str) -> str:
    head = row.partition(".")[0]
    found = "GB24" if head.startswith("GB24") else re.sub(r"\d.*$", "", head)
    return found if found in _PARTS else "conversions"
