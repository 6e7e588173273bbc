"""Results in the terminal: readable in 80 columns, coloured only on a terminal."""

from __future__ import annotations

import io
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from typing import Any, Final

from rich.box import HEAVY, SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from dpcomp_sym.notions import label
from dpcomp_sym.printable import in_lines
from dpcomp_sym.report.databases import databases, placed

__all__ = [
    "COLOURS",
    "TIGHT",
    "aside",
    "comparisons",
    "condition_label",
    "counterexample",
    "equated",
    "heading",
    "pieces_to_text",
    "print_pieces",
    "render",
    "rounded_up",
    "steps_table",
    "to_text",
    "why_infinite",
    "wrapped",
]

COLOURS: Final = {
    "proved": "bold green",
    "refuted": "bold red",
    "checked": "bold yellow",
    "unknown": "bold yellow",
    "vacuous": "bold magenta",
}
TIGHT: Final = {"yes": "tight", "no": "not tight", "unknown": "perhaps not tight"}
MAX_PARETO: Final = 6
BEYOND_FLOATS: Final = "> 1e+308"

FUNCTIONS: Final = {
    "growth": ("growth(eps, r)", "(e^(r*eps) - 1)/(e^eps - 1), which is r for eps = 0"),
    "gdp": ("gdp(eps)", "2*Phi^-1(e^eps/(1 + e^eps))"),
    "tanh": ("tanh(x)", "(e^x - e^-x)/(e^x + e^-x); published: x in its place"),
    "path_rho": (
        "path_rho(eps, r)",
        "eps*(r - 2*a*(1 - a^r)/(1 - a^2)), a = e^-eps; published: r^2*eps^2/2",
    ),
    "path_mu": (
        "path_mu(eps, r)",
        (
            "h(floor((r + 1)/2)) + h(ceil((r + 1)/2)), h(j) = Phi^-1(1 - a^j/(1 + a)), "
            "a = e^-eps; published: r*gdp(eps)"
        ),
    ),
    "zcdp_epsilon": (
        "zcdp_epsilon(rho, delta)",
        (
            "min over alpha > 1 of rho*alpha + ln(1 - 1/alpha) - ln(alpha*delta)/(alpha - 1), "
            "at least 0; published: rho + 2*sqrt(rho*ln(1/delta))"
        ),
    ),
    "gaussian_delta": (
        "gaussian_delta(mu, eps)", "Phi(mu/2 - eps/mu) - e^eps*Phi(-mu/2 - eps/mu)",
    ),
}  # fmt: skip
"""What the functions in bounds mean; Phi is the distribution function of a normal number."""


def render(
    document: Mapping[str, Any], notes: Sequence[str] = (), console: Console | None = None
) -> None:
    """Print a result.

    Args:
        document: the JSON document of ``derive`` or ``check``.
        notes: sentences that the reader should know.
        console: where to; standard output if absent.
    """
    print_pieces(lambda: _pieces(document, notes), console)


def print_pieces(
    pieces: Callable[[], Iterable[RenderableType]], console: Console | None = None
) -> None:
    """Print what ``pieces`` returns; to standard output if no console is given."""
    console = console or Console(highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        # Nothing is padded to the width of a file.
        console.file.write(pieces_to_text(pieces(), console.width))
        return
    for piece in pieces():
        console.print(piece)


def to_text(document: Mapping[str, Any], notes: Sequence[str] = (), width: int = 80) -> str:
    """Return a result as plain text.

    >>> print(to_text({"title": "Empty", "verdict": "vacuous", "vacuous": True}).splitlines()[0])
    Empty: vacuous
    """
    return pieces_to_text(_pieces(document, notes), width)


def pieces_to_text(pieces: Iterable[RenderableType], width: int = 80) -> str:
    """Return what would be printed, as plain text."""
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width,
        highlight=False,
        emoji=False,
        markup=False,
        color_system=None,
        force_jupyter=False,
    )
    for piece in pieces:
        console.print(piece)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def wrapped(text: str, width: int = 80, hanging: int = 0) -> str:
    """Break long lines; what follows stands below the first word, or below that after a number.

    ``hanging`` moves it further to the right, so that it is not taken for a line of its own.

    >>> print(wrapped("  2. a long formula", 14))
      2. a long
         formula
    """
    found: list[str] = []
    for line in text.splitlines():
        start = re.match(r"\s*(?:\d+\. )?", line)
        indent = " " * (len(start[0] if start else "") + hanging)
        broken = textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
        found += broken or [""]
    return "\n".join(found)


