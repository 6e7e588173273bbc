"""Profiles of the usual examples, written by hand."""

from __future__ import annotations

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
