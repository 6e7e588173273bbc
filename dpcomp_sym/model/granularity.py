"""Granularities: which databases are neighbours, described by edits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model.checks import check_count, check_truth
from dpcomp_sym.model.domain import RESERVED, Domain
from dpcomp_sym.model.frozen import hash_of_fields
from dpcomp_sym.printable import one_line, readable
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    TRUE,
    Scope,
    Term,
    conjunction,
    free_variables,
    parse,
    reads_database,
    substitute,
    subterms,
)
from dpcomp_sym.terms.expression import Expression, Record, as_text, record_like, sort_of, written
from dpcomp_sym.terms.parse import IDENTIFIER, parse_argument
from dpcomp_sym.terms.term import integer, variable

MOST_EDITS: Final = 64
"""How many edits a group of successive ones may expand to, at most."""

INDICES: Final = frozenset("ij")
"""Reserved for indices: where there are none, these are names like others."""

__all__ = ["BoundEdit", "BoundGranularity", "Edit", "Granularity", "resolve_sort", "resolve_sorts"]


_SORT: Final = re.compile(r"[A-Za-z]\w*|sort\(.*\)")


@dataclass(frozen=True, init=False)
class Edit:
    """One way of getting from a database to a neighbour.

    Formulas are texts, expressions, or functions that make expressions of the parameters, by
    their names.

    Args:
        params: name → sort of what may be chosen freely; ``sort(owner)`` names the sort of an
            argument or attribute, and a record of a domain that of records.  They can be arguments
            of their own: ``Edit(f="House", t=int, frame=…)``.
        guard: a condition on the database D and the parameters.
        change: cell parameter → number added to its multiplicity; where parameters name the same
            cell the numbers add up.
        frame: instead of ``change``: a formula over ``c``, the cells that may change.
        step: how a multiplicity in the frame may change, a formula over ``old``, ``new``, ``c``;
            it may read the database D before the edit: ``D[replace(c, day, day(c) - 1)]``.

    >>> Edit({"x": "cell"}, change={"x": "1"})
    Edit(params={'x': 'cell'}, change={'x': '1'})
    >>> c, D = (people := Domain(person="Person", vip=bool)).c, people.D
    >>> Edit(x=c, guard=lambda x: (D[x] >= 1) & ~x.vip, change={"x": -1}).guard
    'D[x] >= 1 and not vip(x)'
    """

    params: Mapping[str, str] = field(default_factory=dict)
    guard: str = "true"
    change: Mapping[str, str | int] | None = None
    frame: str | None = None
    step: str = "true"

    __repr__ = readable
    __hash__ = hash_of_fields

    def __init__(
        self,
        params: Mapping[str, Any] | None = None,
        guard: Any = "true",
        change: Mapping[str, Any] | None = None,
        frame: Any = None,
        step: Any = "true",
        **more: Any,
    ) -> None:
        if params is not None and more:
            word = next(iter(more))
            names = [f.name for f in fields(self)]
            msg = f"an edit takes no '{word}' beside its parameters; {nearest(word, names)}"
            raise InputError(msg, word=word)
        for name, sort in more.items():
            if not (isinstance(sort, type | Expression) or _SORT.fullmatch(str(sort))):
                names = [f.name for f in fields(self)]
                msg = f"'{name}' is no part of an edit, and {sort!r} no sort of a parameter"
                raise InputError(f"{msg}; {nearest(name, names)}", word=name)
        given = more if params is None else params
        words = {n: _parameter(n, s) for n, s in given.items()}
        beside = {n: Expression(variable(n, INT)) for n in ("old", "new")}
        self.__dict__.update(
            params={n: sort_of(s) for n, s in given.items()},
            guard=as_text(guard, words),
            change=None if change is None else {
                p: written(d, words) for p, d in change.items()
            },
            frame=as_text(frame, words),
            step=as_text(step, {**words, **beside}),
        )  # fmt: skip


def _parameter(name: str, sort: Any) -> Expression:
    """Return what a function that writes a formula gets for a parameter of an edit."""
    if isinstance(sort, Record):
        return record_like(sort, name)
    found = sort_of(sort)
    return Record(variable(name, CELL), {}) if found == CELL else Expression(variable(name, found))


@dataclass(frozen=True)
class Granularity:
    """A neighbourhood notion, independent of a domain until it is bound to one.

    Neighbours are D, D' inside the class that an edit links, in either direction unless
    ``directed``.  ``group`` allows up to so many edits one after the other.

    Args:
        name: display name; nothing depends on it.
        edits: the ways of getting to a neighbour.
        symbol: LaTeX for the granularity.
        directed: edits lead from D to D' only (one-sided privacy; no metric then).
        group: the number of successive edits that a neighbour may take.
        arguments: words in the formulas → what they stand for, an attribute's name or a term
            over ``c``: ``{"owner": "household(person(c))"}``.

    >>> bounded = Granularity("bounded", [Edit({"x": "cell", "y": "cell"},
    ...     "D[x] >= 1 and x != y", {"x": "-1", "y": "1"})])
    >>> bounded.bind(Domain({"id": "Record"})).edits[0].points
    ('x', 'y')
    """

    name: str
    edits: Sequence[Edit]
    symbol: str = ""
    directed: bool = False
    group: int = 1
    arguments: Mapping[str, str] = field(default_factory=dict)

    __repr__ = readable
    __hash__ = hash_of_fields

    def __post_init__(self) -> None:
        """Keep the display texts on one line."""
        object.__setattr__(self, "name", one_line(self.name))
        object.__setattr__(self, "symbol", one_line(self.symbol))
        check_truth(self.directed, "'directed'")
        check_count(self.group, "'group'")
        given: Any = self.edits
        edits = [given] if isinstance(given, Edit) else given
        if not isinstance(edits, Sequence) or not all(isinstance(one, Edit) for one in edits):
            msg = f"edits are expected, such as [Edit(x=c, change={{'x': 1}})], not {given!r}"
            raise InputError(msg, where=f"granularity '{self.name}'", word="edits")
        object.__setattr__(self, "edits", tuple(edits))
        arguments = {word: as_text(meaning) for word, meaning in self.arguments.items()}
        object.__setattr__(self, "arguments", arguments)

    def bind(self, domain: Domain) -> BoundGranularity:
        """Read the formulas over the names of ``domain``.

        Raises:
            InputError: a word is unknown there, or an edit is malformed.
        """
        where = f"granularity '{self.name}'"
        if not self.edits:
            msg = "a granularity needs at least one edit"
            raise InputError(msg, where=where, word=self.name)
        try:
            scope = with_arguments(domain, self.arguments)
            single = [
                _bind_edit(e, scope, domain, f"edit {n}") for n, e in enumerate(self.edits, 1)
            ]
            edits = _successive(single, self.group, directed=self.directed)
        except InputError as error:
            raise error.within(where) from None
        return BoundGranularity(self.name, tuple(edits), self.symbol, self.directed, domain, self)


@dataclass(frozen=True)
class BoundEdit:
    """An edit as terms.  ``change`` pairs cell parameters with their deltas; or a frame."""

    params: tuple[tuple[str, str], ...]
    guard: Term
    change: tuple[tuple[str, Term], ...] = ()
    frame: Term | None = None
    step: Term = TRUE

    @property
    def points(self) -> tuple[str, ...]:
        """The cell parameters whose multiplicity changes."""
        return tuple(p for p, _ in self.change)

    @property
    def terms(self) -> tuple[Term, ...]:
        """All that the edit is written with: guard, frame, step and the numbers to add."""
        return (self.guard, self.frame or TRUE, self.step, *(d for _, d in self.change))

    @cached_property
    def multiples(self) -> Mapping[str, tuple[Term, ...]]:
        """By what the frame multiplies each parameter: 7 or L, of a week or a day of L steps."""
        found: dict[str, dict[Term, None]] = {n: {} for n, sort in self.params if sort == INT}
        for term in subterms(self.frame or TRUE):
            for named, factor in (term.terms, term.terms[::-1]) if term.op == "mul" else ():
                bound = free_variables(factor) & {"c", *found}
                if named.op == "var" and named.name in found and not bound:
                    found[named.name][factor] = None
        return {name: tuple(factors) for name, factors in found.items()}

    @cached_property
    def measured(self) -> tuple[Term, ...]:
        """The numbers of a cell that the frame speaks of, but attributes: ``day(c) // 7``."""
        names = {name for name, _ in self.params}
        return tuple(
            t for t in dict.fromkeys(subterms(self.frame or TRUE))
            if t.sort == INT and t.op != "attr" and "c" in free_variables(t)
            and not free_variables(t) & names
        )  # fmt: skip

    @property
    def written(self) -> Term | None:
        """What each cell of the frame becomes, if the step moves records along and says just that.

        It is over ``c`` and D.
        """
        step, new = self.step, variable("new", INT)
        if step.op != "eq" or step.terms[0] != new or not reads_database(step):
            return None
        value = step.terms[1]
        return None if free_variables(value) & {"old", "new"} else value

    def renamed(self, mark: str | int) -> BoundEdit:
        """Return the edit with parameters renamed, so that two edits do not share any.

        What is before the mark cannot be in a name, so that ``x.2`` is nothing else, either.
        """
        names = {n: f"{n}.{mark}" for n, _ in self.params}
        new = {n: variable(names[n], s) for n, s in self.params}
        return BoundEdit(
            tuple((names[n], s) for n, s in self.params),
            substitute(self.guard, new),
            tuple((names[p], substitute(d, new)) for p, d in self.change),
            None if self.frame is None else substitute(self.frame, new),
            substitute(self.step, new),
        )


