"""Compositions in a few words: what is published, behind which map, with which guarantee."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model import (
    Domain,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
    library_names,
)
from dpcomp_sym.model.library import library_entry
from dpcomp_sym.notions import NOTIONS, usual_parameters
from dpcomp_sym.spec.python import as_written
from dpcomp_sym.spec.values import read_amount
from dpcomp_sym.terms import INT, variable
from dpcomp_sym.terms.expression import Expression, all_written, called, written
from dpcomp_sym.terms.parse import IDENTIFIER
from dpcomp_sym.terms.syntax import tree_of

__all__ = [
    "Release",
    "blocks",
    "cover",
    "filter",
    "granularity",
    "partition",
    "problem",
    "release",
    "with_numbers",
]

_PART: Final = ("setting", "granularity", "domain")


@dataclass(frozen=True, eq=False)
class MapMaker:
    """A map that has no name and no domain yet; parts that share it read the same blocks."""

    called: str
    make: Callable[[str, Domain], Map]


@dataclass(frozen=True, eq=False)
class Release:
    """What is published: a mechanism behind a map, or one for each block; it becomes a part.

    :func:`partition`, :func:`filter`, :func:`cover`, :func:`blocks` and :func:`release` make them,
    and ``dp.derive(domain, granularity, name=…)`` takes them.
    """

    maps: tuple[MapMaker, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        made = ", ".join(maker.called for maker in self.maps)
        given = "".join(f"; {name}: {value}" for name, value in self.options.items())
        return f"<Release by {made}{given}>"

    def again(self, **options: Any) -> Release:
        """Return another mechanism that reads the same blocks, with a guarantee of its own.

        >>> import dpcomp_sym as dp
        >>> mean = dp.partition(pure="eps")
        >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", mean=mean, n=mean.again(pure="mu"))
        >>> d.bound().text
        'max(eps[i] + mu[i])'
        """
        return replace(self, options=_options(options))

    def then(self, after: Any) -> Release:
        """Return the mechanism of ``after``, which reads what this map keeps.

        >>> import dpcomp_sym as dp
        >>> adults = dp.Domain(age=int, city="City")
        >>> chain = dp.filter(adults.c.age >= 18).then(dp.partition(adults.c.city, pure="eps"))
        >>> dp.derive(adults, "unbounded", counts=chain).problem.parts[0].map
        ('counts_filter', 'counts')
        """
        if not isinstance(after, Release):
            said = f"after a map comes a release, such as partition(pure='eps'), not {after!r}"
            raise InputError(said, where="then")
        return replace(after, maps=(*self.maps, *after.maps))


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a part: its guarantees by notion, and what a spec's table has."""
    found: dict[str, Any] = {}
    guarantees: dict[str, tuple[str | Fraction | _Numbers, ...]] = {}
    for word, value in given.items():
        if word in NOTIONS:
            guarantees[word] = _parameters(word, value)
        elif word in _PART:
            found[word] = value
        else:
            said = f"a part takes no '{word}'; {nearest(word, [*_PART, *usual_parameters()])}"
            raise InputError(said, word=word)
    return {**found, "guarantees": guarantees or usual_parameters()}


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Numbers that a guarantee has instead of a name: the parameter is called after the release."""

    role: str
    given: Any

    def __repr__(self) -> str:
        return repr(self.given)


def _parameters(notion: str, given: Any) -> tuple[str | Fraction | _Numbers, ...]:
    wanted = NOTIONS[notion].parameters
    single = len(wanted) == 1 and _is_for_each_block(given)
    several = list(given) if isinstance(given, list | tuple) and not single else [given]
    if len(several) != len(wanted):
        said = f"it has {', '.join(wanted)}, not {len(several)} parameters"
        raise InputError(said, where=notion, word=notion)
    pairs = zip(wanted, several, strict=True)
    return tuple(_parameter(notion, role, one) for role, one in pairs)


def _is_for_each_block(given: Any) -> bool:
    """Return whether these are numbers, one for each block, and no names of parameters."""
    if isinstance(given, list | tuple):
        return len(given) > 1 and not any(isinstance(x, str) and IDENTIFIER.match(x) for x in given)
    return False


def _parameter(notion: str, role: str, given: Any) -> str | Fraction | _Numbers:
    """Return a parameter: a name, an exact number, or numbers that are no fraction."""
    if isinstance(given, str) and IDENTIFIER.match(given):
        return given
    try:
        number = "" if inspect.isfunction(given) else as_written(given)
        read = (
            number if callable(given) or isinstance(number, list) else read_amount(number, Path())
        )
    except InputError as error:
        raise error.within(notion) from None
    return read if isinstance(read, Fraction) else _Numbers(role, given)


def release(use: str | Map = "identity", **options: Any) -> Release:
    """Return a mechanism behind a map.

    Args:
        use: the name of a built-in map, or a map of one's own.
        options: the guarantee by notion, ``pure="eps"`` or ``approximate=("eps", "delta")``, a
            parameter being a name or an exact number; or one number for each block, a function of
            the index, or a number such as ``log(3)``, for ``dp.derive``, which calls the parameter
            ``eps_`` and the name of the release; without any, all notions with the usual names;
            ``setting``, ``granularity`` and ``domain`` as in the table of a part; and what the
            built-in map takes, such as ``by``, ``m``, ``index``.

    Raises:
        InputError: an option is unknown.

    >>> import dpcomp_sym as dp
    >>> d = dp.derive(dp.Domain(id="Record", day=int), "unbounded",
    ...     weekly=dp.release("windows", time="day", length=7, pure="eps"))
    >>> d.bound()
    <Bound pure: max(eps[i]), tight>
    """
    if isinstance(use, Map):
        own = use
        return Release((MapMaker(own.name, lambda _, __: own),), _options(options))
    entry = library_entry("map", use)
    words = {*entry.get("arguments", {}), "index", "functions"}
    words |= {"m"} if "multiplicity" in entry else set()
    words |= {"image"} if entry.get("image") == "" else set()
    for word in options:
        if word not in {*words, *_PART, *NOTIONS}:
            hint = nearest(word, [*words, *_PART, *usual_parameters()])
            raise InputError(f"'{use}' takes no '{word}'; {hint}", word=word)
    about_map = {w: v for w, v in options.items() if w in words}
    of_part = {w: v for w, v in options.items() if w not in words}
    later = {word: value for word, value in about_map.items() if inspect.isfunction(value)}
    for word, value in later.items():
        _of_records(value, ["c"], word)
    # An error is raised here, not where it is used; what a function makes is not known yet.
    library_map(use, **{**about_map, **dict.fromkeys(later, "c")})

    def make(name: str, domain: Domain) -> Map:
        made = {word: written(called(value, {"c": domain.c})) for word, value in later.items()}
        return library_map(use, name=name, **{**about_map, **made})

    return Release((MapMaker(use, make),), _options(of_part))


def _of_records(made_by: Callable[..., Any], words: Sequence[str], where: str) -> None:
    """Refuse a function of other things than a record c, and indices of its blocks."""
    for word in inspect.signature(made_by).parameters:
        if word not in words:
            what = "neither c nor an index" if len(words) > 1 else "not c, a record"
            raise InputError(f"'{word}' is {what}; {nearest(word, words)}", where=where, word=word)


def partition(by: Any = "c", **options: Any) -> Release:
    """Return one mechanism for each of k disjoint blocks, by any label of ``by``.

    Args:
        by: what the label depends on: an attribute, a term over ``c``, or a function that makes it
            of ``c``; the whole record if absent.
        options: as for :func:`release`.

    >>> import dpcomp_sym as dp
    >>> visits = dp.Domain(person="Person", day=int)
    >>> dp.derive(visits, "user(person)", counts=dp.partition(visits.c.person)).C1.verdict
    'proved'
    """
    return release("partition", by=by, **options)


def filter(keep: Any = "chosen(c)", **options: Any) -> Release:  # noqa: A001 - the map's name
    """Return a mechanism that reads the records that satisfy a formula; any ones if absent.

    Args:
        keep: the formula, over ``c``, or a function that makes it of ``c``.
        options: as for :func:`release`.

    >>> import dpcomp_sym as dp
    >>> visits = dp.Domain(day=int, id="Visit")
    >>> first = dp.filter(lambda c: c.day <= 7, pure="eps")
    >>> dp.derive(visits, "unbounded", first=first).problem.maps[0].arguments
    {'keep': 'day(c) <= 7'}
    """
    return release("filter", keep=keep, **options)


def cover(m: Any, by: Any = "c", **options: Any) -> Release:
    """Return one mechanism for each of k blocks, at most ``m`` of which hold the same record.

    Args:
        m: a number or a symbol.
        by: what it depends on in which blocks a record lies.
        options: as for :func:`release`.

    >>> import dpcomp_sym as dp
    >>> dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.cover(3, pure="eps")).bound().text
    'sum of the 3 largest eps[i]'
    """
    return release("cover", m=m, by=by, **options)


def blocks(
    member: str | Expression | Callable[..., Any], *, index: Any = None,
    m: Any = None, facts: Any = (), functions: Mapping[str, Any] | None = None, **options: Any,
) -> Release:  # fmt: skip
    """Return one mechanism for each block, the records that satisfy a formula in the block's index.

    Args:
        member: the formula over ``c`` and the indices, or a function that makes it of these:
            ``lambda c, i: c.day == i``.
        index: index → number of blocks; ``{"i": "k"}`` if absent.
        m: at most so many blocks hold the same record; found if absent.
        facts: formulas over ``c`` that hold for all cells.
        functions: functions of the map's own, name → (argument sorts, result).
        options: as for :func:`release`.

    >>> import dpcomp_sym as dp
    >>> visits = dp.Domain(day=int, id="Visit")
    >>> d = dp.derive(visits, "unbounded", daily=dp.blocks(lambda c, i: c.day == i, pure="eps"))
    >>> d.problem.maps[0].member, d.bound().text
    ('day(c) == i', 'max(eps[i])')
    """
    if index is not None and not isinstance(index, Mapping):
        said = "names of indices with their numbers of blocks are expected, such as {'i': 'k'}"
        raise InputError(f"{said}, not {index!r}", where="index", word="index")
    indices = {"i": "k"} if index is None else dict(index)

    def make(name: str, domain: Domain) -> Map:
        words = {"c": domain.c, **{i: Expression(variable(i, INT)) for i in indices}}
        made = written(called(member, words) if callable(member) else member)
        said = all_written(facts, words)
        return Map(name, made, indices, functions or {}, said, m)

    if callable(member):
        _of_records(member, ["c", *indices], "blocks")
    return Release((MapMaker("blocks", make),), _options(options))


def granularity(given: Granularity | str) -> Granularity:
    """Return a granularity: one's own, or a built-in with its arguments.

    Raises:
        InputError: there is no such built-in, or it takes other arguments.

    >>> granularity("user(household(person(c)))").arguments
    {'owner': 'household(person(c))'}
    >>> granularity("w_event(day, length=w)") == library_granularity(
    ...     "w_event", time="day", length="w")
    True
    >>> granularity("bonded")
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: unknown granularity 'bonded'; did you mean 'bounded'?
    """
    if isinstance(given, Granularity):
        return given
    if not isinstance(given, str):
        raise InputError(f"a granularity or the name of a built-in is expected, not {given!r}")
    text = " ".join(given.split())
    name, arguments, named = _call(text)
    known = library_names("granularity")
    if name not in known:
        raise InputError(f"unknown granularity '{name}'; {nearest(name, known)}", word=name)
    words = list(library_entry("granularity", name).get("arguments", {}))
    if len(arguments) > len(words):
        takes = f"takes {', '.join(words)}" if words else "takes nothing"
        raise InputError(f"'{name}' {takes}, not {len(arguments)} things", word=text)
    twice = set(words[: len(arguments)]) & set(named)
    if twice:
        raise InputError(f"'{text}' says '{min(twice)}' twice", word=text)
    group = named.pop("group", "1")
    if not group.isdecimal() or int(group) < 1:
        raise InputError(f"'{group}' in '{text}' is not a number of edits", word=group)
    found = dict(zip(words, arguments, strict=False)) | named
    return library_granularity(name, group=int(group), **found)


def _call(text: str) -> tuple[str, list[str], dict[str, str]]:
    """Return the name and the arguments of what is written as a call, or as a name alone."""
    match tree_of(text):
        case ast.Name(id=name):
            return name, [], {}
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            named = {word.arg or "**": ast.unparse(word.value) for word in keywords}
            return name, [ast.unparse(one) for one in args], named
        case _:
            pass
    raise InputError(f"'{text}' is not a granularity; write it like user(person)", word=text)


def problem(
    domain: Domain, granularity: Granularity | str, title: str = "", **releases: Any
) -> Problem:
    """Return a composition problem.

    Args:
        domain: the databases.
        granularity: one's own, or a built-in such as ``"user(person)"``.
        title: for reports.
        releases: what is published, by name: see :class:`Release`; a map, or the name of one,
            has the usual guarantees.

    Raises:
        InputError: the pieces do not fit together.

    >>> made = problem(Domain(id="Record"), "bounded", counts=partition(pure="eps"))
    >>> made.parts[0].guarantees, made.maps[0].name
    ({'pure': ('eps',)}, 'counts')
    """
    made, numbers = with_numbers(domain, granularity, title, **releases)
    for name, given in numbers.items():
        said = f"a problem has names of parameters, not {given!r}: numbers are given by subs(…)"
        raise InputError(said, where=name)
    return made


def with_numbers(
    domain: Domain, granularity: Granularity | str, title: str = "", **releases: Any
) -> tuple[Problem, dict[str, Any]]:
    """Return a problem, as :func:`problem` does, and the numbers of parameters in releases.

    >>> made, numbers = with_numbers(Domain(id="Record"), "bounded", counts=partition(pure=[1, 2]))
    >>> made.parts[0].guarantees, numbers
    ({'pure': ('eps_counts',)}, {'eps_counts': [1, 2]})
    """
    if not isinstance(title, str):
        raise InputError("no release can be called 'title': choose another name", word="title")
    makers: dict[MapMaker, str] = {}
    taken = set(releases)
    maps: list[Map] = []
    parts: list[Part] = []
    made: dict[str, Release] = {}
    for name, given in releases.items():
        if not isinstance(given, Release | Map | str):
            said = f"a release is expected, such as partition(pure='eps'), not {given!r}"
            raise InputError(said, where=name, word=name)
        made[name] = given if isinstance(given, Release) else release(given)
    known = {*domain.symbols, *(p for one in made.values() for p in _names(one))}
    numbers: dict[str, Any] = {}
    for name, one in made.items():
        for number, maker in enumerate(one.maps, 1):
            if maker not in makers:
                last = number == len(one.maps)
                try:
                    mapping = maker.make(name if last else _free(name, maker, taken), domain)
                except InputError as error:
                    raise error.within(name) from None
                makers[maker] = mapping.name
                if mapping not in maps:
                    maps.append(mapping)
        own = _named(name, one.options, known, numbers)
        parts.append(_part(name, [makers[maker] for maker in one.maps], own))
    return Problem(domain, _granularity(granularity), maps, parts, title), numbers


def _names(one: Release) -> list[str]:
    """Return the names of parameters in a release."""
    guarantees: Mapping[str, Sequence[object]] = one.options["guarantees"]
    return [p for parameters in guarantees.values() for p in parameters if isinstance(p, str)]


def _named(
    name: str, options: Mapping[str, Any], known: set[str], numbers: dict[str, Any]
) -> dict[str, Any]:
    """Return the options of a part in which numbers have a new name; note which they are."""
    guarantees: dict[str, tuple[object, ...]] = {}
    for notion, parameters in options["guarantees"].items():
        found: list[object] = []
        for one in parameters:
            if isinstance(one, _Numbers):
                first = f"{one.role}_{name}"
                names = chain([first], (f"{first}_{n}" for n in count(2)))
                free = next(x for x in names if x not in known)
                known.add(free)
                numbers[free] = one.given
                found.append(free)
            else:
                found.append(one)
        guarantees[notion] = tuple(found)
    return {**options, "guarantees": guarantees}


_granularity = granularity


def _free(name: str, maker: MapMaker, taken: set[str]) -> str:
    """Return a name for a map before the last one of a release, which nothing else has."""
    first = f"{name}_{maker.called}"
    found = next(x for x in chain([first], (f"{first}_{n}" for n in count(2))) if x not in taken)
    taken.add(found)
    return found


def _part(name: str, maps: Sequence[str], options: Mapping[str, Any]) -> Part:
    inner = options.get("domain")
    chosen = options.get("granularity")
    try:
        return Part(
            name, maps[0] if len(maps) == 1 else tuple(maps),
            None if chosen is None else granularity(chosen),
            options["guarantees"], options.get("setting", "separate"),
            inner if isinstance(inner, InnerClass) or inner is None else InnerClass(**inner),
        )  # fmt: skip
    except InputError as error:
        raise error.within(name) from None
