"""Records that move on a grid, at most so far: the two cells that change are so near each other."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem

pytestmark = pytest.mark.in_turn

MOVES = "D[a] >= 1 and a != b and id(a) == id(b)"
DISTANCES = {
    "sum": ("abs(x(a) - x(b)) + abs(y(a) - y(b)) <= d", lambda x, y: abs(x) + abs(y)),
    "largest": ("max(abs(x(a) - x(b)), abs(y(a) - y(b))) <= d", lambda x, y: max(abs(x), abs(y))),
    "straight": (
        "(x(a) - x(b))*(x(a) - x(b)) + (y(a) - y(b))*(y(a) - y(b)) <= d*d",
        lambda x, y: (x * x + y * y) ** 0.5,
    ),
}
EPS = [[5, 1, 1, 1, 6], [1, 1, 1, 1, 1], [1, 1, 3, 1, 1], [1, 1, 1, 1, 1], [4, 1, 1, 2, 5]]


def near(within, dimensions=2):
    """Return a problem: one record moves in a grid, to a cell with a condition."""
    names = {"x": "i", "y": "j", "z": "l"}
    axes = dict(list(names.items())[:dimensions])
    domain = Domain({"id": "Record", **dict.fromkeys(axes, "int")}, symbols={"d": "d >= 0"})
    edit = Edit(
        {"a": "cell", "b": "cell"}, guard=f"{MOVES} and {within}", change={"a": "-1", "b": "1"}
    )
    cells = Map(
        "cells", " and ".join(f"{x}(c) == {i}" for x, i in axes.items()),
        {i: f"k{i}" for i in axes.values()},
    )  # fmt: skip
    part = Part("counts", "cells", setting="common")
    return Problem(domain, Granularity("near", [edit]), [cells], [part])


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("which", DISTANCES)
def test_two_cells_that_are_near_each_other(which, d):
    """Against all pairs of cells of the grid that are so near."""
    within, distance = DISTANCES[which]
    found = derive(near(within), {"eps": EPS}, {"d": d, "ki": 5, "kj": 5}).bounds["pure"]
    cells = list(product(range(5), repeat=2))
    largest = max(
        EPS[a][b] + EPS[x][y]
        for (a, b), (x, y) in combinations(cells, 2) if distance(a - x, b - y) <= d
    )  # fmt: skip
    assert (found.value, found.tight) == (largest, "yes")


@pytest.mark.parametrize("d", ["d", "2"])
def test_a_grid_with_three_axes_is_not_too_much(d):
    """Eight conditions on six numbers: what all blocks are for some of these is not sought."""
    within = f"abs(x(a) - x(b)) + abs(y(a) - y(b)) + abs(z(a) - z(b)) <= {d}"
    bound = derive(near(within, 3)).bounds["pure"]
    assert bound.tight == "yes"
    assert bound.text.endswith(
        "sum(eps[i,j,l] for i == t and j == u and l == v or i == x and j == y and l == z)"
    )
