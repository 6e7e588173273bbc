"""Break what writes and evaluates expressions in small ways, and see whether the laws notice.

``python -m tests.statements.mutants [FILE …]`` runs on each mutant the laws of writers and of the
evaluator: read back, a text is the expression; a number is what the expression means.
"""

from __future__ import annotations

import sys

from tests.mutation import Subject
from tests.mutation_run import main

WRITERS = Subject(
    package="dpcomp_sym",
    files=(
        *(f"statements/{n}.py" for n in ("render", "plain", "latex")),
        *(f"numbers/{n}.py" for n in ("evaluator", "fronts")),
    ),
    tests=("tests/statements/test_render.py", "tests/notions/test_numbers.py"),
    copied=("dpcomp_sym", "tests/statements", "tests/notions"),
    equivalent={},
    preloaded=("flint", "hypothesis", "jsonschema"),
)

if __name__ == "__main__":
    sys.exit(main(WRITERS, "Break writers and the evaluator, and see whether the laws notice."))
