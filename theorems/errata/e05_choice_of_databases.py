"""HBW.V-A: indices of the examples, and what "bounded" protects."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from dpcomp_sym.derivation.membership import derive_membership
from dpcomp_sym.kernel import Theorem
from dpcomp_sym.membership import Membership
from dpcomp_sym.model import Part
from theorems._entry import Evidence, theorem
from theorems.errata._plain import private, refutes

FEATURES: Final[Mapping[str, Any]] = {
    "k1, k2, k3": (2, 3, 4),
    "eps": (5, 0, 0, 5),
    "printed": 5,
    "true": 10,
}
"""Common features 1 and 2, advertisements 3, premium features 4: a paying user shows in 1, 2, 4."""

COLLEAGUES: Final[Mapping[str, Any]] = {
    "q": (Fraction(2), Fraction(1)),
    "laws": {
        "Ada": {0: Fraction(2, 3), 1: Fraction(1, 6), 2: Fraction(1, 6)},
        "nobody": {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)},
        "Bob": {0: Fraction(1, 6), 1: Fraction(1, 6), 2: Fraction(2, 3)},
    },
    "printed": Fraction(2),
    "true": Fraction(4),
}
"""Two subsidiaries; the mechanism of the first is ln 2-DP for one record more or less, the second's
tells nothing.  Ada works in the first, and Bob takes her place."""

FEW: Final[Mapping[str, Any]] = {"k": 3, "m": 365, "printed": 0, "true": 3}
"""Three hospitals with ε = 1 each: there are no 365 of them to choose."""


def fails_on_features(data: Mapping[str, Any]) -> bool:
    """Return whether the printed ranges miss what a paying user adds to nobody at all."""
    k1, k2, k3 = data["k1, k2, k3"]
    eps = data["eps"]
    if not 1 <= k1 < k2 < k3 == len(eps) or min(eps) < 0:
        return False
    free = [i for i in range(1, k3 + 1) if i <= k2]
    paid = [i for i in range(1, k3 + 1) if i <= k1 or i > k2]
    true = max(sum(eps[i - 1] for i in one) for one in (free, paid))
    ranges = (range(k1, k3 + 1), range(1, k2 + 1))
    printed = max(sum(eps[i - 1] for i in one) for one in ranges)
    return bool(data["printed"] == printed < data["true"] == true)


def fails_on_colleagues(data: Mapping[str, Any]) -> bool:
    """Return whether a replaced record in one subsidiary gives away more than ε_1 + ε_2."""
    laws = data["laws"]
    q1, q2 = data["q"]
    steps = [("Ada", "nobody"), ("nobody", "Bob")]
    ratio = max(laws["Ada"][o] / laws["Bob"][o] for o in laws["Ada"])
    return bool(
        set(laws) == {"Ada", "nobody", "Bob"}
        and q2 == 1
        and private(laws, steps, q1)
        and data["printed"] == q1 * q2 < data["true"] == ratio
    )


def fails_on_few(data: Mapping[str, Any]) -> bool:
    """Return whether the maximum over m of k databases is empty, though k of them count."""
    k, m = data["k"], data["m"]
    choices = list(itertools.combinations(range(k), m))
    longest = max(map(len, choices), default=0)
    return bool(data["printed"] == longest < data["true"] == min(k, m))


@theorem(
    id="E5",
    statement="The printed choices of mechanisms are false to the letter: maxima over 365 or 730 "
    "of fewer databases are empty; the ranges of the free and paid features start one too early, "
    "and the unbounded case leaves out the paid version against nothing; and if 'bounded' is read "
    "as in section II, one record in the place of another, max over i ≠ j is too small for "
    "unbounded-DP parts: what section V means, and what is right, is one person in other "
    "databases.",
    status="refuted",
    cite="HBW.V-A, V-A.1, V-A.2, V-A.3; the second 'unbounded' of V-A1 is 'bounded'",
    latex=r"The printed choices of mechanisms are false to the letter: of fewer than $365$ or "
    r"$730$ databases there are no so many largest; the ranges of the free and paid features "
    r"start one too early, and one comparison is missing; and for replaced records, which is "
    r"what `bounded' means in section II and not here, $\max_{i\ne j}(\varepsilon_i+"
    r"\varepsilon_j)$ is too small.",
)
def not_private_of_printed_choices() -> Evidence:
    """Ranges may be the scanner's; the empty maxima are not, and "bounded" has two meanings."""
    return (
        refutes("Example 3, unbounded: the two printed ranges", FEATURES, fails_on_features),
        refutes("Example 2, a colleague instead: max over i ≠ j", COLLEAGUES, fails_on_colleagues),
        refutes("Example 1: the maximum over 365 of k databases", FEW, fails_on_few),
    )


@theorem(
    id="E5",
    statement="At most m of k databases: the sum of the m largest ε_i unbounded, of the "
    "min(2m, k) largest bounded; free and paid features: the three corrected ranges; which "
    "subsidiary, of at most one: the two largest.",
    status="derived",
    cite="HBW.V-A, V-A.1, V-A.2, V-A.3, corrected",
    latex=r"In at most $m$ of $k$ databases the sum of the $\min(m,k)$ largest $\varepsilon_i$ "
    r"is lost for unbounded neighbours, of the $\min(2m,k)$ largest for bounded ones; of free "
    r"and paid features the largest of the three corrected sums; and of at most one subsidiary "
    r"the two largest.",
)
def private_of_corrected_choices() -> tuple[Theorem, ...]:
    """The numbers of databases that differ are decided by the solver, for all k and m.

    Bounded neighbours hide *where* a person's record is.  A person replaced by another one, in the
    same database, is a record gone and a record come: twice the largest (``private_of_one_of_k``).
    """
    found = []
    one = {"pure": ("eps",)}
    for neighbours in ("unbounded", "bounded"):
        hospitals = Membership({"databases": "k"}, ["total <= m"], {"m": "m >= 1"}, neighbours)
        part = Part("scores", "databases", guarantees=one)
        found.append(derive_membership(hospitals, [part]).theorems["pure"])
        features = {"common": "n_common", "ads": "n_ads", "premium": "n_premium"}
        rule = (
            "total == 0 or (common == n_common and ((ads == n_ads and premium == 0) or "
            "(ads == 0 and premium == n_premium)))"
        )
        versions = Membership(features, [rule], {}, neighbours)
        parts = [Part(f"use_{g}", g, guarantees={"pure": (f"eps_{g}",)}) for g in features]
        found.append(derive_membership(versions, parts).theorems["pure"])
    return tuple(found)
