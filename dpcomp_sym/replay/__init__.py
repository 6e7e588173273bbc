"""A second, independent program that checks each step of a certificate again.

It shares no code with the kernel and uses nothing but the standard library.  It takes the rules
from here and never from the certificate, and derives every statement itself.  What it does not
decide are the leaves: that guarantees are those of the problem, and that structural facts hold, is
the business of :mod:`dpcomp_sym.certificates.recheck`.

>>> from dpcomp_sym.replay.rules import RULES
>>> sorted(RULES)[:2]
['abel', 'anywhere']
"""

from __future__ import annotations

from dpcomp_sym.replay.check import SCHEMA, Leaf, Replayed, UnreadableError, read, replay, seal
from dpcomp_sym.replay.terms import RejectedError, TooLargeError
from dpcomp_sym.replay.words import words

__all__ = [
    "SCHEMA",
    "Leaf",
    "RejectedError",
    "Replayed",
    "TooLargeError",
    "UnreadableError",
    "read",
    "replay",
    "seal",
    "words",
]
