"""How granularities compare, as blocks: their metrics, distances and order, in mathematics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.metrics.latex import claim_latex
from dpcomp_sym.report.answers import Writer, texts_of
from dpcomp_sym.report.document import (
    Block,
    Display,
    Example,
    Items,
    Paragraph,
    StatementBlock,
    Table,
    capital,
    listed,
    plain,
)
from dpcomp_sym.report.relate import distance_words, reduced
from dpcomp_sym.report.setting import class_definitions, label_of
from dpcomp_sym.statements.latex import latex_name
from dpcomp_sym.terms import INT, Scope, parse, to_latex

if TYPE_CHECKING:
    from dpcomp_sym.metrics.relate import GranularityComparison

__all__ = ["comparison_texts", "relations"]

JsonDocument = Mapping[str, Any]
_FIRST: Final = 0.3
"""How much of a line the names of the rows take; columns are named by their signs."""
_OPEN: Final = {"unknown": "not decided"}
_SIGNS: Final = {"exact": "=", "at least": r"\ge", "at most": r"\le"}


def comparison_texts(found: GranularityComparison) -> dict[str, Writer]:
    """Return what can be written of a comparison, by the end of a file's name."""
    label = label_of(found.title or "Granularities")
    return texts_of(
        found.as_json(), "Granularities", relations, lambda: list(_setting(found, label)),
        "Metrics and distances", label=label,
    )  # fmt: skip


def _setting(found: GranularityComparison, label: str) -> Iterator[Block]:
    yield from class_definitions(found.domain, found.granularities, found.symbols, label)
    metrics, finite = ([*found.points.get(key, ())] for key in ("metrics", "finite"))
    if metrics or finite:
        names = [f"${latex_name(name)}$" for name in (*metrics, *finite)]
        are = "be metrics" if len(names) > 1 else "be a metric"
        said = f"Let {listed(names)} {are} on databases; distances may be infinite"
        if finite:
            said += f", those in {listed([f'${latex_name(name)}$' for name in finite])} are finite"
        facts = [
            f"${claim_latex(fact, found.distances)}$" for fact in found.points.get("facts", ())
        ]
        assumed = f" It is assumed that {listed(facts)}." if facts else ""
        pulled = r" For a function $f$, $(f^* d)(x, y) = d(f(x), f(y))$."
        pulled = pulled if any("^*" in fact for fact in facts) else ""
        body = (Paragraph(f"{said}.{pulled}{assumed}"),)
        yield StatementBlock("definition", "Given metrics", f"{label}:given", body)


def relations(data: JsonDocument) -> Iterator[Block]:
    """Yield how granularities compare: the JSON document of ``relate``."""
    signs = {name: entry["latex"] for name, entry in data["granularities"].items()}
    if signs:
        yield Paragraph("The number of edits from $D$ to $E$:")
        yield Items(tuple(
            tuple(_metric(name, signs[name], entry["metric"]))
            for name, entry in data["granularities"].items()
        ))  # fmt: skip
    for claim in data["claims"]:
        yield from _claim(claim, signs)
    for point in data.get("points", ()):
        yield from _point(point)
    yield from _distances(data, signs)
    yield from _order(data)
    undecided = [r for r in data["distances"] if r["verdict"] not in ("proved", "vacuous")]
    for r in undecided:
        yield Paragraph(
            f"It is not decided how far apart, in ${signs[r['of']]}$, neighbours in "
            f"${signs[r['to']]}$ can be: {plain(r['reason'])}."
        )


def _metric(name: str, sign: str, metric: JsonDocument) -> Iterator[Block]:
    said = _OPEN.get(metric["verdict"], metric["verdict"])
    why = f": {plain(metric['reason'])}" if metric["reason"] else ""
    if metric["value"] is not None:
        yield Paragraph(f"“{plain(name)}” ({said}{why})")
        yield from _form(sign, "=", metric["latex"])
        return
    yield Paragraph(f"“{plain(name)}”: no closed form is known ({said}{why}).")
    for word in ("at_least", "at_most"):
        if metric[word] is not None:
            yield from _form(sign, _SIGNS[word.replace("_", " ")], metric[word]["latex"])


