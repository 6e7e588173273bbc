"""What is written, read back: in plain characters and in LaTeX.

Written for the tests, from the grammar that `statements/render.py` describes, and with nothing of
it: a formula that reaches too far or too little comes back as another expression.  Which family a
sign binds is what its inside is about, or what is written there.
"""

from __future__ import annotations

import re
from fractions import Fraction

from dpcomp_sym import kernel as k
from tests.statements.expressions import SIZES, SIZES_OF

ONE = k.Num(Fraction(1))


class Reader:
    """A reader that goes from left to right; subclasses know the words."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.reaching = None

    def rest(self):
        return self.text[self.at :]

    def fail(self, what):
        raise ValueError(f"{what} at '{self.rest()[:60]}'")

    def sees(self, pattern):
        return re.match(pattern, self.rest())

    def match(self, pattern):
        found = self.sees(pattern)
        if found:
            self.at += found.end()
        return found

    def taken(self, word):
        return self.match(re.escape(word)) is not None

    def take(self, word):
        if not self.taken(word):
            self.fail(f"'{word}' is missing")

    def whole(self):
        found = self.cases()
        return self.fail("more was expected to end") if self.rest() else found

    def total(self):
        items = [self.product()]
        while self.sees(r" \+ "):
            if self.at == self.reaching:
                self.fail("what stands before could reach on: it has no brackets")
            self.take(" + ")
            items.append(self.product())
        return items[0] if len(items) == 1 else k.Sum(tuple(items))

    def reaches(self, found):
        """Return a formula that has no end of its own, and remember where it was taken to end."""
        self.reaching = self.at
        return found

    def row(self, read, between):
        found = [read()]
        while self.taken(between):
            found.append(read())
        return tuple(found)

    def summands(self, names):
        """Read a sum over different blocks, one a name, as groups of equal values."""
        groups = []
        for n, name in enumerate(names):
            if n:
                self.take(" + ")
            start = self.at
            value = self.product()
            if name not in re.sub(r"\s", "", self.text[start : self.at]):
                self.fail(f"the block {name} does not occur before")
            if groups and groups[-1][1] == value:
                groups[-1][0] += 1
            else:
                groups.append([1, value])
        return tuple(k.Choice(k.Num(Fraction(n)), value) for n, value in groups)


def over(values, groups, written=None):
    """Return a choice of blocks of the family that is written, or that the values are about."""
    if written is None:
        (written,) = set().union(*map(k.open_sizes, values))
    return k.Worst(written, groups)


def ends(text, sign):
    """Return the sizes in "i <= k, j <= 3"."""
    found = re.findall(rf"\w+ {sign} (\w+)", text)
    return tuple(int(e) if e.isdigit() else e for e in found) or None


def product(factors):
    items = tuple(base for base, power in factors for _ in range(power))
    return items[0] if len(items) == 1 else k.Product(items)


class Plain(Reader):
    def cases(self):
        found = self.row(self.case, "; ")
        return found[0][1] if found[0][0] is None else k.Cases(tuple(k.SizeCase(*c) for c in found))

    def case(self):
        value = self.total()
        if not self.taken(" for "):
            return None, value
        return (() if self.taken("all") else self.row(self.range, " and ")), value

    def range(self):
        if found := self.match(r"(\d+) <= (\w+) <= (\d+)"):
            return k.SizeRange(found[2], int(found[1]), int(found[3]))
        symbol, sign, low = self.match(r"(\w+) (>=|=) (\d+)").groups()
        return k.SizeRange(symbol, int(low), int(low) if sign == "=" else None)

    def product(self):
        return product(self.row(self.factor, "*"))

    def factor(self):
        base = self.atom()
        power = self.match(r"\^(\d+)")
        return base, int(power[1]) if power else 1

    def atom(self):
        if self.taken("sum of the "):
            count = self.total()
            self.take(" largest ")
            value, written = self.value()
            return self.reaches(over([value], (k.Choice(count, value),), written))
        if self.taken("max over different blocks("):
            groups = (self.group(),)
            while not self.sees(r"\)|; \w+ <= "):
                self.take("; ")
                groups += (self.group(),)
            return over([g.value for g in groups], groups, self.family())
        if found := self.match(r"max over (?:different )?(.*?) of \("):
            names = [n.strip("()") for n in re.split(r" != |, (?![^(]*\))", found[1])]
            groups = self.summands(names)
            self.take(")")
            return self.reaches(over([g.value for g in groups], groups))
        if self.taken("("):
            found = self.cases()
            self.take(")")
            return found
        if found := self.match(r"(max|sum)\("):
            return self.called(found[1])
        if found := self.match(
            r"(sqrt|growth|gdp|tanh|exp|path_rho|path_mu|zcdp_epsilon|gaussian_delta)\("
        ):
            items = self.row(self.total, ", ")
            self.take(")")
            return k.Sqrt(*items) if found[1] == "sqrt" else k.Apply(found[1], items)
        if found := self.match(r"\d+(/\d+)?"):
            return k.Num(Fraction(found[0]))
        if self.taken("inf"):
            return k.Inf()
        name = (self.match(r"[a-z]\w*") or self.fail("a name is missing"))[0]
        if self.match(r"\[[a-z0-9,]*\]"):
            return k.BlockEntry(name, SIZES_OF[name])
        return k.Size(name) if name in SIZES else k.Param(name)

    def family(self):
        """Return the family that is written at the end of a bracket, and leave the bracket."""
        written = self.match(r"; (\w+ <= \w+(?:, \w+ <= \w+)*)(?=\))")
        self.take(")")
        return ends(written[1], "<=") if written else None

    def value(self):
        start = self.at
        if self.taken("("):
            found = self.total()
            if self.sees("; "):
                return found, self.family()
            self.at = start
        return self.product(), None

    def group(self):
        count = k.Inf() if self.taken("all") else self.total()
        self.take(" of ")
        return k.Choice(count, self.total())

    def called(self, word):
        items = self.row(self.total, ", ")
        written = self.family()
        if len(items) > 1:
            return k.Max(items)
        count = ONE if word == "max" else k.Inf()
        return over(items, (k.Choice(count, items[0]),), written)


def read_plain(text):
    """Return the expression that a text says."""
    return Plain(text).whole()


# ------------------------------------------------------------------ LaTeX

NAMES = {r"\varepsilon_{0}": "eps0", r"\varepsilon_{\mathrm{fl}}": "eps_fl"}
STEMS = {r"\varepsilon": "eps", r"\mu": "mu", r"\tau": "tau", r"\rho": "rho"}


class Latex(Reader):
    def cases(self):
        if not self.taken(r"\begin{cases} "):
            return self.total()
        found = self.row(self.case, r" \\ ")
        self.take(r" \end{cases}")
        return k.Cases(found)

    def case(self):
        value = self.total()
        self.take(" & ")
        none = self.taken(r"\text{otherwise}")
        return k.SizeCase(() if none else self.row(self.range, r",\ "), value)

    def range(self):
        if found := self.match(r"(\d+) \\le (\w+) \\le (\d+)"):
            return k.SizeRange(found[2], int(found[1]), int(found[3]))
        symbol, sign, low = self.match(r"(\w+) (\\ge|=) (\d+)").groups()
        return k.SizeRange(symbol, int(low), int(low) if sign == "=" else None)

    def product(self):
        found = [self.factor()]
        while self.taken(r" \cdot ") or self.match(r" (?!\+|&|-|/|\\\\|\\end)"):
            found.append(self.factor())
        return product(found)

    def factor(self):
        base = self.atom()
        power = self.match(r"\^\{(\d+)\}")
        return base, int(power[1]) if power else 1

    def atom(self):
        if opening := self.match(r"\\Bigl\(|\("):
            found = self.cases()
            self.take(r"\Bigr)" if len(opening[0]) > 1 else ")")
            return found
        if self.taken(r"\max\{"):
            found = k.Max(self.row(self.total, ", "))
            self.take(r"\}")
            return found
        if self.sees(r"\\(max|sum)_"):
            return self.reaches(self.over_blocks())
        if self.taken(r"\sqrt{"):
            found = k.Sqrt(self.total())
            self.take("}")
            return found
        functions = r"\\varepsilon_\{\\mathrm\{Z|\\delta_|\\(rho|mu)_\{\\mathrm\{P\}\}\("
        if self.sees(rf"\\frac|2\\,\\Phi|\\tanh|\\exp|{functions}"):
            return self.applied()
        if found := self.match(r"\\tfrac\{(\d+)\}\{(\d+)\}|(\d+)"):
            return k.Num(Fraction(int(found[1] or found[3]), int(found[2] or 1)))
        if self.taken(r"\infty"):
            return k.Inf()
        if found := self.match(r"[a-z]\b"):
            return k.Size(found[0]) if found[0] in SIZES else k.Param(found[0])
        for shown, name in NAMES.items():
            if self.taken(shown):
                return k.Param(name)
        stem = (self.match(r"(\\[a-z]+)_(\{[^{}]*\}|\w)") or self.fail("a name is missing"))[1]
        return k.BlockEntry(STEMS[stem], SIZES_OF[STEMS[stem]])

    def applied(self):
        if self.taken(r"\frac{e^{"):
            above = self.total()
            self.take(r"} - 1}{e^{")
            eps = self.total()
            self.take("} - 1}")
            whole = above.items[-1:] == (eps,)  # as one factor, perhaps in brackets
            last = (eps,) if whole or not isinstance(eps, k.Product) else eps.items
            many = len(above.items) - len(last)
            if above.items[many:] != last:
                self.fail("two different exponents")
            return k.Apply("growth", (eps, product([(x, 1) for x in above.items[:many]])))
        if self.match(r"2\\,\\Phi\^\{-1\}\\bigl\("):
            found = self.total_of_exponential()
            self.take(" / (1 + ")
            if self.total_of_exponential() != found:
                self.fail("two different exponents")
            self.take(r")\bigr)")
            return k.Apply("gdp", (found,))
        signs = {
            r"\delta_{\mathrm{G}}(": "gaussian_delta", r"\rho_{\mathrm{P}}(": "path_rho",
            r"\mu_{\mathrm{P}}(": "path_mu", r"\tanh(": "tanh",
            r"\exp(": "exp",
        }  # fmt: skip
        name = next((word for sign, word in signs.items() if self.taken(sign)), "zcdp_epsilon")
        if name == "zcdp_epsilon":
            self.take(r"\varepsilon_{\mathrm{Z}}(")
        found = self.row(self.total, ", ")
        self.take(")")
        return k.Apply(name, found)

    def total_of_exponential(self):
        self.take("e^{")
        found = self.total()
        self.take("}")
        return found

    # -------------------------------------------------------- over blocks

    def below(self):
        """Return what stands below a sign, and leave it behind."""
        depth = 0
        for n, sign in enumerate(self.rest()):
            depth += (sign == "{") - (sign == "}")
            if depth == 0:
                found = self.rest()[1:n]
                self.at += n + 1
                return found
        return self.fail("a brace is not closed")

    def value(self):
        self.take(" ")
        return self.product()

    def over_blocks(self):
        if self.sees(r"\\sum_"):
            return self.sum()
        self.take(r"\max_")
        below = self.below()
        if r"\text{disjoint}" in below:
            return self.groups(below)
        if r"\neq" in below or r"\text{distinct}" in below:
            return self.different(below)
        count, last = ONE, below
        if found := re.match(r"\|S\| \\le (.*?)((?:,\\ \w+ \\le \w+)*)$", below):
            self.take(r" \sum_")
            self.below()
            count, last = Latex(found[1]).whole(), found[2]
        value = self.value()
        return over([value], (k.Choice(count, value),), ends(last, r"\\le"))

    def sum(self):
        """Read a sum over all blocks, or over the largest ones in their order."""
        if found := self.match(r"\\sum_\{j=1\}\^\{\\min\(((?:[^(){}]|\{\d+\})*), (\w+)\)\} "):
            size = int(found[2]) if found[2].isdigit() else found[2]
            value = self.product()
            inside = set(k.subterms(value))
            if sum(isinstance(x, k.BlockEntry) for x in inside) != 1 or not all(
                isinstance(x, k.BlockEntry | k.Product | k.Num) for x in inside
            ):
                self.fail("a value does not grow with one parameter before")
            return k.Worst((size,), (k.Choice(Latex(found[1]).whole(), value),))
        sizes = []
        while found := self.match(r"\\sum_\{\w+=1\}\^\{(\w+)\} "):
            sizes.append(int(found[1]) if found[1].isdigit() else found[1])
        return k.Worst(tuple(sizes), (k.Choice(k.Inf(), self.product()),))

    def groups(self, below):
        counts = dict(re.findall(r"\|S_(\d)\| \\le (.*?)(?=, \||,\\ |$)", below))
        self.take(r" \Bigl(")
        found = []
        for n in re.findall(r"S_(\d)", below.split(r"\ \text")[0]):
            if found:
                self.take(" + ")
            self.take(r"\sum_")
            self.below()
            count = Latex(counts[n]).whole() if n in counts else k.Inf()
            found.append(k.Choice(count, self.value()))
        self.take(r"\Bigr)")
        written = ends(" ".join(re.findall(r",\\ (\w+ \\le \w+)", below)), r"\\le")
        return over([g.value for g in found], tuple(found), written)

    def different(self, below):
        said = below.split(r"\ \text")[0]
        names = [n.strip("()") for n in re.split(r" \\neq |, (?![^(]*\))", said)]
        self.take(" (")
        groups = self.summands(names)
        self.take(")")
        return over([g.value for g in groups], groups)


def read_latex(text):
    """Return the expression that a formula says."""
    return Latex(text).whole()
