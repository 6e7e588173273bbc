"""Pictures of the pages on concepts: each is drawn from the spec that stands on its page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import gallery

import dpcomp_sym as dp
from dpcomp_sym.surface.answer import Answer, load_any

__all__ = ["draw", "specs"]

PAGES: Final = Path(__file__).resolve().parent / "concepts"
"""The pages."""


def specs(page: str) -> dict[str, str]:
    r"""Return the specs of a page by the names of the files that the text before each gives.

    >>> specs("Save it as `a.toml`:\n\n```toml\nx = 1\n```\n")
    {'a.toml': 'x = 1\n'}
    """
    return {
        re.findall(r"`([-\w]+\.toml)`", page[: block.start()])[-1]: block[1]
        for block in re.finditer(r"(?ms)^```toml\n(.*?)^```", page)
    }


def steps(answer: Answer) -> str:
    """Return how the pure bound follows, as a graph: from each premise to what it is used for."""
    import networkx as nx
    from matplotlib.figure import Figure

    whole = answer.graph()
    last = answer.concluding("pure")
    used = whole.subgraph(nx.ancestors(whole, last) | {last})
    for layer, nodes in enumerate(nx.topological_generations(used)):
        for node in nodes:
            whole.nodes[node]["layer"] = layer
    figure = Figure(figsize=(7.5, 3.4), layout="constrained")
    axes = figure.subplots()
    axes.set_axis_off()
    axes.margins(0.14)
    names = {node: f"{node}\n{used.nodes[node]['rule'].replace(' ', chr(10))}" for node in used}
    place = nx.multipartite_layout(used, subset_key="layer")
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
    nx.draw_networkx_labels(used, place, names, font_size=8, bbox=box, ax=axes)
    bent = "arc3,rad=-0.2"
    nx.draw_networkx_edges(used, place, node_size=2600, ax=axes, connectionstyle=bent)
    stream = io.StringIO()
    figure.savefig(stream, format="svg")
    return stream.getvalue()


def beside(answer: Answer) -> str:
    """Return the bound in the common domain against k."""
    counts = dp.partition(pure="eps", setting="common")
    common = dp.derive(answer.problem.domain, "bounded", counts=counts)
    return common.drawing(k=range(1, 11), eps=1).svg()


def curves(answer: Answer) -> str:
    """Return what is lost by five mechanisms, δ against ε."""
    drawing = answer.subs(k=5, eps=1, delta="1/1000000").drawing("delta")
    return replace(drawing, title="").svg()


DRAWN: Final[Mapping[str, tuple[Callable[[Any], str], str]]] = {
    "settings": (beside, "The bound in the common domain against the number of blocks, ε = 1"),
    "tightness": (curves, "δ against ε, by closed form, advanced and optimal composition"),
    "proved": (steps, "The steps from what is given to the bound"),
}
"""What is drawn on a page, and what it shows; on others, the gallery's picture of the spec."""


def draw(folder: Path) -> None:
    """Draw the pictures of all pages into a folder, each with a piece of text that shows it."""
    for page in sorted(PAGES.glob("*.md")):
        spec = next(iter(specs(page.read_text(encoding="utf-8")).values()))
        answer = load_any(spec).derive()
        name = f"concept-{page.stem}"
        if page.stem in DRAWN:
            made, about = DRAWN[page.stem]
            (folder / f"{name}.svg").write_text(made(answer), encoding="utf-8")
            shown = f"![{about}]({name}.svg)"
        else:
            shown = gallery.drawn(answer, folder, name)
        (folder / f"{name}.md").write_text(f"{shown}\n", encoding="utf-8")
