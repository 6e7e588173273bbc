r"""Reports as LaTeX: a whole article, or a fragment for ``\input``, for one column or for two.

Only packages of every common TeX installation are used.  Words of a user can contain anything:
what pdfTeX could not set is written out, so that a report always compiles.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from dpcomp_sym.report.breaking import in_lines
from dpcomp_sym.report.databases import Databases, RecordRow, databases, runs
from dpcomp_sym.report.document import (
    Block,
    Citation,
    Code,
    Display,
    Document,
    Emphasis,
    Example,
    Items,
    Math,
    Memberships,
    Paragraph,
    Reference,
    Section,
    StatementBlock,
    Table,
    listed,
    read,
)
from dpcomp_sym.report.formulas import width
from dpcomp_sym.report.works import WORKS, bibliography
from dpcomp_sym.statements.latex import latex_name

__all__ = ["PREAMBLE", "article", "bibtex", "escape", "fragment", "lines", "loosely"]

_FONTS: Final = r"""\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern}"""
PREAMBLE: Final = r"""\usepackage{amsmath,amssymb,amsthm}
\usepackage{array,booktabs,graphicx}
\usepackage[hidelinks]{hyperref}
\usepackage[nameinlink]{cleveref}
\newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{proposition}[theorem]{Proposition}
\theoremstyle{definition}
\newtheorem{definition}[theorem]{Definition}
\newtheorem{example}[theorem]{Example}
\newtheorem{remark}[theorem]{Remark}
\newcounter{dpstep}
\crefname{dpstep}{step}{steps}
\Crefname{dpstep}{Step}{Steps}"""
# LaTeX asks for another run when the page of a label has moved.  Nothing refers to a page here, so
# numbers alone decide, and two runs are enough.
_TWO_RUNS: Final = r"""\makeatletter % no page is referred to: new numbers alone need another run
\AtEndDocument{\let\dpcomp@testdef\@testdef
  \def\@testdef#1#2#3{\if r#1\@ifundefined{r@#2}{\@tempswatrue}{%
    \expandafter\let\expandafter\@tempb\csname r@#2\endcsname
    \edef\@tempa{\detokenize\expandafter{\@car#3\@nil}}%
    \edef\@tempb{\detokenize\expandafter\expandafter\expandafter{\expandafter\@car\@tempb\@nil}}%
    \ifx\@tempa\@tempb\else\@tempswatrue\fi}\else\dpcomp@testdef{#1}{#2}{#3}\fi}}
\makeatother"""
_CLASSES: Final = {
    1: r"""\documentclass[11pt,a4paper]{article}
\usepackage[margin=30mm]{geometry}""",
    2: r"""\documentclass[10pt,a4paper,twocolumn]{article}
\usepackage[margin=20mm,columnsep=7mm]{geometry}
\raggedbottom""",
}
_WIDEST: Final = {1: 60, 2: 34}
"""How wide a displayed formula may be, by the number of columns."""
_TALLEST: Final = 36
"""How many lines of a table go on a page; the rest goes into another table."""
_MANY: Final = 3
_SPARE: Final = 0.95
_HIGH: Final = {r"\dfrac": "2.4", r"\tfrac": "1.35"}
"""How far apart the rows of a table are that has fractions."""
_LESS: Final = r"\linewidth-2\tabcolsep"
_SHORT: Final = 24
"""More columns of a table than these, with so short words, have no room in a narrow column."""
_IN_A_LINE: Final = {1: 92, 2: 50}
"""About so many characters of a table stand in a line, by the number of columns."""
# A formula that cannot be broken, as wide as the line at most.
_FIT: Final = r"""\providecommand{\dpfit}[1]{\sbox0{$\displaystyle #1$}%
  \ifdim\wd0>\dimexpr\linewidth-3em
  \resizebox{\dimexpr\linewidth-3em}{!}{\usebox0}\else\usebox0\fi}"""
# Long names do not break: rather a loose line than one that is too long, above all in a column.
_LOOSE: Final = {
    1: r"\emergencystretch=5em \tolerance=1500 \hbadness=6000",
    2: r"\emergencystretch=5em \tolerance=1500 \hbadness=10000",
}
_ROOM: Final = 18
_TALL: Final = re.compile(r"\\(?:begin|sum|prod|int|t?frac|sqrt|max_)")
_LONG_WORD: Final = 14
_ATTRIBUTES: Final = {1: 64, 2: 38}
"""How many letters the columns of a counterexample may have together."""
_STRIP: Final = {1: 300, 2: 160}  # points: how wide membership vectors are drawn at most
_FINE: Final = 3  # points: narrower squares look alike
_SIGNS: Final = {
    "ε": r"\varepsilon", "δ": r"\delta", "μ": r"\mu", "ρ": r"\rho", "Σ": r"\sum", "Δ": r"\Delta",
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "∞": r"\infty", "√": r"\surd", "∈": r"\in",
    "∩": r"\cap", "∪": r"\cup", "′": "'", "″": "''", "²": "{}^2", "⁵": "{}^5", "·": r"\cdot",
    "→": r"\to", "⇒": r"\Rightarrow", "⇔": r"\Leftrightarrow", "∘": r"\circ", "α": r"\alpha",
    "Φ": r"\Phi", "×": r"\times", "⁻": "{}^{-}", "¹": "{}^1", "ᵢ": "{}_i", "ⱼ": "{}_j",
    "½": r"\tfrac12", "∖": r"\setminus", "∅": r"\emptyset", "𝔻": r"\mathbb{D}", "∉": r"\notin",
    "₊": "{}_+", "∀": r"\forall", "∃": r"\exists", "−": "-", "₁": "{}_1", "₂": "{}_2",
    "₃": "{}_3", "₀": "{}_0", "φ": r"\varphi", "λ": r"\lambda", "τ": r"\tau", "π": r"\pi",
    "⊗": r"\otimes", "⊆": r"\subseteq", "∼": r"\sim", "ν": r"\nu", "θ": r"\theta",
    "∧": r"\wedge", "∫": r"\int", "⊕": r"\oplus", "‖": r"\|", "∨": r"\vee",
    "ℝ": r"\mathbb{R}", "ℕ": r"\mathbb{N}", "ℤ": r"\mathbb{Z}", "⌈": r"\lceil", "⌉": r"\rceil",
    "<": "<", ">": ">", "|": "|", "β": r"\beta", "γ": r"\gamma", "η": r"\eta", "κ": r"\kappa",
    "σ": r"\sigma", "ω": r"\omega", "Γ": r"\Gamma", "Π": r"\prod", "Ω": r"\Omega", "≈": r"\approx",
    "∑": r"\sum", "¬": r"\lnot", "±": r"\pm", "³": "{}^3", "ⁿ": "{}^n", "ⁱ": "{}^i",
    "ᵏ": "{}^k", "ₖ": "{}_k", "ₙ": "{}_n", "∏": r"\prod", "≡": r"\equiv", "∥": r"\|",
    "⊂": r"\subset", "ξ": r"\xi", "ψ": r"\psi", "χ": r"\chi", "ζ": r"\zeta", "⟨": r"\langle",
    "⟩": r"\rangle", "⌊": r"\lfloor", "⌋": r"\rfloor", "←": r"\gets", "↔": r"\leftrightarrow",
    "⁰": "{}^0", "⁴": "{}^4", "⁶": "{}^6", "⁷": "{}^7", "⁸": "{}^8", "⁹": "{}^9", "₄": "{}_4",
    "₅": "{}_5", "ₘ": "{}_m", "ₓ": "{}_x", "ₐ": "{}_a", "⁺": "{}^{+}", "⊥": r"\bot", "⊤": r"\top",
    "∣": r"\mid", "∎": r"\square", "↦": r"\mapsto", "ℙ": r"\mathbb{P}", "𝔼": r"\mathbb{E}",
    "─": r"\relbar\mkern-4mu ",
    "▸": r"\rightarrow", "⊔": r"\sqcup", "⊎": r"\uplus", "𝒰": r"\mathcal{U}", "ℬ": r"\mathcal{B}",
}  # fmt: skip
_ESCAPES: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "&": r"\&", "%": r"\%",
    "#": r"\#", "$": r"\$", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "…": r"\dots{}",
    "“": "``", "”": "''", "‘": "`", "’": "'", "–": "--", "—": "---", "\u00a0": "~",
    '"': r"\textquotedbl{}", "\t": " ", "\n": " ",
}  # fmt: skip


def escape(text: str) -> str:
    r"""Return words as LaTeX sets them; whatever it cannot set is written out.

    >>> print(escape("50% of ε_i, Müller, 中"))
    50\% of \ensuremath{\varepsilon}\_i, Müller, (U+4E2D)
    """
    return "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter in _SIGNS:
        return rf"\ensuremath{{{_SIGNS[letter]}}}"
    code = ord(letter)
    if 32 <= code < 127:
        return letter
    if 0xC0 <= code < 0x180 and unicodedata.category(letter)[0] == "L":
        return letter if letter not in "ĿŀŉĦħŦŧĸ" else f"(U+{code:04X})"
    if letter == "§":
        return r"\S{}"
    return f"(U+{code:04X})"


def _breakable(text: str) -> str:
    """Escape words; a long one that is not a plain word may be broken after signs and digits."""
    return " ".join(
        escape(word) if len(word) <= _LONG_WORD or word.isalpha() else _broken(word)
        for word in text.split(" ")
    )


def _broken(word: str) -> str:
    r"""Escape a word that may be broken inside, but not after the bracket that it begins with.

    >>> print(_broken("(unbounded_or_bounded)"))
    (unbounded\_\allowbreak{}or\_\allowbreak{}bounded)
    """
    begins = r"(?:^[^A-Za-z0-9]+)?"
    chunks = re.findall(rf"{begins}[A-Za-z]+[^A-Za-z0-9]*|{begins}\d{{1,8}}[^A-Za-z0-9]*|.", word)
    return r"\allowbreak{}".join(map(escape, chunks))


# ------------------------------------------------------------------ prose


def _prose(text: str, columns: int = 1) -> str:
    written = "".join(_inline(piece, columns) for piece in read(text))
    return re.sub(r"\n(\\\]|\\end\{multline\*\})\n\.", r".\n\1\n", written)


def _inline(piece: object, columns: int) -> str:
    match piece:
        case str():
            return _breakable(piece)
        case Math(latex):
            if latex.endswith(r"\end{cases}\right)"):  # too high and too wide for a line of prose
                latex = latex.replace(r"\left(\begin", r"\begin", 1).removesuffix(r"\right)")
                return "\n".join(["", *_display(latex, "", columns), ""])
            high = r"\sqrt" in latex or r"\begin{cases}" in latex
            if columns > 1 and high and width(latex) > _WIDEST[columns]:
                return "\n".join(["", *_display(latex, "", columns), ""])
            return f"${_flowing(_settable(latex))}$"
        case Emphasis(text):
            return rf"\emph{{{escape(text)}}}"
        case Code(text):
            return rf"\texttt{{{_breakable(text).replace('--', '-{}-')}}}"
        case Reference(labels):
            return rf"\cref{{{','.join(labels)}}}"
        case Citation(key, where):
            return rf"\cite[{escape(where)}]{{{key}}}" if where else rf"\cite{{{key}}}"
        case _:
            raise TypeError(f"no inline: {piece!r}")


def _settable(latex: str) -> str:
    """Return a formula in which every sign is one that pdfTeX supports."""
    return "".join(c if c.isascii() else f"{{{_SIGNS.get(c, _letter(c))}}}" for c in latex)


def _flowing(latex: str) -> str:
    r"""Return a formula that can be broken after its commas, if it is long.

    >>> print(_flowing("(a, b)"), _flowing("(a, bbbbbbbbbbbbbbbbbbbbbbb)"))
    (a, b) (a,\allowbreak bbbbbbbbbbbbbbbbbbbbbbb)
    """
    if width(latex) < _ROOM:
        return latex
    if _TALL.search(latex) is None:  # a line ends between plain parentheses only
        latex = latex.replace(r"\left(", "(").replace(r"\right)", ")")
    return re.sub(r"(?<!\\),(\\ | )", r",\\allowbreak\1", latex)


# ------------------------------------------------------------------ displays


def _display(latex: str, after: str, columns: int) -> list[str]:
    """Return a displayed formula, on several lines if it is long."""
    pieces = in_lines(_settable(latex), _WIDEST[columns])
    if len(pieces) == 1:
        return [r"\[", f"  {pieces[0]}{after}", r"\]"]
    body = [f"  {p} \\\\" for p in pieces[:-1]]
    return [r"\begin{multline*}", *body, f"  {pieces[-1]}{after}", r"\end{multline*}"]


# ------------------------------------------------------------------ blocks


def lines(blocks: Sequence[Block], level: int = 0, columns: int = 1) -> Iterator[str]:
    """Yield the lines of blocks; sections start at this level (0 is a section)."""
    for number, block in enumerate(blocks):
        found = _block(block, level, columns)
        continued = any(isinstance(b, Display) for b in blocks[number + 1 : number + 2])
        yield from _trimmed(found) if continued else found


def _block(block: Block, level: int, columns: int) -> Iterator[str]:
    match block:
        case Paragraph(text, ragged):
            said = _prose(text, columns)
            yield rf"{{\raggedright {said}\par}}" if ragged else said
            yield ""
        case Display(latex, after):
            yield from _display(latex, after, columns)
        case Items():
            yield from _items(block, level, columns)
        case StatementBlock():
            yield from _statement(block, level, columns)
        case Table():
            yield from _table(block, columns)
        case Example():
            yield from _example(block, columns)
        case Memberships():
            yield from _memberships(block, columns)
        case Section(title, label, inner):
            command = ("section", "subsection", "subsubsection", "paragraph")[min(level, 3)]
            yield rf"\{command}{{{escape(title)}}}\label{{{label}}}"
            yield from lines(inner, level + 1, columns)


def _statement(block: StatementBlock, level: int, columns: int) -> Iterator[str]:
    title = f"[{escape(block.title)}]" if block.title else ""
    yield rf"\begin{{{block.kind}}}{title}\label{{{block.label}}}"
    if isinstance(block.body[0], Items | Display | Table):
        yield r"\leavevmode"
    yield from _trimmed(lines(block.body, level, columns))
    yield rf"\end{{{block.kind}}}"
    if block.proof:
        yield r"\begin{proof}"
        yield from _trimmed(lines(block.proof, level, columns))
        yield r"\end{proof}"
    yield ""


def _trimmed(found: Iterator[str]) -> list[str]:
    kept = list(found)
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _items(block: Items, level: int, columns: int) -> Iterator[str]:
    kind = "enumerate" if block.numbered else "itemize"
    if block.labels:
        yield r"\begin{list}{(\arabic{dpstep})}{\usecounter{dpstep}"
        yield r"  \setlength{\leftmargin}{3em}\setlength{\labelwidth}{2.4em}"
        yield rf"  \setlength{{\itemsep}}{{0pt}}\setcounter{{dpstep}}{{{block.start - 1}}}}}"
        yield r"\raggedright"
    else:
        yield rf"\begin{{{kind}}}\setlength{{\itemsep}}{{2pt}}"
    for number, item in enumerate(block.items):
        label = rf"\label{{{block.labels[number]}}}" if block.labels else ""
        inner = _trimmed(lines(item, level, columns))
        yield rf"\item{label} {inner[0]}" if inner else r"\item"
        yield from inner[1:]
    if block.labels:
        yield r"\end{list}"
    else:
        yield rf"\end{{{kind}}}"


def _table(block: Table, columns: int) -> Iterator[str]:
    """Yield a table; a long one as several, since no table that breaks stands in two columns."""
    short = all(width(cell) <= _SHORT for row in block.rows for cell in row)
    many = columns > 1 and len(block.widths) > _MANY and short  # scaled to the column
    wide = columns == 1 and sum(block.widths) <= _SPARE  # there is room for the gaps beside
    paragraphs = "".join(_column(w, r"\linewidth" if wide else _LESS) for w in block.widths)
    shape = "l" * len(block.widths) if many else paragraphs
    header = " & ".join(_prose(h) for h in block.header)
    for rows in _pages(block, _IN_A_LINE[columns]):
        cells = [_row(_prose(cell) for cell in row) for row in rows]
        high = next((n for frac, n in _HIGH.items() if any(frac in row for row in cells)), "")
        yield (
            r"\begin{center}\small\setlength{\tabcolsep}{3pt}"
            + (rf"\renewcommand{{\arraystretch}}{{{high}}}" if high else "")
            + (r"\dpfit{%" if many else "")
        )
        yield rf"\begin{{tabular}}{{{shape}}}"
        yield rf"\toprule {header} \\ \midrule"
        yield from cells
        yield r"\bottomrule"
        yield r"\end{tabular}" + ("}" if many else "")
        yield r"\end{center}"


def _pages(block: Table, room: int) -> Iterator[list[Sequence[str]]]:
    """Yield the rows of a table, so many at once as stand on a page."""
    page: list[Sequence[str]] = []
    height = 0
    for row in block.rows:
        cells = zip(row, block.widths, strict=True)
        lines_ = max(1 + int(width(cell) / (share * room)) for cell, share in cells)
        if page and height + lines_ > _TALLEST:
            yield page
            page, height = [], 0
        page.append(row)
        height += lines_
    yield page


def _row(cells: Iterable[str]) -> str:
    """Return a row; a bracket at its start is not what the line break before it asks for."""
    row = " & ".join(cells)
    return ("{}" if row.startswith(("[", "*")) else "") + row + r" \\"


def _column(width_: float, of: str = _LESS) -> str:
    return rf">{{\raggedright\arraybackslash}}p{{\dimexpr{width_:g}{of}}}"


def _example(block: Example, columns: int) -> Iterator[str]:
    """Yield two databases side by side, as a table by blocks; numbered, if it has a label."""
    both = databases(block.data)
    if block.label:
        yield rf"\begin{{example}}[Two neighbouring databases]\label{{{block.label}}}"
        yield r"\leavevmode"
    yield from _rows(both, columns)
    for name, value in both.remarks:
        symbols = block.data.get(name)
        if name == "symbols" and isinstance(symbols, Mapping):
            yield f"Here {listed([f'${latex_name(s)} = {n}$' for s, n in symbols.items()])}. "
        else:
            yield rf"{escape(name.capitalize())}: {_breakable(value)}. "
    if block.label:
        yield r"\end{example}"
    yield ""


def _rows(both: Databases, columns: int) -> Iterator[str]:
    if not both.rows:
        yield "Both are empty."
        return
    names = [name for name, _ in both.shown[0].fields]
    alike = all([name for name, _ in row.fields] == names for row in both.shown)
    table = [["Block", *(row.block or "–" for row in both.shown)]]
    table += [[name, *(row.fields[n][1] for row in both.shown)] for n, name in enumerate(names)]
    widest = sum(2 + max(map(len, column)) for column in table)
    if names and alike and widest <= _ATTRIBUTES[columns]:
        shape = "l" * len(table) + "rr"
        heads = [f"${latex_name(name)}$" for name in names]
        cells = [[column[n + 1] for column in table] for n in range(len(both.shown))]
        records = [[escape(cell) for cell in row] for row in cells]
    else:
        records = [[_breakable(row.block or "–"), _record(row)] for row in both.shown]
        shape = _two_widths([(row.block, row.record) for row in both.shown], columns) + "rr"
        heads = ["Record"]
    yield r"\begin{center}\setlength{\tabcolsep}{3pt}"
    yield rf"\begin{{tabular}}{{{shape}}}"
    yield rf"\toprule {' & '.join(['Block', *heads])} & $D$ & $D'$ \\ \midrule"
    for row, words in zip(both.shown, records, strict=True):
        marks = [str(row.old), str(row.new)]
        if row.old != row.new:
            marks = [rf"\textbf{{{m}}}" for m in marks]
        yield " & ".join([*words, *marks]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{center}"
    if both.hidden:
        yield f"{both.hidden} more records do not change. "


def _record(row: RecordRow) -> str:
    """Return a record with its attributes as they are called in formulas."""
    if not row.fields:
        return _breakable(row.record)
    return ", ".join(f"${latex_name(a)}$ = {_breakable(value)}" for a, value in row.fields)


def _two_widths(cells: Sequence[tuple[str, str]], columns: int) -> str:
    """Return columns for blocks and records, so that no word sticks out."""
    longest = [max(len(text) for text in texts) for texts in zip(*cells, strict=True)]
    word = max(len(word) for text, _ in cells for word in f"Block {text}".split(" "))
    least = 0.03 + 0.012 * columns * min(word, _LONG_WORD)
    first = max(least, min(0.32, 0.72 * longest[0] / (sum(longest) or 1)))
    return "".join(map(_column, (first, 0.72 - first)))


def _memberships(block: Memberships, columns: int) -> Iterator[str]:
    """Yield a strip of squares for each vector, black where somebody is."""
    yield r"\begin{center}\setlength{\unitlength}{1pt}"
    yield r"\begin{tabular}{rrl}"
    for group, size in block.sizes.items():
        for name, places in block.rows:
            about = escape(group) if len(block.sizes) > 1 else ""
            yield rf"{about} & ${name}$ & {_strip(size, places[group], _STRIP[columns])} \\[2pt]"
    yield r"\end{tabular}"
    yield r"\end{center}"


def _strip(size: int, numbers: Sequence[int], most: int) -> str:
    step = min(10.0, most / size)
    whole = f"{step * size:.4g}"
    lines_ = size if step >= _FINE else 1
    apart = f"{step * size / lines_:.6g}"
    filled = "".join(
        rf"\put({step * (first - 1):.6g},0){{\rule{{{step * (last - first + 1):.6g}pt}}{{8pt}}}}"
        for first, last in runs(numbers)
    )
    return (
        rf"\begin{{picture}}({whole},8)\multiput(0,0)(0,8){{2}}{{\line(1,0){{{whole}}}}}"
        rf"\multiput(0,0)({apart},0){{{lines_ + 1}}}{{\line(0,1){{8}}}}{filled}\end{{picture}}"
    )


# ------------------------------------------------------------------ whole files


def _keys(body: str) -> list[str]:
    return sorted({k for found in re.findall(r"\\cite(?:\[[^\]]*\])?\{([^}]*)\}", body)
                   for k in found.split(",")})  # fmt: skip


def article(document: Document, columns: int = 1) -> str:
    """Return a document that compiles by itself, with its references, in one column or two."""
    body = "\n".join([rf"\begin{{abstract}}{_prose(document.abstract)}\end{{abstract}}",
                      *([r"\tableofcontents"] if document.contents else []),
                      *lines(document.blocks, columns=columns)])  # fmt: skip
    return "\n".join(
        [
            "% Written by dpcomp. Run pdflatex twice.",
            _CLASSES[columns],
            _FONTS,
            PREAMBLE,
            _TWO_RUNS,
            _LOOSE[columns],
            _FIT,
            rf"\title{{{escape(document.title)}}}",
            r"\author{Derived by dpcomp-sym}",
            r"\date{}",
            r"\begin{document}",
            r"\maketitle",
            body,
            *_bibliography(_keys(body)),
            r"\end{document}",
            "",
        ]
    )


def _bibliography(keys: Sequence[str]) -> Iterator[str]:
    if not keys:
        return
    yield rf"\begin{{thebibliography}}{{{max(keys, key=len)}}}\raggedright"
    for key in keys:
        yield rf"\bibitem[{key}]{{{key}}} {escape(WORKS[key].text())}"
    yield r"\end{thebibliography}"


def bibtex(document: Document) -> str:
    """Return the works that a document cites, as a BibTeX file."""
    return bibliography(_keys("\n".join(lines(document.blocks))))


def fragment(document: Document, columns: int = 1) -> str:
    r"""Return the same for ``\input``; a comment says what it needs, without fonts and margins."""
    whole = Section(document.title, _first_label(document), document.blocks)
    body = "\n".join(lines([whole], columns=columns))
    entries = "\n".join(WORKS[key].bibtex(key) for key in _keys(body))
    needs = f"{PREAMBLE}\n\nBibTeX entries of the works cited:\n\n{entries}"
    comment = "\n".join(f"% {line}".rstrip() for line in needs.splitlines())
    return (
        "% Written by dpcomp, for \\input. The preamble needs, as far as it does not have them:\n"
        f"%\n{comment}\n\n{loosely([body], columns)}\n"
    )


def loosely(written: Iterable[str], columns: int = 1) -> str:
    """Return lines that are set with wide gaps rather than too wide."""
    body = "\n".join(written).rstrip()
    body = f"{_FIT}\n{body}" if r"\dpfit" in body else body
    return f"\\begingroup{_LOOSE[columns]}\n{body}\n\\par\\endgroup"


def _first_label(document: Document) -> str:
    for block in document.blocks:
        if isinstance(block, Section):
            return f"{block.label.rpartition(':')[0]}:report"
    return "dpcomp:report"
