"""A commented spec to start from."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Final

from dpcomp_sym.errors import InputError

__all__ = ["starter", "write_starter"]

_STARTER: Final = """\
# A composition problem.  Derive its bounds:      dpcomp derive FILE
# The conditions alone:                           dpcomp check FILE
# With numbers:                                   dpcomp derive FILE --set k=3 --set "eps=[1,2,3]"

title = TITLE

# The databases.  A record is a tuple of attributes; a database holds each tuple so many times.
# An attribute is of a sort: "int", "bool", a list of values, or a name of your own, of which
# nothing is assumed.
[domain]
attributes = { id = "Record", owner = "Person", day = "int" }
# functions = { household = [["Person"], "House"] }   # nothing is assumed of functions either
# symbols = { w = "w >= 1" }                          # integers that formulas may mention
# kind = "set"                                        # the same record at most once
# size = "size(D) == N"                               # then say: symbols = { N = "N >= 1" }
# limits = [["owner(c)", 3]]                          # at most 3 records an owner

# Which databases are neighbours: unbounded (one record more or less), bounded (one record
# replaced), unbounded_or_bounded, ordered_bounded, attribute, label, user, user_presence or
# free_lunch ...
[granularity]
use = "unbounded"
# use = "user"
# owner = "owner"
#
# ... or one of your own: edits that lead from D to a neighbour.  An edit changes a few records,
# [[granularity.edit]]
# params = { x = "cell", y = "cell" }
# guard = "D[x] >= 1 and x != y and day(x) == day(y)"
# change = { x = -1, y = 1 }
# or all records c of a frame, at will:
# [[granularity.edit]]
# params = { p = "Person", t = "int" }
# frame = "owner(c) == p and t <= day(c) and day(c) < t + 7"

# What the mechanisms read: identity, copies, partition, labels, cover, filter, projection,
# cardinality; or a formula, such as  member = "7*(i - 1) <= day(c) and day(c) < 7*i".
[[map]]
name = "blocks"
use = "partition"             # k disjoint blocks, by any label of a record
by = "c"                      # by = "owner": the label depends on the owner alone
# exhaustive = false          # some records may lie in no block

# The mechanisms: one for every block of a map, or a single one.
[[part]]
name = "counts"
map = "blocks"
setting = "separate"          # private on its block; "common": private on the whole database
# granularity = "bounded"     # the neighbours of its guarantee, if not those above
# guarantee = { pure = "eps" }  # otherwise pure, approximate, zcdp and gaussian

[[part]]
name = "total"
map = "identity"
guarantee = { pure = "eps_total", zcdp = "rho_total" }

# Numbers, if you have them: a number for all blocks, a list, a formula in i, or a CSV file.
[values]
# k = 3
# eps = [1, "1/2", 0.25]
# eps = "1/i"
# eps = "@eps.csv"
"""


def starter(title: str) -> str:
    """Return a commented spec that can be derived as it stands.

    >>> starter("First").splitlines()[4]
    'title = "First"'
    """
    return _STARTER.replace("TITLE", json.dumps(title, ensure_ascii=False), 1)


def write_starter(name: str, *, force: bool = False) -> Path:
    """Write a commented spec and return its file, ``NAME.toml``.

    Args:
        name: the file, with or without ``.toml``.
        force: replace a file that is there.

    Raises:
        InputError: the name cannot be that of a file, or the file is there already.
        OSError: it cannot be written; nothing is left behind then.
    """
    file = Path(name if name.endswith(".toml") else f"{name}.toml")
    if not name.strip() or not name.isprintable() or name.endswith(("/", os.sep)):
        raise InputError(f"{name!r} cannot be the name of a spec", word=name)
    if file.name == ".toml":
        raise InputError(f"{name!r} cannot be the name of a spec: it has no name before .toml",
                         word=name)  # fmt: skip
    if file.is_dir():
        raise InputError(f"{file} is a folder", word=name)
    if os.path.lexists(file) and not force:
        raise InputError(f"{file} is there already; --force replaces it", word=name)
    content = starter(file.stem).encode()
    # Written elsewhere first, so that no one ever sees half a file.
    handle, draft = tempfile.mkstemp(prefix=f".{file.stem[:40]}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(draft).chmod(0o666 & ~_umask())
        if force:
            Path(draft).replace(file)
        else:
            _place(Path(draft), file)
    except FileExistsError:
        raise InputError(f"{file} is there already; --force replaces it", word=name) from None
    finally:
        Path(draft).unlink(missing_ok=True)
    return file


def _place(draft: Path, file: Path) -> None:
    """Give the draft its name unless someone else has just taken it."""
    try:
        os.link(draft, file)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        draft.replace(file)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
