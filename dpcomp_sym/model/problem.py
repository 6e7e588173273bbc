"""A composition problem: a domain, a granularity, maps, and parts that read the maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, get_args

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model.checks import check_choice, check_count
from dpcomp_sym.model.domain import Domain
from dpcomp_sym.model.frozen import hash_of_fields
from dpcomp_sym.model.granularity import BoundGranularity, Granularity
from dpcomp_sym.model.library import granularity_beside, map_beside
from dpcomp_sym.model.mapping import BoundMap, Map, together
from dpcomp_sym.model.toml import toml_of_problem
from dpcomp_sym.notions import usual_parameters
from dpcomp_sym.printable import one_line, readable
from dpcomp_sym.terms import (
    BOOL,
    INT,
    Environment,
    Term,
    conjunction,
    conjuncts,
    evaluate,
    free_variables,
    subterms,
    to_text,
    variable,
)
from dpcomp_sym.terms.expression import all_written, written
from dpcomp_sym.terms.parse import IDENTIFIER
from dpcomp_sym.terms.term import integer

__all__ = ["BoundPart", "InnerClass", "Part", "Problem"]

Setting = Literal["separate", "common"]
Parameter = str | Fraction


@dataclass(frozen=True)
class InnerClass:
    """What a part demands of the databases that its mechanism is private on.

    ``None`` keeps what the map hands on: the cap and limits of the domain for restrictions (and
    its size facts when the map is the identity), nothing at all for images.
    """

    cap: int | None = None
    size: Sequence[str] = ()
    limits: Sequence[tuple[str, str | int]] = ()

    __repr__ = readable

    def __post_init__(self) -> None:
        """Keep formulas as texts, whatever they were written with."""
        if self.cap is not None:
            check_count(self.cap, "the cap, the largest multiplicity,")
        object.__setattr__(self, "size", all_written(self.size))
        limits = tuple((written(key), written(bound)) for key, bound in self.limits)
        object.__setattr__(self, "limits", limits)


@dataclass(frozen=True)
class Part:
    """A mechanism behind a map, or one mechanism for each block of a family.

    Args:
        name: display name.
        map: the map it reads, or several, applied one after the other.
        granularity: the neighbourhood of its guarantee; ``None`` for the outer one.
        guarantees: notion → parameters, names (a vector over the blocks) or exact numbers.
        setting: ``separate``: private on its own domain, the map's image.  ``common``: private on
            the whole domain, and dependent only on what the map keeps.
        inner: the class of databases it is private on (separate domains only).

    >>> Part("counts", "blocks").guarantees["pure"]
    ('eps',)
    """

    name: str
    map: str | Sequence[str]
    granularity: Granularity | None = None
    guarantees: Mapping[str, tuple[Parameter, ...]] = field(
        default_factory=lambda: dict(usual_parameters())
    )
    setting: Setting = "separate"
    inner: InnerClass | None = None

    __hash__ = hash_of_fields

    def __post_init__(self) -> None:
        """Refuse a setting that is none."""
        check_choice(self.setting, get_args(Setting), "setting")


@dataclass(frozen=True)
class BoundPart:
    """A part with its map, inner domain and inner granularity read."""

    name: str
    map: BoundMap
    setting: Setting
    domain: Domain
    granularity: BoundGranularity
    guarantees: tuple[tuple[str, tuple[Parameter, ...]], ...]
    same_granularity: bool
    default_class: bool

    __repr__ = readable

    @property
    def directed(self) -> bool:
        """Whether the guarantees hold in one direction only."""
        return self.granularity.directed


@dataclass(frozen=True)
class Problem:
    """Everything a question is about.

    Raises:
        InputError: the pieces do not fit together; the message says where.

    >>> from dpcomp_sym.model import library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> [p.map.name for p in problem.bound_parts]
    ['blocks']
    """

    domain: Domain
    granularity: Granularity
    maps: Sequence[Map]
    parts: Sequence[Part]
    title: str = ""

    __repr__ = readable
    __hash__ = hash_of_fields

    def __post_init__(self) -> None:
        """Bind everything once, so that errors surface at construction."""
        object.__setattr__(self, "title", one_line(self.title))
        object.__setattr__(self, "domain", copy(self.domain))  # what is added later is not in it
        names = Counter(m.name for m in self.maps)
        for name in names:
            if names[name] > 1:
                msg = f"two maps are called '{name}'"
                raise InputError(msg, word=name)
        parts = Counter(p.name for p in self.parts)
        for name in parts:
            if not IDENTIFIER.match(name):
                msg = f"'{name}' cannot be the name of a part: letters, digits and _ only"
                raise InputError(msg, word=name)
            if parts[name] > 1:
                msg = f"two parts are called '{name}'"
                raise InputError(msg, word=name)
        self._give_way()
        _ = (self.outer, self.bound_maps, self.bound_parts)
        self._check_parameters()
        self._check_divisors()

    def _give_way(self) -> None:
        """Have built-ins take other names than those that the domain uses."""
        domain = self.domain
        object.__setattr__(self, "granularity", granularity_beside(self.granularity, domain))
        object.__setattr__(self, "maps", [map_beside(one, domain) for one in self.maps])
        object.__setattr__(self, "parts", [
            part if part.granularity is None
            else replace(part, granularity=granularity_beside(part.granularity, domain))
            for part in self.parts
        ])  # fmt: skip

    def _check_parameters(self) -> None:
        """Refuse a name of two things: numbers are given by name, and bounds speak by name."""
        first: dict[str, BoundPart] = {}
        for part in self.bound_parts:
            for name in (p for _, ps in part.guarantees for p in ps if isinstance(p, str)):
                where, msg = part, ""
                if not IDENTIFIER.match(name):
                    msg = f"'{name}' cannot be the name of a parameter: letters, digits and _ only"
                elif name in self.symbols:
                    msg = f"'{name}' is a parameter and also a symbol: rename one of them"
                elif first.setdefault(name, part).map.sizes != part.map.sizes:
                    pair = first[name], part
                    where, other = pair if not pair[0].map.sizes else pair[::-1]
                    msg = (
                        f"'{name}' is already the parameter of part '{other.name}', which has "
                        f"other blocks: give this one another name, such as '{name}_{where.name}'"
                    )
                if msg:
                    raise InputError(msg, where=f"part '{where.name}'", word=name)

    def _check_divisors(self) -> None:
        """Refuse a quotient or remainder by a symbol that may be 0, or less, or by a parameter."""
        positive = {name for name, fact in self.symbols.items() if _is_positive(name, fact)}
        positive |= {i for m in self.used_maps.values() for i, _ in m.indices}
        for formula in self.formulas():
            for name in sorted(set(_divisors(formula)) - positive):
                what = f"say '{name} >= 1'" if name in self.symbols else f"write max({name}, 1)"
                msg = f"'{to_text(formula)}' divides by '{name}', which may be 0 or less: {what}"
                raise InputError(msg, word=name)

    def formulas(self, beside: str | None = None) -> Iterator[Term]:
        """Yield all formulas of the problem, but the one that says what is in a block of a map.

        What records are counted by, which is no formula, is not among them.

        >>> from dpcomp_sym.model import library_granularity
        >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
        ...     [Map("all")], [Part("counts", "all")])
        >>> sorted({to_text(formula) for formula in problem.formulas()})
        ['1', 'true']
        """
        yield from self.symbols.values()
        for one in self.used_maps.values():
            yield from one.facts
            yield from (t for _, t in one.image or ())
            yield from () if one.multiplicity is None else (one.multiplicity,)
            yield from () if one.name == beside else (one.member,)
        granularities = (self.outer, *(p.granularity for p in self.bound_parts))
        for granularity in granularities:
            yield from (t for edit in granularity.edits for t in edit.terms)
        classes = [self.domain, self.outer.domain]
        classes += [c for p in self.bound_parts for c in (p.domain, p.granularity.domain)]
        for domain in classes:
            yield domain.cell_term
            yield from domain.size_terms
            yield from domain.fact_terms
            yield from domain.symbol_terms.values()
            yield from (most for _, most in domain.limit_terms)
            yield from (limit.at_most for limit in domain.distinct_terms)

    def to_toml(self, values: Mapping[str, Any] | None = None) -> str:
        """Return the text of a spec that says this problem.

        Args:
            values: numbers for parameters and symbols: integers, fractions, texts, lists of these.

        >>> from dpcomp_sym.model import library_granularity, library_map
        >>> print(Problem(Domain(id="Record"), library_granularity("unbounded"),
        ...     [library_map("partition", name="blocks")],
        ...     [Part("counts", "blocks", guarantees={"pure": ("eps",)})], "Blocks",
        ... ).to_toml({"k": 3}))
        title = "Blocks"
        <BLANKLINE>
        [domain]
        attributes = { id = "Record" }
        <BLANKLINE>
        [granularity]
        use = "unbounded"
        <BLANKLINE>
        [[map]]
        name = "blocks"
        use = "partition"
        <BLANKLINE>
        [[part]]
        name = "counts"
        map = "blocks"
        guarantee = { pure = "eps" }
        <BLANKLINE>
        [values]
        k = 3
        <BLANKLINE>
        """
        return toml_of_problem(self, values)

    @cached_property
    def outer(self) -> BoundGranularity:
        """The granularity of the composition, over the domain."""
        return self.granularity.bind(self.domain)

    @cached_property
    def bound_maps(self) -> dict[str, BoundMap]:
        """The maps by name."""
        return {m.name: m.bind(self.domain) for m in self.maps}

    @cached_property
    def used_maps(self) -> dict[str, BoundMap]:
        """The maps that parts read, compositions included, by name."""
        return {p.map.name: p.map for p in self.bound_parts}

    @cached_property
    def symbols(self) -> dict[str, Term]:
        """All integer symbols with the facts known of them."""
        maps = self.used_maps if self.parts else self.bound_maps
        return together(self.domain.symbol_terms, *(m.symbols for m in maps.values()))

    @cached_property
    def names(self) -> frozenset[str]:
        """All names that the problem gives: letters that a report chooses are none of them."""
        domain = self.domain
        found = {*self.symbols, *domain.functions}
        for attribute, sort in domain.attribute_sorts.items():
            found |= {attribute, sort}
        for granularity in (self.outer, *(p.granularity for p in self.bound_parts)):
            found |= {granularity.name, *(n for e in granularity.edits for n, _ in e.params)}
        for mapping in self.bound_maps.values():
            found |= {mapping.name, *mapping.functions}
            found |= {str(word) for index in mapping.indices for word in index}
        for part in self.bound_parts:
            found |= {part.name, *(str(p) for _, given in part.guarantees for p in given)}
        return frozenset(found)

    def at(self, numbers: Mapping[str, int]) -> Problem:
        """Return the problem with symbols fixed: every question about it is about these numbers.

        What is known of a symbol then fixes its number, too, in the domain and in maps; numbers for
        names that are not symbols of the problem change nothing.

        Raises:
            InputError: a number is not whole, or contradicts what is known of the symbols.

        >>> from dpcomp_sym.model import library_granularity, library_map
        >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
        ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
        >>> problem.at({"k": 3}).maps[0].symbols
        {'k': 'k >= 1 and k == 3'}
        """
        for name, number in numbers.items():
            if type(number) is not int:
                msg = f"{name} = {number}: a symbol is a whole number"
                raise InputError(msg, word=name)
        return self._restated(lambda facts: _fixed(facts, numbers))

    def freed(self) -> Problem:
        """Return the problem without the numbers of symbols that are fixed: what they have is open.

        Whatever is true of all numbers is true of these, so that a proof of it is one of this.

        >>> from dpcomp_sym.model import library_granularity, library_map
        >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
        ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
        >>> problem.at({"k": 3}).freed().maps[0].symbols, problem.freed() is problem
        ({'k': 'k >= 1'}, True)
        """
        divisors = {name for formula in self.formulas() for name in _divisors(formula)}
        return self._restated(lambda facts: _freed(facts, divisors))

    def within(self, least: Mapping[str, int], most: Mapping[str, int | None]) -> Problem:
        """Return the problem where symbols have no other numbers than those of a range.

        Whatever is true of it is true of the problem for these numbers.

        Args:
            least: by symbol, the least number.
            most: by symbol, the largest number, or None.

        >>> from dpcomp_sym.model import library_granularity, library_map
        >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
        ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
        >>> problem.within({"k": 1}, {"k": 2}).maps[0].symbols
        {'k': 'k >= 1 and k <= 2'}
        """

        def narrowed(facts: Mapping[str, Term]) -> dict[str, str]:
            return {name: to_text(_in_range(name, fact, least, most))
                    for name, fact in facts.items() if name in {*least, *most}}  # fmt: skip

        return self._restated(narrowed)

    def counted(self, numbers: Mapping[str, int]) -> Problem:
        """Return the problem whose blocks are as many as numbers say, in the place of symbols.

        >>> from dpcomp_sym.model import library_granularity, library_map
        >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
        ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
        >>> problem.counted({"k": 3}).bound_parts[0].map.sizes
        (3,)
        """
        return replace(self, maps=[one.counted(numbers) for one in self.maps])

    def _restated(self, change: Callable[[Mapping[str, Term]], Mapping[str, str]]) -> Problem:
        """Return the problem with other facts about symbols, in the domain and in the maps."""
        own = [{**m.symbols, **change(self.bound_maps[m.name].symbols)} for m in self.maps]
        symbols = {**self.domain.symbols, **change(self.domain.symbol_terms)}
        before = [self.domain.symbols, *(m.symbols for m in self.maps)]
        if all(dict(b) == now for b, now in zip(before, [symbols, *own], strict=True)):
            return self  # before everything is read anew
        maps = [replace(m, symbols=s) for m, s in zip(self.maps, own, strict=True)]
        changed = replace(self, domain=replace(self.domain, symbols=symbols), maps=maps)
        return self if changed == self else changed

    @cached_property
    def bound_parts(self) -> tuple[BoundPart, ...]:
        """The parts, read."""
        return tuple(self._bind_part(p) for p in self.parts)

    def _bind_part(self, part: Part) -> BoundPart:
        try:
            names = [part.map] if isinstance(part.map, str) else list(part.map)
            if not names:
                msg = "a part needs a map"
                raise InputError(msg)
            for name in names:
                if name not in self.bound_maps:
                    msg = f"unknown map '{name}'; {nearest(name, self.bound_maps)}"
                    raise InputError(msg, word=name)
            mapping = self.bound_maps[names[0]]
            for name in names[1:]:
                mapping = self.bound_maps[name].after(mapping)
            _check_guarantees(part)
            domain = self._inner_domain(part, mapping)
            same = part.granularity is None or part.granularity == self.granularity
            chosen = self.granularity if part.granularity is None else part.granularity
            where = self.domain if part.setting == "common" else domain
            if part.setting == "common" and part.inner is not None:
                msg = "in the common domain a part has no class of its own"
                raise InputError(msg, word="domain")
            return BoundPart(
                part.name, mapping, part.setting, where, chosen.bind(where),
                tuple((n, tuple(ps)) for n, ps in part.guarantees.items()),
                same, part.inner is None,
            )  # fmt: skip
        except InputError as error:
            raise error.within(f"part '{part.name}'") from None

    def _inner_domain(self, part: Part, mapping: BoundMap) -> Domain:
        base = self.domain
        if mapping.image is not None:
            attributes: dict[str, str | Sequence[str]] = {}
            for name, term in mapping.image:
                attributes[name] = term.sort
            usable = {INT, "bool", *(t.sort for _, t in mapping.image)}
            functions = {
                n: (args, result)
                for n, (args, result) in base.signatures.items()
                if set(args) <= usable and n not in attributes
            }
            base = _ImageDomain.of(base, attributes, functions)
        elif not mapping.identity:
            base = base.without_sizes()
        if part.inner is None:
            return base
        return replace(
            base,
            cap=part.inner.cap if part.inner.cap is not None else base.cap,
            size=tuple(part.inner.size),
            limits=tuple(part.inner.limits) or base.limits,
        )


def _fixed(facts: Mapping[str, Term], numbers: Mapping[str, int]) -> dict[str, str]:
    """Return what is known of the symbols that have numbers, the numbers included.

    Raises:
        InputError: a fact fails.
    """
    found = {}
    known = Environment({**numbers})
    for name, fact in facts.items():
        for one in conjuncts(fact):
            names = free_variables(one)
            if names <= set(numbers) and not evaluate(one, known):
                given = ", ".join(f"{n} = {numbers[n]}" for n in sorted(names))
                msg = f"{given or name} contradicts '{to_text(one)}'"
                raise InputError(msg, word=name)
        if name in numbers:
            number = Term("eq", (variable(name, INT), integer(numbers[name])), BOOL)
            kept = (c for c in conjuncts(fact) if c != number)
            found[name] = to_text(conjunction([*kept, number]))
    return found


def _in_range(
    name: str, fact: Term, least: Mapping[str, int], most: Mapping[str, int | None]
) -> Term:
    """Return what is known of a symbol, and that it lies in its range."""
    kept = list(conjuncts(fact))
    for op, end in (("ge", least.get(name)), ("le", most.get(name))):
        if end is not None:
            limit = Term(op, (variable(name, INT), integer(end)), BOOL)
            kept = kept if limit in kept else [*kept, limit]
    return conjunction(kept)


def _freed(facts: Mapping[str, Term], divisors: set[str]) -> dict[str, str]:
    """Return what is known of the symbols with numbers, without these; divisors stay positive."""
    found = {}
    for name, fact in facts.items():
        kept = [c for c in conjuncts(fact) if not _is_number(c, name)]
        if len(kept) < len(conjuncts(fact)):
            if name in divisors and not _is_positive(name, conjunction(kept)):
                kept.append(Term("ge", (variable(name, INT), integer(1)), BOOL))
            found[name] = to_text(conjunction(kept))
    return found


def _is_positive(name: str, fact: Term) -> bool:
    """Return whether a fact says of a symbol that it is at least a number from 1 on."""
    least = {"ge": 1, "gt": 0, "eq": 1}
    other = {"le": "ge", "lt": "gt", "eq": "eq"}
    for one in conjuncts(fact):
        op, sides = one.op, one.terms
        if len(sides) == 2 and sides[0].op == "int" and op in other:
            op, sides = other[op], (sides[1], sides[0])
        named = op in least and sides[0] == variable(name, INT) and sides[1].op == "int"
        if named and sides[1].number >= least[op]:
            return True
    return False


def _divisors(formula: Term) -> Iterator[str]:
    """Yield the variables by which something is divided in a formula."""
    for term in subterms(formula):
        if term.op in ("div", "mod"):
            by = term.terms[1]
            for factor in by.terms if by.op == "mul" else (by,):
                if factor.op == "pow" and factor.terms[1] == integer(1):
                    yield from (t.name for t in factor.terms[:1] if t.op == "var")


def _is_number(fact: Term, name: str) -> bool:
    """Return whether a fact says which number a symbol is."""
    left, right = fact.terms if fact.op == "eq" else (fact, fact)
    return left == variable(name, INT) and not free_variables(right)


def _check_guarantees(part: Part) -> None:
    """Refuse parameters whose names could be taken for something else, such as for a number."""
    for notion, parameters in part.guarantees.items():
        usual = usual_parameters().get(notion, ())
        if len(parameters) != len(usual):
            msg = f"'{notion}' has {', '.join(usual) or 'no meaning'}"
            raise InputError(msg, word=notion)
        for parameter in parameters:
            if isinstance(parameter, str) and not IDENTIFIER.match(parameter):
                msg = f"'{parameter}' cannot be the name of a parameter: letters, digits and _ only"
                raise InputError(msg, word=parameter)
            if not isinstance(parameter, str) and parameter < 0:
                msg = f"{notion}: {parameter} is negative"
                raise InputError(msg, word=str(parameter))


class _ImageDomain:
    """Builds the domain of a projection: natural multiplicities over the image attributes."""

    @staticmethod
    def of(
        base: Domain,
        attributes: dict[str, str | Sequence[str]],
        functions: Mapping[str, tuple[Sequence[str], str]],
    ) -> Domain:
        enumerated = {
            name: base.enumerations[sort]
            for name, sort in attributes.items()
            if isinstance(sort, str) and sort in base.enumerations
        }
        for name, values in enumerated.items():
            if attributes[name] != name:
                msg = (
                    f"the image attribute '{name}' has the enumerated values of "
                    f"'{attributes[name]}': call it '{attributes[name]}'"
                )
                raise InputError(msg, word=name)
            attributes[name] = values
        return Domain(
            attributes,
            functions=functions,
            symbols=base.symbols,
            name=f"image of {base.name}" if base.name else "image",
        )
