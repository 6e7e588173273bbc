"""Database classes: a database gives every cell a natural number, and nothing else exists."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from dpcomp_sym.errors import InputError, foreign_letter, nearest
from dpcomp_sym.model.checks import check_choice, check_count
from dpcomp_sym.model.frozen import hash_of_fields
from dpcomp_sym.printable import one_line, readable
from dpcomp_sym.terms import BOOL, CELL, INT, Scope, Term, parse, variable
from dpcomp_sym.terms.expression import (
    Database,
    Expression,
    FunctionSymbol,
    Record,
    all_written,
    as_text,
    sort_of,
    written,
)
from dpcomp_sym.terms.parse import IDENTIFIER, WORDS

__all__ = ["RESERVED", "BoundDistinct", "Distinct", "Domain", "Function", "Universe"]

RESERVED = frozenset({
    *keyword.kwlist, *WORDS, "D", "E", "c", "i", "j", "old", "new", "cell", "int", "bool",
})  # fmt: skip
"""Words of the language, which name nothing else."""


class Universe(StrEnum):
    """What is known of X, the set of all cells that can hold records.

    ``any``: nothing; a statement is proved for every X and refuted by some X.
    ``infinite``: X is infinite.  ``product``: X holds every tuple of attribute values (that
    satisfies the cell condition).
    """

    ANY = "any"
    INFINITE = "infinite"
    PRODUCT = "product"


@dataclass(frozen=True, slots=True)
class Function:
    """A function between sorts, such as owner → household; uninterpreted."""

    name: str
    arguments: tuple[str, ...]
    result: str


class Distinct(NamedTuple):
    """A limit on distinct values: so many of a term, among the records that share another one.

    ``Distinct("team(c)", "user(c)", "m")``: the records of each user are in at most m teams, with
    any number of records in each.
    """

    of: str
    """The term over ``c`` whose values are counted, once each; it may be a tuple."""
    each: str
    """Over the records that share a value of this term; ``true`` for all records."""
    at_most: str | int
    """How many values there may be."""


class BoundDistinct(NamedTuple):
    """A limit on distinct values, as terms: of ``of``, over the records alike in ``each``."""

    of: Term
    each: Term
    at_most: Term


@dataclass(frozen=True, init=False)
class Domain:
    """A class of databases.

    Args:
        attributes: name → sort of the attributes that make up a cell.  A sort is ``"int"``,
            ``"bool"`` (or Python's ``int`` and ``bool``), a list of values (an enumerated sort
            named like the attribute), or any other name (an uninterpreted sort: nothing is known
            of it).  They can be arguments of their own: ``Domain(person="Person", day=int)``.
        functions: name → (argument sorts, result sort); ``"cell"`` is an allowed argument.
        symbols: name → fact on an integer symbol (``{"w": "w >= 1"}``; ``"true"`` for none).
        cell: which tuples are cells, a formula over ``c``.
        cap: the largest multiplicity, ``None`` for multisets, 1 for sets.
        size: facts on ``size(D)``.
        limits: pairs (term over ``c``, bound): at most so many records share a value of the term,
            which may be a tuple: ``("row(c), column(c)", 1)``.
        distinct: triples (term, term that records share, bound), as :class:`Distinct` says: at most
            so many different values of the first one among records alike in the second.
        facts: formulas over ``c`` and ``D`` that hold for all cells of a database of the class:
            ``"implies(D[c] >= 1, idx(c) <= size(D))"``.  What a map hands on need not satisfy them.
        universe: what is known of the set X of all cells: ``any``, ``infinite`` or ``product``.
        name: display name.

    Formulas are texts, or functions that make expressions of ``c`` and ``D``:
    ``cell=lambda c: c.day >= 1``.  Expressions elsewhere are made from :attr:`c`, :attr:`D`, and
    what :meth:`function` and :meth:`symbol` return.

    Raises:
        InputError: a word is unknown or a formula cannot be read.

    >>> d = Domain({"id": "Record", "owner": "Owner"}, limits=[("owner(c)", "m")],
    ...            symbols={"m": "m >= 1"})
    >>> d.sorts()
    ('Owner', 'Record')
    >>> visits = Domain(person="Person", day=int)
    >>> home = visits.function("household", "Person", "House")
    >>> (home(visits.c.person) == home(visits.c.person)) & (visits.c.day >= 1)
    household(person(c)) == household(person(c)) and day(c) >= 1
    """

    attributes: Mapping[str, str | Sequence[str]]
    functions: Mapping[str, tuple[Sequence[str], str]] = field(default_factory=dict)
    symbols: Mapping[str, str] = field(default_factory=dict)
    cell: str = "true"
    cap: int | None = None
    size: Sequence[str] = ()
    limits: Sequence[tuple[str, str | int]] = ()
    universe: Universe = Universe.ANY
    at_least: int = 1
    name: str = ""
    facts: Sequence[str] = ()
    distinct: Sequence[Distinct] = ()

    __repr__ = readable
    __hash__ = hash_of_fields

    def __init__(
        self,
        attributes: Mapping[str, Any] | None = None,
        functions: Mapping[str, tuple[Sequence[Any], Any]] | None = None,
        symbols: Mapping[str, Any] | None = None,
        cell: Any = "true",
        cap: int | None = None,
        size: Any = (),
        limits: Sequence[tuple[Any, Any]] = (),
        universe: Universe | str = Universe.ANY,
        at_least: int = 1,
        name: str = "",
        facts: Any = (),
        distinct: Sequence[tuple[Any, Any, Any]] = (),
        **more: Any,
    ) -> None:
        """Read every formula once, so that an error names the place of the formula."""
        check_choice(universe, Universe, "universe")
        check_count(at_least, "'at_least'")
        if cap is not None:
            check_count(cap, "the cap, the largest multiplicity,")
        if attributes is not None and more:
            word = next(iter(more))
            known_words = [f.name for f in fields(self)]
            msg = f"a domain takes no '{word}' beside its attributes; {nearest(word, known_words)}"
            raise InputError(msg, word=word)
        sorts = {a: _sort(a, s) for a, s in (more if attributes is None else attributes).items()}
        known: dict[str, Any] = {
            "attributes": sorts,
            "functions": {n: (tuple(map(sort_of, args)), sort_of(result))
                          for n, (args, result) in (functions or {}).items()},
            "symbols": {n: as_text(f) for n, f in (symbols or {}).items()},
            "cap": cap, "universe": Universe(universe), "at_least": at_least,
            "name": one_line(name),
            "cell": "true", "size": (), "limits": (), "facts": (), "distinct": (),
        }  # fmt: skip
        self.__dict__.update(known)
        self._check_names()
        words = {"c": self.c, "D": self.D}
        self.__dict__["cell"] = as_text(cell, words)
        self.__dict__["size"] = all_written(size, words)
        self.__dict__["limits"] = tuple((written(t, words), written(n)) for t, n in limits)
        self.__dict__["facts"] = all_written(facts, words)
        self.__dict__["distinct"] = tuple(
            Distinct(written(of, words), written(each, words), written(most))
            for of, each, most in distinct
        )
        _ = (self.cell_term, self.size_terms, self.limit_terms, self.fact_terms, self.symbol_terms)
        _ = self.distinct_terms

    def _check_names(self) -> None:
        seen: set[str] = set()
        groups: Iterable[tuple[str, Iterable[str]]] = (
            ("attribute", self.attributes),
            ("function", self.functions),
            ("symbol", self.symbols),
            ("value", [v for vs in self.enumerations.values() for v in vs]),
        )
        for word, names in groups:
            kind = f"an {word}" if word == "attribute" else f"a {word}"
            for name in names:
                if not IDENTIFIER.match(name):
                    msg = (
                        f"'{name}' cannot be the name of {kind}: letters, digits and _ only"
                        + foreign_letter(str(name))
                    )
                    raise InputError(msg, word=str(name))
                if name in RESERVED:
                    msg = f"'{name}' cannot be the name of {kind}: the word is reserved"
                    raise InputError(msg, word=name)
                if name in seen:
                    msg = f"the name '{name}' is used twice in the domain"
                    raise InputError(msg, word=name)
                seen.add(name)
        for attribute, sort in self.attributes.items():
            if not isinstance(sort, str) and not list(sort):
                msg = f"attribute '{attribute}' has an empty list of values"
                raise InputError(msg, word=attribute)
            if isinstance(sort, str):
                _check_sort(sort)
            if sort == CELL:
                msg = f"attribute '{attribute}' cannot itself be a cell"
                raise InputError(msg, word=attribute)
        known = {INT, BOOL, CELL, *self.attribute_sorts.values()}
        results = {result for _, result in self.functions.values()}
        for name, (arguments, result) in self.functions.items():
            for sort in arguments:
                if sort not in known | results:
                    hint = nearest(sort, known)
                    msg = f"function '{name}' takes the unknown sort '{sort}'; {hint}"
                    raise InputError(msg, word=sort)
            _check_sort(result)
            if result == CELL:
                msg = f"function '{name}' cannot return a cell"
                raise InputError(msg, word=name)

    @property
    def c(self) -> Record:
        """A record, as formulas call it."""
        return Record(variable("c", CELL), self.attribute_sorts)

    @property
    def D(self) -> Database:  # noqa: N802 - its name on paper
        """The database, as formulas call it."""
        return Database("D", self.attribute_sorts)

    def function(self, name: str, *sorts: Any) -> FunctionSymbol:
        """Add a function, and return it.

        Problems that are there already do not change.

        Args:
            name: what it is called.
            sorts: what it takes, and last what it returns.

        Raises:
            InputError: the name means something else already, or a sort is unknown.

        >>> visits = Domain(person="Person")
        >>> visits.function("household", "Person", "House")(visits.c.person)
        household(person(c))
        """
        if not sorts:
            raise InputError("a function has the sort that it returns, at least", word=name)
        *arguments, result = map(sort_of, sorts)
        signature = (tuple(arguments), result)
        if self.signatures.get(name, signature) != signature:
            said = f"the function '{name}' is there already, with other sorts"
            raise InputError(said, word=name)
        self._become(functions={**self.functions, name: signature})
        return FunctionSymbol(name, *signature)

    def symbol(
        self, name: str, *, at_least: int | None = None, at_most: int | None = None
    ) -> Expression:
        """Add a symbol for a whole number, and return it.

        Problems that are there already do not change.

        Args:
            name: what it is called.
            at_least: its least number, if there is one.
            at_most: its largest number, if there is one.

        Raises:
            InputError: the name means something else already.

        >>> visits = Domain(person="Person", day=int)
        >>> visits.c.day < visits.symbol("w", at_least=1) + 1, visits.symbols
        (day(c) < w + 1, {'w': 'w >= 1'})
        """
        ends = ((">=", at_least), ("<=", at_most))
        facts = [f"{name} {sign} {end}" for sign, end in ends if end is not None]
        self._become(symbols={**self.symbols, name: " and ".join(facts) or "true"})
        return Expression(variable(name, INT))

    def _become(self, **changes: Any) -> None:
        """Take over what a domain with these changes is; it is only done if there is one."""
        changed = replace(self, **changes)
        self.__dict__.clear()
        self.__dict__.update(changed.__dict__)

    @cached_property
    def enumerations(self) -> dict[str, tuple[str, ...]]:
        """The enumerated sorts with their values."""
        return {a: tuple(s) for a, s in self.attributes.items() if not isinstance(s, str)}

    @cached_property
    def attribute_sorts(self) -> dict[str, str]:
        """The sort of every attribute; a list of values is a sort named like its attribute."""
        return {a: s if isinstance(s, str) else a for a, s in self.attributes.items()}

    @cached_property
    def positions(self) -> dict[str, int]:
        """The place of every attribute in a cell."""
        return {a: n for n, a in enumerate(self.attributes)}

    @cached_property
    def signatures(self) -> dict[str, tuple[tuple[str, ...], str]]:
        """The functions with their sorts."""
        return {n: (tuple(args), result) for n, (args, result) in self.functions.items()}

    def sorts(self) -> tuple[str, ...]:
        """Return the uninterpreted sorts, sorted by name."""
        found = set(self.attribute_sorts.values())
        for args, result in self.signatures.values():
            found |= {*args, result}
        return tuple(sorted(found - {INT, BOOL, CELL} - set(self.enumerations)))

    def scope(self) -> Scope:
        """Return what names mean in formulas about this domain."""
        return Scope(
            variables=dict.fromkeys(self.symbols, INT),
            constants={v: s for s, values in self.enumerations.items() for v in values},
            attributes=self.attribute_sorts,
            functions=self.signatures,
        )

    @cached_property
    def cell_term(self) -> Term:
        """Which tuples are cells, over ``c``."""
        return _read(self.cell, self.scope().having({"c": CELL}), BOOL, "domain, cell")

    @cached_property
    def size_terms(self) -> tuple[Term, ...]:
        """The facts on ``size(D)``."""
        scope = self.scope().having(databases=("D",))
        return tuple(_read(s, scope, BOOL, "domain, size") for s in self.size)

    @cached_property
    def limit_terms(self) -> tuple[tuple[Term, Term], ...]:
        """The limits, as (key over ``c``, bound)."""
        scope = self.scope()
        return tuple(
            (
                _read(key, scope.having({"c": CELL}), None, "domain, limits", tuples=True),
                _read(bound, scope, INT, "domain, limits"),
            )
            for key, bound in self.limits
        )

    @cached_property
    def distinct_terms(self) -> tuple[BoundDistinct, ...]:
        """The limits on distinct values."""
        scope, where = self.scope(), "domain, distinct"
        over = scope.having({"c": CELL})
        return tuple(
            BoundDistinct(
                _read(of, over, None, where, tuples=True),
                _read(each, over, None, where, tuples=True),
                _read(bound, scope, INT, where),
            )
            for of, each, bound in self.distinct
        )

    @cached_property
    def limited(self) -> bool:
        """Whether something of a group of records is limited: how many, or how many values."""
        return bool(self.limits or self.distinct)

    @cached_property
    def sufficient_limits(self) -> tuple[tuple[Term, Term], ...]:
        """Limits on numbers of records that imply all limits, also those on distinct values.

        So few records have no more values.  A database that keeps these is in the class as far as
        limits go; one of the class need not keep them.
        """
        return (*self.limit_terms, *((each, bound) for _, each, bound in self.distinct_terms))

    @cached_property
    def fact_terms(self) -> tuple[Term, ...]:
        """The facts on all cells of a database, over ``c`` and ``D``."""
        scope = self.scope().having({"c": CELL}, ("D",))
        return tuple(_read(f, scope, BOOL, "domain, facts") for f in self.facts)

    @cached_property
    def symbol_terms(self) -> dict[str, Term]:
        """The facts on the symbols."""
        scope = self.scope()
        return {n: _read(f, scope, BOOL, f"domain, symbol '{n}'") for n, f in self.symbols.items()}

    def without_sizes(self) -> Domain:
        """Return the class over the same cells without what smaller databases need not satisfy."""
        return replace(self, size=(), facts=())


def _sort(name: str, given: Any) -> str | tuple[str, ...]:
    """Return the sort of an attribute: a name, or the values of an enumerated one."""
    found = sort_of(given)
    if isinstance(found, str):
        return found
    if not isinstance(found, list | tuple) or not all(isinstance(v, str) for v in found):
        msg = f"attribute '{name}' has a sort, a name or a list of values, not {given!r}"
        raise InputError(msg, word=name)
    return tuple(found)


def _check_sort(name: str) -> None:
    """Refuse a word that cannot be a sort; it becomes a word of the solver's scripts."""
    if not IDENTIFIER.match(name):
        msg = f"'{name}' cannot be the name of a sort: letters, digits and _ only"
        raise InputError(msg + foreign_letter(name), word=name)


def _read(
    text: str | int, scope: Scope, sort: str | None, where: str, *, tuples: bool = False
) -> Term:
    try:
        return parse(text, scope, sort, tuples=tuples)
    except InputError as error:
        raise error.within(where) from None
