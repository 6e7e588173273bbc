"""A function stated as a map of the language, so that a claim about it can be proved.

What is proved speaks of the map: for all databases of its class, images of neighbours are at most
so many edits apart, and so, along a path, are those of any two databases.  What ties the function
to the map is compared on all databases of a finite scope: that both return the same, and how the
metrics of the claim compare with numbers of edits.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from dpcomp_sym.engine import Proved, Structure
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.finite.enumerate import UNREACHABLE, EditGraph
from dpcomp_sym.foreign.metrics import Metric, as_key
from dpcomp_sym.model import BoundPart, Domain, Problem
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms import BOOL, CELL, INT

__all__ = ["Answer", "Proof", "Statement", "UnlikeError"]

MOST_STATES: Final = 4_000
FARTHEST: Final = 8
"""Images of neighbours are asked to be at most that many edits apart."""
ROUNDS: Final = 8


class UnlikeError(ValueError):
    """The statement does not say what the function does, or what the claim is about."""


@dataclass(frozen=True)
class Answer:
    """A database, and what the function makes of it."""

    database: Sequence[Any]
    output: Any


@dataclass(frozen=True)
class Proof:
    """What is proved of a map, and what was compared of the function.

    Attributes:
        theorem: the statement that the engine proved, for all databases of the class.
        compared: what is true on all databases of the scope.
        conclusion: what follows for the claim, wherever the function is the map.
    """

    theorem: str
    compared: tuple[str, ...]
    conclusion: str


@dataclass(frozen=True)
class Statement:
    """The map of a spec that a function is said to be.

    The domain and the granularity of the spec are the function's databases and what neighbours
    are; the map and the granularity of one part are the function and what neighbouring outputs
    are.  Records are read by the names of the domain's attributes if they are dictionaries, one
    by one if they are lists or tuples, and otherwise as the only attribute.

    Args:
        spec: a problem, a file, or the text of a spec.
        part: the part that is meant; the only one if absent.
        position: the attribute that is the place of a record in its list, 1 for the first one.
        functions: what the functions of the spec mean, as Python functions of its values (and of
            a record where the spec says "cell").
        counts: how an output is read as records with their numbers.  A list of records and, if
            the image has no attributes, a number, are read without.
        sizes: numbers for the symbols of the spec, those of the scope.

    >>> count = '''
    ... granularity = "unbounded"
    ... [domain]
    ... attributes = { value = "Value" }
    ... [[part]]
    ... map = "cardinality"
    ... '''
    >>> Statement(count).bound_part.map.name
    'cardinality'
    """

    spec: Problem | str | Path
    part: str = ""
    position: str = ""
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    counts: Callable[[Any], Mapping[Any, int]] | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        """The problem that the spec states."""
        return self.spec if isinstance(self.spec, Problem) else load_spec(self.spec).problem

    @property
    def bound_part(self) -> BoundPart:
        """The part whose map is the function.

        Raises:
            InputError: it is not one map between databases with neighbours of their own.
        """
        return _part_of(self.problem, self.part)

    def proof(
        self, answers: Sequence[Answer], d_in: Metric, d_out: Metric,
        room: Callable[[Fraction], tuple[Fraction, str]],
    ) -> Proof:  # fmt: skip
        """Prove a claim for all databases.

        Args:
            answers: the databases of the scope, with the outputs of the function.
            d_in: the metric of the databases.
            d_out: the metric of the outputs.
            room: a factor by which outputs may be farther apart than databases are, for all
                distances that are at least its argument, and how it is known.

        Raises:
            InputError: the spec cannot be used.
            UnlikeError: the function is not the map, a metric is no number of edits, or the claim
                is not proved.
        """
        problem = self.problem
        part = _part_of(problem, self.part)
        reading = _Reading(self, problem, part, answers)
        world, pairs = reading.world, reading.pairs()
        near = _unit(
            EditGraph(world, problem.outer, world.cells, reading.most, reading.states()),
            pairs, [a.database for a in answers], d_in,
        )  # fmt: skip
        far = _largest(reading.image_graph(), pairs, [a.output for a in answers], d_out)
        factor, known = room(near)
        asked = min(int(factor * near / far), FARTHEST)
        found = _edits_apart(problem, part, asked)
        if found is None:
            raise UnlikeError(
                f"it is not proved that the map '{part.map.name}' moves neighbours at most "
                f"{asked} edit(s) apart, as the claim needs"
            )
        factors = (
            f"between any two of them {d_in.name} distance is at least {near} * the edits of "
            f"{problem.outer.name}, and {d_out.name} distance at most {far} * those of "
            f"{part.granularity.name}"
        )
        return Proof(
            f"for all databases of the class, '{part.map.name}' takes neighbours "
            f"({problem.outer.name}) to images at most {found} edit(s) apart "
            f"({part.granularity.name})",
            (
                f"the function returns what '{part.map.name}' does on all {len(answers)} databases",
                factors,
            ),
            f"outputs are at most {far * found / near} * d apart, which is at most {known}",
        )


def _part_of(problem: Problem, name: str) -> BoundPart:
    parts = {p.name: p for p in problem.bound_parts}
    if not name and len(parts) == 1:
        (name,) = parts
    if name not in parts:
        raise InputError(f"a statement is about one part: {nearest(name, parts)}", word=name)
    part = parts[name]
    if part.setting == "common":
        raise InputError(f"part '{name}' is on the common domain: a statement is about what its "
                         "map returns, so its setting is separate", word=name)  # fmt: skip
    if part.map.indices:
        raise InputError(f"map '{part.map.name}' has a block for each "
                         f"'{part.map.indices[0][0]}': a statement takes one map")  # fmt: skip
    for granularity in (problem.outer, part.granularity):
        if granularity.directed:
            raise InputError(f"'{granularity.name}' is one-sided: it has no metric")
    return part


def _edits_apart(problem: Problem, part: BoundPart, most: int) -> int | None:
    """Return the least number of edits that is proved between images of neighbours."""
    structure = Structure(problem)
    structure.check_input()
    proved = (n for n in range(most + 1) if isinstance(structure.sensitivity(part, n), Proved))
    return next(proved, None)


# ------------------------------------------------------------------ metrics and edits


Pairs = Sequence[tuple[Database, Database]]
"""Each database of the scope as the language has it, and its image."""


def _distances(graph: EditGraph, databases: Sequence[Database]) -> Iterator[tuple[int, int, float]]:
    """Yield the numbers of edits between any two databases, by their positions."""
    states = [tuple(d.get(c, 0) for c in graph.cells) for d in databases]
    for i, j in itertools.combinations(range(len(states)), 2):
        yield i, j, graph.distance(states[i], states[j])


def _unit(graph: EditGraph, pairs: Pairs, theirs: Sequence[Any], metric: Metric) -> Fraction:
    """Return the largest factor with: distance >= factor * edits."""
    least: Fraction | None = None
    for i, j, edits in _distances(graph, [old for old, _ in pairs]):
        distance = metric.of(theirs[i], theirs[j])
        if distance is None or edits == 0:
            continue
        if edits == UNREACHABLE or distance == 0:
            raise UnlikeError(f"{metric.name} distance is not counted in edits: {theirs[i]!r} and "
                              f"{theirs[j]!r} are {distance} apart, and "
                              f"{_said(edits)} edits")  # fmt: skip
        ratio = Fraction(distance) / int(edits)
        least = ratio if least is None else min(least, ratio)
    if least is None:
        raise UnlikeError("no two databases of the scope are different for the spec")
    return least


def _largest(graph: EditGraph, pairs: Pairs, theirs: Sequence[Any], metric: Metric) -> Fraction:
    """Return the smallest factor with: distance <= factor * edits."""
    most = Fraction(0)
    for i, j, edits in _distances(graph, [new for _, new in pairs]):
        if edits == UNREACHABLE:
            continue
        distance = metric.of(theirs[i], theirs[j])
        if distance is None or distance > 0 == edits:
            raise UnlikeError(f"{metric.name} distance is not bounded by edits: {theirs[i]!r} and "
                              f"{theirs[j]!r} are {_said(distance)} apart, and "
                              f"{_said(edits)} edits")  # fmt: skip
        if edits:
            most = max(most, Fraction(distance) / int(edits))
    if not most:
        raise UnlikeError("no two outputs in the scope are apart")
    return most


def _said(distance: float | Fraction | None) -> str:
    return "infinitely many" if distance in {None, UNREACHABLE} else str(distance)


# ------------------------------------------------------------------ reading databases


class _Reading:
    """Databases and outputs of Python as those of the language, in one finite world."""

    def __init__(
        self, statement: Statement, problem: Problem, part: BoundPart, answers: Sequence[Answer]
    ) -> None:
        self.statement, self.problem, self.part = statement, problem, part
        self.answers = answers
        self.elements: dict[str, dict[str, Any]] = {}
        listed = [self.cells(problem.domain, a.database) for a in answers]
        self.databases = [Counter(cells) for cells in listed]
        self.most = max((n for d in self.databases for n in d.values()), default=0)
        self.images = [self.image(a.output) for a in answers]
        self.records = {
            c: r for cells, a in zip(listed, answers, strict=True)
            for c, r in zip(cells, a.database, strict=True)
        }  # fmt: skip
        tables = self.tables()
        self.world = World(
            problem.domain, tuple(self.records),
            {sort: tuple(names) for sort, names in self.elements.items()},
            tables, symbols=self.sizes(),
        )  # fmt: skip
        self.check()

    def sizes(self) -> dict[str, int]:
        """Return the numbers of the symbols."""
        given = dict(self.statement.sizes)
        missing = sorted(set(self.problem.symbols) - set(given))
        if missing:
            raise InputError(f"the spec's symbol '{missing[0]}' has no number: give sizes="
                             f"{{'{missing[0]}': …}}", word=missing[0])  # fmt: skip
        return given

    def check(self) -> None:
        """Check that the scope lies in the class of the spec."""
        domain, world = self.problem.domain, self.world
        if not world.symbols_hold(self.problem.symbols) or not world.map_facts_hold(self.part.map):
            raise UnlikeError("the facts of the spec are false of these sizes and functions")
        for database, answer in zip(self.databases, self.answers, strict=True):
            if not world.contains(database, domain, world.cells):
                raise UnlikeError(f"{answer.database!r} is no database of the spec's class")

    def pairs(self) -> Pairs:
        """Return all databases with their images, which are what the function returns.

        Raises:
            UnlikeError: it returns something else.
        """
        mapping = self.part.map
        for database, image, answer in zip(self.databases, self.images, self.answers, strict=True):
            theirs = self.world.apply(mapping, database, ())
            if theirs != image:
                raise UnlikeError(
                    f"the function is not the map '{mapping.name}': it takes "
                    f"{answer.database!r} to {answer.output!r}, the map to {_shown(theirs)}"
                )
        return list(zip(self.databases, self.images, strict=True))

    def states(self) -> list[tuple[int, ...]]:
        """Return the different databases of the scope, as multiplicities."""
        cells = self.world.cells
        return list(dict.fromkeys(tuple(d.get(c, 0) for c in cells) for d in self.databases))

    def image_graph(self) -> EditGraph:
        """Return the images with their edits, all that hold no more in a cell than these do."""
        cells = list(dict.fromkeys(itertools.chain.from_iterable(self.images)))
        most = max((n for d in self.images for n in d.values()), default=0)
        if (most + 1) ** len(cells) > MOST_STATES:
            raise InputError(f"{len(cells)} kinds of records with up to {most} of each are too "
                             "many outputs to compare; take a smaller scope")  # fmt: skip
        return EditGraph(self.world, self.part.granularity, cells, most)

    # ---------------------------------------------------------------- records

    def cell(self, domain: Domain, record: Any, place: int) -> Cell:
        """Return a record as a cell; ``place`` is its place in the list."""
        names = [a for a in domain.attribute_sorts if a != self.statement.position]
        plain = as_key(record)
        if isinstance(record, Mapping):
            if set(record) != set(names):
                raise UnlikeError(f"the record {record!r} does not have the attributes "
                                  f"{', '.join(names)}")  # fmt: skip
            values = dict(record)
        elif isinstance(plain, tuple) and len(plain) == len(names):
            values = dict(zip(names, plain, strict=True))
        elif len(names) == 1:
            values = {names[0]: plain}
        else:
            raise UnlikeError(f"the record {record!r} does not have {len(names)} attributes")
        return tuple(
            place if name == self.statement.position else self.element(domain, sort, values[name])
            for name, sort in domain.attribute_sorts.items()
        )

    def element(self, domain: Domain, sort: str, value: Any) -> Any:
        """Return a Python value as an element of a sort."""
        value = as_key(value)
        if sort in {INT, BOOL}:
            if isinstance(value, bool) == (sort == BOOL) and isinstance(value, int):
                return value
            raise UnlikeError(f"{value!r} is no value of the sort {sort}")
        known = domain.enumerations.get(sort)
        if known is None:
            self.elements.setdefault(sort, {}).setdefault(repr(value), value)
            return repr(value)
        if str(value) not in known:
            raise UnlikeError(f"{value!r} is no {sort}; {nearest(str(value), known)}")
        return str(value)

    def cells(self, domain: Domain, records: Iterable[Any]) -> list[Cell]:
        """Return the cells of a list of records."""
        return [self.cell(domain, record, place) for place, record in enumerate(records, 1)]

    def image(self, output: Any) -> Database:
        """Return an output as a database of the image."""
        domain = self.part.domain
        numbers: Mapping[Any, Any]
        if self.statement.counts is not None:
            numbers = self.statement.counts(output)
        elif domain.attribute_sorts:
            try:
                return Counter(self.cells(domain, output))
            except TypeError:
                raise UnlikeError(
                    f"the output {output!r} is no list of records; say with 'counts' how it is "
                    "read as records with their numbers"
                ) from None
        else:
            numbers = {(): output}
        found: dict[Cell, int] = {}
        for record, number in numbers.items():
            count = as_key(number)
            if not isinstance(count, int) or count < 0:
                raise UnlikeError(f"{number!r} is no number of records")
            if count:
                found[self.cell(domain, record, 0)] = count
        return found

    # ---------------------------------------------------------------- functions

    def tables(self) -> dict[str, dict[tuple[Any, ...], Any]]:
        """Return the tables of all functions, over the values that occur."""
        domain, own = self.problem.domain, self.part.map
        signatures = {**domain.signatures, **own.functions}
        short = {name: name.removeprefix(f"{own.name}_") for name in own.functions}
        meanings = {name: short.get(name, name) for name in signatures}
        for name in meanings.values():
            if name not in self.statement.functions:
                raise InputError(f"the spec's function '{name}' has no meaning: give functions="
                                 f"{{'{name}': …}}", word=name)  # fmt: skip
        for _ in range(ROUNDS):
            before = {sort: len(names) for sort, names in self.elements.items()}
            found = {
                name: {
                    tuple(shown for shown, _ in row): self.element(
                        domain, result,
                        self.statement.functions[meanings[name]](*(value for _, value in row)),
                    )
                    for row in itertools.product(*(self.pool(sort) for sort in arguments))
                }
                for name, (arguments, result) in signatures.items()
            }  # fmt: skip
            if before == {sort: len(names) for sort, names in self.elements.items()}:
                return found
        raise InputError("the functions of the statement make ever more values")

    def pool(self, sort: str) -> list[tuple[Any, Any]]:
        """Return what an argument can be, as the language has it and as Python has it."""
        if sort == CELL:
            return list(self.records.items())
        if sort == BOOL:
            return [(False, False), (True, True)]
        if sort == INT:
            seen = {v for c in self.records for v in c if isinstance(v, int)}
            return [(v, v) for v in sorted(seen)]
        known = self.problem.domain.enumerations.get(sort)
        if known is not None:
            return [(value, value) for value in known]
        return list(self.elements.get(sort, {}).items())


def _shown(database: Database) -> str:
    said = [f"{number} * {cell}" if number > 1 else str(cell) for cell, number in database.items()]
    return " + ".join(said) or "nothing"
