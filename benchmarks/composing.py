"""Bounds in numbers for many different parts, against libraries that compose one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from measure import Row, installed, limited

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
from dpcomp_sym.numbers import bounds
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.profile import Profile

COUNTS = (100, 1000, 10_000, 100_000, 1_000_000)


def profile(m: int | None) -> Profile:
    """Return what neighbours do: everything changes, or at most m of k overlapping blocks."""
    blocks = (
        library_map("copies", name="blocks")
        if m is None
        else library_map("cover", name="blocks", m=m)
    )
    return derive(
        Problem(
            Domain({"id": "Record"}),
            library_granularity("unbounded"),
            [blocks],
            [Part("counts", "blocks")],
        )
    ).profile


def ours(found: Profile, notion: str, column: Column) -> str:
    """Compute the bound in a notion, exactly or correctly rounded."""
    [one] = [b for b in bounds(found, {notion: column}) if b.value is not None]
    value = one.value
    return f"{float(value):.6g}" if isinstance(value, int | float | Fraction) else str(one.exact)


def accountant(k: int) -> str:
    """Compose k different Gaussian mechanisms with dp-accounting."""
    import dp_accounting
    from dp_accounting import rdp

    tool = rdp.RdpAccountant(orders=[2.0])
    for i in range(1, k + 1):
        tool.compose(dp_accounting.GaussianDpEvent(10 * k / i))
    return f"{tool.get_epsilon(1e-6):.6g}"


def opendp(k: int) -> str:
    """Compose k different Laplace mechanisms with OpenDP."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    parts = [dp.m.make_laplace(*space, scale=10 * k / i) for i in range(1, k + 1)]
    return f"{dp.c.make_composition(parts).map(1.0):.6g}"


def rows() -> Iterator[Row]:
    """Yield the measurements."""
    whole, three = profile(None), profile(3)
    tools: dict[tuple[str, str], tuple[Callable[[Any], str], tuple[str, ...]]] = {
        ("sum of all ε", "dpcomp-sym"): (partial(ours, whole, "eps"), ()),
        ("sum of all ε", "OpenDP"): (opendp, ("opendp.prelude",)),
        ("all μ", "dpcomp-sym"): (partial(ours, whole, "mu"), ()),
        ("all μ", "dp-accounting"): (accountant, ("dp_accounting", "dp_accounting.rdp")),
        ("3 largest ε", "dpcomp-sym"): (partial(ours, three, "eps"), ()),
        ("3 largest ρ", "dpcomp-sym"): (partial(ours, three, "rho"), ()),
    }
    for (topic, who), (tool, needs) in tools.items():
        if not installed(needs):
            yield Row(f"numbers: {topic}", who, "", None, "not installed")
            continue
        for k in COUNTS:
            given = Column(list(range(1, k + 1)), [10 * k] * k) if who == "dpcomp-sym" else k
            found = limited(tool, given, needs=needs)
            if found is None:
                yield Row(f"numbers: {topic}", who, f"k = {k}", None, "gave up")
                break
            yield Row(f"numbers: {topic}", who, f"k = {k}", found[0], found[1])
