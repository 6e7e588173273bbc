"""Points of curves in numbers: the ε of a ρ at a δ, and the δ of a μ at an ε."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcomp_sym.errors import InputError
from dpcomp_sym.numbers.exact import Exact, Real, at_best_order, tails

__all__ = ["gaussian_delta", "zcdp_epsilon"]


def zcdp_epsilon(rho: Real, delta: Real) -> Exact | Fraction | float:
    """Return an epsilon for which rho-zCDP implies (epsilon, delta)-DP.

    The least over all orders alpha > 1 of
    rho alpha + ln(1 - 1/alpha) - ln(alpha delta)/(alpha - 1), or 0 (Canonne, Kamath, Steinke 2020,
    Proposition 12); less than rho + 2 sqrt(rho ln(1/delta)) of Bun, Steinke 2016, Proposition 1.3.
    Raises ``ValueError`` unless rho >= 0 and 0 < delta < 1.

    >>> zcdp_epsilon(Fraction(1, 2), Fraction(1, 1000)), round(zcdp_epsilon(0.5, 1e-5), 4)
    (Exact('zcdp_epsilon(1/2, 1/1000)'), 4.7284)
    """
    if not 0 < delta < 1:
        raise InputError(f"delta = {delta}: a target delta must be greater than 0 and less than 1")
    _check("rho", rho)
    if isinstance(rho, int | Fraction | Exact) and isinstance(delta, int | Fraction | Exact):
        return at_best_order(rho, delta)
    if rho == math.inf:
        return math.inf
    return float(at_best_order(Fraction(float(rho)), Fraction(float(delta))))


def gaussian_delta(mu: Real, eps: Real) -> Exact | int | float:
    """Return the smallest delta for which mu-GDP implies (eps, delta)-DP.

    Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2); 0 for mu = 0 (Balle, Wang 2018, Theorem 8;
    Dong, Roth, Su 2022, Corollary 2.13).  Raises ``ValueError`` for a negative parameter.

    >>> gaussian_delta(1, 2), round(gaussian_delta(1.0, 1.0), 6)
    (Exact('gaussian_delta(1, 2)'), 0.126937)
    """
    _check("mu", mu)
    _check("eps", eps)
    if isinstance(mu, int | Fraction | Exact) and isinstance(eps, int | Fraction | Exact):
        return tails(mu, eps)
    if math.inf in (mu, eps):  # endless loss leaves no guarantee, and every loss is below infinity
        return 1 if eps != math.inf else 0
    return float(tails(Fraction(float(mu)), Fraction(float(eps))))


def _check(name: str, x: Real) -> None:
    if not x >= 0:
        raise InputError(f"{name} = {x}: a parameter of privacy is not negative")
