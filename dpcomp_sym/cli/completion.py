"""What the shell offers for an argument: files, names of a spec, of the library, of the atlas.

A name is offered if it starts with what is there already.  Errors are not reported:
completion must not print messages into the shell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from dpcomp_sym.errors import InputError

if TYPE_CHECKING:
    from dpcomp_sym.spec import Spec

__all__ = [
    "built_ins", "cells", "claims", "entries", "files", "granularities", "notions", "numbers",
    "statuses",
]  # fmt: skip

Completing = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell offer files."""
    del ctx, param
    return [CompletionItem(incomplete, type="file")]


def _offered(names: Callable[[click.Context], Iterable[str]]) -> Completing:
    def complete(
        ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        del param
        try:
            found = list(dict.fromkeys(names(ctx)))
        except (InputError, OSError):  # errors are reported when the command is run
            return []
        return [CompletionItem(name) for name in found if name.startswith(incomplete)]

    return complete


def _spec(ctx: click.Context) -> Spec:
    from pathlib import Path

    from dpcomp_sym.spec import load_spec

    # An option that still has no value leaves the words before it unread.
    words = [ctx.params.get("spec"), *ctx.args]
    place = next((word for word in words if word), None)
    if place is None:
        raise InputError("there is no spec yet")
    return load_spec(Path(place))


def _granularities(ctx: click.Context) -> Iterable[str]:
    from dpcomp_sym.metrics.relate import fitting

    spec = _spec(ctx)
    return fitting(spec.problem.domain, spec.granularities)


def _numbers(ctx: click.Context) -> Iterable[str]:
    problem = _spec(ctx).problem
    yield from (f"{name}=" for name in problem.symbols)
    for part in problem.bound_parts:
        for _, names in part.guarantees:
            yield from (f"{name}=" for name in names if isinstance(name, str))


def _entries(ctx: click.Context) -> Iterable[str]:
    del ctx
    from theorems import _list

    for entry in _list.chosen((), "", "", ""):
        yield from entry.rows
        yield entry.name


def _claims(ctx: click.Context) -> Iterable[str]:
    """Yield how claims may begin; where a bound is meant, with the names of the parts."""
    problem = _spec(ctx).problem
    for part in problem.bound_parts:
        index = "[i]" if part.map.indices else ""
        for _, names in part.guarantees:
            yield from (f"max({name}{index})" for name in names if isinstance(name, str))
        yield f"distance({part.name}) <= "
    for name in problem.used_maps:
        yield from (f"{word}({name}) <= " for word in ("changed", "l1", "l2"))
    yield "size(E) <= size(D) + "


def _statuses(ctx: click.Context) -> Iterable[str]:
    del ctx
    from theorems._entry import STATUSES

    return STATUSES


def _notions(ctx: click.Context) -> Iterable[str]:
    del ctx
    from dpcomp_sym.notions import NOTIONS

    return NOTIONS


def cells(of: str) -> Any:
    """Return what offers the rows ("granularities") or the columns ("maps") of the atlas."""

    def names(ctx: click.Context) -> Iterable[str]:
        del ctx
        from dpcomp_sym.atlas import default_table

        return [one.name for one in getattr(default_table(), of)]

    return _offered(names)


def built_ins(kind: str) -> Any:
    """Return what offers the built-in granularities ("granularity") or maps ("map")."""

    def names(ctx: click.Context) -> Iterable[str]:
        del ctx
        from dpcomp_sym.model import library_names

        return library_names(kind)

    return _offered(names)


granularities, numbers, entries, notions, claims, statuses = map(
    _offered, (_granularities, _numbers, _entries, _notions, _claims, _statuses)
)
