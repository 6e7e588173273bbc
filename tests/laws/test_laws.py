"""No law yields what is false, whatever its arguments are: random ones, in both programs.

Conclusions are evaluated from the definitions, at random numbers and small sizes.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from decimal import Overflow

import pytest

from tests.laws import draw
from tests.laws.meaning import at_most, worlds
from tests.laws.programs import PROGRAMS
from tests.shares import shared

TRIALS = 400
LEAST = {"induction": 40, "abel": 40, "share": 40}
"""So many conclusions are drawn at least, of so many trials; elsewhere a fifth."""


@pytest.fixture(params=sorted(PROGRAMS))
def program(request):
    return PROGRAMS[request.param]()


def false_at(rng, said):
    """A world in which an inequality does not hold."""
    left, right, where = (said.data[n] for n in ("left", "right", "where"))
    for world in worlds(rng, where, 4):
        for block in world.every_block():
            try:
                values = [world.of(e, block) for e in (left, right)]
            except Overflow:
                continue
            if not at_most(*values):
                return world.sizes, world.values, block, [str(v) for v in values]
    return None


def attack(program, law, trials, seed):
    """Apply a law to random arguments: how often it is accepted, and what is false."""
    rng = random.Random(f"{law} {seed}")
    d = draw.Draw(rng, program)
    found, counts = [], Counter()
    for _ in range(trials):
        arguments = draw.LAWS[law](d)
        said = program(law, **arguments) if arguments else None
        counts["accepted" if said else "refused"] += 1
        if said:
            wrong = false_at(rng, said)
            if wrong:
                found.append((json.dumps(said.data), wrong))
            d.keep(said)
    return counts, found


@pytest.mark.in_turn
@pytest.mark.parametrize("trials", shared(1, [TRIALS // 4, TRIALS]))
@pytest.mark.parametrize("law", sorted(draw.LAWS))
def test_no_law_yields_a_false_inequality(program, law, trials):
    counts, found = attack(program, law, trials, 0)
    assert found == []
    assert counts["accepted"] >= LEAST.get(law, TRIALS // 5) * trials // TRIALS


def test_the_second_program_counts_the_same_blocks():
    kernel, replay = (PROGRAMS[name]() for name in ("kernel", "replay"))
    source = draw.Draw(random.Random(7), kernel)
    found = []
    for _ in range(150):
        arguments = draw.anywhere(source)
        said = [program("anywhere", **arguments) for program in (kernel, replay)]
        found.append([x and x.data for x in said])
    assert [one for one, other in found if one != other] == []
    assert 30 < sum(1 for one, _ in found if one) < 120
