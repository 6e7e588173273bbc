"""Chained mechanisms: the second one reads only what the first one publishes.

If M₁ is ε₁-private for its neighbours and M₂ is ε₂-private between *any two* of its inputs, then
M₂ ∘ M₁ is ln((1 + e^(ε₁+ε₂)) / (e^ε₁ + e^ε₂))-private, and randomized response twice attains it.
With t = tanh(ε/2) = (e^ε − 1)/(e^ε + 1) this is t = t₁ t₂, so that any number of mechanisms chain
in any order.  If M₂ is only private for a distance, ε₂ must be taken at the largest distance
between two of its inputs.

With guarantees (ε_j, δ_j) the least δ of the chain at e^ε = e ≥ 1 is c_k(e).  With q_j = e^ε_j,
c_1(e) = δ_1 + (1 − δ_1) max(0, q_1 − e)/(1 + q_1), and c_j(e) is the larger one of δ_j c_{j−1}(e)
and ((q_j − 1 + 2 δ_j) c_{j−1}(e) − (1 − δ_j)(e − 1))/(1 + q_j).  Then the order matters.

Source: D. Desfontaines, thesis, section 3.2.4 (nested composition), and the work cited there.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpcomp_sym.errors import InputError

__all__ = ["chained", "chained_delta", "chained_event", "chained_factor"]


def chained(factors: Sequence[Fraction]) -> Fraction:
    """Return e^ε of mechanisms one after the other, from e^ε of each, in any order.

    Raises:
        InputError: there is no mechanism, or a factor is less than 1.

    >>> chained([Fraction(2), Fraction(2)]), chained([Fraction(2), Fraction(32)])
    (Fraction(5, 4), Fraction(65, 34))
    """
    if not factors:
        raise InputError("there is no mechanism to chain")
    for factor in factors:
        if factor < 1:
            raise InputError(f"e^eps is at least 1, not {factor}", word=str(factor))
    found = factors[0]
    for factor in factors[1:]:
        found = (1 + found * factor) / (found + factor)
    return found


def chained_delta(parts: Sequence[tuple[Fraction, Fraction]], factor: Fraction) -> Fraction:
    """Return the least δ at e^ε = ``factor`` that (ε_j, δ_j) of chained mechanisms guarantee.

    ``parts`` are (e^ε_j, δ_j) in the order in which the mechanisms run; all but the first are that
    private between any two of their inputs.  Some mechanisms attain it at this factor.

    Raises:
        InputError: there is no mechanism, a factor is less than 1, or a δ is no probability.

    >>> twice = [(Fraction(2), Fraction(1, 100))] * 2
    >>> chained_delta(twice, Fraction(1))
    Fraction(289, 2500)
    >>> one, other = (Fraction(2), Fraction(1, 10)), (Fraction(3), Fraction(0))
    >>> chained_delta([one, other], Fraction(3, 2)), chained_delta([other, one], Fraction(3, 2))
    (Fraction(0, 1), Fraction(3, 80))
    """
    first, second = chained_event(parts, factor)
    return first - factor * second


def chained_event(
    parts: Sequence[tuple[Fraction, Fraction]], factor: Fraction
) -> tuple[Fraction, Fraction]:
    """Return the two probabilities of an event that attains the least δ at e^ε = ``factor``.

    They are those of one event under the two inputs of a chain of mechanisms that are exactly as
    private as ``parts`` say: the first probability is ``factor`` times the second one plus δ.
    Every mechanism after the first has two inputs that count, and the event under them has the
    probabilities 0 and δ_j, or (1 − δ_j)/(1 + q_j) and (q_j + δ_j)/(1 + q_j).

    Raises:
        InputError: as :func:`chained_delta`.

    >>> chained_event([(Fraction(2), Fraction(0))] * 2, Fraction(1))
    (Fraction(5, 9), Fraction(4, 9))
    """
    if not parts:
        raise InputError("there is no mechanism to chain")
    for number in (factor, *(q for q, _ in parts)):
        if number < 1:
            raise InputError(f"e^eps is at least 1, not {number}", word=str(number))
    for _, delta in parts:
        if not 0 <= delta <= 1:
            raise InputError(f"delta is from 0 to 1, not {delta}", word=str(delta))
    (q, delta), *later = parts
    first, second = delta, Fraction(0)
    if q > factor:
        first, second = delta + (1 - delta) * q / (1 + q), (1 - delta) / (1 + q)
    for q, delta in later:
        ends = ((Fraction(0), delta), ((1 - delta) / (1 + q), (q + delta) / (1 + q)))
        first, second = max(
            ((low + (high - low) * first, low + (high - low) * second) for low, high in ends),
            key=lambda pair: pair[0] - factor * pair[1],
        )
    return first, second


def chained_factor(parts: Sequence[tuple[Fraction, Fraction]], delta: Fraction) -> Fraction | None:
    """Return the least e^ε at which a chain has this δ; None if it is more at every ε.

    The least δ is the largest of several falling linear functions of e^ε, each that of an event; it
    reaches the product of all δ_j and falls no further.  From the left, the zero of the function
    that is the largest is never too far, and no function is the largest twice.

    Raises:
        InputError: as :func:`chained_delta`.

    >>> twice = [(Fraction(2), Fraction(1, 100))] * 2
    >>> chained_factor(twice, Fraction(1, 100)), chained_factor(twice, Fraction(1, 10_000))
    (Fraction(83, 67), Fraction(2, 1))
    >>> chained_factor(twice, Fraction(0)) is None
    True
    """
    factor = Fraction(1)
    while True:
        first, second = chained_event(parts, factor)
        if first - factor * second <= delta:
            return factor
        if second == 0:
            return None
        factor = (first - delta) / second
