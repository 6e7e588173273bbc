"""Drawings of losses, as SVG and as axes.  Floats are only used here, and only to draw."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dpcomp_sym.errors import InputError

__all__ = ["Drawing", "Panel"]

_STYLES: Final = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)))
"""Lines differ in more than their colours: papers are printed in black and white."""
_HATCHES: Final = ("", "//", "..", "xx")
_LONGEST: Final = 60
_WIDE: Final = 48
"""How many characters of a name fit above the axes."""


@dataclass(frozen=True)
class Panel:
    """One system of axes: lines by name, each as points; a missing height is a gap.

    With ``names`` for what stands below the axis there are bars, side by side, in their place.
    ``formulas`` are LaTeX: beside the name of a line, and in the place of that of an axis.
    """

    x: str
    y: str
    lines: Sequence[tuple[str, Sequence[float], Sequence[float | None]]]
    log_x: bool = False
    whole_x: bool = False
    log_y: bool = False
    names: Sequence[str] = ()
    formulas: Mapping[str, str] = field(default_factory=dict)

    def on(self, axes: Any) -> None:
        """Draw on axes of matplotlib; the legend stands above them, off the lines."""
        from matplotlib.ticker import MaxNLocator

        if self.names:
            self._bars(axes)
        for number, (name, xs, ys) in enumerate(() if self.names else self.lines):
            heights = [float("nan") if y is None else y for y in ys]
            axes.plot(
                xs, heights, marker="o" if len(xs) != 2 and len(xs) < 20 else "", ms=4,
                linestyle=_STYLES[number % len(_STYLES)], label=self._label(name),
            )  # fmt: skip
        ends = [x for _, xs, _ in self.lines for x in (*xs[:1], *xs[-1:])]
        if ends and not self.log_x and not self.names:  # gaps at the ends are seen, too
            room = 0.05 * (max(ends) - min(ends)) or 0.5
            axes.set_xlim(min(ends) - room, max(ends) + room)
        if self.log_x:
            axes.set_xscale("log")
        elif self.whole_x:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        if self.log_y:
            axes.set_yscale("log")
        axes.set_xlabel(_set(self.formulas.get(self.x)) or _plain(self.x))
        axes.set_ylabel(_set(self.formulas.get(self.y)) or _plain(self.y))
        axes.grid(visible=True, alpha=0.3)
        if self.lines:
            axes.legend(
                loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.3, frameon=False,
                ncols=self._columns,
            )  # fmt: skip

    def _bars(self, axes: Any) -> None:
        width = 0.8 / len(self.lines)
        for number, (name, xs, ys) in enumerate(self.lines):
            left = [x - 0.4 + (number + 0.5) * width for x in xs]
            axes.bar(
                left, ys, width, label=self._label(name), edgecolor="black",
                hatch=_HATCHES[number % len(_HATCHES)],
            )  # fmt: skip
        axes.set_xticks(range(len(self.names)), map(_plain, self.names))
        axes.set_axisbelow(True)

    def _label(self, name: str) -> str:
        formula = _set(self.formulas.get(name))
        return f"{_plain(name)}: {formula}" if formula else _plain(textwrap.fill(name, _WIDE))

    @property
    def _columns(self) -> int:
        short = all(2 * len(name) <= _WIDE for name, _, _ in self.lines)
        return 2 if short and not any(name in self.formulas for name, _, _ in self.lines) else 1

    @property
    def rows(self) -> int:
        """How many rows the legend has; a formula may be as high as two."""
        each = [2 if n in self.formulas else -(-len(n) // _WIDE) for n, _, _ in self.lines]
        return -(-sum(each) // self._columns)


@dataclass(frozen=True)
class Drawing:
    """Panels side by side under one title."""

    title: str
    panels: Sequence[Panel]

    def axes(self, given: Any = None) -> Any:
        """Draw on axes of matplotlib, and return them.

        Args:
            given: the axes, for a drawing of one panel; without them there is a new figure.

        Returns:
            the axes, an array of them for several panels.

        Raises:
            InputError: matplotlib is not installed, or one system of axes is given for several.
        """
        if given is not None:
            if len(self.panels) != 1:
                raise InputError(f"this drawing has {len(self.panels)} panels: give no axes")
            self.panels[0].on(given)
            return given
        _matplotlib()
        from matplotlib import pyplot as plt

        size = self._size
        figure, every = plt.subplots(
            1, len(self.panels), squeeze=False, layout="constrained", figsize=size
        )
        self._fill(figure, every[0])
        return every[0][0] if len(self.panels) == 1 else every[0]

    def svg(self) -> str:
        """Return the drawing as SVG; the same drawing is always the same text.

        Raises:
            InputError: matplotlib is not installed.
        """
        mpl = _matplotlib()
        from matplotlib.figure import Figure

        with mpl.rc_context({"svg.hashsalt": "dpcomp", "svg.fonttype": "none"}):
            figure = Figure(figsize=self._size, layout="constrained")
            self._fill(figure, figure.subplots(1, len(self.panels), squeeze=False)[0])
            stream = io.StringIO()
            nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
            figure.savefig(stream, format="svg", metadata=nothing)
        return stream.getvalue()

    @property
    def _size(self) -> tuple[float, float]:
        """Width and height in inches: legends take nothing from the axes."""
        legend = max((panel.rows for panel in self.panels), default=0)
        wide = [max(3.9, 0.6 * len(panel.names)) if panel.names else 5.6 for panel in self.panels]
        return sum(wide), 3.6 + 0.22 * legend

    def _fill(self, figure: Any, every: Sequence[Any]) -> None:
        for axes, panel in zip(every, self.panels, strict=True):
            panel.on(axes)
        figure.suptitle(_plain(self.title))


_OWN_WORDS: Final = {
    r"\le": r"\leq", r"\ge": r"\geq", r"\land": r"\wedge", r"\lor": r"\vee", r"\lnot": r"\neg",
    r"\bmod": r"\,\mathrm{mod}\,", r"\tfrac": r"\frac", r"\dfrac": r"\frac",
    r"\top": r"\mathrm{true}", r"\operatorname": r"\mathrm", r"\mathit": r"\mathrm",
    **dict.fromkeys((r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\biggl", r"\biggr"), ""),
}  # fmt: skip
"""What matplotlib calls otherwise than LaTeX, or not at all."""


def _set(latex: str | None) -> str:
    r"""Return a formula as matplotlib sets it; nothing if it is long, or if matplotlib cannot.

    >>> print(_set(r"\begin{cases} \max_{i} \rho_i & k \le 1 \\ \infty & k \ge 2 \end{cases}"))
    $\max_{i} \rho_i\ \ (k \leq 1),\ \ \infty\ \ (k \geq 2)$
    >>> _set(r"\unknown{x}")
    ''
    """
    if latex is None:
        return ""
    said = re.sub(
        r"\\begin\{cases\} (.*?) \\end\{cases\}",
        lambda m: r",\ \ ".join(one.replace(" & ", r"\ \ (") + ")" for one in m[1].split(r" \\ ")),
        latex,
    )
    said = re.sub(r"\\[td]?frac(\d)(\d)", r"\\frac{\1}{\2}", said)
    said = re.sub(r"\\[A-Za-z]+", lambda m: _OWN_WORDS.get(m[0], m[0]), said)
    if len(re.sub(r"\\[A-Za-z]+|[{}_^ ]", lambda m: "x" if len(m[0]) > 1 else "", said)) > _LONGEST:
        return ""
    from matplotlib.mathtext import MathTextParser

    try:
        MathTextParser("path").parse(f"${said}$")
    except ValueError:
        return ""
    return f"${said}$"


def _plain(text: str) -> str:
    """Return text in which nothing is a formula for matplotlib."""
    return text.replace("$", r"\$")


def _matplotlib() -> Any:
    try:
        import matplotlib as mpl
    except ImportError:
        raise InputError("drawing needs matplotlib: pip install 'dpcomp-sym[plot]'") from None
    return mpl
