"""Other ways to decide the same questions, each within a finite scope (or with quantifiers).

A question is: in the setting, over a set of ``n`` records, with ``k`` blocks and every label
function, do neighbours change at most ``most`` blocks?  Databases are sets.  Settings:

- ``unbounded``: one record is added or removed;
- ``bounded``: one record is replaced by another;
- ``owner``: the records of one owner change at will, and labels depend on the owner alone; half as
  many owners as records.
"""
