"""A function stated as a map of the language, so that a claim about it can be proved.

What is proved is about the map, for all databases of its class: images of neighbours are at most
so many edits apart, and so, along a path, are those of any two databases; and how the metrics of
the claim compare with numbers of edits.  That the function is the map is assumed, and
reported as an assumption: the two are compared on all databases of a finite scope, and nothing more
can be.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from dpcomp_sym.engine import Proved, Structure
from dpcomp_sym.engine.contradictions import check_input
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.finite import Cell, Database, World
from dpcomp_sym.metrics.capacities import most_between_neighbours
from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.metrics.prove import Obligations
from dpcomp_sym.model import BoundPart, Domain, Problem
from dpcomp_sym.model.mapping import bare_function
from dpcomp_sym.spec import load_spec
from dpcomp_sym.stability.bounds import DistanceBound
from dpcomp_sym.stability.calls import call, shown
from dpcomp_sym.stability.metrics import Metric, Multiple, Read, as_key
from dpcomp_sym.terms import BOOL, CELL, INT

__all__ = ["FunctionRun", "MapProof", "MapStatement", "UnlikeError"]

FARTHEST: Final = 8
"""Images of neighbours may be at most that many edits apart, and one edit may move outputs at most
that far."""
ROUNDS: Final = 8


class UnlikeError(ValueError):
    """The statement does not say what the function does, or what the claim is about."""


@dataclass(frozen=True)
class FunctionRun:
    """A database, and what the function makes of it."""

    database: Sequence[Any]
    output: Any


@dataclass(frozen=True)
class MapProof:
    """What is proved of a map, and what is assumed of the function.

    Attributes:
        theorem: the statement that the engine proved, for all databases of the class.
        metrics: how the metrics of the claim compare with edits, proved for all databases, too.
        conclusion: what follows for the claim, if what is assumed is true.
        assumes: what is not proved, and on what it was tried.
    """

    theorem: str
    metrics: tuple[str, ...]
    conclusion: str
    assumes: tuple[str, ...]


@dataclass(frozen=True)
class MapStatement:
    """The map of a spec that a function is declared to be.

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
        counts: the records whose numbers an output lists, in this order; or a function that reads
            an output as records with their numbers (code, of which nothing is proved).  A list of
            records and, if the image has no attributes, a number, are read without.
        sizes: numbers for the symbols of the spec, those of the scope.

    >>> count = '''
    ... granularity = "unbounded"
    ... [domain]
    ... attributes = { value = "Value" }
    ... [[part]]
    ... map = "cardinality"
    ... '''
    >>> MapStatement(count).problem.bound_parts[0].map.name
    'cardinality'
    """

    spec: Problem | str | Path
    part: str = ""
    position: str = ""
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    counts: Sequence[Any] | Callable[[Any], Mapping[Any, int]] | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        """The problem that the spec states."""
        return self.spec if isinstance(self.spec, Problem) else load_spec(self.spec).problem

    def proof(
        self, answers: Sequence[FunctionRun], d_in: Metric, d_out: Metric, bound: DistanceBound
    ) -> MapProof:
        """Prove a claim for all databases.

        Args:
            answers: the databases of the scope, with the outputs of the function.
            d_in: the metric of the databases.
            d_out: the metric of the outputs.
            bound: how far outputs may be apart.

        Raises:
            InputError: the spec cannot be used.
            UnlikeError: the function is not the map, a metric is not a number of edits, or the
                claim is not proved.
        """
        problem = self.problem
        part = _part_of(problem, self.part)
        reading = _Reading(self, problem, part, answers)
        reading.compare()
        near = _near(problem, d_in, reading.read, self.position)
        far = _far(part, d_out, reading.read_output, self.position)
        asked = min(int(bound.ratio(near, d_in.largest) * near / far), FARTHEST)
        found = _edits_apart(problem, part, asked)
        if found is None:
            raise UnlikeError(
                f"it is not proved that the map '{part.map.name}' moves neighbours at most "
                f"{asked} edit(s) apart, as the claim needs"
            )
        factor = far * found / near
        if not bound.covers(factor, near, d_in.largest):
            raise UnlikeError(f"outputs are at most {factor} * d apart, but that {bound.text} is "
                              "never less is not proved for all d")  # fmt: skip
        mapping = f"'{part.map.name}'"
        theorem = (
            f"for all databases of the class, {mapping} takes neighbours ({problem.outer.name}) "
            f"to images at most {found} edit(s) apart ({part.granularity.name})"
        )
        inputs = (
            f"for all databases of the class, {d_in.name} distance is at least {near} * the "
            f"edits of {problem.outer.name}, where it is finite"
        )
        outputs = (
            f"for all images, {d_out.name} distance is at most {far} * the edits of "
            f"{part.granularity.name}"
        )
        counted = reading.read_output is Read.NUMBERS
        assumed = (
            f"the function returns what {mapping} does on every database of the class"
            + " whose image has only records that 'counts' names" * counted
            + f" (it does on all {len(answers)} of the scope)"
        )
        conclusion = (
            f"outputs are at most {factor} * d apart, which is at most {bound.text} for all d"
        )
        return MapProof(theorem, (inputs, outputs), conclusion, (assumed,))


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
    check_input(structure)
    proved = (n for n in range(most + 1) if isinstance(structure.sensitivity(part, n), Proved))
    return next(proved, None)


# ------------------------------------------------------------------ metrics and edits


def _near(problem: Problem, metric: Metric, read: Read, position: str) -> Fraction:
    """Return the largest factor for which distance >= factor * edits is proved for the class."""
    granularity = problem.outer
    known = sorted(_known(metric.below, read), key=lambda one: -one.factor)
    forms = ((one.factor, _form(one, position).bind(granularity.domain)) for one in known)
    # Whether the solver gives up depends a little on its past, so that each is tried twice.
    tried = ((n, Obligations(granularity, form)) for n, form in forms for _ in range(2))
    best = next((n for n, one in tried if one.upper()), None)
    if best is None:
        raise UnlikeError(
            f"{metric.name} distance of {read.value} is not proved to be at least a multiple of "
            f"the edits of {problem.outer.name} for all databases of the class"
        )
    return Fraction(best)


def _far(part: BoundPart, metric: Metric, read: Read | None, position: str) -> Fraction:
    """Return the smallest factor for which distance <= factor * edits is proved for all images."""
    if read is None:
        raise UnlikeError("'counts' is code, so that nothing is known of distances of outputs "
                          "beyond the scope; give the records that an output counts")  # fmt: skip
    proved = (
        one.factor * most
        for one in _known(metric.above, read)
        if (most := _moved(part, _form(one, position))) is not None
    )
    best = min(proved, default=None)
    if best is None:
        raise UnlikeError(
            f"{metric.name} distance of {read.value} is not proved to be at most a multiple of "
            f"the edits of {part.granularity.name} for all images"
        )
    return Fraction(best)


def _known(readings: Mapping[Read, tuple[Multiple, ...]], read: Read) -> tuple[Multiple, ...]:
    return readings.get(read, ())


def _form(one: Multiple, position: str) -> ClosedForm:
    return ClosedForm(one.value, one.finite.replace("{position}", position))


def _moved(part: BoundPart, form: ClosedForm) -> int | None:
    """Return how far apart, in a metric, one edit takes images: the least that is proved."""
    granularity = part.granularity
    bound = form.bind(granularity.domain)

    def proved(most: int) -> bool:
        edits = granularity.edits
        return all(most_between_neighbours(granularity, e, bound, most) for e in edits)

    if not proved(FARTHEST):
        return None
    return next(most for most in range(1, FARTHEST + 1) if most == FARTHEST or proved(most))


# ------------------------------------------------------------------ reading databases


class _Reading:
    """Databases and outputs of Python as those of the language, in one finite world."""

    def __init__(
        self,
        statement: MapStatement,
        problem: Problem,
        part: BoundPart,
        answers: Sequence[FunctionRun],
    ) -> None:
        self.statement, self.problem, self.part = statement, problem, part
        self.answers = answers
        self.elements: dict[str, dict[str, Any]] = {}
        self.names: dict[str, dict[Hashable, str]] = {}
        self.seen: dict[tuple[bool, Cell], Hashable] = {}
        position = statement.position
        if position and position not in problem.domain.attributes:
            known = nearest(position, problem.domain.attributes)
            msg = f"'{position}' is not an attribute of the domain; {known}"
            raise InputError(msg, word=position)
        self.read = Read.LIST if position else Read.BAG
        listed = [self.cells(problem.domain, a.database) for a in answers]
        self.databases = [Counter(cells) for cells in listed]
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
                raise UnlikeError(f"{shown(answer.database)} is not a database of the spec's class")

    def compare(self) -> None:
        """Check that the function returns what the map does.

        Raises:
            UnlikeError: it returns something else.
        """
        mapping = self.part.map
        for database, image, answer in zip(self.databases, self.images, self.answers, strict=True):
            theirs = self.world.apply(mapping, database, ())
            if theirs != image:
                raise UnlikeError(
                    f"the function is not the map '{mapping.name}': it takes "
                    f"{shown(answer.database)} to {shown(answer.output)}, the map to "
                    f"{_shown(theirs)}"
                )

    # ---------------------------------------------------------------- records

    @property
    def read_output(self) -> Read | None:
        """How outputs are read; None if code does it."""
        counts = self.statement.counts
        if counts is not None:
            return None if callable(counts) else Read.NUMBERS
        attributes = self.part.domain.attribute_sorts
        if not attributes:
            return Read.NUMBER
        return Read.LIST if self.statement.position in attributes else Read.BAG

    def cell(self, domain: Domain, record: Any, place: int) -> Cell:
        """Return a record as a cell; ``place`` is its place in the list.

        Raises:
            UnlikeError: it is not a record of the domain, or another one is read as the same cell.
        """
        names = [a for a in domain.attribute_sorts if a != self.statement.position]
        plain = _plain(record)
        if isinstance(plain, Mapping):
            if set(plain) != set(names):
                raise UnlikeError(f"the record {shown(record)} does not have the attributes "
                                  f"{', '.join(names)}")  # fmt: skip
            values = dict(plain)
        elif isinstance(plain, list | tuple) and len(plain) == len(names):
            values = dict(zip(names, plain, strict=True))
        elif len(names) == 1:
            values = {names[0]: plain}
        else:
            raise UnlikeError(f"the record {shown(record)} does not have {len(names)} attributes")
        cell = tuple(
            place if name == self.statement.position else self.element(domain, sort, values[name])
            for name, sort in domain.attribute_sorts.items()
        )
        key = as_key(record)
        if self.seen.setdefault((domain is self.part.domain, cell), key) != key:
            raise UnlikeError(f"another record than {shown(record)} is read as {cell}, too: "
                              "metrics tell the two apart, and the spec does not")  # fmt: skip
        return cell

    def element(self, domain: Domain, sort: str, value: Any) -> Any:
        """Return a Python value as an element of a sort; equal values are one element."""
        plain = _plain(value)
        if sort in {INT, BOOL}:
            if isinstance(plain, bool) == (sort == BOOL) and isinstance(plain, int):
                return plain
            raise UnlikeError(f"{shown(value)} is not a value of the sort {sort}")
        known = domain.enumerations.get(sort)
        if known is not None:
            if isinstance(plain, str) and plain in known:
                return plain
            raise UnlikeError(
                f"{shown(value)} is not a value of the sort {sort}; {nearest(str(plain), known)}"
            )
        names, elements = self.names.setdefault(sort, {}), self.elements.setdefault(sort, {})
        key = as_key(value)
        if key not in names:
            text = shown(plain)
            while text in elements:
                text += "'"
            names[key], elements[text] = text, plain
        return names[key]

    def cells(self, domain: Domain, records: Iterable[Any]) -> list[Cell]:
        """Return the cells of a list of records."""
        return [self.cell(domain, record, place) for place, record in enumerate(records, 1)]

    def image(self, output: Any) -> Database:
        """Return an output as a database of the image."""
        domain, counts = self.part.domain, self.statement.counts
        if counts is None and domain.attribute_sorts:
            try:
                return Counter(self.cells(domain, output))
            except TypeError:
                raise UnlikeError(
                    f"the output {shown(output)} is not a list of records; give with 'counts' "
                    "which records it counts"
                ) from None
        found: dict[Cell, int] = {}
        for record, number in self.numbers(output):
            count = _plain(number)
            if not isinstance(count, int) or count < 0:
                raise UnlikeError(f"{shown(number)} is not a number of records")
            if count:
                found[self.cell(domain, record, 0)] = count
        return found

    def numbers(self, output: Any) -> Iterable[tuple[Any, Any]]:
        """Return an output that counts records as these, with their numbers."""
        counts = self.statement.counts
        if counts is None:
            return [((), output)]
        if callable(counts):
            read = call(lambda: f"'counts' fails on {shown(output)}", counts, output)
            if not isinstance(read, Mapping):
                raise InputError(f"'counts' returns no dictionary of records with their numbers: "
                                 f"{shown(read)}")  # fmt: skip
            return read.items()
        if self.statement.position in self.part.domain.attribute_sorts:
            raise InputError("an output that counts records has no places; the image has "
                             f"'{self.statement.position}'")  # fmt: skip
        if len(set(map(as_key, counts))) != len(counts):
            raise InputError(f"'counts' names a record twice: {shown(counts)}")
        plain = _plain(output)
        if not isinstance(plain, list | tuple) or len(plain) != len(counts):
            raise UnlikeError(f"the output {shown(output)} is not a list of {len(counts)} numbers, "
                              "as 'counts' states")  # fmt: skip
        return zip(counts, plain, strict=True)

    # ---------------------------------------------------------------- functions

    def tables(self) -> dict[str, dict[tuple[Any, ...], Any]]:
        """Return the tables of all functions, over the values that occur."""
        domain, own = self.problem.domain, self.part.map
        signatures = {**domain.signatures, **own.functions}
        short = {name: bare_function(name) for name in own.functions}
        meanings = {name: short.get(name, name) for name in signatures}
        for name in meanings.values():
            if name not in self.statement.functions:
                raise InputError(f"the spec's function '{name}' has no meaning: give functions="
                                 f"{{'{name}': …}}", word=name)  # fmt: skip
        for _ in range(ROUNDS):
            before = {sort: len(names) for sort, names in self.elements.items()}
            found = {
                name: {
                    tuple(element for element, _ in row): self.element(
                        domain, result, self.value(meanings[name], [value for _, value in row])
                    )
                    for row in itertools.product(*(self.pool(sort) for sort in arguments))
                }
                for name, (arguments, result) in signatures.items()
            }  # fmt: skip
            if before == {sort: len(names) for sort, names in self.elements.items()}:
                return found
        raise InputError("the functions of the statement make ever more values")

    def value(self, name: str, arguments: list[Any]) -> Any:
        """Return what a function of the spec means of arguments."""
        called = f"{name}({', '.join(map(shown, arguments))})"
        return call(
            lambda: f"the function {called} of the statement fails",
            self.statement.functions[name], *arguments,
        )  # fmt: skip

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


def _plain(value: Any) -> Any:
    """Return what numpy holds as Python has it; anything else as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def _shown(database: Database) -> str:
    said = [f"{number} * {cell}" if number > 1 else str(cell) for cell, number in database.items()]
    return " + ".join(said) or "nothing"
