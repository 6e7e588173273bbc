"""Stability claims of a released library, two of them false.  dpcomp stability FILE checks them.

The false ones are those of OpenDP 0.16 (its issues 2926 and 2950), written in plain Python; with
OpenDP installed, `from_opendp` takes the transformations themselves.  The others are controls.
"""

from dpcomp_sym.stability import (
    ABSOLUTE,
    CHANGE_ONE,
    HAMMING,
    INSERT_DELETE,
    L1,
    SYMMETRIC,
    Lists,
    StabilityClaim,
    Tables,
)

Rows = list[object]


def identity(rows: Rows) -> Rows:
    """Return the rows."""
    return rows


def pairs(rows: Rows) -> Rows:
    """Return the rows, but for the last one if their number is odd."""
    return rows[: len(rows) // 2 * 2]


def histogram(rows: Rows) -> list[int]:
    """Count the rows of each value."""
    return [rows.count(value) for value in "abc"]


CLAIMS = [
    # Order counts in both metrics: a row that moves to the front shifts all the others.
    StabilityClaim(identity, Lists("abc", size=3), INSERT_DELETE, HAMMING, "d/2", "fixed size"),
    StabilityClaim(
        pairs, Tables({"x": [0, 1], "y": [0, 1]}, at_most=3), SYMMETRIC, SYMMETRIC, "d", "pairs"
    ),
    StabilityClaim(len, Lists("ab", at_most=5), SYMMETRIC, ABSOLUTE, "d", "count"),
    StabilityClaim(identity, Lists("abc", size=3), CHANGE_ONE, SYMMETRIC, "2*d", "unbounded"),
    StabilityClaim(histogram, Lists("abc", at_most=4), SYMMETRIC, L1, "d", "histogram"),
    StabilityClaim(histogram, Lists("abc", size=4), CHANGE_ONE, L1, "2*d", "histogram, replaced"),
]
