"""The rows and columns of the atlas, and the spec of each of its cells."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any, Final

from dpcomp_sym.errors import InputError, nearest

__all__ = ["SETTINGS", "AtlasEntry", "AtlasQuestion", "AtlasTable", "default_table", "read_table"]

SETTINGS: Final = ("separate", "common")


@dataclass(frozen=True)
class AtlasEntry:
    """A domain, a row or a column: its name, a sentence, and its piece of a spec.

    ``domain`` is a row's; ``needs`` are the attributes and functions that a column needs, and
    ``inside`` the granularity of its parts on separate domains, where it is not the row's;
    ``always``: on a common domain, too.
    """

    name: str
    text: str
    spec: str
    domain: str = ""
    needs: tuple[str, ...] = ()
    inside: str = ""
    always: bool = False


@dataclass(frozen=True)
class AtlasQuestion:
    """One cell of the atlas, as a spec that ``dpcomp derive`` takes."""

    granularity: str
    map: str
    setting: str
    domain: str
    spec: str

    @property
    def name(self) -> str:
        """The three words that tell the cell from all others."""
        return f"{self.granularity} / {self.map} / {self.setting}"


@dataclass(frozen=True)
class AtlasTable:
    """The rows and columns.

    >>> table = default_table()
    >>> len(table.granularities) >= 20, len(table.maps) >= 15
    (True, True)
    """

    domains: tuple[AtlasEntry, ...]
    granularities: tuple[AtlasEntry, ...]
    maps: tuple[AtlasEntry, ...]

    @cached_property
    def questions(self) -> tuple[AtlasQuestion, ...]:
        """All cells, row by row."""
        domains = {d.name: d for d in self.domains}
        words = {name: _words(entry.spec) for name, entry in domains.items()}
        return tuple(
            AtlasQuestion(row.name, column.name, setting, row.domain,
                     _spec(domains[row.domain], row, column, setting))
            for row in self.granularities
            for column in self.maps
            if set(column.needs) <= words[row.domain]
            for setting in SETTINGS
        )  # fmt: skip

    def slice(self, granularities: Sequence[str] = (), maps: Sequence[str] = ()) -> AtlasTable:
        """Return some rows and columns, all where none are named.

        Raises:
            InputError: there is no such row or column.
        """

        def chosen(entries: tuple[AtlasEntry, ...], names: Sequence[str], what: str) -> Any:
            known = [e.name for e in entries]
            for name in names:
                if name not in known:
                    msg = f"the atlas has no {what} '{name}'; {nearest(name, known)}"
                    raise InputError(msg, word=name)
            return tuple(e for e in entries if not names or e.name in names)

        return AtlasTable(
            self.domains,
            chosen(self.granularities, granularities, "granularity"),
            chosen(self.maps, maps, "map"),
        )


def _words(spec: str) -> set[str]:
    domain: Mapping[str, Any] = tomllib.loads(spec)["domain"]
    return {*domain["attributes"], *domain.get("functions", {})}


def _spec(domain: AtlasEntry, row: AtlasEntry, column: AtlasEntry, setting: str) -> str:
    own = column.inside and (setting == "separate" or column.always)
    inside = f'granularity = "{column.inside}"\n' if own else ""
    return (
        f'title = "{row.name} / {column.name} / {setting}"\n'
        f"{domain.spec}{row.spec}{column.spec}\n"
        f'[[part]]\nname = "p"\nmap = "f"\nsetting = "{setting}"\n{inside}'
    )


def read_table(text: str) -> AtlasTable:
    """Read a table from TOML."""
    data = tomllib.loads(text)

    def entries(kind: str) -> tuple[AtlasEntry, ...]:
        return tuple(
            AtlasEntry(**{**entry, "needs": tuple(entry.get("needs", ()))}) for entry in data[kind]
        )

    return AtlasTable(entries("domain"), entries("granularity"), entries("map"))


@lru_cache(maxsize=1)
def default_table() -> AtlasTable:
    """Return the table that comes with the program."""
    file = resources.files("dpcomp_sym.atlas").joinpath("table.toml")
    return read_table(file.read_text("utf-8"))
