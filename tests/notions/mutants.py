"""Break exact numbers and the evaluator in small ways, and see whether the laws notice.

``python -m tests.notions.mutants [FILE …]`` runs on each mutant the laws of numbers: a number is
what the expression means.  What survives, and why, is in ``survivors.toml``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.mutation import Subject, judged
from tests.mutation_run import main

NUMBERS = Subject(
    package="dpcomp_sym",
    files=tuple(f"numbers/{n}.py" for n in ("exact", "atoms", "evaluator")),
    tests=tuple(f"tests/notions/test_{n}.py" for n in ("exact", "choices", "numbers")),
    copied=("dpcomp_sym", "tests/notions", "tests/statements"),
    equivalent=judged(Path(__file__).with_name("survivors.toml")),
    preloaded=("flint", "hypothesis", "jsonschema", "sympy", "networkx", "z3"),
)

if __name__ == "__main__":
    sys.exit(
        main(NUMBERS, "Break exact numbers and the evaluator, and see whether the laws notice.")
    )
