"""Break the engine in small ways, one at a time, and see whether its tests notice.

``python -m tests.engine.mutants [FILE …] [--count N --seed S]`` runs on each mutant the
tests of its file, or the examples.  The comparison with plain enumeration, which takes longer, is
not among them.  What survives, and why, is in
``survivors.toml``.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from tests.mutation import Subject, main

JUDGED = tomllib.loads(Path(__file__).with_name("survivors.toml").read_text(encoding="utf-8"))

EXAMPLES = ("tests/test_examples.py",)
ATTAINED, DISTANCES, QUOTIENTS, SENTENCES, STRUCTURE, TOLD = (
    f"tests/engine/test_{name}.py"
    for name in ("attained", "distances", "quotients", "sentences", "structure", "told")
)
OWN = {
    "apart.py": ("tests/engine/test_apart.py", *EXAMPLES),
    "attain.py": ("tests/engine/test_attaining.py",),
    "clauses.py": (SENTENCES, "tests/engine/test_weakest.py"),
    "conditions.py": (TOLD, SENTENCES, *EXAMPLES),
    "confirm.py": (TOLD, ATTAINED, *EXAMPLES),
    "counting.py": (ATTAINED, TOLD, *EXAMPLES),
    "distances.py": (DISTANCES, STRUCTURE, TOLD, QUOTIENTS, ATTAINED, *EXAMPLES),
    "norms.py": ("tests/engine/test_norms.py",),
    "patterns.py": ("tests/engine/test_profiles.py", ATTAINED, *EXAMPLES),
    "profiles.py": ("tests/engine/test_profiles.py", ATTAINED, *EXAMPLES),
    "properties.py": ("tests/engine/test_properties.py",),
    "quotients.py": (QUOTIENTS,),
    "relations.py": ("tests/engine/test_relations.py", SENTENCES, "tests/engine/test_weakest.py"),
    "replication.py": (ATTAINED, *EXAMPLES),
    "structure.py": (STRUCTURE, TOLD, QUOTIENTS, ATTAINED, *EXAMPLES),
    "walks.py": ("tests/engine/test_walks.py",),
    "weakest.py": (SENTENCES, "tests/engine/test_weakest.py"),
    "written.py": (SENTENCES, "tests/engine/test_weakest.py"),
}
FILES = (
    "apart.py", "attain.py", "clauses.py", "conditions.py", "confirm.py", "counting.py",
    "distances.py", "norms.py", "patterns.py", "profiles.py", "properties.py", "quotients.py",
    "relations.py", "replication.py", "structure.py", "walks.py", "weakest.py", "written.py",
)  # fmt: skip
ENGINE = Subject(
    package="dpcomp_sym/engine",
    files=FILES,
    tests=("tests/engine", *EXAMPLES),
    copied=("dpcomp_sym", "theorems", "examples", "tests/engine", "tests/test_examples.py"),
    equivalent={
        (row["file"], row["line"], row["change"]): row["why"] for row in JUDGED.get("mutant", ())
    },
    by_file={file: OWN.get(file, EXAMPLES) for file in FILES},
    preloaded=("z3", "sympy", "networkx", "hypothesis", "jsonschema"),
    timeout=600,
)

if __name__ == "__main__":
    sys.exit(main(ENGINE, "Break the engine, and see whether its tests notice."))
