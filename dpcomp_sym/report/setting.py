r"""The setting of a composition as definitions: databases, neighbours, maps, mechanisms.

Everything that the problem says is printed, from the same terms that the solver reads, so that
a reader can see whether it is what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcomp_sym.model import (
    BoundEdit,
    BoundGranularity,
    BoundMap,
    BoundPart,
    Domain,
    Granularity,
    Problem,
)
from dpcomp_sym.model.mapping import bare_function
from dpcomp_sym.notions import NOTIONS
from dpcomp_sym.report.document import (
    Block,
    Display,
    Items,
    Paragraph,
    StatementBlock,
    capital,
    listed,
    plain,
    spelled,
)
from dpcomp_sym.report.formulas import Symbols, sentence
from dpcomp_sym.statements import Num
from dpcomp_sym.statements import terms as kernel
from dpcomp_sym.statements.latex import latex_name, latex_text
from dpcomp_sym.statements.latex import latex_name as parameter_name
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE, Term, subterms, to_latex
from dpcomp_sym.terms.term import conjuncts

__all__ = ["ADAPTIVE", "Notation", "class_definitions", "guarantees", "label_for", "label_of"]


_LESS = ("lt", "le")

ADAPTIVE = (
    "All mechanisms are run, in any order; the choice of a mechanism may depend on the "
    "outputs before it, as long as its guarantee holds for each of these choices. "
    "Maps and guarantees are fixed in advance."
)


def label_of(title: str, claim: str = "") -> str:
    """Return the start of all labels of a report: short, and different for different titles.

    >>> label_of("Ambulances: at most three hospitals each")
    'ambulances-at-most-three'
    >>> label_of("Ambulances: at most three hospitals each", "2*max(eps[i])")
    'ambulances-at-most-three-2-max-eps-i'
    """
    words = re.findall(r"[a-z0-9]+", title.lower())[:4] or ["composition"]
    return "-".join([*words, *re.findall(r"[a-z0-9]+", claim.lower())])


def label_for(problem: Problem, title: str, claim: str = "") -> str:
    """Return the start of all labels of a report: without a title, by parts and granularity.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> label_for(problem, "My paper's first setting"), label_for(problem, "")
    ('my-paper-s-first', 'counts-bounded')
    """
    if title:
        return label_of(title, claim)
    names = [*(p.name for p in problem.bound_parts), problem.outer.name]
    words = re.findall(r"[a-z0-9]+", " ".join(names).lower())
    return label_of(" ".join(words[:4]), " ".join([*words[4:], claim]))


class Notation:
    r"""How one problem is described: its symbols, its definitions, its facts.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> notation = Notation(problem)
    >>> notation.symbols.map("blocks", "i"), notation.symbols.relation("bounded")
    ('f_i', '\\mathcal{B}')

    ``label`` starts the labels of every statement about the problem.
    """

    chosen = "labels and "
    """What an adversary chooses besides the databases."""

    def __init__(self, problem: Problem, label: str = "dp") -> None:
        self.problem = problem
        self.label = label
        parts = problem.bound_parts
        maps = list(problem.used_maps.values())
        changing = [m for m in maps if not m.identity]
        self.maps = {
            m.name: r"\mathrm{id}"
            if m.identity
            else "f"
            if len(changing) == 1
            else rf"f^{{\mathrm{{{_escaped(m.name)}}}}}"
            for m in maps
        }
        self.mechanisms = {
            p.name: "M" if len(parts) == 1 else rf"M^{{\mathrm{{{_escaped(p.name)}}}}}"
            for p in parts
        }
        spaces = {"D": r"\mathbb{D}"}
        for m in maps:
            spaces[f"{m.name}(D)"] = (
                r"\mathbb{D}" if m.identity else self.maps[m.name].replace("f", r"\mathbb{D}", 1)
            )
        self.symbols = Symbols(self.mechanisms, self.maps, spaces, self._relations())

    def _relations(self) -> dict[str, str]:
        found: dict[str, str] = {}
        own = 0
        for granularity in (self.problem.outer, *(p.granularity for p in self.problem.bound_parts)):
            if granularity.name in found:
                continue
            own += not granularity.symbol
            found[granularity.name] = granularity.symbol or r"\mathcal{G}" + "'" * (own - 1)
        return found

    def subject(self) -> str:
        """Return what is derived, as a sentence of marked prose."""
        counts: dict[str, int] = {}
        for part in self.problem.bound_parts:
            name = f"“{plain(part.map.name)}”"
            where = f"for each block of {name}" if part.map.indices else f"behind {name}"
            where = "on the whole database" if part.map.identity else where
            counts[where] = counts.get(where, 0) + 1
        what = [
            f"a mechanism {where}" if n == 1 else f"{spelled(n)} mechanisms {where}"
            for where, n in counts.items()
        ]
        return (
            f"We derive what the composition of {listed(what)} guarantees between neighbours of "
            f"the granularity “{plain(self.problem.outer.name)}”."
        )

    def definitions(self) -> Iterator[Block]:
        """Yield the definitions of the problem."""
        return _definitions(self)

    def lemmas(self) -> Iterator[Block]:
        """Yield what is proved outside the kernel's derivation: nothing."""
        yield from ()

    def deciding(self) -> str:
        """Return how facts are decided, as marked prose."""
        return (
            "To prove a statement about all neighbours we negate it and name whatever the "
            "negation says to exist: the parameters of an edit, and a cell for each block that "
            "changes. General facts (multiplicities are natural numbers, the limits of the "
            "class, the edit, what is assumed of a map) are added for the named cells alone. "
            "What results has no quantifiers; functions, and sizes such as the number of "
            "blocks, are free symbols in it. The solver [@Z3] finds each of these formulas "
            "unsatisfiable. Any counterexample would satisfy them, so there is none, for any "
            r"set $\mathcal{X}$, any sizes and any functions."
        )

    @property
    def impossible(self) -> str:
        """The words for: the solver has refuted the formula just written."""
        return f"this is impossible, by [[{self.label}:solver]]"

    def changes(self, fact: kernel.Statement) -> tuple[str, str, str]:
        """Return the statement about changes that occur together, its proof, and its title."""
        said = sentence(fact, self.symbols)
        proof = (
            "Enumerate the combinations of blocks that an edit can change, with their distances. "
            f"Suppose that one occurred that is not among those stated, nor below one of them: "
            f"{self.impossible}, for each of them."
        )
        return f"{capital(said)}.", proof, "Changed blocks"

    def formula(self, term: Term, names: Mapping[str, str] | None = None) -> str:
        """Return a term of the spec as a formula; the maps' own functions lose their prefix."""
        return to_latex(term, {**self._own_functions(), **(names or {})})

    def condition(self, term: Term, names: Mapping[str, str] | None = None) -> str:
        """Return a formula as marked prose: its conjuncts one by one, a <= t <= b in one piece."""
        parts = conjuncts(term) or (term,)
        shown: list[str] = []
        last: Term | None = None
        for part in parts:
            text = self.formula(part, names)
            joins = last is not None and last.op in _LESS and part.op in _LESS
            if joins and last is not None and last.terms[1] == part.terms[0]:
                shown[-1] += text[len(self.formula(part.terms[0], names)) :]
            else:
                shown.append(text)
            last = part
        return listed([f"${one}$" for one in shown])

    def _own_functions(self) -> dict[str, str]:
        found: dict[str, str] = {}
        maps = list(self.problem.used_maps.values())
        bare = [own for m in maps for own in self._bare(m).values()]
        for m in maps:
            for full, short in self._bare(m).items():
                symbol = latex_name(short)
                if bare.count(short) > 1:
                    symbol += rf"^{{\mathrm{{{_escaped(m.name)}}}}}"
                found[full] = symbol
        return found

    def renamed(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the functions of a map, as it calls them, and their symbols where these differ."""
        known = self._own_functions()
        for full, short in self._bare(self.problem.used_maps[name]).items():
            if known[full] != latex_name(short):
                yield latex_name(short), known[full]

    @staticmethod
    def _bare(mapping: BoundMap) -> dict[str, str]:
        return {full: bare_function(full) for full in mapping.functions}


def _escaped(name: str) -> str:
    return name.replace("_", r"\_")


def _sort(sort: str, domain: Domain) -> str:
    if sort == INT:
        return r"\mathbb{Z}"
    if sort == BOOL:
        return r"\{\top, \bot\}"
    if sort == CELL:
        return r"\mathcal{X}"
    if sort in domain.enumerations:
        values = ", ".join(rf"\mathrm{{{_escaped(v)}}}" for v in domain.enumerations[sort])
        return rf"\{{{values}\}}"
    return rf"\mathrm{{{_escaped(sort)}}}"


def _signature(name: str, arguments: Sequence[str], result: str, domain: Domain) -> str:
    sources = r" \times ".join(_sort(a, domain) for a in arguments)
    return rf"{name} \colon {sources} \to {_sort(result, domain)}"


# ------------------------------------------------------------------ the definitions


def _definitions(notation: Notation) -> Iterator[Block]:
    problem, label = notation.problem, notation.label
    yield StatementBlock(
        "definition", "Databases", f"{label}:databases",
        tuple(_databases(problem.domain, notation)),
    )  # fmt: skip
    yield StatementBlock(
        "definition", "Neighbours", f"{label}:neighbours",
        tuple(_neighbours(problem.outer, notation, r"\mathbb{D}")),
    )  # fmt: skip
    inner = {
        p.granularity.name: p.granularity
        for p in problem.bound_parts
        if not p.same_granularity and p.granularity.name != problem.outer.name
    }
    for number, granularity in enumerate(inner.values(), 1):
        yield StatementBlock(
            "definition", "Neighbours inside a part", f"{label}:inner{number}",
            tuple(_neighbours(granularity, notation, "the part's class")),
        )  # fmt: skip
    yield StatementBlock(
        "definition", "Distance", f"{label}:distance", tuple(_distance(problem, notation))
    )
    yield StatementBlock(
        "definition", "Maps", f"{label}:maps", tuple(_maps(problem, notation))
    )  # fmt: skip
    yield StatementBlock(
        "definition", "Mechanisms", f"{label}:mechanisms", tuple(_mechanisms(problem, notation))
    )


def class_definitions(
    domain: Domain, granularities: Mapping[str, Granularity], symbols: Mapping[str, str], label: str
) -> Iterator[Block]:
    """Yield the definitions of a class of databases, of neighbours in it, and of distances.

    Args:
        domain: the class.
        granularities: the granularities, by name.
        symbols: what they are called in formulas.
        label: how labels begin.
    """
    bound = [replace(g.bind(domain), name=name) for name, g in granularities.items()]
    problems = [Problem(domain, g, [], []) for g in granularities.values()]
    notation = Notation(problems[0], label)
    notation.symbols = Symbols(spaces=notation.symbols.spaces, relations=symbols)
    databases = tuple(_databases(domain, notation))
    yield StatementBlock("definition", "Databases", f"{label}:databases", databases)
    for number, one in enumerate(bound, 1):
        said = tuple(_neighbours(one, notation, r"\mathbb{D}"))
        yield StatementBlock("definition", "Neighbours", f"{label}:neighbours{number}", said)
    directed = next((p for p in problems if p.outer.directed), problems[0])
    distance = tuple(_distance(directed, notation))
    yield StatementBlock("definition", "Distance", f"{label}:distance", distance)


def _databases(domain: Domain, notation: Notation) -> Iterator[Block]:
    attributes = [
        rf"${latex_name(a)}(c) \in {_sort(s, domain)}$" for a, s in domain.attribute_sorts.items()
    ]
    count = "attribute" if len(attributes) == 1 else "attributes"
    if attributes:
        said = f"A *cell* $c$ is given by its {count} {listed(attributes)}."
    else:
        said = "There is one *cell*, which has no attributes."
    restricted = f" with {notation.condition(domain.cell_term)}" if domain.cell_term != TRUE else ""
    which = {
        "any": f"any set of cells{restricted}",
        "infinite": f"any infinite set of cells{restricted}",
        "product": f"the set of all cells{restricted}",
    }[domain.universe.value]
    least = (
        rf" with at least ${domain.at_least}$ elements"
        if domain.at_least > 1 and domain.universe.value == "any"
        else ""
    )
    yield Paragraph(
        rf"{said} Let $\mathcal{{X}}$ be {which}{least}. A *database* is a function "
        rf"$D \colon \mathcal{{X}} \to \mathbb{{N}}$ with finite support: it has $D(c)$ records in "
        rf"the cell $c$, and $|D| = \sum_c D(c)$ records in all."
    )
    facts = domain.symbol_terms
    fixed = [f"${latex_name(n)} = {x}$" for n, fact in facts.items() if (x := _number(n, fact))]
    open_facts = {n: fact for n, fact in facts.items() if not _number(n, fact)}
    given = [notation.condition(fact) for fact in open_facts.values() if fact != TRUE]
    free = [f"${latex_name(n)}$" for n, fact in open_facts.items() if fact == TRUE]
    functions = [
        f"${_signature(latex_name(n), args, result, domain)}$"
        for n, (args, result) in domain.signatures.items()
    ]
    arbitrary = []
    if functions:
        arbitrary.append(f"the function{'s' * (len(functions) > 1)} {listed(functions)}")
    if free or given:
        integers = [*free, *given]
        arbitrary.append(f"the integer{'s' * (len(integers) > 1)} {listed(integers)}")
    fixing = [listed(fixed)] if fixed else []
    if arbitrary:
        many = len(functions) + len(free) + len(given) > 1
        fixing.append(f"{listed(arbitrary)} {'are' if many else 'is'} arbitrary but fixed")
    if fixing:
        yield Paragraph(f"Here {', and '.join(fixing)}.")
    limits = list(_limits(domain, notation))
    if limits:
        yield Paragraph(
            rf"Let $\mathbb{{D}}$ be the set of all databases such that {listed(limits)}."
        )
    else:
        yield Paragraph(r"Let $\mathbb{D}$ be the set of all databases.")


def _limits(domain: Domain, notation: Notation) -> Iterator[str]:
    if domain.cap is not None:
        yield rf"$D(c) \le {domain.cap}$ for every cell $c$"
    for fact in domain.size_terms:
        yield notation.condition(fact)
    for fact in domain.fact_terms:
        yield f"{notation.condition(fact)} for every cell $c$"
    for key, bound in domain.limit_terms:
        most = notation.formula(bound)
        records = "no two records" if most == "1" else f"at most ${most}$ records"
        yield f"{records} agree in ${notation.formula(key)}$"
    for of, each, bound in domain.distinct_terms:
        most, values = notation.formula(bound), notation.formula(of)
        shared = (
            "all records" if each == TRUE else f"records with the same ${notation.formula(each)}$"
        )
        many = "one value" if most == "1" else f"at most ${most}$ different values"
        yield f"{shared} together have {many} of ${values}$"


def _neighbours(granularity: BoundGranularity, notation: Notation, space: str) -> Iterator[Block]:
    symbol = notation.symbols.relation(granularity.name)
    inside = f"${space}$" if space.startswith("\\") else space
    named = f"the granularity “{plain(granularity.name)}”"
    if granularity.directed:
        start = (
            rf"For {named}, written ${symbol}$, a database $D'$ in {inside} is a *neighbour* of "
            "$D$ if it arises from $D$ in one of the following ways (and not the other way round)"
        )
    else:
        start = (
            rf"For {named}, written ${symbol}$, two databases in {inside} are *neighbours*, "
            rf"$D \sim_{{{symbol}}} D'$, if one of them, $D'$, arises from the other one, $D$"
        )
    edits = [edit_sentence(e, notation) for e in granularity.edits]
    if len(edits) == 1:
        yield Paragraph(f"{start}, as follows: {edits[0]}.")
        return
    yield Paragraph(f"{start}, by one of these edits:")
    yield Items(tuple((Paragraph(f"{e};" if n < len(edits) else f"{e}."),)
                      for n, e in enumerate(edits, 1)), numbered=True)  # fmt: skip


def edit_sentence(edit: BoundEdit, notation: Notation) -> str:
    """Return what an edit does, as marked prose without a full stop."""
    domain = notation.problem.domain
    by_sort: dict[str, list[str]] = {}
    for name, sort in edit.params:
        by_sort.setdefault(sort, []).append(latex_name(name))
    params = [rf"${', '.join(ns)} \in {_sort(s, domain)}$" for s, ns in by_sort.items()]
    chosen = f"for some {listed(params)}" if params else ""
    guard = notation.condition(edit.guard) if edit.guard != TRUE else ""
    start = " with ".join(filter(None, (chosen, guard)))
    if edit.frame is None:
        result = "D" + "".join(_added(p, d, notation) for p, d in edit.change)
        shown = rf"$D' = {result}$"
        return f"{start}, {shown}" if start else shown
    pieces = []
    if edit.frame == TRUE:
        pieces.append("any cell may change")
    else:
        pieces.append(f"only cells $c$ with {notation.condition(edit.frame)} change")
    if edit.step != TRUE:
        step = notation.condition(edit.step, {"old": "D(c)", "new": "D'(c)"})
        pieces.append(f"they satisfy {step}")
    return f"{start}, {' and '.join(pieces)}" if start else " and ".join(pieces)


def _added(point: str, delta: Term, notation: Notation) -> str:
    cell = rf"\mathbf{{1}}_{{{latex_name(point)}}}"
    if delta.op == "int":
        value = int(delta.name)
        factor = "" if abs(value) == 1 else f"{abs(value)} \\cdot "
        return f" {'-' if value < 0 else '+'} {factor}{cell}"
    if delta.op == "neg" and delta.terms[0].op == "int":
        return _added(point, delta.terms[0], notation).replace("+", "-", 1)
    return rf" + ({notation.formula(delta)}) \cdot {cell}"


def _distance(problem: Problem, notation: Notation) -> Iterator[Block]:
    directed = problem.outer.directed or any(p.granularity.directed for p in problem.bound_parts)
    way = "lead from $D$ to $E$" if directed else "link $D$ and $E$"
    yield Paragraph(
        r"For a granularity $\mathcal{H}$ on a class of databases, $d_{\mathcal{H}}(D, E)$ is the "
        rf"least number of steps between $\mathcal{{H}}$-neighbours inside the class that {way}; "
        r"it is $0$ if $D = E$ and $\infty$ if no number of steps suffices."
    )
    if any(p.setting == "common" for p in problem.bound_parts):
        outer = notation.symbols.relation(problem.outer.name)
        yield Paragraph(
            rf"For a map $f$ on $\mathbb{{D}}$, the pushforward $f_*{outer}$ makes $y$ and $y'$ "
            rf"neighbours if $y = f(D)$ and $y' = f(D')$ for some ${outer}$-neighbours $D, D'$."
        )


def _maps(problem: Problem, notation: Notation) -> Iterator[Block]:
    for mapping in problem.used_maps.values():
        yield from _map(mapping, problem, notation)


def _map(mapping: BoundMap, problem: Problem, notation: Notation) -> Iterator[Block]:
    symbol = notation.symbols.map(mapping.name, ",".join(latex_name(n) for n, _ in mapping.indices))
    ranges = [rf"${latex_name(n)} \in \{{1, \dots, {_top(s)}\}}$" for n, s in mapping.indices]
    named = f"“{plain(mapping.name)}”"
    sizes = [s for _, s in mapping.indices if isinstance(s, str)]
    if mapping.identity and not mapping.indices:
        yield Paragraph(f"The map {named} is the identity, $\\mathrm{{id}}(D) = D$.")
        return
    if mapping.constant and mapping.member == TRUE and mapping.image is None:
        yield Paragraph(
            f"Every map of the family {named} is the identity: ${symbol}(D) = D$ for "
            f"{listed(ranges)}{_arbitrary(sizes, mapping.symbols)}."
        )
        return
    every = f" For {listed(ranges)}," if ranges else ""
    kept = "" if mapping.member == TRUE else notation.condition(mapping.member)
    family = "The family of maps" if ranges else "The map"
    yield Paragraph(
        f"{family} {named} is written ${symbol}${_arbitrary(sizes, mapping.symbols)}.{every}"
    )
    if mapping.image is None:
        # One row for each way to be in the block: together they can be wider than the page.
        ways = mapping.member.terms if mapping.member.op == "or" else (mapping.member,)
        kept_if = r" \\ & \text{or }".join(f"{notation.formula(way)}," for way in ways)
        yield Display(
            rf"{symbol}(D)(c) = \begin{{cases}} D(c) & \text{{if }} {kept_if} \\ "
            r"0 & \text{otherwise.} \end{cases}"
        )
    elif not mapping.image:
        among = f" that satisfy {kept}" if kept else ""
        yield Paragraph(rf"${symbol}(D)$ is the number of records{among}.")
    else:
        keys = listed([_key(a, notation.formula(t)) for a, t in mapping.image])
        among = f" that satisfy {kept}" if kept else ""
        yield Paragraph(rf"${symbol}(D)$ counts the records{among} by {keys}.")
    yield from _about_functions(mapping, problem, notation)


def _key(attribute: str, term: str) -> str:
    name = latex_name(attribute)
    return f"${term}$" if term == f"{name}(c)" else f"${name} = {term}$"


def _top(size: str | int) -> str:
    return latex_name(size) if isinstance(size, str) else str(size)


def _number(name: str, fact: Term) -> str:
    """Return the number to which a symbol is fixed, or nothing."""
    for one in conjuncts(fact):
        match one:
            case Term(op="eq", args=(Term(op="var", args=(symbol,)), Term(op="int", args=(n,)))):
                if symbol == name:
                    return str(n)
            case _:
                pass
    return ""


def _arbitrary(sizes: Sequence[str], facts: Mapping[str, Term]) -> str:
    """Return which numbers of blocks there may be."""
    each = dict.fromkeys(sizes)
    fixed = {s: n for s in each if (n := _number(s, facts.get(s, TRUE)))}
    free = [latex_name(s) for s in each if s not in fixed]
    said = [f"${latex_name(s)} = {n}$" for s, n in fixed.items()]
    if free:
        are = "is" if len(free) == 1 else "are"
        said.append(rf"${', '.join(free)} \ge 1$ {are} arbitrary")
    return f", where {listed(said)}" if said else ""


def _about_functions(mapping: BoundMap, problem: Problem, notation: Notation) -> Iterator[Block]:
    own = notation.formula
    terms = (mapping.member, *mapping.facts, *(t for _, t in mapping.image or ()))
    used = {t.name for whole in terms for t in subterms(whole) if t.op == "apply"}
    functions = [
        f"${_signature(own(Term('const', (n,), result)), args, result, problem.domain)}$"
        for n, (args, result) in mapping.functions.items()
        if n in used
    ]
    facts = [notation.condition(f) for f in mapping.facts]
    if mapping.multiplicity is not None:
        facts.append(f"each cell lies in at most ${own(mapping.multiplicity)}$ of the blocks")
    for fact in mapping.symbols.values():
        names = {t.name for t in subterms(fact) if t.op == "var"}
        if fact != TRUE and not names <= {s for _, s in mapping.indices}:
            facts.append(f"${own(fact)}$")
    if not functions and not facts:
        return
    if functions:
        which = f" such that {listed(facts)}" if facts else ""
        many = "are" if len(functions) > 1 else "is"
        whole = f"Here {'the functions ' * (len(functions) > 1)}{listed(functions)}"
        yield Paragraph(
            f"{whole} {many} arbitrary{which}{' for every cell $c$' if mapping.facts else ''}."
        )
    else:
        yield Paragraph(f"Moreover, {listed(facts)}.")


def _mechanisms(problem: Problem, notation: Notation) -> Iterator[Block]:
    for part in problem.bound_parts:
        yield Paragraph(_mechanism(part, notation))
    yield Paragraph(ADAPTIVE)


def guarantees(part: BoundPart) -> list[str]:
    """Return what a part guarantees, as formulas with their notions."""
    index = ",".join(n for n, _ in part.map.indices)
    found = []
    for notion, parameters in part.guarantees:
        shown = [
            parameter_name(p, index) if isinstance(p, str) else latex_text(Num(Fraction(p)))
            for p in parameters
        ]
        said = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
        found.append(f"${said}$-{NOTIONS[notion].words.short}")
    return found


def _mechanism(part: BoundPart, notation: Notation) -> str:
    index = ",".join(latex_name(n) for n, _ in part.map.indices)
    symbol = notation.symbols.mechanism(part.name, index)
    space = notation.symbols.space(f"{part.map.name}(D)", "" if part.map.identity else index)
    arrow = notation.symbols.map(part.map.name, "" if part.map.identity else index)
    inner = notation.symbols.relation(part.granularity.name)
    each = "For each block, the" if index else "The"
    said = listed(guarantees(part))
    if part.setting == "common":
        return (
            rf"{each} mechanism ${symbol}$ (“{plain(part.name)}”) reads databases in "
            rf"$\mathbb{{D}}$, depends on $D$ only through ${arrow}(D)$, and is {said} "
            rf"for ${inner}$-neighbours in $\mathbb{{D}}$."
        )
    if part.map.identity:
        whole = _class(part, "all databases", notation)
        own = r"$\mathbb{D}$" if part.default_class else whole
        return (
            rf"{each} mechanism ${symbol}$ (“{plain(part.name)}”) reads $D$ itself and is {said} "
            rf"for ${inner}$-neighbours in {own}."
        )
    if part.map.image is not None:
        among = "all databases with records in the image's cells"
    else:
        among = f"all databases with records in the cells that ${arrow}$ keeps"
    return (
        rf"{each} mechanism ${symbol}$ (“{plain(part.name)}”) reads ${arrow}(D)$ and is {said} for "
        rf"${inner}$-neighbours in ${space}$, the class of {_class(part, among, notation)}."
    )


def _class(part: BoundPart, among: str, notation: Notation) -> str:
    limits = listed(list(_limits(part.domain, notation)))
    return f"{among} such that {limits}" if limits else among
