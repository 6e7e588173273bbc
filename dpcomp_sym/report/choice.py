r"""The choice of databases as a report: who can be where, the worst pair, two hypotheses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dpcomp_sym.membership import PROTECTS, Membership, VectorReach
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.profile import Count, Symbolic, Total
from dpcomp_sym.report.databases import placed
from dpcomp_sym.report.document import (
    Block,
    Display,
    Memberships,
    Paragraph,
    Section,
    StatementBlock,
    Table,
    listed,
    plain,
    with_numbers,
)
from dpcomp_sym.report.formulas import width
from dpcomp_sym.report.setting import ADAPTIVE, Notation, guarantees
from dpcomp_sym.report.text import comparisons, rounded_up
from dpcomp_sym.report.worst_pairs import latex_product
from dpcomp_sym.statements import terms as kernel
from dpcomp_sym.statements.latex import latex_name
from dpcomp_sym.terms import INT, TRUE, Term, to_latex, to_text, variable

__all__ = ["ChoiceNotation", "choice_sections", "numbers_section"]

_INLINE = 40
_RANDOMISED = (
    "Whatever a mechanism with a guarantee publishes is randomised response, followed by "
    "something that does not see the data. So randomised response tells the most: with a "
    r"guarantee $(\varepsilon, \delta)$ it says with probability $\delta$ whether the records are "
    r"there, and otherwise gives the true answer $e^\varepsilon$ times as often as the false one. "
    "The probabilities of all its outputs under both hypotheses are added up exactly, with "
    r"$e^\varepsilon$ between two rationals, and the numbers are rounded up."
)


class ChoiceNotation(Notation):
    r"""How a choice of databases is described: by membership vectors b.

    >>> from dpcomp_sym.membership import reach
    >>> from dpcomp_sym.model import Part
    >>> two = Membership({"databases": "k"}, ["total <= 2", "databases(1) == 1"])
    >>> notation = ChoiceNotation(
    ...     two.with_parts([Part("a", "databases")]), "dp", two, reach(two))
    >>> print(notation.rule(two.rule))
    $|b| \le 2$ and $b_{1} = 1$
    """

    chosen = ""

    def __init__(
        self, problem: Problem, label: str, membership: Membership, found: VectorReach
    ) -> None:
        super().__init__(problem, label)
        self.membership = membership
        self.found = found
        self.several = len(membership.groups) > 1

    def vector(self, group: str, prime: str = "") -> str:
        """Return the symbol of the vector of a group."""
        return rf"b{prime}_{{{_roman(group)}}}" if self.several else f"b{prime}"

    def entry(self, group: str, index: str, prime: str = "") -> str:
        """Return the symbol of one entry of a vector."""
        if self.several:
            return rf"b{prime}_{{{_roman(group)},{index}}}"
        return (
            rf"b{prime}_{{{index}}}" if len(index) > 1 or index.isdigit() else f"b{prime}_{index}"
        )

    def rule(self, term: Term) -> str:
        """Return a constraint on a vector b as marked prose."""
        names = {g: rf"|{self.vector(g)}|" for g in self.membership.groups} | {"total": "|b|"}

        def flat(one: Term) -> Term:
            """Return a term in which the entries of vectors are variables with their symbols."""
            if one.op != "apply":
                inner = tuple(flat(a) if isinstance(a, Term) else a for a in one.args)
                return Term(one.op, inner, one.sort)
            name = to_text(one)
            names[name] = self.entry(one.name, to_latex(one.terms[0], names))
            return variable(name, INT)

        return self.condition(flat(term), names) if term != TRUE else ""

    def subject(self) -> str:
        """Return what is derived, as a sentence of marked prose."""
        return (
            f"A person can be in some of {self._databases()}, and a mechanism reads each of "
            "them. We derive a guarantee for all of them together; what it protects is "
            f"{PROTECTS[self.membership.neighbours].partition(':')[0]}."
        )

    def _databases(self) -> str:
        groups = self.membership.groups.items()
        return listed(
            [
                f"${_size(n)}$ databases" + (f" “{plain(g)}”" if self.several else "")
                for g, n in groups
            ]
        )

    # ------------------------------------------------------------- definitions

    def definitions(self) -> Iterator[Block]:
        """Yield the definitions: vectors, neighbours, mechanisms."""
        for kind, body in (
            ("memberships", self._memberships()),
            ("neighbours", self._neighbours()),
            ("mechanisms", self._mechanisms()),
        ):
            label = f"{self.label}:{kind}"
            yield StatementBlock("definition", kind.capitalize(), label, tuple(body))

    def _memberships(self) -> Iterator[Block]:
        groups = self.membership.groups
        if self.several:
            vectors = ", ".join(map(self.vector, groups))
            spaces = listed(
                [rf"${self.vector(g)} \in \{{0, 1\}}^{{{_size(n)}}}$" for g, n in groups.items()]
            )
            what = rf"$b = ({vectors})$ with {spaces}"
            first = next(iter(groups))
            entry = f"${self.entry(first, 'i')} = 1$"
            where = f"database $i$ of “{plain(first)}”, and alike for the others"
            size = r"$|b_g| = \sum_i b_{g,i}$ for a group $g$, and $|b| = \sum_g |b_g|$"
        else:
            (n,) = groups.values()
            what = rf"$b \in \{{0, 1\}}^{{{_size(n)}}}$"
            entry, where, size = "$b_i = 1$", "database $i$", r"$|b| = \sum_i b_i$"
        yield Paragraph(
            f"There are {self._databases()}. A *membership vector* {what} says in which of them a "
            f"person's records are: {entry} if they are in {where}. We write {size}."
        )
        allowed = self.rule(self.membership.rule)
        said = f"A vector is *allowed* if {allowed}." if allowed else "Every vector is *allowed*."
        if width(allowed) > _INLINE and allowed.count("$") == 2:
            yield Paragraph("A vector is *allowed* if")
            yield Display(allowed.strip("$"), ".")
            said = ""
        facts = [self.condition(fact) for fact in self.membership.facts]
        if facts:
            many = len(facts) > 1
            said += (
                f" The integer{'s' * many} {listed(facts)} {'are' if many else 'is'} arbitrary "
                "but fixed."
            )
        if said:
            yield Paragraph(said.strip())
        maps = [
            f"${self.symbols.map(m.name, 'i')}(D(b))$ for database $i$"
            + (f" of “{plain(m.name)}”" if self.several else "")
            for m in self.problem.used_maps.values()
        ]
        forms = [
            f"${self.symbols.space(f'{m.name}(D)', 'i')}$" for m in self.problem.used_maps.values()
        ]
        yield Paragraph(
            "What all other people contribute is fixed, so that a vector decides what the "
            rf"databases hold. We write $D(b)$ for that, $\mathbb{{D}}$ for the set of all $D(b)$ "
            f"with $b$ allowed, and {listed(maps)}: with the person's records or without them, "
            f"two forms that make up the class{'es' * self.several} {listed(forms)}."
        )

    def _neighbours(self) -> Iterator[Block]:
        g = self.symbols.relation(self.problem.outer.name)
        mapping = next(iter(self.problem.used_maps.values()))
        arrow, group = self.symbols.map(mapping.name, "i"), mapping.name
        one, other = self.entry(group, "i"), self.entry(group, "i", "'")
        apart = rf"d_{{{g}}}({arrow}(D), {arrow}(D'))"
        inside = (
            "The two forms of a single database, with the person's records and without them, are "
            f"${g}$-neighbours as well, so that"
        )
        match self.membership.neighbours:
            case "unbounded":
                said = f"For every allowed $b$, $D(0)$ and $D(b)$ are ${g}$-*neighbours*."
                distance = f"{apart} = {other}"
                where = "$D = D(0)$ and $D' = D(b')$"
            case "bounded":
                said = (
                    f"For any two allowed $b$ and $b'$, $D(b)$ and $D(b')$ are ${g}$-*neighbours*."
                )
                distance = rf"{apart} = |{one} - {other}|"
                where = "$D = D(b)$ and $D' = D(b')$"
            case "replace-one":
                said = (
                    "For any two allowed $b$ and $b'$, let the records of one person, with vector "
                    "$b$, be replaced by those of another one, with vector $b'$. What the "
                    f"databases hold before and after that are ${g}$-*neighbours* $D$ and $D'$, "
                    "also if $b = b'$."
                )
                inside = (
                    "A single database has neighbours, too: with a person's records and without "
                    "them. One person goes and another one comes, so that"
                )
                distance = f"{apart} = {one} + {other}"
                where = ""
        protects = PROTECTS[self.membership.neighbours]
        yield Paragraph(f"{said} What is protected is {plain(protects)}.")
        alike = " and alike for the other groups" if self.several else ""
        yield Paragraph(f"{inside} ${distance}${f' for {where}' if where else ''}{alike}.")

    def _mechanisms(self) -> Iterator[Block]:
        for part in self.problem.bound_parts:
            symbol = self.symbols.mechanism(part.name, "i")
            of = f" of “{plain(part.map.name)}”" if self.several else ""
            yield Paragraph(
                f"For each $i$, the mechanism ${symbol}$ (“{plain(part.name)}”) reads database "
                f"$i${of}. Between the database with a person's records and without them it is "
                f"{listed(guarantees(part))}."
            )
        yield Paragraph(f"{ADAPTIVE} The composition of all of them is $M$.")

    # ------------------------------------------------------------- facts

    def lemmas(self) -> Iterator[Block]:
        """Yield what is proved outside the kernel's derivation."""
        if self.membership.neighbours == "replace-one":
            yield _same(self)

    def deciding(self) -> str:
        """Return how facts are decided, as marked prose."""
        return (
            "Constraints on numbers of databases do not tell the databases of a group apart, so "
            "that of two vectors only this counts: how many databases of each group are in both, "
            "in the first alone, in the second alone, and in none. The statement about all pairs "
            "of vectors is negated, as a formula of linear integer arithmetic about these numbers, "
            "in which the symbols are variables as well. The solver [@Z3] finds it unsatisfiable, "
            "so that there is no counterexample."
        )

    def changes(self, fact: kernel.Statement) -> tuple[str, str, str]:
        """Return in how many databases neighbours differ, its proof, and its title."""
        del fact  # the one fact that a membership constraint has: it is what was found
        text = f"The vectors of neighbours differ in {self.amounts()}."
        if not self.membership.counting:
            proof = (
                "The constraints on single databases are left out here, which only allows more "
                f"pairs. What they exclude is taken into account in [[{self.label}:worst]]."
            )
            return text, proof, "Different databases"
        proof = f"Suppose that they differed otherwise: {self.impossible}."
        if self.found.exact:
            proof += " This many can differ, whatever the sizes are."
        return text, proof, "Different databases"

    def amounts(self) -> str:
        """Return in how many databases vectors can differ, as marked prose."""
        kinds = [
            listed(
                [
                    _most(count) + (f" of “{plain(group)}”" if self.several else "")
                    for group, count in vector.items()
                    if count != 0
                ]
            )
            for vector in self.found.vectors
        ]
        definition = self.found.definition
        where = (
            ""
            if definition is None
            else f", where ${latex_name(definition.symbol)} = {_defined(definition.text)}$"
        )
        return ", or ".join(kinds) + where


