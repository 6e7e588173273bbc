"""Answers that were found before, kept in a file: one for each question, by what is asked.

An answer is plain data.  It is found again only by the same program (every file of it, Python, and
the libraries that answers depend on) for the same question, word for word; what a disk or another
program has changed is not an answer any more.  Certificates and proofs are never taken from here.

>>> kept = Kept(None)
>>> kept.answer(("relate", "[domain] …"), lambda: {"verdict": "proved"})
{'verdict': 'proved'}
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

__all__ = ["OFF", "WHERE", "Kept", "fingerprint", "usual_place"]

WHERE: Final = "DPCOMP_KEPT"
"""The environment's variable that names the file; ``off`` means that nothing is kept."""
OFF: Final = "off"
SUFFIXES: Final = (".py", ".toml", ".json", ".v")
LIBRARIES: Final = (
    "z3-solver", "python-flint", "sympy", "networkx", "ortools", "dp-accounting", "cvc5",
)  # fmt: skip
DAYS: Final = 30
"""So long an answer is kept that nobody asks for."""
DAY: Final = 24 * 60 * 60
TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS answers "
    "(question TEXT PRIMARY KEY, answer TEXT NOT NULL, digest TEXT NOT NULL, day INTEGER NOT NULL)"
)


@lru_cache
def fingerprint(package: str = "dpcomp_sym") -> str:
    """Return a digest of the program: of every file and library that an answer can depend on."""
    from importlib.metadata import PackageNotFoundError, version

    digest = blake2b(digest_size=16)

    def add(place: Traversable, name: str) -> None:
        for inner in sorted(place.iterdir(), key=lambda p: p.name):
            path = f"{name}/{inner.name}"
            if inner.is_dir():
                add(inner, path)
            elif inner.name.endswith(SUFFIXES):
                digest.update(path.encode() + b"\0" + inner.read_bytes() + b"\0")

    add(resources.files(package), "")
    for library in LIBRARIES:
        try:
            said = version(library)
        except PackageNotFoundError:
            said = ""
        digest.update(f"{library} {said}\0".encode())
    digest.update(sys.version.encode())
    return digest.hexdigest()


def usual_place() -> Path | None:
    """Return the file in the user's cache folder, or where the environment says; None if off."""
    said = os.environ.get(WHERE, "")
    if said == OFF:
        return None
    if said:
        return Path(said)
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return folder / "dpcomp-sym" / "answers.sqlite"


class Kept:
    """Answers in a file of SQLite, which several programs can use at a time.

    A file that cannot be read or written, or that is something else, is left as it is: nothing is
    found and nothing kept then, and ``trouble`` says why.

    Args:
        file: where; None if nothing is to be kept.
    """

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.trouble = ""
        self._open: sqlite3.Connection | None = None
        if file is None:
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._open = sqlite3.connect(file, timeout=5, isolation_level=None)
            self._open.execute("PRAGMA synchronous=OFF")  # what is cut short has a wrong digest
            self._open.execute(TABLE)
        except (OSError, sqlite3.Error) as error:
            self._fails(error)

    def _fails(self, error: OSError | sqlite3.Error) -> None:
        said = getattr(error, "strerror", None) or error
        self.trouble = f"nothing is kept for the next run: {self.file}: {said}"
        self._open = None

    @staticmethod
    def name(question: Sequence[str]) -> str:
        """Return the digest of a question to this program; no two questions share one.

        >>> Kept.name(["a", "b"]) == Kept.name(["ab", ""])
        False
        """
        digest = blake2b(digest_size=32)
        for word in (fingerprint(), *question):
            raw = word.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "big") + raw)
        return digest.hexdigest()

    def find(self, question: Sequence[str]) -> Any:
        """Return the answer to a question, or None."""
        if self._open is None:
            return None
        name = self.name(question)
        try:
            row = self._open.execute(
                "SELECT answer, digest FROM answers WHERE question = ?", (name,)
            ).fetchone()
            if row is None or row[1] != _digest(name, row[0]):
                return None
            self._open.execute("UPDATE answers SET day = ? WHERE question = ?", (_today(), name))
            return json.loads(row[0])
        except (sqlite3.Error, ValueError, TypeError, AttributeError) as error:
            if isinstance(error, sqlite3.Error):
                self._fails(error)
            return None

    def keep(self, question: Sequence[str], answer: Any) -> None:
        """Keep an answer, and leave out those that nobody has asked for in a month."""
        if self._open is None:
            return
        name, text = self.name(question), json.dumps(answer)
        row = (name, text, _digest(name, text), _today())
        try:
            self._open.execute("DELETE FROM answers WHERE day < ?", (_today() - DAYS,))
            self._open.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            self._fails(error)

    def answer(
        self, question: Sequence[str], find: Callable[[], Any],
        whole: Callable[[], bool] = lambda: True,
    ) -> Any:  # fmt: skip
        """Return the answer that was kept, or else the one that is found now, which is kept.

        Args:
            question: what is asked, all that the answer depends on.
            find: how to answer it, with plain data.
            whole: asked afterwards: whether the answer may be kept.
        """
        known = self.find(question)
        if known is not None:
            return known
        found = find()
        if whole():
            self.keep(question, found)
        return found


def _digest(name: str, text: str) -> str:
    return blake2b(f"{name} {text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _today() -> int:
    return int(time.time()) // DAY
