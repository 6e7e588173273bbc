"""Properties of all neighbours, decided: answers that can be written to files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial

from dpcomp_sym.engine import Condition
from dpcomp_sym.engine import properties as engine
from dpcomp_sym.model import Problem
from dpcomp_sym.report.answers import Saved, Writer, texts_of

__all__ = ["PropertyAnswer", "examine"]


@dataclass(frozen=True, repr=False, kw_only=True)
class PropertyAnswer(Condition, Saved):
    """What is known of a property; ``save("no.html")`` writes it to a file."""

    problem: Problem

    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""
        from dpcomp_sym.report.decided import stated_property
        from dpcomp_sym.report.properties import property_prose
        from dpcomp_sym.report.setting import Notation, label_of

        document = {
            "schema": "dpcomp/1", "title": self.problem.title, "claim": self.name,
            **self.as_json(self.problem.used_maps),
        }  # fmt: skip
        label = label_of(self.problem.title, self.name)
        notation = Notation(self.problem, label)
        wanted = engine.read_property(self.name, self.problem)
        said = "" if wanted is None else property_prose(wanted, notation)
        return texts_of(
            document, "A claim", partial(stated_property, said=said, label=label),
            lambda: list(notation.definitions()), said=said, label=label,
        )  # fmt: skip


def examine(problem: Problem, text: str) -> PropertyAnswer:
    """Decide whether a property holds for all neighbours.

    Args:
        problem: domain, granularity, maps and parts.
        text: ``changed(MAP) <= n``, ``distance(PART) <= n``, ``l1(MAP) <= n``, ``l2(MAP) <= n``
            (with a weight: ``l1(MAP, WEIGHT)``; ``sqrt(n)`` for a root), or a formula over the
            databases ``D`` and ``E`` and records ``x``, ``y``, ``z``.

    Raises:
        InputError: the text is not a property, or the problem contradicts itself.

    >>> import dpcomp_sym as dp
    >>> problem = dp.problem(dp.Domain(id="Record"), "bounded", blocks=dp.partition())
    >>> examine(problem, "changed(blocks) <= 1").verdict
    'refuted'
    """
    found = engine.examine(problem, text)
    kept = {f.name: getattr(found, f.name) for f in fields(found)}
    return PropertyAnswer(**kept, problem=problem)
