"""Whether all blocks of a map change at once because records move along, asked before any count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcomp_sym.engine.together import together
from dpcomp_sym.model import BoundEdit, BoundMap
from dpcomp_sym.terms import reads_database

if TYPE_CHECKING:
    from dpcomp_sym.engine.structure import Structure

__all__ = ["moves_all"]


def moves_all(structure: Structure, edit: BoundEdit, mapping: BoundMap) -> bool:
    """Prove that an edit which moves records along changes all blocks of a map at once.

    To count how many blocks change is then no use, and long where there are many.
    """
    if edit.frame is None or not mapping.indices or not reads_database(edit.step):
        return False
    found = together(structure, edit, [mapping])
    return found is not None and found.attained and (found.everything or not found.distinguishes)