def _pieces(document: Mapping[str, Any], notes: Sequence[str]) -> Iterator[RenderableType]:
    document, notes = in_lines(dict(document)), in_lines(list(notes))
    verdict = str(document.get("verdict", ""))
    yield Text.assemble(
        (str(document.get("title") or "Result"), "bold"), ": ", (verdict, COLOURS.get(verdict, ""))
    )
    if document.get("setting"):  # random data; neighbours have no part in it
        yield Text(str(document["setting"]))
    elif document.get("vacuous"):
        yield _vacuous()
    bounds: Sequence[Mapping[str, Any]] = document.get("bounds") or ()
    if bounds and not document.get("vacuous"):
        yield heading("Bounds")
        yield _bounds(bounds)
        yield from _after_bounds(bounds)
        if document.get("infinite") and not document.get("setting"):
            yield _infinite(bounds)
        if document.get("comparison"):
            yield heading("Composition in numbers")
            yield _comparison(document["comparison"])
    conditions: Mapping[str, Any] = document.get("conditions") or {}
    if conditions:
        yield heading("Conditions")
        yield _conditions(conditions)
        shown: list[Any] = []
        for name, condition in conditions.items():
            if not any(other.startswith(f"{name}[") for other in conditions):
                yield from _details(name, condition, conditions, shown)
    if document.get("membership"):
        yield heading("Databases")
        yield from _membership(document["membership"])
    for table in document.get("tables") or ():
        yield heading(str(table["title"]))
        yield _plain_table(table)
    if document.get("trace"):
        yield heading("Derivation")
        steps, left_out = _of_first_bound(document)
        yield steps_table(steps)
        if left_out:
            yield Text(
                f"The other notions are derived alike; --json has all {left_out} steps.",
                style="dim",
            )
    if notes:
        yield heading("Notes")
        yield _listed([Text(note) for note in notes], "•")


def _of_first_bound(document: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], int]:
    """Return the steps behind the first bound, and the number of all if there are more."""
    steps: list[Mapping[str, Any]] = list(document["trace"])
    bounds = document.get("bounds") or ()
    if not bounds or "step" not in bounds[0]:
        return steps, 0
    wanted = {bounds[0]["step"]}
    for step in reversed(steps):
        if step["step"] in wanted:
            wanted |= set(step["uses"])
    kept = [s for s in steps if s["step"] in wanted]
    return kept, len(steps) if len(kept) < len(steps) else 0


