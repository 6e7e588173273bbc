"""Finite models: named random variables, outputs that are terms in them, an attacker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.derivation.derive import Step
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.errors import InputError
from dpcomp_sym.terms import Environment, Term, evaluate, to_text
from dpcomp_sym.uncertainty.laws.composition import Composition
from dpcomp_sym.uncertainty.laws.curve import ExactNumber
from dpcomp_sym.uncertainty.laws.worlds import AttackCase, Attacker, Database, cases
from dpcomp_sym.uncertainty.settings.claims import EventDecision, GuaranteeClaim
from dpcomp_sym.uncertainty.settings.composed import composition_found, decided
from dpcomp_sym.uncertainty.settings.finding import SettingFinding
from dpcomp_sym.uncertainty.settings.guarantee import StatedGuarantee, TextTable

__all__ = ["FiniteModel", "Variable", "databases"]

MOST_DATABASES: Final = 50_000
MOST_ROWS: Final = 60
MOST_BARS: Final = 12
MOST_PANELS: Final = 3


@dataclass(frozen=True)
class Variable:
    """A random variable with integer values.

    Args:
        name: how terms call it.
        given: the variables before it on whose values its law depends.
        laws: for each combination of their values the probability of each value.
    """

    name: str
    given: tuple[str, ...]
    laws: Mapping[tuple[int, ...], Mapping[int, ExactNumber]]


def databases(variables: Sequence[Variable]) -> dict[Database, ExactNumber]:
    """Return the joint law: all combinations of values with their probabilities.

    Raises:
        InputError: there are too many combinations, or a law is missing or does not sum to 1.

    >>> half = Fraction(1, 2)
    >>> coin = Variable("x", (), {(): {0: half, 1: half}})
    >>> copy = Variable("y", ("x",), {(0,): {0: Fraction(1)}, (1,): {1: Fraction(1)}})
    >>> databases([coin, copy])
    {(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)}
    """
    law: dict[Database, ExactNumber] = {(): 1}
    place: dict[str, int] = {}
    for variable in variables:
        where = f"variables, {variable.name}"
        for key, one in variable.laws.items():
            whole = sum(one.values())
            if whole != 1:
                about = f" given {', '.join(map(str, key))}" if key else ""
                raise InputError(f"the probabilities{about} sum to {whole}, not to 1", where=where,
                                 word=variable.name)  # fmt: skip
            for value, p in one.items():
                if isinstance(p, Fraction) and p < 0:
                    raise InputError(f"the probability of {value} is {p}, but cannot be negative",
                                     where=where, word=variable.name)  # fmt: skip
        longer: dict[Database, ExactNumber] = {}
        for database, p in law.items():
            key = tuple(database[place[name]] for name in variable.given)
            if key not in variable.laws:
                said = ", ".join(map(str, key))
                raise InputError(f"there is no law given {said}", where=where, word=variable.name)
            for value, q in variable.laws[key].items():
                if q != 0:
                    longer[*database, value] = p * q
        if len(longer) > MOST_DATABASES:
            raise InputError(f"there are more than {MOST_DATABASES:,} combinations of values: for "
                             "many equal records use [survey]", where=where)  # fmt: skip
        law, place[variable.name] = longer, len(place)
    return law


@dataclass(frozen=True)
class FiniteModel:
    """Random variables, mechanisms that read them, and an attacker.

    Args:
        thetas: the family Θ: for each name the law of the variables.
        names: of the variables.
        target: the variables that make up the target's record.
        background: the variables that the attacker knows.
        attacker: active or passive.
        mechanisms: name → the output as a term in the variables.
        delta: the δ at which ε is reported.
        sums: names that stand for the sum of several variables.
        symbols: parameters without numbers, if any; then losses are given symbolically.
    """

    thetas: Mapping[str, Mapping[Database, ExactNumber]]
    names: tuple[str, ...]
    target: tuple[str, ...]
    background: tuple[str, ...]
    attacker: Attacker
    mechanisms: Mapping[str, Term]
    delta: Fraction
    sums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    symbols: tuple[str, ...] = ()

    def derive(self, title: str) -> SettingFinding:
        """Return the losses, the dependencies, and what they make together.

        Raises:
            InputError: the probabilities of a distribution do not sum to 1.
        """
        found = self._cases()
        if not found:
            note = (
                "The attacker has no two values of the target to tell apart: every statement about "
                "them holds and none protects anybody."
            )
            return SettingFinding(title, self._words(), (), (), (), (note,), verdict="vacuous")
        seen = Composition(found, self.attacker, tuple(self.mechanisms))
        outcomes = self._outcomes(found)
        if self.symbols:
            return self._symbolic(title, seen, outcomes)
        return composition_found(title, self._words(), seen, self.delta, tables=outcomes)

    def refute(self, title: str, claim: GuaranteeClaim) -> EventDecision:
        """Decide a claim about all outputs together.

        Raises:
            InputError: a parameter has no number.
        """
        if self.symbols:
            raise InputError(f"a claim is decided for numbers: give {self.symbols[0]} one, such as "
                             f"--set {self.symbols[0]}=1/3", word=self.symbols[0])  # fmt: skip
        seen = Composition(self._cases(), self.attacker, tuple(self.mechanisms))
        return decided(title, claim, seen)

    def _cases(self) -> list[AttackCase]:
        return cases(
            self.thetas,
            self._at(self.target),
            self._at(self.background),
            [self._output(term) for term in self.mechanisms.values()],
        )

    def _at(self, names: Sequence[str]) -> Any:
        places = [self.names.index(name) for name in names]
        return lambda database: tuple(database[n] for n in places)

    def _output(self, term: Term) -> Any:
        def output(database: Database) -> Any:
            known = dict(zip(self.names, database, strict=True))
            sums = {name: sum(known[one] for one in of) for name, of in self.sums.items()}
            return evaluate(term, Environment(known | sums))

        return output

    def _words(self) -> str:
        published = ", ".join(f"{n} = {to_text(t)}" for n, t in self.mechanisms.items())
        knows = ", ".join(self.background) or "nothing else"
        family = ""
        if len(self.thetas) > 1:
            family = f" The law is any of {len(self.thetas)}: {'; '.join(self.thetas)}."
        return (
            f"Random variables {_short_list(self.names)}; published are {published}. The attacker "
            f"wants to know {', '.join(self.target)} and knows {knows}; "
            + ("what is known is chosen (active attacker)."
               if self.attacker == "active" else "what is known is given (passive attacker).")
            + family
        )  # fmt: skip

    def _outcomes(self, found: Sequence[AttackCase]) -> list[TextTable]:
        """Return e^L of all outputs, and of the last one's dependency, if they are few."""
        rows = []
        for case in found:
            both = case.losses(range(case.count))
            depends = case.dependencies(case.count - 1)
            for o, ratio in sorted(both.items()):
                known, a, b = map(_listed, (case.background, *case.values))
                rows.append(
                    (case.theta, f"{a} against {b}", known or "–", _listed(o),
                     _number(ratio), _number(depends[o]) if case.count > 1 else "–")
                )  # fmt: skip
        if len(rows) > MOST_ROWS:
            return []
        columns = ("law", "target", "known", "outputs", "e^L", "e^dep of the last")
        shown = [n for n in range(6) if n not in {0, 2} or len({row[n] for row in rows}) > 1]
        return [
            TextTable(
                "e^ loss of each output",
                tuple(columns[n] for n in shown),
                tuple(tuple(row[n] for n in shown) for row in rows),
            )
        ]

    def _symbolic(
        self, title: str, seen: Composition, tables: Sequence[TextTable]
    ) -> SettingFinding:
        """Tell what holds for all values of the parameters."""
        count = len(seen.names)
        never = [
            name for j, name in enumerate(seen.names)
            if all(x == 1 for case in seen.found for x in case.losses([j]).values())
        ]  # fmt: skip
        independent = [
            name for j, name in enumerate(seen.names)
            if j and all(x == 1 for case in seen.found for x in case.dependencies(j).values())
        ]  # fmt: skip
        revealed = any(set(case.losses(range(count)).values()) == {None} for case in seen.found)
        steps = [
            Step(1, "the loss of all outputs is the sum of the single losses and the dependencies",
                 "losses and dependencies add up", "Des.Thm6")
        ]  # fmt: skip
        steps += [
            Step(len(steps) + n, f"{name} loses nothing", "exact evaluation", "Des.PLRV")
            for n, name in enumerate(never, 1)
        ]
        steps += [
            Step(len(steps) + n, f"{name} does not depend on those before",
                 "exact evaluation", "Des.62")
            for n, name in enumerate(independent, 1)
        ]  # fmt: skip
        endless = [
            name for j, name in enumerate(seen.names)
            if j and all(x is None for case in seen.found for x in case.dependencies(j).values())
        ]  # fmt: skip
        steps += [
            Step(len(steps) + n, f"the dependency of {name} on those before is ∞ at every output",
                 "exact evaluation", "Des.62")
            for n, name in enumerate(endless, 1)
        ]  # fmt: skip
        guarantees = []
        if revealed:
            guarantees.append(
                StatedGuarantee("together: the outputs rule a value of the target out, always",
                          None, Fraction(0), "Des.PLRV", exact=True)
            )  # fmt: skip
        note = (
            f"For all {', '.join(self.symbols)} at which no probability that is written as a "
            "formula vanishes; e^L is exact, as a rational function. Give the parameters numbers "
            "(--set) for ε and δ."
        )
        drawing = _law(title, seen)
        return SettingFinding(title, self._words(), guarantees, tables, steps, (note,), drawing)


