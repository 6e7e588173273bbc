"""Decisions about claims in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dpcomp_sym.notions import label
from dpcomp_sym.printable import in_lines
from dpcomp_sym.report.document import capital
from dpcomp_sym.report.text import (
    COLOURS,
    aside,
    counterexample,
    heading,
    pieces_to_text,
    print_pieces,
    steps_table,
)

__all__ = [
    "CERTAIN",
    "amount",
    "event_words",
    "gap_words",
    "mechanism_name",
    "numbers_words",
    "render",
    "to_text",
]

MAX_EVENT: Final = 6
CERTAIN: Final = "The outputs differ with certainty, so that no finite guarantee holds."


def render(
    document: Mapping[str, Any], script: str | None = None, console: Console | None = None
) -> None:
    """Print a decision.

    Args:
        document: the JSON document of ``refute``.
        script: the file to which the refutation was written, if it was.
        console: where to; standard output if absent.
    """
    print_pieces(lambda: _pieces(document, script), console)


def to_text(document: Mapping[str, Any], script: str | None = None) -> str:
    """Return a decision as plain text.

    >>> decision = {"title": "T", "claim": "3", "notion": "pure", "verdict": "unknown"}
    >>> to_text(decision).splitlines()[:2]
    ['T', 'Claim 3, pure (ε): unknown']
    """
    return pieces_to_text(_pieces(document, script))


def _pieces(document: Mapping[str, Any], script: str | None) -> Iterator[RenderableType]:
    document, script = in_lines(dict(document)), in_lines(script)
    if "notion" not in document:
        yield from _property(document)
        return
    verdict = document["verdict"]
    notion = label(document["notion"])
    yield Text(document["title"] or "Result", style="bold")
    yield Text.assemble(
        "Claim ", (document["claim"], "bold"), f", {notion}: ", (verdict, COLOURS.get(verdict, ""))
    )
    if document.get("reason"):
        yield aside("Because ", document["reason"])
    if document.get("bound"):
        yield aside("Derived bound: ", document["bound"]["text"])
    if verdict == "proved":
        yield _tightness(document)
    if document.get("counterexample"):
        yield from _refutation(document["counterexample"])
    if document.get("also"):
        also = document["also"]
        yield aside(
            "With more blocks, too: ",
            f"{numbers_words(also)}: {amount(also['loss'])} is lost, {also['claimed']} is claimed",
        )
    if document.get("trace"):
        yield heading("Derivation")
        yield steps_table(document["trace"])
    if script is not None:
        yield aside("Re-check: ", f"python -I -S {script}")


def _property(document: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Show what was found of a property of neighbours."""
    verdict = document["verdict"]
    yield Text(document["title"] or "Result", style="bold")
    yield Text.assemble(
        "Claim ", (document["claim"], "bold"), ": ", (verdict, COLOURS.get(verdict, ""))
    )
    yield Text(document["statement"])
    if document.get("reason"):
        yield aside("Because ", document["reason"])
    if document.get("counterexample"):
        yield counterexample("the claim", document["counterexample"])


def _tightness(document: Mapping[str, Any]) -> RenderableType:
    style = "green" if document["tight"] == "yes" else "yellow" if document.get("gap") else "dim"
    return Text(gap_words(document), style=style)


def gap_words(document: Mapping[str, Any]) -> str:
    """Return in words whether a claim that is true is the exact bound.

    >>> gap_words({"tight": "no"})
    'true but not tight'
    """
    if document["tight"] == "yes":
        return "tight: it is the exact bound, and mechanisms attain it"
    gap = document.get("gap")
    if gap is None:
        return "true but not tight" if document["tight"] == "no" else "perhaps not tight"
    return (
        f"true but not tight: at {numbers_words(gap)} the bound is {gap['bound']}, "
        f"claimed {gap['claimed']}"
    )


def amount(value: object) -> str:
    """Return a loss or a distance of the JSON output in words.

    >>> amount("inf"), amount("1/2")
    ('∞', '1/2')
    """
    return "∞" if value == "inf" else str(value)


