"""Preprocessing maps: which cells a block keeps, and under which attributes they are seen."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.model.checks import check_count, check_truth
from dpcomp_sym.model.domain import RESERVED, Domain, Universe
from dpcomp_sym.model.frozen import hash_of_fields
from dpcomp_sym.model.granularity import (
    INDICES,
    BoundGranularity,
    check_free,
    resolve_sort,
    resolve_sorts,
    with_arguments,
)
from dpcomp_sym.printable import readable
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    TRUE,
    Term,
    conjunction,
    conjuncts,
    free_variables,
    parse,
    substitute,
    to_text,
)
from dpcomp_sym.terms.expression import all_written, as_text, sort_of, written
from dpcomp_sym.terms.parse import IDENTIFIER
from dpcomp_sym.terms.term import integer

__all__ = ["BoundMap", "Map", "bare_function", "own_function"]

PATH: Final = "."
"""What parts the names in a path: no name that a user gives holds it."""
READS: Final = re.compile(r"\b[DE]\s*\[|\bsize\s*\(|\bcount\s*\(")
"""What would count the records of a database."""


@dataclass(frozen=True)
class Map:
    """A map, or a family of maps with one for each block.

    Block i keeps the records in the cells that satisfy ``member``; with ``image`` the records
    are then counted by the values of the image attributes (a projection; no attribute at all
    gives the cardinality).

    Args:
        name: display name, and the name by which parts refer to the map.
        member: a formula over ``c`` and the indices.
        index: index name → size, a symbol or a number; empty for a single map.
        functions: name → (argument sorts, result): functions that belong to the map; nothing is
            known of them but the facts, so one proof covers every choice.
        facts: formulas over ``c`` that hold for all cells.
        multiplicity: at most so many blocks hold one cell (a number or symbol); found when absent.
        image: attribute → term over ``c``, for a projection.
        arguments: words in the formulas → what they stand for.
        partition: the blocks are claimed to be disjoint; a false claim is refused.

    >>> halves = Map("halves", "h(c) == i", {"i": "k"}, {"h": (["cell"], "int")})
    >>> halves.bind(Domain({"id": "Record"})).indices
    (('i', 'k'),)
    """

    name: str
    member: str = "true"
    index: Mapping[str, str | int] = field(default_factory=dict)
    functions: Mapping[str, tuple[Sequence[str], str]] = field(default_factory=dict)
    facts: Sequence[str] = ()
    multiplicity: str | int | None = None
    image: Mapping[str, str] | None = None
    symbols: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, str] = field(default_factory=dict)
    partition: bool = False

    __repr__ = readable
    __hash__ = hash_of_fields

    def __post_init__(self) -> None:
        """Keep formulas as texts, whatever they were written with."""
        image = self.image and {a: as_text(t) for a, t in self.image.items()}
        changed = {
            "member": as_text(self.member),
            "index": {i: written(size) for i, size in self.index.items()},
            "functions": {n: (tuple(map(sort_of, args)), sort_of(result))
                          for n, (args, result) in self.functions.items()},
            "facts": all_written(self.facts),
            "multiplicity": written(self.multiplicity),
            "image": image,
            "symbols": {n: as_text(f) for n, f in self.symbols.items()},
            "arguments": {w: as_text(m) for w, m in self.arguments.items()},
        }  # fmt: skip
        self.__dict__.update(changed)
        for name, size in self.index.items():
            check_count(size, f"the number of blocks, of index '{name}',", or_symbol=True)
        if self.multiplicity is not None:
            check_count(self.multiplicity, "'multiplicity'", or_symbol=True)
        check_truth(self.partition, "'partition'")

    def counted(self, numbers: Mapping[str, int]) -> Map:
        """Return the map with numbers in the place of the symbols that say how many blocks it has.

        What is known of the symbols stays.

        >>> Map("halves", "h(c) == i", {"i": "k"}, facts=["h(c) <= k"]).counted({"k": 2}).facts
        ('h(c) <= 2',)
        """
        known = {s: n for s in self.index.values() if isinstance(s, str) and (n := numbers.get(s))}
        if not known:
            return self
        names = re.compile(rf"\b({'|'.join(known)})\b")

        def told(text: Any) -> Any:
            return names.sub(lambda m: str(known[m[0]]), text) if isinstance(text, str) else text

        return replace(
            self, member=told(self.member), facts=tuple(map(told, self.facts)),
            index={i: known.get(str(size), size) for i, size in self.index.items()},
            multiplicity=known.get(str(self.multiplicity), self.multiplicity),
            image=self.image and {a: told(t) for a, t in self.image.items()},
            arguments={word: told(meaning) for word, meaning in self.arguments.items()},
        )  # fmt: skip

    def bind(self, domain: Domain) -> BoundMap:
        """Read the formulas over the names of ``domain``.

        The map's own function ``h`` is called ``blocks.h``, so that two maps never share one, and
        none is one of the domain, which all use.

        Raises:
            InputError: a word is unknown, or a formula has the wrong sort.
        """
        try:
            self._one_by_one()
            return self._bind(domain)
        except InputError as error:
            raise error.within(f"map '{self.name}'") from None

    def _one_by_one(self) -> None:
        """Check that no formula reads the database, which a map cannot do."""
        for text in (self.member, *self.facts, *(self.image or {}).values()):
            read = READS.search(text)
            if read is not None:
                msg = (
                    f"'{text}' counts records; a map keeps each record or not, whatever others "
                    "there are. For ranks see the map 'truncation', for code dpcomp stability"
                )
                raise InputError(msg, word=read.group())

    def _signatures(self, domain: Domain) -> dict[str, tuple[tuple[str, ...], str]]:
        """Return the sorts of the map's own functions.

        They may be those of arguments, ``sort(by)``, and an argument may use a function whose sorts
        are plain: these come first.
        """
        clash = set(self.functions) & (set(domain.functions) | set(domain.attributes))
        if clash:
            word = min(clash)
            msg = f"the map's function '{word}' has the name of something in the domain"
            raise InputError(msg, word=word)
        sorts = [CELL, INT, BOOL, *domain.sorts(), *domain.enumerations]
        found: dict[str, tuple[tuple[str, ...], str]] = {}
        given = {n: (*arguments, result) for n, (arguments, result) in self.functions.items()}
        plain = [n for n, words in given.items() if not any("(" in w for w in words)]
        for names in (plain, [n for n in given if n not in plain]):
            unknown = {n: given[n] for n in given if n not in found}
            known = {w: m for w, m in self.arguments.items() if not _mentions(m, unknown)}
            extended = replace(domain, functions={**domain.functions, **found})
            scope = with_arguments(extended, known)
            for name in names:
                *words, last = given[name]
                each = (resolve_sorts(w, scope, sorts) for w in words)
                arguments = tuple(itertools.chain.from_iterable(each))
                found[name] = (arguments, resolve_sort(last, scope, sorts))
        return found

    def _bind(self, domain: Domain) -> BoundMap:
        if not IDENTIFIER.match(self.name):
            msg = f"'{self.name}' cannot be the name of a map: letters, digits and _ only"
            raise InputError(msg, word=self.name)
        sizes = {s: f"{s} >= 1" for s in self.index.values() if isinstance(s, str)}
        symbols = {**sizes, **dict(self.symbols)}
        for word in {*self.index, *self.functions, *symbols}:
            if not IDENTIFIER.match(word):
                msg = f"'{word}' cannot be a name here: letters, digits and _ only"
                raise InputError(msg, word=word)
        own = {n: own_function(self.name, n) for n in self.functions}
        functions = self._signatures(domain)
        extended = replace(
            domain,
            functions={**domain.functions, **functions},
            symbols={**symbols, **domain.symbols},
            size=(), limits=(), distinct=(), facts=(), cell="true",
        )  # fmt: skip
        for word in self.index:
            if word in RESERVED - INDICES:
                msg = f"'{word}' cannot be the name of an index: the word is reserved"
                raise InputError(msg, word=word)
            check_free(word, extended, "index")
        scope = with_arguments(extended, self.arguments)
        over_cell = scope.having({"c": CELL})
        over_block = over_cell.having(dict.fromkeys(self.index, INT))
        member = parse(self.member, over_block, BOOL)
        facts = tuple(parse(f, over_cell, BOOL) for f in self.facts)
        multiplicity = None
        if self.multiplicity is not None:
            multiplicity = parse(self.multiplicity, scope, INT)
        image: tuple[tuple[str, Term], ...] | None = None
        if self.image is not None:
            image = tuple((a, parse(t, over_cell)) for a, t in self.image.items())
        symbol_terms = {
            s: parse(f, scope, BOOL) for s, f in symbols.items() if s not in domain.symbols
        }
        return BoundMap(
            self.name,
            tuple(self.index.items()),
            _prefixed(member, own),
            {own[n]: sig for n, sig in functions.items()},
            tuple(_prefixed(f, own) for f in facts),
            multiplicity,
            None if image is None else tuple((a, _prefixed(t, own)) for a, t in image),
            symbol_terms,
            (self.name,),
        )


@dataclass(frozen=True)
class BoundMap:
    """A map over a domain, as terms; ``member`` is over ``c`` and the names of ``indices``.

    The name is the path of ``origin``, the maps that it is composed of: ``adults.cities``.
    """

    name: str
    indices: tuple[tuple[str, str | int], ...]
    member: Term
    functions: dict[str, tuple[tuple[str, ...], str]]
    facts: tuple[Term, ...]
    multiplicity: Term | None
    image: tuple[tuple[str, Term], ...] | None
    symbols: dict[str, Term]
    origin: tuple[str, ...]

    def with_own_names(self, term: Term) -> Term:
        """Return a term in which the map's functions are called as its author calls them."""
        args = tuple(self.with_own_names(a) if isinstance(a, Term) else a for a in term.args)
        if term.op == "apply" and term.name in self.functions:
            args = (bare_function(term.name), *args[1:])
        return Term(term.op, args, term.sort)

    def sympy(self) -> Any:
        """Return in SymPy when a record c lies in the block with given indices.

        Returns:
            a formula; where records change, with the new values of attributes by name.

        >>> import dpcomp_sym as dp
        >>> weeks = dp.blocks(lambda c, i: c.day // 7 == i, pure="eps")
        >>> d = dp.derive(dp.Domain(day=int), "unbounded", weeks=weeks)
        >>> d.problem.used_maps["weeks"].sympy()
        Eq(floor(day(c)/7), i)
        """
        from dpcomp_sym.terms.symbolic import term_to_sympy

        held = term_to_sympy(self.with_own_names(self.member))
        if self.image is None:
            return held
        return held, {n: term_to_sympy(self.with_own_names(term)) for n, term in self.image}

    @property
    def sizes(self) -> tuple[str | int, ...]:
        """How many blocks there are: a number or a symbol for each index."""
        return tuple(size for _, size in self.indices)

    @property
    def identity(self) -> bool:
        """Whether the map hands on the whole database."""
        return self.member == TRUE and self.image is None

    def within(self, granularity: BoundGranularity, index: Sequence[int]) -> BoundGranularity:
        """Return the granularity of a part on the records of one block: there are no others.

        Where all combinations of values are records it matters to edits that read other records,
        or could name them, which ones there are.  It is the granularity itself where that is not
        known from the attributes alone.

        >>> from dpcomp_sym.model import Domain, Map, library_granularity
        >>> lists = Domain({"position": "int", "val": "Value"}, universe="product")
        >>> part = library_granularity("append", position="position").bind(lists)
        >>> some = Map("some", "position(c) == i", index={"i": "k"}).bind(lists)
        >>> some.within(part, (3,)).domain.cell
        'position(c) == 3'
        """
        domain = granularity.domain
        numbers = dict(zip((n for n, _ in self.indices), index, strict=True))
        known = {"c", *domain.symbols, *numbers}
        if (
            domain.universe is not Universe.PRODUCT or self.functions or self.image is not None
            or self.member == TRUE or free_variables(self.member) - known
        ):  # fmt: skip
            return granularity
        here = substitute(self.member, {name: integer(n) for name, n in numbers.items()})
        cell = to_text(conjunction([*conjuncts(domain.cell_term), here]))
        return replace(granularity, domain=replace(domain, cell=cell))

    @cached_property
    def loose(self) -> bool:
        """Whether the facts hold of any cells, for some values of the map's own functions.

        They do if each keeps one function of the map between 1 and a number of blocks.
        """
        return all(self._keeps(fact) for facts in self.facts for fact in conjuncts(facts))

    def _keeps(self, fact: Term) -> bool:
        if fact.op != "le":
            return False
        low, high = fact.terms
        inside, limit = (high, low) if low == integer(1) else (low, high)
        top = limit.number if limit.op == "int" else limit.name if limit.op == "var" else None
        own = inside.op == "apply" and inside.name in self.functions
        return own and (limit == low or top in self.sizes)

    @property
    def constant(self) -> bool:
        """Whether all blocks see the same records."""
        return not free_variables(self.member) & {n for n, _ in self.indices}

    def after(self, first: BoundMap) -> BoundMap:
        """Return the composition: ``first``, then this map (written over the same attributes).

        Raises:
            InputError: ``first`` changes the attributes, or both use the same index name.
        """
        if first.image is not None:
            msg = f"'{self.name}' cannot follow '{first.name}', which changes the attributes"
            raise InputError(msg, word=self.name)
        shared = {n for n, _ in first.indices} & {n for n, _ in self.indices}
        if shared:
            msg = (
                f"'{first.name}' and '{self.name}' both call an index '{min(shared)}': "
                "give one of them another name"
            )
            raise InputError(msg, word=self.name)
        return BoundMap(
            PATH.join(first.origin + self.origin),
            first.indices + self.indices,
            conjunction([first.member, self.member]),
            {**first.functions, **self.functions},
            first.facts + tuple(f for f in self.facts if f not in first.facts),
            _both(first, self),
            self.image,
            together(first.symbols, self.symbols),
            first.origin + self.origin,
        )


