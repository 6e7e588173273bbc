"""What a problem states, in full and in plain words; and in what two problems differ.

Everything that a bound is about is written, from the terms that the solver reads: names that stand
for others are resolved, and nothing is left out because it is usual.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.model.domain import Domain, Universe
from dpcomp_sym.model.granularity import BoundEdit, BoundGranularity
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart, Problem
from dpcomp_sym.model.serial import canonical
from dpcomp_sym.printable import one_line, quoted
from dpcomp_sym.terms import TRUE, Term, to_text

__all__ = ["differences", "digest", "stated"]

MOST_SHOWN: Final = 60
_UNIVERSES: Final = {
    Universe.ANY: "any set of records",
    Universe.INFINITE: "any infinite set of records",
    Universe.PRODUCT: "all tuples of values",
}


def digest(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a problem as plain data, but for its title, which states nothing.

    >>> digest({"title": "a", "maps": []}) == digest({"maps": [], "title": "b"})
    True
    """
    stated = {name: value for name, value in data.items() if name != "title"}
    return hashlib.sha256(canonical(stated).encode()).hexdigest()


def stated(problem: Problem) -> list[str]:
    r"""Return what a problem states, line by line; what belongs to a line is indented below it.

    >>> from dpcomp_sym.model import Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}, cap=1), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> print("\n".join(stated(problem)[:4]))
    class of databases
      a record: id: Record
      records there are: any set of records
      each at most 1 time, any number of records
    """
    used = list(problem.used_maps.values())
    lines = ["class of databases", *_below(_domain(problem.domain))]
    lines += [f"neighbours: {quoted(problem.outer.name)}", *_below(_edits(problem.outer))]
    for mapping in used:
        lines += [f"map {mapping.name}", *_below(_map(mapping))]
    for part in problem.bound_parts:
        lines += [f"mechanism {part.name}", *_below(_part(part, problem))]
    lines.append("composition: all of them, in any order, each chosen after the outputs before it;")
    lines.append("  maps and guarantees are fixed in advance")
    return [one_line(line) for line in lines]


