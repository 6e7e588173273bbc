"""A derivation as an article: setting, facts, theorem, derivation, tightness, counterexamples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from dpcomp_sym.engine import Condition, Refuted
from dpcomp_sym.kernel import Theorem, dag
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.notions.meeting import explained, points
from dpcomp_sym.numbers import Bound
from dpcomp_sym.profile import ALL, Profile
from dpcomp_sym.report.attaining import attaining_pairs
from dpcomp_sym.report.bound_numbers import number_of
from dpcomp_sym.report.choice import choice_sections, numbers_section
from dpcomp_sym.report.document import (
    Block,
    Display,
    Document,
    Example,
    Items,
    Paragraph,
    Section,
    StatementBlock,
    Table,
    capital,
    listed,
    plain,
)
from dpcomp_sym.report.facts import (
    CONDITION_NAMES,
    Lemma,
    condition_blocks,
    condition_prose,
    fact_prose,
    lemmas,
    weakest_prose,
)
from dpcomp_sym.report.formulas import (
    Symbols,
    interval,
    mechanism,
    private,
    sentence,
    width,
)
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.report.text import condition_label
from dpcomp_sym.report.works import cited
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.latex import latex_name

__all__ = [
    "IN_ORDER",
    "CompositionReport",
    "all_lemmas",
    "argued",
    "article",
    "attained",
    "examples",
    "in_words",
    "named_parameters",
    "notes_in_words",
    "proof_of",
    "reason",
    "rule_words",
    "spoken",
    "step_prose",
    "summary_table",
]


class CompositionReport(Protocol):
    """What a report is about: everything that is known of a composition."""

    @property
    def title(self) -> str:
        """The title."""

    @property
    def problem(self) -> Problem:
        """The composition."""

    @property
    def conditions(self) -> Mapping[str, Condition]:
        """The conditions by name."""

    @property
    def profile(self) -> Profile:
        """What neighbours do to the parts."""

    @property
    def bounds(self) -> Sequence[Bound]:
        """One bound a notion."""

    @property
    def theorems(self) -> Mapping[str, Theorem]:
        """The kernel's theorem for each notion."""

    @property
    def notes(self) -> Sequence[str]:
        """Remarks for the reader."""

    @property
    def choice(self) -> Mapping[str, Any] | None:
        """The databases that a person can be in, where the problem is about that."""

    @property
    def numbers(self) -> Mapping[str, Any] | None:
        """What composition theorems make of the numbers, as plain data, if that was asked."""

    @property
    def vacuous(self) -> bool:
        """Whether there are no two different neighbours."""

    @property
    def infinite(self) -> bool:
        """Whether there is no finite bound."""

    @property
    def verdict(self) -> str:
        """The word for the whole."""

    def notation(self) -> Notation:
        """Return how the problem is described."""

    def unwritable(self, option: str) -> str | None:
        """Return why a file cannot be written about this, or None if it can."""


IN_ORDER: Final = r"Here $x_{(1)} \ge x_{(2)} \ge \dots$ are the $x_i$ in order."
_FACTS = t.StructureFact
_INLINE = 22
_RULES = {
    "given": "is given",
    "oracle": "a structural fact",
    "everywhere": "group privacy",
    "between_neighbours": "neighbours being at distance at most $1$",
    "preprocess": "preprocessing",
    "pushforward": "dependence on the image alone",
    "run_family": "adaptive composition, by induction on the number of blocks",
    "run_adaptively": "adaptive composition",
    "compose_profile": "counting the blocks that each edit can change",
    "compatible_profile": "conditions C1 and C2",
    "weaken_profile": "larger distances",
    "common_distance": "images of neighbours being neighbours in the pushforward",
    "maximum_over_neighbours": "taking the worst neighbours",
    "cover_cases": "cases that cover all sizes",
    "bounded_polynomial": "comparing term by term",
    "anywhere": "blocks that change together being some blocks",
    "abel": "summation by parts over the ordered guarantees",
    "maximum": "bounding every term of a maximum",
    "monotone": "monotony",
    "change_guarantee": "monotony in the guarantee",
    "convert": "conversion between notions, distance by distance",
    "choose": "a block being no worse than the worst one",
    "each_block": "bounding each block",
    "factor_in": "a factor that all blocks have",
    "factor_out": "a factor that all blocks have",
    "growth_in": "growth over steps being a sum of powers of $e$",
    "growth_most": "each step growing at most as the last one",
    "growth_out": "growth over steps being a sum of powers of $e$",
    "growth_least": "growth over a distance being at least proportional to it",
    "induction": "induction on the number of blocks",
    "metric_of_sensitivity": "the sensitivity of the map",
    "postprocess": "post-processing",
    "pull_back_leq": "comparing the distances of images",
    "rescale_guarantee": "a factor of the distance being one of the guarantee",
    "rescale_leq": "a factor on both sides",
    "restrict": "restriction to these sizes",
    "root": "comparing squares",
    "share": "dividing the blocks into smaller choices",
    "some_item": "a term being at most the maximum",
    "spread": "each of the chosen blocks being at most the worst one",
    "squares": "squares adding up to at most the square of the sum",
    "transitive": "putting inequalities together",
    "transitive_leq": "putting inequalities together",
    "transport": "putting each group of blocks into one that is at least as bad",
    "weaken_metric": "a guarantee being weaker at a larger distance",
}


