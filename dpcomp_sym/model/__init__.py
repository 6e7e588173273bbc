"""Domains, granularities, maps and parts: the data of a composition problem."""

from dpcomp_sym.model.domain import BoundDistinct, Distinct, Domain, Function, Universe
from dpcomp_sym.model.granularity import BoundEdit, BoundGranularity, Edit, Granularity
from dpcomp_sym.model.library import library_granularity, library_map, library_names
from dpcomp_sym.model.mapping import BoundMap, Map
from dpcomp_sym.model.problem import BoundPart, InnerClass, Part, Problem

__all__ = [
    "BoundDistinct",
    "BoundEdit",
    "BoundGranularity",
    "BoundMap",
    "BoundPart",
    "Distinct",
    "Domain",
    "Edit",
    "Function",
    "Granularity",
    "InnerClass",
    "Map",
    "Part",
    "Problem",
    "Universe",
    "library_granularity",
    "library_map",
    "library_names",
]
