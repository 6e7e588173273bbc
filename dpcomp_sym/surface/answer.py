"""Derivations that can be asked further: for numbers, claims, certificates and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcomp_sym import spec as specs
from dpcomp_sym.derivation import derive as deriving
from dpcomp_sym.derivation.derive import Derivation
from dpcomp_sym.derivation.membership import MembershipDerivation
from dpcomp_sym.engine import AnswerCache, Condition
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Domain, Granularity, Problem
from dpcomp_sym.numbers import Bound
from dpcomp_sym.spec import Spec
from dpcomp_sym.spec.python import as_written
from dpcomp_sym.spec.values import read_amount
from dpcomp_sym.surface.changes import Changes
from dpcomp_sym.surface.sweep import Sweep
from dpcomp_sym.terms.expression import written

if TYPE_CHECKING:
    import networkx as nx

    from dpcomp_sym.claims import Decision
    from dpcomp_sym.drawing import Drawing
    from dpcomp_sym.spec.metric import MetricSpec
    from dpcomp_sym.spec.uncertain import UncertainSpec
    from dpcomp_sym.surface.order import GranularityOrder
    from dpcomp_sym.surface.properties import PropertyAnswer

__all__ = ["Answer", "MembershipAnswer", "Question", "derive", "load", "load_any", "load_spec"]


@dataclass(frozen=True, repr=False)
class Answer(Derivation):
    """A derivation, and what can be asked of it: this is what ``dp.derive`` returns.

    >>> import dpcomp_sym as dp
    >>> d = dp.derive(dp.Problem(dp.Domain({"id": "Record"}), dp.library_granularity("bounded"),
    ...     [dp.library_map("partition", name="blocks")], [dp.Part("counts", "blocks")]))
    >>> d.C2.verdict, d.C2.weakest
    ('refuted', 'h is constant')
    >>> d.subs(k=1, eps=3).bound("pure")
    <Bound pure: max(eps[i]) = 3, tight>
    """

    spec: Spec = field(kw_only=True)
    """The question: the problem with its numbers."""
    earlier: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    """Numbers of Python that the question did not get by ``subs``."""

    __hash__ = Derivation.__hash__

    def __str__(self) -> str:
        """Return what the command line prints."""
        from dpcomp_sym.report.text import to_text

        return to_text(self.as_json(), self.notes).rstrip()

    def bound(self, notion: str | None = None) -> Bound:
        """Return the bound in a notion, without a name the first one.

        Raises:
            InputError: nothing is stated in this notion.
        """
        if notion is not None:
            return self.bounds[notion]
        if not self.bounds:
            raise InputError("there is no bound here; the notes say why")
        return self.bounds[0]

    @property
    def C1(self) -> Condition:  # noqa: N802 - its name on paper
        """Compatibility: at most one block changes between neighbours."""
        return self.conditions["C1"]

    @property
    def C2(self) -> Condition:  # noqa: N802 - its name on paper
        """Sensitivity: each part sees neighbours at distance at most 1."""
        return self.conditions["C2"]

    @property
    def symbols(self) -> dict[str, Any]:
        """What SymPy calls symbols and parameters, by name: ``eps`` of blocks is ``eps[1]``, ….

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.cover(2, pure="eps"))
        >>> b, k, eps = d.bound("pure").sympy(), d.symbols["k"], d.symbols["eps"]
        >>> b, b.subs(k, 2).doit()
        (SumOfLargest(2, eps[i], (i, 1, k)), eps[1] + eps[2])
        """
        from dpcomp_sym.notions.meeting import points
        from dpcomp_sym.numbers.columns import parameter_names
        from dpcomp_sym.statements.symbolic import parameter, size

        chosen = points(self.profile.parts)
        families: set[str | Fraction] = set()
        for part in self.profile.parts:
            if any(m.name == part.map and m.indices for m in self.profile.maps):
                families |= {name for _, names in part.guarantees for name in names}
                families |= {chosen[part.name].name} if part.name in chosen else set()
        return {name: size(name) for name in self.problem.symbols} | {
            name: parameter(name, family=name in families)
            for name, _ in parameter_names(self.profile)
        }

    def subs(self, **numbers: Any) -> Answer:
        """Return the answer with more numbers, or others, as after ``--set``.

        Numbers for the parameters of parts are only put into what was derived.  A number for a
        symbol of the domain or for a number of blocks, by itself or as the length of a list, is
        fixed in the question, which is derived again: all of the answer is about this number.

        Args:
            numbers: by parameter or symbol: a number, a list or array with one number a block, a
                function of the block's index, or text as after ``--set``.  All are exact: a float
                is the decimal that Python prints for it.

        Raises:
            InputError: a name is unknown, or what it is given is not such a number.

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Problem(dp.Domain({"id": "Record"}),
        ...     dp.library_granularity("unbounded"),
        ...     [dp.library_map("partition", name="blocks")], [dp.Part("counts", "blocks")]))
        >>> d.subs(eps=[0.5, "1/3"]).bound("pure")
        <Bound pure: max(eps[i]) = 1/2, tight>
        >>> d.subs(ep=1)
        Traceback (most recent call last):
        dpcomp_sym.errors.InputError: ep: unknown parameter 'ep'; did you mean 'eps'?
        """
        spec = self.with_numbers(**numbers)
        if spec.problem != self.problem or isinstance(self, MembershipDerivation):
            return _answer(spec.derive(), spec)
        found = deriving.evaluated(self, spec.values, spec.sizes)
        before = len(self.notes) - len(self.spec.notes)
        plain = replace(found, notes=self.notes[:before])
        return _answer(plain, spec)

    def with_numbers(self, **numbers: Any) -> Spec:
        """Return the question with more numbers, or others; nothing is derived.

        Raises:
            InputError: as for :meth:`subs`.
        """
        origin = self.spec if not self.earlier else Spec(
            self.title, self.spec.asked or self.problem
        )  # fmt: skip
        return origin.subs(**{**self.earlier, **numbers})

    def drawing(
        self,
        kind: str | None = None,
        /,
        *,
        over: str | None = None,
        notion: str | None = None,
        **numbers: Any,
    ) -> Drawing:
        """Return a picture of the answer, whose ``svg()`` is the text of a file.

        Args:
            kind: ``"bound"``: the bound against a name that takes several values, beside what
                sequential composition gives; ``"delta"``: δ against ε, of each notion and of
                advanced and optimal composition; ``"trade-off"``: the errors of the best test.
                Without it, the first one if some name takes several values, else the second one.
            over: the name that takes several values, where it has one number for each block.
            notion: of the bound; without it the first one that has numbers, for curves all.
            numbers: as for :meth:`subs`; one name may take several: ``k=range(1, 60)``.

        Raises:
            InputError: there is nothing to draw, or a name is unknown.

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.cover(2, pure="eps"))
        >>> [panel] = d.drawing(k=range(1, 5), eps=1).panels
        >>> for name, xs, ys in panel.lines:
        ...     print(name, ys)
        this composition [1.0, 2.0, 2.0, 2.0]
        sequential composition [1.0, 2.0, 3.0, 4.0]
        """
        from dpcomp_sym.surface.plotting import drawing

        return drawing(self, kind, over, notion, numbers)

    def plot(
        self,
        kind: str | None = None,
        /,
        *,
        over: str | None = None,
        notion: str | None = None,
        ax: Any = None,
        **numbers: Any,
    ) -> Any:
        """Draw the answer on axes of matplotlib, and return them.

        Args:
            kind: as for :meth:`drawing`, as are ``over``, ``notion`` and ``numbers``.
            over: the name that takes several values.
            notion: of the bound.
            ax: the axes; without them there is a new figure.
            numbers: as for :meth:`subs`; one name may take several.

        Raises:
            InputError: there is nothing to draw, or matplotlib is not installed.

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.cover(2, pure="eps"))
        >>> d.plot(k=range(1, 5), eps=1).get_ylabel()
        'ε'
        """
        return self.drawing(kind, over=over, notion=notion, **numbers).axes(ax)

    def sweep(self, over: str | None = None, **numbers: Any) -> Sweep:
        """Return the answers for several numbers of one parameter or symbol.

        Args:
            over: the name that gets several numbers, where that is a parameter of blocks, which
                has several at once: ``sweep("eps", eps=[1, 2])``.
            numbers: this name with the numbers that it gets one after the other, and others with
                one each, as for :meth:`subs`.

        Raises:
            InputError: not one name has several numbers, or as for :meth:`subs`.

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Problem(dp.Domain({"id": "Record"}), dp.library_granularity("bounded"),
        ...     [dp.library_map("partition", name="blocks")],
        ...     [dp.Part("counts", "blocks", setting="common")]))
        >>> d.sweep(k=range(1, 4), eps=1)
        k = 1: pure 1
        k = 2: pure 2
        k = 3: pure 2
        """
        from dpcomp_sym.surface.plotting import several

        chosen = next(iter(numbers)) if over is None and len(numbers) == 1 else over
        name = several(self, chosen, numbers)
        if name is None:
            given = ", ".join(numbers) or "none"
            raise InputError(f"a sweep is over one name, such as k=range(1, 5), not {given}")
        values = numbers[name]
        if isinstance(values, str) or not isinstance(values, Iterable):
            said = f"a sweep needs several numbers, such as range(1, 5), not {values!r}"
            raise InputError(said, where=name)
        listed = tuple(values)
        return Sweep(name, listed, tuple(self.subs(**{**numbers, name: n}) for n in listed))

    def at(self, *, delta: Any = None, epsilon: Any = None, theorems: bool = False) -> Answer:
        """Return the answer with basic, advanced and optimal composition in numbers, side by side.

        Args:
            delta: compare them at this delta.
            epsilon: compare them at this epsilon.
            theorems: add what other composition theorems say.

        Raises:
            InputError: a number is none, or there is nothing to compare: parameters lack numbers.

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Problem(dp.Domain({"id": "Record"}), dp.library_granularity("bounded"),
        ...     [dp.library_map("partition", name="blocks")], [dp.Part("counts", "blocks")]))
        >>> d.subs(k=1, eps=1).at(delta="1/100").numbers["rows"][0]["basic"]
        1.0
        """
        from dpcomp_sym.surface.comparing import in_numbers

        targets = {
            f"at_{name}": None if given is None else _target(name, given)
            for name, given in (("delta", delta), ("epsilon", epsilon))
        }
        found = in_numbers(self, **targets, theorems=theorems)
        if not found:
            raise InputError(
                "there is nothing to compare: that needs a finite bound, and numbers for the "
                "parameters, such as subs(k=3, eps=[1, 2, 3])"
            )
        return replace(self, numbers=found)

    def _claimed(self, claim: Any) -> Any:
        """Return a claim as text: a bound of SymPy, a number, or what claims are written with."""
        pieces = claim if isinstance(claim, tuple) else (claim,)
        if any(hasattr(one, "free_symbols") and not hasattr(one, "rel_op") for one in pieces):
            from dpcomp_sym.claims.from_sympy import claim_text

            return claim_text(claim, self.problem)
        return str(claim) if isinstance(claim, int | Fraction) else written(claim)

    def refute(self, claim: Any, notion: str | None = None) -> Decision | PropertyAnswer:
        """Prove a claim, or refute it, as ``dpcomp refute`` does.

        Nothing is derived again, unless the claim names blocks of a family by their numbers.

        Args:
            claim: a bound such as ``max(eps[i])``, also an expression of SymPy made of
                :attr:`symbols` and bounds, or a property of all neighbours.
            notion: the notion that is meant, where the claim does not tell.

        Raises:
            InputError: the claim cannot be read.

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Problem(dp.Domain({"id": "Record"}), dp.library_granularity("bounded"),
        ...     [dp.library_map("partition", name="blocks")], [dp.Part("counts", "blocks")]))
        >>> d.refute("max(eps[i])").verdict, d.refute("changed(blocks) <= 2").verdict
        ('refuted', 'proved')
        """
        from dpcomp_sym.claims.decide import decided, unclaimed, with_numbered_blocks
        from dpcomp_sym.claims.parse import read_claim
        from dpcomp_sym.engine.properties import read_property
        from dpcomp_sym.surface.properties import examine

        text = self._claimed(claim)
        if not isinstance(text, str):
            said = "a claim is a text such as 'max(eps[i])', an expression or a number"
            raise InputError(f"{said}, not {claim!r}", where="claim")
        if read_property(text, self.problem) is not None:
            return examine(self.problem, text)
        unclaimed(self.spec)
        spec = replace(self.spec, problem=self.problem)
        numbered = with_numbered_blocks(spec, text)
        same = numbered is spec
        known, numbers = (self, None) if same else (numbered.derive(), spec.sizes)
        try:
            return decided(numbered, read_claim(text, numbered.problem, notion, numbers), known)
        except InputError as error:
            where = error.where.replace("--claim", "claim")
            raise InputError(error.message, where=where, word=error.word) from None

    def graph(self) -> nx.DiGraph:
        """Return the derivation as a graph of networkx: from each premise to what follows.

        Nodes are the numbers of the steps in ``trace``, with ``statement``, ``rule``, ``source``.

        >>> import dpcomp_sym as dp
        >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.partition(pure="eps"))
        >>> steps = d.graph()
        >>> steps.nodes[d.concluding("pure")]["rule"], steps.number_of_nodes() == len(d.trace)
        ('maximum over neighbours', True)
        """
        import networkx as nx

        found = nx.DiGraph(title=self.title)
        for step in self.trace:
            said = {"statement": step.statement, "rule": step.rule, "source": step.source}
            found.add_node(step.step, **said)
            found.add_edges_from((premise, step.step) for premise in step.uses)
        return found

    def certificate(self) -> dict[str, Any]:
        """Return the certificate of the derivation, as ``--certificate`` writes it.

        Raises:
            InputError: there are no certificates about this.
        """
        from dpcomp_sym.certificates.write import certificate

        why = self.unwritable("certificate")
        if why:
            raise InputError(f"certificate {why}")
        return certificate(self.theorems, self)

    def save(
        self, place: str | Path, form: str | None = None, *, columns: int = 1,
        detail: str = "all", notation: Mapping[str, str] | None = None,
    ) -> Path:  # fmt: skip
        r"""Write a file about the derivation: the whole of it, or nothing.

        Args:
            place: the file.  The end of its name says what is written: ``.tex`` an article,
                ``.html`` a page, ``.json`` the result as the command line prints it, ``.v`` a file
                for Rocq, ``.svg`` what is lost, drawn, ``.md`` what a notebook shows, ``.toml`` the
                spec, ``.bib`` the works that the article cites, beside the entries that are there.
            form: another one: ``"certificate"`` or ``"latex-fragment"``.
            columns: how many columns LaTeX is written for, 1 or 2.
            detail: what LaTeX holds: ``"theorem"``, with its ``"proof"``, or ``"all"``.
            notation: other letters and signs for formulas of LaTeX: ``{r"\varepsilon":
                r"\epsilon", "D": r"\mathbf{x}"}``.

        Returns:
            the file.

        Raises:
            InputError: the end of the name says nothing, or there is nothing to write.
            OSError: the file cannot be written.

        >>> import dpcomp_sym as dp
        >>> from tempfile import TemporaryDirectory
        >>> d = dp.derive(dp.Problem(dp.Domain({"id": "Record"}), dp.library_granularity("bounded"),
        ...     [dp.library_map("partition", name="blocks")], [dp.Part("counts", "blocks")]))
        >>> with TemporaryDirectory() as folder:
        ...     d.save(Path(folder, "report.tex")).exists()
        True
        """
        from dpcomp_sym.surface.writing import Layout, save

        return save(self, place, form, Layout(columns, detail, notation or {}))


@dataclass(frozen=True, repr=False)
class MembershipAnswer(Answer, MembershipDerivation):
    """The same about databases that a person can be in."""

    __hash__ = Derivation.__hash__


class Question(Spec):
    """A spec whose derivation can be asked further."""

    def derive(self) -> Answer:
        """Derive what the composition guarantees, with the numbers of the spec.

        Raises:
            InputError: the spec has no part, or it contradicts itself; the message names the line.
        """
        return _answer(super().derive(), self)

    def relate(self, *granularities: str) -> GranularityOrder:
        """Compare the granularities of the spec and the built-ins that fit, as ``dpcomp relate``.

        Args:
            granularities: of these the ones that are compared, by name; all if there are none.

        Raises:
            InputError: no granularity has such a name, or a claim about a metric cannot be read.

        >>> found = load("examples/label-dp.toml").relate("unbounded", "bounded")
        >>> found.distance("unbounded", "bounded")
        2
        """
        from dpcomp_sym.surface.order import compared_in

        return compared_in(self, granularities)


def _answer(found: Derivation, spec: Spec, earlier: Mapping[str, Any] | None = None) -> Answer:
    """Return a derivation as an answer to a question."""
    kind = MembershipAnswer if isinstance(found, MembershipDerivation) else Answer
    kept = {f.name: getattr(found, f.name) for f in fields(found) if f.name not in _OWN}
    kept["profile"] = Changes.of(found.profile)
    notes: Sequence[str] = [*found.notes, *spec.notes]
    return kind(**{**kept, "notes": notes}, spec=spec, earlier=earlier or {})


_OWN = {"spec", "earlier"}


def _target(name: str, given: Any) -> Fraction:
    """Read a number at which compositions are compared."""
    try:
        value = read_amount(as_written(given), Path())
    except InputError as error:
        raise error.within(name) from None
    if not isinstance(value, Fraction) or value < 0 or (name == "delta" and value >= 1):
        range_ = "0 or more, and below 1" if name == "delta" else "0 or more"
        raise InputError(f"give one number, {range_}, not {given}", where=name, word=str(given))
    return value


def _question(spec: Spec) -> Question:
    return Question(**{f.name: getattr(spec, f.name) for f in fields(spec)})


def load(place: str | Path, **numbers: Any) -> Question | UncertainSpec | MetricSpec:
    """Read a spec: a file, or text of several lines.

    Args:
        place: the file, or the text.
        numbers: for parameters and symbols, as for ``subs``.

    Returns:
        the question: its ``problem``, and ``derive()``.

    Raises:
        InputError: the file cannot be read or the spec cannot be used; the message names the line
            and the word.

    >>> load('''
    ... granularity = "bounded"
    ... [domain]
    ... attributes = { id = "Record" }
    ... [[part]]
    ... map = "partition"
    ... setting = "common"
    ... ''', eps=[1, 2, 4]).derive().bound("pure").value
    6
    """
    read = specs.load_any(place)
    if isinstance(read, Spec):
        return _question(read.subs(**numbers) if numbers else read)
    return read.subs(**numbers) if numbers else read


def load_spec(path: str | Path, sets: Iterable[str] = ()) -> Question:
    """Read the spec of a composition, with ``NAME=VALUE`` as after ``--set``.

    Raises:
        InputError: the file cannot be read or the spec cannot be used.
    """
    return _question(specs.load_spec(path, sets))


def load_any(path: str | Path, sets: Iterable[str] = ()) -> Question | UncertainSpec | MetricSpec:
    """Read a spec of any kind, with ``NAME=VALUE`` as after ``--set``.

    Raises:
        InputError: the file cannot be read or the spec cannot be used.
    """
    read = specs.load_any(path, sets)
    return _question(read) if isinstance(read, Spec) else read


def derive(
    problem: Problem | Spec | str | Path | Domain,
    values: Mapping[str, Any] | Granularity | str | None = None,
    sizes: Mapping[str, int] | None = None,
    title: str = "",
    shared: AnswerCache | None = None,
    **numbers: Any,
) -> Answer:
    """Derive what a composition guarantees.

    Either of a problem or a spec, with numbers, or of its pieces: ``derive(domain, granularity,
    name=release)``, as :func:`~dpcomp_sym.surface.shorthand.problem` puts them together.

    Args:
        problem: domain, granularity, maps and parts; or a spec, read or still a file; or a domain.
        values: numbers for the parameters of the parts, taken as they are: floats stay floats.
            After a domain: the granularity.
        sizes: numbers for k and other symbols.  With them everything is about the problem in
            which these symbols are fixed: conditions, vacuity, bounds, whether they are tight.
        title: for reports.
        shared: answers about the same neighbours and maps, used and added to.
        numbers: exact numbers for parameters and symbols, as for :meth:`Answer.subs`.  After a
            domain: what is published, by name.

    Raises:
        InputError: the problem contradicts itself, or a number cannot be used.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks", setting="common")])
    >>> derive(problem).bound().text, derive(problem, k=1).bound().text
    ('sum of the 2 largest eps[i]', 'max(eps[i])')
    >>> import dpcomp_sym as dp
    >>> visits = dp.Domain(person="Person", day=int)
    >>> dp.derive(visits, "user(person)", counts=dp.partition(visits.c.person, pure="eps")).bound()
    <Bound pure: max(eps[i]), tight>
    """
    if isinstance(problem, Domain):
        others = {"values": values, "sizes": sizes, "title": title, "shared": shared}
        made, own = _of_pieces(problem, others, numbers)
        spec = Spec(title or made.title, made)
        names = {p for part in made.parts for ps in part.guarantees.values() for p in ps}
        if own and {p for p in names if isinstance(p, str)} <= own.keys():
            return _question(spec.subs(**own)).derive()
        # Where others still lack their numbers, these are put in with the first of those.
        return _answer(_question(spec).derive(), spec, own)
    if values is not None and not isinstance(values, Mapping):
        said = f"numbers by name are expected, not {values!r}; a granularity comes after a domain"
        raise InputError(said)
    if isinstance(problem, Problem):
        if values or sizes or shared is not None:
            answer = _as_they_are(problem, values or {}, sizes or {}, title, shared)
            return answer.subs(**numbers) if numbers else answer
        spec = Spec(title or problem.title, problem)
    else:
        spec = _composition(problem)
        spec = replace(spec, title=title) if title else spec
        numbers = {**(sizes or {}), **(values or {}), **numbers}
    return _question(spec.subs(**numbers) if numbers else spec).derive()


def _of_pieces(
    domain: Domain, others: Mapping[str, Any], releases: Mapping[str, Any]
) -> tuple[Problem, dict[str, Any]]:
    """Return the problem of a domain, a granularity and releases, and the numbers in these."""
    from dpcomp_sym.surface import shorthand

    for name, given in others.items():
        if isinstance(given, shorthand.Release):
            raise InputError(f"no release can be called '{name}' here: choose another name",
                             word=name)  # fmt: skip
    chosen = [x for x in (others["values"], releases.get("granularity")) if x is not None]
    if len(chosen) != 1:
        said = "two are given" if chosen else 'such as "user(person)"'
        raise InputError(f"after a domain comes one granularity: {said}", word="granularity")
    for name in ("sizes", "shared"):
        if others[name] is not None:
            raise InputError(
                f"'{name}' is for a problem; numbers are given by subs(k=3)", word=name
            )
    parts = {name: x for name, x in releases.items() if name != "granularity"}
    return shorthand.with_numbers(domain, chosen[0], others["title"], **parts)


def _composition(given: Spec | str | Path) -> Spec:
    """Return a spec that is one, or is still a file or a text."""
    read = given if isinstance(given, Spec) else load(given)
    if not isinstance(read, Spec):
        about = "given distances" if hasattr(read.setting, "parts") else "random data"
        raise InputError(f"{read.title} is about {about}: load(…).derive() derives it")
    return read


def _as_they_are(
    problem: Problem, values: Mapping[str, Any], sizes: Mapping[str, int], title: str,
    shared: AnswerCache | None,
) -> Answer:  # fmt: skip
    """Derive with numbers that are not made exact; those that come later are."""
    found = deriving.derive(problem, values, sizes, title, shared)
    spec = Spec(title or problem.title, found.problem, values, sizes, asked=problem)
    return _answer(found, spec, {**sizes, **values})
