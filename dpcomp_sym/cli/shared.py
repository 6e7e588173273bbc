"""What the subcommands share: arguments, reading specs, writing files, showing progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from dpcomp_sym import printable
from dpcomp_sym.cli.completion import files, numbers
from dpcomp_sym.errors import InputError
from dpcomp_sym.limits import AFTERWARDS, ASKED, current, interruption

if TYPE_CHECKING:
    from pathlib import Path

    from dpcomp_sym.kept import Kept
    from dpcomp_sym.report.layout import Layout
    from dpcomp_sym.spec import Spec
    from dpcomp_sym.spec.load import AnySpec

__all__ = [
    "PROVED",
    "REFUTED",
    "STATUS",
    "UNKNOWN",
    "answers",
    "asked",
    "checked_place",
    "checked_places",
    "file_options",
    "fragment_option",
    "fresh_option",
    "json_option",
    "layout_of",
    "layout_options",
    "limit_options",
    "load",
    "load_any",
    "set_option",
    "show",
    "spec_argument",
    "specs_argument",
    "working",
]


PROVED: Final = 0


REFUTED: Final = 1


UNKNOWN: Final = 3


STATUS: Final = {
    "proved": PROVED,
    "vacuous": PROVED,
    "refuted": REFUTED,
    "checked": UNKNOWN,
    "unknown": UNKNOWN,
}


F = TypeVar("F", bound=Callable[..., Any])


# ------------------------------------------------------------------ what subcommands share


def spec_argument(command: F) -> F:
    """Give a command the argument SPEC."""
    return click.argument("spec", metavar="SPEC", shell_complete=files)(command)


def specs_argument(command: F) -> F:
    """Give a command the argument SPEC, as often as wanted."""
    return click.argument(
        "specs", metavar="SPEC...", nargs=-1, required=True, shell_complete=files
    )(command)


def json_option(command: F) -> F:
    """Give a command the option ``--json``."""
    text = "Print one JSON document, and nothing else."
    return click.option("--json", "as_json", is_flag=True, help=text)(command)


def fresh_option(command: F) -> F:
    """Give a command the option ``--fresh``."""
    text = "Ask everything anew: take no answer that an earlier call has kept, and keep none."
    return click.option("--fresh", is_flag=True, help=text)(command)


def set_option(command: F) -> F:
    """Give a command the option ``--set``."""
    text = (
        'A number for a parameter of the spec: k=5, eps=1, "eps=[1, 2, 1/3]", eps=1/i, '
        "eps=@eps.csv or eps=@table.csv:column. Repeatable."
    )
    option = click.option(
        "--set", "sets", multiple=True, metavar="NAME=VALUE", help=text, shell_complete=numbers
    )
    return option(command)


def file_options(command: F) -> F:
    """Give a command the options that name files, such as ``--latex``, and those of LaTeX."""
    for option in (
        click.option("--html", metavar="F", help="Write the answer to F, as one HTML page."),
        layout_options,
        click.option("--bibtex", metavar="F", help="Add the works cited to F, for BibTeX."),
        click.option("--latex", metavar="F", help="Write the answer to F, as a LaTeX article."),
    ):
        command = option(command)
    return command


def fragment_option(command: F) -> F:
    """Give a command the option ``--latex-fragment``, which names a file."""
    return click.option(
        "--latex-fragment", metavar="F", help="Write it to F for \\input in a LaTeX paper."
    )(command)


def layout_options(command: F) -> F:
    """Give a command ``--columns``, ``--detail`` and ``--notation``, which are about LaTeX."""
    notation = click.option(
        "--notation",
        multiple=True,
        metavar="OLD=NEW",
        help=r"Write another letter or sign in formulas of LaTeX: '\varepsilon=\epsilon', "
        r"'D=\mathbf{x}'. Repeatable.",
    )
    detail = click.option(
        "--detail",
        type=click.Choice(["theorem", "proof", "all"]),
        help="What LaTeX holds: setting and theorem; the proof, too; everything (default: all).",
    )
    columns = click.option(
        "--columns",
        type=click.Choice(["1", "2"]),
        help="Break the formulas of LaTeX for one column or for two (default: 1).",
    )
    return columns(detail(notation(command)))


def layout_of(
    places: Mapping[str, Path], columns: str | None, detail: str | None, notation: Sequence[str]
) -> Layout:
    """Return the layout of LaTeX that options ask for.

    Raises:
        InputError: no LaTeX is written, or a letter is not one.
    """
    from dpcomp_sym.report.layout import Layout

    asked = {"--columns": columns, "--detail": detail, "--notation": notation or None}
    for option, value in asked.items():
        if value is not None and not {"latex", "latex_fragment"} & places.keys():
            said = f"{option} is about LaTeX: add --latex F or --latex-fragment F"
            raise InputError(said, word=option)
    letters = {}
    for one in notation:
        old, equals, new = one.partition("=")
        if not equals:
            said = f"--notation is OLD=NEW, such as '\\varepsilon=\\epsilon', not '{one}'"
            raise InputError(said, word=one)
        letters[old] = new
    found = Layout(int(columns or 1), detail or "all", letters)
    found.check()
    return found


def checked_places(**files: str | None) -> dict[str, Path]:
    """Return the files that options name, by option, after a look whether they can be written.

    Raises:
        InputError: there is no such folder, or two options name one file.
    """
    places = {option: place for option, name in files.items() if (place := checked_place(name))}
    if len(set(places.values())) < len(places):
        raise InputError("two options name the same file")
    return places


def limit_options(command: F) -> F:
    """Give a command the options that limit what one question to a solver may take."""
    from dpcomp_sym.limits import MEGABYTES, SECONDS, limited

    def total(ctx: click.Context, _: click.Parameter, value: float | None) -> None:
        ctx.with_resource(limited(total=value))
        if value is not None:
            interruption.alarm(value + AFTERWARDS)  # what has no answer by then has none

    def time(ctx: click.Context, _: click.Parameter, value: float | None) -> None:
        ctx.with_resource(limited(seconds=value))

    def memory(ctx: click.Context, _: click.Parameter, value: int | None) -> None:
        ctx.with_resource(limited(megabytes=value))

    for option in (
        click.option(
            "--memory", "megabytes", metavar="MB", type=click.IntRange(min=64),
            expose_value=False, callback=memory,
            help=f"Memory for the solver, in megabytes (default: {MEGABYTES}).",
        ),
        click.option(
            "--timeout", "seconds", metavar="SECONDS", type=click.FloatRange(min=0.001),
            expose_value=False, callback=time,
            help="Time for each question to the solver; a question that takes longer is given up, "
            f"and what depends on it is unknown (default: {SECONDS:g}).",
        ),
        click.option(
            "--time", "total", metavar="SECONDS", type=click.FloatRange(min=0.001),
            expose_value=False, callback=total,
            help="Time for the whole call: what is known then is printed, with what is missing "
            "(default: no limit).",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def answers(*, fresh: bool = False, place: str | None = None) -> Kept:
    """Return the answers that were kept, in the usual place or in a file; none if asked anew.

    Raises:
        InputError: the file that was named cannot be written.
    """
    from pathlib import Path

    from dpcomp_sym.kept import Kept, usual_place

    kept = Kept(None if fresh else usual_place() if place is None else Path(place))
    if kept.trouble and place is not None:
        raise InputError(kept.trouble)
    if kept.trouble:
        click.echo(kept.trouble, err=True)
    return kept


def asked(command: str, read: AnySpec, sets: Sequence[str], *options: object) -> list[str] | None:
    """Return all that an answer about a spec depends on; None if files are a part of it."""
    numbers = [str(one.raw).strip() for one in getattr(read, "given", {}).values()]
    if any(text.startswith("@") for text in numbers) or not hasattr(read, "given"):
        return None
    limits = current()
    return [command, read.source.name, read.source.text, *sets, "", *map(str, options),
            f"{limits.seconds} s", f"{limits.megabytes} MB"]  # fmt: skip


def load(name: str, sets: Sequence[str] = ()) -> Spec:
    """Read the composition that a command was given: a file, or ``-`` for standard input."""
    from pathlib import Path

    from dpcomp_sym.spec import load_spec, read_spec

    if name != "-":
        return load_spec(Path(name), sets)
    return read_spec(standard_input(), "standard input", Path(), sets)


def load_any(name: str, sets: Sequence[str] = ()) -> AnySpec:
    """Read the spec of any kind that a command was given."""
    from pathlib import Path

    from dpcomp_sym.spec import load_any, read_any

    if name != "-":
        return load_any(Path(name), sets)
    return read_any(standard_input(), "standard input", Path(), sets)


def standard_input() -> bytes:
    """Return what comes from standard input, as far as a spec may reach."""
    from dpcomp_sym.spec.load import MAX_BYTES

    return sys.stdin.buffer.read(MAX_BYTES + 1)


class Progress:
    """What is being done, and after two seconds how far it is; it is asked again and again.

    >>> done = Progress("deriving")
    >>> done.text(1.0, 12), done.text(3.4, 12), done.text(3.4, 0)
    ('deriving …', 'deriving … 12 questions to the solver, 3 s', 'deriving … 3 s')
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.start = time.monotonic()
        self.before = ASKED.number

    def text(self, seconds: float, questions: int) -> str:
        """Return what is shown after so many seconds and questions."""
        if seconds < 2:
            return f"{self.what} …"
        number = "1 question" if questions == 1 else f"{questions} questions"
        asked = f"{number} to the solver, " if questions else ""
        return f"{self.what} … {asked}{seconds:.0f} s"

    def __rich__(self) -> str:
        return self.text(time.monotonic() - self.start, ASKED.number - self.before)


def working(what: str) -> AbstractContextManager[object]:
    """Show on a terminal what is being done, and leave no trace of it."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(Progress(what))


def show(document: Mapping[str, Any], notes: Sequence[str], *, as_json: bool) -> None:
    """Print a result, as text or as JSON."""
    if as_json:
        click.echo(printable.as_json(document))
        return
    from dpcomp_sym.report.text import render

    render(document, notes)


def checked_place(name: str | None) -> Path | None:
    """Return where to write a file; a place that cannot be one is refused before any work."""
    if name is None:
        return None
    from pathlib import Path

    from dpcomp_sym.files import check_place

    place = Path(name)
    check_place(place)
    return place
