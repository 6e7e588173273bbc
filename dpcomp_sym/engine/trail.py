"""By which way something was shown: each choice, with what was chosen.

A search tries one way after the other; the trail notes which one led on.  Along a trail that is
given nothing is searched: of each choice only what was chosen is shown again.

>>> trail = Trail()
>>> trail.first("a divisor", (3, 5, 7), lambda n: 35 % n == 0)
True
>>> trail.choices
[{'choice': 'a divisor', 'is': '5', 'by': []}]
>>> Trail(trail.choices).first("a divisor", (3, 5, 7), lambda n: n > 5) is None
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

__all__ = ["Choice", "Trail"]

T = TypeVar("T")
R = TypeVar("R")
Choice = dict[str, Any]
"""What was to be chosen, what was (None: nothing led on), and the choices on which that rests."""
NOTHING: Final = object()


class Trail:
    """Choices, as they are made; or as they were made, where some are given.

    Args:
        given: the choices of an earlier search; None to search.
    """

    def __init__(self, given: Iterable[Choice] | None = None) -> None:
        self.searches = given is None
        self.choices: list[Choice] = []
        self._given = list(given or ())

    def first(
        self, choice: str, options: Iterable[T], show: Callable[[T], R],
        name: Callable[[T], Any] = str,
    ) -> R | None:  # fmt: skip
        """Return what the first option shows that shows something; None if none does."""
        if not self.searches:
            return self._again(choice, options, show, name) or None
        for option in options:
            with self._inside() as inner:
                shown = show(option)
            if shown:
                self._note(choice, name(option), inner)
                return shown
        self._note(choice, None, [])
        return None

    def least(
        self, choice: str, options: Iterable[T], find: Callable[[T], R],
        rank: Callable[[Any], Any], name: Callable[[T], Any] = str,
    ) -> R | None:  # fmt: skip
        """Return the least of what the options show; None if none shows anything."""
        if not self.searches:
            return self._again(choice, options, find, name)
        best: tuple[Any, R, T, list[Choice]] | None = None
        for option in options:
            with self._inside() as inner:
                found = find(option)
            if found is not None and (best is None or rank(found) < best[0]):
                best = rank(found), found, option, inner
        if best is None:
            self._note(choice, None, [])
            return None
        self._note(choice, name(best[2]), best[3])
        return best[1]

    def found(self, choice: str, find: Callable[[], Any], show: Callable[[Any], bool]) -> bool:
        """Show something by what was found, or by what is given; None: nothing was found."""
        if self.searches:
            self._note(choice, data := find(), [])
            return data is not None
        given = self._next(choice)
        return given is not None and given["by"] == [] and show(given["is"])

    # ------------------------------------------------------------- what is asked once

    def kept(self, find: Callable[[], T]) -> tuple[T, list[Choice]]:
        """Return an answer, with the choices on which it rests."""
        before = len(self.choices)
        found = find()
        return found, self.choices[before:]

    def served(self, answer: tuple[T, list[Choice]]) -> T:
        """Return an answer that is known: its choices are made again."""
        found, choices = answer
        self.choices += choices
        if not self.searches:
            del self._given[: len(choices)]
        return found

    # ------------------------------------------------------------- inside

    def _note(self, choice: str, name: Any, inner: list[Choice]) -> None:
        self.choices.append({"choice": choice, "is": name, "by": inner})

    @contextmanager
    def _inside(self) -> Iterator[list[Choice]]:
        outer, self.choices = self.choices, []
        inner = self.choices
        try:
            yield inner
        finally:
            self.choices = outer

    def _next(self, choice: str) -> Choice | None:
        """Take the next choice that is given; None if it is another one, or nothing led on.

        What should be there and is not is noted as such, and so is no trail that was given.
        """
        given = self._given[0] if self._given else None
        if not _is_about(choice, given):
            self._note(choice, NOTHING, [])
            return None
        self.choices.append(self._given.pop(0))
        return given if given is not None and given["is"] is not None else None

    def _again(
        self, choice: str, options: Iterable[T], show: Callable[[T], R], name: Callable[[T], Any]
    ) -> R | None:
        given = self._next(choice)
        if given is None:
            return None
        outer, self._given = self._given, list(given["by"])
        there, shown = False, None
        with self._inside() as inner:
            for option in options:
                if name(option) == given["is"]:
                    there, shown = True, show(option)
                    break
        self._given = outer
        if not there or inner != given["by"]:
            self.choices.pop()  # so what was given is not what was gone
            return None
        return shown


def _is_about(choice: str, given: Any) -> bool:
    """Return whether what is given is a choice of this kind, well formed."""
    return (
        type(given) is dict
        and set(given) == {"choice", "is", "by"}
        and given["choice"] == choice
        and type(given["by"]) is list
        and (given["is"] is not None or not given["by"])
    )
