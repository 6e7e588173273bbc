"""Problems as plain data: complete, so that a proof can carry the statement it is about.

The order of attributes, parameters and indices means something, so tables are written as lists of
pairs.  Nothing is left out and nothing has a default: what is read is exactly what was written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeVar

from dpcomp_sym.errors import InputError
from dpcomp_sym.model.domain import Distinct, Domain, Universe
from dpcomp_sym.model.granularity import Edit, Granularity
from dpcomp_sym.model.mapping import Map
from dpcomp_sym.model.problem import InnerClass, Parameter, Part, Problem

__all__ = ["canonical", "problem_from_json", "problem_to_json"]

T = TypeVar("T")

LONGEST: Final = 20_000
_FRACTION: Final = re.compile(r"(0|[1-9][0-9]{0,999})/([1-9][0-9]{0,999})")


def canonical(data: Any) -> str:
    """Return plain data as one line of JSON with sorted keys, the same for equal data.

    >>> canonical({"b": [1, None], "a": "k"})
    '{"a":"k","b":[1,null]}'
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


# ------------------------------------------------------------- writing


def problem_to_json(problem: Problem) -> dict[str, Any]:
    """Return a problem as dictionaries, lists, strings, integers and truth values.

    >>> from dpcomp_sym.model import library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")],
    ...     [Part("counts", "blocks", guarantees={"pure": (Fraction(1, 2),)})])
    >>> data = problem_to_json(problem)
    >>> data["parts"][0]["guarantees"], data["domain"]["attributes"]
    ([['pure', ['1/2']]], [['id', 'Record']])
    >>> problem_to_json(problem_from_json(data)) == data
    True
    """
    return {
        "title": problem.title,
        "domain": _domain(problem.domain),
        "granularity": _granularity(problem.granularity),
        "maps": [_map(m) for m in problem.maps],
        "parts": [_part(p) for p in problem.parts],
    }


def _word_or_list(value: str | Sequence[str]) -> str | list[str]:
    return value if isinstance(value, str) else list(value)


def _signatures(functions: Mapping[str, tuple[Sequence[str], str]]) -> list[list[Any]]:
    return [[name, list(arguments), result] for name, (arguments, result) in functions.items()]


def _pairs(table: Mapping[str, Any]) -> list[list[Any]]:
    return [[name, value] for name, value in table.items()]


def _domain(domain: Domain) -> dict[str, Any]:
    return {
        "name": domain.name,
        "attributes": [[a, _word_or_list(s)] for a, s in domain.attributes.items()],
        "functions": _signatures(domain.functions),
        "symbols": _pairs(domain.symbols),
        "cell": domain.cell,
        "cap": domain.cap,
        "size": list(domain.size),
        "limits": [[key, bound] for key, bound in domain.limits],
        **({"distinct": list(map(list, domain.distinct))} if domain.distinct else {}),
        "facts": list(domain.facts),
        "universe": str(domain.universe),
        "at_least": domain.at_least,
    }


def _granularity(granularity: Granularity) -> dict[str, Any]:
    return {
        "name": granularity.name,
        "symbol": granularity.symbol,
        "directed": granularity.directed,
        "group": granularity.group,
        "arguments": _pairs(granularity.arguments),
        "edits": [
            {
                "params": _pairs(edit.params),
                "guard": edit.guard,
                "change": None if edit.change is None else _pairs(edit.change),
                "frame": edit.frame,
                "step": edit.step,
            }
            for edit in granularity.edits
        ],
    }


def _map(mapping: Map) -> dict[str, Any]:
    return {
        "name": mapping.name,
        "member": mapping.member,
        "index": _pairs(mapping.index),
        "functions": _signatures(mapping.functions),
        "facts": list(mapping.facts),
        "multiplicity": mapping.multiplicity,
        "image": None if mapping.image is None else _pairs(mapping.image),
        "symbols": _pairs(mapping.symbols),
        "arguments": _pairs(mapping.arguments),
        "partition": mapping.partition,
    }


