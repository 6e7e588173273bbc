"""``dpcomp theorems``."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import click

from dpcomp_sym.cli.completion import entries, statuses
from dpcomp_sym.cli.program import main
from dpcomp_sym.cli.shared import (
    PROVED,
    REFUTED,
    answers,
    checked_place,
    checked_places,
    file_options,
    fresh_option,
    json_option,
    layout_of,
    show,
    working,
)

# ------------------------------------------------------------------ the theorem library


@main.group(name="theorems", short_help="List, show or re-check the theorem library.")
def library() -> None:
    """List, show or re-check the published theorems of the library.

    ID is the number of a statement, such as GB24.IV.13, "Corollary IV.13" or "Alg. 3", or the name
    of an entry.

    \b
    Example:
      dpcomp theorems verify GB24.IV.13 N2
    """


@library.command(name="list")
@click.argument("words", metavar="[WORD]...", nargs=-1)
@click.option("--paper", default="", metavar="P", help="Only GB24, GB24s, GB24t, HBW, Des, N or E.")
@click.option("--kind", default="", metavar="K", help="Only what a paper calls so: theorem, ….")
@click.option("--status", default="", metavar="S", help="Only entries with this status.",
              shell_complete=statuses)  # fmt: skip
@json_option
def list_theorems(words: tuple[str, ...], paper: str, kind: str, status: str, as_json: bool) -> int:
    """List the statements with their status, a line each; nothing is run.

    Each WORD must occur in the number, name, statement or source.

    \b
    Example:
      dpcomp theorems list
      dpcomp theorems list --paper GB24 --kind corollary
      dpcomp theorems list --status refuted bounded
    """
    from theorems import _list
    from theorems._run import entry_as_json

    _list.check(paper, kind, status)
    found = list(_list.chosen(words, paper, kind, status))
    if as_json:
        show({"theorems": [entry_as_json(e) for e in found]}, (), as_json=True)
        return PROVED
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for entry in found:
        numbers, verdict, said = _list.line(entry, width)
        click.echo(f"{numbers} {styled(verdict, 8)}  {said}")
    click.echo(f"{len(found)} entries\n{_list.LEGEND}", err=True)
    return PROVED


def styled(verdict: str, width: int) -> str:
    """Return a verdict in its colour, filled up; without a terminal there is no colour."""
    from dpcomp_sym.report.text import COLOURS

    if "NO_COLOR" in os.environ:
        return f"{verdict:<{width}}"
    established = {
        "derived": "green", "decided": "green", "computed": "green", "rule": "cyan",
        "argued": "yellow", "rocq": "green",
    }  # fmt: skip
    colour = established.get(verdict) or COLOURS.get(verdict, "red").removeprefix("bold ")
    return click.style(f"{verdict:<{width}}", fg=colour)


@library.command(name="show")
@click.argument("entry", metavar="ID", shell_complete=entries)
@json_option
@file_options
@click.option("--latex-fragment", "as_fragment", is_flag=True, help="Print it for \\input.")
def show_theorem(
    entry: str,
    as_json: bool,
    as_fragment: bool,
    columns: str | None,
    detail: str | None,
    notation: Sequence[str],
    **files: str | None,
) -> int:
    """Show a statement, its status, and what establishes it.

    \b
    Example:
      dpcomp theorems show "Corollary IV.13"
      dpcomp theorems show GB24.IV.13 --latex corollary.tex
    """
    from theorems import _run

    places = checked_places(**files)
    layout = layout_of(places, columns, detail, notation)
    with working("re-checking"):
        documents = [
            _run.entry_as_json(one, run_body=True) for one in _run.select([entry]).values()
        ]
    if places:
        from theorems._report import write

        write(places, entry, documents, layout)
    if as_json:
        show({"theorems": documents}, (), as_json=True)
    else:
        from theorems._report import fragment

        render = fragment if as_fragment else _run.shown
        click.echo("\n\n".join(map(render, documents)))
    return PROVED


@library.command(name="verify")
@click.argument("ids", metavar="[ID]...", nargs=-1, shell_complete=entries)
@json_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help="How many entries to check at a time (default: one for each processor).",
)
@click.option("--latex", metavar="F", help="Write what was found to F, as a LaTeX document.")
@fresh_option
def verify_theorems(
    ids: tuple[str, ...], as_json: bool, jobs: int | None, latex: str | None, fresh: bool
) -> int:
    """Re-check the library: run every entry, and compare with what it states.

    What an earlier run of the same program has found to be as stated is not run again, and
    counted in the last line; --fresh and --latex run everything.

    \b
    Example:
      dpcomp theorems verify GB24.IV.13 "E2*"
      dpcomp theorems verify --latex library.tex

    The exit status is 0 when every entry comes out as stated, and 1 when one does not.
    """
    from dataclasses import asdict

    from theorems import _list, _run

    chosen = _run.select(ids)
    place = checked_place(latex)
    shown = sys.stderr.isatty()
    done = 0

    def progress(outcome: Any) -> None:
        nonlocal done
        done += 1
        if shown:
            click.echo(f"\r\x1b[K{done}/{len(chosen)} {outcome.name}", nl=False, err=True)

    outcomes = _run.verify(
        list(chosen), jobs or os.cpu_count() or 1, progress, telling=place is not None,
        kept=answers(fresh=fresh),
    )  # fmt: skip
    if shown:
        click.echo("\r\x1b[K", nl=False, err=True)
    if place is not None:
        from dpcomp_sym.files import write_whole
        from theorems._report import library as as_document

        write_whole({place: as_document(_run.told(outcomes))})
    status = PROVED if all(o.holds for o in outcomes.values()) else REFUTED
    if as_json:
        told = [{**asdict(o), "holds": o.holds} for o in outcomes.values()]
        for one in told:
            del one["evidence"]
        show({"theorems": told, "holds": status == PROVED}, (), as_json=True)
        return status
    for entry in _list.in_order(chosen.values()):
        _show_outcome(_list.numbers(entry), entry.name, outcomes[entry.name])
    counts: dict[str, int] = {}
    for outcome in outcomes.values():
        counts[outcome.status or "fallen"] = counts.get(outcome.status or "fallen", 0) + 1
    told_counts = ", ".join(f"{n} {word}" for word, n in sorted(counts.items()))
    number = "1 entry" if len(outcomes) == 1 else f"{len(outcomes)} entries"
    before = len(outcomes) - done
    kept = f"; {before} of them found by an earlier run" if before else ""
    click.echo(f"{number}: {told_counts}{kept}", err=True)
    return status


def _show_outcome(numbers: str, name: str, outcome: Any) -> None:
    """Print how an entry came out, and what that rests on."""
    said = styled(outcome.status or "FALLEN", 9)
    note = outcome.failure or outcome.scope
    kinds = ", ".join(dict.fromkeys(t.partition(":")[0] for t in outcome.trust))
    click.echo(f"{numbers:<32} {said} {outcome.seconds:5.2f} s")
    about = f"{name} [{kinds}]{f' ({note})' if note else ''}"
    click.echo(click.wrap_text(about, 78, "    ", "    "))
