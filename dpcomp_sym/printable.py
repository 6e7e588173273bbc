r"""Text from outside, made fit to be printed: it stays on its line and reads as it looks.

A title may hold line breaks, which would make lines of their own; codes that move a terminal's
cursor, erase or recolour what stands there; marks that turn the order of letters around, and marks
of no width.  All of these are shown by their number instead.
"""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import MISSING, Field, fields
from itertools import chain, count
from typing import Any, Final

__all__ = ["as_json", "in_lines", "one_line", "plain_lines", "quoted", "readable", "unused"]

MOST_QUOTED: Final = 60


def one_line(text: str) -> str:
    r"""Return text without line breaks and without anything that is not seen.

    >>> print(one_line("a title\nverified\x1b[2K \u202e\u200b"))
    a title\nverified\x1b[2K \u202e\u200b
    >>> one_line("ε-DP of “blocks”")
    'ε-DP of “blocks”'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _shown(c) for c in text)


def plain_lines(text: str) -> str:
    r"""Return text of several lines, each as :func:`one_line` makes it.

    >>> plain_lines("one\ntwo\r\u2028three\n")
    'one\ntwo\\r\\u2028three\n'
    """
    return "\n".join(map(one_line, text.split("\n")))


def in_lines(data: Any) -> Any:
    r"""Return plain data in which every text is one line.

    >>> in_lines({"ti\ntle": ["a\tb", 1, None]})
    {'ti\\ntle': ['a\\tb', 1, None]}
    """
    if isinstance(data, str):
        return one_line(data)
    if isinstance(data, dict):
        return {in_lines(name): in_lines(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [in_lines(item) for item in data]
    return data


def quoted(name: str) -> str:
    """Return a name that may be any text, so that it is not taken for words around it.

    >>> print(quoted("unbounded"), quoted("visits within a day"))
    unbounded 'visits within a day'
    """
    if name.isascii() and name.isidentifier():
        return name
    text = one_line(name).replace("'", "’")
    return f"'{text}'" if len(text) <= MOST_QUOTED else f"'{text[:MOST_QUOTED]}…'"


def unused(letters: str, taken: Container[str]) -> str:
    """Return the first letter that is not the name of anything else; the first with a number.

    >>> unused("tuv", {"t"}), unused("tuv", {"t", "u", "v", "t1"})
    ('u', 't2')
    """
    numbered = (f"{letters[0]}{n}" for n in count(1))
    return next(x for x in chain(letters, numbered) if x not in taken)


def as_json(document: Any) -> str:
    r"""Return plain data as JSON, indented, with letters as they are and marks by their numbers.

    >>> print(as_json({"a": "ε\u202e\x9b"}))
    {
      "a": "ε\u202e\u009b"
    }
    """
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def _shown(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def readable(value: Any) -> str:
    """Return how a dataclass is written, without what is as it would be by itself.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Map:
    ...     name: str
    ...     facts: tuple[str, ...] = ()
    ...     __repr__ = readable
    >>> Map("blocks"), Map("blocks", ("i <= k",))
    (Map(name='blocks'), Map(name='blocks', facts=('i <= k',)))
    """
    given = ((f.name, getattr(value, f.name), _default(f)) for f in fields(value) if f.repr)
    told = ", ".join(f"{name}={x!r}" for name, x, default in given if x != default)
    return f"{value.__class__.__qualname__.rpartition('.')[2]}({told})"


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()
