"""The language of theorems: what they are about, as frozen data.

Free variables are universal: parameters stand for any number in [0, inf[, sizes for any integer
from 1 on.  There is one kind of bound variable, the block at hand of a family: things indexed by
the blocks of a family carry the family's ``sizes`` (``("k",)`` for k blocks, ``()`` for no index),
and the operators ``Each…`` and :class:`Worst` close over it.  Arithmetic is that of [0, inf] with
0 * inf = 0; in metrics alone (:class:`Rescaled`) 0 * inf = inf.
"""

from __future__ import annotations

from dpcomp_sym.statements.terms.base import *
from dpcomp_sym.statements.terms.expressions import *
from dpcomp_sym.statements.terms.problems import *
from dpcomp_sym.statements.terms.spaces import *
from dpcomp_sym.statements.terms.statements import *
