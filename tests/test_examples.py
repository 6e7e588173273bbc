"""The examples come out as their comments argue: conditions, bounds, numbers, tightness."""

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from dpcomp_sym.derivation.derive import Derivation, derive
from dpcomp_sym.engine import Refuted
from dpcomp_sym.metrics.relate import GranularityComparison, compared
from dpcomp_sym.spec import load_spec

EXAMPLES = Path(__file__).parent.parent / "examples"
PAIRS = "sum of the 2 largest {0}[i]"

LARGEST = ("max(eps[i])", "max(rho[i])", "max(mu[i])")
TWO = (
    PAIRS.format("eps"), PAIRS.format("rho"),
    "sqrt(sum of the 2 largest mu[i]^2)",
)  # fmt: skip


def windows(when: str, over: str = "t") -> tuple[str, str, str]:
    """The bounds that add up the guarantees of blocks that change together."""
    one = f"max over {over} of sum({{0}}[i]{{1}} for {when})"
    return one.format("eps", ""), one.format("rho", ""), f"sqrt({one.format('mu', '^2')})"


SUM = ("sum(eps[i])", "sum(rho[i])", "sqrt(sum(mu[i]^2))")


def largest(count: str) -> tuple[str, str, str]:
    """The bounds that add up the largest guarantees."""
    most = f"sum of the {count} largest {{0}}[i]"
    return most.format("eps"), most.format("rho"), f"sqrt({most.format('mu')}^2)"


