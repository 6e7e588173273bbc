"""Random problems and small worlds for them, to compare the engine with exhaustive search.

A problem is drawn piece by piece and then, mostly, made wider.  It is made of strings in the
language, as a user writes them, so that one that shows a disagreement can be printed by
:func:`describe` and kept.

``python -m tests.random_problems.generate --count 3 --seed 5`` prints three problems.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Granularity, Problem
from tests.random_problems.draw import draw
from tests.random_problems.wider import widened

__all__ = ["describe", "generate", "main"]

TRIES = 20
"""So often something wider is tried, before the problem is left as it was drawn."""


def generate(seed: int) -> Problem:
    """Return the random problem with this number.

    >>> generate(1).title
    'random problem 1'
    """
    more = random.Random(f"{seed} wider")
    plain = _plain(seed)
    for _ in range(TRIES):
        with contextlib.suppress(InputError):
            return widened(plain, more)
    return plain


def _plain(seed: int) -> Problem:
    """Return what is drawn before it is made wider."""
    rng = random.Random(seed)
    while True:
        try:
            return draw(rng, f"random problem {seed}")
        except (InputError, IndexError):
            # Words that do not fit together, such as attributes that a map drops, or
            # differ_in_one on a cardinality, whose cell has no attributes.
            continue


# -------------------------------------------------------------------- worlds


# -------------------------------------------------------------------- printing


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case Mapping():
            inner = ", ".join(f"{k} = {_toml(v)}" for k, v in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case _:
            return "[" + ", ".join(_toml(v) for v in value) + "]"


def _table(header: str, entries: Mapping[str, Any]) -> list[str]:
    kept = {k: v for k, v in entries.items() if v is not None}
    return [header, *(f"{k} = {_toml(v)}" for k, v in kept.items()), ""]


def _granularity_keys(granularity: Granularity) -> dict[str, Any]:
    edits = []
    for edit in granularity.edits:
        entry: dict[str, Any] = {"params": dict(edit.params)}
        if edit.guard != "true":
            entry["guard"] = edit.guard
        if edit.change is not None:
            entry["change"] = dict(edit.change)
        if edit.frame is not None:
            entry["frame"] = edit.frame
            if edit.step != "true":
                entry["step"] = edit.step
        edits.append(entry)
    return {
        "name": granularity.name,
        "directed": True if granularity.directed else None,
        "group": granularity.group if granularity.group > 1 else None,
        "arguments": dict(granularity.arguments) or None,
        "edit": edits,
    }


def describe(problem: Problem) -> str:
    """Return the problem as a spec, TOML text."""
    domain = problem.domain
    lines = [f"title = {_toml(problem.title)}", ""]
    lines += _table(
        "[domain]",
        {
            "attributes": dict(domain.attributes),
            "functions": {n: [list(a), r] for n, (a, r) in domain.functions.items()} or None,
            "symbols": dict(domain.symbols) or None,
            "cell": domain.cell if domain.cell != "true" else None,
            "cap": domain.cap,
            "size": list(domain.size) or None,
            "limits": [list(one) for one in domain.limits] or None,
            "facts": list(domain.facts) or None,
            "universe": domain.universe.value,
            "at_least": domain.at_least,
        },
    )
    lines += _table("[granularity]", _granularity_keys(problem.granularity))
    for mapping in problem.maps:
        lines += _table(
            "[[map]]",
            {
                "name": mapping.name,
                "member": mapping.member,
                "index": dict(mapping.index) or None,
                "functions": {n: [list(a), r] for n, (a, r) in mapping.functions.items()} or None,
                "facts": list(mapping.facts) or None,
                "multiplicity": mapping.multiplicity,
                "image": None if mapping.image is None else dict(mapping.image),
                "symbols": dict(mapping.symbols) or None,
                "arguments": dict(mapping.arguments) or None,
            },
        )
    for part in problem.parts:
        entries: dict[str, Any] = {
            "name": part.name,
            "map": part.map if isinstance(part.map, str) else list(part.map),
            "setting": part.setting,
        }
        if part.granularity is not None:
            keys = _granularity_keys(part.granularity)
            entries["granularity"] = {k: v for k, v in keys.items() if v is not None}
        entries["guarantee"] = {
            n: str(ps[0]) if len(ps) == 1 else [str(p) for p in ps]
            for n, ps in part.guarantees.items()
        }
        if part.inner is not None:
            entries["domain"] = {
                k: v
                for k, v in (
                    ("cap", part.inner.cap),
                    ("size", list(part.inner.size) or None),
                    ("limits", [list(one) for one in part.inner.limits] or None),
                )
                if v is not None
            }
        lines += _table("[[part]]", entries)
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print random problems as specs."""
    parser = argparse.ArgumentParser(description="print random composition problems")
    parser.add_argument("--count", type=int, default=1, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first")
    chosen = parser.parse_args(arguments)
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        sys.stdout.write(describe(generate(seed)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
