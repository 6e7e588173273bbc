"""The atlas for notebooks and programs: what the command fills, shows and writes to files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from dpcomp_sym.atlas import Atlas, AtlasTable, default_table
from dpcomp_sym.atlas import atlas as filled
from dpcomp_sym.errors import InputError
from dpcomp_sym.kept import Kept, usual_place
from dpcomp_sym.report.answers import Saved, latex_texts
from dpcomp_sym.rocq import installed

if TYPE_CHECKING:
    from dpcomp_sym.report.answers import Writer

__all__ = ["AtlasAnswer", "derive_atlas"]


class AtlasAnswer(Atlas, Saved):
    """The table with an answer for each cell; ``save("atlas.html")`` writes it to a file."""

    def __str__(self) -> str:
        """Return a grid for each setting."""
        from dpcomp_sym.atlas.text import as_text

        return as_text(self)

    def __repr__(self) -> str:
        return f"<Atlas: {self.summary}>"

    def texts(self) -> Mapping[str, Writer]:
        """Return what can be written, by the end of a file's name."""
        from dpcomp_sym import notebook, printable
        from dpcomp_sym.atlas.page import as_html
        from dpcomp_sym.atlas.text import document

        return {
            **latex_texts(lambda: document(self)),
            ".html": lambda: as_html(self),
            ".md": lambda: notebook.markdown(self) + "\n",
            ".json": lambda: printable.as_json(self.as_json()) + "\n",
        }


def derive_atlas(
    granularities: str | Sequence[str] = (), maps: str | Sequence[str] = (), *,
    table: AtlasTable | None = None, jobs: int | None = None, fresh: bool = False,
    kept: Kept | None = None, progress: Callable[[int, int], None] = lambda _done, _all: None,
    cluster: str | None = None, rocq: bool = False,
) -> AtlasAnswer:  # fmt: skip
    """Derive the table of granularities, maps and settings, as ``dpcomp atlas`` does.

    Args:
        granularities: these rows only.
        maps: these columns only.
        table: another table than that of the program.
        jobs: so many cells at a time; -1 takes all processors, None leaves it to joblib's
            configuration (one, if nothing is configured).
        fresh: take no cell that an earlier run has kept, and keep none.
        kept: where finished cells are kept and looked up; in the usual place if absent.
        progress: called with the number of finished cells, and of all.
        cluster: the address of a Dask scheduler that gets the work.
        rocq: have coqc, which must be installed, check the proof of each bound on ε.

    Raises:
        InputError: there is no such row or column, or coqc is asked for and not installed.

    >>> found = derive_atlas("bounded", ["identity", "partition"])
    >>> found
    <Atlas: 4 cells: 4 proved>
    >>> found.answers[-1]["setting"], found.answers[-1]["bounds"]["pure"]["text"]
    ('common', 'sum of the 2 largest eps[i]')
    """
    if rocq and not installed():
        raise InputError("coqc is to check the proofs, and is not installed here")
    rows, columns = (
        (given,) if isinstance(given, str) else given for given in (granularities, maps)
    )
    chosen = (table or default_table()).slice(rows, columns)
    place = kept or Kept(None if fresh else usual_place())
    found = filled(chosen, jobs=jobs, kept=place, progress=progress, cluster=cluster, rocq=rocq)
    return AtlasAnswer(found.table, found.answers)
