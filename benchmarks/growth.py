"""Growth: specs that a program writes, with more and more parts, maps, attributes and edits."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from measure import LIMIT, Row, clock
from startup import compiling_once

US = "dpcomp derive"
MEGABYTE = 1024
"""In the units in which a system says how much memory a process had at most."""


def parts(number: int) -> str:
    """Return a spec with many mechanisms on one partition."""
    each = "".join(f'[[part]]\nname = "p{n}"\nmap = "blocks"\n' for n in range(number))
    return _spec("unbounded", '[[map]]\nname = "blocks"\nuse = "partition"\n' + each)


def maps(number: int) -> str:
    """Return a spec with many partitions, a mechanism on the common domain for each."""
    return _spec("bounded", "".join(
        f'[[map]]\nname = "m{n}"\nuse = "partition"\n'
        f'[[part]]\nname = "p{n}"\nmap = "m{n}"\nsetting = "common"\n'
        for n in range(number)
    ))  # fmt: skip


def attributes(number: int) -> str:
    """Return a spec whose records have many attributes."""
    more = "".join(f', a{n} = "int"' for n in range(number))
    return _spec("bounded", '[[part]]\nname = "p"\nmap = "partition"\n', more)


def edits(number: int) -> str:
    """Return a spec with many kinds of edits: a record goes where there are so many of it."""
    each = "".join(
        '[[granularity.edit]]\nparams = { x = "cell" }\n'
        f'guard = "D[x] >= {n}"\nchange = {{ x = "-1" }}\n'
        for n in range(1, number + 1)
    )
    return _spec("", f'[granularity]\nname = "many"\n{each}[[part]]\nmap = "partition"\n')


def _spec(granularity: str, rest: str, more: str = "") -> str:
    used = f'granularity = "{granularity}"\n' if granularity else ""
    return f'title = "Growth"\n{used}[domain]\nattributes = {{ id = "Person"{more} }}\n{rest}'


KINDS: Mapping[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "parts": (parts, (3, 10, 30, 100, 300, 1000)),
    "maps": (maps, (3, 10, 30, 100, 300)),
    "attributes": (attributes, (3, 10, 30, 100)),
    "edits": (edits, (3, 10, 30)),
}
NUMBERS = (10_000, 100_000, 1_000_000)
"""How many different guarantees a CSV file holds."""


def rows() -> Iterator[Row]:
    """Yield the processor time of derivations with start-up, and the memory of the largest one."""
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "first.toml"
        first.write_text(parts(1), encoding="utf-8")
        derived(first)  # from here on the program is compiled
        for kind, (made, sizes) in KINDS.items():
            for size in sizes:
                spec = Path(folder) / f"{kind}-{size}.toml"
                spec.write_text(made(size), encoding="utf-8")
                start = clock()
                memory = derived(spec)
                seconds = clock() - start
                yield Row(f"growth: {kind}", US, f"{kind} = {size}", seconds, f"{memory} MB")
                if seconds > 10 * LIMIT:
                    break
        yield from _from_csv(Path(folder))


def _from_csv(folder: Path) -> Iterator[Row]:
    """Yield the processor time of many numbers in a file, beyond that of the same spec without."""
    spec, table = folder / "numbers.toml", folder / "eps.csv"
    spec.write_text(parts(1), encoding="utf-8")
    start = clock()
    derived(spec)
    bare = clock() - start
    for number in NUMBERS:
        table.write_text("".join(f"{n / 1000:.6g}\n" for n in range(number)), encoding="utf-8")
        start = clock()
        memory = derived(spec, "--set", f"k={number}", "--set", f"eps=@{table}")
        size = f"numbers = {number}"
        yield Row("growth: numbers", US, size, clock() - start - bare, f"{memory} MB")


def derived(spec: Path, *options: str) -> int:
    """Derive a spec in a process of its own; return the megabytes that the largest one has had."""
    command = [sys.executable, "-m", "dpcomp_sym", "derive", str(spec), *options]
    environment = compiling_once(str(spec.parent / "compiled"))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // MEGABYTE
