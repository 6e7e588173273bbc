"""Derivations as files that Rocq checks (Coq, 8.16 or newer), and having them checked.

The library that the files build on stands in ``rocq/``.  Nothing else of the program needs Rocq.
"""

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq.coqc import CoqAnswer, check, check_either, check_given, installed, tampered
from dpcomp_sym.rocq.export import rocq_file
from dpcomp_sym.rocq.refutation import REFUTED, refutation_file

__all__ = [
    "REFUTED",
    "CoqAnswer",
    "UnwrittenError",
    "check",
    "check_either",
    "check_given",
    "installed",
    "refutation_file",
    "rocq_file",
    "tampered",
]
