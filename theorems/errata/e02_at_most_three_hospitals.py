"""GB24.IV.5, VI.8: records with several labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dpcomp_sym.model import library_map
from theorems._entry import Evidence, theorem
from theorems._facts import bounded_by, examined, posed
from theorems.errata._plain import gap, lost, refutes

FOUR: Final[Mapping[str, Any]] = {
    "labels": {"r": (1, 2, 3, 4)}, "D": (), "D'": ("r",), "sum": 4, "bound": 3,
}  # fmt: skip
EQUAL: Final[Mapping[str, Any]] = {"k": 4, "D": (), "D'": (), "left": 0, "right": 0}
MIDDLE: Final[Mapping[str, Any]] = {
    "labels": {"r": (1, 2, 3), "s": (4, 5, 6), "t": (7,), "u": (7,)},
    "D": ("r", "s"), "D'": ("t", "u"), "changed": (1, 2, 3, 4, 5, 6, 7), "sum": 14, "bound": 12,
}  # fmt: skip


def _image(data: Mapping[str, Any], D: tuple[str, ...], label: int) -> tuple[str, ...]:
    return tuple(r for r in D if label in data["labels"][r])


def _labels(data: Mapping[str, Any]) -> set[int]:
    return set().union(*data["labels"].values())


def fails_for_many_labels(data: Mapping[str, Any]) -> bool:
    """Return whether the sum exceeds three times the distance, with three or more labels each."""
    D, E = data["D"], data["D'"]
    total = sum(gap(_image(data, D, i), _image(data, E, i)) for i in _labels(data))
    return (
        all(len(set(labels)) >= 3 for labels in data["labels"].values())
        and total == data["sum"] and 3 * gap(D, E) == data["bound"] and total > data["bound"]
    )  # fmt: skip


def fails_to_be_strict(data: Mapping[str, Any]) -> bool:
    """Return whether 3 d < k d fails although k > 3."""
    far = gap(data["D"], data["D'"])
    left, right, k = 3 * far, data["k"] * far, data["k"]
    return k > 3 and (left, right) == (data["left"], data["right"]) and not left < right


def fails_beyond_neighbours(data: Mapping[str, Any]) -> bool:
    """Return whether the distances of the changed labels add up to more than six times d_B."""
    D, E, labels = data["D"], data["D'"], data["labels"]
    far = lost(D, E)  # all records are possible: the bounded distance of tables of equal size
    moved = tuple(i for i in sorted(_labels(data)) if gap(_image(data, D, i), _image(data, E, i)))
    return (
        len(D) == len(E) and all(len(set(one)) <= 3 for one in labels.values())
        and moved == data["changed"] and len(moved) * far == data["sum"]
        and 6 * far == data["bound"] and data["sum"] > data["bound"]
    )  # fmt: skip


@theorem(
    id="E2",
    statement="Counting k labels of records with at least three labels each loses at most 3 d_U: "
    "false, a record with four labels loses 4.  The strict inequality 3 d_U < k d_U fails at "
    "D = D'.",
    status="refuted",
    cite="GB24.IV.5, GB24s.III.2",
    latex=r"It is false that counting $k$ labels of records with at least three labels each "
    r"loses at most $3\,d_{\mathcal U}$: a record with four labels loses $4$. The strict "
    r"$3\,d_{\mathcal U}<k\,d_{\mathcal U}$ fails at $D=D'$.",
)
def not_three_times_unbounded_of_at_least_three_labels() -> Evidence:
    """The argument in the source uses at most three labels, so this is a slip of the pen."""
    return (
        refutes("Σ d_U(f_i D, f_i D') ≤ 3 d_U(D, D')", FOUR, fails_for_many_labels),
        refutes("3 d_U(D, D') < k d_U(D, D') for all D, D'", EQUAL, fails_to_be_strict),
    )


@theorem(
    id="E2",
    statement="Σ over the changed labels of d_B(D,D') ≤ 6 d_B(D,D') for all D, D', with at most "
    "three labels a record: false at distance 2 (14 > 12).  Between neighbours it is true.",
    status="refuted",
    cite="GB24.VI.8, the middle inequality",
    latex=r"It is false that with at most three labels a record the sum of $d_{\mathcal "
    r"B}(D,D')$ over the changed labels is at most $6\,d_{\mathcal B}(D,D')$ for all databases: "
    r"at distance $2$ it can be $14>12$. Between neighbours it is true.",
)
def not_six_changed_labels_beyond_neighbours() -> Evidence:
    """The number of changed labels grows with the distance, and is multiplied by it."""
    return refutes("Σ_{changed} d_B ≤ 6 d_B for all D, D'", MIDDLE, fails_beyond_neighbours)


@theorem(
    id="E2",
    statement="With at most three labels a record, unbounded neighbours differ in at most three "
    "images: ε_i-DP parts on their own domains are together private at the sum of the 3 largest "
    "ε_i between neighbours, so at 3 d_U for ε_i = 1.",
    status="decided",
    cite="GB24.IV.5, GB24s.III.2, corrected",
    latex=r"With at most three labels a record unbounded neighbours differ in at most three "
    r"images, so that $\varepsilon_i$-DP parts on their own domains lose at most the sum of the "
    r"three largest $\varepsilon_i$, and $3\,d_{\mathcal U}$ for $\varepsilon_i=1$.",
)
def three_times_unbounded_of_at_most_three_labels() -> Evidence:
    """At most three blocks of a cover change, each by one record; distances add along a path."""
    problem = posed("unbounded", library_map("cover", name="hospitals", m=3))
    bound = {"pure": "sum of the 3 largest eps[i]"}
    return examined(problem, "changed(hospitals) <= 3"), *bounded_by(problem, bound)


@theorem(
    id="E2",
    statement="With at most three labels a record, bounded neighbours differ in at most six "
    "images, so (ε_i, δ_i)-DP parts compose, in the common domain, to the sums of the 6 largest, "
    "which are (6ε, 6δ) for equal parts.",
    status="decided",
    cite="GB24.VI.8, corrected",
    latex=r"With at most three labels a record bounded neighbours differ in at most six images, "
    r"so that $(\varepsilon_i,\delta_i)$-DP parts on the common domain compose to the sums of "
    r"the six largest, which are $(6\varepsilon,6\delta)$ for equal parts.",
)
def six_times_bounded_of_at_most_three_labels() -> Evidence:
    """The conclusion of the example stands: a guarantee between neighbours is one everywhere."""
    problem = posed("bounded", library_map("cover", name="hospitals", m=3), "common")
    bound = {"approximate": "(sum of the 6 largest eps[i], sum of the 6 largest delta[i])"}
    return examined(problem, "changed(hospitals) <= 6"), *bounded_by(problem, bound)
