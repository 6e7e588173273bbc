"""The closed forms of the library, over the attributes and functions of a class."""

from __future__ import annotations

import itertools
import tomllib
from functools import lru_cache
from importlib import resources

from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.model import Domain
from dpcomp_sym.terms import BOOL, CELL

__all__ = ["closed_forms"]


@lru_cache(maxsize=1)
def _library() -> tuple[ClosedForm, ...]:
    text = resources.files("dpcomp_sym.metrics").joinpath("library.toml").read_text("utf-8")
    return tuple(
        ClosedForm(entry["value"], entry.get("finite", "true"))
        for entry in tomllib.loads(text)["form"]
    )


def closed_forms(domain: Domain) -> list[ClosedForm]:
    """Return the closed forms of the library over a domain, with every choice of keys.

    >>> [str(f) for f in closed_forms(Domain({"id": "Record"}))][1:3]
    ['sum(abs(D[c] - E[c]))', 'sum(max(D[c] - E[c], 0)) if same() else inf']
    """
    found: list[ClosedForm] = []
    for form in _library():
        text = form.value + form.finite
        keys = _keys(domain) if "{key}" in text else [""]
        pairs = _pairs(domain) if "{pair}" in text else [""]
        for key, pair in itertools.product(keys, pairs):
            value, finite = (
                t.replace("{key}, ", f"{key}, " if key else "").replace("{key}", key)
                .replace("{pair}", pair)
                for t in (form.value, form.finite)
            )  # fmt: skip
            found.append(ClosedForm(value, finite))
    return found


def _pairs(domain: Domain) -> list[str]:
    """Return the equations between two attributes of a cell, such as the ends of a loop."""
    pairs = itertools.combinations(domain.attribute_sorts.items(), 2)
    return [f"{a}(c) == {b}(c)" for (a, s), (b, t) in pairs if s == t]


def _keys(domain: Domain) -> list[str]:
    attributes = [f"{a}(c)" for a in domain.attribute_sorts]
    keys = ["", *attributes]
    for name, (sorts, result) in domain.signatures.items():
        if result == BOOL or len(sorts) != 1:
            continue
        if sorts == (CELL,):
            keys.append(f"{name}(c)")
        keys += [f"{name}({a}(c))" for a, s in domain.attribute_sorts.items() if (s,) == sorts]
    if len(attributes) > 2:
        keys += [", ".join(a for a in attributes if a != left) for left in attributes]
    return keys
