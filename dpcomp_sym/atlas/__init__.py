"""The atlas: what is known of every granularity, map and setting in one table."""

from dpcomp_sym.atlas.run import Atlas, atlas
from dpcomp_sym.atlas.table import AtlasQuestion, AtlasTable, default_table

__all__ = ["Atlas", "AtlasQuestion", "AtlasTable", "atlas", "default_table"]
