"""Blocks that change together, against exhaustive search: never below, and equal where tight.

Random problems whose blocks are times, windows, sliding windows or strips; every pair of databases
over a few days is looked at, and what it costs is compared with the bound, for random guarantees.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine.definitions import Pairs
from dpcomp_sym.finite.world import World
from dpcomp_sym.spec import load_spec
from dpcomp_sym.terms import evaluate
from tests.shares import shared

PROBLEMS = 160
BATCH = 8
DAYS = range(-4, 10)
K = 3

MOVES = (
    'params = {{{{ x = "cell", y = "cell" }}}}\n'
    'guard = "D[x] >= 1 and {}"\nchange = {{{{ x = "-1", y = "1" }}}}'
)
EDITS = (
    'params = {{ t = "int" }}\nframe = "t <= day(c) and day(c) < t + {a}"',
    'params = {{ t = "int" }}\nframe = "{a}*t <= day(c) and day(c) < {a}*(t + {b})"',
    'params = {{ t = "int" }}\nframe = "day(c) == t or day(c) == t + {a}"',
    'params = {{ t = "int" }}\nframe = "t <= day(c) and day(c) < t + {a}"\nstep = "new <= old"',
    'params = {{ t = "int" }}\nframe = "abs(day(c) - t) <= {b}"\nguard = "t >= {a}"',
    'params = {{ t = "int" }}\nframe = "(day(c) + {a})//2 == t"',
    'params = {{ t = "int" }}\nframe = "day(c)//3 == t"',
    'params = {{ x = "cell" }}\nchange = {{ x = "1" }}',
    MOVES.format("x != y"),
    MOVES.format("x != y and abs(day(x) - day(y)) <= {a}"),
    MOVES.format("day(y) == day(x) + {a}"),
)
MEMBERS = (
    "day(c) == i",
    "{a}*(i - 1) <= day(c) and day(c) < {a}*i",
    "i <= day(c) and day(c) < i + {a}",
    "{a}*i <= day(c) and day(c) < {a}*i + {b}",
    "day(c) == i or day(c) == i + {a}",
    "abs(day(c) - i) <= {a}",
    "day(c) == {a}*i",
    "day(c) >= i",
    "day(c) < i and day(c) >= 0",
    "day(c)//2 == i",
    "(day(c) + 1)//{b} == i",
    "day(c) % 3 == i - 1",
    "day(c) == max(i, {a})",
    "day(c)//4 == i - 1",
    "(day(c) + {a})//2 == i or day(c)//4 == i + {b}",
    "day(c)//2 % 2 == i - 1",
    "(day(c)//2 + {a})//2 == i",
)
CLASSES = ("", "", "", 'limits = [["day(c)", 1]]\n', 'cell = "day(c) >= 1"\n', 'kind = "set"\n',
           'limits = [["day(c)//2", 1]]\n')  # fmt: skip


def written(seed: int) -> str:
    """Return a random problem."""
    draw = random.Random(seed)
    numbers = {"a": draw.randint(1, 2), "b": draw.randint(1, 2)}
    maps = draw.sample(MEMBERS, draw.choice((1, 1, 1, 2)))
    parts = [
        f'[[map]]\nname = "m{n}"\nindex = {{ i = "k" }}\nmember = "{member.format(**numbers)}"\n'
        f'[[part]]\nname = "p{n}"\nmap = "m{n}"\nguarantee = {{ pure = "e{n}" }}\n'
        for n, member in enumerate(maps)
    ]
    edit = draw.choice(EDITS).format(**numbers)
    return (
        f'title = "seed {seed}"\nsetting = "common"\n[domain]\n'
        'attributes = { id = "Event", day = "int" }\n'
        f'{draw.choice(CLASSES)}[granularity]\nname = "g"\n[[granularity.edit]]\n{edit}\n'
        + "".join(parts)
    )


def pairs(problem, world):
    """Yield neighbours in which nothing is held but what the edit changes."""
    hold = Pairs.of(problem).hold
    for edit in problem.outer.edits:
        if edit.frame is None:
            for x, y in itertools.product(world.cells, repeat=2):
                before, after = ({x: 1}, {y: 1}) if len(edit.points) > 1 else ({}, {x: 1})
                if x != y and hold(world, before, after):
                    yield before, after
            continue
        for t in range(min(DAYS) - 3, max(DAYS) + 4):
            env = world.environment(variables={"t": t})
            here = []
            for c in world.cells:
                env.variables["c"] = c
                here += [c] if evaluate(edit.frame, env) else []
            for sides in itertools.product((0, 1, 2), repeat=min(len(here), 6)):
                both = [
                    {c: 1 for c, n in zip(here, sides, strict=False) if n == side}
                    for side in (1, 2)
                ]
                if any(sides) and hold(world, both[0], both[1]):
                    yield both[0], both[1]


def worst(problem, values):
    """Return what the worst pair costs whose records all lie in a few days, one for each day."""
    cells = tuple(("a", d) for d in DAYS)
    world = World(problem.domain, cells, {"Event": ("a", "b")}, {}, {}, {"k": K})
    cells = tuple(c for c in cells if world.is_cell(c))
    world = World(problem.domain, cells, {"Event": ("a", "b")}, {}, {}, {"k": K})
    most = 0
    for before, after in pairs(problem, world):
        changed = [c for c in world.cells if before.get(c, 0) != after.get(c, 0)]
        cost = 0
        for part in problem.bound_parts:
            (name,) = dict(part.guarantees)["pure"]
            for (block,) in world.blocks(part.map):
                if any(world.member(part.map, c, (block,)) for c in changed):
                    cost += values[name][block - 1]
        most = max(most, cost)
    return most


@pytest.mark.in_turn
@pytest.mark.parametrize("first", shared(1, range(0, PROBLEMS, BATCH)))
def test_bounds_of_blocks_that_change_together(first):
    wrong, patterned, tight = [], 0, 0
    for seed in range(first, first + BATCH):
        text = written(seed)
        problem = load_spec(text).problem
        draw = random.Random(seed)
        values = {f"e{n}": [draw.randint(0, 9) for _ in range(K)] for n in range(2)}
        used = {x for p in problem.bound_parts for g in dict(p.guarantees).values() for x in g}
        values = {name: v for name, v in values.items() if name in used}
        result = derive(problem, values, {"k": K})
        general = derive(problem, values)  # k is a symbol there, its number read off the lists
        for found in (result, general):
            bound = next((b for b in found.bounds if b.notion == "pure"), None)
            if bound is None or bound.value is None or not isinstance(bound.value, int | Fraction):
                continue
            patterned += "over" in bound.text
            cost = worst(problem, values)
            tight += bound.tight == "yes"
            if cost > bound.value or (bound.tight == "yes" and cost < bound.value):
                wrong.append(
                    f"{text}\n{values}\n{bound.text} = {bound.value}, {bound.tight}: {cost}"
                )
    assert not wrong, "\n\n".join(wrong)
    assert patterned
