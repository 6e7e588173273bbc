"""Break what writes, shortens and evaluates expressions, and see whether the laws notice.

``python -m tests.statements.mutants [FILE …]`` runs on each mutant the laws of writers, of shorter
forms and of the exact evaluator: read back, a text is the expression; what is shorter, and what is
evaluated, is what the expression means.  What survives, and why, is in ``survivors.toml``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.mutation import Subject, judged
from tests.mutation_run import main

WRITERS = Subject(
    package="dpcomp_sym",
    files=(
        *(f"statements/{n}.py" for n in (
            "render", "plain", "latex", "integers", "symbolic", "text", "evaluate")),
        *(f"derivation/{n}.py" for n in ("shorten", "maximal")),
    ),
    tests=("tests/statements", "tests/kernel/test_bounds.py"),
    copied=("dpcomp_sym", "tests/statements", "tests/kernel", "tests/shares.py"),
    equivalent=judged(Path(__file__).with_name("survivors.toml")),
    preloaded=("flint", "hypothesis", "jsonschema", "sympy"),
)  # fmt: skip

if __name__ == "__main__":
    sys.exit(main(WRITERS, "Break writers and shorter forms, and see whether the laws notice."))
