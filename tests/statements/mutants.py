"""Break what writes and evaluates expressions in small ways, and see whether the laws notice.

``python -m tests.statements.mutants [FILE …]`` runs on each mutant the laws of writers and of the
exact evaluator: read back, a text is the expression; what is evaluated is what it means.  What
survives, and why, is in ``survivors.toml``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.mutation import Subject, judged
from tests.mutation_run import main

WRITERS = Subject(
    package="dpcomp_sym",
    files=tuple(f"statements/{n}.py" for n in ("render", "plain", "latex", "integers", "evaluate")),
    tests=("tests/statements/test_evaluate.py", "tests/statements/test_render.py"),
    copied=("dpcomp_sym", "tests/statements", "tests/shares.py"),
    equivalent=judged(Path(__file__).with_name("survivors.toml")),
    preloaded=("flint", "hypothesis", "jsonschema"),
)

if __name__ == "__main__":
    sys.exit(main(WRITERS, "Break writers and the evaluator, and see whether the laws notice."))