def _below(lines: Iterator[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _listed(items: Mapping[str, Any] | Sequence[tuple[str, Any]]) -> str:
    pairs = items.items() if isinstance(items, Mapping) else items
    return ", ".join(f"{name}: {value}" for name, value in pairs)


def _functions(functions: Mapping[str, tuple[Sequence[str], str]]) -> Iterator[str]:
    for name, (arguments, result) in functions.items():
        yield f"function {name}({', '.join(arguments)}): {result}, any"


def _symbols(symbols: Mapping[str, Term]) -> Iterator[str]:
    for name, fact in symbols.items():
        yield f"symbol {name}, any integer" + ("" if fact == TRUE else f" with {to_text(fact)}")


def _domain(domain: Domain) -> Iterator[str]:
    sorts = {
        name: sort if isinstance(sort, str) else f"one of {', '.join(sort)}"
        for name, sort in domain.attributes.items()
    }
    yield f"a record: {_listed(sorts)}"
    if domain.cell_term != TRUE:
        yield f"with {to_text(domain.cell_term)}"
    least = f", at least {domain.at_least}" if domain.at_least > 1 else ""
    yield f"records there are: {_UNIVERSES[domain.universe]}{least}"
    yield from _functions(domain.signatures)
    yield from _symbols(domain.symbol_terms)
    times = "any number of times" if domain.cap is None else f"at most {_times(domain.cap)}"
    sizes = " and ".join(map(to_text, domain.size_terms)) or "any number of records"
    yield f"each {times}, {sizes}"
    for key, bound in domain.limit_terms:
        several = "record" if bound.op == "int" and bound.number == 1 else "records"
        yield f"at most {to_text(bound)} {several} with the same {to_text(key)}"
    for of, each, bound in domain.distinct_terms:
        values = "value" if bound.op == "int" and bound.number == 1 else "different values"
        among = "all records" if each == TRUE else f"records with the same {to_text(each)}"
        yield f"at most {to_text(bound)} {values} of {to_text(of)} among {among}"
    for fact in domain.fact_terms:
        yield f"for all c: {to_text(fact)}"


def _times(number: int) -> str:
    return "1 time" if number == 1 else f"{number} times"


def _edits(granularity: BoundGranularity) -> Iterator[str]:
    way = "from D to E" if granularity.directed else "from D to E, or from E to D"
    yield f"D and E in the class, where an edit leads {way}"
    for number, edit in enumerate(granularity.edits, 1):
        yield f"edit {number}: " + "; ".join(_edit(edit))


def _edit(edit: BoundEdit) -> Iterator[str]:
    if edit.params:
        yield f"for {_listed(edit.params)}"
    if edit.guard != TRUE:
        yield f"if {to_text(edit.guard)}"
    if edit.frame is None:
        for point, delta in edit.change:
            yield f"E[{point}] is D[{point}] with {to_text(delta)} added"
        yield "nothing else changes"
    else:
        yield f"each c with {to_text(edit.frame)} changes from old to new"
        yield f"where {to_text(edit.step)}"
        yield "nothing else changes"


def _map(mapping: BoundMap) -> Iterator[str]:
    if mapping.indices:
        sizes = " and ".join(f"{name} from 1 to {size}" for name, size in mapping.indices)
        yield f"one block for each {sizes}"
    kept = "every record" if mapping.member == TRUE else f"c where {to_text(mapping.member)}"
    yield f"keeps {kept}"
    if mapping.image is not None:
        shown = _listed([(name, to_text(term)) for name, term in mapping.image])
        yield f"counts what it keeps by {shown}" if shown else "counts what it keeps"
    yield from _functions(mapping.functions)
    yield from _symbols(mapping.symbols)
    for fact in mapping.facts:
        yield f"for all c: {to_text(fact)}"
    if mapping.multiplicity is not None:
        yield f"each record in at most {to_text(mapping.multiplicity)} blocks"


def _part(part: BoundPart, problem: Problem) -> Iterator[str]:
    each = "for each block of" if part.map.indices else "behind"
    yield f"{each} map {part.map.name}"
    common = part.setting == "common"
    yield (
        "private on whole databases, and dependent only on what the map keeps"
        if common
        else "private on what the map hands on"
    )
    if part.domain != problem.domain:
        yield "class of what it is handed"
        yield from _below(_domain(part.domain))
    if part.same_granularity:
        yield f"between neighbours: {quoted(problem.outer.name)}, as above, of these databases"
    else:
        yield f"between neighbours: {quoted(part.granularity.name)}"
        yield from _below(_edits(part.granularity))
    blocks = f"[{', '.join(name for name, _ in part.map.indices)}]" if part.map.indices else ""
    for notion, parameters in part.guarantees:
        shown = (str(p) if isinstance(p, Fraction) else f"{p}{blocks}" for p in parameters)
        yield f"{notion}: {', '.join(shown)}"


# ------------------------------------------------------------- two problems


def differences(left: Any, right: Any) -> list[tuple[str, str, str]]:
    """Return where two problems as plain data differ, but for the title: place, left and right.

    Lists of pairs that begin with names are compared by the names.

    >>> differences({"cap": 1, "maps": [["a", 1]]}, {"cap": 2, "maps": [["a", 1], ["b", 3]]})
    [('cap', '1', '2'), ('maps, b', 'absent', '3')]
    """
    rows = _different(left, right, ())
    return [(", ".join(place), a, b) for place, a, b in rows if place != ("title",)]


def _different(
    left: Any, right: Any, place: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    if type(left) is type(right) and canonical(left) == canonical(right):
        return
    mine, theirs = _parts(left), _parts(right)
    if mine is None or theirs is None or not (mine or theirs):
        yield place, _short(left), _short(right)
        return
    order = [name for name in mine if name in theirs]
    if not (set(mine) ^ set(theirs)) and order != [n for n in theirs if n in mine]:
        yield place, f"in the order {', '.join(mine)}", f"in the order {', '.join(theirs)}"
    for name in {**mine, **theirs}:
        here = (*place, one_line(name))
        if name not in mine:
            yield here, "absent", _short(theirs[name])
        elif name not in theirs:
            yield here, _short(mine[name]), "absent"
        else:
            yield from _different(mine[name], theirs[name], here)


def _parts(data: Any) -> dict[str, Any] | None:
    """Return the named parts of plain data; None where there are none."""
    if isinstance(data, dict):
        return {str(name): value for name, value in data.items()}
    if not isinstance(data, list):
        return None
    named: dict[str, Any] = {}
    for number, item in enumerate(data, 1):
        if isinstance(item, list) and len(item) >= 2 and isinstance(item[0], str):
            name, value = item[0], item[1] if len(item) == 2 else item[1:]
        elif isinstance(item, dict) and isinstance(item.get("name"), str):
            name, value = item["name"], item
        else:
            name, value = str(number), item
        if name in named:
            return {str(n): v for n, v in enumerate(data, 1)}
        named[name] = value
    return named


def _short(value: Any) -> str:
    text = one_line(value if isinstance(value, str) and value else canonical(value))
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
