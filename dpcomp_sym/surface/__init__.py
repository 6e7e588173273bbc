"""What ``import dpcomp_sym as dp`` offers beside the data: answers that can be asked further."""

from dpcomp_sym.surface.answer import Answer, Question, derive, load, load_any, load_spec
from dpcomp_sym.surface.sweep import Sweep

__all__ = ["Answer", "Question", "Sweep", "derive", "load", "load_any", "load_spec"]