# For each example: C1, C2, and the bounds of pure, zero-concentrated and Gaussian privacy.
ROWS = {
    "unbounded-partition": ("proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])"),
    "unbounded-partition-nonexhaustive": (
        "proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])",
    ),
    "bounded-partition": (
        "refuted", "refuted", "max(eps[i]) for k = 1; inf for k >= 2",
        "max(rho[i]) for k = 1; inf for k >= 2", "max(mu[i]) for k = 1; inf for k >= 2",
    ),
    "bounded-partition-common": (
        "refuted", None, PAIRS.format("eps"), PAIRS.format("rho"),
        "sqrt(sum of the 2 largest mu[i]^2)",
    ),
    "bounded-partition-unbounded-parts": (
        "refuted", "refuted", "2*max(eps[i])", "4*max(rho[i])", "2*max(mu[i])",
    ),
    "ordered-index-partition": ("proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])"),
    "ambulances": (
        "refuted", "proved", "sum of the 3 largest eps[i]", "sum of the 3 largest rho[i]",
        "sqrt(sum of the 3 largest mu[i]^2)",
    ),
    "label-dp": ("proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])"),
    "user-level-owner-partition": (
        "proved", "proved", "max(eps[i])", "max(rho[i])", "max(mu[i])",
    ),
    "user-level-record-partition": (
        "refuted", "proved", "sum(eps[i])", "sum(rho[i])", "sqrt(sum(mu[i]^2))",
    ),
    "user-level-limited": (
        "refuted", "proved", "sum of the 2*r largest eps[i]",
        "sum of the 2*r largest rho[i]", "sqrt(sum of the 2*r largest mu[i]^2)",
    ),
    "users-of-records": (
        "refuted", "refuted",
        "2*r*(eps + max(eps_count[i]))",
        "4*r^2*(rho + max(rho_count[i]))",
        "2*r*sqrt(mu^2 + max(mu_count[i]^2))",
    ),
    "hundred-queries": (None, "proved", *SUM),
    "free-lunch-identity": (None, "proved", "sum(eps[i])", "sum(rho[i])", "sqrt(sum(mu[i]^2))"),
    "query-and-partition": (
        "proved", "proved", "eps0 + max(eps[i])", "rho0 + max(rho[i])",
        "sqrt(mu0^2 + max(mu[i]^2))",
    ),
    "partition-and-free-lunch": (
        "proved", "proved", "eps_fl + max(eps[i])", "rho_fl + max(rho[i])",
        "sqrt(mu_fl^2 + max(mu[i]^2))",
    ),
    "nested": (
        "proved", "proved", "eps_all + max(eps_mean[i] + eps_count[i])",
        "rho_all + max(rho_mean[i] + rho_count[i])",
        "sqrt(mu_all^2 + max(mu_mean[i]^2 + mu_count[i]^2))",
    ),
    "own-granularity": ("proved", "proved", *LARGEST),
    "graph-edge-induced": ("proved", "proved", *LARGEST),
    "graph-edge-incident": ("refuted", "proved", *TWO),
    "graph-node-induced": ("proved", "proved", *LARGEST),
    "graph-node-incident": ("refuted", "proved", *SUM),
    "graph-edge-neighbourhood": ("refuted", "proved", *TWO),
    "digraph-node-out-edges": ("refuted", "proved", *SUM),
    "digraph-out-edges": ("proved", "proved", *LARGEST),
    "stream-event-windows": ("proved", "proved", *LARGEST),
    "stream-event-sliding": ("refuted", "proved", *windows("t - L < i <= t")),
    "stream-user-windows": ("refuted", "proved", *SUM),
    "stream-user-recent": ("proved", "proved", *LARGEST),
    "stream-w-event-windows": (
        "refuted", "proved", *windows("t < 7*i <= t + w + 6"),
    ),
    "stream-w-event-days": ("refuted", "proved", *largest("w")),
    "tables-shared-owner": (
        "proved", "proved", "eps_sales + max(eps_visits[i])", "rho_sales + max(rho_visits[i])",
        "sqrt(mu_sales^2 + max(mu_visits[i]^2))",
    ),
    "values-in-steps": (
        "proved", "refuted", "s*max(eps[i])", "s^2*max(rho[i])", "s*max(mu[i])",
    ),
    "table-cell-columns": ("proved", "proved", *LARGEST),
    "table-row-columns": ("refuted", "proved", *largest("C")),
    "table-column-columns": ("proved", "proved", *LARGEST),
    "table-cell-views": ("refuted", "proved", *TWO),
    "policy-secret-pairs": (
        "refuted", "refuted", "2*max(eps[i])", "4*max(rho[i])", "2*max(mu[i])",
    ),
    "policy-components": ("proved", "proved", *LARGEST),
    "one-sided": ("refuted", None, *TWO),
    "nearby-values": ("refuted", "refuted", *["inf (no guarantee)"] * 3),
    "nearby-values-common": ("refuted", None, *windows(
        "t < 10*i <= t + 11",
    )),
    "histogram": (None, "refuted", "2*eps", "4*rho", "2*mu"),
    "bounded-sums": (None, "refuted", "2*eps", "4*rho", "2*mu"),
    "ordered-insertion": ("refuted", None, *SUM),
    "ordered-append": ("proved", "proved", *LARGEST),
    "user-level-truncated": ("refuted", "proved", *largest("2*m")),
    "insertion-truncated-owner": ("proved", "proved", *LARGEST),
    "network-neighbourhoods": ("refuted", "proved", *largest("m")),
    "graph-node-presence": ("proved", "proved", *LARGEST),
    "graph-symmetric": ("refuted", "refuted", "2*max(eps[i])", "4*max(rho[i])", "2*max(mu[i])"),
    "digraph-edge-neighbourhood": ("refuted", "proved", *TWO),
    "graph-edge-rewired": (
        "refuted", "refuted", "2*(sum of the 2 largest eps[i])",
        "4*(sum of the 2 largest rho[i])",
        "2*sqrt(sum of the 2 largest mu[i]^2)",
    ),
    "ordered-transposition": ("refuted", None, *windows(
        "t < 4*i <= u + 4", "t, u with u == t + 1 and 0 < t",
    )),
    "swapped-items": ("refuted", None, *TWO),
    "household-moves": ("refuted", None, *TWO),
    "stream-weeks": ("refuted", "proved", *windows("t <= i < t + w")),
    "messages-of-a-day": (
        "refuted", "proved", "max(eps_d[i]) + sum(eps[i])", "max(rho_d[i]) + sum(rho[i])",
        "sqrt(max(mu_d[i]^2) + sum(mu[i]^2))",
    ),
    "finite-class": (
        None, None, "eps_who + eps_both", "rho_who + rho_both", "sqrt(mu_who^2 + mu_both^2)",
    ),
    "federated-learning": (
        "proved", "proved", "eps_val + max(eps[i])", "rho_val + max(rho[i])",
        "sqrt(mu_val^2 + max(mu[i]^2))",
    ),
    "mini-batches": (
        "refuted", None, "(sum of the 2 largest eps1[i]) + sum of the 2 largest eps2[i]",
        "(sum of the 2 largest rho1[i]) + sum of the 2 largest rho2[i]",
        "sqrt((sum of the 2 largest mu1[i]^2) + sum of the 2 largest mu2[i]^2)",
    ),
    "points": (None, "proved", "eps_1 + eps_2", "rho_1 + rho_2", "sqrt(mu_1^2 + mu_2^2)"),
}  # fmt: skip

