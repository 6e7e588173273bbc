"""The program: help, errors as messages, exit statuses."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import click

from dpcomp_sym import printable
from dpcomp_sym.cli.shared import PROVED, UNKNOWN
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.limits import exhausted, interruption, without_collection

__all__ = ["BAD_INPUT", "NO_MEMORY", "fail", "main", "wrong"]


BAD_INPUT: Final = 2


INTERRUPTED: Final = 130


BROKEN_PIPE: Final = 141


NO_MEMORY: Final = "unknown: there was not enough memory (see --memory)"


EPILOG: Final = """Exit status: 0 derived or proved, 1 refuted, 2 bad input, 3 unknown,
70 a fault inside the program.

\b
The shell completes commands and options after this
(zsh_source, fish_source for other shells):
  eval "$(_DPCOMP_COMPLETE=bash_source dpcomp)"
"""


class Program(click.Group):
    """The group of all subcommands: errors become one message and an exit status."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *rest: Any,
        **extra: Any,
    ) -> NoReturn:
        """Run, and leave with the exit status."""
        del prog_name  # the same name however it was started
        extra["standalone_mode"] = False
        try:
            status = super().main(args, "dpcomp", *rest, **extra)
        except click.ClickException as error:
            told = io.StringIO()
            error.show(told)
            click.echo(printable.plain_lines(told.getvalue()), nl=False, err=True)
            status = BAD_INPUT
        except click.Abort:
            status = INTERRUPTED
        sys.exit(status if isinstance(status, int) else PROVED)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; report user errors without a traceback."""
        try:
            # The solver names its terms by when others are freed, and the model that it finds first
            # can depend on the names: collections at other times would show another counterexample.
            with without_collection():
                status = super().invoke(ctx)
            sys.stdout.flush()
        except InputError as error:
            return fail(wrong(error))
        except BrokenPipeError:  # the reader of the output closed it
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
            return BROKEN_PIPE
        except OSError as error:
            return fail(wrong(error))
        except KeyboardInterrupt:
            if interruption.alarmed:
                return _too_late()
            click.echo("interrupted", err=True)
            return INTERRUPTED
        except Exception as error:
            if interruption.alarmed:  # it may have become another error on its way
                return _too_late()
            if not exhausted(error):
                raise
            click.echo(NO_MEMORY, err=True)
            return UNKNOWN
        return status

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; an unknown name is reported with the closest match."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            known = nearest(args[0], self.commands)
            raise click.UsageError(f"there is no command '{args[0]}'; {known}", ctx)
        return super().resolve_command(ctx, args)


def _too_late() -> int:
    """Report that the time of the whole call ended before there was any result."""
    click.echo("unknown: the time of the call was over (see --time)", err=True)
    return UNKNOWN


def fail(message: str) -> int:
    """Tell what is wrong; what would turn the line around or erase it is shown by its number."""
    click.echo(f"error: {printable.one_line(message)}", err=True)
    return BAD_INPUT


def wrong(error: InputError | OSError) -> str:
    """Return what is wrong with what the user gave.

    >>> wrong(FileNotFoundError(2, "there is no such folder", "results"))
    'results: there is no such folder'
    """
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or error}"
    return str(error)


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(package_name="dpcomp-sym", prog_name="dpcomp")
def main() -> None:
    """Say what a composition of differentially private mechanisms guarantees, and why.

    \b
    A first try:
      dpcomp new first
      dpcomp derive first.toml --set k=3 --set "eps=[1, 2, 3]" --set eps_total=1
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # Greek letters must not fail on an old terminal
            reconfigure(errors="replace")