def _roman(name: str) -> str:
    escaped = name.replace("_", r"\_")
    return rf"\mathrm{{{escaped}}}"


def _size(size: str | int) -> str:
    return latex_name(size) if isinstance(size, str) else str(size)


def _most(count: Count) -> str:
    match count:
        case Symbolic() | Total():
            return f"at most ${latex_product(count)}$ databases"
        case 1:
            return "at most one database"
        case int():
            return f"at most ${count}$ databases"
        case _:
            return "any number of databases"


def _defined(text: str) -> str:
    r"""Return the formula of a number of databases in LaTeX.

    >>> print(_defined("2*min(m, k - m)"))
    2 \min(m, k - m)
    """
    named = re.sub(r"[A-Za-z]\w*", lambda m: r"\min" if m[0] == "min" else latex_name(m[0]), text)
    return named.replace("*", " ")


# ------------------------------------------------------------------ sections


def choice_sections(choice: Mapping[str, Any], notation: Notation) -> Iterator[Section]:
    """Yield what numbers tell: the worst pair of vectors, and two hypotheses.

    Args:
        choice: what the JSON output has under "membership".
        notation: of the problem, as a choice of databases.
    """
    if not isinstance(notation, ChoiceNotation):
        raise TypeError("a choice of databases is described in its own notation")
    label = notation.label
    if choice["worst"]:
        blocks = tuple(_worst(choice, notation))
        yield Section("The worst memberships", f"{label}:worst", blocks)
    if choice.get("hypotheses"):
        blocks = tuple(_told(choice["hypotheses"], notation))
        yield Section("Two hypotheses", f"{label}:told", blocks)


