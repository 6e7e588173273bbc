"""Break the kernel in small ways, with what it rests on, and see whether its tests notice.

``python -m tests.kernel.mutants [FILE …]`` runs on each mutant the fast tests of the kernel, which
do without the rest of the package, and tries what the kernel must refuse.
"""

from __future__ import annotations

import sys

from tests.mutation import Subject
from tests.mutation_run import main


def refused() -> object:
    """Return what the kernel must refuse and accepts."""
    from tests.kernel.rejects import unrefused

    return unrefused()


KERNEL = Subject(
    package="dpcomp_sym",
    files=(
        *(f"statements/terms/{n}.py" for n in (
            "base", "expressions", "spaces", "problems", "statements")),
        *(f"notions/{n}.py" for n in ("core", "registry")),
        *(f"algebra/{n}.py" for n in (
            "sizes", "polynomials", "guarantees", "counts", "inequalities", "means", "profiles")),
        *(f"kernel/{n}.py" for n in ("theorem", "rules", "laws")),
    ),
    tests=tuple(f"tests/kernel/test_{n}.py" for n in (
        "profiles", "patterns", "coverage", "bounds", "places", "rules", "theorems", "notions")),
    copied=(
        "tests/kernel", "tests/statements/exact_values.py", "dpcomp_sym/statements",
        "dpcomp_sym/balls.py",
    ),
    equivalent={
        ("algebra/counts.py", "if min(d.values()) > 0 and c == _times(d, _MINUS):",
         "min(d.values()) > 0  ->  min(d.values()) >= 0"): "what is 0 times something is left out",
        ("algebra/counts.py", "if n > 0", "n > 0  ->  n >= 0"): "what is 0 times something is 0",
        ("algebra/polynomials.py", "if sum(grown.values()) > 1:",
         "sum(grown.values()) > 1  ->  sum(grown.values()) >= 1"):
            "a single power of e is the sum of one exponent: the same, made anew",
        ("algebra/profiles.py", "if not isinstance(n, int) or n < kind.count:",
         "not isinstance(n, int) or n < kind.count  ->  n < kind.count"):
            "where there are patterns, all numbers of blocks are integers: a second safeguard",
        ("algebra/profiles.py",
         "elif isinstance(fact, Infeasible) and covers((fact.where,), intersection(where)):",
         ("isinstance(fact, Infeasible) and covers((fact.where,), intersection(where))  ->  "
          "covers((fact.where,), intersection(where))")):
            "there is no other kind of fact: it is said for the type checker",
        ("algebra/profiles.py",
         "some = list(islice(_multisets(tuple(table), number), MOST_COMBINATIONS + 1))",
         "1  ->  2"): "one more is counted before there are too many",
        ("algebra/profiles.py",
         "return small in ways or any(_goes_below(problem, small, way, where) for way in ways)",
         ("small in ways or any((_goes_below(problem, small, way, where) for way in ways))  ->  "
          "any((_goes_below(problem, small, way, where) for way in ways))")):
            "each vector is below itself, and need not be compared with all others",
        ("algebra/profiles.py", "MOST_LISTS = 256", "256  ->  257"):
            "so much is tried, and one more would do as well",
        ("algebra/means.py", "MOST_CHOICES: Final = 500", "500  ->  501"):
            "so much is tried, and one more would do as well",
        ("algebra/means.py",
         "each = {n: known.of_record(n, vectors) for n in range(1, edit.points + 1)}",
         "1  ->  2  (2 of 2)"): "a record that there is not is in no block",
        ("algebra/means.py", "letters = range(1, len(self.joint.terms) + 1)",
         "1  ->  2  (2 of 2)"): "an integer that there is not is in no condition of a place",
        ("algebra/profiles.py", "goal >= first",
         ("goal >= first and _has_room(problem, big.groups[goal], there, where) and "
          "place(n + 1, (*used[:goal], there, *used[goal + 1:]), goal)  ->  "
          "_has_room(problem, big.groups[goal], there, where) and "
          "place(n + 1, (*used[:goal], there, *used[goal + 1:]), goal)")):
            "equal groups are tried in one order only, which makes it quicker",
        ("statements/terms/base.py",
         "made: Any = dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)(kind)",
         "False  ->  True  (2 of 3)"):
            "terms are compared field by field by either function, and only one keeps its hash",
        ("statements/terms/base.py",
         "first, *others = sorted(filter(None, tables), key=len, reverse=True) or [{}]",
         "True  ->  False"): "which of the tables the others are added to makes it slower only",
    },
    refused=refused,
)  # fmt: skip

if __name__ == "__main__":
    sys.exit(main(KERNEL, "Break the kernel, and see whether its tests notice."))
