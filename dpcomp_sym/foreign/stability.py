"""Is a function as stable as somebody says?"""

from __future__ import annotations

import ast
import math
import runpy
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.foreign.databases import Scope
from dpcomp_sym.foreign.metrics import Distance, Metric
from dpcomp_sym.foreign.statement import Answer, Proof, Statement, UnlikeError
from dpcomp_sym.spec.values import Formula

__all__ = ["Pair", "Stability", "StabilityClaim", "check_stability", "claims_of"]

MAX_PAIRS: Final = 3_000_000
LARGEST: Final = 1000
"""A bound that is no multiple of d is looked at so far, to compare it with one."""


@dataclass(frozen=True)
class StabilityClaim:
    """d_out(f(D), f(D')) <= bound(d) for all databases D, D' with d_in(D, D') <= d, finite.

    Args:
        function: takes a list of records (it gets a copy) and returns the output.
        scope: the databases to try.
        d_in: the metric of the input.
        d_out: the metric of the output.
        bound: a formula in d, such as "2*d" or "d/2", or a function; it must not fall with d.
        title: what reports call it.
        stated: the map of a spec that the function is, so that the claim can be proved.
    """

    function: Callable[[list[Any]], Any] = field(repr=False)
    scope: Scope
    d_in: Metric
    d_out: Metric
    bound: str | Callable[[Any], Any]
    title: str = ""
    stated: Statement | None = field(default=None, repr=False)

    def text(self) -> str:
        """Say what is claimed."""
        bound = self.bound if isinstance(self.bound, str) else "bound(d)"
        name = self.title or getattr(self.function, "__name__", "the function")
        return f"{name}: {self.d_out.name} distance at most {bound} at {self.d_in.name} distance d"

    def allowed(self, d: int | Fraction) -> Fraction:
        """Return the bound at a distance.

        Raises:
            InputError: the bound is no formula in d, or no number.
        """
        try:
            if isinstance(self.bound, str):
                return _evaluated(self.bound, Fraction(d))
            return Fraction(self.bound(d))
        except (TypeError, OverflowError) as error:
            raise InputError(f"the bound at d = {d} is no finite number: {error}") from None

    def factor(self, least: Fraction) -> tuple[Fraction, str]:
        """Return a factor with factor * d <= bound(d) for all d >= least, and how it is known.

        A formula such as "2*d + 1" has the largest one at an end.  Other bounds are evaluated.
        """
        last = self.d_in.largest
        if isinstance(self.bound, str) and _straight(Formula.read(self.bound).tree):
            start = self.allowed(0)
            slope = self.allowed(1) - start
            ends = slope + start / least, slope + (start / last if last else 0)
            return min(ends), f"{self.bound} for all d"
        tried = range(math.ceil(least), (last or LARGEST) + 1)
        return min(self.allowed(d) / d for d in tried), f"the bound for all d up to {tried[-1]}"


def _evaluated(text: str, d: Fraction) -> Fraction:
    formula = Formula.read(text)
    if unknown := sorted(formula.names - {"d"}):
        raise InputError(f"unknown name '{unknown[0]}' in the bound '{text}'; known here: d",
                         word=unknown[0])  # fmt: skip
    if d.denominator != 1:
        raise InputError(f"the distance {d} is not whole; give the bound as a function")
    return formula.column({"d": d.numerator}, 1)[0]


