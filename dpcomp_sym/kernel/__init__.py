"""The kernel: rules that alone can make a theorem.

:mod:`theorem` is the one place where theorems are made.  The rules of privacy are in :mod:`rules`;
:mod:`laws` makes the laws of :mod:`dpcomp_sym.algebra` rules.  What theorems are about is
:mod:`dpcomp_sym.statements`, whose names can be had here, too.

Parallel composition, as a theorem:

>>> from fractions import Fraction
>>> one, k = Num(Fraction(1)), ("k",)
>>> databases, block = DatabaseClass("D", "{}", ()), DatabaseClass("D", "{}", k)
>>> bounded = NamedRelation("G", "{}")
>>> p = NamedMap("p", "{}", databases, block, k)
>>> seen = Pullback(CanonicalMetric(bounded, block), p)
>>> problem = CompositionProblem(databases, bounded, (), (PartView("counts", "p", k, seen),), "{}")
>>> profile = oracle(ProfileFact(problem, (), (DifferenceVector((
...     BlockGroup("p", one, (SeenDistance("counts", one),)),)),)), "smt", "script 7")
>>> part = given(Private(NamedMechanism("M", block, k), "pure",
...     Neighbouring(bounded, block, (BlockEntry("eps", k),)), ()))
>>> family = run_family(preprocess(everywhere(part), p), k)
>>> theorem = maximum_over_neighbours(family, profile)
>>> theorem.statement.text()
'(M[i] o p[i]; i <= k) is pure private: max(eps[i]) between G neighbours of D'
>>> [step.rule for step in dag(theorem)][:3], sorted(t.kind for t in theorem.trust)
(['given', 'everywhere', 'preprocess'], ['given', 'smt'])
"""

from __future__ import annotations

from dpcomp_sym.kernel.laws import *
from dpcomp_sym.kernel.rules import *
from dpcomp_sym.kernel.theorem import *
from dpcomp_sym.kernel.theorem import seal as _seal
from dpcomp_sym.statements import *

_seal()
