"""One self-contained HTML page: a shell and a style sheet, for every page that the program writes.

Nothing is loaded from anywhere.  The style follows the reader's choice of light or dark colours,
and tables and formulas that are too wide scroll by themselves, with a shadow where there is more,
so that a page can be read at the width of a telephone.
"""

from __future__ import annotations

from html import escape
from typing import Final

__all__ = ["chip", "page", "scrolling", "svg"]

_STYLE: Final = """
:root {
  color-scheme: light dark;
  --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --panel: #f4f6f8; --line: #c9d1d9;
  --back: var(--paper);
  --link: #0550ae; --good: #116329; --bad: #a40e26; --open: #7d4e00; --none: #6639ba;
  --good-fill: #dafbe1; --bad-fill: #ffebe9; --open-fill: #fff8c5; --none-fill: #fbefff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6edf3; --soft: #9da7b3; --paper: #0d1117; --panel: #161b22; --line: #3d444d;
    --link: #79b8ff; --good: #56d364; --bad: #ff8f87; --open: #e3b341; --none: #d2a8ff;
    --good-fill: #12261e; --bad-fill: #301a1e; --open-fill: #2b230d; --none-fill: #251c36;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1rem 4rem; max-width: 62rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
a { color: var(--link); }
:target { outline: 2px dashed var(--soft); outline-offset: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
:is(p, dd, .wide) :focus-visible { outline-offset: -1px; }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em;
  overflow-wrap: anywhere; }
math { font-size: 1.05em; }
.wide, .long { overflow-x: auto; overflow-y: hidden; max-width: 100%;
  background: linear-gradient(to right, var(--back) 40%, transparent) 0 0 / 2.4rem 100% local,
    linear-gradient(to left, var(--back) 40%, transparent) 100% 0 / 2.4rem 100% local,
    linear-gradient(to right, var(--soft), transparent) 0 0 / .4rem 100% scroll,
    linear-gradient(to left, var(--soft), transparent) 100% 0 / .4rem 100% scroll;
  background-repeat: no-repeat; }
.long { display: inline-flex; align-items: baseline; padding-block: .2em; }
.long > math { padding-inline-end: .15em; }
.long, .whole { white-space: nowrap; }
dd { overflow-wrap: anywhere; }
.display { margin: .6rem 0; padding: .1rem 0; text-align: center; }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th { font-weight: 600; background: var(--panel); }
td.number, th.number { text-align: right; }
.chip { display: inline-block; padding: 0 .5rem; border-radius: 1rem; font-weight: 600;
  font-size: .9rem; white-space: nowrap; border: 1px solid currentColor; }
.chip.proved, .chip.tight { color: var(--good); background: var(--good-fill); }
.chip.refuted { color: var(--bad); background: var(--bad-fill); }
.chip.checked, .chip.unknown, .chip.loose { color: var(--open); background: var(--open-fill); }
.chip.vacuous, .chip.computed { color: var(--none); background: var(--none-fill); }
.soft { color: var(--soft); }
.statement, details { margin: .7rem 0; padding: .5rem .9rem; background: var(--panel);
  border-left: 4px solid var(--line); }
.statement, details, th { --back: var(--panel); }
.statement > p:first-child { margin-top: .2rem; }
.statement > p:last-child { margin-bottom: .2rem; }
details > summary { cursor: pointer; overflow-wrap: anywhere; }
details details { margin: .5rem 0 .5rem .2rem; }
@media (max-width: 40rem) {
  details { padding: .4rem .5rem; }
  details details { margin-left: 0; }
  th, td { padding: .3rem .4rem; }
  table { font-size: .92rem; }
  td .long { max-width: 30vw; }
  td .chip { white-space: normal; }
}
figure { margin: 1rem 0; }
.figures { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.figures figure { max-width: 26rem; }
figcaption { color: var(--soft); font-size: .95rem; }
svg { max-width: 100%; height: auto; color: var(--ink); }
svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
form.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: 1rem 0; }
form.filters label { display: flex; flex-direction: column; font-size: .9rem; }
input, select, button { font: inherit; padding: .2rem .4rem; color: inherit;
  background: var(--paper); border: 1px solid var(--soft); border-radius: .2rem; }
footer { margin-top: 3rem; color: var(--soft); font-size: .9rem; }
"""

_SHELL: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
<link rel="icon" href="data:,"/>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
{script}</body>
</html>
"""


def page(title: str, body: str, script: str = "") -> str:
    """Return a whole page.

    Args:
        title: in plain words, for the window.
        body: HTML, well-formed as XML, so that programs can read it too.
        script: JavaScript that the page runs, if it needs any.

    >>> page("A & B", "<h1>A</h1>").splitlines()[5]
    '<title>A &amp; B</title>'
    """
    run = f"<script>//<![CDATA[\n{script}\n//]]></script>\n" if script else ""
    return _SHELL.format(title=escape(title), style=_STYLE, body=body, script=run)


def chip(word: str, kind: str = "") -> str:
    """Return a verdict as a coloured word; the colour adds nothing to the word.

    >>> chip("proved")
    '<span class="chip proved">proved</span>'
    """
    return f'<span class="chip {escape(kind or word)}">{escape(word)}</span>'


def svg(title: str, inner: str, width: float, height: float, described: str = "") -> str:
    """Return a drawing with its title and, for who cannot see it, what it shows.

    >>> svg("A line", '<line x2="9"/>', 10, 20)[:41]
    '<svg viewBox="0 0 10 20" width="10" heigh'
    """
    about = f"<desc>{escape(described)}</desc>" if described else ""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'role="img" xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>'
        f"{about}{inner}</svg>"
    )


def scrolling(content: str, label: str) -> str:
    """Return wide content in a box that scrolls by itself, also with the keyboard."""
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(label)}">{content}</div>'
    )