def _same(notation: ChoiceNotation) -> StatementBlock:
    """Return the lemma that two persons in the same databases are the worst."""
    first, other = "b_i", "b'_i"
    return StatementBlock(
        "lemma", "One person for another", f"{notation.label}:lemma",
        (
            Paragraph(
                "Two persons in the same databases lose the most: it is enough to bound what is "
                "lost at distance $2$ in each database of one allowed vector, that is, in "
                f"{notation.amounts()}."
            ),
        ),
        (
            Paragraph(
                f"The mechanism on database $i$ sees distance ${first} + {other}$. By group "
                "privacy, what it adds to the loss is $0$ at distance $0$ and convex in the "
                rf"distance, so that at ${first} + {other}$ it is at most the mean of what it is "
                rf"at $2 {first}$ and at $2 {other}$. Summed over all databases, this is at most "
                "the larger one of the losses of two persons who are both in the databases of $b$, "
                "and of two who are both in those of $b'$ [@HBW|V-A]."
            ),
        ),
    )  # fmt: skip


def _worst(choice: Mapping[str, Any], notation: ChoiceNotation) -> Iterator[Block]:
    """Yield the worst pair of each notion; notions with the same pair share it."""
    alike: list[tuple[list[str], Mapping[str, Any]]] = []
    for pair in choice["worst"]:
        name = NOTIONS[pair["notion"]].words.name
        for names, known in alike:
            if all(known[side] == pair[side] for side in ("b", "b_prime")):
                names.append(name)
                break
        else:
            alike.append(([name], pair))
    for names, pair in alike:
        first, other = pair["b"], pair["b_prime"]
        most = "lose more than these" if pair["attained"] else "were found that lose more"
        yield Paragraph(
            f"With the numbers of the specification, for {listed(names)}, no two allowed vectors "
            f"{most}: $b$ is in {_in(first)}, and $b'$ in {_in(other)}."
        )
        yield Memberships(choice["databases"], (("b", first), ("b'", other)))
    if not notation.found.exact:
        yield Paragraph(
            "They come from an integer program that has all constraints; its dual bound is the "
            f"number of [[{notation.label}:theorem]]. Weights are exact, or rounded up; that both "
            "vectors are allowed has been evaluated."
        )


