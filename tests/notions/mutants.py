"""Break exact numbers, the evaluator and notions in small ways, and see whether the laws notice.

``python -m tests.notions.mutants [FILE …]`` runs on each mutant the laws of numbers, where a number
is what the expression means, and of notions, whose formulas, curves and points are compared with
their definitions.  What survives, and why, is in ``survivors.toml``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.mutation import Subject, judged
from tests.mutation_run import main

JUDGED = judged(Path(__file__).with_name("survivors.toml"))


def subject(files: tuple[str, ...], *tests: str) -> Subject:
    """Return files with the tests that must notice when they are broken."""
    return Subject(
        package="dpcomp_sym",
        files=files,
        tests=tests,
        copied=(
            "dpcomp_sym",
            "theorems",
            "tests/kernel",
            "tests/notions",
            "tests/statements",
            "tests/test_sampled.py",
        ),
        equivalent={mutant: why for mutant, why in JUDGED.items() if mutant[0] in files},
        preloaded=("flint", "hypothesis", "jsonschema", "mpmath", "sympy", "networkx", "z3"),
    )


NUMBERS = subject(
    tuple(f"numbers/{n}.py" for n in ("exact", "atoms", "evaluator", "near", "latex")),
    *(
        f"tests/notions/test_{n}.py"
        for n in ("exact", "choices", "near", "numbers", "number_latex")
    ),
)
COLUMNS = subject(
    tuple(
        f"numbers/{n}.py"
        for n in ("assignment", "column", "curves", "guarantee", "single", "sources", "sums")
    ),
    *(
        f"tests/notions/test_{n}.py"
        for n in ("assignment", "bounds", "columns", "guarantee", "numbers")
    ),
)
GIVEN = subject(
    ("numbers/columns.py",), *(f"tests/notions/test_{n}.py" for n in ("bounds", "columns", "given"))
)
FRONTS = subject(
    ("numbers/fronts.py",), *(f"tests/notions/test_{n}.py" for n in ("fronts", "skyline"))
)
LABELS = subject(("numbers/labels.py",), "tests/notions/test_together.py")
TOGETHER = subject(
    ("numbers/together.py", "numbers/coverings.py"),
    "tests/notions/test_together.py",
    "tests/notions/test_alike.py",
    "tests/notions/test_coverage.py",
)
PLANES = subject(("numbers/planes.py", "numbers/tree.py"), "tests/notions/test_planes.py")
ALIKE = subject(
    ("numbers/alike.py", "numbers/covering.py"),
    "tests/notions/test_alike.py",
    "tests/notions/test_coverage.py",
)
BESIDES = subject(("numbers/besides.py",), "tests/notions/test_besides.py")
REALS = subject(("numbers/real_column.py", "spec/reals.py"), "tests/notions/test_reals.py")
PLACED = subject(
    ("numbers/placed.py",), "tests/notions/test_placed.py", "tests/notions/test_coverage.py"
)
SAMPLED = subject(("numbers/sampled.py",), "tests/test_sampled.py")
BOUNDS = subject(
    ("numbers/bound.py",),
    *(f"tests/notions/test_{n}.py" for n in ("bounds", "given", "what_is_said")),
)
NOTIONS = subject(
    tuple(
        f"notions/{n}.py"
        for n in (
            "approximate",
            "core",
            "gaussian",
            "meeting",
            "points",
            "pure",
            "registry",
            "written",
            "zcdp",
        )
    ),
    "tests/notions/test_values.py",
    "tests/kernel/test_notions.py",
)

if __name__ == "__main__":
    description = "Break exact numbers, the evaluator and notions, and see whether the laws notice."
    others = (
        COLUMNS,
        GIVEN,
        FRONTS,
        LABELS,
        TOGETHER,
        PLANES,
        ALIKE,
        BESIDES,
        REALS,
        PLACED,
        SAMPLED,
        NOTIONS,
        BOUNDS,
    )
    sys.exit(main(NUMBERS, description, *others))
