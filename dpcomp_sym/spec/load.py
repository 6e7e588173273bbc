"""From a TOML file to a composition problem with numbers."""

from __future__ import annotations

import os
import pathlib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias, TypeVar

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model import (
    Domain,
    Granularity,
    InnerClass,
    Map,
    Part,
    Problem,
    Universe,
    library_granularity,
    library_map,
    library_names,
)
from dpcomp_sym.model.library import granularity_beside, granularity_from, library_entry, map_from
from dpcomp_sym.model.listed import listed_domain, listed_granularity
from dpcomp_sym.notions import NOTIONS, usual_parameters
from dpcomp_sym.printable import readable
from dpcomp_sym.spec.numeric import Given, given_by_sets, given_in, number_problem
from dpcomp_sym.spec.python import as_written, rows_as_written
from dpcomp_sym.spec.schema import GIVEN, RANDOM, check, schema_for
from dpcomp_sym.spec.source import Path, Source, SpecError, named
from dpcomp_sym.spec.values import Amount, NumberTable, rational
from dpcomp_sym.terms.expression import as_text
from dpcomp_sym.terms.parse import IDENTIFIER

if TYPE_CHECKING:
    from dpcomp_sym.derivation.derive import Derivation
    from dpcomp_sym.membership import Membership
    from dpcomp_sym.spec.metric import MetricSpec
    from dpcomp_sym.spec.uncertain import UncertainSpec

    AnySpec: TypeAlias = "Spec | UncertainSpec | MetricSpec"

__all__ = ["Spec", "load_any", "load_spec", "read_any", "read_spec"]

MAX_BYTES: Final = 1_000_000
MOST_DOTS: Final = 100
"""How many dots a key may have; reading more takes long."""
SEVERAL: Final = frozenset({"distance", "granularity", "map", "metric", "part"})
"""The tables of which there can be several."""
NO_NUMBERS: Final = frozenset({"inf", "infinity", "nan"})
CLAIMED: Final = {"value": "exact", "at_least": "at least", "at_most": "at most"}
"""What a table ``metric`` can claim of a distance."""

T = TypeVar("T")

LISTED_KEYS: Final = ("name", "symbol", "directed", "group")
GRANULARITY_KEYS: Final = (*LISTED_KEYS, "arguments", "edit")
MAP_KEYS: Final = (
    "name", "member", "index", "functions", "facts", "multiplicity", "image", "symbols",
    "partition", "arguments",
)  # fmt: skip


