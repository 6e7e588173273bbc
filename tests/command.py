"""The program as a user starts it, but in this process: starting another one takes long.

That the program itself starts, and ends with the status that the command gives, is tested by those
who start it from outside: tests/test_cli.py, tests/test_faults.py and tests/test_hostile.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from click.testing import CliRunner

from dpcomp_sym.cli import main


@dataclass(frozen=True)
class Done:
    """What a command has printed, and the status that it ended with."""

    returncode: int
    stdout: str
    stderr: str


def dpcomp(*arguments: Any, given: str | None = None) -> Done:
    """Run a command, with a text as its standard input; what goes wrong inside is raised.

    >>> dpcomp("derive", "none.toml").returncode
    2
    """
    result = CliRunner().invoke(main, [str(a) for a in arguments], given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Done(result.exit_code, result.stdout, result.stderr)