def _in(databases: Mapping[str, Sequence[int]]) -> str:
    words = plain(placed(databases))
    return words if words == "no database" or len(databases) > 1 else f"the databases {words}"


def _told(told: Mapping[str, Any], notation: ChoiceNotation) -> Iterator[Block]:
    first, second = map(notation.rule, notation.membership.assumed)
    said = (
        f"Suppose that an adversary takes all allowed vectors with {first} to be equally likely "
        f"under one hypothesis, and all those with {second} under another one, and sees all "
        "outputs. With the numbers of the specification, the hypotheses are at least as hard to "
        "tell apart as neighbours under"
    )
    blocks: list[Block] = []
    if told["epsilon"] == "inf":
        blocks.append(Paragraph(f"{said} the following guarantees."))
    else:
        blocks += [
            Paragraph(f"{said} pure differential privacy with"),
            Display(rf"\varepsilon = {rounded_up(told['epsilon'][1])}", "."),
        ]
    if told["deltas"]:
        rows = tuple(
            (f"{one['epsilon']:.6g}", *map(rounded_up, one["delta"])) for one in told["deltas"]
        )
        header = (r"$\varepsilon$", r"$\delta$", r"$\delta$, the other way round")
        blocks.append(Table(header, rows, (0.2, 0.3, 0.3)))
    yield StatementBlock(
        "proposition", "Two hypotheses", f"{notation.label}:hypotheses", tuple(blocks),
        (Paragraph(f"{_RANDOMISED} See [@HBW|Corollary 7]."),),
    )  # fmt: skip


def numbers_section(compared: Mapping[str, Any], label: str) -> Section:
    """Return what composition theorems make of the numbers of a specification.

    Args:
        compared: what the JSON output has under "comparison".
        label: the start of labels.
    """
    blocks: list[Block] = [
        Paragraph(
            "With the numbers of the specification, for $(\\varepsilon, \\delta)$ at a value of "
            "one of both. Numbers are rounded up; one after ≈ was computed with floats."
        )
    ]
    for header, rows in comparisons(compared):
        first = 0.6 if len(header) == 2 else 0.25
        rest = (0.97 - first) / (len(header) - 1)
        words = tuple(
            tuple(with_numbers(" ".join(cell.split("\n"))) for cell in row) for row in rows
        )
        blocks.append(Table(header, words, (first, *(rest for _ in header[1:]))))
    if not compared.get("exact", True):
        blocks.append(Paragraph(f"Optimal is an upper bound here: {plain(compared['note'])}."))
    return Section("Composition in numbers", f"{label}:numbers", tuple(blocks))
