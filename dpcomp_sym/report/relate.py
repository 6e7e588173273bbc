"""How granularities compare, in the terminal and as diagrams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dpcomp_sym.printable import in_lines
from dpcomp_sym.report.text import COLOURS, pieces_to_text, print_pieces

__all__ = [
    "claim_words",
    "diagram",
    "distance_words",
    "formula_words",
    "metric_words",
    "order_lines",
    "reduced",
    "render",
    "to_text",
]

JsonDocument = Mapping[str, Any]


def to_text(document: JsonDocument, width: int = 80) -> str:
    """Return the result of ``dpcomp relate`` as plain text.

    >>> print(to_text({"title": "Nothing", "verdict": "proved", "granularities": {},
    ...     "claims": [], "distances": [], "order": []}).strip())
    Nothing: proved
    """
    return pieces_to_text(_pieces(document), width)


def render(document: JsonDocument) -> None:
    """Print the result of ``dpcomp relate``."""
    print_pieces(lambda: _pieces(document))


def _pieces(document: JsonDocument) -> Iterator[RenderableType]:
    document = in_lines(dict(document))
    verdict = document["verdict"]
    title = (document["title"] or "Result", "bold")
    yield Text.assemble(title, ": ", (verdict, COLOURS.get(verdict, "")))
    if document["granularities"]:
        yield Text("\nMetrics: the number of edits between databases D and E")
        yield _metrics(document["granularities"])
    for claim in document["claims"]:
        yield from _claim(claim)
    for claim in document.get("points", ()):
        yield Text(f"\n{claim['claim']}: {claim['verdict']}")
        for place, distance in (claim["counterexample"] or {}).items():
            yield Text(f"  {place} = {distance}")
        if claim["reason"]:
            yield Text(f"  {claim['reason']}")
    if document["distances"]:
        yield Text("\nDistances: how far apart in the row neighbours in the column can be")
        yield _matrix(document)
    if document["order"]:
        yield Text("\nOrder: what is ε-private on the left is private on the right with")
        yield Text(diagram(document, "text"))
    yield from _details(document["distances"])


def _metrics(granularities: JsonDocument) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 2))
    for name, entry in granularities.items():
        metric = entry["metric"]
        table.add_row(Text(name), Text(metric_words(metric)))
    return table


def metric_words(metric: JsonDocument) -> str:
    """Return what is known of a metric: its closed form, or why there is none, and its bounds."""
    if metric["value"] is not None:
        return formula_words(metric)
    bounds = [
        f"{word} {formula_words(metric[key])}"
        for word, key in (("at least", "at_least"), ("at most", "at_most"))
        if metric[key] is not None
    ]
    told = f"{metric['verdict']}: {metric['reason']}"
    return "\n".join([told, *bounds])


def formula_words(form: JsonDocument) -> str:
    """Return a closed form in words."""
    if form["finite"] == "true":
        return str(form["value"])
    return f"{form['value']} if {form['finite']}, else infinite"


def claim_words(claim: JsonDocument) -> str:
    """Return what is claimed of a distance: a closed form, or a bound.

    >>> claim_words({"bound": "at most", "value": "size(D) + size(E)", "finite": "true"})
    'at most size(D) + size(E)'
    """
    bound = "" if claim["bound"] == "exact" else f"{claim['bound']} "
    return bound + formula_words(claim)


def _claim(claim: JsonDocument) -> Iterator[RenderableType]:
    yield Text(f"\nClaim for {claim['granularity']}: {claim_words(claim)}")
    reason = f": {claim['reason']}" if claim["reason"] else ""
    yield Text(f"  {claim['verdict']}{reason}")
    if claim["counterexample"] is not None:
        yield Text(_databases(claim["counterexample"]))


def _databases(example: JsonDocument) -> str:
    return "\n".join(
        f"    {name} = {_records(example[key])}" for name, key in (("D", "D"), ("E", "D_prime"))
    )


def _records(records: Sequence[JsonDocument]) -> str:
    """Return a database in words.

    >>> _records([{"cell": {"id": "a"}, "count": 2}])
    '{2 x (id = a)}'
    """
    told = []
    for record in records:
        cell = ", ".join(f"{k} = {v}" for k, v in record["cell"].items())
        told.append(f"({cell})" if record["count"] == 1 else f"{record['count']} x ({cell})")
    return "{" + ", ".join(told) + "}"


def _matrix(document: JsonDocument) -> Table:
    names = list(document["granularities"])
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for number, _ in enumerate(names, 1):
        table.add_column(str(number), justify="right")
    known = {(r["of"], r["to"]): r for r in document["distances"]}
    for number, row in enumerate(names, 1):
        cells = [distance_words(known.get((row, column))) for column in names]
        table.add_row(f"{number} {row}", *cells)
    return table


def distance_words(relation: JsonDocument | None) -> str:
    """Return a distance between granularities, or the range in which it is."""
    if relation is None:
        return "-"
    match relation["distance"]:
        case None:
            most = relation["at_most"]
            return f"{relation['at_least']}..{'?' if most is None else most}"
        case "inf":
            return "∞"
        case number:
            return str(number)


def _details(distances: Sequence[JsonDocument]) -> Iterator[RenderableType]:
    open_ones = [r for r in distances if r["verdict"] not in ("proved", "vacuous")]
    if open_ones:
        yield Text("\nNot decided")
        for r in open_ones:
            yield Text(f"  {r['of']} between neighbours in {r['to']}: {r['reason']}")


def diagram(document: JsonDocument, kind: str) -> str:
    """Draw the order: an arrow from G to H with factor n if ε-private for G is nε-private for H.

    Granularities with the same metric stand in one node; arrows that follow from others are left
    out.

    Args:
        document: the JSON document of ``relate``.
        kind: ``text``, ``mermaid`` or ``dot``.

    >>> order = [{"of": "unbounded", "to": "bounded", "distance": 2}]
    >>> both = {"granularities": {"unbounded": {}, "bounded": {}}, "order": order}
    >>> print(diagram(both, "text"))
      unbounded ──2ε──▸ bounded
    >>> print(diagram(both, "mermaid"))
    graph LR
      n0["unbounded"]
      n1["bounded"]
      n0 -->|2ε| n1
    """
    if kind == "text":
        return "\n".join(order_lines(document))
    nodes, arrows = reduced(document)
    match kind:
        case "mermaid":
            lines = ["graph LR", *(f'  n{n}["{name}"]' for n, name in enumerate(nodes))]
            return "\n".join([*lines, *(f"  n{a} -->|{_factor(n)}| n{b}" for a, b, n in arrows)])
        case _:
            lines = ["digraph granularities {", "  rankdir=LR;"]
            lines += [f'  n{n} [label="{name}"];' for n, name in enumerate(nodes)]
            lines += [f'  n{a} -> n{b} [label="{_factor(n)}"];' for a, b, n in arrows]
            return "\n".join([*lines, "}"])


def order_lines(document: JsonDocument) -> list[str]:
    """Return the arrows of the order, one a line, and those that are equal and above no other.

    >>> order = [{"of": a, "to": b, "distance": 1} for a, b in ("de", "ed")]
    >>> order_lines({"granularities": {"d": {}, "e": {}}, "order": order})
    ['  d = e']
    """
    nodes, arrows = reduced(document)
    width = max((len(nodes[a]) for a, _, _ in arrows), default=0)
    linked = {n for a, b, _ in arrows for n in (a, b)}
    alone = [f"  {name}" for n, name in enumerate(nodes) if n not in linked and " = " in name]
    return alone + [f"  {nodes[a]:<{width}} ──{_factor(n)}──▸ {nodes[b]}" for a, b, n in arrows]


def _factor(number: int | str) -> str:
    if isinstance(number, str):  # a multiple of a symbol
        return f"({number})*ε" if " + " in number else f"{number}*ε"
    return "ε" if number == 1 else f"{number}ε"


def reduced(document: JsonDocument) -> tuple[list[str], list[tuple[int, int, int | str]]]:
    """Return the classes of equal metrics, and the arrows between them."""
    order: dict[tuple[str, str], int | str] = {
        (o["of"], o["to"]): o["distance"] for o in document["order"]
    }
    names = list(document["granularities"])
    below: dict[str, set[str]] = {n: {n} for n in names}
    for _ in names:
        for (a, b), n in order.items():
            if n == 1:
                below[a] |= below[b]
    place: dict[str, int] = {}
    nodes: list[list[str]] = []
    for name in names:
        equal = [m for m in place if m in below[name] and name in below[m]]
        if equal:
            nodes[place[equal[0]]].append(name)
            place[name] = place[equal[0]]
        else:
            place[name] = len(nodes)
            nodes.append([name])
    arrows: dict[tuple[int, int], int | str] = {}
    for (a, b), n in order.items():
        key = place[a], place[b]
        if key[0] != key[1]:
            arrows[key] = min(n, arrows.get(key, n), key=_simplest)
    return [" = ".join(n) for n in nodes], [(a, b, n) for (a, b), n in sorted(arrows.items())]


def _simplest(factor: int | str) -> tuple[bool, int, str]:
    """Return what numbers come before multiples of symbols by, small ones first."""
    return isinstance(factor, str), len(str(factor)), str(factor)