@dataclass(frozen=True)
class Spec:
    """A spec that has been read: the problem, and numbers for its parameters.

    Args:
        title: what the spec calls itself.
        problem: the composition problem.
        values: parameter → its number, the same for every block, or one number for each block.
        sizes: symbol (numbers of blocks, bounds, lengths) → its number.
        granularities: the granularities that the spec names, its own first.
        metrics: what it claims of their metrics: (granularity, ``exact``, ``at least`` or
            ``at most``, value, where it is finite).
        points: metrics of points: lists ``metrics``, ``finite``, ``facts`` and ``claims``.
        notes: what the reader of a result should know of the numbers.
        membership: which databases a person can be in, for specs that say so.
        source: the text, with which an error that comes up later can name its line.
    """

    title: str
    problem: Problem
    values: Mapping[str, Amount | NumberTable] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    membership: Membership | None = None
    granularities: Mapping[str, Granularity] = field(default_factory=dict)
    metrics: tuple[tuple[str, str, str, str], ...] = ()
    points: Mapping[str, Sequence[str]] = field(default_factory=dict)
    source: Source = field(default_factory=lambda: Source("", ""), repr=False, compare=False)
    given: Mapping[str, Given] = field(default_factory=dict, repr=False, compare=False)
    """The numbers as they were written; a formula in a number of blocks may wait for it."""
    asked: Problem | None = field(default=None, repr=False, compare=False)
    """The problem before symbols had numbers."""

    __repr__ = readable

    def __hash__(self) -> int:
        return hash((type(self), self.title, self.problem))

    def placed(self, error: InputError) -> InputError:
        """Return the error with the file and the line of the spec that it is about."""
        return self.source.placed(error)

    def subs(self, **numbers: Any) -> Spec:
        """Return the spec with more numbers, or others, as after ``--set``.

        Args:
            numbers: by parameter or symbol: a number, a list or array of one number a block (of two
                indices: rows of such), text as after ``--set``, a function of the block's index.
                All are exact: a float is the decimal that Python prints for it.

        Raises:
            InputError: a name is unknown, or what it is given is not such a number.

        >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
        >>> spec = Spec("", Problem(Domain({"id": "Record"}), library_granularity("bounded"),
        ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")]))
        >>> spec.subs(k=3, eps=lambda i: 1 / i).values
        {'eps': Column(1, 1/2, 1/3)}
        >>> spec.subs(epss=3)
        Traceback (most recent call last):
        dpcomp_sym.errors.InputError: epss: unknown parameter 'epss'; did you mean 'eps'?
        """
        problem = self.problem if self.asked is None else self.asked
        indices = {
            name: part.map.indices
            for part in problem.bound_parts for _, names in part.guarantees
            for name in names if isinstance(name, str) and part.map.indices
        }  # fmt: skip
        known = {**self.sizes, **{n: x for n, x in numbers.items() if type(x) is int}}
        given = dict(self.given)
        for name, value in numbers.items():
            try:
                index = indices.get(name, ())
                rows = rows_as_written(value) if len(index) == 2 else None
                raw = as_written(value, *_blocks(index, known)) if rows is None else rows
            except InputError as error:
                raise error.within(name) from None
            given[name] = Given(name, raw, pathlib.Path(), place=name)
        return self.numbered(problem, given)

    def numbered(self, problem: Problem, given: Mapping[str, Given]) -> Spec:
        """Return the spec with these numbers alone."""
        numeric = number_problem(problem, self.source, given)
        fixed = problem if self.membership is not None else problem.at(numeric.sizes)
        return replace(
            self, problem=fixed, values=numeric.values, sizes=numeric.sizes,
            notes=tuple(numeric.notes), given=given, asked=problem,
        )  # fmt: skip

    def to_toml(self) -> str:
        """Return the text of a spec with this problem and these numbers.

        Raises:
            InputError: it is about the databases that a person can be in.
        """
        if self.membership is not None:
            raise InputError("a spec with [membership] is not written anew")
        problem = self.problem if self.asked is None else self.asked
        written: dict[str, Any] = {}
        for name, one in self.given.items():
            from_file = isinstance(one.raw, str) and one.raw.strip().startswith("@")
            written[name] = self.values.get(name) if from_file else one.raw
        return problem.to_toml(written)

    def derive(self) -> Derivation:
        """Derive what the composition guarantees, with the numbers of the spec.

        Raises:
            InputError: the spec has no part, or it contradicts itself; the message names the line.

        >>> load_spec('''
        ... granularity = "bounded"
        ... [domain]
        ... attributes = { id = "Record" }
        ... [[part]]
        ... map = "partition"
        ... setting = "common"
        ... ''', ["eps=[1, 2, 4]"]).derive().bounds[0].value
        6
        """
        from dpcomp_sym.derivation.derive import derive

        if not self.problem.parts:
            what = "the spec has no [[part]]" if self.source.name else "the problem has no part"
            message = f"{what}: a composition has at least one mechanism"
            raise self.placed(InputError(message))
        try:
            if self.membership is not None:
                from dpcomp_sym.derivation.membership import derive_membership

                return derive_membership(
                    self.membership, self.problem.parts, self.values, self.sizes, self.title
                )
            return derive(self.problem, values=self.values, sizes=self.sizes, title=self.title)
        except InputError as error:
            raise self.placed(error) from None


def _blocks(
    indices: Sequence[tuple[str, str | int]], sizes: Mapping[str, Any]
) -> tuple[str | None, int | None]:
    """Return the letter of the first index of blocks, and how many there are, if known."""
    if not indices:
        return None, None
    letter, size = indices[0]
    count = sizes.get(size) if isinstance(size, str) else size
    return letter, count if type(count) is int and len(indices) == 1 else None


