"""Counterexamples as rows, one for each record and block, for every way of showing them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["Databases", "RecordRow", "databases", "named", "placed", "plainly", "runs"]

MOST_ROWS: Final = 24
MOST_NAMES: Final = 6
MOST_RANGES: Final = 12


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record with how often each of the two databases has it; ``fields`` are its attributes."""

    block: str
    record: str
    old: int
    new: int
    fields: tuple[tuple[str, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Databases:
    """Two databases, and what else is known: what changed, symbols, distances."""

    rows: tuple[RecordRow, ...]
    remarks: tuple[tuple[str, str], ...]

    @property
    def shown(self) -> tuple[RecordRow, ...]:
        """The rows to show: where there are too many, those that change come first."""
        if len(self.rows) <= MOST_ROWS:
            return self.rows
        return tuple(sorted(self.rows, key=lambda r: r.old == r.new))[:MOST_ROWS]

    @property
    def hidden(self) -> int:
        """How many rows are not shown."""
        return len(self.rows) - len(self.shown)


def databases(example: Mapping[str, Any]) -> Databases:
    """Read a counterexample of the JSON output.

    >>> both = databases({"D": [], "D_prime": [{"cell": {"id": "a"}, "count": 2}], "k": 1})
    >>> both.rows, both.remarks
    ((RecordRow(block='', record='id = a', old=0, new=2),), (('k', '1'),))
    """
    counts: dict[tuple[str, str], list[int]] = {}
    fields: dict[str, tuple[tuple[str, str], ...]] = {}
    for place, side in enumerate(("D", "D_prime")):
        for block, record, count in _records(example.get(side)):
            said = plainly(record)
            counts.setdefault((block, said), [0, 0])[place] += count
            if isinstance(record, Mapping):
                fields[said] = tuple((str(a), plainly(value)) for a, value in record.items())
    ordered = sorted(counts, key=lambda row: (row[0] == "", len(row[0]), row))
    remarks = [
        (key.replace("_", " "), named(value) if key == "changed" else plainly(value))
        for key, value in sorted(example.items(), key=lambda item: item[0] != "changed")
        if key not in ("D", "D_prime") and value not in (None, "", [], {})
    ]
    rows = tuple(
        RecordRow(block, said, old, new, fields.get(said, ()))
        for block, said in ordered
        for old, new in [counts[block, said]]
    )
    return Databases(rows, tuple(remarks))


def _records(database: object, block: str = "") -> Iterator[tuple[str, object, int]]:
    """Yield (block, record, count) of a database in any of the shapes that JSON gives it.

    A list of records; or blocks with their lists of records.  A record is a table of attributes,
    by itself or as "record" or "cell" next to its "count" and "blocks"; or a text.
    """
    if isinstance(database, Mapping):
        for name, inner in database.items():
            yield from _records(inner, str(name))
        return
    if not isinstance(database, Sequence) or isinstance(database, str):
        if database not in (None, ""):
            yield block, str(database), 1
        return
    for entry in database:
        if not isinstance(entry, Mapping):
            yield block, entry, 1
            continue
        fields = dict(entry)
        count = fields.pop("count", 1)
        blocks = fields.pop("blocks", fields.pop("block", None))
        record = fields.pop("record", fields.pop("cell", fields))
        if blocks is not None:
            where = named(blocks) if isinstance(blocks, list) else plainly(blocks)
        else:
            where = block
        yield where, record, int(count)


def plainly(value: object) -> str:
    """Return plain data in words.

    >>> plainly({"k": 2, "ok": True}), plainly([1, None])
    ('k = 2, ok = true', '1, –')
    """
    match value:
        case Mapping():
            return ", ".join(f"{key} = {plainly(inner)}" for key, inner in value.items())
        case list() | tuple():
            return ", ".join(plainly(inner) for inner in value)
        case bool():
            return str(value).lower()
        case None:
            return "–"
        case _:
            return str(value)


def named(blocks: Sequence[object]) -> str:
    """Return the names of blocks; of many, their numbers as ranges.

    >>> named(["f 1", "f 2"]), named(["g", *(f"f {n}" for n in range(1, 2001))])
    ('f 1, f 2', 'g, f 1–2000')
    """
    names = [plainly(block) for block in blocks]
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    families: dict[str, list[int]] = {}
    single: list[str] = []
    for name in names:
        family, _, last = name.rpartition(" ")
        if last.isdigit():
            families.setdefault(family, []).append(int(last))
        else:
            single.append(name)
    ranges = [f"{f} {r}" for f, ns in families.items() for r in _written(sorted(ns))]
    return _first([*single, *ranges], len(names))


# ------------------------------------------------------------------ memberships


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as ranges, first and last.

    >>> runs([1, 2, 3, 7, 9, 10])
    [(1, 3), (7, 7), (9, 10)]
    """
    found: list[tuple[int, int]] = []
    for n in numbers:
        if found and found[-1][1] == n - 1:
            found[-1] = (found[-1][0], n)
        else:
            found.append((n, n))
    return found


def placed(databases: Mapping[str, Sequence[int]]) -> str:
    """Return in words in which databases somebody is, by group; at most a dozen ranges of each.

    >>> placed({"ads": [1, 2, 3, 7], "premium": []}), placed({"databases": []})
    ('ads 1–3, 7', 'no database')
    """
    groups = [
        (f"{group} " if len(databases) > 1 else "") + _ranges(numbers)
        for group, numbers in databases.items()
        if numbers
    ]
    return "; ".join(groups) or "no database"


def _ranges(numbers: Sequence[int]) -> str:
    return _first(_written(numbers), len(numbers))


def _written(numbers: Sequence[int]) -> list[str]:
    return [str(a) if a == b else f"{a}–{b}" for a, b in runs(numbers)]


def _first(ranges: Sequence[str], total: int) -> str:
    rest = f", … ({total} in all)" if len(ranges) > MOST_RANGES else ""
    return ", ".join(ranges[:MOST_RANGES]) + rest
