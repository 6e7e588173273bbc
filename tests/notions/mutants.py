"""Break what puts numbers into bounds, and the notions, and see whether the laws notice.

``python -m tests.notions.mutants [FILE …]`` runs on each mutant the laws of notions and of numbers:
a number is what the expression means.  What survives, and why, is in ``survivors.toml``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.mutation import Subject, judged
from tests.mutation_run import main

NUMBERS = Subject(
    package="dpcomp_sym",
    files=(
        *(f"numbers/{n}.py" for n in ("evaluator", "exact", "atoms", "fronts", "bound")),
        # The others are broken with the kernel, which uses them.
        *(f"notions/{n}.py" for n in (
            "approximate", "gaussian", "meeting", "points", "pure", "written", "zcdp")),
    ),
    tests=("tests/notions",),
    copied=("dpcomp_sym", "tests/notions", "tests/statements", "docs/how-to", "examples"),
    equivalent=judged(Path(__file__).with_name("survivors.toml")),
    preloaded=("flint", "hypothesis", "jsonschema", "sympy", "networkx", "z3"),
)  # fmt: skip

if __name__ == "__main__":
    sys.exit(main(NUMBERS, "Break numbers and notions, and see whether the laws notice."))
