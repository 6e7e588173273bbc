"""How much work of the solver is worth its while, after much of it was in vain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["Effort"]

HALVINGS: Final = 4
"""Work becomes half as much as often as this, at most."""


@dataclass
class Effort:
    """How often all work was in vain on a problem, or the same with other numbers.

    What is tried next may be less work: each time half as much.
    """

    searches: int = 0
    """For neighbours that attain a bound."""
    distances: int = 0
    """To bound how far a part sees what changes."""

    def for_search(self, most: int) -> int:
        """Return how much work a search may be.

        >>> Effort(searches=1).for_search(100), Effort(searches=9).for_search(100)
        (50, 6)
        """
        return most >> min(self.searches, HALVINGS)

    def for_distance(self, most: int) -> int:
        """Return how much work it may be to bound a distance."""
        return most >> min(self.distances, HALVINGS)
