"""The kernel: rules that alone can make a theorem.

:mod:`terms` is the language, :mod:`theorem` the one place where theorems are made, and the rules
stand in :mod:`rules` (mechanisms, metrics, neighbours), :mod:`bounds` (inequalities) and
:mod:`facts` (profiles).  :mod:`text` and :mod:`evaluate` are for people and tests; nothing that is
proved depends on them.

Parallel composition, as a theorem:

>>> from fractions import Fraction
>>> one, k = Num(Fraction(1)), ("k",)
>>> databases, block = Domain("D", "{}", ()), Domain("D", "{}", k)
>>> bounded = Granularity("G", "{}")
>>> p = Map("p", "{}", databases, block, k)
>>> seen = Pullback(Canonical(bounded, block), p)
>>> problem = Problem(databases, bounded, (), (View("counts", "p", k, seen),), "{}")
>>> profile = oracle(ProfileFact(problem, (), (Vector((
...     Group("p", one, (Seen("counts", one),)),)),)), "smt", "script 7")
>>> part = given(Private(Mechanism("M", block, k), "pure",
...     Neighbouring(bounded, block, (Entry("eps", k),)), ()))
>>> family = run_family(preprocess(everywhere(part), p), k)
>>> theorem = maximum_over_neighbours(family, profile)
>>> theorem.statement.text()
'(M[i] o p[i]; i <= k) is pure private: max(eps[i]) between G neighbours of D'
>>> [step.rule for step in dag(theorem)][:3], sorted(t.kind for t in theorem.trust)
(['given', 'everywhere', 'preprocess'], ['given', 'smt'])
"""

from __future__ import annotations

from dpcomp_sym.kernel.bounds import *
from dpcomp_sym.kernel.evaluate import *
from dpcomp_sym.kernel.facts import *
from dpcomp_sym.kernel.rules import *
from dpcomp_sym.kernel.terms import *
from dpcomp_sym.kernel.theorem import *
from dpcomp_sym.kernel.theorem import seal as _seal

_seal()
