"""The smallest δ of an optimal composition: time, and how far from the truth."""

from __future__ import annotations

import contextlib
import io
import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from measure import Row, installed, limited

from dpcomp_sym.optimal import SeenPart, compose

EPS = Fraction(1, 20)
EQUAL = (10, 100, 1000, 10_000)
DIFFERENT = (10, 40, 160)
ERROR = 0.01
"""How exact the PRV accountant is asked to be in ε; its time grows with the inverse."""


def different(k: int) -> list[Fraction]:
    """Return k different ε."""
    return [Fraction(1, i + 10) for i in range(1, k + 1)]


def middle(eps: list[Fraction]) -> Fraction:
    """Return an ε that is lost rarely, but not never: two deviations above the mean."""
    squares = float(sum(e * e for e in eps))
    return Fraction(round(100 * (squares / 2 + 2 * squares**0.5)), 100)


def ours(eps: list[Fraction], at: Fraction) -> str:
    """Enclose δ at ``at`` from both sides."""
    parts = {SeenPart(e, Fraction(0)): count for e, count in Counter(eps).items()}
    found = compose(parts).delta(at)
    width = float((found.high - found.low) / found.high) if found.high else 0.0
    return f"{float(found.high):.6e}, too large by {width:.0e} at most"


def accountant(eps: list[Fraction], at: Fraction) -> str:
    """Bound δ from above with dp-accounting's privacy loss distributions."""
    from dp_accounting.pld import common, privacy_loss_distribution

    whole = None
    for e, count in Counter(eps).items():
        parameters = common.DifferentialPrivacyParameters(float(e), 0.0)
        one = privacy_loss_distribution.from_privacy_parameters(
            parameters, value_discretization_interval=1e-4
        ).self_compose(count)
        whole = one if whole is None else whole.compose(one)
    if whole is None:
        return "0"
    return f"{whole.get_delta_for_epsilon(float(at)):.6e}"


def prv(eps: list[Fraction], at: Fraction) -> str:
    """Enclose δ with the PRV accountant: correct for an ε that is at most ERROR away."""
    import prv_accountant

    counts = Counter(eps)
    found = prv_accountant.PRVAccountant(
        [prv_accountant.PureDPMechanism(float(e)) for e in counts],
        eps_error=ERROR, delta_error=ERROR**3, max_self_compositions=list(counts.values()),
    )  # fmt: skip
    low, _, high = found.compute_delta(float(at), list(counts.values()))
    return f"{high:.6e}, too large by {(high - low) / high:.0e} at most"


def renyi(eps: list[Fraction], at: Fraction) -> str | None:
    """Bound δ with autodp, by the Rényi divergences of randomized responses, if it finds any."""
    from autodp import mechanism_zoo, transformer_zoo

    counts = Counter(eps)
    parts = [
        mechanism_zoo.RandresponseMechanism(p=1 / (1 + math.exp(-e)), name=str(e)) for e in counts
    ]
    whole = transformer_zoo.Composition()(parts, list(counts.values()))
    with contextlib.redirect_stdout(io.StringIO()):  # "not found"
        high = whole.get_approx_delta(float(at))
    return f"{high:.6e}" if high < 1 else None


Tool = Callable[[list[Fraction], Fraction], str | None]
RIVALS: dict[str, tuple[Tool, tuple[str, ...]]] = {
    "dp-accounting": (accountant, ("dp_accounting.pld.privacy_loss_distribution",)),
    "PRV accountant": (prv, ("prv_accountant",)),
    "autodp": (renyi, ("autodp.mechanism_zoo", "autodp.transformer_zoo")),
}


def rows() -> Iterator[Row]:
    """Yield the measurements."""
    tools: dict[str, tuple[Tool, tuple[str, ...]]] = {
        "dpcomp-sym": (ours, ()),
        **{who: rival for who, rival in RIVALS.items() if installed(rival[1])},
    }
    for topic, counts in (("equal parts", EQUAL), ("different parts", DIFFERENT)):
        for who, (tool, needs) in tools.items():
            for k in counts:
                eps = [EPS] * k if topic == "equal parts" else different(k)
                found = limited(tool, eps, middle(eps), needs=needs)
                name, size = f"optimal δ: {topic}", f"k = {k}"
                if found is None or found[1] is None:
                    yield Row(name, who, size, None, "gave up")
                    break
                yield Row(name, who, size, found[0], found[1])
