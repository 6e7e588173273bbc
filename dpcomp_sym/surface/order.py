"""How granularities compare over a domain, as in ``dpcomp relate``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpcomp_sym.errors import InputError
from dpcomp_sym.metrics.relate import GranularityComparison, fitting
from dpcomp_sym.model import Domain, Granularity
from dpcomp_sym.report.answers import Saved, texts_of
from dpcomp_sym.surface.shorthand import granularity

__all__ = ["GranularityOrder", "order"]


@dataclass(frozen=True, repr=False)
class GranularityOrder(GranularityComparison, Saved):
    """How granularities compare; ``save("order.html")`` writes it to a file."""

    def texts(self) -> Mapping[str, Callable[[], str]]:
        """Return what can be written, by the end of a file's name."""
        from dpcomp_sym.report.results import relations

        return texts_of(self.as_json(), "Granularities", relations)


def order(*granularities: Granularity | str, over: Domain) -> GranularityOrder:
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
    return GranularityOrder(title, over, named or fitting(over, {}))
