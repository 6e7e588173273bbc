"""Claims about random data: is an (ε, δ) guarantee true?  An exact answer, with an event if not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.notions import of_pairs
from dpcomp_sym.report.answers import Saved, Writer, texts_of
from dpcomp_sym.uncertainty.laws.curve import DeltaCurve
from dpcomp_sym.uncertainty.laws.worlds import AttackCase, Attacker
from dpcomp_sym.uncertainty.settings.guarantee import StatedGuarantee, decimal

__all__ = [
    "AttackQuestion",
    "Event",
    "EventDecision",
    "GuaranteeClaim",
    "decide",
    "exponential",
    "questions",
    "read_claim",
]

_PRECISIONS: Final = (50, 200, 1000)
_LN: Final = re.compile(r"ln\s*\((.*)\)\Z")
_MOST: Final = 12
_DIGITS: Final = 60


@dataclass(frozen=True)
class GuaranteeClaim:
    """A claimed guarantee: ε (a number, or ln of one) and δ.

    ``enclosure`` gives, for a precision in digits, fractions below and above e^ε.
    """

    text: str
    delta: Fraction
    enclosure: Callable[[int], tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Event:
    """An event that is too likely under one value of the target: P > e^ε Q + δ."""

    target: tuple[str, str]
    known: str
    law: str
    outputs: str
    first: Fraction
    second: Fraction

    def refutes(self, factor: Fraction, delta: Fraction) -> bool:
        """Decide by definition whether it refutes a claim with e^ε at most this factor.

        >>> event = Event(("0", "1"), "", "", "0", Fraction(3, 4), Fraction(1, 4))
        >>> [event.refutes(Fraction(n), Fraction(0)) for n in (2, 3)]
        [True, False]
        """
        probable = 0 <= self.first <= 1 and 0 <= self.second <= 1
        return probable and self.first > factor * self.second + delta

    def as_json(self) -> dict[str, Any]:
        """Return the event as plain data."""
        return {
            "target": list(self.target),
            "known": self.known or None,
            "law": self.law or None,
            "event": self.outputs,
            "probabilities": {"a": _written(self.first), "b": _written(self.second)},
        }


@dataclass(frozen=True)
class AttackQuestion:
    """One comparison that an attacker can make: its curve, and the event behind a factor."""

    curve: DeltaCurve
    event: Callable[[Fraction], Event]


@dataclass(frozen=True)
class EventDecision(Saved):
    """What is known of a claim: proved, refuted with an event, or unknown with a reason.

    ``tight`` says of a proved claim whether it is the exact value.
    """

    title: str
    claim: str
    verdict: str
    guarantee: StatedGuarantee | None
    event: Event | None = None
    reason: str = ""
    tight: str = "unknown"

    def as_json(self) -> dict[str, Any]:
        """Return the decision as plain data."""
        g = self.guarantee
        return {
            "schema": "dpcomp/1",
            "title": self.title,
            "verdict": self.verdict,
            "claim": self.claim,
            "notion": of_pairs(),
            "reason": self.reason or None,
            "bound": None if g is None else {"text": f"{g.about} {g.said}", "latex": g.latex},
            "tight": self.tight if self.verdict == "proved" else "unknown",
            "gap": None,
            "counterexample": None if self.event is None else self.event.as_json(),
            "trace": [],
        }

    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""
        from dpcomp_sym.report.decided import decision

        return texts_of(self.as_json(), "A claim", decision)


def read_claim(text: str, delta: Fraction, number: Callable[[str], Fraction]) -> GuaranteeClaim:
    """Read a claim: ``1/2``, ``ln(3)``, or a pair ``(ln(3), 1/100)`` with δ.

    Args:
        text: the claim.
        delta: the δ that is meant where the claim names none.
        number: how a number or a formula in parameters is read.

    Raises:
        InputError: it is not such a claim.

    >>> read_claim("(ln(3), 1/100)", Fraction(0), Fraction).enclosure(50)
    (Fraction(3, 1), Fraction(3, 1))
    """
    plain = text.strip()
    words = [plain]
    if plain.startswith("(") and plain.endswith(")") and "," in plain:
        words = [w.strip() for w in plain[1:-1].split(",")]
        if len(words) != 2:
            raise InputError(f"'{text}' is not a pair (epsilon, delta)", word=text)
        delta = number(words[1])
        if not 0 <= delta < 1:
            raise InputError(f"delta is {delta}, but must be at least 0 and less than 1", word=text)
    logarithm = _LN.match(words[0])
    if logarithm:
        factor = number(logarithm[1])
        if factor < 1:
            raise InputError(f"ln({factor}) is negative, or not a number", word=text)
        return GuaranteeClaim(plain, delta, lambda _: (factor, factor))
    epsilon = number(words[0])
    if not 0 <= epsilon <= 10_000:
        raise InputError(f"epsilon is {epsilon}, but must be from 0 to 10000", word=text)
    return GuaranteeClaim(plain, delta, lambda digits: exponential(epsilon, digits))


def exponential(x: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Return fractions below and above e^x, equal at 0; the decimal exponential rounds right.

    >>> low, high = exponential(Fraction(1), 50)
    >>> 0 < high - low < Fraction(1, 10**45), low < Fraction(271828182846, 10**11) < high
    (True, False)
    """
    if x == 0:
        return Fraction(1), Fraction(1)
    top, bottom = Decimal(x.numerator), Decimal(x.denominator)
    down, up = (Context(prec=digits, rounding=r) for r in (ROUND_FLOOR, ROUND_CEILING))
    low = down.exp(down.divide(top, bottom)).next_minus(down)
    high = up.exp(up.divide(top, bottom)).next_plus(up)
    return Fraction(low), Fraction(high)