# ------------------------------------------------------------------ the article


def article(finding: CompositionReport) -> Document:
    """Return the whole report of a derivation."""
    notation = finding.notation()
    return Document(
        finding.title or "A composition", _abstract(finding, notation),
        tuple(_sections(finding, notation)),
    )  # fmt: skip


def _sections(finding: CompositionReport, notation: Notation) -> Iterator[Section]:
    label = notation.label
    steps = _steps(finding)
    facts = lemmas(steps, notation)
    yield Section("Setting", f"{label}:setting", tuple(notation.definitions()))
    conditions = list(condition_blocks(finding.conditions, notation))
    own = tuple(notation.lemmas())
    if conditions or facts or own:
        decided = (Paragraph(notation.deciding()),)
        solver = StatementBlock("remark", "How facts are decided", f"{label}:solver", decided)
        blocks = [solver, *conditions, *(f.block for f in facts), *own]
        yield Section("What neighbours change", f"{label}:facts", tuple(blocks))
    yield Section("The guarantee", f"{label}:guarantee", tuple(_guarantee(finding, notation)))
    if finding.choice is not None:
        yield from choice_sections(finding.choice, notation)
    if finding.numbers is not None:
        yield numbers_section(finding.numbers, label)
    if steps:
        derivation = tuple(_derivation(finding, notation, facts))
        yield Section("Derivation", f"{label}:derivation", derivation)
    tight = list(_tightness(finding, notation))
    if tight:
        yield Section("Tightness", f"{label}:tightness", tuple(tight))
    yield Section("What this rests on", f"{label}:trust", tuple(_trust(finding, notation)))


def _steps(finding: CompositionReport) -> list[Theorem]:
    """Return the steps of all derivations, each once, premises first."""
    found: dict[int, Theorem] = {}
    for theorem in finding.theorems.values():
        for step in dag(theorem):
            found.setdefault(id(step), step)
    return list(found.values())


def _abstract(finding: CompositionReport, notation: Notation) -> str:
    start = notation.subject()
    if finding.vacuous:
        return (
            f"{start} No two different databases of the class are neighbours, so that every "
            "guarantee holds vacuously and none protects anybody."
        )
    if not finding.bounds:
        return f"{start} No guarantee could be derived."
    first = finding.bounds[0]
    said = f"In the sense of {NOTIONS[first.notion].words.name} it is ${first.latex}$"
    if width(first.latex) > _INLINE:
        said = "We give it in closed form"
    if finding.infinite:
        known = (
            "It has no finite guarantee"
            if finding.profile.exact
            else "None that is finite was found"
        )
        said = f"{known}, at least for some numbers of blocks"
    tight = ", and this cannot be improved" if first.tight == "yes" else ""
    return f"{start} {said}{tight} ([[{notation.label}:theorem]])."


# ------------------------------------------------------------------ the guarantee


