r"""Reports as LaTeX: a whole article, or a fragment for ``\input``.

Only packages of every common TeX installation are used.  Words of a user can contain anything:
what pdfTeX could not set is written out, so that a report always compiles.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from dpcomp_sym.report.databases import Databases, databases, runs
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
    read,
)
from dpcomp_sym.report.formulas import width
from dpcomp_sym.report.works import WORKS

__all__ = ["PREAMBLE", "article", "escape", "fragment", "lines", "loosely"]

PREAMBLE: Final = r"""\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern}
\usepackage[margin=30mm]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{array,booktabs,longtable}
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
_WIDEST: Final = 60
# Long names do not break: rather a loose line than one that is too long.
_LOOSE: Final = r"\emergencystretch=5em \tolerance=1500 \hbadness=6000"
_ROOM: Final = 18
_TALL: Final = re.compile(r"\\(?:begin|sum|prod|int|t?frac|sqrt|max_)")
_LONG_WORD: Final = 14
_STRIP: Final = 300  # points: how wide membership vectors are drawn at most
_FINE: Final = 3  # points: narrower squares are not told apart
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
    """Escape words; a long one that is no plain word may be broken after signs and digits."""
    return " ".join(
        escape(word) if len(word) <= _LONG_WORD or word.isalpha() else _broken(word)
        for word in text.split(" ")
    )


def _broken(word: str) -> str:
    chunks = re.findall(r"[A-Za-z]+[^A-Za-z0-9]*|\d{1,8}[^A-Za-z0-9]*|.", word)
    return r"\allowbreak{}".join(map(escape, chunks))


# ------------------------------------------------------------------ prose


def _prose(text: str) -> str:
    return "".join(map(_inline, read(text)))


def _inline(piece: object) -> str:
    match piece:
        case str():
            return _breakable(piece)
        case Math(latex):
            return f"${_flowing(_settable(latex))}$"
        case Emphasis(text):
            return rf"\emph{{{escape(text)}}}"
        case Code(text):
            return rf"\texttt{{{escape(text).replace('--', '-{}-')}}}"
        case Reference(labels):
            return rf"\cref{{{','.join(labels)}}}"
        case Citation(key, where):
            return rf"\cite[{escape(where)}]{{{key}}}" if where else rf"\cite{{{key}}}"
        case _:
            raise TypeError(f"no inline: {piece!r}")


def _settable(latex: str) -> str:
    """Return a formula in which every sign is one that pdfTeX knows."""
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


def _tops(latex: str, sign: str) -> list[int]:
    """Return where a sign stands outside all braces and brackets."""
    found, depth, at = [], 0, 0
    while at < len(latex):
        if latex.startswith(r"\begin", at):
            depth += 1
        elif latex.startswith(r"\end{", at):
            depth -= 1
        if latex[at] in "{([":
            depth += 1
        elif latex[at] in "})]":
            depth -= 1
        elif depth == 0 and latex.startswith(sign, at) and latex[at - 1 : at] != "\\":
            found.append(at)
        at += 1
    return found


def _display(latex: str, after: str) -> list[str]:
    """Return a displayed formula, on several lines if it is long."""
    pieces = _split(_settable(latex))
    if len(pieces) == 1:
        return [r"\[", f"  {pieces[0]}{after}", r"\]"]
    body = [f"  {p} \\\\" for p in pieces[:-1]]
    return [r"\begin{multline*}", *body, f"  {pieces[-1]}{after}", r"\end{multline*}"]


