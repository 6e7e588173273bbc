"""What is lost at two databases, in plain characters."""

from __future__ import annotations

from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.notions.core import Additive
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.plain import plain_text
from dpcomp_sym.statements.render import Level, letters

__all__ = ["lost"]


def lost(notion: str, loss: t.Loss) -> str:
    """Return what is lost at two databases D and D', as a formula.

    Raises:
        TypeError: the losses of the notion do not add up, or are not those at given distances.

    >>> space = t.DatabaseClass("D", "", ())
    >>> one, two = (t.At((t.Param(g),), t.NamedPseudometric("d", "", space)) for g in "ab")
    >>> lost("pure", t.Joint((one, two))), lost("gaussian", t.Joint((one, two)))
    ("a*d(D, D') + b*d(D, D')", "sqrt((a*d(D, D'))^2 + (b*d(D, D'))^2)")
    >>> lost("zcdp", one), lost("gaussian", two)
    ("a*d(D, D')^2", "b*d(D, D')")
    """
    growth = NOTIONS[notion].additive
    if growth is None:
        raise TypeError(f"losses in the notion {notion} do not add up")
    if growth.root and not isinstance(loss, t.At):
        return f"sqrt({_summed(loss, growth)})"
    return _summed(loss, growth) if not growth.root else _at(loss, growth)


def _summed(loss: t.Loss, growth: Additive) -> str:
    """Return a sum of losses, of their squares if these add up."""
    match loss:
        case t.Joint(items):
            return " + ".join(_summed(item, growth) for item in items)
        case t.EachJoint(sizes, item):
            each = zip(letters(sizes), sizes, strict=True)
            ranges = ", ".join(f"{letter} <= {size}" for letter, size in each)
            return f"sum({_summed(item, growth)} for {ranges})"
        case _:
            one = _at(loss, growth)
            return f"({one})^2" if growth.root else one


def _at(loss: t.Loss, growth: Additive) -> str:
    """Return what a single mechanism loses."""
    if not isinstance(loss, t.At):
        raise TypeError(f"no loss at a given distance: {loss!r}")
    (value,) = loss.guarantee
    scaled, power = _distance(loss.metric), growth.power
    if growth.root:
        scaled, power = (scaled, power // 2) if power % 2 == 0 else (f"sqrt({scaled})", power)
    far = scaled if power == 1 else f"{scaled}^{power}"
    factor = plain_text(value, Level.PRODUCT)
    return far if factor == "1" else f"{factor}*{far}"


def _distance(metric: t.Pseudometric) -> str:
    match metric:
        case t.NamedPseudometric(name):
            return f"{name}(D, D')"
        case t.Pullback(t.NamedPseudometric(name), arrow):
            return f"{name}({arrow.text()}(D), {arrow.text()}(D'))"
        case _:
            raise TypeError(f"no given distance: {metric!r}")
