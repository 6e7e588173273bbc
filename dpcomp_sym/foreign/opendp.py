"""Transformations of OpenDP as stability claims.  Needs the extra ``opendp``.

OpenDP is not imported here: a transformation that is handed over brings its metrics with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.foreign.databases import Lists
from dpcomp_sym.foreign.metrics import (
    ABSOLUTE,
    CHANGE_ONE,
    DISCRETE,
    HAMMING,
    INSERT_DELETE,
    L1,
    SYMMETRIC,
    Metric,
)
from dpcomp_sym.foreign.stability import StabilityClaim

__all__ = ["from_opendp"]

_METRICS: Final = {
    "SymmetricDistance": SYMMETRIC,
    "InsertDeleteDistance": INSERT_DELETE,
    "ChangeOneDistance": CHANGE_ONE,
    "HammingDistance": HAMMING,
    "AbsoluteDistance": ABSOLUTE,
    "L1Distance": L1,
    "DiscreteDistance": DISCRETE,
}


def from_opendp(
    transformation: Any, values: Iterable[Any], at_most: int | None = None, title: str = ""
) -> StabilityClaim:
    """Return what a transformation claims: its function, metrics and stability map.

    Args:
        transformation: from vectors, with metrics that are known here.
        values: the records to try.
        at_most: the largest size; where the domain has a size, that one is taken.
        title: what reports call it.

    Raises:
        InputError: a metric is unknown here, or neither a size nor ``at_most`` is given.
    """
    size = getattr(transformation.input_domain, "size", None)
    scope = Lists(tuple(values), size=size) if size is not None else Lists(tuple(values), at_most)
    return StabilityClaim(
        transformation,
        scope,
        _metric(transformation.input_metric),
        _metric(transformation.output_metric),
        transformation.map,
        title or "the transformation",
    )


def _metric(theirs: Any) -> Metric:
    name = str(theirs).partition("(")[0]
    if name not in _METRICS:
        raise InputError(f"unknown metric '{theirs}'; {nearest(name, _METRICS)}", word=name)
    return _METRICS[name]
