"""How granularities compare over a domain, as in ``dpcomp relate``."""

from __future__ import annotations

from dpcomp_sym.errors import InputError
from dpcomp_sym.metrics.relate import GranularityComparison, fitting
from dpcomp_sym.model import Domain, Granularity
from dpcomp_sym.surface.shorthand import granularity

__all__ = ["order"]


def order(*granularities: Granularity | str, over: Domain) -> GranularityComparison:
    """Compare granularities over a domain: metrics, distances, and the order of these.

    Args:
        granularities: one's own, or built-ins such as ``"user(person)"``; if there are none, all
            built-ins that fit.
        over: the domain.

    Returns:
        the comparison: its ``graph()`` is one of networkx, and a notebook draws it.

    Raises:
        InputError: there is no such granularity, or two are called alike.

    >>> import dpcomp_sym as dp
    >>> found = dp.order("unbounded", "bounded", over=dp.Domain(id="Record"))
    >>> list(found.graph().edges(data="distance"))
    [('unbounded', 'bounded', 2)]
    """
    named: dict[str, Granularity] = {}
    for given in granularities:
        one = granularity(given)
        name = given if isinstance(given, str) else one.name
        if name in named:
            raise InputError(f"two granularities are called '{name}'", word=name)
        one.bind(over)  # what does not fit the domain is refused here
        named[name] = one
    title = over.name or "Granularities"
    return GranularityComparison(title, over, named or fitting(over, {}))
