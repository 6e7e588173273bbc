"""Transformations of OpenDP as stability claims.  Needs the extra ``opendp``.

OpenDP is not imported here: a transformation that is handed over brings its metrics with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.stability.check import StabilityClaim
from dpcomp_sym.stability.databases import Lists
from dpcomp_sym.stability.metrics import METRICS, Metric
from dpcomp_sym.stability.statement import MapStatement

__all__ = ["from_opendp"]

_NAMES: Final = {
    "SymmetricDistance": "symmetric",
    "InsertDeleteDistance": "insert-delete",
    "ChangeOneDistance": "change-one",
    "HammingDistance": "hamming",
    "AbsoluteDistance": "absolute",
    "L1Distance": "l1",
    "DiscreteDistance": "discrete",
}


def from_opendp(
    transformation: Any, values: Iterable[Any], at_most: int | None = None, title: str = "",
    stated: MapStatement | None = None, bound: str | None = None,
) -> StabilityClaim:  # fmt: skip
    """Return what a transformation claims: its function, metrics and stability map.

    The map gets distances in the type that it takes.

    Args:
        transformation: from vectors, with metrics that are known here.
        values: the records to try.
        at_most: the largest size; where the domain has a size, that one is taken.
        title: what reports call it.
        stated: the map of a spec that it is, so that the claim can be proved.
        bound: a formula in d to claim, instead of the transformation's map, which is code.

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
        _map(transformation) if bound is None else bound,
        title or "the transformation",
        stated,
    )


def _map(transformation: Any) -> Callable[[Any], Any]:
    """Return the stability map, as a function of exact distances."""
    kind = str(getattr(transformation, "input_distance_type", "i32"))
    convert = float if kind.startswith("f") else _whole

    def bound(d: int | Fraction) -> Any:
        return transformation.map(convert(d))

    return bound


def _whole(d: int | Fraction) -> int:
    if d.denominator != 1:
        raise InputError(f"distances must be whole numbers, not {d}")
    return int(d)


def _metric(theirs: Any) -> Metric:
    name = str(theirs).partition("(")[0]
    if name not in _NAMES:
        raise InputError(f"unknown metric '{theirs}'; {nearest(name, _NAMES)}", word=name)
    return METRICS[_NAMES[name]]
