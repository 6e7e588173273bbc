"""The atlas as one HTML page: a map of the whole, and every cell with its answer.

It is readable without the script, which only filters.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from dpcomp_sym.atlas.run import Atlas, CellAnswer
from dpcomp_sym.atlas.table import SETTINGS, AtlasEntry
from dpcomp_sym.notions import label, of_epsilon
from dpcomp_sym.report.databases import named
from dpcomp_sym.report.html import tight_chip
from dpcomp_sym.report.notebook import framed
from dpcomp_sym.report.page import chip, page, scrolling

__all__ = ["as_html", "bound_of", "framed_page", "kind_of", "mark_of"]

KINDS: Final = {
    "vacuous": "no neighbours",
    "none": "nothing changes: 0",
    "single": "one guarantee, or the largest",
    "sum": "a multiple, or a sum",
    "infinite": "no guarantee (∞)",
    "unknown": "not decided",
}
"""What a bound can look like, and what the page calls it."""
MARKS: Final = {"vacuous": "∅", "none": "0", "single": "1", "sum": "Σ", "infinite": "∞",
                "unknown": "?"}  # fmt: skip
CHECKED: Final = "✓"
BY_ROCQ: Final = "coqc accepts the proof of the bound"
COLOURS: Final = {"vacuous": "vacuous", "none": "proved", "single": "proved", "sum": "checked",
                  "infinite": "refuted", "unknown": "unknown"}  # fmt: skip
CONDITIONS: Final = {
    "partition": "The blocks are disjoint",
    "compatibility": "C1: at most one block changes",
    "sensitivity": "C2: distances are at most 1",
    "commutes": "The metric commutes; the bound is the maximum",
}

_STYLE: Final = """
<style>
.map td, .map th { padding: .1rem .25rem; text-align: center; border: 1px solid var(--line); }
.map th[scope=row], .map thead td { position: sticky; left: 0; text-align: left;
  font-weight: 400; font-size: .85rem; max-width: 9rem; }
.map thead td { background: var(--paper); }
.wide:has(.map) { scroll-padding-inline: 9.5rem 2rem; }  /* what has the focus is not below it */
.map thead th { writing-mode: vertical-rl; transform: rotate(180deg); font-weight: 400;
  font-size: .85rem; text-align: left; vertical-align: middle; max-height: 11rem; }
.map a { display: inline-block; min-width: 1.7rem; padding: .1rem .2rem; border-radius: .3rem;
  text-decoration: none; font-weight: 600; }
.map a.proved { color: var(--good); background: var(--good-fill); }
.map a.refuted { color: var(--bad); background: var(--bad-fill); }
.map a.checked, .map a.unknown { color: var(--open); background: var(--open-fill); }
.map a.vacuous { color: var(--none); background: var(--none-fill); }
.map a.off { visibility: hidden; }
.legend span { white-space: nowrap; }
.cell > summary b { margin-right: .6rem; }
.cell pre { white-space: pre-wrap; }
.cell > summary .chip { white-space: normal; border-radius: .6rem; }
.cell[hidden] { display: none; }
dl { margin: .3rem 0; } dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0 0 0 1rem; }
#count { align-self: center; }
</style>
"""

_SCRIPT: Final = """
const form = document.querySelector("form.filters");
const cells = [...document.querySelectorAll("details.cell")];
const links = new Map([...document.querySelectorAll(".map a")].map(
  a => [a.getAttribute("href").slice(1), a]));