def numbers_words(example: Mapping[str, Any]) -> str:
    """Return sizes and parameters in words."""
    said = [f"{n} = {v}" for n, v in example["sizes"].items()]
    for name, value in example["parameters"].items():
        shown = value if isinstance(value, str) else f"({', '.join(value)})"
        said.append(f"{name} = {shown}")
    return ", ".join(said)


def _event_of_random_data(example: Mapping[str, Any]) -> Iterator[RenderableType]:
    a, b = example["target"]
    yield heading("Counterexample")
    for name in ("law", "known"):
        if example[name]:
            yield aside(f"{name}: ", str(example[name]))
    yield aside("Event: ", f"the output is {example['event']}")
    chances = example["probabilities"]
    yield aside(f"P[event | target {a}] = ", chances["a"])
    yield aside(f"P[event | target {b}] = ", chances["b"])


def _refutation(example: Mapping[str, Any]) -> Iterator[RenderableType]:
    if "target" in example:
        yield from _event_of_random_data(example)
        return
    databases = {x: example[x] for x in ("D", "D_prime", "changed")}
    yield counterexample("the claim", databases)
    yield aside("  at ", numbers_words(example))
    yield heading("Mechanisms")
    if any(mechanism["distance"] != "inf" for mechanism in example["mechanisms"]):
        yield Text(f"{example['letter']} is {example['t']}.".replace("D'", "D′"))
    shown: list[object] = []
    for mechanism in example["mechanisms"]:
        table = mechanism.get("table")
        wanted = table is not None and table not in shown
        yield from _mechanism(mechanism, example["letter"], with_table=wanted)
        shown.append(table)
    yield heading("What they lose")
    if example["loss"] == "inf":
        yield Text(CERTAIN)
    if example.get("event") and example["loss"] != "inf":
        yield aside("Event: ", event_words(example))
        chances = example["probabilities"]
        yield aside("P[event | D]  = ", chances["D"])
        yield aside("P[event | D′] = ", chances["D_prime"])
        if example.get("ratio"):
            yield aside("ratio = ", example["ratio"])
    if "identity" in example:
        yield Text(f"{capital(example['identity'])}.".replace("D'", "D′"))
    lost, claimed = amount(example["loss"]), amount(example["claimed"])
    yield aside("Lost: ", f"{lost}; claimed: {claimed}")


def event_words(example: Mapping[str, Any]) -> str:
    """Return an event in words, its first outcomes if there are many."""
    outcomes = example["event"]
    names = ", ".join(mechanism_name(m) for m in example["mechanisms"])
    written = "{}" if len(example["mechanisms"]) == 1 else "({})"
    shown = " or ".join(written.format(", ".join(map(str, o))) for o in outcomes[:MAX_EVENT])
    more = f" or {len(outcomes) - MAX_EVENT} more" if len(outcomes) > MAX_EVENT else ""
    return f"{written.format(names)} = {shown}{more}"


def mechanism_name(mechanism: Mapping[str, Any]) -> str:
    """Return what a mechanism is called: its part, and its block if there are several."""
    block = ", ".join(map(str, mechanism["block"]))
    return f"{mechanism['part']}[{block}]" if block else str(mechanism["part"])


def _mechanism(
    mechanism: Mapping[str, Any], letter: str, *, with_table: bool
) -> Iterator[RenderableType]:
    """Show a mechanism; a table that others have, too, is shown once."""
    yield aside(
        f"{mechanism_name(mechanism)}: ",
        f"reads D and D′ at distance {amount(mechanism['distance'])}; publishes "
        f"{mechanism['publishes']}; private: {mechanism['private']}",
    )
    if with_table:
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column(letter, justify="right")
        for outcome in range(len(mechanism["table"][0])):
            table.add_column(f"outcome {outcome}")
        for t, law in enumerate(mechanism["table"]):
            table.add_row(str(t), *law)
        yield Padding(table, (0, 0, 0, 2))