def _split(latex: str, most: int = _WIDEST) -> list[str]:
    """Return a formula in lines: after the commas of a pair or a maximum, before plus signs."""
    group = re.fullmatch(
        r"(.*?= )?(\\max)?(?:\\left|\\bigl)?(\(|\\\{)(.*?)(?:\\right|\\bigr)?(\)|\\\})", latex
    )
    if group is not None and _closed(group[4]):
        start, inner = f"{group[1] or ''}{group[2] or ''}", group[4]
        commas = _tops(inner, ", ")
        if _space(latex) <= most or not commas:
            return [rf"{start}\left{group[3]}{inner}\right{group[5]}"]
        marks = [-2, *commas, len(inner)]
        rest = most - _space(start)
        items = [_split(inner[one + 2 : other], rest) for one, other in pairwise(marks)]
        items[0][0] = rf"{start}\bigl{group[3]}{items[0][0]}"
        for item in items[:-1]:
            item[-1] += ","
        items[-1][-1] += rf"\bigr{group[5]}"
        return [line for item in items for line in item]
    if _space(latex) <= most:
        return [latex]
    root = re.fullmatch(r"(.*?= )?\\sqrt\{(.*)\}", latex)
    if root is not None and _balanced(root[2]):
        inner = _split(root[2], most - _space(root[1] or ""))
        inner[0] = f"{root[1] or ''}\\Bigl({inner[0]}"
        inner[-1] += r"\Bigr)^{1/2}"
        return inner
    lines_: list[str] = []
    logic = sorted([*_tops(latex, r" \lor "), *_tops(latex, r" \land ")])
    places = [0, *(_tops(latex, " + ") or logic), len(latex)]
    for left, right in pairwise(places):
        piece = latex[left:right].strip()
        if lines_ and _space(lines_[-1]) + _space(piece) <= most:
            lines_[-1] += f" {piece}"
        else:
            lines_.append(piece)
    return lines_


def _space(latex: str) -> int:
    """Return about how wide a displayed formula is: logical signs and maxima are wide there."""
    signs, words = (
        len(re.findall(x, latex)) for x in (r"\\l(?:or|and)(?![a-z])", r"\\(?:max|min)(?![a-z])")
    )
    return width(latex) + 3 * signs + 2 * words


def _balanced(latex: str) -> bool:
    """Return whether braces match, so that what a pattern has found is one argument."""
    return _never_negative(latex, "{", "}")


def _closed(latex: str) -> bool:
    """Return whether brackets match, so that what a pattern has found is inside one pair."""
    return _never_negative(latex, "(", ")") and _never_negative(latex, r"\{", r"\}")


def _never_negative(latex: str, opening: str, closing: str) -> bool:
    depth = 0
    for mark in re.findall(r"\\?.", latex):
        depth += (mark == opening) - (mark == closing)
        if depth < 0:
            return False
    return depth == 0


# ------------------------------------------------------------------ blocks


def lines(blocks: Sequence[Block], level: int = 0) -> Iterator[str]:
    """Yield the lines of blocks; sections start at this level (0 is a section)."""
    for number, block in enumerate(blocks):
        found = _block(block, level)
        continued = any(isinstance(b, Display) for b in blocks[number + 1 : number + 2])
        yield from _trimmed(found) if continued else found


def _block(block: Block, level: int) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield _prose(text)
            yield ""
        case Display(latex, after):
            yield from _display(latex, after)
        case Items():
            yield from _items(block, level)
        case StatementBlock():
            yield from _statement(block, level)
        case Table():
            yield from _table(block)
        case Example():
            yield from _example(block)
        case Memberships():
            yield from _memberships(block)
        case Section(title, label, inner):
            command = ("section", "subsection", "subsubsection", "paragraph")[min(level, 3)]
            yield rf"\{command}{{{escape(title)}}}\label{{{label}}}"
            yield from lines(inner, level + 1)


def _statement(block: StatementBlock, level: int) -> Iterator[str]:
    title = f"[{escape(block.title)}]" if block.title else ""
    yield rf"\begin{{{block.kind}}}{title}\label{{{block.label}}}"
    if isinstance(block.body[0], Items | Display | Table):
        yield r"\leavevmode"
    yield from _trimmed(lines(block.body, level))
    yield rf"\end{{{block.kind}}}"
    if block.proof:
        yield r"\begin{proof}"
        yield from _trimmed(lines(block.proof, level))
        yield r"\end{proof}"
    yield ""


def _trimmed(found: Iterator[str]) -> list[str]:
    kept = list(found)
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _items(block: Items, level: int) -> Iterator[str]:
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
        inner = _trimmed(lines(item, level))
        yield rf"\item{label} {inner[0]}" if inner else r"\item"
        yield from inner[1:]
    if block.labels:
        yield r"\end{list}"
    else:
        yield rf"\end{{{kind}}}"