# How many records the counterexamples to C1 and C2 have, in both databases together: the fewest.
SMALLEST = {
    "graph-edge-incident": (1, None),
    "graph-node-incident": (1, None),
    # Two edges at different ends of the one that is meant.
    "graph-edge-neighbourhood": (2, None),
    # An edge that enters the vertex and one that leaves it.
    "digraph-node-out-edges": (2, None),
    "stream-event-sliding": (1, None),
    "stream-user-windows": (2, None),
    "stream-w-event-windows": (2, None),
    "stream-w-event-days": (2, None),
    # One row of two columns, all places filled.
    "table-row-columns": (4, None),
    "table-cell-views": (2, None),
    "policy-secret-pairs": (2, 2),
    "one-sided": (2, None),
    "nearby-values": (2, 2),
    "histogram": (None, 2),
    "bounded-sums": (None, 2),
    # A list of one value, and the same with another one in front of it.
    "ordered-insertion": (3, None),
    # The first record of an owner gets another value.
    "user-level-truncated": (2, None),
    # A reading of a node in two neighbourhoods.
    "network-neighbourhoods": (1, None),
    # One edge, stored twice.
    "graph-symmetric": (2, 2),
    "digraph-edge-neighbourhood": (2, None),
    # An edge at one end of its own label, then at another one.
    "graph-edge-rewired": (2, 2),
    # Two values at the end of one section and the beginning of the next.
    "ordered-transposition": (4, None),
    "swapped-items": (4, None),
    "household-moves": (2, None),
    "values-in-steps": (None, 2),
    "stream-weeks": (2, None),
    "messages-of-a-day": (2, None),
    "mini-batches": (2, None),
}


AT_ONE_PLACE = "row(x) == row(y) and column(x) == column(y)"


def run(name: str, *sets: str) -> Derivation:
    spec = load_spec(EXAMPLES / f"{name}.toml", sets)
    return derive(spec.problem, values=spec.values, sizes=spec.sizes, title=spec.title)


def verdict(result: Derivation, name: str) -> str | None:
    condition = result.conditions.get(name)
    return condition.verdict if condition else None


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ROWS)
def test_conditions_and_bounds(derived, name):
    result = derived(name)
    c1, c2, pure, zcdp, gaussian = ROWS[name]
    assert result.verdict == "proved"
    assert (verdict(result, "compatibility"), verdict(result, "sensitivity")) == (c1, c2)
    texts = {b.notion: b.text for b in result.bounds}
    assert (texts["pure"], texts["zcdp"], texts["gaussian"]) == (pure, zcdp, gaussian)
    assert result.profile.exact
    assert {b.notion: b.tight for b in result.bounds if b.notion != "approximate"} == dict.fromkeys(
        ("pure", "zcdp", "gaussian"), "yes"
    )


