"""Answers about neighbours and blocks that problems share which differ in their parts alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dpcomp_sym.model import Problem

__all__ = ["AnswerCache"]


@dataclass
class AnswerCache:
    """Answers about neighbours and blocks, whatever the parts do with what they read.

    One may serve several problems that differ in their parts alone, one after the other.
    """

    about: tuple[Any, ...] | None = None
    answers: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    _of_others: dict[tuple[Any, ...], AnswerCache] = field(default_factory=dict, repr=False)

    def serve(self, problem: Problem) -> None:
        """Accept a problem.

        Raises:
            ValueError: its class, neighbours or maps differ.
        """
        mine = (problem.domain, problem.outer, problem.used_maps, problem.bound_maps)
        if self.about is None:
            self.about = mine
        if self.about != mine:
            raise ValueError("the answers are about another class, other neighbours or maps")

    def of_other_numbers(self, *numbers: Any) -> AnswerCache:
        """Return the answers about the same problem where its symbols have other numbers."""
        return self._of_others.setdefault(numbers, AnswerCache())
