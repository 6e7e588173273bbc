"""Two counts, each private under partial knowledge, reveal a vote together."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from theorems._entry import Evidence, Refutation, theorem

Votes = tuple[int, ...]


@theorem(
    id="Des.Ex8",
    statement="Noiseless counts that are private alone are private together: false for the number "
    "of yes-votes and the same number without one voter; the dependency is infinite.",
    status="refuted",
    cite="Des.Ex8",
    latex=r"It is false that noiseless counts that are private alone are private together: the "
    r"number of yes-votes and that number without one voter have dependency $\infty$.",
)
def not_private_of_two_private_counts() -> Evidence:
    """Eleven voters, fair and independent; the attacker knows nobody's vote.

    At e^ε = 2 the first count alone has δ < 1/10 and the second loses nothing at all.  The pair
    has δ = 1 at every ε: the difference is the vote.  Wherever the first count is possible under
    both votes the second one, given the first, is impossible under the other vote, although it
    says nothing by itself: the dependency is ∞.
    """
    voters, x, least = 11, Fraction(2), Fraction(1, 10)
    data = {"voters": voters, "e^eps": x, "delta of each alone, less than": least,
            "delta of both, at every eps": Fraction(1),
            "dependency infinite with probability": Fraction(1023, 1024)}  # fmt: skip
    rest = list(product((0, 1), repeat=voters - 1))

    def law(vote: int, seen: Callable[[Votes], Votes]) -> dict[Votes, Fraction]:
        found: dict[Votes, Fraction] = {}
        for others in rest:
            o = seen((vote, *others))
            found[o] = found.get(o, Fraction(0)) + Fraction(1, len(rest))
        return found

    def both(votes: Votes) -> Votes:
        return (sum(votes), sum(votes[1:]))

    def delta(seen: Callable[[Votes], Votes]) -> Fraction:
        laws = [law(vote, seen) for vote in (0, 1)]
        return max(
            sum(
                (max(Fraction(0), p - x * Q.get(o, Fraction(0))) for o, p in P.items()), Fraction(0)
            )
            for P, Q in (laws, laws[::-1])
        )

    def fails() -> bool:
        alone = delta(lambda v: (sum(v),)), delta(lambda v: (sum(v[1:]),))
        yes, no = law(1, both), law(0, both)
        possible = {sum((0, *others)) for others in rest}
        certain = sum(p for o, p in yes.items() if o[0] in possible and o not in no)
        return (
            max(alone) < least
            and alone[1] == 0
            and not set(yes) & set(no)  # the pair tells the vote, whatever ε is
            and certain == data["dependency infinite with probability"]
        )

    return Refutation("two private counts compose", data, fails)
