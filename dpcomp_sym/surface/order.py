"""How granularities compare over a domain, as in ``dpcomp relate``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.kept import Kept, usual_place
from dpcomp_sym.limits import in_full, limited
from dpcomp_sym.metrics.distance_relation import ProductFormula
from dpcomp_sym.metrics.relate import GranularityComparison, compared, fitting
from dpcomp_sym.model import Domain, Granularity, Part, Problem, library_map
from dpcomp_sym.model.library import granularity_beside
from dpcomp_sym.profile import Symbolic, Total
from dpcomp_sym.report.answers import Saved, Writer
from dpcomp_sym.surface.shorthand import granularity

if TYPE_CHECKING:
    from dpcomp_sym.spec import Spec

__all__ = ["DIAGRAMS", "GranularityOrder", "compared_in", "order"]

DIAGRAMS: Final = ("mermaid", "dot")
"""The languages of drawing programs that an order is written in."""


@dataclass(frozen=True, repr=False)
class GranularityOrder(GranularityComparison, Saved):
    """How granularities compare; ``save("order.html")`` writes it to a file.

    >>> import dpcomp_sym as dp
    >>> found = dp.order("unbounded", "bounded", over=dp.Domain(id="Record"))
    >>> found.metric("unbounded"), found.distance("unbounded", "bounded")
    (SumOverRecords(Abs(D(c) - E(c)), c), 2)
    """

    def __str__(self) -> str:
        """Return what the command line prints."""
        from dpcomp_sym.report.relate import to_text

        return to_text(self.as_json()).rstrip()

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data, from what an earlier call has kept where it can be."""
        question = ["order", self.title]
        for name, one in self.granularities.items():
            beside = Problem(self.domain, one, [library_map("identity")], [Part("p", "identity")])
            question += [name, beside.to_toml()]
        question += [f"{claim.granularity} {claim.bound} {claim.form}" for claim in self.claims]
        question += [f"{key} {text}" for key, texts in self.points.items() for text in texts]
        with limited():  # what is given up in here counts
            kept = Kept(usual_place())
            found: dict[str, Any] = kept.answer(question, super().as_json, in_full)
        return found

    def metric(self, name: str) -> Any:
        """Return the metric of a granularity in SymPy: the distance of two databases D and E.

        Raises:
            InputError: no granularity is called so, or its metric is not known in closed form.
        """
        form = self.relations.metrics[self._named(name)].form
        if form is None:
            raise InputError(f"the metric of '{name}' is not known in closed form", word=name)
        return form.sympy()

    def distance(self, of: str, to: str) -> Any:
        """Return in SymPy how far apart, in ``of``, neighbours in ``to`` can be.

        Raises:
            InputError: no granularity is called so, or the distance is not known.
        """
        import sympy as sp

        from dpcomp_sym.statements.symbolic import size
        from dpcomp_sym.terms.symbolic import term_to_sympy

        found = self.relations.distance(self._named(of), self._named(to)).distance
        match found:
            case None:
                raise InputError(f"how far apart '{to}' neighbours are in '{of}' is not known")
            case ProductFormula(term):
                return term_to_sympy(term)
            case Symbolic():
                return sp.Mul(found.factor, *map(size, found.symbols))
            case Total(items, number):
                products = (sp.Mul(one.factor, *map(size, one.symbols)) for one in items)
                return sp.Add(*products, number)
            case int():
                return sp.Integer(found)
            case _:
                return sp.oo

    def diagram(self, form: str = "mermaid") -> str:
        """Return the order in the language of a drawing program: "mermaid" or "dot".

        >>> import dpcomp_sym as dp
        >>> found = dp.order("unbounded", "bounded", over=dp.Domain(id="Record"))
        >>> print(found.diagram("dot").splitlines()[0])
        digraph granularities {

        Raises:
            InputError: there is no such language.
        """
        from dpcomp_sym import printable
        from dpcomp_sym.report.relate import diagram

        if form not in DIAGRAMS:
            raise InputError(f"no diagram is written as '{form}'; {nearest(form, DIAGRAMS)}",
                             word=form)  # fmt: skip
        return diagram(printable.in_lines(self.as_json()), form)

    def _named(self, name: str) -> str:
        if name not in self.granularities:
            known = nearest(name, self.granularities)
            raise InputError(f"no granularity here is called '{name}'; {known}", word=name)
        return name

    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""
        from dpcomp_sym.report.compared import comparison_texts

        return comparison_texts(self)


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
        one = granularity_beside(granularity(given), over)
        name = given if isinstance(given, str) else one.name
        if name in named:
            raise InputError(f"two granularities are called '{name}'", word=name)
        one.bind(over)  # what does not fit the domain is refused here
        named[name] = one
    title = over.name or "Granularities"
    return GranularityOrder(title, over, named or fitting(over, {}))


def compared_in(spec: Spec, named: Sequence[str] = ()) -> GranularityOrder:
    """Compare the granularities of a spec, and the built-ins that fit, as the command does.

    Raises:
        InputError: a claim about a metric cannot be read, or no granularity has such a name.
    """
    try:
        found = compared(
            spec.title, spec.problem.domain, spec.granularities, spec.metrics, spec.points, named
        )
    except InputError as error:
        raise spec.placed(error) from None
    return GranularityOrder(**{f.name: getattr(found, f.name) for f in fields(found)})