# Examples with numbers, and the value of the pure bound, which is tight.
VALUES = [
    ("w-event-each-step", 6, "w=2", "k=4", "eps=[5,1,1,5]"),
    ("sliding-windows-events", 7, "k=5", "eps=[5,1,1,1,5]"),
    ("sliding-windows-user", 12, "L=2", "k=7", "eps=[5,1,1,5,1,1,5]"),
    ("sliding-windows-records", 18, "r=3", "L=2", "k=7", "eps=[5,1,5,1,5,1,5]"),
    ("sliding-windows-records", 24, "r=100", "L=2", "k=7", "eps=[5,1,5,1,5,1,6]"),
    ("sliding-windows-budget", 18, "L=2", "m=3", "k=4", "eps=[5,1,1,5]"),
    ("hierarchy-user", 27, "eps=[[5,1,2,7],[3,8,0,0],[4,0,0,0]]"),
    ("w-event-days-of-events", 11, "k=3", "eps=[1,2,3]"),
    ("w-event-days-of-records", 44, "w=4", "a=2", "k=3", "eps=[1,2,3]"),
    ("strips", 6, "k=4", "eps=[5,1,1,5]"),
    ("ordered-mechanism", 7, "k=4", "theta=2", "eps=[5,1,4,3]"),
    ("blocks-and-counties", 14, "nb=11", "nc=1", "eps_b=[5,1,1,1,1,1,1,1,1,1,4]", "eps_c=[3]"),
    ("user-groups-and-days", 10, "n=3", "k=3", "eps_g=[1,5,2]", "eps_d=[1,1,3]"),
    ("one-attribute-by-day", 8, "T=2", "k=3", "eps=[1,4,9]"),
    ("hierarchy-tree", 11, "eps=[1,2,3,4,5,6,7]"),
    ("hierarchy-tree-replaced", 18, "eps=[1,2,3,4,5,6,7]"),
    ("hierarchy-paths", 12, "eps_a=[1,2,3,4,5,6,7,8]", "eps_b=[9,1,1,1]", "eps_d=[0,3]"),
    ("levels-and-nodes", 9, "h=2", "k=3", "eps=[[1,5,2],[4,0,3]]"),
    ("places-each-hour", 13, "h=2", "k=3", "eps=[[5,1,4],[1,2,2]]"),
    ("visits-each-hour", 13, "r=1", "h=2", "k=3", "eps=[[5,1,4],[1,2,2]]"),
    ("visits-each-hour", 15, "r=2", "h=2", "k=3", "eps=[[5,1,4],[1,2,2]]"),
    ("households-and-counties", 11, "m=1", "n=2", "a=3", "eps_a=[[5,1,4],[3,2,2]]", "eps_c=[1,6]"),
    ("undirected-edge-kinds", 9, "m=1", "k=3", "eps=[5,1,4]"),
    ("papers-of-authors", 13, "a=2", "k=3", "n=3", "eps_y=[5,1,4]", "eps_v=[1,2,2]"),
    ("meter-levels", 9, "w=2", "k=3", "n=1", "eps_l=[5,1,1]", "eps_h=[1,1,6]", "eps_d=[3]"),
    ("count-sketch-of-users", 13, "m=1", "d=2", "w=3", "eps=[[5,1,4],[1,2,2]]"),
    ("degrees-in-and-out", 10, "p=3", "q=2", "eps=1"),
    ("adults-and-minors", 5, "k=3", "eps=[4,1,2]", "eta=[1,3,2]"),
    ("adults-and-minors", 9, "k=3", "eps=[4,1,9]", "eta=[1,3,2]"),
    ("devices-of-users", 13, "m=1", "h=3", "k=2", "eps=[[1,2],[3,4],[5,1]]"),
    ("devices-of-users", 16, "m=2", "h=3", "k=2", "eps=[[1,2],[3,4],[5,1]]"),
    ("w-event-user-limited", 11, "w=4", "r=1", "k=6", "eps=[3,1,2,1,9,2]"),
    ("w-event-user-limited", 14, "w=4", "r=2", "k=6", "eps=[3,1,2,1,9,2]"),
    ("weekdays-moved", 10, "eps=[5,1,1,7,1,1,5]"),
    ("tree-any-arity", 3, "q=2", "h=3", "k=4", "eps=1"),
    ("tree-any-arity", 11, "q=2", "eps=[[1,2,3,4],[9,1,0,0],[0,0,0,0]]"),
    ("family-written-out", 2, "eps=[1,2,9]"),
    ("several-maps-one-frame", 3, "eps_a=2", "eps_b=3"),
    ("filters-and-total-replaced", 8, "eps_a=2", "eps_b=3", "eps_c=1"),
    ("listed-second-granularity", 2, "eps=1"),
    ("user-epochs", 15, "k=7", "b=3", "eps=[5,1,1,5,7,2,3]"),
    ("user-day-limit", 45, "r=1", "T=3", "k=10", "eps=[1,2,3,4,5,6,7,8,9,10]"),
    ("user-records-budget", 12, "m=3", "k=4", "eps=[1,2,3,4]"),
    ("users-in-teams", 18, "m=2", "k=6", "eps=[1,2,3,4,5,6]"),
    ("user-teams-and-records", 27, "r=3", "m=2", "k=4", "n=3", "eps=[1,2,3,4]", "eta=1"),
    ("cover-replaced", 18, "m=3", "k=4", "eps=[1,2,3,4]"),
    ("foreign-keys", 9, "a=2", "b=3", "eps_c=1", "eps_o=1", "eps_i=1"),
    ("rows-of-two-tables", 9, "a=3", "k=2", "l=2", "eps_l=[1,2]", "eps_r=[3,1]"),
    ("visits-by-hospital", 14, "r=2", "k=4", "eps=[1,2,3,4]"),
    ("ambulances-nearest", 5, "L=[3,4]"),
    ("person-days", 730, "T=365", "eps=2"),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(("name", "value", "sets"), [(n, v, s) for n, v, *s in VALUES])
def test_values_in_numbers(name, value, sets):
    answer = run(name, *sets)
    found = answer.bounds["pure"]
    assert (found.value, found.tight) == (value, "yes")
    in_numbers = answer.comparison
    if in_numbers is not None and in_numbers.notion == "pure":
        assert in_numbers.basic[0] == found.value  # what the table beside the bound begins with


PERSONS = "sum of the 2*m largest (eps_a[i,j] for i == t)"


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("ambulances-nearest", "max(1 + L[i])", ""),
        ("user-day-limit", "sum of the 2*r*T largest eps[i]", ""),
        ("user-records-budget", "m*max(eps[i])", ""),
        ("cover-replaced", "2*(sum of the m largest eps[i])", ""),
        ("foreign-keys", "eps_c + a*eps_o + a*b*eps_i", ""),
        ("rows-of-two-tables", "max(a*max(eps_l[i]), a*max(eps_r[i]))", ""),
        ("visits-by-hospital", "2*(sum of the r largest eps[i])", "1 <= r <= 2"),
        ("users-in-groups", "m*eps", ""),
        ("person-days", "T*eps", ""),
        ("vertex-edges", "m*eps", "1 <= m <= 2"),
        ("degrees-in-and-out", "2*eps*(p + q)", ""),
        ("users-in-teams", "sum of the 2*m largest eps[i]", ""),
        ("user-teams-and-records", "r*m*max(eps[i]) + sum of the r*m largest eta[i]", ""),
        ("values-in-steps", "s*max(eps[i])", ""),
        ("table-row-columns", "sum of the C largest eps[i]", ""),
        (
            "places-each-hour",
            "max over t, u of sum(eps[i,j] for j == t(i) or j == u(i))",
            "",
        ),
        ("devices-of-users", "max over 2*m choices of t of sum(eps[i,j] for i == t)", ""),
        ("visits-each-hour", "max over 2*r choices of t of sum(eps[i,j] for j == t(i))", ""),
        ("households-and-counties", f"max over t of (({PERSONS}) + sum(eps_c[i] for i == t))", ""),
        ("undirected-edge-kinds", "sum of the 2*m largest eps[i]", ""),
        (
            "papers-of-authors",
            "(sum of the a largest eps_y[i]) + sum of the a largest eps_v[i]",
            "",
        ),
        (
            "w-event-user-limited",
            "max over t of (sum of the 2*r largest (eps[i] for t <= i < t + w))",
            "",
        ),
    ],
)
def test_values_in_symbols(name, text, shown):
    found = run(name).bounds["pure"]
    note = f"shown for {shown}" if shown else ""
    assert (found.text, found.tight, found.tight_note) == (text, "yes", note)