const all = cells.map(c => [c, c.textContent.toLowerCase()]);
function filter() {
  const chosen = Object.fromEntries(new FormData(form));
  const words = chosen.text.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const [cell, text] of all) {
    const fits = ["granularity", "map", "setting", "kind", "tight", "c1"].every(
      key => !chosen[key] || cell.dataset[key] === chosen[key]) && words.every(
      word => text.includes(word));
    cell.hidden = !fits;
    count += fits;
    const link = links.get(cell.id);
    if (link) link.classList.toggle("off", !fits);
  }
  document.getElementById("count").textContent = `${count} of ${cells.length} cells`;
}
function show() {
  const cell = document.getElementById(location.hash.slice(1));
  if (cell && cell.matches("details")) {
    cell.hidden = false; cell.open = true; cell.firstElementChild.focus();
  }
}
form.addEventListener("input", filter);
form.addEventListener("reset", () => setTimeout(filter));
form.addEventListener("submit", event => event.preventDefault());
window.addEventListener("hashchange", show);
for (const link of links.values()) {  // the cell that the address names already is shown again
  link.addEventListener("click", event => {
    if (link.hash === location.hash) { event.preventDefault(); show(); }
  });
}
filter(); show();
"""


def as_html(found: Atlas) -> str:
    """Return the page.

    >>> from dpcomp_sym.atlas import atlas, default_table
    >>> text = as_html(atlas(default_table().slice(["unbounded"], ["identity"])))
    >>> text.count('<details class="cell"'), "http" in text
    (2, False)
    """
    table = found.table
    names = {cell_id(one): one for one in found.answers}
    about = (
        f"<p>{len(table.granularities)} granularities, {len(table.maps)} maps, on separate domains "
        f"and on a common one: {escape(found.summary)}. What is not there "
        "has no meaning: a map that needs something the databases do not have.</p>"
    )
    body = [
        _STYLE,
        "<h1>Atlas of granularities, maps and settings</h1>",
        about,
        f'<p class="legend">{" ".join(_legend(kind) for kind in KINDS)}{_ticks(found)}</p>',
        '<p><a href="#cells">To the cells, and to what filters them</a></p>',
        *(_overview(found, setting, names) for setting in SETTINGS),
        '<h2 id="cells">Cells</h2>',
        _filters(found),
        *(_cell(one) for one in found.answers),
        "<h2>Databases, granularities, maps</h2>",
        *(_entries(title, entries) for title, entries in (
            ("Databases", table.domains), ("Granularities", table.granularities),
            ("Maps", table.maps))),
    ]  # fmt: skip
    return page("Atlas of granularities, maps and settings", "\n".join(body), _SCRIPT)


def framed_page(found: Atlas) -> str:
    """Return the page in a frame, for a notebook."""
    return framed(as_html(found), "atlas")


def kind_of(one: CellAnswer) -> str:
    """Return what a cell's bound on ε looks like: a word of ``KINDS``."""
    if one["verdict"] == "vacuous":
        return "vacuous"
    bound = one["bounds"].get(of_epsilon())
    if bound is None:
        return "unknown"
    if "inf" in bound["text"]:
        return "infinite"
    if bound["text"] == "0":
        return "none"
    return "single" if bound["text"] in ("eps", "max(eps[i])") else "sum"


def mark_of(one: CellAnswer) -> str:
    """Return a cell's mark, with a tick where coqc accepts the proof of its bound."""
    return MARKS[kind_of(one)] + CHECKED * is_checked(one)


def is_checked(one: CellAnswer) -> bool:
    """Return whether coqc accepts the proof of a cell's bound on ε."""
    return "rocq" in one and bool(one["rocq"]["checked"])


def cell_id(one: CellAnswer) -> str:
    """Return a cell's name inside the page."""
    words = f"{one['granularity']}--{one['map']}--{one['setting']}"
    return "".join(c if c.isalnum() else "-" for c in words)


def _legend(kind: str) -> str:
    return f"<span>{chip(MARKS[kind], COLOURS[kind])} {escape(KINDS[kind])}</span>"


def _ticks(found: Atlas) -> str:
    return "" if found.checked is None else f" <span>{CHECKED} {BY_ROCQ}</span>"


