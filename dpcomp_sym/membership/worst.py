"""The worst pair of membership vectors for given weights, by integer programming.

Any constraint on single databases or on their numbers, with k in the thousands.  The solver is
CP-SAT, which computes with integers: weights are put on a common denominator, or, where that would
be too large, rounded up to multiples of 2^-40, so that the optimum is never below the true one.
The pair that it finds is checked against the constraint without it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.errors import InputError
from dpcomp_sym.membership.setting import Membership
from dpcomp_sym.terms import Algebra, Term, fold

__all__ = ["WorstPair", "confirm_pair", "worst_pair"]

LARGEST_SUM: Final = 2**52
GRID: Final = 2**40
SECONDS: Final = 60.0
"""How long CP-SAT may search; a search that is cut off still has a bound for all pairs."""

MemberVector = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class WorstPair:
    """Two allowed vectors that differ by as much weight as possible.

    ``weight`` is what this pair differs by; ``most`` bounds all pairs, and is larger only where
    weights had to be rounded or the search was cut off.
    """

    first: MemberVector
    second: MemberVector
    weight: Fraction
    most: Fraction


def worst_pair(
    membership: Membership, sizes: Mapping[str, int], weights: Mapping[str, Sequence[Fraction]]
) -> WorstPair | None:
    """Return two compared vectors that differ by as much weight as possible, None without any two.

    For replace-one neighbours both vectors are the same, and all their databases count.

    Args:
        membership: the constraints, and what is compared.
        sizes: numbers for the symbols.
        weights: group → one weight for each of its databases, not negative.

    Raises:
        InputError: the package ortools is missing, or the constraint is not linear.
    """
    scale, rounded = _integers([w for ws in weights.values() for w in ws])
    model, pair, differs = _model(membership, sizes, weights)
    model.add(sum(x for xs in differs.values() for x in xs) >= 1)
    values = iter(rounded)
    model.maximize(sum(next(values) * x for xs in differs.values() for x in xs))
    solver = _solver()
    status = solver.solve(model)
    from ortools.sat.python import cp_model

    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise InputError("the solver found no two vectors in its time", where="membership, require")
    first, second = (
        {g: [int(solver.value(x)) for x in xs] for g, xs in side.items()} for side in pair
    )
    confirm_pair(membership, sizes, first, second)
    both = membership.neighbours == "replace-one"
    weight = sum(
        (
            w
            for g, ws in weights.items()
            for w, a, b in zip(ws, first[g], second[g], strict=True)
            if a != b or (both and a)
        ),
        Fraction(0),
    )
    return WorstPair(first, second, weight, round(solver.best_objective_bound) / scale)


def _integers(weights: Sequence[Fraction]) -> tuple[Fraction, list[int]]:
    """Return a factor, and each weight times it, rounded up where it must be.

    Their sum is so small that the solver's double of it is exact: the factor can be below 1.
    """
    scale = Fraction(1)
    total = sum(weights, Fraction(0))
    for w in weights:
        scale = Fraction(math.lcm(int(scale), w.denominator))
        if scale * total > LARGEST_SUM:
            scale = Fraction(GRID)
            break
    while scale * total > LARGEST_SUM:
        scale /= 2
    return scale, [math.ceil(w * scale) for w in weights]


def _model(
    membership: Membership, sizes: Mapping[str, int], weights: Mapping[str, Sequence[Fraction]]
) -> tuple[Any, tuple[dict[str, list[Any]], dict[str, list[Any]]], dict[str, list[Any]]]:
    """Return the model, the two vectors, and for each database whether they differ there."""
    cp_model = _ortools()
    model = cp_model.CpModel()

    def vector(name: str) -> dict[str, list[Any]]:
        made = {
            g: [model.new_bool_var(f"{name} {g} {i}") for i in range(len(ws))]
            for g, ws in weights.items()
        }
        counts = {g: sum(xs) for g, xs in made.items()}
        total = sum(x for xs in made.values() for x in xs)
        reading = _Reading(model, {**sizes, **counts, "total": total}, made)
        _demand(model, membership.rule, reading)
        return made

    second = vector("b'")
    if membership.neighbours == "replace-one":
        return model, (second, second), second
    if membership.neighbours == "unbounded":
        first: dict[str, list[Any]] = {g: [0] * len(ws) for g, ws in weights.items()}
        return model, (first, second), second
    first = vector("b")
    differs: dict[str, list[Any]] = {g: [] for g in weights}
    for g, xs in first.items():
        for one, other in zip(xs, second[g], strict=True):
            x = model.new_bool_var("")
            model.add(x <= one + other)
            model.add(x <= 2 - one - other)
            differs[g].append(x)
    return model, (first, second), differs


def _demand(model: Any, rule: Term, reading: _Reading) -> None:
    """Add a formula; what is linear is added as it is, which helps the solver's relaxations."""
    if rule.op == "and":
        for term in rule.terms:
            _demand(model, term, reading)
        return
    if rule.op in _LINEAR and all(t.sort == "int" for t in rule.terms):
        left, right = (fold(t, reading) for t in rule.terms)
        if not (isinstance(left, int) and isinstance(right, int)):
            model.add(_LINEAR[rule.op](left, right))
            return
    model.add_bool_and(fold(rule, reading))


_LINEAR: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "le": operator.le, "lt": operator.lt, "ge": operator.ge, "gt": operator.gt, "eq": operator.eq,
}  # fmt: skip


