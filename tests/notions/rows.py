"""Profiles of the usual examples, written by hand."""

from __future__ import annotations

from functools import lru_cache

from dpcomp_sym import numbers
from dpcomp_sym.derivation.proof import prove
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity
from dpcomp_sym.profile import (
    ALL,
    INFINITY,
    Case,
    Group,
    KRange,
    MapInfo,
    PartInfo,
    Profile,
    Symbolic,
)

FOUR = (
    ("pure", ("eps",)),
    ("approximate", ("eps", "delta")),
    ("zcdp", ("rho",)),
    ("gaussian", ("mu",)),
)
FAMILY = MapInfo("p", (("i", "k"),), exchangeable=True)
PART = PartInfo("m", "p", FOUR)
WHOLE = MapInfo("w", (), exchangeable=True)


def four(suffix=""):
    return tuple((n, tuple(p + suffix for p in ps)) for n, ps in FOUR)


def group(count, r, part="m", name="p"):
    return Group(name, count, ((part, r),))


def profile(*vectors, maps=(FAMILY,), parts=(PART,), cases=None, exact=True, low=1):
    if cases is None:
        cases = (Case((KRange("k", low),), vectors, attained=True),)
    return Profile(maps, parts, cases, proved=True, exact=exact)


def with_single(name="0", r=1):
    """One part on the whole database besides the family."""
    return profile(
        (group(1, r, "q", "w"), group(1, 1)),
        maps=(WHOLE, FAMILY),
        parts=(PartInfo("q", "w", four(name)), PartInfo("m", "p", FOUR)),
    )


UNBOUNDED = profile((group(1, 1),))
PAIRS = profile((group(2, 1),))
TWICE = profile((group(2, 1),), (group(1, 2),))
HOSPITALS = profile((group(3, 1),))
EVERYTHING = profile((group(ALL, 1),))
COVER = profile((group(Symbolic("m", 2), 1),))
SPLIT = profile(
    cases=(
        Case((KRange("k", 1, 1),), ((group(1, 1),),), attained=True),
        Case((KRange("k", 2),), ((group(2, INFINITY),),), attained=True),
    )
)
VACUOUS = Profile((FAMILY,), (PartInfo("m", "p", FOUR),), (), True, True, vacuous=True)


def problem_of(p):
    """Return a problem with the maps and parts of a profile."""
    named = {g.count for c in p.cases for v in c.vectors for g in v}
    named |= {r for c in p.cases for v in c.vectors for g in v for _, r in g.distances}
    symbols = {x.symbol: f"{x.symbol} >= 1" for x in named if isinstance(x, Symbolic)}
    maps = [
        Map(
            m.name, index=dict(m.indices),
            symbols={s: f"{s} >= 1" for _, s in m.indices if isinstance(s, str)},
        )
        for m in p.maps
    ]  # fmt: skip
    parts = [Part(x.name, x.map, guarantees=dict(x.guarantees)) for x in p.parts]
    domain = Domain({"id": "Record"}, symbols=symbols)
    return Problem(domain, library_granularity("unbounded"), maps, parts)


@lru_cache
def proved(p):
    """Return the theorems about a profile that is taken as a fact."""
    return prove(problem_of(p), p, None, numbers.notions_of(p))


def bounds(p, values=None, sizes=None):
    """Return the bounds of a profile that is taken as a fact."""
    if p.vacuous:
        return numbers.bounds(p, {}, values, sizes)
    proof = proved(p)
    return numbers.bounds(p, proof.guarantees, values, sizes, proof.single)


def evaluated(p, notion, values, sizes=None):
    """Return the bound of a notion in numbers."""
    proof = prove(problem_of(p), p, None, [notion.name])
    (bound,) = numbers.bounds(p, proof.guarantees, values, sizes, proof.single)
    return bound
