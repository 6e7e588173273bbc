"""What theorems are about, as plain data: terms and statements, and how they are written.

:mod:`terms` is the language; nothing that is proved depends on :mod:`text`.
"""

from __future__ import annotations

from dpcomp_sym.statements.terms import *
from dpcomp_sym.statements.terms.base import write_with as _write_with
from dpcomp_sym.statements.text import text_of as _text_of

_write_with(_text_of)
