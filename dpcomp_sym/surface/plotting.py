"""Pictures of answers: a bound against a number, δ against ε, trade-off functions.

What is drawn are numbers that were found exactly, rounded only to be drawn.  Where a derivation
covers a number, it is read at this number; it is not made again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.derivation.membership import MembershipDerivation
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.numbers import bounds
from dpcomp_sym.numbers.columns import ParameterTable, block_size
from dpcomp_sym.numbers.sources import maps_by_name, sources
from dpcomp_sym.profile import Distance, Infinity, Profile, Symbolic, Total, Varying
from dpcomp_sym.report.curves import delta_curve, trade_off
from dpcomp_sym.statements.latex import latex_name

if TYPE_CHECKING:
    from dpcomp_sym.numbers import Bound
    from dpcomp_sym.numbers.columns import Sizes, Values

__all__ = ["KINDS", "drawing", "sequential", "several"]

KINDS: Final = ("bound", "delta", "trade-off")
"""What can be drawn of an answer."""
_OWN: Final = "this composition"
_STEPS: Final = 80
_MOST: Final = 50
"""Up to this ε curves are drawn: beyond, e^ε says nothing to the eye."""
_LEAST: Final = 1e-12
_NOTHING: Final = (
    "there is nothing to draw: that needs a finite bound, and numbers for all its parameters, "
    "such as subs(k=3, eps=[1, 2, 3])"
)
Line = tuple[str, Sequence[float], Sequence[float | None]]


def drawing(
    answer: Any, kind: str | None, over: str | None, notion: str | None,
    numbers: Mapping[str, Any],
) -> Drawing:  # fmt: skip
    """Return a drawing of an answer.

    Args:
        answer: the derivation, as :class:`~dpcomp_sym.surface.answer.Answer` has it.
        kind: one of ``KINDS``; without it ``"bound"`` if a name takes several values, else
            ``"delta"``.
        over: the name that takes several values, where that is a parameter of blocks.
        notion: of the bound; without it the first one that has numbers, or all of them.
        numbers: as for ``subs``, and the values that a name takes.

    Raises:
        InputError: there is no such kind or name, or nothing to draw.
    """
    swept = several(answer, over, numbers)
    chosen = kind or ("delta" if swept is None else "bound")
    if chosen not in KINDS:
        raise InputError(f"unknown kind '{kind}'; {nearest(chosen, KINDS)}", word=chosen)
    if chosen == "bound":
        if swept is None:
            raise InputError("a bound is drawn against a name with several values: k=range(1, 9)")
        return _against(answer, swept, notion, numbers)
    if swept is not None:
        said = f"'{chosen}' is drawn for one number, not for several"
        raise InputError(said, where=swept, word=swept)
    found = answer.subs(**numbers) if numbers else answer
    stated = [b for b in found.bounds if _is_curve(b) and notion in {None, b.notion}]
    pairs = notion is None or (notion in NOTIONS and NOTIONS[notion].epsilon_delta)
    compared = found.comparison if pairs else None
    if not stated and compared is None:
        raise InputError(_NOTHING)
    if chosen == "delta":
        return Drawing(found.title, [Panel("ε", "δ", _deltas(stated, compared), log_y=True)])
    errors = _errors(stated, compared)
    return Drawing(found.title, [Panel("type I error", "type II error", errors)])


# ------------------------------------------------------------------ a bound against a number


def several(answer: Any, over: str | None, numbers: Mapping[str, Any]) -> str | None:
    """Return the name that takes several values; a list for blocks has one number for each."""
    if over is not None:
        if over not in numbers:
            raise InputError(f"give the values of {over}: {over}=[1, 2, 3]", where=over, word=over)
        return over
    maps = maps_by_name(answer.profile)
    of_blocks = {
        name
        for part in answer.profile.parts if maps[part.map].indices
        for _, names in part.guarantees for name in names
    }  # fmt: skip
    found = [
        name for name, given in numbers.items()
        if isinstance(given, Iterable) and not isinstance(given, str) and name not in of_blocks
    ]  # fmt: skip
    if len(found) > 1:
        raise InputError(f"one name takes several values, not {' and '.join(found)}", word=found[1])
    return found[0] if found else None


def _against(answer: Any, name: str, notion: str | None, numbers: Mapping[str, Any]) -> Drawing:
    """Draw a bound, and what sequential composition gives, against the values of a name."""
    values = list(numbers[name])
    if not values:
        raise InputError("give at least one value", where=name, word=name)
    points: list[tuple[float, Sequence[Bound], dict[str, float | None]]] = []
    for value in values:
        at, stated, simple = _at(answer, {**numbers, name: value}, name)
        points.append((at, stated, simple))
    known = dict.fromkeys(b.notion for _, each, _ in points for b in each if b.value is not None)
    if notion is not None and notion not in known:
        raise InputError(f"no bound has numbers in '{notion}'; {nearest(notion, known)}",
                         word=notion)  # fmt: skip
    if not known:
        raise InputError(_NOTHING)
    chosen = notion or next(iter(known))
    xs = [at for at, _, _ in points]
    heights = [_height(next((b for b in e if b.notion == chosen), None)) for _, e, _ in points]
    lines: list[Line] = [(_OWN, xs, heights)]
    others = [simple.get(chosen) for _, _, simple in points]
    if any(y is not None for y in others) and others != heights:
        lines.append(("sequential composition", xs, others))
    whole = all(x == int(x) for x in xs)
    symbol = NOTIONS[chosen].words.symbols[0]
    formulas = {name: latex_name(name)}
    own = next((b.latex for b in answer.bounds if b.notion == chosen), "")
    if own:
        formulas[_OWN] = own + _in_order(own)
    panel = Panel(name, symbol, lines, whole_x=whole, formulas=formulas)
    return Drawing(answer.title, [panel])


def _in_order(latex: str) -> str:
    r"""Return what numbers by size mean in a formula, where there are any.

    >>> print(_in_order(r"\sum_{j=1}^{m} \varepsilon_{(j)}"))
    ,\ \ \varepsilon_{(1)} \ge \varepsilon_{(2)} \ge \dots
    """
    named = dict.fromkeys(re.findall(r"(\\?[A-Za-z]+_\{(?:[^(){}]|\{[^{}]*\})*)\([jl]\)\}", latex))
    return "".join(rf",\ \ {one}(1)}} \ge {one}(2)}} \ge \dots" for one in named)


def _at(
    answer: Any, numbers: Mapping[str, Any], name: str
) -> tuple[float, Sequence[Bound], dict[str, float | None]]:
    """Return the number of a name, the bounds at it, and what sequential composition gives."""
    spec = answer.with_numbers(**numbers)
    number: Any = {**spec.sizes, **spec.values}[name]
    known = answer.spec.sizes
    covered = all(known.get(n, size) == size and size >= 1 for n, size in spec.sizes.items())
    if not covered or isinstance(answer, MembershipDerivation):
        answer = answer.subs(**numbers)
    profile, proof = answer.profile, answer.proof
    if proof is None or profile.vacuous or isinstance(answer, MembershipDerivation):
        return float(number), answer.bounds, {}
    stated = bounds(profile, proof.guarantees, spec.values, spec.sizes, proof.single)
    simple = {
        b.notion: sequential(profile, b.notion, spec.values, spec.sizes)
        for b in stated if b.value is not None
    }  # fmt: skip
    return float(number), stated, simple


def _height(bound: Bound | None) -> float | None:
    """Return the first parameter of a bound, to be drawn."""
    value = None if bound is None else bound.value
    one = value[0] if isinstance(value, tuple) else value
    if one is None or isinstance(one, Infinity):
        return None
    return float(one) if math.isfinite(float(one)) else None


def sequential(profile: Profile, notion: str, values: Values, sizes: Sizes) -> float | None:
    """Return what sequential composition alone gives: every mechanism at its own sensitivity.

    Args:
        profile: what neighbours do to the parts.
        notion: the notion; the first parameter of two.
        values: numbers for all parameters.
        sizes: numbers for all sizes.

    Returns:
        the number, to be drawn; None where guarantees are converted, or a distance is infinite.
    """
    used = sources(profile, NOTIONS[notion])
    if used is None or any(source.conversion is not None for source in used.values()):
        return None
    names = {p for source in used.values() for p in source.parameters if isinstance(p, str)}
    if not names <= set(values):
        return None
    table, maps, growth = ParameterTable.of(profile, used, values, sizes), maps_by_name(profile), 1
    additive = NOTIONS[notion].additive
    growth = 1 if additive is None else additive.power
    root = additive is not None and additive.root
    lost: Any = 0
    for part in profile.parts:
        far = _sensitivities(profile, part.name, sizes) if part.name in used else {}
        if far is None:
            return None
        family = tuple(size for _, size in maps[part.map].indices)
        extents = (range(1, block_size(size, sizes) + 1) for size in family)
        for block in product(*extents) if far else ():
            r = max(far.get(block, 0), far.get((), 0))
            if r:
                g = table.number(used[part.name].parameters[0], family, block, sizes)
                lost += float(r**growth) * float(g) ** (2 if root else 1)
    drawn = float(lost)
    return math.sqrt(drawn) if root else drawn


def _sensitivities(
    profile: Profile, part: str, sizes: Sizes
) -> dict[tuple[int, ...], int | Fraction] | None:
    """Return how far a part sees neighbours, at most: of named blocks, and of any, ``()``."""
    found: dict[tuple[int, ...], int | Fraction] = {}
    groups = (
        group
        for case in profile.cases if case.speaks_of(sizes)
        for vector in case.vectors for group in vector
    )  # fmt: skip
    for group in groups:
        seen: Distance = dict(group.distances).get(part, 0)
        if isinstance(seen, Symbolic | Total):
            seen = seen.at(sizes)
        if isinstance(seen, Infinity | Varying):
            return None
        found[group.block] = max(seen, found.get(group.block, 0))
    return found


# ------------------------------------------------------------------ curves


def _is_curve(bound: Bound) -> bool:
    """Return whether the guarantee of a bound has a curve that can be drawn."""
    numbers = _numbers(bound)
    small = bool(numbers) and all(0 <= x < _MOST for x in numbers)
    return small and NOTIONS[bound.notion].curve is not None


def _numbers(bound: Bound) -> list[float]:
    """Return the numbers of a bound, none where it has none or is infinite."""
    if bound.value is None or isinstance(bound.value, Infinity):
        return []
    several = bound.value if isinstance(bound.value, tuple) else (bound.value,)
    return [float(x) for x in several]


def _right(stated: Sequence[Bound], compared: Any) -> float:
    """Return up to which ε there is something to see."""
    ends = [] if compared is None else [1.2 * float(compared.basic[0])]
    for bound in stated:
        curve = NOTIONS[bound.notion].curve
        if curve is not None:
            ends.append(curve.reach(_numbers(bound)))
    return min(_MOST, max(0.1, *ends))


def _curves(stated: Sequence[Bound], compared: Any) -> list[tuple[str, Callable[[float], float]]]:
    """Return the curves by their names: of the bounds, and of optimal composition."""
    found: list[tuple[str, Callable[[float], float]]] = [
        (f"{NOTIONS[b.notion].words.adjective} bound", delta_curve(b.notion, b.value))
        for b in stated
    ]
    if compared is None:
        return found

    @cache
    def optimal(eps: float) -> float:
        return float(compared.delta(Fraction(eps)).high)

    @cache
    def advanced(eps: float) -> float:
        return float(compared.at_epsilon(Fraction(eps)).advanced)

    return [*found, ("advanced composition", advanced), ("optimal composition", optimal)]


def _grid(right: float) -> list[float]:
    return [right * n / _STEPS for n in range(_STEPS + 1)]


def _deltas(stated: Sequence[Bound], compared: Any) -> list[Line]:
    xs = _grid(_right(stated, compared))
    return [
        (name, xs, [y if y > _LEAST else None for y in map(delta, xs)])
        for name, delta in _curves(stated, compared)
    ]


def _errors(stated: Sequence[Bound], compared: Any) -> list[Line]:
    right, xs = _right(stated, compared), _grid(1)
    lines: list[Line] = [
        (name, xs, [trade_off(delta, x, right) for x in xs])
        for name, delta in _curves(stated, compared)
        if name != "advanced composition"
    ]
    return [*lines, ("nothing is lost", [0, 1], [1, 0])]
