"""Database classes: a database gives every cell a natural number, and nothing else exists."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from dpcomp_sym.errors import InputError, foreign_letter, nearest
from dpcomp_sym.printable import one_line
from dpcomp_sym.terms import BOOL, CELL, INT, Scope, Term, parse
from dpcomp_sym.terms.parse import IDENTIFIER, WORDS

__all__ = ["RESERVED", "Domain", "Function", "Universe"]

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


@dataclass(frozen=True)
class Domain:
    """A class of databases.

    Args:
        attributes: name → sort of the attributes that make up a cell.  A sort is ``"int"``,
            ``"bool"``, a list of values (an enumerated sort named like the attribute), or any
            other name (an uninterpreted sort: nothing is known of it).
        functions: name → (argument sorts, result sort); ``"cell"`` is an allowed argument.
        symbols: name → fact on an integer symbol (``{"w": "w >= 1"}``; ``"true"`` for none).
        cell: which tuples are cells, a formula over ``c``.
        cap: the largest multiplicity, ``None`` for multisets, 1 for sets.
        size: facts on ``size(D)``.
        limits: pairs (term over ``c``, bound): at most so many records share a value of the term,
            which may be a tuple: ``("row(c), column(c)", 1)``.
        facts: formulas over ``c`` and ``D`` that hold for all cells of a database of the class:
            ``"implies(D[c] >= 1, idx(c) <= size(D))"``.  What a map hands on need not satisfy them.
        universe: what is known of the set X of all cells.
        name: display name.

    Raises:
        InputError: a word is unknown or a formula cannot be read.

    >>> d = Domain({"id": "Record", "owner": "Owner"}, limits=[("owner(c)", "m")],
    ...            symbols={"m": "m >= 1"})
    >>> d.sorts()
    ('Owner', 'Record')
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

    def __post_init__(self) -> None:
        """Read every formula once, so that an error names the place of the formula."""
        object.__setattr__(self, "name", one_line(self.name))
        self._check_names()
        _ = (self.cell_term, self.size_terms, self.limit_terms, self.fact_terms, self.symbol_terms)
        if self.cap is not None and self.cap < 1:
            msg = f"cap is the largest multiplicity, a number >= 1 or nothing, not {self.cap}"
            raise InputError(msg, word=str(self.cap))

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
