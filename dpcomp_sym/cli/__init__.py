"""The command line: arguments, messages, exit statuses.

A subcommand is a function that takes its options and returns an exit status; it imports what
it needs when it runs, so that help is there at once.  ``Program`` turns errors into messages.
"""

from __future__ import annotations

# Each module adds its commands to the program.
from dpcomp_sym.cli import (
    atlas,
    derive,
    new,
    refute,
    relate,
    schema,
    stability,
    theorems,
    verify,
)
from dpcomp_sym.cli.program import main

__all__ = [
    "atlas",
    "derive",
    "main",
    "new",
    "refute",
    "relate",
    "schema",
    "stability",
    "theorems",
    "verify",
]