def _part(part: Part) -> dict[str, Any]:
    inner = part.inner
    return {
        "name": part.name,
        "map": _word_or_list(part.map),
        "granularity": None if part.granularity is None else _granularity(part.granularity),
        "guarantees": [[n, [_parameter(p) for p in ps]] for n, ps in part.guarantees.items()],
        "setting": part.setting,
        "inner": None
        if inner is None
        else {
            "cap": inner.cap,
            "size": list(inner.size),
            "limits": [[key, bound] for key, bound in inner.limits],
        },
    }


def _parameter(value: Parameter) -> str:
    return value if isinstance(value, str) else f"{value.numerator}/{value.denominator}"


# ------------------------------------------------------------- reading


def problem_from_json(data: Any) -> Problem:
    """Return the problem that :func:`problem_to_json` wrote.

    Raises:
        InputError: something is missing, superfluous or of the wrong type, or does not make a
            problem.

    >>> problem_from_json({"title": "?"})
    Traceback (most recent call last):
    dpcomp_sym.errors.InputError: problem: the fields are domain, granularity, maps, parts, title
    """
    found = _fields(data, "problem", "title", "domain", "granularity", "maps", "parts")
    return Problem(
        _read_domain(found["domain"]),
        _read_granularity(found["granularity"], "granularity"),
        [_read_map(m) for m in _list(found["maps"], "maps")],
        [_read_part(p) for p in _list(found["parts"], "parts")],
        _text(found["title"], "title"),
    )


def _bad(where: str, what: str) -> InputError:
    return InputError(what, where=where)


def _fields(data: Any, where: str, *names: str) -> dict[str, Any]:
    if not isinstance(data, dict) or set(data) != set(names):
        raise _bad(where, f"the fields are {', '.join(sorted(names))}")
    return data


def _list(data: Any, where: str) -> list[Any]:
    if not isinstance(data, list):
        raise _bad(where, "a list is needed")
    return data


def _text(data: Any, where: str) -> str:
    if not isinstance(data, str) or len(data) > LONGEST:
        raise _bad(where, "a text is needed")
    return data


def _flag(data: Any, where: str) -> bool:
    if not isinstance(data, bool):
        raise _bad(where, "true or false is needed")
    return data


def _number(data: Any, where: str) -> int:
    if type(data) is not int or abs(data) > 10**18:
        raise _bad(where, "a whole number is needed")
    return data


def _word(data: Any, where: str) -> str | int:
    return _number(data, where) if type(data) is int else _text(data, where)


def _texts(data: Any, where: str) -> tuple[str, ...]:
    return tuple(_text(x, where) for x in _list(data, where))


def _text_or_texts(data: Any, where: str) -> str | tuple[str, ...]:
    return _texts(data, where) if isinstance(data, list) else _text(data, where)


def _optional(data: Any, where: str, read: Callable[[Any, str], T]) -> T | None:
    return None if data is None else read(data, where)


def _table(data: Any, where: str, read: Callable[[Any, str], T]) -> dict[str, T]:
    return _unique(where, ((name, read(value, where)) for name, value in _rows(data, where, 2)))


def _rows(data: Any, where: str, width: int) -> list[list[Any]]:
    rows = _list(data, where)
    for row in rows:
        if not isinstance(row, list) or len(row) != width or not isinstance(row[0], str):
            raise _bad(where, f"lists of {width} things, the first a name, are needed")
    return rows


def _unique(where: str, items: Iterable[tuple[str, T]]) -> dict[str, T]:
    found: dict[str, T] = {}
    for name, value in items:
        if name in found:
            raise _bad(where, f"'{name}' is there twice")
        found[name] = value
    return found


def _read_signatures(data: Any, where: str) -> dict[str, tuple[tuple[str, ...], str]]:
    return _unique(
        where,
        (
            (name, (_texts(arguments, where), _text(result, where)))
            for name, arguments, result in _rows(data, where, 3)
        ),
    )


def _limits(data: Any, where: str) -> tuple[tuple[str, str | int], ...]:
    return tuple((key, _word(bound, where)) for key, bound in _rows(data, where, 2))


