"""The two programs that apply laws, behind one face: plain data go in, statements come out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.replay.rules import RULES
from dpcomp_sym.replay.terms import Reader, RejectedError, text_of


@dataclass(frozen=True, eq=False)
class Said:
    """A statement that a program has derived: its own object, and the JSON."""

    handle: Any
    data: dict[str, Any]


class Kernel:
    """Rules from theorems to theorems."""

    def value(self, argument):
        if isinstance(argument, Said):
            return argument.handle
        if isinstance(argument, dict):
            return k.from_json(argument)
        return tuple(map(self.value, argument)) if isinstance(argument, list) else argument

    def __call__(self, rule, **arguments):
        """What the rule derives; None if it refuses."""
        try:
            theorem = k.RULES[rule](**{n: self.value(v) for n, v in arguments.items()})
        except k.KernelError:
            return None
        return Said(theorem, theorem.statement.as_json())


class Replay:
    """Rules from statements to statements."""

    def value(self, argument, kind):
        if kind == "|-*":
            return tuple(a.handle for a in argument)
        return argument.handle if kind == "|-" else Reader().value(argument, kind)

    def __call__(self, rule, **arguments):
        """What the rule derives; None if it refuses."""
        signature, function = RULES[rule]
        try:
            node = function(*(self.value(arguments[n], kind) for n, kind in signature))
        except RejectedError:
            return None
        return Said(node, json.loads(text_of(node)))


PROGRAMS = {"kernel": Kernel, "replay": Replay}