def load_spec(path: str | pathlib.Path, sets: Iterable[str] = ()) -> Spec:
    """Read a spec from a file, or from its text (anything with a line break).

    Args:
        path: the file, or the text itself.
        sets: ``NAME=VALUE`` for parameters and sizes, as after ``--set``; the last one counts.

    Raises:
        InputError: the file cannot be read or the spec cannot be used; the message names the
            line and the word.

    >>> spec = load_spec('''
    ... granularity = "unbounded"
    ... [domain]
    ... attributes = { id = "Record" }
    ... [[part]]
    ... map = "partition"
    ... ''', ["k=3", "eps=[1, 2, 1/3]"])
    >>> spec.sizes, spec.values["eps"]
    ({'k': 3}, Column(1, 2, 1/3))
    """
    return _composition(load_any(path, sets))


def load_any(path: str | pathlib.Path, sets: Iterable[str] = ()) -> AnySpec:
    """Read a spec of any kind: about pairs of neighbours, random data, or given distances.

    All have ``title``, ``notes`` and ``derive()``.

    Raises:
        InputError: the file cannot be read or the spec cannot be used.

    >>> load_any('''
    ... [survey]
    ... respondents = 1000
    ... probability = "1/2"
    ... ''').derive().guarantees[0].about
    'the count'
    """
    if isinstance(path, str) and "\n" in path:
        return read_any(path, "spec", pathlib.Path(), sets)
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"a spec is a file, or its text, not {path!r}")
    file = pathlib.Path(path)
    return read_any(_bytes(file), str(path), file.parent, sets)


def read_spec(
    content: str | bytes, name: str, folder: pathlib.Path, sets: Iterable[str] = ()
) -> Spec:
    """Read a spec of a composition from its content; see :func:`read_any`.

    Raises:
        InputError: the spec cannot be used, or is about random data.
    """
    return _composition(read_any(content, name, folder, sets))


def _composition(spec: AnySpec) -> Spec:
    if isinstance(spec, Spec):
        return spec
    if GIVEN in spec.source.data:
        raise spec.source.error("a spec of given distances, [[distance]], is for derive",
                                (GIVEN,), GIVEN)  # fmt: skip
    table = next(t for t in RANDOM if t in spec.source.data)
    raise spec.source.error(f"a spec of random data, [{table}], is for derive and refute", (table,),
                            table)  # fmt: skip


def read_any(
    content: str | bytes, name: str, folder: pathlib.Path, sets: Iterable[str] = ()
) -> AnySpec:
    """Read a spec of any kind from its content.

    Args:
        content: the text.
        name: what errors call it.
        folder: where relative names of CSV files start.
        sets: ``NAME=VALUE`` for parameters and sizes; their files start in the working folder.

    Raises:
        InputError: the spec cannot be used.
    """
    source = _parsed(content, name)
    try:
        check(source)
    except RecursionError:
        raise source.error("the spec is nested too deeply") from None
    if schema_for(source.data) == "metric":
        from dpcomp_sym.spec.metric import read_metric

        return read_metric(source, pathlib.PurePath(name).stem, sets)
    if schema_for(source.data) == "uncertain":
        from dpcomp_sym.spec.uncertain import read_uncertain

        return read_uncertain(source, pathlib.PurePath(name).stem, sets)
    read = _Builder(source)
    problem = read.problem()
    given = given_in(source, folder) | given_by_sets(sets)
    spec = Spec(problem.title, problem, membership=read.membership, source=source)
    return replace(
        spec.numbered(problem, given),
        granularities=read.granularities(problem), metrics=read.metrics(problem),
        points=read.data.get("points", {}),
    )  # fmt: skip


def _bytes(file: pathlib.Path) -> bytes:
    try:
        with file.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except IsADirectoryError:
        raise InputError(f"{file} is a folder, not a spec", word=str(file)) from None
    except FileNotFoundError:
        raise InputError(f"there is no file {file}; 'dpcomp new NAME' writes a spec to start "
                         "from", word=str(file)) from None  # fmt: skip
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {file}: {why}", word=str(file)) from None
    return content