def _straight(node: ast.expr) -> bool:
    """Return whether a formula is a number plus a multiple of d."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.UnaryOp(operand=inner):
            return _straight(inner)
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            return _straight(left) and _straight(right)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return (_straight(left) and _number(right)) or (_number(left) and _straight(right))
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return _straight(left) and _number(right)
        case _:
            return False


def _number(node: ast.expr) -> bool:
    return not any(isinstance(part, ast.Name) for part in ast.walk(node))


@dataclass(frozen=True)
class Pair:
    """Two databases, their distance, what the function makes of them, and how far apart that is."""

    old: list[Any]
    new: list[Any]
    near: int | Fraction
    outputs: tuple[Any, Any]
    apart: Distance
    allowed: Fraction

    def as_json(self) -> dict[str, Any]:
        """Return the pair as plain data."""
        return {
            "D": repr(self.old), "D_prime": repr(self.new), "d_in": str(self.near),
            "outputs": [repr(x) for x in self.outputs],
            "d_out": "inf" if self.apart is None else str(self.apart),
            "claimed": str(self.allowed),
        }  # fmt: skip


@dataclass(frozen=True)
class Stability:
    """What came of a claim: refuted by a smallest pair, proved, or checked in a scope.

    ``worst`` has, for every distance d that occurs in the scope, the largest distance of outputs.
    ``proof`` is there where the function was stated as a map and the claim proved of it, and
    ``unproved`` says why not.
    """

    claim: StabilityClaim
    pair: Pair | None
    scope: str
    pairs: int
    worst: tuple[tuple[int | Fraction, Distance], ...] = ()
    proof: Proof | None = None
    unproved: str = ""

    @property
    def verdict(self) -> str:
        """Refuted, proved of the map that the function is said to be, or checked."""
        if self.pair is not None:
            return "refuted"
        return "checked" if self.proof is None else "proved"

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "claim": self.claim.text(), "verdict": self.verdict, "scope": self.scope,
            "pairs": self.pairs, "counterexample": self.pair and self.pair.as_json(),
            "worst": [
                {"d_in": str(d), "d_out": "inf" if x is None else str(x)} for d, x in self.worst
            ],
            "proof": self.proof and {
                "theorem": self.proof.theorem, "compared": list(self.proof.compared),
                "conclusion": self.proof.conclusion,
            },
            "unproved": self.unproved or None,
        }  # fmt: skip

    def text(self) -> str:
        """Return the answer as lines for a person."""
        lines = [f"{self.claim.text()}: {self.verdict}", f"  scope: {self.scope}"]
        if self.pair is None:
            lines += [
                f"  at d = {d} the outputs are at most {'inf' if x is None else x} apart"
                for d, x in self.worst
            ]
            if self.unproved:
                lines.append(f"  not proved: {self.unproved}")
            if self.proof is None:
                return "\n".join(
                    [*lines, f"  {self.pairs} pairs looked at; nothing is said beyond"]
                )
            lines += [
                f"  proved: {self.proof.theorem}",
                *(f"  in the scope: {one}" for one in self.proof.compared),
                f"  so {self.proof.conclusion}",
                "  beyond the scope this is said of the map, and not of the function",
            ]
            return "\n".join(lines)
        pair = self.pair
        apart = "infinitely far" if pair.apart is None else str(pair.apart)
        lines += [
            f"  D  = {pair.old!r}, f(D)  = {pair.outputs[0]!r}",
            f"  D' = {pair.new!r}, f(D') = {pair.outputs[1]!r}",
            f"  {self.claim.d_in.name} distance {pair.near} ({self.claim.d_in.statement})",
            f"  {self.claim.d_out.name} distance {apart} ({self.claim.d_out.statement})",
            f"  claimed: at most {pair.allowed}",
        ]
        return "\n".join(lines)


def check_stability(claim: StabilityClaim) -> Stability:
    """Try all pairs of databases of the scope, the smallest ones first.

    The order is by the number of records of both together, then by that of the larger one, then by
    their distance, so that the first counterexample is a smallest one.  A claim that holds and is
    about a function that is stated as a map is then proved of this map, if it can be.

    Raises:
        InputError: there are too many pairs; the function fails, or answers differently when
            asked again (then there is no distance between outputs to speak of); the statement
            cannot be used.
    """
    databases = list(claim.scope.databases())
    count = len(databases) * (len(databases) - 1) // 2
    if count > MAX_PAIRS:
        raise InputError(f"{claim.scope.text()}: {count:,} pairs are more than {MAX_PAIRS:,}; take "
                         "fewer values or smaller databases")  # fmt: skip
    outputs = [_output(claim, database) for database in databases]
    worst: dict[int | Fraction, Distance] = {}
    looked_at = 0
    found: Pair | None = None
    for i, j in _by_size([len(database) for database in databases]):
        near = claim.d_in.of(databases[i], databases[j])
        if near is None:
            continue
        size = len(databases[i]) + len(databases[j]), len(databases[j])
        if found is not None and size > (len(found.old) + len(found.new), len(found.new)):
            break
        looked_at += 1
        apart = claim.d_out.of(outputs[i], outputs[j])
        worst[near] = _larger(worst.get(near, 0), apart)
        allowed = claim.allowed(near)
        if (apart is None or apart > allowed) and (found is None or near < found.near):
            found = Pair(databases[i], databases[j], near, (outputs[i], outputs[j]), apart, allowed)
    if not looked_at:
        raise InputError(f"{claim.scope.text()}: no two of them have a finite {claim.d_in.name} "
                         "distance, so that every claim holds and says nothing")  # fmt: skip
    ordered = tuple(sorted(worst.items()))
    result = Stability(claim, found, claim.scope.text(), looked_at, ordered)
    if found is not None or claim.stated is None:
        return result
    answers = [Answer(d, x) for d, x in zip(databases, outputs, strict=True)]
    try:
        proof = claim.stated.proof(answers, claim.d_in, claim.d_out, claim.factor)
    except UnlikeError as error:
        return replace(result, unproved=str(error))
    return replace(result, proof=proof)


def _output(claim: StabilityClaim, database: list[Any]) -> Any:
    try:
        first = claim.function(deepcopy(database))
        again = claim.function(deepcopy(database))
    except Exception as error:
        raise InputError(
            f"{claim.text()}: the function fails on {database!r}: {type(error).__name__}: {error}"
        ) from error
    if claim.d_out.of(first, again) != 0:
        raise InputError(f"{claim.text()}: the function is random: on {database!r} it answers "
                         f"{first!r}, then {again!r}")  # fmt: skip
    return first


def _by_size(sizes: list[int]) -> Iterator[tuple[int, int]]:
    """Yield pairs of positions by both sizes together, then by the larger one.

    Positions are sorted by size already.

    >>> list(_by_size([0, 1, 2]))
    [(0, 1), (0, 2), (1, 2)]
    """
    start: dict[int, list[int]] = {}
    for position, size in enumerate(sizes):
        start.setdefault(size, []).append(position)
    shapes = [(a, b) for a in start for b in start if a <= b]
    for a, b in sorted(shapes, key=lambda shape: (sum(shape), shape[1])):
        for i in start[a]:
            yield from ((i, j) for j in start[b] if j > i)


def _larger(a: Distance, b: Distance) -> Distance:
    return None if a is None or b is None else max(a, b)


def claims_of(file: str) -> list[StabilityClaim]:
    """Run a Python file, and return the claims that it makes, in lists or by themselves.

    Raises:
        InputError: there is no such file, it fails, or it makes no claim.
    """
    try:
        made = runpy.run_path(file)
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}", word=file) from None
    except (Exception, SystemExit) as error:
        raise InputError(f"{file} fails: {type(error).__name__}: {error}", word=file) from error
    found: list[StabilityClaim] = []
    for value in made.values():
        several = value if isinstance(value, list | tuple) else [value]
        found += [one for one in several if isinstance(one, StabilityClaim) and one not in found]
    if not found:
        raise InputError(f"{file} makes no StabilityClaim", word=file)
    return found