@pytest.mark.parametrize("name", SMALLEST)
def test_counterexamples_are_the_smallest(derived, name):
    for condition, records in zip(("compatibility", "sensitivity"), SMALLEST[name], strict=True):
        if records is not None:
            outcome = derived(name).conditions[condition].outcome
            assert isinstance(outcome, Refuted)
            example = outcome.counterexample
            assert sum(example.old.values()) + sum(example.new.values()) == records


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("user-level-record-partition", "h is constant on each owner's records"),
        ("table-row-columns", "h is constant on the records with the same row"),
        (
            "table-cell-views",
            f"records x, y with x != y and {AT_ONE_PLACE} lie in no two different blocks",
        ),
    ],
)
def test_when_one_block_would_change(derived, name, condition):
    assert derived(name).conditions["compatibility"].weakest == condition


@pytest.mark.parametrize(
    ("name", "facts", "bound"),
    [
        ("stream-event-windows", "L >= 1", "max(eps[i])"),
        (
            "stream-w-event-windows", "L >= 1 and L >= w - 1",
            "max over t of sum(eps[i] for t < L*i < L + t + w)",
        ),
    ],
)  # fmt: skip
def test_windows_of_any_length(name, facts, bound):
    text = (EXAMPLES / f"{name}.toml").read_text("utf-8").replace('length = "7"', 'length = "L"')
    text = text.replace("}\n", f'}}\nsymbols = {{ w = "w >= 1", L = "{facts}" }}\n', 1)
    text = text.replace('symbols = { w = "1 <= w and w <= 8" }\n', "")
    spec = load_spec(text)
    result = derive(spec.problem)
    c1, c2, *_ = ROWS[name]
    assert (verdict(result, "compatibility"), verdict(result, "sensitivity")) == (c1, c2)
    assert result.bounds[0].text == bound


