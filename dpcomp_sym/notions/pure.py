r"""Pure differential privacy: epsilons add up; r eps at distance r.

Source: GB24.III.3, IV.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from dpcomp_sym.notions.core import ONE, Additive, Attaining, Curve, Notion, Refuting, Words
from dpcomp_sym.notions.written import beside
from dpcomp_sym.statements import terms as t

__all__ = ["PURE"]

_TWO: Final = t.Num(Fraction(2))
_S, _X = t.Param("s"), t.Param("x")


def _delta(eps: float) -> Callable[[float], float]:
    return lambda e: (math.exp(eps) - math.exp(e)) / (1 + math.exp(eps)) if e < eps else 0.0


PURE: Final = Notion(
    name="pure",
    parameters=("eps",),
    parameter="epsilon",
    defining="P(M(D) in S) <= e^eps P(M(D') in S) for all neighbours D ~ D' and all events S",
    growth=Additive(power=1),
    sources=("GB24.IV.1", "GB24s.III.1"),
    groups="GB24.III.3",
    words=Words("pure", "DP", ("ε",), (r"\varepsilon",), "", lambda g, r: (beside(g[0], r),)),
    epsilon_delta=True,
    lost_back=True,
    curve=Curve(lambda value: _delta(value[0]), lambda value: 1.2 * value[0]),
    attaining=Attaining(
        "1 with probability exp(-{g}*{t})/2, otherwise 0",
        "P[all publish 1] falls from D* to D** by a factor whose logarithm is the sum of {r} times "
        "each guarantee",
        r"Let $M_p(E)$ be $1$ with probability $\tfrac12 e^{-\varepsilon_p s_p(E)}$, and $0$ "
        r"otherwise. It is $\varepsilon_p d_p$-private, and all outputs are $1$ at $D$ with "
        r"$e^{\sum_p \varepsilon_p r_p}$ times the probability that they have at $D^*$.",
        # With q = e^eps = 1 + s, and u = e^(-t eps) = 1/(1 + x), outcome 1 has u/2 and u/(2q), a
        # factor q.  Outcome 0 has 1 - u/2 and 1 - u/(2q): that the first is at most q times the
        # second is 1 <= q; the converse is u(q + 1) <= 2q, multiplied by 1 + x.
        (
            (ONE, t.Sum((ONE, _S))),
            (
                t.Sum((_TWO, _S)),
                t.Product((_TWO, t.Sum((ONE, _S)), t.Sum((ONE, _X)))),
            ),
        ),
    ),
    refuting=Refuting("coins"),
)
