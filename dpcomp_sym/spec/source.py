"""The text of a spec and the places in it, so that an error can name the line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Final

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.errors import InputError

__all__ = ["Path", "Source", "SpecError", "named"]

Path = tuple[str | int, ...]
"""Where something stands in a spec: keys, and positions in lists."""

_HEADER: Final = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?\Z")
_KEY: Final = re.compile(
    r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_PART: Final = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_QUOTED: Final = re.compile(r"""\"(?:[^"\\]|\\.)*"|'[^']*'""")
_LONG: Final = re.compile(r"'[^']{100,}'")
_NAMED: Final = re.compile(r"(map|part|granularity) '([^']*)'")


class SpecError(InputError):
    """An input error with its place in a file.

    ``file`` is the name of the file, ``line`` the number of the line, or 0 when there is none.
    """

    def __init__(self, error: InputError, file: str, line: int) -> None:
        super().__init__(error.message, where=error.where, word=error.word)
        self.file = file
        self.line = line
        place = f"{file}, line {line}" if line else file
        said = _LONG.sub(_cut, str(self.args[0]))
        self.args = (f"{place}: {said}" if place else said,)  # a problem of Python has no file


@dataclass(frozen=True)
class Source:
    """A spec as it was written: its name, its text and the tables that TOML makes of it."""

    name: str
    text: str = field(repr=False)
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without what stands in comments."""
        return [_without_comment(line) for line in self.text.splitlines()]

    @cached_property
    def places(self) -> list[tuple[int, Path]]:
        """The lines on which a table or a key begins, in order."""
        return list(_places(self.text.splitlines()))

    def line_of(self, path: Path, word: str = "") -> int:
        r"""Return the line on which ``path`` begins, or ``word`` inside it; 0 when it is nowhere.

        >>> source = Source("a.toml", '[domain]\ncap = 1\n\n[[map]]\nuse = "cover"\n')
        >>> source.line_of(("map", 0, "use")), source.line_of((), "cap")
        (5, 2)
        """
        first, last = 1, len(self.lines)
        found = 0
        for depth in range(len(path), 0, -1):
            wanted = path[:depth]
            starts = [n for n, place in self.places if place[:depth] == wanted]
            if starts:
                found = first = starts[0]
                after = [n for n, place in self.places if n > starts[-1]]
                last = after[0] - 1 if after else last
                break
        deeper = [str(p) for p in path if isinstance(p, str)][-1:]
        for candidate in [word, *deeper]:
            line = self._search(candidate, first, last)
            if line:
                return line
        return found or (self._search(word, 1, len(self.lines)) if word else 0)

    def _search(self, word: str, first: int, last: int) -> int:
        if not word:
            return 0
        left = r"(?<!\w)" if re.match(r"\w", word) else ""
        right = r"(?!\w)" if re.search(r"\w\Z", word) else ""
        pattern = re.compile(left + re.escape(word) + right)
        for number in range(first, last + 1):
            if pattern.search(self.lines[number - 1]):
                return number
        return 0

    def error(self, message: str, path: Path = (), word: str = "", where: str = "") -> SpecError:
        """Return an error at a place."""
        found = InputError(message, where=where, word=word)
        return SpecError(found, self.name, self.line_of(path, word))

    def placed(self, error: InputError, path: Path = ()) -> SpecError:
        """Return the error with the file and the line that it is about."""
        for candidate in (self._path_of(error.where), path):
            line = self.line_of(candidate, error.word) if candidate else 0
            if line:
                return SpecError(error, self.name, line)
        return SpecError(error, self.name, self.line_of((), error.word))

    def _path_of(self, where: str) -> Path:
        """Return the place that the words of an error are about."""
        pieces = where.split(", ")
        entry = _NAMED.match(pieces[0])
        path: Path
        if entry:
            kind, name = entry.groups()
            entries = self.data.get(kind)
            if isinstance(entries, list):
                numbers = [n for n, e in enumerate(entries) if named(kind, e, n) == name]
                path = (kind, *numbers[:1])
            else:
                path = (kind,) if kind in self.data else ()
        elif pieces[0] in self.data:
            path = (pieces[0],)
        else:
            return ()
        for piece in pieces[1:]:
            edit = re.match(r"edit (\d+)\Z", piece)
            if edit:
                path = (*path, "edit", int(edit[1]) - 1)
            elif re.match(r"\w+\Z", piece):
                path = (*path, piece)
        return path


def _cut(quoted: re.Match[str]) -> str:
    return quoted[0][:60] + "…'"


def named(kind: str, entry: Mapping[str, Any], number: int) -> str:
    """Return what a map, a part or a granularity of a list is called, if need be by its number.

    >>> named("part", {"map": ["years", "days"]}, 0), named("map", {"member": "true"}, 1)
    ('years_days', 'map2')
    """
    read = entry.get("map", "")
    maps = read if isinstance(read, str) else "_".join(read)
    return str(entry.get("name") or entry.get("use") or maps or f"{kind}{number + 1}")


def _without_comment(line: str) -> str:
    if "#" not in line:
        return line
    blanked = _QUOTED.sub(lambda m: m[0].replace("#", " "), line)
    return line[: blanked.index("#")] if "#" in blanked else line


def _places(lines: Sequence[str]) -> Iterator[tuple[int, Path]]:
    counts: dict[Path, int] = {}
    prefix: Path = ()
    quotes = ""  # inside a text of several lines, the quotes that end it
    depth = 0  # inside a list of several lines, its open brackets
    for number, raw in enumerate(lines, 1):
        line = raw
        if quotes:
            if quotes not in line:
                continue
            line, quotes = line.partition(quotes)[2], ""
        for triple in ('"""', "'''"):
            if line.count(triple) % 2:
                line, quotes = line.partition(triple)[0], triple
        line = _without_comment(line)
        header = _HEADER.match(line) if depth == 0 else None
        if header:
            prefix = ()
            parts = [p.strip("\"'") for p in _PART.findall(header[2])]
            for place, part in enumerate(parts):
                prefix = (*prefix, part)
                if header[1] == "[[" and place == len(parts) - 1:
                    counts[prefix] = counts.get(prefix, -1) + 1
                if prefix in counts:
                    prefix = (*prefix, counts[prefix])
            yield number, prefix
            continue
        key = _KEY.match(line) if depth == 0 else None
        if key:
            parts = [p.strip("\"'") for p in _PART.findall(key[1])]
            yield number, (*prefix, *parts)
        bare = _QUOTED.sub("", line)
        depth = max(0, depth + sum(bare.count(c) for c in "[{") - sum(bare.count(c) for c in "]}"))
