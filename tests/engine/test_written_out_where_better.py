"""Where numbers say how many blocks there are, and few, no other command knows a better bound."""

from __future__ import annotations

import itertools

import pytest

from dpcomp_sym.claims import refute
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.model import Domain, Map, Part, Problem, library_granularity

DAYS = Map("days", "day(c) == i", {"i": "k"})
PRESENCE = library_granularity("user_presence", owner="user")
GAP = "implies(D[c] >= 1, D[replace(c, day, day(c) + 1)] == 0)"


def problem(maps=(DAYS,), **more):
    domain = Domain({"user": "User", "day": "int"}, cap=1, **more)
    return Problem(domain, PRESENCE, list(maps), [Part(f"p{m.name}", m.name) for m in maps])


def apart(days):
    return all(b - a > 1 for a, b in itertools.pairwise(sorted(days)))


def same_week(days):
    return len({d // 2 for d in days}) == len(days)


CASES = {
    "days between the days of a user": ({"facts": [GAP]}, apart),
    "one day a week": ({"limits": [("user(c), day(c) // 2", 1)]}, same_week),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("eps", [[1, 2, 3, 4], [9, 2, 8], [1, 7, 1, 2, 5]])
def test_the_days_of_a_user(name, eps):
    more, allowed = CASES[name]
    days = range(1, len(eps) + 1)
    sets = itertools.chain.from_iterable(itertools.combinations(days, n) for n in range(4))
    best = max(sum(eps[d - 1] for d in some) for some in sets if allowed(some))
    found = derive(problem(**more), {"eps": eps}, {"k": len(eps)}).bounds["pure"]
    assert (found.value, found.tight) == (best, "yes")


def test_what_is_claimed_of_the_blocks_is_the_bound():
    of = problem(facts=[GAP])
    found = derive(of, sizes={"k": 4}).bounds["pure"]
    assert found.text == "max(eps[1] + eps[3], eps[1] + eps[4], eps[2] + eps[4])"
    assert refute(of, found.text, sizes={"k": 4}).tight == "yes"


def test_more_blocks_have_one_bound_for_any_number():
    found = derive(problem(facts=[GAP]), sizes={"k": 30}).bounds["pure"]
    assert "[1]" not in found.text


def test_a_tight_bound_is_not_written_out():
    found = derive(problem(), {"eps": [3, 1, 2]}, {"k": 3}).bounds["pure"]
    assert (found.text, found.value, found.tight) == ("sum of the 3 largest eps[i]", 6, "yes")