@dataclass(frozen=True)
class BoundGranularity:
    """A granularity over a domain, as terms."""

    name: str
    edits: tuple[BoundEdit, ...]
    symbol: str
    directed: bool
    domain: Domain
    source: Granularity

    @property
    def local(self) -> bool:
        """Whether no edit, and no fact of the class, looks from one cell at another by its name.

        What is proved of single cells alone (families of neighbours) needs that.
        """
        return not (self.domain.facts or self.far)

    @property
    def far(self) -> bool:
        """Whether an edit looks from one cell at another by its name."""
        terms = (t for e in self.edits for part in e.terms for t in subterms(part))
        named = any(t.op == "tuple" and t.sort == CELL for t in terms)
        return named or any(reads_database(e.step) for e in self.edits)


def with_arguments(domain: Domain, arguments: Mapping[str, str]) -> Scope:
    """Return the domain's scope in which argument words stand for terms over ``c``, or tuples."""
    scope = domain.scope()
    inner = scope.having({"c": CELL})
    macros: dict[str, Term] = {}
    for word, meaning in arguments.items():
        try:
            macros[word] = parse_argument(meaning, inner)
        except InputError as error:
            raise error.within(f"argument '{word}'") from None
    return replace(scope, macros={**scope.macros, **macros})


def resolve_sorts(text: str, scope: Scope, sorts: Sequence[str]) -> tuple[str, ...]:
    """Return the sorts that ``text`` names: ``sort(word)`` of a tuple is one for each value."""
    macro = scope.macros.get(text.removeprefix("sort(").removesuffix(")").strip())
    if text.startswith("sort(") and macro is not None and macro.op == "tuple":
        return tuple(t.sort for t in macro.terms)
    return (resolve_sort(text, scope, sorts),)


