"""A refutation as one Python file that needs nothing but Python."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["program"]

_TAIL = '''
# ------------------------------------------------------------------ the refutation

DATA = json.loads(r"""
{data}
""")

if __name__ == "__main__":
    raise SystemExit(check(DATA))
'''


def program(data: Mapping[str, Any]) -> str:
    """Return the text of a program that prints OK if the data refute the claim, and fails if not.

    It is the source of :mod:`dpcomp_sym.claims.standalone` with the data below it.
    """
    source = Path(__file__).with_name("standalone.py").read_text(encoding="utf-8")
    head = (
        f'"""Re-checks a refutation of the claim {_plain(data["text"])}.\n\n'
        "Run it with any Python from 3.11 on: it prints OK, or says what is wrong.  The data are "
        "at the end.\n"
    )
    body = source.split('"""', 2)[2].replace(
        "import itertools\n", "import itertools\nimport json\n", 1
    )
    return f'{head}"""{body}{_TAIL.format(data=json.dumps(data, indent=1, allow_nan=False))}'


def _plain(text: str) -> str:
    return text.replace("\\", " ").replace('"', "'")