def _table(block: Table) -> Iterator[str]:
    columns = "".join(map(_column, block.widths))
    yield r"\begingroup\small"
    yield rf"\begin{{longtable}}{{{columns}}}"
    yield r"\toprule " + " & ".join(_prose(h) for h in block.header) + r" \\ \midrule\endhead"
    for row in block.rows:
        yield " & ".join(_prose(cell) for cell in row) + r" \\"
    yield r"\bottomrule"
    yield r"\end{longtable}"
    yield r"\endgroup"


def _column(width_: float) -> str:
    return rf">{{\raggedright\arraybackslash}}p{{{width_:g}\linewidth}}"


def _example(block: Example) -> Iterator[str]:
    """Yield two databases side by side, as a table by blocks; numbered, if it has a label."""
    both = databases(block.data)
    if block.label:
        yield rf"\begin{{example}}[Two neighbouring databases]\label{{{block.label}}}"
        yield r"\leavevmode"
    yield from _rows(both)
    for name, value in both.remarks:
        yield rf"{escape(name.capitalize())}: {_breakable(value)}. "
    if block.label:
        yield r"\end{example}"
    yield ""


def _rows(both: Databases) -> Iterator[str]:
    if not both.rows:
        yield "Both are empty."
        return
    cells = [(row.block, row.record) for row in both.shown]
    longest = [max(len(text) for text in texts) for texts in zip(*cells, strict=True)]
    first = min(0.32, max(0.14, 0.72 * longest[0] / (sum(longest) or 1)))
    columns = "".join(map(_column, (first, 0.72 - first))) + "rr"
    yield r"\begin{center}"
    yield rf"\begin{{tabular}}{{{columns}}}"
    yield r"\toprule Block & Record & $D$ & $D'$ \\ \midrule"
    for row in both.shown:
        marks = [str(row.old), str(row.new)]
        if row.old != row.new:
            marks = [rf"\textbf{{{m}}}" for m in marks]
        words = (_breakable(row.block or "–"), _breakable(row.record), *marks)
        yield " & ".join(words) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{center}"
    if both.hidden:
        yield f"{both.hidden} more records do not change. "


def _memberships(block: Memberships) -> Iterator[str]:
    """Yield a strip of squares for each vector, black where somebody is."""
    yield r"\begin{center}\setlength{\unitlength}{1pt}"
    yield r"\begin{tabular}{rrl}"
    for group, size in block.sizes.items():
        for name, places in block.rows:
            about = escape(group) if len(block.sizes) > 1 else ""
            yield rf"{about} & ${name}$ & {_strip(size, places[group])} \\[2pt]"
    yield r"\end{tabular}"
    yield r"\end{center}"


def _strip(size: int, numbers: Sequence[int]) -> str:
    step = min(10.0, _STRIP / size)
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


def article(document: Document) -> str:
    """Return a document that compiles by itself, with its references."""
    body = "\n".join([rf"\begin{{abstract}}{_prose(document.abstract)}\end{{abstract}}",
                      *([r"\tableofcontents"] if document.contents else []),
                      *lines(document.blocks)])  # fmt: skip
    return "\n".join(
        [
            "% Written by dpcomp. Run pdflatex twice.",
            r"\documentclass[11pt,a4paper]{article}",
            PREAMBLE,
            _TWO_RUNS,
            _LOOSE,
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


def fragment(document: Document) -> str:
    r"""Return the same for ``\input``; a comment says what it needs."""
    body = "\n".join(lines([Section(document.title, _first_label(document), document.blocks)]))
    entries = "\n".join(WORKS[key].bibtex(key) for key in _keys(body))
    needs = f"{PREAMBLE}\n\nBibTeX entries of the works cited:\n\n{entries}"
    comment = "\n".join(f"% {line}".rstrip() for line in needs.splitlines())
    return (
        "% Written by dpcomp, for \\input. The preamble needs, as far as it does not have them:\n"
        f"%\n{comment}\n\n{loosely([body])}\n"
    )


def loosely(written: Iterable[str]) -> str:
    """Return lines that are set with wide gaps rather than too wide."""
    body = "\n".join(written).rstrip()
    return f"\\begingroup{_LOOSE}\n{body}\n\\par\\endgroup"


def _first_label(document: Document) -> str:
    for block in document.blocks:
        if isinstance(block, Section):
            return f"{block.label.rpartition(':')[0]}:report"
    return "dpcomp:report"