def _parsed(content: str | bytes, name: str) -> Source:
    if len(content) > MAX_BYTES:
        raise InputError(f"{name}: a spec may have {MAX_BYTES:,} bytes, this one has more")
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"{name} is not UTF-8 text: the byte 0x{content[error.start]:02x} "
                             f"at position {error.start}") from None  # fmt: skip
    if not content.strip():
        raise InputError(f"{name} is empty; 'dpcomp new NAME' writes a spec to start from")
    source = Source(name, content)
    if any(line.partition("=")[0].count(".") > MOST_DOTS for line in content.splitlines()):
        raise source.error("the spec is nested too deeply")
    try:
        data = tomllib.loads(content, parse_float=rational)
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(source, str(error)) from None
    except InputError as error:
        raise source.placed(error) from None
    except RecursionError:
        raise source.error("the spec is nested too deeply") from None
    except ValueError:
        raise source.error("not TOML: a number has too many digits") from None
    return Source(name, content, data)


def _toml_error(source: Source, message: str) -> SpecError:
    what, _, place = message.partition(" (at ")
    digits = "".join(ch if ch.isdigit() else " " for ch in place).split()
    # Without a number it is "at end of document".
    line = int(digits[0]) if digits else len(source.text.rstrip().splitlines())
    text = source.lines[line - 1].strip() if 0 < line <= len(source.lines) else ""
    said = what[:1].lower() + what[1:]
    if "overwrite" in what or "twice" in what or "Duplicate" in what:
        key = text.partition("=")[0].strip() or text
        said = f"'{key}' appears twice"
        table = key.strip("[]")
        if key.startswith("[") and table.partition(".")[0] in SEVERAL:
            said += f"; where there are several, each begins with [[{table}]], the first one, too"
    else:
        said = f"not TOML: {said}" + (f", in '{text[:60]}'" if text else "")
        said += "; a text stands in quotes" * bool(re.search(r"=\s*[^\W\d]", text))
    return SpecError(InputError(said, word=text), source.name, line)


