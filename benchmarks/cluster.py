"""A table of as many cells as you like, on a Dask cluster: not a part of the benchmark table.

    python benchmarks/cluster.py --rows 100 --columns 50 --workers 2 --kept cells.sqlite

has 10,000 cells: what changes is a record of which there are so many, or more, and each part looks
at the records of a time so far away.  A run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from dpcomp_sym.atlas import Atlas, atlas
from dpcomp_sym.atlas.table import AtlasEntry, AtlasTable
from dpcomp_sym.kept import Kept

DOMAIN = AtlasEntry(
    "visits", "visits at a time", '[domain]\nattributes = { id = "Person", time = "int" }\n'
)


def table(rows: int, columns: int) -> AtlasTable:
    """Return a table with two settings for each row and column."""
    return AtlasTable(
        (DOMAIN,),
        tuple(
            AtlasEntry(
                f"one of {n}", f"a record goes of which there are at least {n}",
                f'[granularity]\nname = "one of {n}"\n[[granularity.edit]]\n'
                f'params = {{ x = "cell" }}\nguard = "D[x] >= {n}"\nchange = {{ x = "-1" }}\n',
                domain="visits",
            )
            for n in range(1, rows + 1)
        ),
        tuple(
            AtlasEntry(
                f"from {m}", f"the records of one time, from {m} on",
                f'[[map]]\nname = "f"\nindex = {{ i = "k" }}\nmember = "time(c) == i + {m}"\n',
            )
            for m in range(1, columns + 1)
        ),
    )  # fmt: skip


def on_a_cluster(rows: int, columns: int, workers: int, kept: Path | None) -> Atlas:
    """Derive the cells on a cluster of this machine's processes."""
    from dask.distributed import LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=None
    ) as cluster:  # fmt: skip
        address = cluster.scheduler_address
        return atlas(table(rows, columns), kept=Kept(kept), cluster=address)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how many cells there are, what they say, and the seconds on the clock."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args(arguments)
    start = time.monotonic()
    found = on_a_cluster(given.rows, given.columns, given.workers, given.kept)
    print(f"{found.summary}; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
