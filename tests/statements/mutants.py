"""Break what writes and shortens expressions, and see whether the laws notice.

``python -m tests.statements.mutants [FILE …]`` runs on each mutant the laws of writers:
read back, a text is the expression; what SymPy makes of it is what it means; what is shortened is
equal.  What survives, and why, is in ``survivors.toml``.
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
        tests=tuple(f"tests/statements/test_{name}.py" for name in tests),
        copied=("dpcomp_sym", "theorems", "tests/kernel", "tests/statements", "tests/shares.py"),
        equivalent={mutant: why for mutant, why in JUDGED.items() if mutant[0] in files},
        preloaded=("flint", "hypothesis", "jsonschema", "sympy", "z3"),
    )


WRITERS = subject(
    tuple(f"statements/{n}.py" for n in ("render", "plain", "latex", "integers")),
    "evaluate",
    "render",
    "largest_over_integers",
)
SENTENCES = subject(("statements/text.py",), "text")
SYMBOLIC = subject(("statements/symbolic.py",), "symbolic", "largest_over_integers")
BLOCKS = subject(("statements/blocks_sympy.py",), "block_functions")
PLACES = subject(("statements/places.py",), "places")
SHORTER = subject(("derivation/shorten.py", "derivation/maximal.py"), "shorter", "maximal")

if __name__ == "__main__":
    description = "Break what writes and shortens expressions, and see whether the laws notice."
    sys.exit(main(WRITERS, description, SENTENCES, SYMBOLIC, BLOCKS, PLACES, SHORTER))