def _form(sign: str, relation: str, latex: JsonDocument) -> Iterator[Block]:
    """Yield a closed form, or a bound that is one."""
    finite = latex["finite"]
    whole = f"d_{{{sign}}}(D, E) {relation} {latex['value']}"
    yield Display(whole, "" if finite else ".")
    if finite and relation == "=":
        yield Paragraph(f"if ${finite}$; otherwise it is $\\infty$.")
    elif finite:
        bound = r"; otherwise it is $\infty$." if relation == r"\ge" else "."
        yield Paragraph(f"if ${finite}${bound}")
    if latex["signs"]:
        yield Paragraph(latex["signs"])


def _claim(claim: JsonDocument, signs: Mapping[str, str]) -> Iterator[Block]:
    yield Paragraph(f"Claim for “{plain(claim['granularity'])}”:")
    yield from _form(signs[claim["granularity"]], _SIGNS[claim["bound"]], claim["latex"])
    yield Paragraph(_decided(claim))
    if claim["counterexample"] is not None:
        yield Example(claim["counterexample"])


def _point(claim: JsonDocument) -> Iterator[Block]:
    said = "" if "<=" in claim["claim"] else " is a metric"
    yield Paragraph(f"Claim: ${claim['claim_latex']}${said}. {_decided(claim)}")
    if claim["counterexample"]:
        rows = tuple((plain(p), f"${_amount(str(d))}$") for p, d in claim["counterexample"].items())
        yield Table(("Distance", "Value"), rows, (0.6, 0.3))


def _decided(claim: JsonDocument) -> str:
    why = f": {plain(claim['reason'])}" if claim["reason"] else ""
    verdict = str(claim["verdict"])
    return f"{capital(_OPEN.get(verdict, verdict))}{why}."


def _distances(data: JsonDocument, signs: Mapping[str, str]) -> Iterator[Block]:
    known = {(r["of"], r["to"]): r for r in data["distances"]}
    if not known:
        return
    yield Paragraph("Distances: how far apart in the row neighbours in the column can be.")
    rows = tuple(
        (f"{plain(a)}, ${signs[a]}$", *(_distance(known.get((a, b))) for b in signs)) for a in signs
    )
    header = ("", *(f"${sign}$" for sign in signs.values()))
    yield Table(header, rows, (_FIRST, *((1 - _FIRST) / len(signs) for _ in signs)))


def _distance(relation: JsonDocument | None) -> str:
    words = distance_words(relation)
    if words == "-":
        return "–"
    ends = [end if end == "?" else f"${_amount(end)}$" for end in words.split("..")]
    return " to ".join(ends)


def _amount(text: str) -> str:
    r"""Return a distance that may depend on symbols as a formula.

    >>> print(_amount("∞"), _amount("1/2"), _amount("2*r*days"))
    \infty 1/2 2 \cdot r \cdot \mathrm{days}
    """
    if text in ("∞", "inf"):
        return r"\infty"
    if "/" in text and "//" not in text:
        return text
    names = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text), INT)
    return to_latex(parse(text, Scope(variables=names)))


def _order(data: JsonDocument) -> Iterator[Block]:
    if not data["order"]:
        return
    nodes, arrows = reduced(data)
    named = [listed([f"“{plain(one)}”" for one in node.split(" = ")]) for node in nodes]
    alike = [name for node, name in zip(nodes, named, strict=True) if " = " in node]
    if alike:
        yield Paragraph(f"The same distances have {'; '.join(alike)}.")
    if arrows:
        yield Paragraph("Order: what is $\\varepsilon$-private for one granularity is private for "
                        "another one, with a multiple of $\\varepsilon$.")  # fmt: skip
        rows = tuple(
            (named[a], named[b], rf"${'' if n == 1 else _amount(str(n))} \varepsilon$")
            for a, b, n in arrows
        )
        yield Table(("Private for", "is private for", "with"), rows, (0.4, 0.4, 0.2))
