"""Report of a composition on shared random data: losses, dependencies, the bound."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpcomp_sym.derivation.derive import Step
from dpcomp_sym.drawing import Drawing, Panel
from dpcomp_sym.uncertainty.laws.composition import Composition, Share
from dpcomp_sym.uncertainty.laws.worlds import composed
from dpcomp_sym.uncertainty.settings.claims import EventDecision, GuaranteeClaim, decide, questions
from dpcomp_sym.uncertainty.settings.finding import SettingFinding
from dpcomp_sym.uncertainty.settings.guarantee import (
    StatedGuarantee,
    TextTable,
    decimal,
    loss,
    short_log,
    upper_log,
)

__all__ = ["composition_found", "decided", "only_bound"]


def composition_found(
    title: str,
    setting: str,
    seen: Composition,
    delta: Fraction,
    *,
    tables: Sequence[TextTable] = (),
    notes: Sequence[str] = (),
    when: str = "mechanism",
) -> SettingFinding:
    """Return the finding of a composition: exact loss, and the bound of Theorem 6.

    Args:
        title: of the setting.
        setting: sentences that describe it.
        seen: the mechanisms and what the attacker can compare.
        delta: the δ at which ε is reported.
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
            short_log(seen.alone(j, delta)),
            short_log(seen.depends(j, delta)) if j else "–",
            short_log(exact[j]),
            short_log(bounds[j][0]),
        )
        for j, name in enumerate(seen.names)
    )
    over_time = TextTable(
        f"ε at δ = {delta}; the dependency of each {when} is on all before it",
        (when, "alone", "dependency", "together, exact", "together, bound"),
        rows,
    )
    whole, shares = bounds[-1]
    guarantees = [StatedGuarantee("together, exact", exact[-1], delta, "Des.PLRV", exact=True)]
    if count > 1:
        tight = whole == exact[-1]
        guarantees.append(
            StatedGuarantee("together, by composition", whole, delta, "Des.Thm6", tight)
        )
    steps = _steps(shares, whole, delta)
    said = f"together they lose exactly {loss(exact[-1])} at δ = {delta}"
    steps.append(Step(len(steps) + 1, said, "exact evaluation", "Des.PLRV"))
    drawing = _drawing(
        title, when, delta,
        [
            ("exact", exact),
            ("bound of composition", [x for x, _ in bounds]),
            ("each alone, added up", _products([seen.alone(j, delta) for j in range(count)])),
        ],
    )  # fmt: skip
    hints = [*notes, *_hints(seen, exact[-1], whole, delta)]
    return SettingFinding(title, setting, guarantees, (over_time, *tables), steps, hints, drawing)


def _steps(shares: Sequence[Share], whole: Fraction | None, delta: Fraction) -> list[Step]:
    """Return the steps of Theorem 6: one for each term, and their sum."""
    steps = []
    for number, share in enumerate(shares, 1):
        about = f"the loss of {share.name}"
        if share.dependency:
            about = f"the dependency of {share.name} on those before"
        said = f"{about} is at most {loss(share.factor)} but for δ = {share.delta}"
        if share.factor is None:
            said = f"{about} has no finite bound, even at δ = {delta}"
        source = "Des.63" if share.dependency else "Des.PLRV"
        steps.append(Step(number, said, "exact evaluation", source))
    uses = tuple(range(1, len(steps) + 1))
    said = f"together they lose at most {loss(whole)} at δ = {delta}"
    if whole is None:
        said = "so composition gives no finite bound"
    steps.append(Step(len(uses) + 1, said, "losses and dependencies add up", "Des.Thm6", uses))
    return steps


def _hints(
    seen: Composition, exact: Fraction | None, whole: Fraction | None, delta: Fraction
) -> list[str]:
    """Say why there is no finite ε."""
    if exact is None:
        least = max(curve.impossible for curve in seen.joint_curves[len(seen.names)])
        chance = decimal(least)
        why = f"with probability {chance} the outputs rule a value of the target out"
        return [f"No finite ε at δ = {delta}: {why}."]
    if whole is None:
        why = f"some term has no finite ε within δ = {delta}"
        return [f"The bound is infinite although the exact loss is finite: {why}."]
    return []


def decided(title: str, claim: GuaranteeClaim, seen: Composition) -> EventDecision:
    """Decide a claim about all mechanisms together, by their exact losses."""
    exact = seen.together(len(seen.names), claim.delta)
    guarantee = StatedGuarantee("exactly", exact, claim.delta, "Des.PLRV", exact=True)
    return decide(title, claim, questions(seen.found, seen.attacker), guarantee)


def only_bound(
    title: str,
    setting: str,
    names: Sequence[str],
    alone: Sequence[Fraction | None],
    depends: Sequence[Fraction | None],
    bounds: Sequence[tuple[Fraction | None, Sequence[Share]]],
    delta: Fraction,
) -> SettingFinding:
    """Return the finding where only the bound of composition is known, not the exact loss.

    Args:
        title: of the setting.
        setting: sentences that describe it.
        names: of the mechanisms.
        alone: e^ε of each by itself at δ.
        depends: a bound of e^dep of each on those before it, at δ = 0.
        bounds: for the first t mechanisms e^ε by Theorem 6, and how δ is shared out.
        delta: the δ at which ε is reported.
    """
    rows = tuple(
        (name, short_log(alone[j]), short_log(depends[j]) if j else "–", short_log(bounds[j][0]))
        for j, name in enumerate(names)
    )
    columns = ("day", "alone", "dependency at most", "together, bound")
    table = TextTable(
        f"ε at δ = {delta}; the dependency of each day is on all before it", columns, rows
    )
    whole, shares = bounds[-1]
    steps = _steps(shares, whole, delta)[:-1]
    steps += [
        Step(len(steps) + n, f"the dependency of {name} on those before is at most {loss(factor)}",
             "one user changes sides", "Des.Ex9")
        for n, (name, factor) in enumerate(zip(names[1:], depends[1:], strict=True), 1)
    ]  # fmt: skip
    said = f"together they lose at most {loss(whole)} at δ = {delta}"
    uses = tuple(range(1, len(steps) + 1))
    steps.append(Step(len(steps) + 1, said, "losses and dependencies add up", "Des.Thm6", uses))
    guarantee = StatedGuarantee("together, by composition", whole, delta, "Des.Thm6", exact=False)
    note = (
        "Too many vectors of counts to list: the exact loss is not computed. A day alone is exact; "
        "dependencies are bounded for any number of users; δ is shared out over the days."
    )
    drawing = _drawing(
        title, "day", delta,
        [
            ("bound of composition", [x for x, _ in bounds]),
            ("each alone, added up", _products(alone)),
        ],
    )  # fmt: skip
    return SettingFinding(title, setting, (guarantee,), (table,), steps, (note,), drawing)


def _drawing(
    title: str,
    when: str,
    delta: Fraction,
    lines: Sequence[tuple[str, Sequence[Fraction | None]]],
) -> Drawing:
    """Return ε over the number of mechanisms."""
    shown = [
        (
            name,
            [float(n) for n in range(1, len(factors) + 1)],
            [None if x is None else upper_log(x) for x in factors],
        )
        for name, factors in lines
    ]
    return Drawing(title, [Panel(f"{when}s", f"ε at δ = {delta}", shown, whole_x=True)])


def _products(factors: Sequence[Fraction | None]) -> list[Fraction | None]:
    return [composed(factors[: n + 1]) for n in range(len(factors))]