def decide(
    title: str,
    claim: GuaranteeClaim,
    asked: Iterable[AttackQuestion],
    guarantee: StatedGuarantee | None,
) -> EventDecision:
    """Decide a claim by the exact curves.

    The curves fall, so that a δ that suffices below e^ε suffices at it, and one that does not
    suffice above e^ε does not at it; the bounds of e^ε are narrowed until one of them decides.
    """
    pending = list(asked)
    for digits in _PRECISIONS:
        low, high = claim.enclosure(digits)
        for question in pending:
            if question.curve.delta(high) > claim.delta:
                event = question.event(high)
                if event.refutes(high, claim.delta):
                    return EventDecision(title, claim.text, "refuted", guarantee, event)
        pending = [q for q in pending if q.curve.delta(low) > claim.delta]
        if not pending:
            exact = None if guarantee is None else guarantee.factor
            tight = "yes" if low == high == exact else "no"
            return EventDecision(title, claim.text, "proved", guarantee, tight=tight)
    reason = f"e^epsilon is too close to the exact value for {_PRECISIONS[-1]} digits"
    return EventDecision(title, claim.text, "unknown", guarantee, None, reason)


def questions(found: Sequence[AttackCase], attacker: Attacker) -> Iterator[AttackQuestion]:
    """Yield what an attacker can ask of finite laws, about all outputs together."""
    groups: dict[Any, list[AttackCase]] = {}
    for number, case in enumerate(found):
        key = number if attacker == "active" else (case.theta, case.values)
        groups.setdefault(key, []).append(case)
    for group in groups.values():
        rows = [
            (case.background, o, w * p, w * case.second.get(o, 0))
            for case in group
            for w in (case.weight if attacker == "passive" else 1,)
            for o, p in case.first.items()
        ]
        yield AttackQuestion(
            DeltaCurve((p, q) for *_, p, q in rows), _event_of(group[0], rows, attacker)
        )


def _event_of(
    case: AttackCase, rows: Sequence[Any], attacker: Attacker
) -> Callable[[Fraction], Event]:
    def event(factor: Fraction) -> Event:
        inside = [row for row in rows if row[2] > factor * row[3]]
        known = any(row[0] not in {None, ()} for row in rows)
        shown = [
            (f"{_plain(k)}: " if known and attacker == "passive" else "") + _plain(o)
            for k, o, _, _ in inside[:_MOST]
        ]
        more = f" or {len(inside) - _MOST} more" if len(inside) > _MOST else ""
        a, b = map(_plain, case.values)
        return Event(
            (a, b),
            _plain(case.background) if known and attacker == "active" else "",
            "" if case.theta in {"the law", "users"} else case.theta,
            " or ".join(f"({one})" for one in shown) + more,
            sum((p for *_, p, _ in inside), Fraction(0)),
            sum((q for *_, q in inside), Fraction(0)),
        )

    return event


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _written(p: Fraction) -> str:
    if max(p.numerator, p.denominator) < 10**_DIGITS:
        return str(p)
    return f"≈ {decimal(p)}"
