"""The page of figures lists the engine's code that certificates rest on: that, and no more."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.certificates.trusted import engine, lines, read

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `(engine/[\w/]+\.py)` \| (.+?) \| (\d+) \|", re.MULTILINE)
WATCHED = ("bounded-partition-unbounded-parts", "stream-w-event-days", "values-in-steps")
WATCH = """
import json, sys
from pathlib import Path
from dpcomp_sym.certificates import recheck
from dpcomp_sym.replay import read
seen = set()
def watch(frame, event, _):
    code = frame.f_code
    if event == "call" and "/dpcomp_sym/engine/" in code.co_filename:
        name = code.co_qualname.partition(".<locals>")[0]
        file = code.co_filename.rpartition("/dpcomp_sym/")[2]
        seen.add(f"{file}:{name}")
for file in sys.argv[1:]:
    data = read(Path(file).read_bytes())
    sys.setprofile(watch)
    recheck.verify(data)
    sys.setprofile(None)
print(json.dumps(sorted(seen)))
"""


def listed():
    text = (ROOT / "docs" / "soundness" / "figures.md").read_text(encoding="utf-8")
    return {
        match[1]: (re.findall(r"`([\w.]+)`", match[2]), int(match[3]))
        for match in ROW.finditer(text)
    }


def test_the_list_is_what_verify_can_call():
    assert {file: names for file, (names, _) in listed().items()} == engine()


def test_the_lines_are_counted():
    source = read()
    for file, (names, stated) in listed().items():
        module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        counted = sum(lines(source, f"{module}.{name}") for name in names)
        assert abs(stated - counted) <= counted / 10, (file, counted)


def test_verify_runs_nothing_else(library, tmp_path):
    files = []
    for name in WATCHED:
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(library.certificate(name)), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *map(str, files)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    known = {f"{file}:{name}" for file, (names, _) in listed().items() for name in names}
    ran = set(json.loads(done.stdout))
    assert "engine/unit_steps.py:walked" in ran
    assert ran - known == set()