def own_function(mapping: str, name: str) -> str:
    """Return what a map's own function is called outside the map.

    >>> own_function("blocks", "h"), bare_function("blocks.h")
    ('blocks.h', 'h')
    """
    return f"{mapping}{PATH}{name}"


def bare_function(name: str) -> str:
    """Return what a function is called where it is declared: by its map, or by the domain."""
    return name.rpartition(PATH)[2]


def together(*tables: Mapping[str, Term]) -> dict[str, Term]:
    """Return all that is known of symbols: one of several maps is one symbol, for which all holds.

    >>> one = TRUE, parse("k >= 2", Domain({}, symbols={"k": "true"}).scope())
    >>> together({"k": one[0]}, {"k": one[1]}) == {"k": one[1]}
    True
    """
    found: dict[str, list[Term]] = {}
    for table in tables:
        for name, fact in table.items():
            known = found.setdefault(name, [])
            if fact not in known:
                known.append(fact)
    return {name: conjunction(facts) for name, facts in found.items()}


def _both(first: BoundMap, second: BoundMap) -> Term | None:
    """Return how many blocks of a composition hold a cell, where only one map has blocks."""
    if not first.indices:
        return second.multiplicity
    return None if second.indices else first.multiplicity


def _mentions(text: str, words: Mapping[str, object]) -> bool:
    return any(re.search(rf"\b{re.escape(w)}\s*\(", text) for w in words)


def _prefixed(term: Term, own: Mapping[str, str]) -> Term:
    args = tuple(_prefixed(a, own) if isinstance(a, Term) else a for a in term.args)
    if term.op == "apply" and term.name in own:
        args = (own[term.name], *args[1:])
    return Term(term.op, args, term.sort)