PLACES = {  # which of the claims about places are true
    "max(east, north) <= l2(east, north)": True,
    "l2(east, north) <= east + north": True,
    "east + north <= 3/2*l2(east, north)": True,
    "east + north <= 5/4*l2(east, north)": False,
    "pull(rounded, l2(east, north)) <= l2(east, north) + 3/2": True,
    "pull(rounded, l2(east, north)) <= l2(east, north) + 1": False,
    "l2(east, 2*north)": True,
    "min(east, north)": False,
}


def test_claims_about_places():
    spec = load_spec(EXAMPLES / "points.toml")
    found = GranularityComparison("places", spec.problem.domain, {}, points=spec.points).as_json()[
        "points"
    ]
    assert {c["claim"]: c["verdict"] == "proved" for c in found} == PLACES
    assert {c["verdict"] for c in found} == {"proved", "refuted"}
    (shown,) = [c["counterexample"] for c in found if "5/4" in c["claim"]]
    assert set(shown) == {"east(x, y)", "north(x, y)"}
    east, north = map(Fraction, shown.values())
    assert (east + north) ** 2 > Fraction(25, 16) * (east**2 + north**2)


def test_claims_about_places_on_a_grid():
    """What is proved holds for all places of a grid, and what is refuted fails for some."""
    points = [(Fraction(a, 4), Fraction(b, 4)) for a in range(-3, 8) for b in (0, 1, 3, 5)]
    fails = dict.fromkeys(PLACES, False)
    for (a, b), (c, d) in itertools.combinations(points, 2):
        east, north = abs(a - c), abs(b - d)
        far = math.hypot(round(a) - round(c), round(b) - round(d))
        apart, slack = math.hypot(east, north), 1e-9
        for text, wrong in zip(PLACES, [
            max(east, north) > apart + slack, apart > east + north + slack,
            east + north > 1.5 * apart + slack, east + north > 1.25 * apart + slack,
            far > apart + 1.5 + slack, far > apart + 1 + slack,
        ], strict=False):  # fmt: skip
            fails[text] |= wrong
    for left, middle, right in itertools.permutations(points[::5], 3):
        steps = ((left, right), (left, middle), (middle, right))
        east, north = ([abs(p[n] - q[n]) for p, q in steps] for n in (0, 1))
        for text, of in (("l2(east, 2*north)", lambda e, n: math.hypot(e, 2 * n)),
                         ("min(east, north)", min)):  # fmt: skip
            whole, first, second = map(of, east, north)
            fails[text] |= whole > first + second + 1e-9
    assert {text: not wrong for text, wrong in fails.items()} == PLACES


SUM_OF_FOUR = "count_1 + count_2 + place_1 + place_2"
DISTRICTS = {  # which of the claims about the ambulances of two districts are true
    f"{SUM_OF_FOUR} <= unbounded + 6": True,
    f"{SUM_OF_FOUR} <= 4*unbounded": True,
    f"{SUM_OF_FOUR} <= unbounded + 3": False,
    SUM_OF_FOUR: True,
}


@pytest.mark.in_turn
def test_claims_about_the_ambulances_of_two_districts():
    spec = load_spec(EXAMPLES / "ambulances-nearest.toml")
    claims = compared(spec.title, spec.problem.domain, spec.granularities, points=spec.points)
    found = claims.as_json()
    assert {c["claim"]: c["verdict"] for c in found["points"]} == {
        claim: "proved" if true else "refuted" for claim, true in DISTRICTS.items()
    }