def _distinct(data: Any, where: str) -> tuple[Distinct, ...]:
    return tuple(
        Distinct(of, _text(each, where), _word(bound, where))
        for of, each, bound in _rows(data, where, 3)
    )


def _read_domain(data: Any) -> Domain:
    where = "domain"
    some = isinstance(data, dict) and "distinct" in data  # it is left out where there are none
    found = _fields(
        data, where, "name", "attributes", "functions", "symbols", "cell", "cap", "size", "limits",
        "facts", "universe", "at_least", *["distinct"] * some,
    )  # fmt: skip
    if found["universe"] not in list(Universe):
        raise _bad(where, f"the universe is one of {', '.join(Universe)}")
    return Domain(
        _table(found["attributes"], where, _text_or_texts),
        _read_signatures(found["functions"], where),
        _table(found["symbols"], where, _text),
        _text(found["cell"], where),
        _optional(found["cap"], where, _number),
        _texts(found["size"], where),
        _limits(found["limits"], where),
        Universe(found["universe"]),
        _number(found["at_least"], where),
        _text(found["name"], where),
        _texts(found["facts"], where),
        _distinct(found["distinct"], where) if some else (),
    )


def _read_granularity(data: Any, where: str) -> Granularity:
    found = _fields(
        data, where, "name", "symbol", "directed", "group", "arguments", "edits"
    )  # fmt: skip
    group = _number(found["group"], where)
    if group > 8:
        raise _bad(where, "more than 8 edits in a row are not read")
    return Granularity(
        _text(found["name"], where),
        tuple(_read_edit(e, where) for e in _list(found["edits"], where)),
        _text(found["symbol"], where),
        _flag(found["directed"], where),
        group,
        _table(found["arguments"], where, _text),
    )


def _read_edit(data: Any, where: str) -> Edit:
    found = _fields(data, f"{where}, edit", "params", "guard", "change", "frame", "step")
    return Edit(
        _table(found["params"], where, _text),
        _text(found["guard"], where),
        None if found["change"] is None else _table(found["change"], where, _word),
        _optional(found["frame"], where, _text),
        _text(found["step"], where),
    )


def _read_map(data: Any) -> Map:
    where = "map"
    found = _fields(
        data, where, "name", "member", "index", "functions", "facts", "multiplicity", "image",
        "symbols", "arguments", "partition",
    )  # fmt: skip
    return Map(
        _text(found["name"], where),
        _text(found["member"], where),
        _table(found["index"], where, _word),
        _read_signatures(found["functions"], where),
        _texts(found["facts"], where),
        _optional(found["multiplicity"], where, _word),
        None if found["image"] is None else _table(found["image"], where, _text),
        _table(found["symbols"], where, _text),
        _table(found["arguments"], where, _text),
        _flag(found["partition"], where),
    )


def _read_part(data: Any) -> Part:
    where = "part"
    found = _fields(data, where, "name", "map", "granularity", "guarantees", "setting", "inner")
    inner = None
    if found["inner"] is not None:
        given = _fields(found["inner"], f"{where}, inner", "cap", "size", "limits")
        inner = InnerClass(
            _optional(given["cap"], where, _number),
            _texts(given["size"], where),
            _limits(given["limits"], where),
        )
    setting = found["setting"]
    if setting not in {"separate", "common"}:
        raise _bad(where, "the setting is separate or common")
    granularity = found["granularity"]
    return Part(
        _text(found["name"], where),
        _text_or_texts(found["map"], where),
        None if granularity is None else _read_granularity(granularity, where),
        _table(found["guarantees"], where, _parameters),
        "common" if setting == "common" else "separate",
        inner,
    )


def _parameters(data: Any, where: str) -> tuple[Parameter, ...]:
    return tuple(_read_parameter(p, where) for p in _texts(data, where))


def _read_parameter(text: str, where: str) -> Parameter:
    match = _FRACTION.fullmatch(text)
    if match is None:
        return text
    value = Fraction(int(match[1]), int(match[2]))
    if _parameter(value) != text:
        raise _bad(where, f"'{text}' is not in lowest terms")
    return value
