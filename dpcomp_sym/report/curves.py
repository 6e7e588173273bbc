"""Privacy curves as drawings: δ(ε) and trade-off functions of bounds with numbers.

Everything here is floating point and for the eye only; no bound is read off a curve.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any, Final

from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.report.page import svg

__all__ = ["curves", "delta_curve", "round_ticks", "trade_off"]

_WIDTH: Final = 360
_HEIGHT: Final = 260
_MARGIN: Final = (44, 24, 14, 40)
_LEAST: Final = -8
_LARGEST: Final = 50
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def delta_curve(notion: str, value: Any) -> Callable[[float], float]:
    """Return the smallest δ, for each ε, that a guarantee implies.

    Raises ``ValueError`` for a notion that is not drawn.

    >>> round(delta_curve("gaussian", 1.0)(0.0), 4), delta_curve("pure", 1.0)(2.0)
    (0.3829, 0.0)
    """
    curve = NOTIONS[notion].curve
    if curve is None:
        raise ValueError(f"{notion} guarantees have no curve")
    return curve.delta(_numbers(value))


def _numbers(value: Any) -> tuple[float, ...]:
    return tuple(map(float, value if isinstance(value, list | tuple) else (value,)))


def trade_off(delta: Callable[[float], float], alpha: float, largest: float) -> float:
    """Return the smallest type II error that a δ(ε) curve allows at type I error alpha.

    >>> round(trade_off(delta_curve("pure", 0.0), 0.25, 1.0), 6)
    0.75
    """
    best = 0.0
    for step in range(201):
        eps = largest * step / 200
        d = min(1.0, delta(eps))
        best = max(best, 1 - d - math.exp(eps) * alpha, math.exp(-eps) * (1 - d - alpha))
    return best


def curves(bounds: Sequence[Mapping[str, Any]]) -> str:
    """Return both drawings for the bounds that have numbers, or nothing."""
    known = [
        (str(b["notion"]), delta_curve(str(b["notion"]), b["value"]), _reach(b))
        for b in bounds
        if _plottable(b)
    ]
    if not known:
        return ""
    right = max(reach for _, _, reach in known)
    deltas, errors = [], []
    for notion, delta, _ in known:
        deltas.append((notion, [(e, _log(delta(e))) for e in _grid(right)]))
        errors.append((notion, [(a, trade_off(delta, a, right)) for a in _grid(1.0)]))
    first = _chart(deltas, (0.0, right), (_LEAST, 0.0), "ε", "δ", _power)
    second = _chart(errors, (0.0, 1.0), (0.0, 1.0), "type I error", "type II error", _plain)
    return (
        f"<figure>{first}<figcaption>The smallest δ for each ε, on a logarithmic scale."
        f"</figcaption></figure><figure>{second}<figcaption>Trade-off functions: what an "
        "attacker can reach lies above. Drawn in floating point, for the eye only."
        "</figcaption></figure>"
    )


def _plottable(bound: Mapping[str, Any]) -> bool:
    value = bound.get("value")
    values = value if isinstance(value, list | tuple) else (value,)
    drawn = NOTIONS[bound["notion"]].curve is not None
    return drawn and all(isinstance(v, int | float) and 0 <= v < _LARGEST for v in values)


def _reach(bound: Mapping[str, Any]) -> float:
    curve = NOTIONS[bound["notion"]].curve
    return max(0.1, curve.reach(_numbers(bound["value"]))) if curve else 0.1


def _grid(right: float, steps: int = 120) -> Iterator[float]:
    for step in range(steps + 1):
        yield right * step / steps


def _log(delta: float) -> float:
    return max(_LEAST, math.log10(delta)) if delta > 0 else float(_LEAST)


def _plain(value: float) -> str:
    return f"{value:g}"


def _power(value: float) -> str:
    return "1" if value == 0 else f"10{f'{value:g}'.translate(_RAISED)}"


def round_ticks(low: float, high: float) -> list[float]:
    """Return round numbers between two, at most six of them, evenly apart.

    >>> round_ticks(0, 10.2), round_ticks(-8, 0), round_ticks(0, 1)
    ([0, 2, 4, 6, 8, 10], [-8, -6, -4, -2, 0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    power = math.floor(math.log10((high - low) / 5))
    steps = (Fraction(n) * Fraction(10) ** (power + up) for up in (0, 1) for n in (1, 2, 5))
    step = next(x for x in steps if (high - low) / x <= 5.5)
    ends = range(math.ceil(low / step), math.floor(high / step) + 1)
    return [int(n * step) if step.denominator == 1 else float(n * step) for n in ends]


def _chart(
    series: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    xs: tuple[float, float], ys: tuple[float, float],
    x_name: str, y_name: str, y_label: Callable[[float], str],
) -> str:  # fmt: skip
    left, top, right, bottom = _MARGIN
    wide, high = _WIDTH - left - right, _HEIGHT - top - bottom

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - xs[0]) / (xs[1] - xs[0])
        up = (y - ys[0]) / (ys[1] - ys[0])
        return left + wide * across, top + high * (1 - up)

    frame = f'x="{left}" y="{top}" width="{wide}" height="{high}"'
    pieces = [f'<rect {frame} fill="none" stroke="currentColor"/>']
    for x in round_ticks(*xs):
        px, _ = at(x, ys[0])
        pieces.append(f'<text x="{px:.1f}" y="{top + high + 16}" text-anchor="middle">'
                      f"{x:g}</text>")  # fmt: skip
    for y in round_ticks(*ys):
        _, py = at(xs[0], y)
        pieces.append(f'<text x="{left - 5}" y="{py + 4:.1f}" text-anchor="end">'
                      f"{y_label(y)}</text>")  # fmt: skip
    pieces.append(f'<text x="{left + wide / 2}" y="{top + high + 34}" text-anchor="middle">'
                  f"{x_name}</text>")  # fmt: skip
    pieces.append(f'<text x="{left}" y="{top - 8}">{y_name}</text>')
    for number, (notion, points) in enumerate(series):
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in (at(*p) for p in points))
        words = NOTIONS[notion].words
        dash = f' stroke-dasharray="{words.dashes}"' if words.dashes else ""
        pieces.append(f'<polyline points="{path}" fill="none" stroke="currentColor" '
                      f'stroke-width="2"{dash}/>')  # fmt: skip
        y, x = _HEIGHT + 14 + 18 * (number // 2), left + 160 * (number % 2)
        pieces.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 28}" y2="{y - 4}" '
                      f'stroke="currentColor" stroke-width="2"{dash}/>')  # fmt: skip
        pieces.append(f'<text x="{x + 34}" y="{y}">{escape(words.adjective)}</text>')
    legend = 18 * -(-len(series) // 2) + 6
    return svg(f"{y_name} against {x_name}", "".join(pieces), _WIDTH, _HEIGHT + legend)