def _law(title: str, seen: Composition) -> Drawing | None:
    """Return how likely outputs are under two values of the target: of each mechanism, and of all.

    Nothing is drawn where that depends on parameters, or outputs are many.
    """
    case, count = seen.found[0], len(seen.names)
    shown = [(seen.names[j], [j]) for j in range(count)] if count > 1 else []
    panels = []
    for name, which in [*shown, (" and ".join(seen.names), [*range(count)])]:
        laws = case.marginals(which)
        outputs = sorted({o for law in laws for o in law})
        if len(outputs) > MOST_BARS or len(shown) > MOST_PANELS:
            return None
        heights = [[_constant(law.get(o, 0)) for o in outputs] for law in laws]
        if any(p is None for row in heights for p in row):
            return None
        places = [float(n) for n in range(len(outputs))]
        lines = [
            (f"target {_listed(value)}", places, row)
            for value, row in zip(case.values, heights, strict=True)
        ]
        names = [_listed(o) for o in outputs]
        panels.append(Panel(f"output of {name}", "probability", lines, names=names))
    return Drawing(title, panels)


def _constant(p: ExactNumber) -> float | None:
    """Return a probability to be drawn, None if it depends on parameters."""
    if isinstance(p, int | Fraction):
        return float(p)
    return float(p.as_expr()) if p.numer.is_ground and p.denom.is_ground else None


def _listed(values: Any) -> str:
    return ", ".join(map(str, values))


def _short_list(names: Sequence[str]) -> str:
    return ", ".join(names if len(names) <= 8 else [*names[:3], "…", names[-1]])


def _number(ratio: ExactNumber | None) -> str:
    if ratio is None:
        return "∞"
    if isinstance(ratio, int | Fraction):
        return str(ratio)
    import sympy

    return str(sympy.factor(ratio.as_expr())).replace("**", "^")
