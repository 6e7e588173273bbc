"""The converse of the preprocessing theorem."""

from __future__ import annotations

from fractions import Fraction

from theorems._entry import Evidence, Refutation, theorem


@theorem(
    id="GB24.III.7",
    statement="If M ∘ f is (ε Δf) d1-private, M is ε′ d2-private for some ε′: false for free-lunch "
    "on the real numbers, Laplace noise and f(x) = 1/(1 + e^(−x)).",
    status="refuted",
    cite="GB24.III.7, with f restored",
    latex=r"It is false that if $M\circ f$ is $(\varepsilon\,\Delta f)\,d_1$-private, $M$ is "
    r"$\varepsilon'd_2$-private for some $\varepsilon'$: take free-lunch neighbours on $\mathbb "
    r"R$, Laplace noise and $f(x)=1/(1+e^{-x})$.",
)
def not_private_of_private_preprocessed() -> Evidence:
    """Laplace noise of scale 1/ε: between x and y the log-ratio is up to ε |x − y|.

    For every ε′ the numbers 0 and (ε′ + 1)/ε refute, and f has values in ]0, 1[, so M ∘ f is
    ε-DP for free-lunch.  The data are one instance; the check also settles all of them.
    """
    eps, claimed = Fraction(1), Fraction(10)
    far = (claimed + 1) / eps
    data = {"ε": eps, "claimed ε′": claimed, "x": Fraction(0), "y": far,
            "free-lunch distance of x and y": 1, "log-ratio at x": eps * far}  # fmt: skip

    def fails() -> bool:
        import z3

        from theorems._prove import holds

        t, s = z3.Reals("t s")
        bounded = holds(
            z3.And(1 / (1 + t) - 1 / (1 + s) < 1, 1 / (1 + s) - 1 / (1 + t) < 1), t > 0, s > 0
        )
        return bounded.settled and eps * far > claimed * 1

    return Refutation("M ∘ f private for d1 makes M private for d2", data, fails)