def resolve_sort(text: str, scope: Scope, sorts: Sequence[str]) -> str:
    """Return the sort that ``text`` names: a sort, or ``sort(word)`` for that of a word.

    Raises:
        InputError: there is no such sort, or the word stands for several values.
    """
    if text.startswith("sort(") and text.endswith(")"):
        word = text[5:-1].strip()
        if word in scope.macros:
            meaning = scope.macros[word]
            if meaning.op == "tuple":
                msg = f"'{word}' stands for several values, and one is needed here"
                raise InputError(msg, word=word)
            return meaning.sort
        if word in scope.attributes:
            return scope.attributes[word]
        msg = f"'{text}': {nearest(word, [*scope.macros, *scope.attributes])}"
        raise InputError(msg, word=word)
    if text not in sorts:
        msg = f"unknown sort '{text}'; {nearest(text, sorts)}"
        raise InputError(msg, word=text)
    return text


def check_free(name: str, domain: Domain, kind: str) -> None:
    """Refuse a name of a variable that means a symbol or a value already, and would hide it."""
    values = {v for vs in domain.enumerations.values() for v in vs}
    for word, names in (("symbol", set(domain.symbols)), ("value", values)):
        if name in names:
            msg = f"the {kind} '{name}' is also a {word} of the domain"
            raise InputError(msg, word=name)


