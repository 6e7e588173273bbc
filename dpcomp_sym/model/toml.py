"""Problems as TOML, the text of a spec: with built-ins by their names, as one writes it by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.model.domain import Distinct, Domain, Universe
from dpcomp_sym.model.granularity import Edit, Granularity
from dpcomp_sym.model.library import built_in_granularity, built_in_map
from dpcomp_sym.model.mapping import Map
from dpcomp_sym.notions import usual_parameters

__all__ = ["toml", "toml_of_problem"]

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+\Z")
Tables = Iterator[tuple[str, Mapping[str, Any]]]


def toml_of_problem(problem: Any, values: Mapping[str, Any] | None = None) -> str:
    """Return the text of a spec.

    Args:
        problem: a :class:`~dpcomp_sym.model.Problem`.
        values: numbers for parameters and symbols: integers, fractions, texts, lists of these.
    """
    tables = [
        ("[domain]", _domain(problem.domain)),
        *_granularity(problem.granularity, problem.domain, "granularity"),
        *(("[[map]]", _map(one, problem.domain)) for one in problem.maps),
        *(table for part in problem.parts for table in _part(part, problem.domain)),
    ]
    if values:
        tables.append(("[values]", values))
    texts = [_lines({"title": problem.title})]
    texts += [f"{header}\n{_lines(table)}" for header, table in tables]
    return "\n".join(texts)


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(name)} = {toml(value)}\n" for name, value in table.items())


def _key(name: str) -> str:
    return name if _BARE.match(name) else toml(name)


def toml(value: Any) -> str:
    r"""Return plain data as a value of TOML, on one line.

    >>> print(toml({"index": {"i": "k"}, "by": 'a "b"', "n": [1, Fraction(1, 3), True]}))
    { index = { i = "k" }, by = "a \"b\"", n = [1, "1/3", true] }
    >>> print(toml(r"\mathcal{B}"))
    '\mathcal{B}'
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Fraction():
            return str(value.numerator) if value.denominator == 1 else f'"{value}"'
        case str() if "\\" in value and "'" not in value and value.isprintable():
            return f"'{value}'"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            inner = ", ".join(f"{_key(name)} = {toml(one)}" for name, one in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case Sequence():
            return f"[{', '.join(map(toml, value))}]"
        case _:
            raise TypeError(f"TOML has no {value!r}")


def _said(**entries: Any) -> dict[str, Any]:
    """Return the entries that are not empty."""
    return {name: value for name, value in entries.items() if value not in (None, "", (), {}, [])}


def _signatures(functions: Mapping[str, tuple[Sequence[str], str]]) -> dict[str, Any]:
    return {name: [list(arguments), result] for name, (arguments, result) in functions.items()}


def _class(cap: int | None, size: Sequence[str], limits: Sequence[Any]) -> dict[str, Any]:
    return _said(
        kind="set" if cap == 1 else None,
        cap=None if cap == 1 else cap,
        size=list(size),
        limits=[list(pair) for pair in limits],
    )


def _distinct(limit: Distinct) -> dict[str, Any]:
    each = None if limit.each == "true" else limit.each
    return _said(of=limit.of, each=each, at_most=limit.at_most)


def _domain(domain: Domain) -> dict[str, Any]:
    return {
        **_said(
            name=domain.name,
            attributes=domain.attributes,
            functions=_signatures(domain.functions),
            symbols=domain.symbols,
            cell=None if domain.cell == "true" else domain.cell,
        ),
        **_class(domain.cap, domain.size, domain.limits),
        **_said(
            distinct=list(map(_distinct, domain.distinct)),
            facts=list(domain.facts),
            universe=None if domain.universe == Universe.ANY else str(domain.universe),
            at_least=None if domain.at_least == 1 else domain.at_least,
        ),
    }


def _granularity(granularity: Granularity, domain: Domain, place: str) -> Tables:
    """Yield the tables of a granularity: a built-in, or its edits."""
    used = built_in_granularity(granularity, domain)
    if used is not None:
        yield f"[{place}]", used
        return
    own = _said(
        name=granularity.name, symbol=granularity.symbol,
        group=None if granularity.group == 1 else granularity.group,
        arguments=granularity.arguments, directed=granularity.directed or None,
    )  # fmt: skip
    yield f"[{place}]", own
    for edit in granularity.edits:
        yield f"[[{place}.edit]]", _edit(edit)


def _edit(edit: Edit) -> dict[str, Any]:
    return {
        **_said(params=edit.params, guard=None if edit.guard == "true" else edit.guard),
        **({} if edit.change is None else {"change": edit.change}),
        **({} if edit.frame is None else {"frame": edit.frame}),
        **_said(step=None if edit.step == "true" else edit.step),
    }


def _map(mapping: Map, domain: Domain) -> dict[str, Any]:
    used = built_in_map(mapping, domain)
    if used is not None:
        return {**({} if mapping.name == used["use"] else {"name": mapping.name}), **used}
    return {
        "name": mapping.name,
        **({} if mapping.member == "true" and mapping.image is not None
           else {"member": mapping.member}),
        **_said(
            index=mapping.index, functions=_signatures(mapping.functions),
            facts=list(mapping.facts), multiplicity=mapping.multiplicity,
        ),
        **({} if mapping.image is None else {"image": mapping.image}),
        **_said(
            symbols=mapping.symbols, arguments=mapping.arguments,
            partition=mapping.partition or None,
        ),
    }  # fmt: skip


def _part(part: Any, domain: Domain) -> Tables:
    table: dict[str, Any] = {
        "name": part.name,
        "map": part.map if isinstance(part.map, str) else list(part.map),
        **_said(setting=None if part.setting == "separate" else part.setting),
    }
    if list(part.guarantees.items()) != list(usual_parameters().items()):
        table["guarantee"] = {
            notion: parameters[0] if len(parameters) == 1 else list(parameters)
            for notion, parameters in part.guarantees.items()
        }
    if part.inner is not None:
        table["domain"] = _class(part.inner.cap, part.inner.size, part.inner.limits)
    yield "[[part]]", table
    if part.granularity is not None:
        yield from _granularity(part.granularity, domain, "part.granularity")
