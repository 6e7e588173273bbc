"""Chained mechanisms: each reads what the one before published, the last output is public."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from dpcomp_sym import balls
from dpcomp_sym.derivation.derive import Step
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.errors import InputError
from dpcomp_sym.uncertainty.laws.chained import chained
from dpcomp_sym.uncertainty.settings.claims import Event, EventDecision, GuaranteeClaim, exponential
from dpcomp_sym.uncertainty.settings.finding import SettingFinding
from dpcomp_sym.uncertainty.settings.guarantee import StatedGuarantee, upper_log

__all__ = ["ChainSetting"]

MOST: Final = 10_000
_BELOW_ONE: Final = math.nextafter(1, 0)


@dataclass(frozen=True)
class ChainSetting:
    """Mechanisms one after the other, each after the first private between any two inputs.

    Args:
        parameters: ε of each, by name.
        distances: for each, the largest distance between two of its inputs in steps of its own
            granularity; 1 if it is private between any two.  The first counts for the data, 1.
        values: numbers for the parameters; a name that is missing stays a symbol.

    >>> chain = ChainSetting(("a", "b"), (1, 1), {"a": Fraction(1), "b": Fraction(1)})
    >>> chain.derive("Twice").guarantees[0].epsilon < 0.4338
    True
    """

    parameters: tuple[str, ...]
    distances: tuple[int, ...]
    values: Mapping[str, Fraction] = field(default_factory=dict)

    def derive(self, title: str) -> SettingFinding:
        """Return the loss of the last output.

        Raises:
            InputError: there are fewer than two mechanisms, or a number is out of range.
        """
        if len(self.parameters) < 2 or len(self.distances) != len(self.parameters):
            raise InputError("a chain has at least two mechanisms, and a distance for each",
                             word="epsilon")  # fmt: skip
        names = [
            name if r == 1 else f"{r} {name}"
            for name, r in zip(self.parameters, self.distances, strict=True)
        ]
        if len(names) == 2:
            a, b = names
            text = f"ln((1 + e^({a} + {b}))/(e^({a}) + e^({b})))"
            latex = rf"\ln\frac{{1+e^{{{_tex(a)}+{_tex(b)}}}}}{{e^{{{_tex(a)}}}+e^{{{_tex(b)}}}}}"
        else:
            text = "2 artanh(" + " · ".join(f"tanh(({n})/2)" for n in names) + ")"
            inner = r"\,".join(rf"\tanh\tfrac{{{_tex(n)}}}2" for n in names)
            latex = rf"2\operatorname{{artanh}}\bigl({inner}\bigr)"
        guarantee = StatedGuarantee(
            "the last output", None, Fraction(0), "Des.chain", exact=True,
            text=text, epsilon=self._value(), latex=latex,
        )  # fmt: skip
        steps = [
            Step(1, f"the first mechanism is {names[0]}-private", "given", None),
            Step(2, "of its own input each later one is private between any two: "
                 + ", ".join(names[1:]), "given", None),
            Step(3, f"the last output is {text}-private", "chained mechanisms", "Des.chain",
                 (1, 2)),
        ]  # fmt: skip
        said = (
            f"{len(names)} mechanisms in a chain: each reads only the output of the one before, "
            "and only the last output is published. The first is private for its neighbours, each "
            "other one between any two of its inputs (ε times the largest distance between them)."
        )
        note = "Attained by randomized response at each step; intermediate outputs stay secret."
        known = guarantee.epsilon is not None
        drawing = Drawing(title, [self._in_numbers() if known else self._for_equal()])
        return SettingFinding(title, said, (guarantee,), (), steps, (note,), drawing)

    def refute(self, title: str, claim: GuaranteeClaim) -> EventDecision:
        """Decide a claim about the last output; randomized response attains the exact value.

        Raises:
            InputError: a parameter has no number, or the claim has a δ.
        """
        missing = [name for name in self.parameters if name not in self.values]
        if missing:
            raise InputError(f"a claim is decided for numbers: give {missing[0]} one, such as "
                             f"--set {missing[0]}=1", word=missing[0])  # fmt: skip
        if claim.delta:
            raise InputError("claims about a chain are about epsilon alone", word=claim.text)
        (guarantee,) = self.derive(title).guarantees
        for digits in (50, 200, 1000):
            low, high = claim.enclosure(digits)
            ends = [
                exponential(self.values[name] * r, digits)
                for name, r in zip(self.parameters, self.distances, strict=True)
            ]
            if chained([up for _, up in ends]) <= low:
                return EventDecision(title, claim.text, "proved", guarantee)
            least = chained([down for down, _ in ends])
            if least > high:
                # Randomized response at every step: the last output is the first truth.
                event = Event(("0", "1"), "", "", "0, by randomized response at each step",
                              least / (1 + least), 1 / (1 + least))  # fmt: skip
                if event.refutes(high, claim.delta):
                    return EventDecision(title, claim.text, "refuted", guarantee, event)
        return EventDecision(title, claim.text, "unknown", guarantee, None, "both are too close")

    def _in_numbers(self) -> Panel:
        """Return what is lost if the output of each mechanism is the last one."""
        each = [
            float(self.values[name] * r)
            for name, r in zip(self.parameters, self.distances, strict=True)
        ]
        places = [float(n) for n in range(1, len(each) + 1)]
        lines = [
            ("the last output", places, [_lost(each[:n]) for n in range(1, len(each) + 1)]),
            ("the last mechanism by itself", places, each),
        ]
        return Panel("mechanisms in the chain", "ε", lines, whole_x=True)

    def _for_equal(self) -> Panel:
        """Return what is lost if all mechanisms have the same parameter."""
        places = [n / 20 for n in range(61)]
        lines = [
            ("the last output", places, [_lost([x * r for r in self.distances]) for x in places]),
            ("each mechanism by itself", places, places),
        ]
        return Panel("ε of each mechanism, if they are the same", "ε", lines)

    def _value(self) -> float | None:
        """Return ε as a float, rounded up; None while a parameter has no number."""
        if not set(self.parameters) <= set(self.values):
            return None
        epsilons = []
        for name, r in zip(self.parameters, self.distances, strict=True):
            value = self.values[name]
            if value < 0:
                raise InputError(f"'{name}' is {value}, but cannot be negative", word=name)
            if value * r > MOST:
                raise InputError(f"'{name}' is too large: {MOST} at most, with its distance",
                                 word=name)  # fmt: skip
            epsilons.append(value * r)
        if 0 in epsilons:
            return 0.0
        return upper_log(chained([balls.exp(x).upper for x in epsilons]))


def _lost(each: Sequence[float]) -> float:
    """Return what a chain of mechanisms loses, to be drawn."""
    return 2 * math.atanh(min(math.prod(math.tanh(e / 2) for e in each), _BELOW_ONE))


def _tex(name: str) -> str:
    count, _, word = name.rpartition(" ")
    letters = word.rstrip("0123456789")
    digits = word[len(letters) :]
    base = {"eps": r"\varepsilon", "epsilon": r"\varepsilon"}.get(letters, rf"\mathit{{{letters}}}")
    return f"{count}{base}" + (f"_{{{digits}}}" if digits else "")
