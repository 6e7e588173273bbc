"""Decisions about claims as blocks: what is claimed, what is true, and the counterexample."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from dpcomp_sym.notions import NOTIONS, label
from dpcomp_sym.report.amounts import amounts
from dpcomp_sym.report.article import IN_ORDER, named_parameters
from dpcomp_sym.report.claim import CERTAIN, MAX_EVENT, amount, mechanism_name
from dpcomp_sym.report.document import (
    Block,
    Display,
    Example,
    Paragraph,
    StatementBlock,
    Table,
    capital,
    listed,
    plain,
)
from dpcomp_sym.statements.latex import latex_name

__all__ = ["decision", "property_", "refutation", "stated", "stated_property", "summary"]

JsonDocument = Mapping[str, Any]
Naming = Callable[[JsonDocument], str]


def _called(mechanism: JsonDocument) -> str:
    """Return what a mechanism is called in formulas, where nothing is known of the problem."""
    return rf"\text{{{mechanism_name(mechanism)}}}".replace("_", r"\_")


# ------------------------------------------------------------------ claims about bounds


def decision(
    data: JsonDocument, called: Naming = _called, proof: Sequence[Block] = ()
) -> Iterator[Block]:
    """Yield what is known of a claim.

    Args:
        data: the JSON document of ``refute``.
        called: what a mechanism is called in formulas.
        proof: the steps of the proof in mathematics, where there is one; else they are a table.
    """
    yield from _claimed(data)
    if data["verdict"] == "proved":
        yield Paragraph(f"This is true, and {_gap(data)}.")
    elif data["verdict"] == "refuted":
        yield Paragraph("This is false.")
    yield from _known(data)
    yield from _argued(data, called, proof)


def stated(
    data: JsonDocument, called: Naming = _called, proof: Sequence[Block] = (), label: str = "answer"
) -> Iterator[Block]:
    """Yield the same for papers: what is true of the claim, with a proof or a counterexample."""
    if data["verdict"] not in ("proved", "refuted"):
        yield from decision(data, called, proof)
        return
    true = data["verdict"] == "proved"
    words, formula = NOTIONS[data["notion"]].words, data["claim_latex"]
    symbol = named_parameters(data["notion"], formula)
    start = "The composition" if true else "It is *false* that the composition"
    body: list[Block] = [
        Paragraph(f"{start} is ${symbol}$-{words.short} with"),
        Display(f"{symbol} = {formula}", "."),
    ]
    if true:
        body.append(Paragraph(f"It is {_gap(data).removeprefix('it is ')}."))
    if data["tight"] != "yes":
        body += _known({**data, "reason": None})
    argument = tuple(_argued(data, called, proof))
    if not true:
        argument = (Paragraph("Consider these neighbours."), *argument)
    yield StatementBlock(
        "theorem" if true else "proposition", "", f"{label}:statement", tuple(body), argument
    )


def _known(data: JsonDocument) -> Iterator[Block]:
    """Yield why a verdict is what it is, and what was derived."""
    if data.get("reason"):
        yield Paragraph(f"Reason: {amounts(data['reason'])}.")
    if data.get("bound"):
        bound = data["bound"]
        yield Paragraph(
            "What is derived:" if bound["latex"] else f"Derived: {plain(bound['text'])}."
        )
        if bound["latex"]:
            yield Display(bound["latex"], ".")
    formulas = f"{data.get('claim_latex')} {(data.get('bound') or {}).get('latex')}"
    if re.search(r"_\{\([jl]\)\}", formulas):
        yield Paragraph(IN_ORDER)


def _argued(data: JsonDocument, called: Naming, proof: Sequence[Block]) -> Iterator[Block]:
    """Yield the counterexample, or the proof."""
    if data.get("counterexample"):
        yield from refutation(data["counterexample"], called)
    yield from proof
    steps = (
        ()
        if proof
        else [
            (
                str(s["step"]),
                plain(s["statement"]),
                plain(s["rule"]),
                ", ".join(map(str, s["uses"])),
            )
            for s in data.get("trace") or ()
        ]
    )
    if steps:
        yield Table(("Step", "Statement", "Rule", "From"), tuple(steps), (0.08, 0.6, 0.2, 0.12))


def _claimed(data: JsonDocument) -> Iterator[Block]:
    if data.get("claim_latex"):
        words, formula = NOTIONS[data["notion"]].words, data["claim_latex"]
        symbol = named_parameters(data["notion"], formula)
        yield Paragraph(f"Claim: the composition is ${symbol}$-{words.short} with")
        yield Display(f"{symbol} = {formula}", ".")
        return
    notion = f", {plain(label(data['notion']))}" if "notion" in data else ""
    yield Paragraph(f"Claim: {amounts(data['claim'])}{notion}.")


def _gap(data: JsonDocument) -> str:
    """Return whether a true claim is the best one, as marked prose."""
    gap = data.get("gap")
    if gap is None:
        return {
            "yes": "it is the exact bound, which mechanisms attain",
            "no": "not the exact bound",
        }.get(data["tight"], "perhaps not the exact bound")
    return (
        f"not the best bound: at {_numbers(gap)} the bound is {amounts(str(gap['bound']))}, and "
        f"{amounts(str(gap['claimed']))} is claimed"
    )


def _numbers(example: JsonDocument) -> str:
    """Return sizes and parameters as formulas."""
    said = [f"${latex_name(n)} = {v}$" for n, v in example["sizes"].items()]
    for name, value in example["parameters"].items():
        shown = value if isinstance(value, str) else f"({', '.join(value)})"
        said.append(f"${latex_name(name)} = {shown}$")
    return listed(said)


# ------------------------------------------------------------------ properties of neighbours


def property_(data: JsonDocument) -> Iterator[Block]:
    """Yield what is known of a property of all neighbours: the JSON document of ``refute``."""
    yield Paragraph(f"Claim: `{plain(data['claim'])}`. {capital(plain(data['statement']))}.")
    yield from _reasons(data)
    if data.get("counterexample"):
        yield Paragraph("This is false, as these neighbours show.")
        yield Example(data["counterexample"])


_OPENINGS: Final = {
    "vacuous": "Vacuously, since there are no two different neighbours: ",
    "checked": "In the scope below no counterexample was found to this: ",
    "unknown": "It is *not known* whether ",
}


def stated_property(data: JsonDocument, said: str, label: str) -> Iterator[Block]:
    """Yield the same for papers, where the property is marked prose: a theorem, or its opposite."""
    verdict = data["verdict"]
    if verdict not in ("proved", "refuted"):
        yield Paragraph(f"{_OPENINGS[verdict]}{said}.")
        yield from _reasons(data)
        return
    true = verdict == "proved"
    body = (Paragraph(f"{said if true else f'It is *false* that {said}'}."), *_reasons(data))
    shown: tuple[Block, ...] = ()
    if data.get("counterexample"):
        shown = (Paragraph("Consider these neighbours."), Example(data["counterexample"]))
    yield StatementBlock(
        "theorem" if true else "proposition", "", f"{label}:statement", body, shown
    )


def _reasons(data: JsonDocument) -> Iterator[Block]:
    if data.get("weakest_latex"):
        yield Paragraph(
            f"It holds exactly when {plain(data['weakest'])}: ${data['weakest_latex']}$."
        )
    if data.get("reason"):
        yield Paragraph(f"Reason: {plain(data['reason'])}.")


# ------------------------------------------------------------------ what refutes


def refutation(example: JsonDocument, called: Naming = _called) -> Iterator[Block]:
    """Yield the databases, numbers and mechanisms at which a claim fails, or the event."""
    if "target" in example:  # random data
        yield Paragraph(f"Event: the output is {plain(example['event'])}.")
        chances = zip(example["target"], ("a", "b"), strict=True)
        rows = tuple((plain(t), amounts(example["probabilities"][side])) for t, side in chances)
        yield Table(("Target", "Probability"), rows, (0.4, 0.5))
        return
    yield Example({name: example[name] for name in ("D", "D_prime", "changed")})
    yield Paragraph(f"Take {_numbers(example)}, and these mechanisms. {_letter(example)}".rstrip())
    yield from _mechanisms(example["mechanisms"], example["letter"], called)
    if example["loss"] == "inf":
        yield Paragraph(CERTAIN)
    if example.get("event") and example["loss"] != "inf":
        yield Paragraph("What differs is how likely this event is:")
        yield Display(_event(example, called), ".")
        chances = example["probabilities"]
        rows = tuple(zip(("$D$", "$D'$"), map(amounts, chances.values()), strict=True))
        yield Table(("Database", "Probability of the event"), rows, (0.3, 0.6))
    if "identity" in example:
        yield Paragraph(f"{_databases(capital(amounts(example['identity'])))}.")
    yield Paragraph(
        f"So what is lost is {amounts(amount(example['loss']))}, where "
        f"{amounts(amount(example['claimed']))} is claimed."
    )


def _letter(example: JsonDocument) -> str:
    """Return what the letter is on which outputs depend, as marked prose."""
    if all(mechanism["distance"] == "inf" for mechanism in example["mechanisms"]):
        return ""
    return f"Let ${latex_name(example['letter'])}$ be {_databases(plain(example['t']))}."


def _databases(text: str) -> str:
    """Return marked prose with the two databases as formulas."""
    return re.sub(r"(?<![\w$])D'?(?![\w'])", r"$\g<0>$", text)


def _mechanisms(mechanisms: list[JsonDocument], letter: str, called: Naming) -> Iterator[Block]:
    """Yield what the mechanisms publish: laws in tables, each once, and what words can say."""
    worded = tuple(
        (
            f"${called(m)}$",
            amount(m["distance"]),
            amounts(m["publishes"], letter),
            amounts(m["private"], letter),
        )
        for m in mechanisms if "table" not in m
    )  # fmt: skip
    if worded:
        header = ("Mechanism", "Distance", "Publishes", "Private")
        yield Table(header, worded, (0.2, 0.15, 0.35, 0.3))
    for _, alike in groupby((m for m in mechanisms if "table" in m), lambda m: m["table"]):
        same = list(alike)
        first, several = same[0], len(same) > 1
        names = listed([f"${called(m)}$" for m in same])
        yield Paragraph(
            f"{names} {'read' if several else 'reads'} $D$ and $D'$ at distance "
            f"{amount(first['distance'])}. {'Each' if several else 'It'} publishes "
            f"{amounts(first['publishes'], letter)}; {amounts(first['private'], letter)}."
        )
        laws = first["table"]
        rows = tuple((f"${t}$", *map(amounts, law)) for t, law in enumerate(laws))
        yield Table(
            (f"${latex_name(letter)}$", *(f"outcome ${n}$" for n in range(len(laws[0])))),
            rows,
            (0.1, *(0.8 / len(laws[0]) for _ in laws[0])),
        )


def _event(example: JsonDocument, called: Naming) -> str:
    """Return an event as a formula, its first outcomes if there are many."""
    names = [called(m) for m in example["mechanisms"]]
    outcomes = [f"({', '.join(map(str, o))})" for o in example["event"]]
    if len(names) == 1:
        outcomes = [o[1:-1] for o in outcomes]
    whole = names[0] if len(names) == 1 else f"({', '.join(names)})"
    if len(outcomes) == 1:
        return f"{whole} = {outcomes[0]}"
    more = [rf"\dots\ ({len(outcomes)}\text{{ in all}})"] if len(outcomes) > MAX_EVENT else []
    return rf"{whole} \in \{{{', '.join([*outcomes[:MAX_EVENT], *more])}\}}"


# ------------------------------------------------------------------ in a sentence or two


def summary(data: JsonDocument, said: str = "") -> str:
    """Return what came out, for an abstract: marked prose; ``said`` is what the claim says.

    >>> summary({"verdict": "refuted", "claim": "size(E) <= 3", "statement": "E is small"})
    'We refute a claim: it is false that E is small. Two neighbouring databases show it.'
    """
    verdict = data["verdict"]
    if "distances" in data:
        return _compared(data)
    about = said or _about(data)
    match verdict:
        case "proved":
            said = f"We prove a claim: {about}."
            if "notion" not in data or "tight" not in data:
                return said
            return f"{said} It is {_gap(data).removeprefix('it is ')}."
        case "refuted":
            shown = "An event shows it." if "target" in (data.get("counterexample") or {}) else (
                "Two neighbouring databases and mechanisms with the given guarantees show it."
                if "notion" in data else "Two neighbouring databases show it."
            )  # fmt: skip
            return f"We refute a claim: it is false that {about}. {shown}"
        case "vacuous":
            return f"There are no neighbours, so that it is vacuously true that {about}."
        case "checked":
            return f"No counterexample was found in a scope that is given below: {about}."
        case _:
            return f"It was neither proved nor refuted that {about}."


def _about(data: JsonDocument) -> str:
    if data.get("claim_latex"):
        words, formula = NOTIONS[data["notion"]].words, data["claim_latex"]
        symbol = named_parameters(data["notion"], formula)
        return f"the composition is ${symbol}$-{words.short} with ${symbol} = {formula}$"
    if "statement" in data:
        return plain(data["statement"])
    notion = f" in the sense of {plain(label(data['notion']))}" if "notion" in data else ""
    return f"what is lost is at most {amounts(data['claim'])}{notion}"


def _compared(data: JsonDocument) -> str:
    names = list(data["granularities"])
    said = "We compare granularities over one class of databases: " + listed(
        [f"“{plain(name)}”" for name in names]
    )
    claims = [c["verdict"] for c in (*data["claims"], *data.get("points", ()))]
    if not claims:
        return f"{said}. We give their metrics, and the distances between them."
    false = sum(verdict == "refuted" for verdict in claims)
    are = "are" if false > 1 else "is"
    return f"{said}. Of {len(claims)} claims about metrics, {false or 'none'} {are} refuted."
