"""Is a function as stable as it is claimed to be?"""

from __future__ import annotations

import itertools
import math
import runpy
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NoReturn

from dpcomp_sym.errors import InputError
from dpcomp_sym.stability.bounds import DistanceBound
from dpcomp_sym.stability.calls import as_python_shows, call, printing_aside, shown
from dpcomp_sym.stability.databases import DatabaseScope
from dpcomp_sym.stability.metrics import METRICS, ListDistance, Metric, exact
from dpcomp_sym.stability.statement import FunctionRun, MapProof, MapStatement, UnlikeError

__all__ = ["Stability", "StabilityClaim", "TriedPair", "check_stability", "claims_of"]

MAX_PAIRS: Final = 3_000_000
MOST_DATABASES: Final = (1 + math.isqrt(1 + 8 * MAX_PAIRS)) // 2
MOST_TRIANGLES: Final = 120
"""How many databases, the smallest ones, are compared for the triangle inequality."""


@dataclass(frozen=True)
class StabilityClaim:
    """d_out(f(D), f(D')) <= bound(d) for all databases D, D' with d_in(D, D') <= d, finite.

    D and D' are different databases.

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
    scope: DatabaseScope
    d_in: Metric
    d_out: Metric
    bound: str | Callable[[Any], Any]
    title: str = ""
    stated: MapStatement | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """What reports call it, on one line."""
        name = self.title or getattr(self.function, "__name__", "") or "the function"
        return " ".join(str(name).split())

    def text(self) -> str:
        """Say what is claimed."""
        bound = self.bound if isinstance(self.bound, str) else "bound(d)"
        return (f"{self.name}: {self.d_out.name} distance at most {bound} at {self.d_in.name} "
                "distance d")  # fmt: skip

    def check(self) -> None:
        """Refuse what is not a claim.

        Raises:
            InputError: one of its parts is of another kind, or the bound cannot be read.
        """
        for what, value, kind in (
            ("d_in", self.d_in, Metric), ("d_out", self.d_out, Metric),
            ("stated", self.stated, MapStatement | None),
        ):  # fmt: skip
            if not isinstance(value, kind):
                one = "a Metric" if kind is Metric else "a MapStatement"
                raise InputError(f"{self.name}: '{what}' is {one}, not {shown(value)}")
        if not callable(self.function):
            raise InputError(f"{self.name}: 'function' is a function of a list of records, not "
                             f"{shown(self.function)}")  # fmt: skip
        if self.d_out.adjacency:
            raise InputError(f"{self.name}: {self.d_out.name} says which databases are neighbours, "
                             "and no distance of outputs")  # fmt: skip
        try:
            DistanceBound(self.bound)
        except InputError as error:
            raise error.within(self.name) from None


@dataclass(frozen=True)
class TriedPair:
    """Two databases, their distance, what the function makes of them, and how far apart that is."""

    old: list[Any]
    new: list[Any]
    near: int | Fraction
    outputs: tuple[Any, Any]
    apart: ListDistance
    allowed: Fraction

    def as_json(self) -> dict[str, Any]:
        """Return the pair as plain data."""
        return {
            "D": shown(self.old), "D_prime": shown(self.new), "d_in": str(self.near),
            "outputs": [shown(x) for x in self.outputs],
            "d_out": "inf" if self.apart is None else str(self.apart),
            "claimed": str(self.allowed),
        }  # fmt: skip


@dataclass(frozen=True)
class Stability:
    """What came of a claim: refuted by a smallest pair, proved, or checked in a scope.

    ``worst`` has, for every distance d that occurs in the scope, the largest distance of outputs.
    ``proof`` is there where the function was stated as a map and the claim proved of it, and
    ``unproved`` gives the reason if not.
    """

    claim: StabilityClaim
    pair: TriedPair | None
    scope: str
    pairs: int
    worst: tuple[tuple[int | Fraction, ListDistance], ...] = ()
    proof: MapProof | None = None
    unproved: str = ""

    @property
    def verdict(self) -> str:
        """Refuted, proved of the map that the function is declared to be, or checked."""
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
                "theorem": self.proof.theorem, "metrics": list(self.proof.metrics),
                "conclusion": self.proof.conclusion, "assumes": list(self.proof.assumes),
            },
            "unproved": self.unproved or None,
        }  # fmt: skip

    def __str__(self) -> str:
        """Return what the command line prints."""
        return self.text()

    def __repr__(self) -> str:
        return f"<Stability of {self.claim.name}: {self.verdict}, {self.scope}>"

    def text(self) -> str:
        """Return the answer as lines for a person."""
        verdict = self.verdict if self.proof is None else "proved, under an assumption"
        lines = [f"{self.claim.text()}: {verdict}", f"  scope: {self.scope}"]
        if self.pair is not None:
            return "\n".join([*lines, *self._refutation(self.pair)])
        lines += [
            f"  at d = {d} the outputs are at most {'inf' if x is None else x} apart"
            for d, x in self.worst
        ]
        if self.proof is None:
            if self.unproved:
                lines.append(f"  not proved: {self.unproved}")
            lines.append(f"  {self.pairs} pairs were examined; nothing is claimed beyond them")
            return "\n".join(lines)
        lines += [
            *(f"  assumed: {one}" for one in self.proof.assumes),
            f"  proved: {self.proof.theorem}",
            *(f"  proved: {one}" for one in self.proof.metrics),
            f"  so {self.proof.conclusion}",
        ]
        return "\n".join(lines)

    def _refutation(self, pair: TriedPair) -> Iterator[str]:
        apart = "infinitely far" if pair.apart is None else str(pair.apart)
        d_in, d_out = self.claim.d_in, self.claim.d_out
        yield f"  D  = {shown(pair.old)}, f(D)  = {shown(pair.outputs[0])}"
        yield f"  D' = {shown(pair.new)}, f(D') = {shown(pair.outputs[1])}"
        yield f"  {d_in.name} distance {pair.near} ({d_in.statement})"
        yield f"  {d_out.name} distance {apart} ({d_out.statement})"
        yield f"  claimed: at most {pair.allowed}"


def check_stability(claim: StabilityClaim) -> Stability:
    """Try all pairs of databases of the scope, the smallest ones first.

    The order is by the number of records of both together, then by that of the larger one, then by
    their distance, so that the first counterexample is a smallest one.  A claim that holds and is
    about a function that is stated as a map is then proved of this map, if it can be.

    What is called may print, fail, change its arguments or not end: it prints to standard error,
    works on copies, and everything else is an error.

    Raises:
        InputError: there are too many pairs; the function or a metric fails, does not end, or
            answers differently when asked again; a metric is none on the pairs of the scope; the
            statement cannot be used.
    """
    claim.check()
    with printing_aside():
        return _checked(claim)


def _checked(claim: StabilityClaim) -> Stability:
    databases = _databases(claim)
    outputs = [_output(claim, database) for database in databases]
    d_in = _Distances(claim, claim.d_in, databases)
    d_out = _Distances(claim, claim.d_out, outputs)
    _check_again(claim, databases, d_out)
    bound = DistanceBound(claim.bound)
    allowances: dict[int | Fraction, Fraction] = {}
    worst: dict[int | Fraction, ListDistance] = {}
    looked_at = 0
    found: TriedPair | None = None
    for i, j in _by_size([len(database) for database in databases]):
        near = d_in.between(i, j)
        if near is None:
            continue
        size = len(databases[i]) + len(databases[j]), len(databases[j])
        if found is not None and size > (len(found.old) + len(found.new), len(found.new)):
            break
        looked_at += 1
        apart = d_out.between(i, j)
        worst[near] = _larger(worst.get(near, 0), apart)
        if near not in allowances:
            allowances[near] = _allowed(claim, bound, near)
        allowed = allowances[near]
        if (apart is None or apart > allowed) and (found is None or near < found.near):
            found = TriedPair(
                databases[i], databases[j], near, (outputs[i], outputs[j]), apart, allowed
            )
    scope = call(lambda: f"{claim.name}: the text of the scope fails", claim.scope.text)
    if not looked_at:
        raise InputError(f"{scope}: no two of them have a finite {claim.d_in.name} "
                         "distance, so that every claim holds trivially")  # fmt: skip
    ordered = tuple(sorted(worst.items()))
    result = Stability(claim, found, scope, looked_at, ordered)
    if found is not None or claim.stated is None:
        return result
    answers = [FunctionRun(d, x) for d, x in zip(databases, outputs, strict=True)]
    try:
        proof = claim.stated.proof(answers, claim.d_in, claim.d_out, bound)
    except UnlikeError as error:
        return replace(result, unproved=str(error))
    return replace(result, proof=proof)


def _allowed(claim: StabilityClaim, bound: DistanceBound, near: int | Fraction) -> Fraction:
    try:
        return bound.at(near)
    except InputError as error:
        raise error.within(claim.name) from None


def _databases(claim: StabilityClaim) -> list[list[Any]]:
    """Return the databases of the scope, the smallest first."""

    def listed() -> list[list[Any]]:
        found = list(itertools.islice(claim.scope.databases(), MOST_DATABASES + 1))
        return sorted(found, key=len)

    databases: list[list[Any]] = call(lambda: f"{claim.name}: the scope fails", listed)
    if len(databases) > MOST_DATABASES:
        raise InputError(f"{claim.scope.text()}: the pairs are more than {MAX_PAIRS:,}; take "
                         "fewer values or smaller databases")  # fmt: skip
    return databases


def _output(claim: StabilityClaim, database: list[Any]) -> Any:
    """Return a copy of what the function returns of a copy: neither can change later."""

    def copied() -> Any:
        output = claim.function(deepcopy(database))
        if isinstance(output, Iterator):
            raise InputError(f"it returns an iterator, {shown(output)}, which can be read only "
                             "once; let it return a list")  # fmt: skip
        return deepcopy(output)

    return call(lambda: f"{claim.name}: the function fails on {shown(database)}", copied)


def _check_again(
    claim: StabilityClaim, databases: Sequence[list[Any]], outputs: _Distances
) -> None:
    """Check that the function returns the same when it is called again, in another order."""
    for n in reversed(range(len(databases))):
        again = _output(claim, databases[n])
        if outputs.to(n, again) != 0:
            raise InputError(
                f"{claim.name}: the function is random, or keeps a state: on {shown(databases[n])} "
                f"it returns {shown(outputs.items[n])}, then {shown(again)}; there is no distance "
                "between such outputs"
            )


class _Distances:
    """Distances in a metric, which must be one on everything that is looked at."""

    def __init__(self, claim: StabilityClaim, metric: Metric, items: Sequence[Any]) -> None:
        self.claim, self.metric, self.items = claim, metric, items
        self.known: dict[tuple[int, int], ListDistance] = {}
        # Those that come along are metrics, which tests show; any other is code.
        self.trusted = any(metric is one for one in METRICS.values())
        if not self.trusted:
            self._check()

    def to(self, position: int, other: Any) -> ListDistance:
        """Return the distance between an item and something else."""
        return self._distance(self.items[position], other)

    def between(self, i: int, j: int) -> ListDistance:
        """Return the distance between two items."""
        if self.trusted:
            return self._distance(self.items[i], self.items[j])
        if (i, j) not in self.known:
            there = self._distance(self.items[i], self.items[j])
            back = self._distance(self.items[j], self.items[i])
            if there != back:
                self._refuse(f"from {self._said(i)} to {self._said(j)} it is {_finite(there)}, and "
                             f"back {_finite(back)}: it is not symmetric")  # fmt: skip
            self.known[i, j] = self.known[j, i] = there
        return self.known[i, j]

    def _check(self) -> None:
        for n in range(len(self.items)):
            itself = self.between(n, n)
            if itself != 0:
                self._refuse(f"from {self._said(n)} to itself it is {_finite(itself)}, not 0")
        few = range(min(len(self.items), MOST_TRIANGLES))
        for i, j, k in () if self.metric.adjacency else itertools.combinations(few, 3):
            for a, b, c in ((i, j, k), (j, i, k), (i, k, j)):
                first, second, long = self.between(a, b), self.between(b, c), self.between(a, c)
                if first is None or second is None:
                    continue
                if long is None or long > first + second:
                    self._refuse(
                        f"from {self._said(a)} to {self._said(b)} it is {first}, from there to "
                        f"{self._said(c)} {second}, and from the first to the last "
                        f"{_finite(long)}: the triangle inequality does not hold"
                    )

    def _distance(self, x: Any, y: Any) -> ListDistance:
        """Return a distance as an exact number, 0 or more, or as None."""
        raw = self._raw(x, y)
        if raw is None or (isinstance(raw, float) and raw == math.inf):
            return None
        where = f"from {shown(x)} to {shown(y)} it is {shown(raw)}"
        try:
            distance = exact(raw)
        except InputError:
            self._refuse(f"{where}, which is not a number (nor None, for infinite)")
        if distance < 0:
            self._refuse(f"{where}, less than 0")
        return int(distance) if distance.denominator == 1 else distance

    def _raw(self, x: Any, y: Any) -> Any:
        if self.trusted:  # only what the records themselves do can fail
            try:
                return self.metric.of(x, y)
            except Exception as error:
                said = error if isinstance(error, InputError) else as_python_shows(error)
                raise InputError(f"{self._failing(x, y)}: {said}") from error
        return call(lambda: self._failing(x, y), self.metric.of, deepcopy(x), deepcopy(y))

    def _failing(self, x: Any, y: Any) -> str:
        return f"{self._called()} fails on {shown(x)} and {shown(y)}"

    def _called(self) -> str:
        return f"{self.claim.name}: the metric '{self.metric.name}'"

    def _said(self, position: int) -> str:
        return shown(self.items[position])

    def _refuse(self, why: str) -> NoReturn:
        raise InputError(f"{self._called()} is not a metric: {why}")


def _finite(distance: ListDistance) -> str:
    return "infinite" if distance is None else str(distance)


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


def _larger(a: ListDistance, b: ListDistance) -> ListDistance:
    return None if a is None or b is None else max(a, b)


def claims_of(file: str) -> list[StabilityClaim]:
    """Run a Python file, and return the claims that it makes, in lists or by themselves.

    Raises:
        InputError: there is no such file, it fails, or it makes no claim.
    """
    try:
        Path(file).open("rb").close()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}", word=file) from None
    with printing_aside():
        made = call(lambda: f"{file} fails", runpy.run_path, file)
    several = (v if isinstance(v, list | tuple) else [v] for v in made.values())
    claims = (one for ones in several for one in ones if isinstance(one, StabilityClaim))
    found = list({id(claim): claim for claim in claims}.values())
    if not found:
        raise InputError(f"{file} makes no StabilityClaim", word=file)
    return found
