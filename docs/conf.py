"""How the documentation is built: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import concept
import gallery
import generate
import page as benchmarks

import dpcomp_sym
import notebooks

project = "dpcomp-sym"
author = "the dpcomp-sym authors"
project_copyright = author
version = release = dpcomp_sym.__version__
extensions = [
    "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode",
]  # fmt: skip
html_theme = "furo"
html_title = "dpcomp-sym"
# Pages that are made from the program itself, before anything is read.
# What concept.py draws stands on the pages on concepts.
exclude_patterns = ["generated/README.md", "generated/concept-*.md"]
myst_enable_extensions = ["attrs_block"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = True
napoleon_use_ivar = True
# Highlighting is for reading; an ellipsis in an example is not a mistake.
suppress_warnings = ["misc.highlighting_failure"]

generated = Path(__file__).parent / "generated"
generate.everything(generated)
concept.draw(generated)
generate.page(generated, "gallery", *gallery.gallery(generated))
generate.page(generated, "notebooks", *notebooks.notebooks(generated))
generate.page(generated, "benchmarks", *benchmarks.page(generated))
