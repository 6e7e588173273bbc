"""The notions that are known, and the conversions between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpcomp_sym.notions.core import Conversion, Notion
from dpcomp_sym.statements import terms as t

__all__ = [
    "NOTIONS",
    "conversion_between",
    "conversions_to",
    "epsilon_delta",
    "forget",
    "label",
    "notion_named",
    "of_epsilon",
    "of_pairs",
    "register",
    "usual_parameters",
]

NOTIONS: Final[dict[str, Notion]] = {}
"""The known notions by name, in the order in which bounds are reported."""


def register(new: Notion) -> Notion:
    """Add a notion, after which problems and theorems may use it, and return it.

    Raises ``ValueError`` if another notion has that name, or there is such a conversion.

    >>> from dpcomp_sym.notions.pure import PURE
    >>> register(PURE) is PURE
    True
    """
    if NOTIONS.get(new.name) is new:
        return new
    if new.name in NOTIONS:
        raise ValueError(f"there is already a notion named '{new.name}'")
    known = [c for n in (*NOTIONS.values(), new) for c in n.conversions]
    pairs = [(c.source, c.target) for c in known]
    for one in new.conversions:
        if pairs.count((one.source, one.target)) > 1:
            raise ValueError(f"there are two conversions from {one.source} to {one.target}")
    t.NOTIONS[new.name] = len(new.parameters)
    NOTIONS[new.name] = new
    return new


def forget(name: str) -> None:
    """Take a notion out again, with its conversions; theorems about it stay what they are."""
    NOTIONS.pop(name, None)
    t.NOTIONS.pop(name, None)


def notion_named(name: str) -> Notion:
    """Return a notion by its name.

    Raises:
        KernelError: there is none.
    """
    if name not in NOTIONS:
        raise t.KernelError(f"nothing is known of {name} guarantees")
    return NOTIONS[name]


def usual_parameters() -> dict[str, tuple[str, ...]]:
    """Return the notions with the usual names of their parameters.

    >>> usual_parameters()["approximate"]
    ('eps', 'delta')
    """
    return {name: one.parameters for name, one in NOTIONS.items()}


def label(name: str) -> str:
    """Return what reports call a notion, with its parameters; the name itself if it is unknown.

    >>> label("pure"), label("shuffled")
    ('pure (ε)', 'shuffled')
    """
    return NOTIONS[name].words.label if name in NOTIONS else name


def epsilon_delta() -> list[str]:
    """Return the notions whose guarantees are (ε, δ), those with a δ first.

    >>> epsilon_delta()
    ['approximate', 'pure']
    """
    found = [n for n in NOTIONS.values() if n.epsilon_delta]
    return [n.name for n in sorted(found, key=lambda n: -len(n.parameters))]


def of_epsilon() -> str:
    """Return the notion of a single ε: that of tables with one bound, and of proofs for Rocq.

    >>> of_epsilon(), of_pairs()
    ('pure', 'approximate')
    """
    return epsilon_delta()[-1]


def of_pairs() -> str:
    """Return the notion of a pair (ε, δ): that of attackers who compare probabilities."""
    return epsilon_delta()[0]


def conversions_to(target: str) -> Iterator[Conversion]:
    """Yield the rules that lead to a notion: those of its own first, then those of the others."""
    first = [NOTIONS[target]] if target in NOTIONS else []
    for one in (*first, *(n for n in NOTIONS.values() if n.name != target)):
        yield from (c for c in one.conversions if c.target == target)


def conversion_between(source: str, target: str) -> Conversion | None:
    """Return the rule from one notion to another, None if there is none.

    >>> conversion_between("pure", "zcdp").statement
    'eps-DP implies eps tanh(eps/2)-zCDP'
    """
    return next((c for c in conversions_to(target) if c.source == source), None)
