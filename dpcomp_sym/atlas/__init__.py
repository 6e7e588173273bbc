"""The atlas: what is known of every granularity, map and setting in one table."""

from dpcomp_sym.atlas.run import Atlas, atlas
from dpcomp_sym.atlas.table import Question, Table, default_table

__all__ = ["Atlas", "Question", "Table", "atlas", "default_table"]
