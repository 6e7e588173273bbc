"""Smaller results as blocks, from their plain data: comparisons, stability, witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dpcomp_sym.notions import label
from dpcomp_sym.report.bound_numbers import equal_number
from dpcomp_sym.report.claim import amount
from dpcomp_sym.report.document import (
    Block,
    Items,
    Paragraph,
    Table,
    plain,
)
from dpcomp_sym.report.formulas import interval
from dpcomp_sym.report.text import TIGHT

if TYPE_CHECKING:
    from dpcomp_sym.numbers import Bound

__all__ = [
    "bounds",
    "stability",
    "verified",
    "witness",
]

JsonDocument = Mapping[str, Any]


def bounds(stated: Sequence[Bound]) -> Table:
    """Return bounds as a table, with their numbers, and whether they are the best ones."""
    rows = tuple(
        (
            label(bound.notion),
            "; ".join(
                (
                    f"${bound.latex}$ {equal_number(bound)}".strip(),
                    *(f"for ${interval(n)}$ ${other.latex}$" for n, other in bound.elsewhere),
                )
            ),
            TIGHT[bound.tight],
        )
        for bound in stated
    )
    return Table(("Notion", "Bound", "Best?"), rows, (0.25, 0.5, 0.2))


def stability(data: JsonDocument) -> Iterator[Block]:
    """Yield what came of a claim about a function."""
    yield Paragraph(
        f"{plain(data['claim'])}. Scope: {plain(data['scope'])}; {data['pairs']} pairs."
    )
    pair = data["counterexample"]
    if pair is not None:
        names = (("$D$", "D"), ("$D'$", "D_prime"))
        rows = tuple(
            (name, plain(pair[key]), plain(output))
            for (name, key), output in zip(names, pair["outputs"], strict=True)
        )
        yield Table(("", "Database", "Output"), rows, (0.1, 0.5, 0.4))
        yield Paragraph(
            f"At distance {pair['d_in']} the outputs are {amount(pair['d_out'])} apart; claimed is "
            f"at most {pair['claimed']}."
        )
        return
    worst = tuple((one["d_in"], amount(one["d_out"])) for one in data["worst"])
    yield Table(("Distance", "Outputs are at most apart"), worst, (0.3, 0.5))
    if data["proof"] is not None:
        proof = data["proof"]
        yield Paragraph(f"Assumed: {plain('; '.join(proof['assumes']))}. Proved:")
        proved = (proof["theorem"], *proof["metrics"])
        yield Items(tuple((Paragraph(plain(one)),) for one in proved))
        yield Paragraph(f"So {plain(proof['conclusion'])}.")
    elif data["unproved"]:
        yield Paragraph(f"Not proved: {plain(data['unproved'])}.")


def witness(data: JsonDocument) -> Sequence[Block]:
    """Return the mechanisms that attain a bound."""
    rows = tuple((plain(m["part"]), plain(m["publishes"])) for m in data["mechanisms"])
    return (
        Table(("Part", "Publishes"), rows, (0.3, 0.6)),
        Paragraph(f"Here {data['letter']} is {plain(data['t'])}. {plain(data['attains'])}."),
    )


def verified(data: JsonDocument) -> Iterator[Block]:
    """Yield what a certificate establishes and rests on: the JSON document of ``verify``."""
    yield Paragraph("The certificate is verified.")
    if data["certified"] == "vacuous":
        yield Paragraph("No two different databases are neighbours: nothing is protected.")
    if data["bounds"]:
        rows = tuple(
            (label(one["notion"]), plain(", ".join(one["parameters"]))) for one in data["bounds"]
        )
        yield Table(("Notion", "Bound"), rows, (0.3, 0.6))
    for name, said in (("the guarantees", data["given"]), ("the facts", data["facts"])):
        if said:
            yield Paragraph(f"It rests on {name}")
            yield Items(tuple((Paragraph(plain(one)),) for one in said))
    asked = ", ".join(f"{n} by {who}" for who, n in data["solvers"].items() if n)
    yield Paragraph(f"{data['steps']} steps replayed; {len(data['questions'])} questions to "
                    f"solvers, all unsatisfiable: {asked or 'none'}.")  # fmt: skip