def _overview(found: Atlas, setting: str, names: Mapping[str, CellAnswer]) -> str:
    table = found.table
    head = "".join(f'<th scope="col">{escape(m.name)}</th>' for m in table.maps)
    rows = []
    for row in table.granularities:
        cells = []
        for column in table.maps:
            place = {"granularity": row.name, "map": column.name, "setting": setting}
            one = names.get(cell_id(place))
            cells.append("<td></td>" if one is None else f"<td>{_mark(one)}</td>")
        rows.append(f'<tr><th scope="row">{escape(row.name)}</th>{"".join(cells)}</tr>')
    title = "Separate domains" if setting == "separate" else "Common domain"
    content = (
        f'<table class="map"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    return f"<h2>{title}</h2>{scrolling(content, title)}"


def _mark(one: CellAnswer) -> str:
    kind = kind_of(one)
    title = escape(f"{one['granularity']} / {one['map']}: {bound_of(one)}")
    return (
        f'<a href="#{cell_id(one)}" class="{COLOURS[kind]}" title="{title}">'
        f'{mark_of(one)}<span hidden="hidden"> {title}</span></a>'
    )


def bound_of(one: CellAnswer) -> str:
    """Return a cell's bound on ε in words."""
    bound = one["bounds"].get(of_epsilon())
    return KINDS[kind_of(one)] if bound is None else str(bound["text"])


def _filters(found: Atlas) -> str:
    table = found.table

    def select(name: str, label: str, options: Mapping[str, str]) -> str:
        chosen = "".join(
            f'<option value="{escape(value)}">{escape(text)}</option>'
            for value, text in options.items()
        )
        every = f'<option value="">all</option>{chosen}'
        return f'<label>{label}<select name="{name}">{every}</select></label>'

    def same(words: tuple[str, ...]) -> dict[str, str]:
        return {w: w for w in words}

    return (
        '<form class="filters">'
        + select("granularity", "Granularity", same(tuple(g.name for g in table.granularities)))
        + select("map", "Map", same(tuple(m.name for m in table.maps)))
        + select("setting", "Setting", same(SETTINGS))
        + select("kind", "Bound", KINDS)
        + select("c1", "C1", same(("proved", "refuted", "vacuous", "unknown")))
        + select("tight", "Tight", same(("yes", "no", "unknown")))
        + '<label>Words<input type="search" name="text"/></label>'
        + '<button type="reset">Show all</button><span id="count" role="status"></span></form>'
    )


def _cell(one: CellAnswer) -> str:
    pure = one["bounds"].get(of_epsilon(), {})
    first = one["conditions"].get("compatibility", {}).get("verdict", "")
    data = {
        "granularity": one["granularity"], "map": one["map"], "setting": one["setting"],
        "kind": kind_of(one), "tight": pure.get("tight", ""), "c1": first,
    }  # fmt: skip
    attributes = "".join(f' data-{k}="{escape(v)}"' for k, v in data.items())
    kind = kind_of(one)
    summary = (
        f"<summary><b>{escape(one['granularity'])} / {escape(one['map'])}</b> "
        f"{escape(one['setting'])} {chip(bound_of(one), COLOURS[kind])}</summary>"
    )
    pieces = [f'<details class="cell" id="{cell_id(one)}"{attributes}>', summary]
    if one["reason"]:
        pieces.append(f"<p>{escape(one['reason'])}</p>")
    if one["bounds"]:
        pieces.append(_bounds(one["bounds"]))
    if "rocq" in one:
        said = BY_ROCQ if is_checked(one) else one["rocq"]["reason"]
        pieces.append(f"<p>Rocq: {escape(said)}</p>")
    pieces += [_condition(name, said) for name, said in one["conditions"].items()]
    pieces.append(
        f"<details><summary>As a spec</summary><pre>{escape(one['spec'].strip())}</pre></details>"
        "</details>"
    )
    return "\n".join(pieces)


def _bounds(bounds: Mapping[str, Any]) -> str:
    rows = []
    for notion, bound in bounds.items():
        reason = bound["tight_reason"]
        why = f' <span class="soft">{escape(reason)}</span>' if reason else ""
        rows.append(
            f"<tr><td>{escape(label(notion))}</td><td>{escape(bound['text'])}</td>"
            f"<td>{tight_chip(bound['tight'])}{why}</td></tr>"
        )
    return scrolling(f"<table>{''.join(rows)}</table>", "Bounds")


def _condition(name: str, said: Mapping[str, Any]) -> str:
    lines = [f"<p>{escape(CONDITIONS.get(name, name))}: {chip(said['verdict'])}"]
    if said["reason"]:
        lines.append(f' <span class="soft">{escape(said["reason"])}</span>')
    lines.append("</p>")
    if said["weakest"]:
        lines.append(f"<p>It holds exactly when <b>{escape(said['weakest'])}</b>.</p>")
    elif said["no_weakest"]:
        why = escape(said["no_weakest"])
        lines.append(f'<p class="soft">For which labels it holds: {why}.</p>')
    if said["counterexample"]:
        lines.append(_example(said["counterexample"]))
    return "".join(lines)


def _example(example: Mapping[str, Any]) -> str:
    sides = "".join(
        f"<tr><td>{label}</td><td>{'; '.join(map(_record, example[key])) or 'empty'}</td></tr>"
        for label, key in (("D", "D"), ("D′", "D_prime"))
    )
    more = [f"changed: {named(example['changed'])}"] if example.get("changed") else []
    more += [f"{k} = {v}" for k, v in example.get("symbols", {}).items()]
    more += example.get("distances", [])
    return (
        f"<details><summary>Counterexample</summary>"
        f"{scrolling(f'<table>{sides}</table>', 'Counterexample')}"
        f"<p>{escape('; '.join(more))}</p></details>"
    )


def _record(record: Mapping[str, Any]) -> str:
    cell = ", ".join(f"{k} = {v}" for k, v in record["cell"].items())
    times = f"{record['count']} × " if record["count"] != 1 else ""
    blocks = f" in {named(record['blocks'])}" if record.get("blocks") else ""
    return escape(f"{times}({cell}){blocks}")


def _entries(title: str, entries: tuple[AtlasEntry, ...]) -> str:
    items = "".join(f"<dt>{escape(e.name)}</dt><dd>{escape(e.text)}</dd>" for e in entries)
    return f"<h3>{title}</h3><dl>{items}</dl>"
