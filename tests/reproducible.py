"""Does the same input give the same bytes, with every Python and every seed of its hashes?

``python tests/reproducible.py`` derives the examples with each Python from 3.11 that it finds,
in an environment of its own, with two seeds of hashes; ``--python`` (repeatable) names others, and
names of examples narrow it.  Everything that is written is compared: the report as text, as JSON,
LaTeX and HTML, and the certificate.  The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
NAMES = tuple(sorted(p.stem for p in EXAMPLES.glob("*.toml")))
MINORS = (11, 12, 13)
SEEDS = ("1", "random")


def interpreters() -> Iterator[str]:
    """Yield one Python of each minor version that there is, on the path or kept by pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in MINORS:
        candidates = [*sorted(kept.glob(f"3.{minor}.*/bin/python")), f"python3.{minor}"]
        for candidate in candidates:
            place = shutil.which(candidate)
            if place and not subprocess.run([place, "-c", ""], check=False).returncode:
                yield place
                break


def environment(python: str, folder: Path) -> str:
    """Install the package for a Python; return the one that has it."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    inside = str(folder / "bin" / "python")
    pip = [inside, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", str(ROOT)], check=True)
    return inside


def outputs(python: str, seed: str, name: str, *, cwd: Path | None = None) -> dict[str, str]:
    """Return a digest of all that the program writes about an example."""
    with tempfile.TemporaryDirectory() as folder:
        files = {kind: Path(folder, kind) for kind in ("latex", "html", "certificate")}
        options = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
        derive = [python, "-m", "dpcomp_sym", "derive", str(EXAMPLES / f"{name}.toml")]
        found = {}
        for kind, more in (("text", options), ("json", ["--json"])):
            done = subprocess.run(
                [*derive, *more], check=True, cwd=cwd or folder, stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONHASHSEED": seed},
            )  # fmt: skip
            found[kind] = done.stdout
        found |= {kind: file.read_bytes() for kind, file in files.items()}
    return {kind: hashlib.sha256(content).hexdigest() for kind, content in found.items()}


def different(
    pythons: Sequence[str],
    names: Sequence[str] = NAMES,
    seeds: Sequence[str] = SEEDS,
    cwd: Path | None = None,
) -> list[str]:
    """Return what comes out differently, for which example, Python and seed."""
    found = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, name in enumerate(names, 1):
            sys.stderr.write(f"{number}/{len(names)} {name}\n")
            runs = [(python, seed) for python in pythons for seed in seeds]
            first, *rest = pool.map(lambda run, n=name: outputs(*run, n, cwd=cwd), runs)
            for (python, seed), other in zip(runs[1:], rest, strict=True):
                found += [
                    f"{name}: the {kind} differs with {python}, hash seed {seed}"
                    for kind in first
                    if first[kind] != other[kind]
                ]
    return found


def main() -> int:
    """Compare; return the exit status."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("names", nargs="*", metavar="EXAMPLE")
    options.add_argument("--python", action="append", dest="pythons", metavar="P")
    chosen = options.parse_args()
    names = chosen.names or NAMES
    unknown = set(names) - set(NAMES)
    if unknown:
        options.error(f"no example {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as folder:
        pythons = [
            environment(python, Path(folder, str(number)))
            for number, python in enumerate(chosen.pythons or interpreters())
        ]
        versions = [
            subprocess.run([p, "-VV"], check=True, capture_output=True, text=True).stdout.strip()
            for p in pythons
        ]
        found = different(pythons, names)
    sys.stdout.write("\n".join([*versions, *found]) + "\n")
    sys.stdout.write(f"{len(names)} examples, {len(pythons)} Pythons, {len(SEEDS)} hash seeds: "
                     f"{len(found)} differences\n")  # fmt: skip
    return 1 if found or not pythons else 0


if __name__ == "__main__":
    sys.exit(main())
