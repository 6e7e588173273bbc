"""What theorems speak of: terms and statements as plain data, their text and their values.

:mod:`terms` is the language; nothing that is proved depends on :mod:`text` and :mod:`evaluate`.
"""

from __future__ import annotations

from dpcomp_sym.statements.evaluate import *
from dpcomp_sym.statements.terms import *