def _plain_table(described: Mapping[str, Any]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for number, column in enumerate(described["columns"]):
        table.add_column(str(column), justify="right" if number else "left")
    for row in described["rows"]:
        table.add_row(*(Text(str(cell)) for cell in row))
    return table


def heading(title: str) -> RenderableType:
    """Return a heading."""
    return Padding(Text(title, style="bold underline"), (1, 0, 0, 0))


def _vacuous() -> RenderableType:
    text = Text.assemble(
        ("VACUOUS. ", "bold magenta"),
        "No two different databases are neighbours here, so every statement about neighbours "
        "holds and none protects anybody. No guarantee is claimed: check the domain and the "
        "granularity.",
    )
    return Panel(text, box=HEAVY, border_style="magenta")


def _infinite(bounds: Sequence[Mapping[str, Any]]) -> RenderableType:
    known = all(b.get("known", True) for b in bounds)
    why = why_infinite((str(b.get("text", "")) for b in bounds), known=known)
    return Text.assemble(("No finite guarantee: ", "bold red"), why)


def why_infinite(formulas: Iterable[str], *, known: bool) -> str:
    """Say why nothing is guaranteed: infinite distances are in the formulas, a large δ is not.

    Unless it is ``known`` that no finite guarantee holds, a distance could not be bounded.

    >>> why_infinite(["(2*eps, delta*growth(eps, 2))"], known=True)
    'with these numbers the sum of the δ, or the δ of group privacy, is 1 or more.'
    >>> why_infinite(["inf"], known=False)[:40]
    'no bound was found for the distance at w'
    """
    if any("inf" in formula for formula in formulas):
        if known:
            return "no number of edits always links what the mechanisms see of two neighbours."
        return (
            "no bound was found for the distance at which some mechanism sees neighbours. "
            "Where `dpcomp relate` bounds it, a bound for the mechanisms' own granularity converts."
        )
    return "with these numbers the sum of the δ, or the δ of group privacy, is 1 or more."


def condition_label(name: str) -> str:
    """Return what a condition of the JSON output is called.

    >>> condition_label("sensitivity"), condition_label("sensitivity[counts]")
    ('C2', 'C2 of counts')
    """
    from dpcomp_sym.engine.conditions import label as called  # with it come the solvers

    return called(name)


def _conditions(conditions: Mapping[str, Any]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("Condition", no_wrap=True)
    table.add_column("Verdict", no_wrap=True)
    table.add_column("Statement")
    for name, condition in conditions.items():
        verdict = str(condition.get("verdict", ""))
        table.add_row(
            Text(said := condition_label(name)),
            Text(verdict, style=COLOURS.get(verdict, "")),
            Text(str(condition.get("statement") or "").removesuffix(f" ({said.split()[0]})")),
        )
    return table


def _details(
    name: str, condition: Mapping[str, Any], conditions: Mapping[str, Any], shown: list[Any]
) -> Iterator[RenderableType]:
    """Explain a condition; a counterexample that was already shown is not shown again."""
    label = condition_label(name)
    if condition.get("reason"):
        yield aside(f"{label}: ", str(condition["reason"]))
    of_one = name.replace("commutes", "compatibility")  # C1 of the same map
    weakest = condition.get("weakest")
    if weakest and of_one != name and weakest == conditions.get(of_one, {}).get("weakest"):
        yield aside(f"{label} holds exactly when ", f"{condition_label(of_one)} does")
    elif weakest:
        yield aside(f"{label} holds exactly when ", str(weakest))
    elif condition.get("no_weakest") and name != "commutes":  # which says it of the other two
        yield aside(f"{label}, for which labels it holds: ", str(condition["no_weakest"]))
    example = condition.get("counterexample")
    if example and example not in shown:
        shown.append(example)
        yield counterexample(label, example)


def aside(start: str, text: str) -> RenderableType:
    """Return a remark: what it is about, and the remark."""
    table = Table.grid(padding=0)
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row(Text(start, style="dim"), Text(text))
    return table


def _membership(choice: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Show which databases a person can be in, what is protected, and the worst pair."""
    yield aside("Allowed: ", str(choice["constraint"]))
    yield aside(f"{str(choice['neighbours']).capitalize()} protects: ", str(choice["protects"]))
    if choice.get("hypotheses"):
        yield from _hypotheses(choice["hypotheses"])
    for pair in choice["worst"][:1]:
        said = f"Worst pair, {label(pair['notion'])}: "
        yield aside(said, f"b in {placed(pair['b'])}")
        yield aside(" " * len(said), f"b′ in {placed(pair['b_prime'])}")


def _hypotheses(told: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Show how well an adversary who only asks which of two hypotheses holds can tell."""
    first, second = told["hypotheses"]
    label = "Told apart: "
    yield aside(label, f"{first} against {second}, all choices equally likely")
    if told["epsilon"] != "inf":
        yield aside(" " * len(label), f"ε = {rounded_up(told['epsilon'][1])}")
    for one in told["deltas"]:
        back, forth = map(rounded_up, one["delta"])
        at = f"ε = {one['epsilon']:.6g}"
        yield aside(" " * len(label), f"δ = {back} (and {forth} the other way) at {at}")


# ------------------------------------------------------------------ counterexamples


def counterexample(
    label: str, example: Mapping[str, Any], leave_out: Collection[str] = ()
) -> RenderableType:
    """Show both databases: records by block, with how often each database has them."""
    both = databases(example)
    with_blocks = any(row.block for row in both.rows)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    if with_blocks:
        table.add_column("Block")
    table.add_column("Record")
    table.add_column("D", justify="right", no_wrap=True)
    table.add_column("D′", justify="right", no_wrap=True)
    for row in both.shown:
        cells = [Text(row.block or "–")] if with_blocks else []
        cells += [Text(row.record), Text(str(row.old)), Text(str(row.new))]
        table.add_row(*cells, style="bold" if row.old != row.new else "dim")
    title = Text(f"Counterexample to {label}: neighbours D and D′", style="bold")
    pieces: list[RenderableType] = [Padding(title, (1, 0, 0, 0)), Padding(table, (0, 0, 0, 2))]
    if both.hidden:
        pieces.append(Text(f"  … and {both.hidden} more records"))
    if not both.rows:
        pieces.append(Text("  both are empty"))
    left_out = {key.replace("_", " ") for key in leave_out}
    pieces += [Text(f"  {key}: {value}") for key, value in both.remarks if key not in left_out]
    return Group(*pieces)


# ------------------------------------------------------------------ bounds and derivation


def _bounds(bounds: Sequence[Mapping[str, Any]]) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for bound in bounds:
        tight = str(bound.get("tight", ""))
        said = Text(str(bound.get("text", "")), style="bold")
        number = equated(bound) or str(bound.get("lacking", ""))
        if number:
            said.append(f"\n{number}")
        note = f" ({bound['tight_note']})" if bound.get("tight_note") else ""
        about = TIGHT.get(tight, TIGHT["unknown"])
        style = {"yes": "green", "no": "yellow"}.get(tight, "dim")
        said.append(f"\n{about}{note}", style=f"not bold {style}")
        for other in bound.get("elsewhere") or ():
            said.append(f"\nfor {other['symbols']}: {elsewhere_text(other)}", style="not bold")
        table.add_row(Text(label(bound["notion"])), said)
    return Padding(table, (0, 0, 0, 2))


def elsewhere_text(other: Mapping[str, Any]) -> str:
    """Return a bound for other numbers of a symbol, and whether it is tight there.

    >>> elsewhere_text({"text": "max(eps[i])", "tight": "yes", "tight_note": "shown for w = 1"})
    'max(eps[i]), tight (shown for w = 1)'
    """
    note = f" ({other['tight_note']})" if other.get("tight_note") else ""
    return f"{other['text']}, {TIGHT[other['tight']]}{note}"


def value_text(bound: Mapping[str, Any]) -> str:
    """Return a bound's number: exact, with a decimal where the exact one is not readable.

    >>> value_text({"value": 0.3333333333, "exact": "1/3"})
    '1/3 ≈ 0.333333'
    >>> value_text({"value": 12, "exact": "12"}), value_text({"value": "inf"})
    ('12', '∞')
    >>> value_text({"value": "inf", "exact": "2*e^1000"})
    '2*e^1000'
    """
    value, exact = bound.get("value"), bound.get("exact")
    if value is None:
        return ""
    if value == "inf":
        return "∞" if exact in {None, "inf"} else exact if len(exact) <= 32 else BEYOND_FLOATS
    near = _decimal(value)
    if exact is None:
        return near
    if exact.replace(" ", "") == near.replace(" ", ""):
        return near
    return f"{exact} ≈ {near}" if len(exact) <= 32 else f"≈ {near}"


def equated(bound: Mapping[str, Any]) -> str:
    """Return a bound's number with the sign that comes before it, or nothing.

    >>> equated({"value": 12, "exact": "12"}), equated({"value": 0.5, "exact": "1/" + "2" * 40})
    ('= 12', '≈ 0.5')
    """
    number = value_text(bound)
    return f"= {number}" if number and not number.startswith(("≈", ">")) else number


def _decimal(value: object) -> str:
    if value == "inf":  # of a pair: where there is no guarantee, there is no pair
        return BEYOND_FLOATS
    if isinstance(value, list | tuple):
        return "(" + ", ".join(_decimal(v) for v in value) + ")"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _after_bounds(bounds: Sequence[Mapping[str, Any]]) -> Iterator[RenderableType]:
    for bound in bounds:
        pareto = bound.get("pareto")
        if isinstance(pareto, str):
            yield aside("A single pair of neighbours: ", pareto)
        elif pareto:
            shown = ", ".join(_decimal(p) for p in pareto[:MAX_PARETO])
            rest = f", … ({len(pareto)} in all)" if len(pareto) > MAX_PARETO else ""
            yield aside("A single pair of neighbours has one of ", shown + rest)
    for name, (call, meaning) in FUNCTIONS.items():
        if any(f"{name}(" in str(b.get("text", "")) for b in bounds):
            yield aside(f"{call} = ", meaning)
    attained = [b for b in bounds if b.get("witness")]
    for bound in attained:
        said = "; ".join(f"{m['part']}: {m['publishes']}" for m in bound["witness"]["mechanisms"])
        yield aside(f"Attained, {label(bound['notion'])}: ", said)
    for letter, meaning in dict.fromkeys(
        (b["witness"]["letter"], b["witness"]["t"]) for b in attained
    ):
        yield aside("  where ", f"{letter} is {meaning}")
    sources = [s for b in bounds for s in b.get("by", ())]
    if sources:
        yield aside("By ", ", ".join(dict.fromkeys(map(str, sources))))


def _comparison(compared: Mapping[str, Any]) -> RenderableType:
    """Show what composition theorems make of the numbers."""
    pieces: list[RenderableType] = []
    for header, rows in comparisons(compared):
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for number, name in enumerate(header):
            table.add_column(name, justify="right" if number else "left", no_wrap=number > 0)
        for first, *others in rows:
            about, _, why = first.partition("\n")
            table.add_row(Text.assemble(about, (f"\n{why}" if why else "", "dim")), *others)
        pieces.append(Padding(table, (1 if pieces else 0, 0, 0, 0)))
    if not compared.get("exact", True):
        said = f"Optimal is an upper bound here: {compared['note']}."
        pieces.insert(1, Text(said, style="dim"))
    return Padding(Group(*pieces), (0, 0, 0, 2))


def comparisons(
    compared: Mapping[str, Any],
) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Yield tables, as a header and rows, of what composition theorems make of the numbers.

    The first sets basic, advanced and optimal composition side by side, one question a row; the
    second has zero-concentrated and Gaussian bounds at one δ or ε; the third, if it was asked for,
    has one theorem a row.  There is a "≈" where floats were used.  Lines inside a cell are
    separated by line breaks.
    """
    names = ("basic", "advanced", "optimal")
    rows = []
    for row in compared.get("rows", ()):
        fixed, free = ("δ", "ε") if row["at"] == "delta" else ("ε", "δ")
        cells = [rounded_up(row[name]) for name in names]
        low = row["optimal_at_least"]
        if low is not None and rounded_up(low) != cells[-1]:
            cells[-1] += f"\n(≥ {six_digits(low)})"
        rows.append((f"{free} at {fixed} = {six_digits(row['target'])}", *cells))
    if rows:
        yield ("Smallest", *names), rows
    if compared.get("readings"):
        rows = []
        for one in compared["readings"]:
            fixed, free = ("δ", "ε") if one["at"] == "delta" else ("ε", "δ")
            said = rounded_up(one["value"])
            about = f"{label(one['notion'])}: {free} at {fixed} = {six_digits(one['target'])}"
            rows.append((about, said if one["rigorous"] else f"≈ {said}"))
        yield ("As (ε, δ)", "at most"), rows
    if not compared.get("theorems"):
        return
    rows = []
    for one in compared["theorems"]:
        said = "–" if one["epsilon"] is None else rounded_up(one["epsilon"])
        why = f"\n({one['why']})" if one["why"] else ""
        value = said if one["rigorous"] or said == "–" else f"≈ {said}"
        rows.append((f"{one['theorem']}{why}", value))
    yield ("Theorem", f"ε at δ = {compared['theorems_at_delta']:.6g}"), rows


def six_digits(value: float) -> str:
    """Return a number with six digits; an integer may be larger than any float.

    >>> six_digits(0.25), six_digits(10**400)
    ('0.25', '1e+400')
    """
    if not isinstance(value, int) or value.bit_length() < sys.float_info.max_exp:
        return f"{value:.6g}"
    with localcontext() as context:
        context.prec = 6
        return f"{(+Decimal(value)).normalize()}".lower()


def rounded_up(value: float | str) -> str:
    """Return a number with six digits that is not less; "∞" where there is no guarantee.

    (A float that is the next one above such a number stands for it.)

    >>> rounded_up(4.7745675881), rounded_up(0.25), rounded_up("inf")
    ('4.77457', '0.25', '∞')
    """
    if isinstance(value, str):
        return "∞"
    near = six_digits(value)
    if abs(Decimal(near) - Decimal(value)) <= abs(Decimal(value)) * Decimal("1e-12"):
        return near
    with localcontext() as context:
        context.prec, context.rounding = 6, ROUND_CEILING
        up = +Decimal(value)
    return six_digits(int(up) if up.adjusted() >= sys.float_info.max_10_exp else float(up))


def steps_table(trace: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Return a derivation as a table of numbered steps."""
    return _Steps(trace)


class _Steps:
    """Numbered steps, laid out as a grid of Rich would be, which measures thousands for long."""

    def __init__(self, trace: Sequence[Mapping[str, Any]]) -> None:
        self.trace = trace

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of all steps."""
        numbers = [f"{step.get('step', '')}." for step in self.trace]
        left = max(map(len, numbers), default=0) + 1
        for number, step in zip(numbers, self.trace, strict=True):
            before = number.rjust(left - 1) + " "
            wrapped_ = _told(step).wrap(console, options.max_width - left, overflow="ellipsis")
            for line in wrapped_:
                yield Segment(before)
                yield from line.render(console, "\n")
                before = " " * left


def _told(step: Mapping[str, Any]) -> Text:
    """Return what a step states, by which rule, and from which others."""
    about = [str(step.get("rule") or "")]
    if step.get("source"):
        about.append(str(step["source"]))
    if step.get("uses"):
        about.append("from " + ", ".join(str(u) for u in step["uses"]))
    text = Text(str(step.get("statement", "")))
    text.append(f"\n[{'; '.join(a for a in about if a)}]", style="dim")
    return text


def _listed(texts: Sequence[Text], mark: str) -> RenderableType:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for text in texts:
        table.add_row(Text(mark), text)
    return table
