"""A commented spec to start from."""

from __future__ import annotations

import json
import os
import tempfile
import textwrap
from itertools import product
from pathlib import Path
from typing import Any, Final

from dpcomp_sym.errors import InputError
from dpcomp_sym.files import about, check_place
from dpcomp_sym.model import Domain, library_granularity, library_map
from dpcomp_sym.model.library import library_entry, library_names, library_text

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
# distinct = [{ of = "day(c)", each = "owner(c)", at_most = 3 }]   # on at most 3 days an owner
# cell = "day(c) >= 1"                                # which records can be
# universe = "product"                                # each tuple of values is a record

# Which databases are neighbours.  There are built-in granularities:
#   GRANULARITIES
[granularity]
GRANULARITY
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

# What the mechanisms read.  There are built-in maps:
#   MAPS
# or say it by a formula, such as  member = "7*(i - 1) <= day(c) and day(c) < 7*i".
[[map]]
name = "blocks"
MAP

# The mechanisms: one for every block of a map, or a single one.
[[part]]
name = "counts"
map = "blocks"
setting = "SETTING"          # separate: private on its block; common: on the whole database
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


_PARTITION: Final = """\
use = "partition"             # k disjoint blocks, by any label of a record
by = "c"                      # by = "owner": the label depends on the owner alone
# exhaustive = false          # some records may lie in no block"""


def starter(
    title: str,
    *,
    granularity: str = "unbounded",
    map: str = "partition",  # noqa: A002 - what it is called in a spec
    setting: str = "separate",
) -> str:
    """Return a commented spec that can be derived as it stands.

    Args:
        title: what the spec is about.
        granularity: a built-in granularity.
        map: a built-in map.
        setting: ``separate`` or ``common``.

    Raises:
        InputError: there is no such built-in.

    >>> starter("First").splitlines()[4]
    'title = "First"'
    >>> 'owner = "owner"' in starter("Users", granularity="user_presence")
    True
    """
    spec = _STARTER
    for word, text in (
        ("GRANULARITIES", _listed("granularity")),
        ("GRANULARITY", _use("granularity", granularity)),
        ("MAPS", _listed("map")),
        ("MAP", _PARTITION if map == "partition" else _use("map", map)),
        ("SETTING", setting),
        ("TITLE", json.dumps(title, ensure_ascii=False)),
    ):
        spec = spec.replace(word, text, 1)
    return spec


def _listed(kind: str) -> str:
    """Return the names of all built-ins of a kind, as lines of a comment."""
    return "\n#   ".join(textwrap.wrap(", ".join(library_names(kind)), 80))


def _use(kind: str, name: str) -> str:
    """Return the lines that use a built-in, with arguments that fit the starter's attributes."""
    domain = Domain({"id": "Record", "owner": "Person", "day": "int"})
    entry = library_entry(kind, name)
    needed = [a for a, default in entry.get("arguments", {}).items() if default == ""]
    more: dict[str, Any] = {}
    written = []
    if entry.get("multiplicity") == "":
        more["m"] = 2
        written.append("m = 2                         # at most so many blocks hold one record")
    if entry.get("image") == "":
        more["image"] = {"owner": "owner(c)"}
        written.append('image = { owner = "owner(c)" }')
    build: Any = library_granularity if kind == "granularity" else library_map
    pools = [
        [a] if a in domain.attributes else [*domain.attributes, "7", "day(c) >= 1"] for a in needed
    ]
    for values in product(*pools):
        arguments = dict(zip(needed, values, strict=True))
        try:
            build(name, **arguments, **more).bind(domain)
        except InputError:
            continue
        comment = [f"# {line}" for line in textwrap.wrap(library_text(kind, name), 80)]
        given = [f'{a} = "{v}"' for a, v in arguments.items()]
        return "\n".join([f'use = "{name}"', *comment, *given, *written])
    msg = f"{kind} '{name}' does not fit records with an id, an owner and a day; see its example"
    raise InputError(msg, word=name)


def write_starter(name: str, *, force: bool = False, **choices: str) -> Path:
    """Write a commented spec and return its file, ``NAME.toml``.

    Args:
        name: the file, with or without ``.toml``.
        force: replace a file that is there.
        choices: the granularity, the map and the setting, as for :func:`starter`.

    Raises:
        InputError: the name cannot be that of a file, the file is there already, or there is no
            such built-in.
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
    content = starter(file.stem, **choices).encode()
    check_place(file)
    # Written elsewhere first, so that no one ever sees half a file.
    with about(file):
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
