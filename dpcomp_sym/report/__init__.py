"""Results as people read them: text, LaTeX, HTML; prose is written once, in `document`."""