class _Reading(Algebra[Any]):
    """Terms as linear expressions, formulas as literals."""

    def __init__(self, model: Any, names: Mapping[str, Any], vector: Mapping[str, Any]) -> None:
        self.model = model
        self.names = names
        self.vector = vector

    def variable(self, name: str, sort: str) -> Any:
        """Read a number of databases or a symbol."""
        del sort
        return self.names[name]

    def integer(self, value: int) -> Any:
        """Read a number."""
        return value

    def boolean(self, value: bool) -> Any:
        """Read a truth value."""
        return self.model.new_constant(int(value))

    def apply(self, name: str, args: Sequence[Any]) -> Any:
        """Read whether somebody is in one database."""
        (number,) = args
        if not isinstance(number, int) or not 1 <= number <= len(self.vector[name]):
            size = len(self.vector[name])
            raise InputError(f"'{name}({number})' is not a database: there are {size}",
                             where="membership, require", word=name)  # fmt: skip
        return self.vector[name][number - 1]

    def operation(self, op: str, args: Sequence[Any], term: Term) -> Any:
        """Read an operator."""
        match op:
            case "add":
                return args[0] + args[1]
            case "sub":
                return args[0] - args[1]
            case "neg":
                return -args[0]
            case "mul":
                if not any(isinstance(a, int) for a in args):
                    raise InputError("a product of two counts is not linear",
                                     where="membership, require")  # fmt: skip
                return args[0] * args[1]
            case "div" | "mod":
                raise InputError("a quotient or a remainder of counts is not linear",
                                 where="membership, require")  # fmt: skip
            case "and":
                return self._all(args)
            case "or":
                return self._all([a.Not() for a in args]).Not()
            case "not":
                return args[0].Not()
            case "implies":
                return self._all([args[0], args[1].Not()]).Not()
            case "ite" if term.sort == "bool":
                test, then, other = args
                return self._all([self._all([test, then.Not()]).Not(),
                                  self._all([test.Not(), other.Not()]).Not()])  # fmt: skip
            case "ite":
                return self._choice(*args)
            case "ne":
                return self._compare("eq", *args).Not()
            case "lt":
                return self._compare("ge", *args).Not()
            case "gt":
                return self._compare("le", *args).Not()
            case "eq" if term.terms[0].sort == "bool":
                left, right = args
                return self._all([self._all([left, right.Not()]).Not(),
                                  self._all([right, left.Not()]).Not()])  # fmt: skip
            case _:
                return self._compare(op, *args)

    def _all(self, literals: Sequence[Any]) -> Any:
        found = self.model.new_bool_var("")
        self.model.add_bool_and(literals).only_enforce_if(found)
        self.model.add_bool_or([x.Not() for x in literals] + [found])
        return found

    def _compare(self, op: str, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int):
            holds = {"eq": left == right, "le": left <= right, "ge": left >= right}[op]
            return self.boolean(holds)
        if op == "eq" and isinstance(right, int) and self._is_entry(left):
            return {0: left.Not(), 1: left}.get(right, self.boolean(False))
        found = self.model.new_bool_var("")
        if op == "eq":
            return self._all([self._compare("le", left, right), self._compare("ge", left, right)])
        low, high = (left, right) if op == "le" else (right, left)
        self.model.add(low <= high).only_enforce_if(found)
        self.model.add(low >= high + 1).only_enforce_if(found.Not())
        return found

    def _is_entry(self, value: Any) -> bool:
        return any(value is x for xs in self.vector.values() for x in xs)

    def _choice(self, test: Any, then: Any, other: Any) -> Any:
        found = self.model.new_int_var(-(2**40), 2**40, "")
        self.model.add(found == then).only_enforce_if(test)
        self.model.add(found == other).only_enforce_if(test.Not())
        return found


def _ortools() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise InputError(
            "constraints on single databases are optimised with ortools, which is not installed: "
            "pip install 'dpcomp-sym[membership]'", where="membership, require",
        ) from None  # fmt: skip
    return cp_model


def _solver() -> Any:
    solver = _ortools().CpSolver()
    solver.parameters.max_time_in_seconds = SECONDS
    solver.parameters.num_workers = 1  # several find one of several worst pairs, by chance
    solver.parameters.linearization_level = 2
    return solver


def confirm_pair(
    membership: Membership, sizes: Mapping[str, int], first: MemberVector, second: MemberVector
) -> None:
    """Check by definition that two vectors are compared, and differ, before they are shown.

    Raises:
        RuntimeError: they are not; this would be a mistake in the search.
    """
    entries = [x for side in (first, second) for xs in side.values() for x in xs]
    one = membership.neighbours == "unbounded" or membership.allows(first, sizes)
    if not one or not membership.allows(second, sizes) or not set(entries) <= {0, 1}:
        raise RuntimeError("the membership vectors that were found are not allowed")
    both = membership.neighbours == "replace-one"
    nobody = {group: (0,) * len(xs) for group, xs in second.items()}
    start, end = ({g: tuple(xs) for g, xs in side.items()} for side in (first, second))
    if both and start != end:
        raise RuntimeError("the membership vectors of two persons in the same databases differ")
    if membership.neighbours == "unbounded" and start != nobody:
        raise RuntimeError("a membership vector is compared with somebody who is in a database")
    if end == (nobody if both else start):
        raise RuntimeError("the membership vectors that were found are the same")