def _guarantee(finding: CompositionReport, notation: Notation) -> Iterator[Block]:
    g = notation.symbols.relation(finding.problem.outer.name)
    if finding.vacuous:
        yield StatementBlock(
            "theorem", "Vacuity", f"{notation.label}:theorem",
            (
                Paragraph(
                    rf"No two different databases in $\mathbb{{D}}$ are ${g}$-neighbours. Every "
                    "mechanism has every guarantee between neighbours, and no statement about "
                    "neighbours says anything."
                ),
            ),
        )  # fmt: skip
        return
    if not finding.bounds:
        yield Paragraph("No guarantee was derived.")
        yield from (Paragraph(plain(note)) for note in finding.notes)
        return
    items = [tuple(_bound(bound, g)) for bound in finding.bounds]
    body: list[Block] = [*_introduced(finding, notation), Items(tuple(items), numbered=True)]
    if any("_{(j)}" in b.latex or "_{(l)}" in b.latex for b in finding.bounds):
        body.append(Paragraph(IN_ORDER))
    if any(r"\Phi^{-1}" in b.latex for b in finding.bounds):
        body.append(
            Paragraph(
                r"Here $\Phi$ is the distribution function of a normal number: what is "
                r"$\varepsilon$-DP is $2 \Phi^{-1}(e^\varepsilon / (1 + e^\varepsilon))$-GDP."
            )
        )
    body += [*_points(finding), *attained(finding, notation)]
    argument = (Paragraph(_argument(finding, notation)),)
    yield StatementBlock("theorem", "", f"{notation.label}:theorem", tuple(body), argument)
    for bound in finding.bounds:
        if isinstance(bound.pareto, str):
            continue
        if bound.pareto and len(bound.pareto) > 1:
            yield Paragraph(
                f"A single pair of neighbours needs one of {len(bound.pareto)} maximal guarantees "
                "$(\\varepsilon, \\delta)$; the bound is their join."
            )


def attained(
    finding: CompositionReport, notation: Notation, *, numbered: bool = True
) -> Iterator[Block]:
    """Yield which of the bounds cannot be improved, for which symbols, and at which databases.

    The bounds are ``numbered``, or called by their notions.
    """
    pairs = attaining_pairs(finding.profile, notation)
    where = _at_which(finding.profile, pairs)
    for shown in dict.fromkeys(_shown(b) for b in finding.bounds if b.tight == "yes"):
        items = [
            str(number) if numbered else NOTIONS[bound.notion].words.name
            for number, bound in enumerate(finding.bounds, 1)
            if bound.tight == "yes" and _shown(bound) == shown
        ]
        which = listed(items) if numbered else f"for {listed(items)}"
        bounds = "bound" if numbered else "the bound"
        named = f"{bounds} {which} is" if len(items) == 1 else f"{bounds}s {which} are"
        only = f", {_in_formulas(shown)}" if shown else ""
        symbols = [] if shown else [f"${latex_name(n)}$" for n in finding.problem.symbols]
        every = f"For every {listed(symbols)}, and some" if symbols else "For some"
        yield Paragraph(
            f"{every} $\\mathcal{{X}}$ and functions on it, {named} attained by mechanisms with "
            f"the given guarantees, and cannot be improved{only}{where}{':' if pairs else '.'}"
        )
    if any(b.tight == "yes" for b in finding.bounds):
        yield from pairs


def _at_which(profile: Profile, pairs: Sequence[Block]) -> str:
    """Return at which neighbours bounds are attained, where these are written down."""
    if not pairs:
        return ""
    chosen = any(
        not g.block and g.when is None and g.count != ALL
        for case in profile.cases for vector in case.vectors for g in vector
        if next(m for m in profile.maps if m.name == g.map).indices
    )  # fmt: skip
    named = (
        "one of these pairs of neighbours $D$, $D^*$"
        if any(len(of) > 1 for case in profile.cases for _, of in case.worst)
        else "these neighbours $D$, $D^*$"
    )
    numbers = ", the blocks with the largest parameters having the numbers $1, 2, \\dots$" * chosen
    return f", at {named}{numbers}"


def _shown(bound: Bound) -> str:
    """Return for which symbols a bound is shown to be tight, where not for all."""
    found = re.search(r"shown for .*", bound.tight_note)
    return found[0] if found else ""


def _in_formulas(shown: str) -> str:
    r"""Return for which symbols something was shown, with the ranges as formulas.

    >>> print(_in_formulas("shown for w >= 1 and k = 1; for 2 <= a <= 3"))
    shown for $w \ge 1$ and $k = 1$; for $2 \le a \le 3$
    """

    def formula(found: re.Match[str]) -> str:
        low, symbol, sign, number = found.groups()
        above = rf"{low} \le " if low else ""
        of = {"<=": r"\le", ">=": r"\ge", "=": "="}[sign]
        return f"${above}{latex_name(symbol)} {of} {number}$"

    return re.sub(r"(?:(-?\d+) <= )?([A-Za-z]\w*) (<=|>=|=) (-?\d+)", formula, shown)


