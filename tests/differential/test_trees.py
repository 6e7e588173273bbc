"""Trees whose arity and depth are symbols, and windows of any length, against all neighbours.

Levels are one index and nodes another one, ``x // q**l``: what a record or some successive ones
change is a path, several paths, or two that share their top.  Each bound is the largest that any
neighbours need, and is called tight.
"""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec
from tests.differential.structured import Comparison
from tests.random_problems.structured import Drawn

TREE = """
{setting}
[domain]
attributes = {{ x = "int" }}
symbols = {{ q = "q >= 1", w = "w >= 1" }}
cell = "x(c) >= 0"
kind = "set"
[granularity]
{granularity}
[[map]]
name = "tree"
index = {{ l = "h", n = "k" }}
member = "{member}"
[[part]]
name = "counts"
map = "tree"
guarantee = {{ pure = "eps", zcdp = "rho" }}
"""
ONE, MOVED = 'use = "unbounded"', 'use = "bounded"'
EVENTS = 'use = "w_event"\ntime = "x"\nlength = "w"'
COMMON = 'setting = "common"'
NODE = "x(c) // q**(l - 1) == n - 1"
PATH = "t < q**(i - 1)*j <= t + q**(i - 1)"
PATH_OF_U = "u < q**(i - 1)*j <= u + q**(i - 1)"
OFF_PATH = "q**(i - 1)*j <= t or t + q**(i - 1) < q**(i - 1)*j"
OFF_PATH_OF_U = "q**(i - 1)*j <= u or u + q**(i - 1) < q**(i - 1)*j"
LEAVES = [(x,) for x in range(12)]
"""All below the first three nodes of each of three levels, for q = 2."""
CASES = {
    "a path": ("", ONE, NODE, f"max over t with 0 <= t of sum(eps[i,j] for {PATH})"),
    "from the root": ("", ONE, "x(c) // 2**(h - l) + 1 == n",
        "max over t with 0 <= t of sum(eps[i,j] for t < 2**(h - i)*j <= t + 2**(h - i))"),
    "two paths": (COMMON, MOVED, NODE,
        f"max over t, u with 0 <= t and 0 <= u of sum(eps[i,j] for {PATH} or {PATH_OF_U})"),
    "successive leaves": (COMMON, EVENTS, NODE,
        "max over t of sum(eps[i,j] for t < q**(i - 1)*j < q**(i - 1) + t + w)"),
    "levels that are named": ("", ONE, f"{NODE} and (l == 1 or l == h)", None),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("case", CASES)
def test_trees(case):
    setting, granularity, member, said = CASES[case]
    problem = load_spec(
        TREE.format(setting=setting, granularity=granularity, member=member)
    ).problem
    sizes = {"h": 3, "k": 3, "q": 2, "w": 2}
    found = Comparison(1, Drawn(problem, sizes, lambda: itertools.combinations(LEAVES, 2), {}))
    assert not found.wrong()
    assert {"tight", "a pattern"} <= set(found.kinds())
    if said:
        assert derive(problem).bounds["pure"].text == said


@pytest.mark.in_turn
def test_a_moved_record_of_which_parts_see_both_steps():
    """Two paths, of which what they share is seen from 2: not twice all of both."""
    text = TREE.format(setting="", granularity=MOVED, member=NODE)
    problem = load_spec(f'{text}granularity = "unbounded"\n').problem
    sizes = {"h": 2, "k": 3, "q": 2, "w": 1}
    found = Comparison(1, Drawn(problem, sizes, lambda: itertools.combinations(LEAVES, 2), {}))
    assert not found.wrong()
    assert "tight" in found.kinds()
    assert derive(problem).bounds["pure"].text == (
        "max over t, u with 0 <= t and 0 <= u and t != u of "
        f"(sum(eps[i,j] for {PATH} and ({OFF_PATH_OF_U})) + "
        f"sum(eps[i,j] for {PATH_OF_U} and ({OFF_PATH})) + "
        f"sum(2*eps[i,j] for {PATH} and {PATH_OF_U}))"
    )


@pytest.mark.in_turn
def test_a_moved_record_that_parts_do_not_expect():
    """A node that a record leaves sees no replacement: it is shown that nothing is guaranteed."""
    text = TREE.format(setting="", granularity=MOVED, member=NODE)
    bound = derive(load_spec(f'{text}granularity = "bounded"\n').problem).bounds["pure"]
    assert (bound.text, bound.tight) == ("inf (no guarantee)", "yes")


def test_blocks_that_one_record_changes_all_at_once_are_summed():
    """A large value is in every prefix: no maximum over places says more."""
    text = TREE.format(setting="", granularity=MOVED, member="x(c) >= l")
    text = text.replace('index = { l = "h", n = "k" }', 'index = { l = "h" }')
    bound = derive(load_spec(f'{text}granularity = "unbounded"\n').problem).bounds["pure"]
    assert bound.text == "2*sum(eps[i])"
