"""Certificates: a derivation as plain data that a second program can check.

A certificate holds the problem in full, every step of the kernel's derivation, the profile in terms
of the touched cells, the question behind each structural fact and the databases behind each
refutation.  :mod:`dpcomp_sym.replay` and :mod:`dpcomp_sym.certificates.recheck` verify it without
the kernel.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.certificates.agreement import compare
from dpcomp_sym.certificates.conditions import Recheck
from dpcomp_sym.certificates.meaning import touched_profile
from dpcomp_sym.errors import InputError
from dpcomp_sym.files import write_whole
from dpcomp_sym.kernel import KernelTerm, Premise, Theorem, dag
from dpcomp_sym.model.serial import canonical
from dpcomp_sym.replay import SCHEMA, Leaf, TooLargeError, replay, seal, words

if TYPE_CHECKING:
    from dpcomp_sym.derivation.derive import Derivation

__all__ = ["as_text", "certificate", "steps_of", "write"]

SHORT: Final = 80


def certificate(theorems: Mapping[str, Theorem], derivation: Derivation) -> dict[str, Any]:
    """Return the certificate of a derivation, as plain data.

    Args:
        theorems: the kernel's theorem for each notion.
        derivation: what they belong to.

    Raises:
        InputError: the derivation is larger than what the replay looks at.
        RejectedError: the replay does not accept the derivation, or prints another bound.

    >>> from dpcomp_sym.derivation.derive import derive
    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> found = derive(Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")]))
    >>> data = certificate(found.theorems, found)
    >>> data["schema"], data["verdict"], [c["notion"] for c in data["conclusions"]][:2]
    ('dpcomp-certificate/2', 'proved', ['pure', 'approximate'])
    """
    check = Recheck(derivation.problem)
    verdict = "vacuous" if derivation.vacuous else "proved" if theorems else "unknown"
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "problem": check.meaning.data,
        "verdict": verdict,
        "conditions": [
            {
                "name": name,
                "about": c.about,
                "statement": c.statement,
                "verdict": c.verdict,
                "example": Recheck.example_of(c.outcome),
            }
            for name, c in derivation.conditions.items()
        ],
        "profile": {},
        "evidence": [],
        **steps_of(theorems),
        "seal": "",
    }
    try:
        played = replay(data)
    except TooLargeError as error:
        raise InputError(f"the derivation is too large for a certificate: {error}") from None
    compare(
        {b.notion: b.guarantee for b in derivation.bounds if b.notion in theorems},
        {notion: tuple(map(words, said[3][3])) for notion, said in played.conclusions.items()},
    )
    data["profile"] = touched_profile(check.meaning, played.statements)
    data["evidence"] = [check.evidence(leaf) for leaf in played.leaves if _structural(leaf)]
    data["seal"] = seal(data)
    return data


def _structural(leaf: Leaf) -> bool:
    return leaf.kind != "given"


def as_text(data: Mapping[str, Any]) -> str:
    """Return a certificate as the text of its file."""
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def write(data: Mapping[str, Any], file: Path) -> None:
    """Write a certificate: the whole of it, or nothing.

    Raises:
        OSError: the file cannot be written.
    """
    write_whole({file: as_text(data)})


# ------------------------------------------------------------- the steps


def steps_of(theorems: Mapping[str, Theorem]) -> dict[str, Any]:
    """Return terms, steps, trust and conclusions of theorems, one for each notion.

    Terms that occur more than once stand in a table; ``{"ref": n}`` is entry n.

    >>> from dpcomp_sym.kernel import Param, bounded_polynomial
    >>> theorem = bounded_polynomial(Param("a"), Param("a"), ())
    >>> steps_of({"order": theorem})["steps"][0]["statement"]["right"]
    {'op': 'Param', 'name': 'a'}
    """
    order: dict[Theorem, int] = {}
    for theorem in theorems.values():
        for step in dag(theorem):
            order.setdefault(step, len(order) + 1)
    table = _Table()
    for theorem in order:
        table.count(theorem.statement.as_json())
        for _, value in theorem.arguments:
            table.count(_argument(value, theorem, order))
    steps = [
        {
            "step": number,
            "rule": theorem.rule,
            "arguments": {
                name: table.short(_argument(value, theorem, order))
                for name, value in theorem.arguments
            },
            "premises": [order[p] for p in theorem.premises],
            "statement": table.short(theorem.statement.as_json()),
            "digest": theorem.statement.digest(),
        }
        for theorem, number in order.items()
    ]
    leaves = [(n, t) for t, n in order.items() if t.rule in {"given", "oracle"}]
    trust = []
    for number, theorem in leaves:
        (one,) = theorem.trust
        trust.append({"step": number, "kind": one.kind, "tag": one.tag, "digest": one.digest})
    conclusions = [
        {
            "notion": notion,
            "step": order[theorem],
            "digest": theorem.statement.digest(),
            "rests_on": sorted(order[t] for t in dag(theorem) if t.rule in {"given", "oracle"}),
        }
        for notion, theorem in theorems.items()
    ]
    return {"terms": table.entries, "steps": steps, "trust": trust, "conclusions": conclusions}


def _argument(value: Any, theorem: Theorem, order: Mapping[Theorem, int]) -> Any:
    if isinstance(value, Premise):
        return {"step": order[theorem.premises[value.number]]}
    if isinstance(value, KernelTerm):
        return value.as_json()
    if isinstance(value, tuple):
        return [_argument(v, theorem, order) for v in value]
    return value


class _Table:
    """Terms that occur more than once, each written once, the inner ones first."""

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self._counts: Counter[str] = Counter()
        self._numbers: dict[str, int] = {}

    def count(self, data: Any) -> None:
        """Note the terms in some data; what is inside a repeated term is counted once."""
        if isinstance(data, dict) and "op" in data:
            text = canonical(data)
            self._counts[text] += 1
            if self._counts[text] > 1:
                return
        for child in _children(data):
            self.count(child)

    def short(self, data: Any) -> Any:
        """Return the data with references in the place of repeated terms."""
        if isinstance(data, list):
            return [self.short(d) for d in data]
        if not isinstance(data, dict) or "op" not in data:
            return data
        text = canonical(data)
        if len(text) <= SHORT or self._counts[text] < 2:
            return {name: self.short(value) for name, value in data.items()}
        if text not in self._numbers:
            entry = {name: self.short(value) for name, value in data.items()}
            self._numbers[text] = len(self.entries)
            self.entries.append(entry)
        return {"ref": self._numbers[text]}


def _children(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        yield from data.values()
    elif isinstance(data, list):
        yield from data