def _points(finding: CompositionReport) -> Iterator[Block]:
    """Yield what the functions mean that take one point of a curve."""
    used = [bound.latex for bound in finding.bounds]
    if any(r"\rho_{\mathrm{P}}" in latex for latex in used):
        yield Paragraph(
            r"Here $\rho_{\mathrm{P}}(\varepsilon, r) = \varepsilon \bigl(r - 2a(1 - a^r)/"
            r"(1 - a^2)\bigr)$ with $a = e^{-\varepsilon}$, which is what is lost at most over $r$ "
            r"steps that lose $\varepsilon$ each; it is at most $r^2 \varepsilon^2/2$ "
            "[@BS16|Prop. 1.4]."
        )
    if any(r"\mu_{\mathrm{P}}" in latex for latex in used):
        yield Paragraph(
            r"Here $\mu_{\mathrm{P}}(\varepsilon, r) = h(\lfloor (r+1)/2 \rfloor) + "
            r"h(\lceil (r+1)/2 \rceil)$ with $h(j) = \Phi^{-1}\bigl(1 - a^j/(1 + a)\bigr)$ and "
            r"$a = e^{-\varepsilon}$, which is what is lost at most over $r$ steps that lose "
            r"$\varepsilon$ each."
        )
    if any(r"\varepsilon_{\mathrm{Z}}" in latex for latex in used):
        yield Paragraph(
            r"Here $\varepsilon_{\mathrm{Z}}(\rho, \delta) = \min_{\alpha > 1} \bigl(\rho \alpha + "
            r"\ln(1 - 1/\alpha) - \ln(\alpha \delta)/(\alpha - 1)\bigr)$, or $0$ if that is "
            r"negative: what is $\rho$-zCDP is $(\varepsilon_{\mathrm{Z}}(\rho, \delta), "
            r"\delta)$-DP for every $\delta \in {]0, 1[}$ [@CKS20|Prop. 12]. It is less than "
            r"$\rho + 2 \sqrt{\rho \ln(1/\delta)}$ [@BS16|Prop. 1.3]."
        )
    if any(r"\delta_{\mathrm{G}}" in latex for latex in used):
        yield Paragraph(
            r"Here $\delta_{\mathrm{G}}(\mu, \varepsilon) = \Phi(\mu/2 - \varepsilon/\mu) - "
            r"e^\varepsilon\, \Phi(-\mu/2 - \varepsilon/\mu)$, with the distribution function "
            r"$\Phi$ of a normal number: what is $\mu$-GDP is $(\varepsilon, "
            r"\delta_{\mathrm{G}}(\mu, \varepsilon))$-DP for every $\varepsilon \ge 0$ "
            r"[@DRS19|Cor. 2.13]."
        )


def _argument(finding: CompositionReport, notation: Notation) -> str:
    """Return where the guarantees are proved, as marked prose."""
    if finding.theorems:
        said = f"See the numbered steps of [[{notation.label}:derivation]]."
    else:
        by = ", ".join(name for bound in finding.bounds for name in bound.by if name != "N1")
        own = [b.label for b in notation.lemmas() if isinstance(b, StatementBlock)]
        said = f"By [[{','.join(own)}]], group privacy and adaptive composition {cited(by)}."
    if any(bound.elsewhere for bound in finding.bounds):
        said += (
            " What is stated for other numbers of a symbol is derived in the same way, of the "
            "problem in which the symbol has no other numbers."
        )
    if any("HBW.V-A.3" in bound.by for bound in finding.bounds):
        pairs = finding.choice is not None and finding.choice["worst"]
        which = f"the vectors of [[{notation.label}:worst]]" if pairs else "two allowed vectors"
        said += (
            f" In numbers, the sums are taken over the databases in which {which} differ "
            "[@HBW|V-A.3]."
        )
    return said


def _introduced(finding: CompositionReport, notation: Notation) -> Iterator[Block]:
    """Yield what the composition is called; a long formula stands on a line of its own."""
    g = notation.symbols.relation(finding.problem.outer.name)
    has = rf"has the following guarantees for ${g}$-neighbours in $\mathbb{{D}}$."
    whole = next(
        (
            mechanism(theorem.statement.mechanism, notation.symbols)
            for theorem in finding.theorems.values()
            if isinstance(theorem.statement, t.Private)
        ),
        "",
    )
    if width(whole) > _INLINE:
        yield Paragraph("The composition of all mechanisms,")
        yield Display(f"M = {whole}", ",")
        yield Paragraph(has)
        return
    named = f"$M = {whole}$" if whole else "$M$"
    yield Paragraph(f"The composition of all mechanisms, {named}, {has}")


