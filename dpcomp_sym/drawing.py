"""Drawings of losses, as SVG.  Floats are only used here, and only to draw."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from dpcomp_sym.errors import InputError

__all__ = ["Drawing", "Panel"]


@dataclass(frozen=True)
class Panel:
    """One system of axes: lines by name, each as points; a missing height is a gap."""

    x: str
    y: str
    lines: Sequence[tuple[str, Sequence[float], Sequence[float | None]]]
    log_x: bool = False
    whole_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Drawing:
    """Panels side by side under one title."""

    title: str
    panels: Sequence[Panel]

    def svg(self) -> str:
        """Return the drawing as SVG; the same drawing is always the same text.

        Raises:
            InputError: matplotlib is not installed.
        """
        try:
            import matplotlib as mpl
            from matplotlib.figure import Figure
            from matplotlib.ticker import MaxNLocator
        except ImportError:
            raise InputError("drawing needs matplotlib: pip install 'dpcomp-sym[plot]'") from None
        with mpl.rc_context({"svg.hashsalt": "dpcomp", "svg.fonttype": "none"}):
            figure = Figure(figsize=(5.6 * len(self.panels), 4.0), layout="constrained")
            every = figure.subplots(1, len(self.panels), squeeze=False)[0]
            for axes, panel in zip(every, self.panels, strict=True):
                for name, xs, ys in panel.lines:
                    heights = [float("nan") if y is None else y for y in ys]
                    axes.plot(xs, heights, marker="o" if len(xs) < 20 else "", ms=4, label=name)
                if panel.log_x:
                    axes.set_xscale("log")
                if panel.whole_x:
                    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
                if panel.log_y:
                    axes.set_yscale("log")
                axes.set_xlabel(panel.x)
                axes.set_ylabel(panel.y)
                axes.grid(visible=True, alpha=0.3)
                axes.legend()
            figure.suptitle(self.title)
            stream = io.StringIO()
            nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
            figure.savefig(stream, format="svg", metadata=nothing)
        return stream.getvalue()