class _Builder:
    """Builds the pieces of a problem from the tables of a spec whose shape is right."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.data = source.data
        self.named: dict[str, Granularity] = {}
        self.membership: Membership | None = None

    def fail(self, message: str, path: Path, word: str = "", where: str = "") -> NoReturn:
        raise self.source.error(message, path, word, where)

    def at(self, path: Path, make: Callable[[], T], where: str = "") -> T:
        """Return what ``make`` returns; its errors are about ``path``."""
        try:
            return make()
        except SpecError:
            raise
        except InputError as error:
            known = error.within(where) if where and not error.where.startswith(where) else error
            raise self.source.placed(known, path) from None
        except RecursionError:
            self.fail("a formula is nested too deeply", path)

    def problem(self) -> Problem:
        title = self.data.get("title", pathlib.PurePath(self.source.name).stem)
        if "membership" in self.data:
            return self.on_chosen_databases(title)
        domain = self.at(("domain",), self.domain, "domain")
        outer = self.outer_granularity()
        maps = self.maps()
        parts = [self.part(n, entry, maps) for n, entry in enumerate(self.data.get("part", []))]
        self.distinct(parts)
        return self.at((), lambda: Problem(domain, outer, list(maps.values()), parts, title))

    # ---------------------------------------------------------------- the choice of databases

    def on_chosen_databases(self, title: str) -> Problem:
        from dpcomp_sym.membership import ALONE, Membership

        for word in ("domain", "granularity", "map", "setting"):
            if word in self.data:
                self.fail(f"a spec with [membership] has no '{word}': the cells are the databases",
                          (word,), word)  # fmt: skip
        table = self.data["membership"]
        databases = table["databases"]
        groups = databases if isinstance(databases, Mapping) else {ALONE: databases}
        self.membership = self.at(
            ("membership",),
            lambda: Membership(
                groups, _texts(table.get("require", ())), table.get("symbols", {}),
                table.get("neighbours", "unbounded"), tuple(table.get("hypotheses", ())),
            ),
        )  # fmt: skip
        membership = self.membership
        parts = [
            self.reader(n, entry, list(groups)) for n, entry in enumerate(self.data.get("part", []))
        ]
        self.distinct(parts)
        return self.at(("membership",), lambda: membership.with_parts(parts, title))

    def reader(self, number: int, entry: Mapping[str, Any], groups: Sequence[str]) -> Part:
        """Return a part that reads one group of databases."""
        path: Path = ("part", number)
        group = entry.get("map", groups[0] if len(groups) == 1 else None)
        name = entry.get("name") or (group if isinstance(group, str) else f"part{number + 1}")
        where = f"part '{name}'"
        self.only(entry, ("name", "map", "guarantee"), path, where)
        if group is None:
            known = nearest("", groups)
            self.fail(f"'map' is missing: which databases does the part read? {known}", path, "",
                      where)  # fmt: skip
        if group not in groups:
            known = nearest(str(group), groups)
            self.fail(f"unknown databases '{group}'; {known}", (*path, "map"), str(group), where)
        return Part(name, group, guarantees=self.guarantees(entry.get("guarantee"), path, where))

    # ---------------------------------------------------------------- domain

    def domain(self) -> Domain:
        table = dict(self.data["domain"])
        if "databases" in table:
            self.only(table, ("databases", "name"), ("domain",), "domain")
            return listed_domain(table["databases"], table.get("name", ""))
        if "attributes" not in table:
            self.fail("'attributes' is missing (or 'databases', a list of all)", ("domain",), "",
                      "domain")  # fmt: skip
        cap = self.cap(table, ("domain",))
        return Domain(
            table["attributes"],
            functions={n: (tuple(s[0]), s[1]) for n, s in table.get("functions", {}).items()},
            symbols=table.get("symbols", {}),
            cell=table.get("cell", "true"),
            cap=cap,
            size=_texts(table.get("size", [])),
            limits=[(t, n) for t, n in table.get("limits", [])],
            distinct=[
                (one["of"], one.get("each", "true"), one["at_most"])
                for one in table.get("distinct", [])
            ],
            facts=_texts(table.get("facts", [])),
            universe=Universe(table.get("universe", "any")),
            at_least=table.get("at_least", 1),
            name=table.get("name", ""),
        )

    def cap(self, table: Mapping[str, Any], path: Path) -> int | None:
        kind, cap = table.get("kind"), table.get("cap")
        if kind is not None and cap is not None:
            self.fail("'kind' and 'cap' say the same thing: give one of them", (*path, "cap"))
        found: int | None = 1 if kind == "set" else cap
        return found

    # ---------------------------------------------------------------- granularities

    def granularities(self, problem: Problem) -> dict[str, Granularity]:
        """Return the granularities by name: the spec's own, and those of its parts."""
        found = {self.called(problem.granularity, "granularity"): problem.granularity}
        named = {n: granularity_beside(g, problem.domain) for n, g in self.named.items()}
        found |= {n: g for n, g in named.items() if g not in found.values()}
        for number, part in enumerate(problem.parts):
            chosen = part.granularity
            if chosen is None or chosen in found.values():
                continue
            mapping = problem.bound_parts[number].map
            if mapping.image is None:  # otherwise it is about other attributes
                found.setdefault(self.called(chosen, part.name), chosen)
        return found

    @staticmethod
    def called(granularity: Granularity, otherwise: str) -> str:
        return otherwise if granularity.name == "own" else granularity.name

    def metrics(self, problem: Problem) -> tuple[tuple[str, str, str, str], ...]:
        found: list[tuple[str, str, str, str]] = []
        known = self.granularities(problem)
        for number, table in enumerate(self.data.get("metric", [])):
            path: Path = ("metric", number)
            name = table.get("granularity", next(iter(known)))
            if name not in known:
                self.fail(f"unknown granularity '{name}'; {nearest(name, known)}",
                          (*path, "granularity"), name, f"metric {number + 1}")  # fmt: skip
            said = [(bound, str(table[key])) for key, bound in CLAIMED.items() if key in table]
            if not said:
                self.fail(f"nothing is claimed; {', '.join(CLAIMED)} are possible",
                          path, "metric", f"metric {number + 1}")  # fmt: skip
            found += [(name, b, text, str(table.get("finite", "true"))) for b, text in said]
        return tuple(found)

    def outer_granularity(self) -> Granularity:
        entry = self.data["granularity"]
        if not isinstance(entry, list):
            return self.granularity(entry, ("granularity",), "granularity")
        for number, table in enumerate(entry):
            path: Path = ("granularity", number)
            name = table["name"]
            where = f"granularity '{name}'"
            if name in self.named:
                self.fail(f"two granularities are called '{name}'", (*path, "name"), name)
            self.named[name] = self.granularity(table, path, where)
        return self.named[entry[0]["name"]]

    def granularity(self, entry: str | Mapping[str, Any], path: Path, where: str) -> Granularity:
        if isinstance(entry, str):
            entry = {"use": entry}
        if "use" not in entry:
            if "neighbours" in entry:
                self.only(entry, (*LISTED_KEYS, "neighbours"), path, where)
                listed = {"name": "own", **entry}
                return self.at(path, lambda: listed_granularity(**listed), where)
            self.only(entry, (*GRANULARITY_KEYS, "neighbours", "use"), path, where)
            if "edit" not in entry:
                self.fail("a granularity has 'use', the name of a built-in, or its own edits "
                          "[[granularity.edit]]", path, "", where)  # fmt: skip
            own = {"name": "own", **entry}
            return self.at(path, lambda: granularity_from(own))
        use = entry["use"]
        if use in self.named:
            self.only(entry, ("use",), path, where)
            return self.named[use]
        names = library_names("granularity")
        if use not in names:
            known = nearest(use, [*names, *self.named])
            self.fail(f"unknown granularity '{use}'; {known}", (*path, "use"), use, where)
        words = library_entry("granularity", use).get("arguments", {})
        self.only(entry, ("use", "name", "group", *words), path, where)
        given = self.texts({w: entry[w] for w in words if w in entry}, path, where)
        group = entry.get("group", 1)
        return self.at(path, lambda: library_granularity(use, group=group, **given), where)

    def only(self, entry: Mapping[str, Any], known: Sequence[str], path: Path, where: str) -> None:
        for word in entry:
            if word not in known:
                use = entry.get("use")
                about = f"'{use}' takes no '{word}'" if use else f"unknown key '{word}'"
                self.fail(f"{about}; {nearest(word, known)}", (*path, word), word, where)

    def texts(self, given: Mapping[str, Any], path: Path, where: str) -> dict[str, str]:
        for word, text in given.items():
            several = text if isinstance(text, list) and text else [text]
            if not all(isinstance(one, str) and one for one in several):
                said = "an empty text" if text == "" else repr(text)
                what = "an attribute or a term over c (a text), or a list of these"
                self.fail(f"'{word}' is {what}, not {said}", (*path, word), word, where)
        return {word: as_text(text) for word, text in given.items()}

    # ---------------------------------------------------------------- maps

    def maps(self) -> dict[str, Map]:
        found: dict[str, Map] = {}
        for number, entry in enumerate(self.data.get("map", [])):
            path: Path = ("map", number)
            name = named("map", entry, number)
            where = f"map '{name}'"
            if name in found:
                self.fail(f"two maps are called '{name}': give each a 'name'", path, name, where)
            found[name] = self.map(entry, name, path, where)
        return found

    def map(self, entry: Mapping[str, Any], name: str, path: Path, where: str) -> Map:
        if "use" not in entry:
            self.only(entry, (*MAP_KEYS, "use"), path, where)
            if not {"member", "image"} & set(entry):
                self.fail("a map has 'use', the name of a built-in, or its own 'member' or "
                          "'image'", path, "", where)  # fmt: skip
            own = {**entry, "name": name, "facts": _texts(entry.get("facts", []))}
            return self.at(path, lambda: map_from(own), where)
        use = entry["use"]
        if use not in library_names("map"):
            known = nearest(use, library_names("map"))
            self.fail(f"unknown map '{use}'; {known}", (*path, "use"), use, where)
        if "exhaustive" in entry:
            if use != "partition":
                self.fail("'exhaustive' goes with use = \"partition\" only",
                          (*path, "exhaustive"), "exhaustive", where)  # fmt: skip
            use = "partition" if entry["exhaustive"] else "partial_partition"
        built_in = library_entry("map", use)
        words = built_in.get("arguments", {})
        known_keys = ["use", "name", "functions", *words]
        known_keys += ["exhaustive"] * (entry["use"] == "partition")
        known_keys += ["index"] * ("index" in built_in)
        known_keys += ["m"] * ("multiplicity" in built_in)
        known_keys += ["image"] * (built_in.get("image") == "")
        self.only(entry, known_keys, path, where)
        given = self.texts({w: entry[w] for w in words if w in entry}, path, where)
        options: dict[str, Any] = {
            w: entry[w] for w in ("index", "m", "image", "functions") if w in entry
        }
        return self.at(path, lambda: library_map(use, name=name, **{**options, **given}), where)

    # ---------------------------------------------------------------- parts

    def part(self, number: int, entry: Mapping[str, Any], maps: dict[str, Map]) -> Part:
        path: Path = ("part", number)
        wanted = entry.get("map")
        names = [wanted] if isinstance(wanted, str) else list(wanted or [])
        name = named("part", entry, number)
        where = f"part '{name}'"
        if not names:
            if len(maps) != 1:
                self.fail("'map' is missing: which map does the part read? (\"identity\" is the "
                          "whole database)", path, "", where)  # fmt: skip
            names = list(maps)
        for one in names:
            self.known_map(one, maps, path, where)
        granularity = None
        if "granularity" in entry:
            inner = (*path, "granularity")
            granularity = self.granularity(entry["granularity"], inner, f"{where}, granularity")
        return Part(
            name,
            names[0] if len(names) == 1 else names,
            granularity,
            self.guarantees(entry.get("guarantee"), path, where),
            entry.get("setting", self.data.get("setting", "separate")),
            self.inner(entry.get("domain"), path),
        )

    def known_map(self, name: str, maps: dict[str, Map], path: Path, where: str) -> None:
        """A part may name a built-in map that needs no arguments without a table of its own."""
        if name in maps:
            return
        built_in = library_names("map")
        if name not in built_in:
            known = nearest(name, [*maps, *built_in])
            self.fail(f"unknown map '{name}'; {known}", (*path, "map"), name, where)
        maps[name] = self.at((*path, "map"), lambda: library_map(name), where)

    def inner(self, table: Mapping[str, Any] | None, path: Path) -> InnerClass | None:
        if table is None:
            return None
        return InnerClass(
            self.cap(table, (*path, "domain")),
            _texts(table.get("size", [])),
            [(t, n) for t, n in table.get("limits", [])],
        )

    def guarantees(
        self, table: Mapping[str, Any] | None, path: Path, where: str
    ) -> Mapping[str, tuple[str | Fraction, ...]]:
        if table is None:
            return usual_parameters()
        found = {}
        for notion, given in table.items():
            texts = given if isinstance(given, list) else [given]
            found[notion] = tuple(
                self.parameter(t, role, (*path, "guarantee", notion), where)
                for t, role in zip(texts, NOTIONS[notion].parameters, strict=True)
            )
        return found

    def parameter(
        self, given: str | int | Fraction, role: str, path: Path, where: str
    ) -> str | Fraction:
        if isinstance(given, str) and given.strip().lower() in NO_NUMBERS:
            self.fail(f"'{given}' is not a finite number, and cannot be the name of a parameter: "
                      "where nothing is guaranteed, leave the notion out",
                      path, given, where)  # fmt: skip
        if isinstance(given, str) and IDENTIFIER.match(given.strip()):
            return given.strip()
        if isinstance(given, str) and not given.strip():
            self.fail(f"{role} is missing: give its name or its number", path, "", where)
        inside = f"{where}, guarantee"
        try:
            value = rational(given) if isinstance(given, str) else Fraction(given)
        except InputError:
            self.fail(f"'{given}' is neither a parameter's name nor a finite number", path,
                      str(given), inside)  # fmt: skip
        if value < 0:
            self.fail(f"{role} is {value}, but cannot be negative", path, str(given), inside)
        if role == "delta" and value > 1:
            self.fail(f"delta is {value}, but cannot be larger than 1", path, str(given), inside)
        return value

    def distinct(self, parts: Sequence[Part]) -> None:
        before: set[str] = set()
        for number, part in enumerate(parts):
            if part.name in before:
                self.fail(f"two parts are called '{part.name}': give each a 'name'",
                          ("part", number), part.name)  # fmt: skip
            before.add(part.name)


def _texts(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
