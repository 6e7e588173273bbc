"""A symbolic, proof-checking toolkit for the composition of differentially private mechanisms.

>>> import dpcomp_sym as dp
>>> problem = dp.Problem(
...     dp.Domain({"id": "Record"}),
...     dp.library_granularity("bounded"),
...     [dp.library_map("partition", name="blocks")],
...     [dp.Part("counts", "blocks", setting="common")],
... )
>>> d = dp.derive(problem)
>>> d.bound("pure")
<Bound pure: sum of the 2 largest eps[i], tight>
>>> d.subs(eps=[1, 0.5, "1/3"]).bound("pure").value
Fraction(3, 2)
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcomp_sym.claims import Decision, refute
    from dpcomp_sym.derivation.derive import Derivation
    from dpcomp_sym.errors import InputError
    from dpcomp_sym.limits import limited
    from dpcomp_sym.model import (
        Domain,
        Edit,
        Granularity,
        InnerClass,
        Map,
        Part,
        Problem,
        Universe,
        library_granularity,
        library_map,
        library_names,
    )
    from dpcomp_sym.replay import RejectedError
    from dpcomp_sym.spec import Spec, write_starter
    from dpcomp_sym.stability import StabilityClaim, check_stability
    from dpcomp_sym.surface.answer import Answer, derive, load, load_any, load_spec
    from dpcomp_sym.surface.compared import SideBySide, compare
    from dpcomp_sym.surface.neighbours import neighbour_graph
    from dpcomp_sym.surface.order import order
    from dpcomp_sym.surface.properties import examine
    from dpcomp_sym.surface.schemas import result_schema, spec_schema
    from dpcomp_sym.surface.shorthand import (
        Release,
        blocks,
        cover,
        filter,  # noqa: A004 - the name of a map
        partition,
        problem,
        release,
    )
    from dpcomp_sym.surface.sweep import Sweep
    from dpcomp_sym.surface.tables import derive_atlas
    from dpcomp_sym.surface.verifying import verify
    from dpcomp_sym.terms.expression import (
        Expression,
        agree,
        differ_in_one,
        differ_only,
        implies,
        largest,
        smallest,
        when,
    )
    from theorems._answers import find_theorems, verify_theorems

__version__ = "0.2.0"

# Where each name lives; loaded when first used, so that importing the package stays cheap.
_HOMES = {
    ".claims": ("Decision", "refute"),
    ".derivation.derive": ("Derivation",),
    ".errors": ("InputError",),
    ".limits": ("limited",),
    ".model": (
        "Domain", "Edit", "Granularity", "InnerClass", "Map", "Part", "Problem", "Universe",
        "library_granularity", "library_map", "library_names",
    ),
    ".replay": ("RejectedError",),
    ".spec": ("Spec", "write_starter"),
    ".stability": ("StabilityClaim", "check_stability"),
    ".surface.answer": ("Answer", "derive", "load", "load_any", "load_spec"),
    ".surface.compared": ("SideBySide", "compare"),
    ".surface.neighbours": ("neighbour_graph",),
    ".surface.order": ("order",),
    ".surface.properties": ("examine",),
    ".surface.schemas": ("result_schema", "spec_schema"),
    ".surface.shorthand": (
        "Release", "blocks", "cover", "filter", "partition", "problem", "release",
    ),
    ".surface.sweep": ("Sweep",),
    ".surface.tables": ("derive_atlas",),
    ".surface.verifying": ("verify",),
    ".terms.expression": (
        "Expression", "agree", "differ_in_one", "differ_only", "implies", "largest", "smallest",
        "when",
    ),
    "theorems._answers": ("find_theorems", "verify_theorems"),
}  # fmt: skip
_PACKAGES = ("atlas", "stability")
_NAMES = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "Decision",
    "Derivation",
    "Domain",
    "Edit",
    "Expression",
    "Granularity",
    "InnerClass",
    "InputError",
    "Map",
    "Part",
    "Problem",
    "RejectedError",
    "Release",
    "SideBySide",
    "Spec",
    "StabilityClaim",
    "Sweep",
    "Universe",
    "agree",
    "blocks",
    "check_stability",
    "compare",
    "cover",
    "derive",
    "derive_atlas",
    "differ_in_one",
    "differ_only",
    "examine",
    "filter",
    "find_theorems",
    "implies",
    "largest",
    "library_granularity",
    "library_map",
    "library_names",
    "limited",
    "load",
    "load_any",
    "load_spec",
    "neighbour_graph",
    "order",
    "partition",
    "problem",
    "refute",
    "release",
    "result_schema",
    "smallest",
    "spec_schema",
    "verify",
    "verify_theorems",
    "when",
    "write_starter",
]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _NAMES:
        msg = f"module 'dpcomp_sym' has no attribute '{name}'"
        raise AttributeError(msg)
    value = getattr(importlib.import_module(_NAMES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, *_PACKAGES]  # what is completed in a notebook


def load_ipython_extension(shell: Any) -> None:
    """Show results as HTML, Markdown and LaTeX in this IPython.

    It is done by itself where the package is imported in one.

    Args:
        shell: what ``get_ipython()`` returns.
    """
    from dpcomp_sym.notebook import register

    register(shell)


_shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
if _shell is not None:
    load_ipython_extension(_shell)
