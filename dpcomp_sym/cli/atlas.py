"""``dpcomp atlas``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from dpcomp_sym.cli.completion import cells
from dpcomp_sym.cli.program import main
from dpcomp_sym.cli.shared import (
    PROVED,
    answers,
    checked_places,
    file_options,
    fragment_option,
    fresh_option,
    json_option,
    layout_of,
    show,
)
from dpcomp_sym.errors import InputError


@main.command()
@json_option
@file_options
@fragment_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help="How many cells to compute at a time (default: one for each processor).",
)
@click.option(
    "--granularity",
    "granularities",
    multiple=True,
    help="This row only. Repeatable.",
    shell_complete=cells("granularities"),
)
@click.option(
    "--map",
    "maps",
    multiple=True,
    help="This column only. Repeatable.",
    shell_complete=cells("maps"),
)
@click.option("--cache", metavar="F", help="Keep finished cells in F, not in the usual place.")
@fresh_option
@click.option("--rocq", is_flag=True, help="Have coqc check the proof of each bound on ε, too.")
@click.option("--cluster", metavar="ADDRESS", help="Let the Dask scheduler at ADDRESS do it.")
def atlas(
    as_json: bool, jobs: int | None, granularities: tuple[str, ...], maps: tuple[str, ...],
    cache: str | None, fresh: bool, rocq: bool, cluster: str | None, columns: str | None,
    detail: str | None, notation: Sequence[str], **files: str | None,
) -> int:  # fmt: skip
    """Print the table of granularities, maps and settings: the conditions and the best bounds.

    Finished cells are kept. A run that was interrupted goes on where it stopped, and a second
    one has nothing to do.

    \b
    Example:
      dpcomp atlas --html atlas.html
      dpcomp atlas --granularity bounded --map partition --json
    """
    from dpcomp_sym.rocq import installed
    from dpcomp_sym.surface.tables import derive_atlas

    if rocq and not installed():
        raise InputError("--rocq needs coqc, which is not installed here")
    places = checked_places(**files)
    layout = layout_of(places, columns, detail, notation)
    kept = answers(fresh=fresh, place=cache)
    with counting("cells") as progress:
        found = derive_atlas(
            granularities, maps, jobs=jobs or os.cpu_count(), kept=kept, progress=progress,
            cluster=cluster, rocq=rocq,
        )  # fmt: skip
    if places:
        from dpcomp_sym.report.answers import write_answer

        write_answer(places, found.texts(), layout)
    if as_json:
        show(found.as_json(), (), as_json=True)
    else:
        click.echo(str(found))
    return PROVED


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how much is done, and leave no trace of it."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