def test_claims_about_the_ambulances_of_small_districts():
    """What is proved holds for streets of three places, 3 apart at most, and the other fails."""
    streets, hospitals = ((0, 1, 3), (10, 12, 13)), (1, 13)
    databases = [
        (*one, *two)
        for n in range(3) for one in itertools.combinations_with_replacement(streets[0], n)
        for m in range(3) for two in itertools.combinations_with_replacement(streets[1], m)
    ]  # fmt: skip

    def district(places, street, hospital):
        inside = sorted(set(places) & set(street))
        return [
            [places.count(x) for x in street],
            min(inside, key=lambda x: abs(x - hospital), default=hospital),
        ]

    fails = dict.fromkeys(DISTRICTS, False)
    losses = {}
    for D, E in itertools.product(databases, repeat=2):
        sides = [
            [district(X, s, h) for s, h in zip(streets, hospitals, strict=True)] for X in (D, E)
        ]
        counts = sum(
            abs(a - b) for x, y in zip(*sides, strict=True) for a, b in zip(x[0], y[0], strict=True)
        )
        losses[D, E] = loss = counts + sum(abs(x[1] - y[1]) for x, y in zip(*sides, strict=True))
        for text, bound in zip(DISTRICTS, (counts + 6, 4 * counts, counts + 3), strict=False):
            fails[text] |= loss > bound
        assert counts != 1 or loss <= 1 + 3
    fails[SUM_OF_FOUR] = any(
        losses[D, E] > losses[D, F] + losses[F, E]
        for D, E, F in itertools.product(databases[::7], repeat=3)
    )
    assert {text: not wrong for text, wrong in fails.items()} == DISTRICTS


def test_a_listed_class_is_decided_by_search():
    spec = load_spec(EXAMPLES / "finite-class.toml")
    document = compared(spec.title, spec.problem.domain, spec.granularities).as_json()
    assert "listed" in document["granularities"]["one person"]["metric"]["reason"]
    far = [d for d in document["distances"] if (d["of"], d["to"]) == ("one person", "bounded")]
    assert [(d["verdict"], d["distance"]) for d in far] == [("proved", 2)]


def test_every_example_is_expected_here():
    assert {p.stem for p in EXAMPLES.glob("*.toml")} == {
        *ROWS, *(name for name, *_ in VALUES),
        "fixed-size-unbounded", "ambulances-bounded-common", "mixed-notions", "users-in-groups",
        "vertex-edges",
    }  # fmt: skip


def test_the_best_approximate_bound_of_parallel_composition(derived):
    (bound,) = [b for b in derived("unbounded-partition").bounds if b.notion == "approximate"]
    assert bound.text == "(max(eps[i]), max(delta[i]))"
    assert bound.pareto == "(eps[i], delta[i]) for each i"
    assert bound.tight == "yes"
    assert "smallest" in bound.tight_note


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("unbounded-partition", 5), ("bounded-partition-common", 9),
        ("bounded-partition-unbounded-parts", 10), ("ordered-index-partition", 5),
        ("ambulances", 12), ("label-dp", 5), ("user-level-owner-partition", 5),
        ("user-level-record-partition", 15), ("free-lunch-identity", 15),
    ],
)  # fmt: skip
def test_numbers(name, value):
    result = run(name, "k=5", "eps=[1,2,3,4,5]")
    (pure,) = [b for b in result.bounds if b.notion == "pure"]
    assert pure.value == value


@pytest.mark.parametrize(
    ("change", "bound", "value"),
    [
        (("", ""), "eps_val + max(eps[i])", 6),
        (
            ('use = "partition"', 'use = "cover"\nm = 2'),
            "eps_val + sum of the 2 largest eps[i]",
            10,
        ),
    ],
)
def test_clients_in_one_cohort_and_in_two(change, bound, value):
    text = (EXAMPLES / "federated-learning.toml").read_text("utf-8").replace(*change)
    spec = load_spec(text, ["k=5", "eps=[1,2,3,4,5]", "eps_val=1"])
    found = derive(spec.problem, values=spec.values, sizes=spec.sizes).bounds["pure"]
    assert (found.text, found.value, found.tight) == (bound, value, "yes")


@pytest.mark.parametrize(
    ("neighbours", "k", "value"),
    [("bounded", 1, 2), ("bounded", 9, 4), ("unbounded", 1, 2), ("unbounded", 9, 2)],
)
def test_two_passes_over_equal_mini_batches(neighbours, k, value):
    text = (EXAMPLES / "mini-batches.toml").read_text("utf-8")
    spec = load_spec(text.replace("bounded", neighbours), [f"k={k}", "eps1=1", "eps2=1"])
    found = derive(spec.problem, values=spec.values, sizes=spec.sizes).bounds["pure"]
    assert (found.value, found.tight) == (value, "yes")


