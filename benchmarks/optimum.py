"""The smallest δ of an optimal composition: time, and how far from the truth."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from fractions import Fraction

from measure import Row, limited

from dpcomp_sym.optimal import SeenPart, compose

EPS = Fraction(1, 20)
EQUAL = (10, 100, 1000, 10_000)
DIFFERENT = (10, 40, 160)


def different(k: int) -> list[Fraction]:
    """Return k different ε."""
    return [Fraction(1, i + 1) for i in range(1, k + 1)]


def middle(eps: list[Fraction]) -> Fraction:
    """Return an ε that is lost rarely, but not never: two deviations above the mean."""
    squares = float(sum(e * e for e in eps))
    return Fraction(round(100 * (squares / 2 + 2 * squares**0.5)), 100)


def ours(eps: list[Fraction], at: Fraction) -> str:
    """Enclose δ at ``at`` from both sides."""
    parts: dict[SeenPart, int] = {}
    for e in eps:
        part = SeenPart(e, Fraction(0))
        parts[part] = parts.get(part, 0) + 1
    found = compose(parts).delta(at)
    width = float((found.high - found.low) / found.high) if found.high else 0.0
    return f"{float(found.high):.6e}, too large by {width:.0e} at most"


def accountant(eps: list[Fraction], at: Fraction) -> str:
    """Bound δ with dp-accounting's privacy loss distributions."""
    from dp_accounting.pld import common, privacy_loss_distribution

    counts: dict[Fraction, int] = {}
    for e in eps:
        counts[e] = counts.get(e, 0) + 1
    whole = None
    for e, count in counts.items():
        parameters = common.DifferentialPrivacyParameters(float(e), 0.0)
        one = privacy_loss_distribution.from_privacy_parameters(
            parameters, value_discretization_interval=1e-4
        ).self_compose(count)
        whole = one if whole is None else whole.compose(one)
    if whole is None:
        return "0"
    return f"{whole.get_delta_for_epsilon(float(at)):.6e}"


def rows() -> Iterator[Row]:
    """Yield the measurements."""
    tools = {"dpcomp-sym": ours}
    if importlib.util.find_spec("dp_accounting"):
        tools["dp-accounting"] = accountant
    for topic, counts in (("equal parts", EQUAL), ("different parts", DIFFERENT)):
        for who, tool in tools.items():
            for k in counts:
                eps = [EPS] * k if topic == "equal parts" else different(k)
                found = limited(tool, eps, middle(eps))
                name, size = f"optimal δ: {topic}", f"k = {k}"
                if found is None:
                    yield Row(name, who, size, None, "gave up")
                    break
                yield Row(name, who, size, found[0], found[1])