def named_parameters(notion: str, formula: str) -> str:
    """Return the parameters of a guarantee, with hats where the formula uses their names."""
    symbols = NOTIONS[notion].words.formula
    letters = re.findall(r"\\[a-z]+", symbols)
    if any(re.search(rf"{re.escape(one)}(?![a-z_])", formula) for one in letters):
        return re.sub(r"\\[a-z]+", lambda m: rf"\hat{{{m[0]}}}", symbols)
    return symbols


def _bound(bound: Bound, g: str) -> Iterator[Block]:
    symbol = named_parameters(bound.notion, bound.latex)
    words = NOTIONS[bound.notion].words
    yield Paragraph(
        f"{capital(words.name)}: $M$ is ${symbol}$-{words.short} for ${g}$-neighbours with"
    )
    yield Display(f"{symbol} = {bound.latex}", ".")
    said = number_of(bound)
    if said and said != "∞":
        said = said.replace("≈ ", "about ", 1) if said.startswith("≈") else said
        yield Paragraph(f"With the numbers of the specification this is {said}.")
    elif said and r"\infty" not in bound.latex:
        yield Paragraph("With the numbers of the specification there is no finite guarantee.")
    for numbers, other in bound.elsewhere:
        best = ", and this cannot be improved" if other.tight == "yes" else ""
        note = f" ({plain(other.tight_note)})" if other.tight_note else ""
        yield Paragraph(f"For ${interval(numbers)}$ it is ${other.latex}${best}{note}.")


# ------------------------------------------------------------------ the derivation


def _derivation(
    finding: CompositionReport, notation: Notation, facts: Sequence[Lemma]
) -> Iterator[Block]:
    label = notation.label
    of_fact = {id(step): lemma.label for lemma in facts for step in lemma.steps}
    numbers: dict[int, int] = {}
    losses = any(
        isinstance(s.statement, t.Private) and not isinstance(s.statement.loss, t.Neighbouring)
        for s in _steps(finding)
    )
    if losses:
        yield Paragraph(
            "A guarantee may depend on the pair $D, D'$ that is compared; then it is written as a "
            "function of their distance." + _growth(finding)
        )
    for notion, theorem in finding.theorems.items():
        new = [s for s in dag(theorem) if id(s) not in numbers and s.rule != "oracle"]
        if not new:
            continue
        name = NOTIONS[notion].words.name
        start = len(numbers) + 1
        items, labels = [], []
        for step in new:
            numbers[id(step)] = len(numbers) + 1
            labels.append(f"{label}:step{numbers[id(step)]}")
            items.append(tuple(_step(step, notation, numbers, of_fact)))
        listing = Items(tuple(items), tuple(labels), numbered=True, start=start)
        yield Section(capital(name), f"{label}:{notion}", (listing,))


def proof_of(theorem: Theorem, notation: Notation) -> Items:
    """Return the steps of a proof, structural facts among them, each with what it follows from."""
    numbers: dict[int, int] = {}
    items, labels = [], []
    for step in dag(theorem):
        numbers[id(step)] = len(numbers) + 1
        labels.append(f"{notation.label}:step{len(numbers)}")
        items.append(tuple(_step(step, notation, numbers, {})))
    return Items(tuple(items), tuple(labels), numbered=True)


def _growth(finding: CompositionReport) -> str:
    return "".join(NOTIONS[notion].words.about_growth for notion in finding.theorems)


def _step(
    step: Theorem, notation: Notation, numbers: Mapping[int, int], of_fact: Mapping[int, str]
) -> Iterator[Block]:
    uses = [
        of_fact.get(id(p)) or f"{notation.label}:step{numbers[id(p)]}"
        for p in step.premises
        if id(p) in of_fact or id(p) in numbers
    ]
    because = argued(step.rule, reason(step), uses)
    if isinstance(step.statement, _FACTS):
        yield Paragraph(f"{capital(step_prose(step, notation))}. {because}")
        return
    yield from spoken(*in_words(step.statement, notation.symbols), because)