def test_numbers_with_a_limit_and_with_single_parts():
    (pure, *_) = run("user-level-limited", "k=5", "eps=[1,2,3,4,5]", "r=2").bounds
    assert pure.value == 5 + 4 + 3 + 2
    (pure, *_) = run("query-and-partition", "eps=[1,2,3]", "eps0=1/2").bounds
    assert pure.value == Fraction(7, 2)
    (pure, *_) = run("partition-and-free-lunch", "eps=[1,2,3]", "eps_fl=1/3").bounds
    assert pure.value == Fraction(10, 3)


def test_parts_in_three_notions():
    """Counts under bounded privacy: two blocks at distance 1, or one at distance 2."""
    numbers = ("k=2", "rho=[1/2, 1/8]", "delta_counts=1/1000", "mu=1", "eps_mean=1")
    (bound,) = run("mixed-notions", *numbers, "eps0=1", "delta0=1/1000").bounds
    assert bound.notion == "approximate"

    def least(rho):
        """Return the least ε at δ = 1/1000 over many Rényi orders."""
        orders = [1 + math.exp(n / 2000) for n in range(-6000, 6000)]
        return min(rho * a + math.log(1 - 1 / a) - math.log(a / 1000) / (a - 1) for a in orders)

    at_two, both = least(4 / 2), least(1 / 2) + least(1 / 8)
    assert at_two > both
    assert float(bound.value[0]) == pytest.approx(1 + 1 + at_two)
    assert float(bound.value[1]) == pytest.approx(0.126936737507 + 0.001 + 2 * 0.001)


def test_equal_ambulances():
    (pure, *_) = run("ambulances", "k=10", "eps=1").bounds
    assert pure.value == 3
    result = run("ambulances-bounded-common")
    assert verdict(result, "compatibility") == "refuted"
    assert result.conditions["compatibility"].note == "at most 6 blocks change"
    assert [tuple(b.value) for b in result.bounds] == [(6, Fraction(6, 10**5))]


def test_one_block_of_two_neighbours():
    (pure, *_) = run("bounded-partition-common", "k=1", "eps=[3]").bounds
    assert pure.value == 3
    (pure, *_) = run("bounded-partition", "k=1", "eps=[3]").bounds
    assert pure.value == 3


def test_parallel_composition_fails_for_bounded_privacy(derived):
    result = derived("bounded-partition")
    assert result.infinite
    for name in ("compatibility", "sensitivity"):
        outcome = result.conditions[name].outcome
        assert isinstance(outcome, Refuted)
        example = outcome.counterexample
        assert sum(example.old.values()) == sum(example.new.values()) == 1  # the smallest there is
    assert result.conditions["compatibility"].note == "at most 2 blocks change"
    assert example.distances[0][2] == "infinite"


def test_two_of_two_distances(derived):
    outcome = derived("bounded-partition-unbounded-parts").conditions["sensitivity"].outcome
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.distances[0][2] == "2"


def test_vacuous_is_said_loudly(derived):
    result = derived("fixed-size-unbounded")
    assert result.verdict == "vacuous"
    assert result.vacuous
    assert {c.verdict for n, c in result.conditions.items() if n != "partition"} == {"vacuous"}
    assert all(b.value is None and "vacuous" in b.text for b in result.bounds)
    assert "0" not in " ".join(b.text for b in result.bounds)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", sorted(p.stem for p in EXAMPLES.glob("*.toml")))
def test_the_json_is_plain_data(derived, name):
    document = json.loads(json.dumps(derived(name).as_json()))
    assert document["schema"] == "dpcomp/1"
    assert [s["step"] for s in document["trace"]] == list(range(1, len(document["trace"]) + 1))
    assert all(u < s["step"] for s in document["trace"] for u in s["uses"])


def test_two_families_have_fewer_blocks_at_once():
    """Both are split into k blocks: with k = 1 each has one, and not the one or the other."""
    text = (EXAMPLES / "bounded-partition-common.toml").read_text("utf-8")
    text += """
[[map]]
name = "again"
use = "partition"

[[part]]
name = "more"
map = "again"
guarantee = { pure = "eps_m" }
"""
    (pure,) = [b for b in derive(load_spec(text).problem).bounds if b.notion == "pure"]
    assert pure.text == "(sum of the 2 largest eps[i]) + sum of the 2 largest eps_m[i]"
