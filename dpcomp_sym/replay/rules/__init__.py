"""The rules once more: from the statements of the premises to that of the conclusion.

A rule is entered with the types of its arguments; ``|-`` is a premise.  What a rule says, why it
holds and where it is published stands with the rule of the same name in the kernel.  The code here
is another one, so that a mistake in either shows as a disagreement.
"""

from __future__ import annotations

from dpcomp_sym.replay.rules import inequalities, places, privacy  # they enter their rules
from dpcomp_sym.replay.rules.base import LEAVES, RULES
from dpcomp_sym.replay.rules.profiles import below

__all__ = ["LEAVES", "RULES", "below", "inequalities", "places", "privacy"]
