"""Random problems and small worlds for them, to compare the engine with exhaustive search.

A problem is drawn piece by piece and then, mostly, made wider.  It is made of strings in the
language, as a user writes them, so that one that shows a disagreement can be printed by
:func:`describe` and kept.

``python -m dpcomp_sym.finite.generate --count 3 --seed 5`` prints three problems.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from dpcomp_sym.errors import InputError
from dpcomp_sym.finite.draw import draw
from dpcomp_sym.finite.wider import widened
from dpcomp_sym.finite.world import Cell, World
from dpcomp_sym.model import Granularity, Problem, Universe
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    Environment,
    conjuncts,
    evaluate,
    free_variables,
    variable,
)
from dpcomp_sym.terms.evaluate import Value

__all__ = ["describe", "generate", "main", "sample_world"]

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


def sample_world(problem: Problem, seed: int, cells: int = 4, attempts: int = 60) -> World | None:
    """Return a random world for a problem, or None if none was found that satisfies the facts.

    Uninterpreted sorts get two elements (three where two attributes share it; a sort of whole
    records
    as many as cells), integers come
    from a small window, X is a random choice of ``cells`` tuples (all of them where the domain is
    a full product, which may be more), families have one to three blocks.

    >>> world = sample_world(generate(1), 0)
    >>> world is None or 1 <= len(world.cells) <= 8
    True
    """
    rng = random.Random(f"{seed}/{problem.title}")
    domain = problem.domain
    lone = len(domain.attributes) == 1
    sorts = list(domain.attribute_sorts.values())
    paired = len(set(sorts)) < len(sorts) and domain.universe is not Universe.PRODUCT
    many = cells if lone else 3 if paired else 2
    elements = {s: tuple(f"{s}{n}" for n in range(1, many + 1)) for s in domain.sorts()}
    for _, result in domain.signatures.values():
        if result in elements:
            elements[result] = elements[result][:2]
    for _ in range(attempts):
        world = _one_world(problem, rng, elements, cells)
        if world is not None:
            return world
    return None


def _one_world(
    problem: Problem, rng: random.Random, elements: Mapping[str, tuple[str, ...]], count: int
) -> World | None:
    domain = problem.domain
    symbols: dict[str, int] = {}
    sizes = {s for m in problem.used_maps.values() for _, s in m.indices}
    for name in problem.symbols:
        any_number = name in domain.symbols and name not in sizes
        symbols[name] = rng.choice([0, 1, 2, 2, 3, -1, -2] if any_number else [1, 2, 2, 3])
        for fact in conjuncts(problem.symbols[name]):  # of a symbol that is fixed
            if (
                fact.op == "eq"
                and fact.terms[0] == variable(name, INT)
                and not (free_variables(fact.terms[1]))
            ):
                symbols[name] = evaluate(fact.terms[1], Environment())
    low = rng.choice([-1, 0, 0, 1])
    pools: list[Sequence[Value]] = []
    for sort in domain.attribute_sorts.values():
        if sort == INT:
            pools.append(range(low, low + rng.choice([2, 3, 4])))
        elif sort == BOOL:
            pools.append((False, True))
        else:
            pools.append(domain.enumerations.get(sort) or elements[sort])
    tuples: list[Cell] = list(itertools.product(*pools))
    functions: dict[str, dict[tuple[Value, ...], Value]] = {}
    top = max([symbols.get("k", 2), 2])
    signatures = dict(domain.signatures)
    for mapping in problem.used_maps.values():
        signatures.update(mapping.functions)
    sparse = rng.random() < 0.5
    for name, (sorts, result) in signatures.items():
        keys: list[Sequence[Value]] = []
        for sort in sorts:
            if sort == CELL:
                keys.append(tuples)
            elif sort == INT:
                keys.append(range(min(low, 0) - 1, max(low + 4, top) + 2 + top))
            elif sort == BOOL:
                keys.append((False, True))
            else:
                keys.append(domain.enumerations.get(sort) or elements[sort])
        values: Sequence[Value]
        if result == INT:
            values = range(1, top + 1) if name not in domain.functions else range(-1, 3)
            if rng.random() < 0.3:
                values = range(top + 2)
        elif result == BOOL:
            values = [False, False, True] if sparse else [False, True]
        else:
            values = domain.enumerations.get(result) or elements[result]
        functions[name] = {key: rng.choice(values) for key in itertools.product(*keys)}
    world = World(domain, (), elements, functions, {}, symbols)
    fitting = [c for c in tuples if world.is_cell(c)]
    if domain.universe is Universe.PRODUCT:
        chosen = fitting
    else:
        chosen = sorted(rng.sample(fitting, min(len(fitting), rng.choice([count - 1, count]))))
    if len(chosen) < max(domain.at_least, 1):
        return None
    world = World(domain, tuple(chosen), elements, functions, {}, symbols)
    if not world.symbols_hold(problem.symbols):
        return None
    if not all(world.map_facts_hold(m) for m in problem.used_maps.values()):
        return None
    return world


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
