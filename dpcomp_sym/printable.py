r"""Text of other people, made fit to be printed: it stays on its line and says what it looks like.

A title may hold line breaks, which would make lines of their own; codes that move a terminal's
cursor, erase or recolour what stands there; marks that turn the order of letters around, and marks
of no width.  All of these are shown by their number instead.
"""

from __future__ import annotations

__all__ = ["one_line", "plain_lines"]


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


def _shown(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
