"""What is told of several mechanisms on the same random data: losses, dependencies, the bound."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpcomp_sym.derivation import Step
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.knowledge.composition import Composition, Share
from dpcomp_sym.uncertain.claims import Claim, Decision, decide, questions
from dpcomp_sym.uncertain.finding import Finding, Guarantee, Table, decimal, loss, upper_log

__all__ = ["decided", "only_bound", "told"]


def told(
    title: str,
    setting: str,
    seen: Composition,
    delta: Fraction,
    *,
    tables: Sequence[Table] = (),
    notes: Sequence[str] = (),
    when: str = "mechanism",
) -> Finding:
    """Return the finding of a composition: exact loss, and the bound of Theorem 6.

    Args:
        title: of the setting.
        setting: sentences that describe it.
        seen: the mechanisms and what the attacker can compare.
        delta: the δ at which ε is told.
        tables: more tables, which come last.
        notes: more notes.
        when: what a mechanism is called in the first column.
    """
    count = len(seen.names)
    exact = [seen.together(t, delta) for t in range(1, count + 1)]
    bounds = [seen.bound(t, delta) for t in range(1, count + 1)]
    rows = tuple(
        (
            name,
            _short(seen.alone(j, delta)),
            _short(seen.depends(j, delta)) if j else "–",
            _short(exact[j]),
            _short(bounds[j][0]),
        )
        for j, name in enumerate(seen.names)
    )
    over_time = Table(
        f"ε at δ = {delta}; the dependency of each {when} is on all before it",
        (when, "alone", "dependency", "together, exact", "together, bound"),
        rows,
    )
    whole, shares = bounds[-1]
    guarantees = [Guarantee("together, exact", exact[-1], delta, "Des.PLRV", exact=True)]
    steps: list[Step] = []
    for share in shares:
        about = (
            "the dependency of " + share.about
            if " on those before" in share.about
            else (f"the loss of {share.about}")
        )
        source = "Des.63" if " on those before" in share.about else "Des.PLRV"
        said = f"{about} is at most {loss(share.factor)} but for δ = {share.delta}"
        if share.factor is None:
            said = f"{about} has no finite bound, even at δ = {delta}"
        steps.append(Step(len(steps) + 1, said, "exact evaluation", source))
    steps.append(
        Step(len(steps) + 1, f"together they lose at most {loss(whole)} at δ = {delta}"
             if whole is not None else "so composition gives no finite bound",
             "losses and dependencies add up", "Des.Thm6", tuple(range(1, len(shares) + 1)))
    )  # fmt: skip
    steps.append(
        Step(len(steps) + 1, f"together they lose exactly {loss(exact[-1])} at δ = {delta}",
             "exact evaluation", "Des.PLRV")
    )  # fmt: skip
    if count > 1:
        equal = whole == exact[-1]
        guarantees.append(Guarantee("together, by composition", whole, delta, "Des.Thm6", equal))
    hints = list(notes)
    if exact[-1] is None:
        least = max(curve.impossible for curve in seen.joint_curves[count])
        hints.append(f"No finite ε at δ = {delta}: with probability {decimal(least)} the outputs "
                     "rule a value of the target out.")  # fmt: skip
    elif whole is None:
        hints.append("The bound is infinite although the exact loss is finite: some dependency "
                     f"has no finite ε within δ = {delta}.")  # fmt: skip
    days = [float(n) for n in range(1, count + 1)]
    panel = Panel(
        f"{when}s",
        f"ε at δ = {delta}",
        [
            ("exact", days, [_height(x) for x in exact]),
            ("bound of composition", days, [_height(x) for x, _ in bounds]),
            (
                "exact, each alone, added up",
                days,
                _added([seen.alone(j, delta) for j in range(count)]),
            ),
        ],
    )
    return Finding(
        title, setting, guarantees, (over_time, *tables), steps, tuple(hints),
        Drawing(title, [panel]),
    )  # fmt: skip


def decided(title: str, claim: Claim, seen: Composition) -> Decision:
    """Decide a claim about all mechanisms together, by their exact losses."""
    exact = seen.together(len(seen.names), claim.delta)
    guarantee = Guarantee("exactly", exact, claim.delta, "Des.PLRV", exact=True)
    return decide(title, claim, questions(seen.found, seen.attacker), guarantee)


def only_bound(
    title: str,
    setting: str,
    names: Sequence[str],
    alone: Sequence[Fraction | None],
    depends: Sequence[Fraction | None],
    bounds: Sequence[tuple[Fraction | None, Sequence[Share]]],
    delta: Fraction,
) -> Finding:
    """Return the finding where only the bound of composition is known, not the exact loss.

    Args:
        title: of the setting.
        setting: sentences that describe it.
        names: of the mechanisms.
        alone: e^ε of each by itself at δ.
        depends: a bound of e^dep of each on those before it, at δ = 0.
        bounds: for the first t mechanisms e^ε by Theorem 6, and how δ is shared out.
        delta: the δ at which ε is told.
    """
    rows = tuple(
        (name, _short(alone[j]), _short(depends[j]) if j else "–", _short(bounds[j][0]))
        for j, name in enumerate(names)
    )
    columns = ("day", "alone", "dependency at most", "together, bound")
    table = Table(
        f"ε at δ = {delta}; the dependency of each day is on all before it", columns, rows
    )
    whole, shares = bounds[-1]
    steps = [
        Step(n, f"the loss of {s.about} is at most {loss(s.factor)} but for δ = {s.delta}",
             "exact evaluation", "Des.PLRV")
        for n, s in enumerate(shares, 1)
    ]  # fmt: skip
    steps += [
        Step(len(steps) + n, f"the dependency of {name} on those before is at most {loss(factor)}",
             "one user changes sides", "Des.Ex9")
        for n, (name, factor) in enumerate(zip(names[1:], depends[1:], strict=True), 1)
    ]  # fmt: skip
    said = f"together they lose at most {loss(whole)} at δ = {delta}"
    uses = tuple(range(1, len(steps) + 1))
    steps.append(Step(len(steps) + 1, said, "losses and dependencies add up", "Des.Thm6", uses))
    guarantee = Guarantee("together, by composition", whole, delta, "Des.Thm6", exact=False)
    note = (
        "Too many vectors of counts to list: the exact loss is not computed. A day alone is exact; "
        "dependencies are bounded for any number of users; δ is shared out over the days."
    )
    days = [float(n) for n in range(1, len(names) + 1)]
    lines = [
        ("bound of composition", days, [_height(x) for x, _ in bounds]),
        ("exact, each alone, added up", days, _added(alone)),
    ]
    drawing = Drawing(title, [Panel("days", f"ε at δ = {delta}", lines)])
    return Finding(title, setting, (guarantee,), (table,), steps, (note,), drawing)


def _short(factor: Fraction | None) -> str:
    return "∞" if factor is None else f"{upper_log(factor):.6g}"


def _height(factor: Fraction | None) -> float | None:
    return None if factor is None else upper_log(factor)


def _added(factors: Sequence[Fraction | None]) -> list[float | None]:
    total: float | None = 0.0
    found: list[float | None] = []
    for factor in factors:
        height = _height(factor)
        total = None if total is None or height is None else total + height
        found.append(total)
    return found
