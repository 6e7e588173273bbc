"""Runs the kernel and the replay side by side: whatever rule is applied, both must agree."""

from __future__ import annotations

from contextlib import contextmanager

from dpcomp_sym import kernel as k
from dpcomp_sym.kernel import laws, rules
from dpcomp_sym.replay.rules import RULES
from dpcomp_sym.replay.terms import Reader, RejectedError, digest_of

MODULES = (k, rules, laws)


class CannotBeWrittenError(Exception):
    """An argument that no certificate can express, such as a forged theorem."""


def plain(value):
    """An argument of a rule as the JSON of a certificate."""
    if isinstance(value, k.Theorem):
        if not k.is_theorem(value):
            raise CannotBeWrittenError
        return value.statement.as_json()
    if isinstance(value, k.KernelTerm):
        return value.as_json()
    if type(value) is tuple:
        return [plain(v) for v in value]
    if value is None or type(value) in {int, str}:
        return value
    raise CannotBeWrittenError


def demand_premises(value, kind):
    """A premise in a certificate is the number of a step, so a term cannot stand for it."""
    for each in value if type(value) is tuple else (value,):
        if isinstance(each, k.Theorem) != kind.startswith("|-"):
            raise CannotBeWrittenError


def replayed(name, arguments):
    """The statement that the second program derives; raises RejectedError."""
    signature, function = RULES[name]
    values = []
    for argument, kind in signature:
        of = kind.replace("|-", "Statement")
        values.append(Reader().value(arguments[argument], of))
    return function(*values)


def stated_fact(theorem, kind):
    """The one fact of a kind that a theorem rests on, as a certificate states it."""
    waiting = [theorem]
    while waiting:
        step = waiting.pop()
        waiting += step.premises
        if type(step.statement).__name__ == kind:
            return Reader().value(plain(step.statement), "Statement")
    raise AssertionError("no such fact")


@contextmanager
def side_by_side(monkeypatch):
    """Compare every application of a rule; yields the list of disagreements and a counter."""
    import inspect

    found: list[str] = []
    counts = {"accepted": 0, "refused": 0}

    def watched(name, rule):
        signature = inspect.signature(rule)

        def call(*args, **kwargs):
            try:
                bound = signature.bind(*args, **kwargs)
                bound.apply_defaults()
                written = {n: plain(v) for n, v in bound.arguments.items()}
                kinds = dict(RULES[name][0])
                for argument, value in bound.arguments.items():
                    demand_premises(value, kinds[argument])
            except (CannotBeWrittenError, TypeError, k.KernelError):
                return rule(*args, **kwargs)
            try:
                second = replayed(name, written)
            except RejectedError as error:
                second = error
            try:
                theorem = rule(*args, **kwargs)
            except k.KernelError as error:
                counts["refused"] += 1
                if not isinstance(second, RejectedError):
                    found.append(f"{name}: the kernel alone refuses: {error}")
                raise
            counts["accepted"] += 1
            if isinstance(second, RejectedError):
                found.append(f"{name}: the replay alone refuses: {second}")
            elif digest_of(second) != theorem.statement.digest():
                found.append(f"{name}: different statements")
            return theorem

        return call

    with monkeypatch.context() as patch:
        for name, rule in k.RULES.items():
            made = watched(name, rule)
            for module in MODULES:
                if name in vars(module):
                    patch.setattr(module, name, made)
        yield found, counts
