"""Break the engine in small ways, one at a time, and see whether its tests notice.

``python -m tests.engine.mutants [FILE …] [--count N --seed S]`` runs on each mutant the tests of
the engine and of the examples.  The comparison with plain enumeration, which takes longer, is not
among them.  What survives, and why, is in ``survivors.toml``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.mutation import Subject, judged
from tests.mutation_run import main

FILES = (
    "blocks.py", "clauses.py", "conditions.py", "contradictions.py", "counterexample.py",
    "counting.py", "crowds.py", "definitions.py", "distances.py", "explicit_databases.py",
    "facts.py", "families.py",
    "freed.py", "integers.py", "likeness.py", "listing.py", "patterns.py", "persist.py",
    *(f"profiler/{n}.py" for n in (
        "__init__", "attained", "cases", "frames", "points", "possible", "search", "tables")),
    "properties.py", "quotients.py", "ranges.py", "records.py", "relations.py", "renumbering.py",
    "replication.py",
    "sensitivity_norms.py", "shifting.py", "structure.py", "tight_pairs.py",
    *(f"together/{n}.py" for n in (
        "__init__", "asking", "attain", "find", "frame_placing", "one_block", "placing",
        "point_placing", "slices", "spans", "stripes")),
    "unit_steps.py", "unreachable.py", "weakest.py",
)  # fmt: skip
ENGINE = Subject(
    package="dpcomp_sym/engine",
    files=FILES,
    tests=("tests/engine", "tests/test_examples.py"),
    copied=("dpcomp_sym", "theorems", "examples", "tests/engine", "tests/test_examples.py"),
    equivalent=judged(Path(__file__).with_name("survivors.toml")),
    preloaded=("z3", "sympy", "networkx", "hypothesis", "jsonschema"),
)

if __name__ == "__main__":
    sys.exit(main(ENGINE, "Break the engine, and see whether its tests notice."))