def _bind_edit(edit: Edit, scope: Scope, domain: Domain, where: str) -> BoundEdit:
    try:
        known = [CELL, INT, BOOL, *domain.sorts(), *domain.enumerations]
        for name in edit.params:
            if not IDENTIFIER.match(name) or name in RESERVED - INDICES:
                msg = f"'{name}' cannot be the name of a parameter"
                raise InputError(msg, word=name)
            check_free(name, domain, "parameter")
        params = {n: resolve_sort(s, scope, known) for n, s in edit.params.items()}
        inner = scope.having(params, ("D",))
        guard = parse(edit.guard, inner, BOOL)
        if (edit.change is None) == (edit.frame is None):
            msg = "an edit has either 'change' or 'frame', exactly one of them"
            raise InputError(msg, word="change" if edit.change is not None else "edit")
        if edit.change is not None:
            change = []
            for point, delta in edit.change.items():
                if params.get(point) != CELL:
                    cells = [n for n, s in params.items() if s == CELL]
                    meant = nearest(point, cells)
                    if not IDENTIFIER.match(point):
                        meant = f"declare one, say u, with u == {point} in the guard"
                    msg = f"change: '{point}' is not a cell parameter; {meant}"
                    raise InputError(msg, word=point)
                change.append((point, parse(delta, inner, INT)))
            if not change:
                msg = "change is empty: the edit does nothing"
                raise InputError(msg, word="change")
            return BoundEdit(tuple(params.items()), guard, tuple(change))
        over_cell = inner.having({"c": CELL}, ())
        frame = parse(edit.frame or "true", over_cell, BOOL)
        step = parse(edit.step, over_cell.having({"old": INT, "new": INT}, ("D",)), BOOL)
        return BoundEdit(tuple(params.items()), guard, (), frame, step)
    except InputError as error:
        raise error.within(where) from None


def _successive(edits: Sequence[BoundEdit], count: int, *, directed: bool) -> list[BoundEdit]:
    """Return the edits that make up to ``count`` given ones in a row.

    The guard of a later edit reads the database that the earlier ones left, so ``D[p]`` becomes
    ``D[p]`` plus what was added at p before; what lies between must stay natural.  Unless the
    granularity is directed, every step may lead either way.
    """
    found = list(edits)
    last = list(edits)
    if count > 1 and not directed:
        last = [*edits, *(_reversed(e) for e in edits)]
    steps = list(last)
    for number in range(2, count + 1):
        if len(found) + len(last) * len(steps) > MOST_EDITS:
            msg = f"{count} successive edits are more than {MOST_EDITS} kinds of edits, too many"
            raise InputError(msg, word="group")
        last = [_then(first, e.renamed(number)) for first in last for e in steps]
        found.extend(last)
    return found


def _reversed(edit: BoundEdit) -> BoundEdit:
    """Return the edit that undoes a given one: its guard reads the database that it leads to."""
    if edit.frame is not None or any(
        t.op in ("at", "size") for _, d in edit.change for t in subterms(d)
    ):
        msg = "a group of edits needs edits whose numbers do not depend on the database"
        raise InputError(msg, word="group")
    undone = tuple((p, Term("neg", (d,), INT)) for p, d in edit.change)
    back = tuple(
        (p, integer(-d.number) if d.op == "int" else n)
        for (p, d), (_, n) in zip(edit.change, undone, strict=True)
    )
    turned = BoundEdit(edit.params, TRUE, back)
    source = [
        Term("ge", (_moved(Term("at", ("D", variable(p, CELL)), INT), turned), integer(0)), BOOL)
        for p in turned.points
    ]
    return BoundEdit(edit.params, conjunction([*source, _moved(edit.guard, turned)]), back)


def _moved(term: Term, first: BoundEdit) -> Term:
    """Return a term about the database after an edit as one about the database before it."""
    args = tuple(_moved(a, first) if isinstance(a, Term) else a for a in term.args)
    term = Term(term.op, args, term.sort)
    if term.op == "at":
        cell = term.terms[0]
        for p, d in first.change:
            term = Term("add", (term, _added_at(cell, p, d)), INT)
    elif term.op == "size":
        for _, d in first.change:
            term = Term("add", (term, d), INT)
    return term


def _added_at(cell: Term, point: str, delta: Term) -> Term:
    here = Term("eq", (cell, variable(point, CELL)), BOOL)
    return Term("ite", (here, delta, integer(0)), INT)


def _then(first: BoundEdit, second: BoundEdit) -> BoundEdit:
    if first.frame is not None or second.frame is not None:
        msg = "a group of edits needs edits with 'change', not with 'frame'"
        raise InputError(msg, word="group")

    def after(term: Term) -> Term:
        return _moved(term, first)

    natural = [
        Term("ge", (after(Term("at", ("D", variable(p, CELL)), INT)), integer(0)), BOOL)
        for p, _ in first.change
    ]
    return BoundEdit(
        first.params + second.params,
        conjunction([first.guard, *natural, after(second.guard)]),
        first.change + tuple((p, after(d)) for p, d in second.change),
    )