def argued(rule: str, why: str, uses: Sequence[str]) -> str:
    """Return why a step holds: a rule in words, and the labels of what it uses.

    >>> argued("given", "given", []), argued("sum", "adding up", ["a:step1"])
    ('*(Given.)*', '*By* adding up, from [[a:step1]].')
    """
    if rule in {"given", "oracle"}:
        return "*(Given.)*" if rule == "given" else "*(Decided by the solver.)*"
    labels = ",".join(dict.fromkeys(uses))
    return f"*By* {why}, from [[{labels}]]." if labels else f"*By* {why}."


def in_words(statement: t.Statement, symbols: Symbols) -> tuple[str, str]:
    """Return a statement as a sentence, and the formula to display after it if that is long."""
    if isinstance(statement, t.Private):
        start, said, end = private(statement, symbols)
        if width(said) > _INLINE or r"\begin" in said:
            symbol, suffix = (
                named_parameters(statement.notion, said),
                NOTIONS[statement.notion].words.short,
            )
            return f"{capital(start)} ${symbol}$-{suffix}{end} with", f"{symbol} = {said}"
    return capital(sentence(statement, symbols)), ""


def spoken(said: str, formula: str, because: str) -> Iterator[Block]:
    """Yield what a step says and why."""
    if not formula:
        yield Paragraph(f"{said}. {because}".rstrip())
        return
    yield Paragraph(said)
    yield Display(formula, ".")
    if because:
        yield Paragraph(because)


def rule_words(rule: str) -> str:
    """Return what a rule of the kernel is called."""
    return _RULES.get(rule, rule.replace("_", " "))


def reason(step: Theorem) -> str:
    """Return the rule of a step with its sources, as marked prose."""
    why = rule_words(step.rule)
    source = cited(step.source)
    return f"{why} {source}" if "[@" in source else why


def step_prose(step: Theorem, notation: Notation) -> str:
    """Return what a step says, as marked prose without a full stop."""
    if isinstance(step.statement, _FACTS):
        return fact_prose(step.statement, notation).removesuffix(".")
    return sentence(step.statement, notation.symbols)


def all_lemmas(finding: CompositionReport, notation: Notation) -> list[Lemma]:
    """Return the structural facts behind all derivations."""
    return lemmas(_steps(finding), notation)


# ------------------------------------------------------------------ tightness, trust


def _tightness(finding: CompositionReport, notation: Notation) -> Iterator[Block]:
    if finding.vacuous or not finding.bounds:
        return
    directed = finding.problem.outer.directed or any(
        p.granularity.directed for p in finding.problem.bound_parts
    )
    tight = [] if directed else [b for b in finding.bounds if b.tight == "yes"]
    attained = [b for b in tight if NOTIONS[b.notion].attaining and b.latex != r"\infty"]
    infinite = [b for b in tight if r"\infty" in b.latex]
    blocks: list[Block] = []
    if attained:
        written = bool(attaining_pairs(finding.profile, notation))
        blocks += _attaining(attained, notation, written=written)
    if infinite:
        blocks.append(_telling_apart(infinite, notation))
    others: dict[str, list[str]] = {}
    for bound in finding.bounds:
        if bound in attained or bound in infinite:
            continue
        words = {
            "yes": "the bound is attained",
            "no": "the bound is not the best one",
            "unknown": "it is open whether the bound is the best one",
        }[bound.tight]
        note = f" ({plain(bound.tight_note)})" if bound.tight_note else ""
        others.setdefault(f"{words}{note}", []).append(NOTIONS[bound.notion].words.name)
    blocks += [Paragraph(f"For {listed(names)}, {said}.") for said, names in others.items()]
    yield StatementBlock("remark", "Tightness", f"{notation.label}:tight", tuple(blocks))


def _attaining(bounds: Sequence[Bound], notation: Notation, *, written: bool) -> list[Block]:
    g = notation.symbols.relation(notation.problem.outer.name)
    names = listed([NOTIONS[b.notion].words.name for b in bounds])
    taken = f"{notation.chosen}${g}$-neighbours $D, D^*$ at which it is largest"
    if written:
        taken += f", as they are written down in [[{notation.label}:theorem]]"
    found: list[Block] = [
        Paragraph(
            f"For {names}, the bound is attained. Take {taken}, and let part $p$ see them as "
            "$D_p$ and $D_p^*$, at distance $r_p = d_p(D_p, D_p^*)$ in its own metric; each block "
            "of a family counts as a part. "
            "For a database $E$ of the part's class, put $s_p(E) = \\min\\{d_p(E, D_p), r_p\\}$, "
            "which changes by at most $d_p(E, E')$ between $E$ and $E'$."
        )
    ]
    items = [
        (Paragraph(f"*{notion.words.name.capitalize()}.* {notion.attaining.prose}"),)
        for notion in (NOTIONS[b.notion] for b in bounds)
        if notion.attaining is not None
    ]
    found.append(Items(tuple(items)))
    return found


