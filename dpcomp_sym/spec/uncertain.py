"""From a TOML file about random data to a setting that can be derived."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.printable import one_line
from dpcomp_sym.spec.schema import RANDOM
from dpcomp_sym.spec.source import Path, Source, SpecError
from dpcomp_sym.spec.values import BlockFormula, rational, read_set
from dpcomp_sym.terms import Scope, parse
from dpcomp_sym.terms.parse import IDENTIFIER
from dpcomp_sym.uncertainty.laws.curve import ExactNumber
from dpcomp_sym.uncertainty.laws.days import Chain
from dpcomp_sym.uncertainty.laws.worlds import Database
from dpcomp_sym.uncertainty.settings import (
    ApproximateChainSetting,
    ChainSetting,
    DailySetting,
    EventDecision,
    FiniteModel,
    SettingFinding,
    SurveySetting,
)
from dpcomp_sym.uncertainty.settings.claims import read_claim
from dpcomp_sym.uncertainty.settings.model import Variable, databases

__all__ = ["UncertainSpec", "read_uncertain"]

T = TypeVar("T")
RandomDataSetting = (
    FiniteModel | SurveySetting | DailySetting | ChainSetting | ApproximateChainSetting
)


@dataclass(frozen=True)
class UncertainSpec:
    """A spec about random data that has been read.

    Args:
        title: what the spec calls itself.
        setting: what is random, what is published, what the attacker knows.
        source: the text, with which an error that comes up later can name its line.
        notes: what the reader of a result should know of the numbers.
    """

    title: str
    setting: RandomDataSetting
    source: Source = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()

    def derive(self) -> SettingFinding:
        """Derive what an attacker learns.

        Raises:
            InputError: the setting is too large, or contradicts itself.
        """
        try:
            return self.setting.derive(self.title)
        except InputError as error:
            raise self.source.placed(error) from None

    def subs(self, **numbers: Any) -> UncertainSpec:
        """Refuse to change the numbers.

        Raises:
            InputError: always.
        """
        given = ", ".join(f"{name}=…" for name in numbers)
        raise InputError(f"numbers for random data go into the spec or after --set: {given}")

    def refute(self, claim: str) -> EventDecision:
        """Decide whether a claimed guarantee is true.

        Args:
            claim: ε as a number or ``ln(…)``, at the δ of the spec; or a pair (ε, δ).

        Raises:
            InputError: the claim cannot be read, or a parameter has no number.

        >>> from dpcomp_sym.spec import load_any
        >>> spec = load_any('''
        ... [survey]
        ... respondents = 100
        ... probability = "1/2"
        ... ''')
        >>> spec.refute("(1/9, 1/1000)").verdict, spec.refute("(1, 1/1000)").verdict
        ('refuted', 'proved')
        """
        delta = getattr(self.setting, "delta", Fraction(0))
        return self.setting.refute(self.title, read_claim(claim, delta, rational))


def read_uncertain(source: Source, title: str, sets: Iterable[str] = ()) -> UncertainSpec:
    """Read a spec about random data.

    Args:
        source: the spec, of the right shape, with one table of random data at least.
        title: what it is called if it does not say so itself.
        sets: ``NAME=VALUE`` for parameters.

    Raises:
        InputError: the spec cannot be used; the message names the line and the word.
    """
    kinds = [kind for kind in RANDOM if kind in source.data]
    if len(kinds) > 1:
        raise source.error(f"one spec has one setting: [{kinds[0]}] or [{kinds[1]}]", (kinds[1],),
                           kinds[1])  # fmt: skip
    reader = _Reader(source, sets)
    make: Mapping[str, Callable[[], RandomDataSetting]] = {
        "variables": reader.model,
        "survey": reader.survey,
        "days": reader.daily,
        "chain": reader.chain,
    }
    setting = reader.at((kinds[0],), make[kinds[0]])
    reader.all_used()
    return UncertainSpec(one_line(source.data.get("title", title)), setting, source)


class _Reader:
    def __init__(self, source: Source, sets: Iterable[str]) -> None:
        self.source = source
        self.data = source.data
        self.used: set[str] = set()
        self.values = {
            name: self.at(("values", name), partial(_fraction, raw))
            for name, raw in self.data.get("values", {}).items()
        }
        for text in sets:
            name, value = read_set(text)
            try:
                self.values[name] = rational(value)
            except InputError as error:
                raise error.within(f"--set {name}") from None

    def at(self, path: Path, make: Callable[[], T]) -> T:
        try:
            return make()
        except SpecError:
            raise
        except InputError as error:
            raise self.source.placed(error, path) from None

    def all_used(self) -> None:
        """Refuse numbers for parameters that occur nowhere."""
        for name in self.values:
            if name not in self.used:
                known = nearest(name, self.used)
                message = f"unknown parameter '{name}'; {known}"
                raise self.source.error(message, ("values", name), name)

    def number(
        self, raw: Any, path: Path, names: Mapping[str, ExactNumber] | None = None
    ) -> ExactNumber:
        """Read a number or a formula in parameters."""
        given = self.values if names is None else names

        def value() -> ExactNumber:
            if not isinstance(raw, str):
                return Fraction(raw)
            formula = BlockFormula.read(raw)
            self.used |= formula.names
            for word in sorted(formula.names - set(given)):
                raise InputError(f"unknown parameter '{word}' in '{raw}': give it a number, such "
                                 f"as --set {word}=1/3", word=word)  # fmt: skip
            return _value(formula.tree, formula.text, given)

        return self.at(path, value)

    def delta(self, kind: str, default: str = "0", key: str = "delta") -> Fraction:
        path = (kind, key)
        value: Fraction = self.number(self.data[kind].get(key, default), path)
        if not 0 <= value < 1:
            raise self.source.error(f"{key} is {value}, but must be at least 0 and less than 1",
                                    path, key)  # fmt: skip
        return value

    # ---------------------------------------------------------------- the kinds

    def survey(self) -> SurveySetting:
        table = self.data["survey"]
        self.no_others("survey")
        if ("groups" in table) == ("respondents" in table):
            raise InputError("give either 'respondents' and 'probability', or 'groups' of people "
                             "whose answers are unknown", word="respondents")  # fmt: skip
        if "groups" in table:
            for word in ("known", "probability"):
                if word in table:
                    raise InputError(f"'groups' says it all: leave '{word}' out", word=word)
            groups = tuple((n, self.number(p, ("survey", "groups"))) for n, p in table["groups"])
        else:
            known = table.get("known", 0)
            unknown = table["respondents"] - known - 1
            if unknown < 0:
                raise InputError(f"the attacker can know {table['respondents'] - 1} answers at "
                                 f"most, those of all but the target, not {known}",
                                 word="known")  # fmt: skip
            if "probability" not in table:
                raise InputError("'probability' of yes is missing", word="survey")
            groups = ((unknown, self.number(table["probability"], ("survey", "probability"))),)
        noise = table.get("noise")
        return SurveySetting(
            groups,
            self.delta("survey", "1/1000000"),
            None if noise is None else self.number(noise, ("survey", "noise")),
            tuple(table.get("sizes", ())),
        )

    def daily(self) -> DailySetting:
        table = self.data["days"]
        self.no_others("days")
        states = tuple(table["states"])
        if len(set(states)) < len(states):
            raise InputError("two states have the same name", word="states")
        counted = _names(table["counted"])
        for name in counted:
            if name not in states:
                raise InputError(f"unknown state '{name}'; {nearest(name, states)}", word=name)
        marks = tuple(s in counted for s in states)
        start = tuple(self.number(p, ("days", "start")) for p in table["start"])
        if len(start) != len(states):
            raise InputError(f"there are {len(states)} states and {len(start)} probabilities",
                             word="start")  # fmt: skip
        if ("keep" in table) == ("change" in table):
            raise InputError("give either 'keep', the probability to stay in a state, or 'change', "
                             "the probabilities of all changes", word="days")  # fmt: skip
        if "keep" in table:
            keep = self.number(table["keep"], ("days", "keep"))
            if not 0 <= keep <= 1:
                raise InputError(f"keep is a probability, from 0 to 1, not {keep}", word="keep")
            chain = Chain.keeping(start, keep, marks)
        else:
            change = tuple(
                tuple(self.number(p, ("days", "change")) for p in row) for row in table["change"]
            )
            chain = Chain(start, change, marks)
        return DailySetting(table["users"] - 1, states, chain, table["days"], self.delta("days"))

    def chain(self) -> ChainSetting | ApproximateChainSetting:
        table = self.data["chain"]
        self.no_others("chain")
        names = tuple(table["epsilon"])
        for name in names:
            if not IDENTIFIER.match(name):
                raise InputError(f"'{name}' is not the name of a parameter", word=name)
        self.used |= set(names)
        if "delta" in table or "at_delta" in table:
            return self.approximate_chain(names)
        distances = tuple(table.get("distances", (1,) * len(names)))
        if len(distances) != len(names):
            raise InputError(f"there are {len(names)} mechanisms and {len(distances)} distances",
                             word="distances")  # fmt: skip
        return ChainSetting(names, distances, self.values)

    def approximate_chain(self, names: tuple[str, ...]) -> ApproximateChainSetting:
        table = self.data["chain"]
        for word, other in (("delta", "at_delta"), ("at_delta", "delta")):
            if word not in table:
                raise InputError(
                    "'delta' has the delta of each mechanism, and 'at_delta' the one at which "
                    f"epsilon is reported: '{word}' is missing", word=other,
                )  # fmt: skip
        if "distances" in table:
            raise InputError("with 'delta', say how private each mechanism is between any two of "
                             "its inputs, and leave 'distances' out", word="distances")  # fmt: skip
        deltas = tuple(self.number(d, ("chain", "delta")) for d in table["delta"])
        if len(deltas) != len(names):
            raise InputError(f"there are {len(names)} mechanisms and {len(deltas)} deltas",
                             word="delta")  # fmt: skip
        at = self.delta("chain", key="at_delta")
        return ApproximateChainSetting(names, deltas, at, self.values)

    def no_others(self, kind: str) -> None:
        """Refuse tables that belong to finite models only."""
        for other in ("knowledge", "mechanism"):
            if other in self.data:
                raise self.source.error(f"[{other}] belongs to [variables], not to [{kind}]",
                                        (other,), other)  # fmt: skip

    # ---------------------------------------------------------------- finite models

    def model(self) -> FiniteModel:
        for wanted in ("knowledge", "mechanism"):
            if wanted not in self.data:
                raise InputError(f"'{wanted}' is missing", word="variables")
        knowledge = self.data["knowledge"]
        sums = {
            name: tuple(f"{name}{n}" for n in range(1, table["copies"] + 1))
            for name, table in self.data["variables"].items()
            if "copies" in table
        }
        laws, symbols = self.thetas(knowledge)
        names = tuple(v for name in self.data["variables"] for v in sums.get(name, (name,)))
        if len(set(names)) < len(names):
            raise InputError("two variables have the same name", word="variables")
        scope = Scope(variables=dict.fromkeys((*names, *sums), "int"))
        mechanisms = {}
        for number, entry in enumerate(self.data["mechanism"]):
            path = ("mechanism", number)
            if entry["name"] in mechanisms:
                raise self.source.error(f"two mechanisms are called '{entry['name']}'", path,
                                        entry["name"])  # fmt: skip
            mechanisms[entry["name"]] = self.at(path, partial(parse, entry["output"], scope))
        return FiniteModel(
            laws,
            names,
            self.known(knowledge["target"], names, sums),
            self.known(knowledge.get("background", []), names, sums),
            knowledge.get("attacker", "active"),
            mechanisms,
            self.delta("knowledge"),
            sums,
            symbols,
        )

    def known(
        self, given: str | Sequence[str], names: Sequence[str], sums: Mapping[str, Sequence[str]]
    ) -> tuple[str, ...]:
        found: list[str] = []
        for name in _names(given):
            if name not in names and name not in sums:
                known = nearest(name, [*names, *sums])
                raise self.source.error(f"unknown variable '{name}'; {known}", ("knowledge",), name)
            found += sums.get(name, (name,))
        return tuple(found)

    def thetas(
        self, knowledge: Mapping[str, Any]
    ) -> tuple[dict[str, dict[Database, ExactNumber]], tuple[str, ...]]:
        """Return the family of laws, and the parameters that have no number."""
        family = knowledge.get("family", [{}])
        free: tuple[str, ...] = ()
        found = {}
        for member in family:
            own = {n: self.number(v, ("knowledge", "family")) for n, v in member.items()}
            names: dict[str, ExactNumber] = {**self.values, **own}
            self.used |= set(own)
            free = tuple(sorted(self.parameters() - set(names)))
            if free:
                names |= _symbols(free)
            about = ", ".join(f"{n} = {v}" for n, v in own.items()) or "the law"
            found[about] = self.at(("variables",), partial(self.law, names))
        if free and "family" in knowledge:
            raise self.source.error(f"the laws of a family are numbers: '{free[0]}' has none",
                                    ("knowledge", "family"), free[0])  # fmt: skip
        return found, free

    def parameters(self) -> set[str]:
        """Return the names that the probabilities use."""
        found: set[str] = set()
        for name, table in self.data["variables"].items():
            for key, entry in table.items():
                if key in {"given", "copies"}:
                    continue
                for raw in entry.values() if isinstance(entry, Mapping) else [entry]:
                    if isinstance(raw, str):
                        path = ("variables", name, key)
                        found |= self.at(path, partial(BlockFormula.read, raw)).names
        return found

    def law(self, names: Mapping[str, ExactNumber]) -> dict[Database, ExactNumber]:
        return databases(self.variables(names))

    def variables(self, names: Mapping[str, ExactNumber]) -> list[Variable]:
        found: list[Variable] = []
        for name, table in self.data["variables"].items():
            path: Path = ("variables", name)
            if not IDENTIFIER.match(name):
                raise self.source.error(f"'{name}' is not the name of a variable", path, name)
            given = _names(table.get("given", []))
            earlier = [v.name for v in found]
            for word in given:
                if word not in earlier:
                    raise self.source.error(f"'{name}' can only depend on variables before it: "
                                            f"{nearest(word, earlier)}", path, word)  # fmt: skip
            laws = self.laws(name, table, len(given), names)
            copies = range(1, table["copies"] + 1) if "copies" in table else [""]
            found += [Variable(f"{name}{n}", given, laws) for n in copies]
        return found

    def laws(
        self, name: str, table: Mapping[str, Any], count: int, names: Mapping[str, ExactNumber]
    ) -> dict[tuple[int, ...], dict[int, ExactNumber]]:
        path: Path = ("variables", name)
        entries = {key: entry for key, entry in table.items() if key not in {"given", "copies"}}
        for key, entry in entries.items():
            if isinstance(entry, Mapping) != (count > 0):
                said = (
                    "a table of probabilities for each value of 'given'"
                    if count
                    else ("a probability for each value, or 'given' and tables")
                )
                raise self.source.error(f"'{name}' needs {said}", (*path, key), key)
        if not count:
            entries = {"": entries}
        found = {}
        for key, entry in entries.items():
            values = tuple(self.whole(word, path) for word in key.split(",") if word.strip())
            if len(values) != count:
                raise self.source.error(f"'{key}' is {len(values)} values, but '{name}' is given "
                                        f"{count} variables", path, key)  # fmt: skip
            found[values] = {
                self.whole(value, path): self.number(p, (*path, key) if key else path, names)
                for value, p in entry.items()
            }
        return found

    def whole(self, word: str, path: Path) -> int:
        try:
            return int(word)
        except ValueError:
            raise self.source.error(f"'{word}' is not a value: values are integers", path,
                                    word) from None  # fmt: skip


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _fraction(raw: Any) -> Fraction:
    return rational(raw) if isinstance(raw, str) else Fraction(raw)


def _symbols(names: Sequence[str]) -> dict[str, ExactNumber]:
    """Return the parameters as elements of a field of rational functions."""
    from sympy import QQ
    from sympy.polys.fields import field as function_field

    _, *found = function_field(list(names), QQ)
    return dict(zip(names, found, strict=True))


def _value(tree: ast.expr, text: str, names: Mapping[str, ExactNumber]) -> ExactNumber:
    """Return the value of a formula in rational functions."""
    match tree:
        case ast.Constant():
            return rational(ast.get_source_segment(text, tree) or "")
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=op, operand=inner):
            value = _value(inner, text, names)
            return value if isinstance(op, ast.UAdd) else -value
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            exponent = _value(right, text, {})
            if exponent.denominator != 1 or not 0 <= exponent <= 100:
                raise InputError(f"exponents in '{text}' are integers from 0 to 100", word=text)
            return _value(left, text, names) ** int(exponent)
        case ast.BinOp(op=op, left=left, right=right):
            a, b = _value(left, text, names), _value(right, text, names)
            a, b = _together(a, b)
            match op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case _:
                    if b == 0:
                        raise InputError(f"'{text}' divides by zero", word=text)
                    return a / b
        case _:
            raise InputError(f"'{text}' is not a formula of numbers, parameters and + - * / **",
                             word=text)  # fmt: skip


def _together(a: ExactNumber, b: ExactNumber) -> tuple[ExactNumber, ExactNumber]:
    """Return two numbers in one field: a fraction next to a rational function becomes one."""
    if isinstance(a, Fraction) and not isinstance(b, Fraction):
        return b.field.ground_new(b.field.domain(a.numerator, a.denominator)), b
    if isinstance(b, Fraction) and not isinstance(a, Fraction):
        return a, a.field.ground_new(a.field.domain(b.numerator, b.denominator))
    return a, b