def _telling_apart(bounds: Sequence[Bound], notation: Notation) -> Block:
    """Return the mechanism for parts that see neighbours at an infinite distance."""
    g = notation.symbols.relation(notation.problem.outer.name)
    names = listed([NOTIONS[b.notion].words.name for b in bounds])
    return Paragraph(
        f"For {names}, where the bound is infinite there is no finite guarantee. For some "
        f"{notation.chosen}${g}$-neighbours $D, D^*$, a part $p$ sees databases $D_p$ and $D_p^*$ "
        "that no number of steps links. Let $M_p(E)$ tell whether $d_p(E, D_p)$ is finite. No step "
        "changes that, so $M_p$ has every guarantee; and its outputs at $D$ and $D^*$ differ with "
        "certainty."
    )


def _trust(finding: CompositionReport, notation: Notation) -> Iterator[Block]:
    claims = [
        "on the guarantees of the single mechanisms, which are not examined here",
        f"on the definitions of [[{notation.label}:setting]] being those that are meant",
        "on the solver's answers, and on its formulas saying what the facts say",
        "on the published theorems that the steps name",
    ]
    said = f"The result rests {'; '.join(claims[:-1])}; and {claims[-1]}."
    if finding.unwritable("certificate") is None:
        said += (
            " `dpcomp derive --certificate` writes the whole derivation as data, and "
            "`dpcomp verify` is a second program that checks it step by step."
        )
    yield Paragraph(said)
    if finding.notes and finding.bounds:
        yield Items(tuple((Paragraph(note),) for note in notes_in_words(finding, notation)))


def notes_in_words(finding: CompositionReport, notation: Notation) -> Iterator[str]:
    """Yield the notes as marked prose: where a curve is read at a point, with formulas."""
    parts = finding.problem.bound_parts
    chosen = dict(zip(explained(parts), points(parts).items(), strict=True))
    indices = {p.name: ",".join(i for i, _ in p.map.indices) for p in parts}
    for note in finding.notes:
        if note not in chosen:
            yield plain(note)
            continue
        name, point = chosen[note]
        rule = point.rule
        words = NOTIONS[rule.target].words
        letter = words.latex[NOTIONS[rule.target].parameters.index(str(rule.chosen))]
        article = "an" if str(rule.chosen)[0] in "aeiou" else "a"
        yield (
            f"The bound takes ${notation.symbols.mechanism(name, indices[name])}$, for which "
            f"{NOTIONS[rule.source].words.name} is given, as ${words.formula}$-{words.short}, for "
            f"{article} ${letter}$ that can be chosen: "
            f"${latex_name(point.name, indices[name])}$"
        )


def summary_table(finding: CompositionReport, notation: Notation) -> Table:
    """Return the conditions with their verdicts."""
    rows = []
    for name, condition in finding.conditions.items():
        several = name in CONDITION_NAMES and any(
            other.startswith(f"{name}[") for other in finding.conditions
        )
        said = plain(condition.statement) if several else condition_prose(condition, notation)
        if condition.weakest and not several:
            said += f". It holds exactly when {weakest_prose(condition, notation)}"
        elif condition.no_weakest and name != "commutes" and not several:
            said += f". For which labels it holds: {plain(condition.no_weakest)}"
        rows.append((plain(condition_label(name)), condition.verdict, f"{capital(said)}."))
    return Table(("Condition", "Verdict", "Statement"), tuple(rows), (0.2, 0.14, 0.6))


def examples(finding: CompositionReport) -> list[tuple[str, Example]]:
    """Return the different counterexamples of a finding, each with what it refutes."""
    found: list[tuple[list[str], Example]] = []
    for name, condition in finding.conditions.items():
        if isinstance(condition.outcome, Refuted):
            data = condition.outcome.counterexample.as_json(finding.problem.used_maps)
            known = next((names for names, e in found if e.data == data), None)
            if known is None:
                found.append(([condition_label(name)], Example(data)))
            else:
                known.append(condition_label(name))
    return [(f"Refutes {listed(names)}", example) for names, example in found]
