"""Whatever happens: one message, the right exit status, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Domain, Edit, Granularity
from dpcomp_sym.spec import load_spec, read_spec
from tests import command
from tests.shares import shared

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "unbounded-partition.toml"
SPEC = EXAMPLE.read_text(encoding="utf-8")
EDIT = """
[granularity]
[[granularity.edit]]
params = {{ x = "cell" }}
guard = '''{}'''
change = {{ x = 1 }}
[domain]
attributes = {{ id = "Record", owner = "Person" }}
[[part]]
map = "partition"
"""


def dpcomp(*arguments, **more):
    """Run the program from outside."""
    return subprocess.run(
        [sys.executable, "-m", "dpcomp_sym", *map(str, arguments)],
        cwd=ROOT, check=False, text=True, **{"stderr": subprocess.PIPE, **more},
    )  # fmt: skip


def is_one_message(done, *pieces):
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert all(piece in done.stderr for piece in pieces), done.stderr


# -------------------------------------------------------------------- specs

HUGE = {
    "ten megabytes": (b"# nothing\n" * 1_000_000, "1,000,000 bytes"),
    "nested lists": (b"a = " + b"[" * 100_000, "nested too deeply"),
    "a dotted key": (b"a." * 50_000 + b"b = 1", "nested too deeply"),
    "a long line": (b'title = "' + b"x" * 900_000 + b'"', "'domain' is missing"),
    "binary": (bytes(range(256)) * 100, "not UTF-8 text"),
    "a number of many digits": (b"a = " + b"9" * 5000, "not TOML"),
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_and_broken_files(name):
    content, piece = HUGE[name]
    with pytest.raises(InputError) as caught:
        read_spec(content, "a.toml", Path())
    assert str(caught.value).startswith("a.toml")
    assert piece in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "formula",
    [
        "__import__('os').system('touch pwned') == 0",
        "(lambda: 1)() == 1",
        "x.__class__ == x",
        "[y for y in (1, 2)] == 1",
        "open('/etc/passwd')",
        "exec('1')",
        "f'{x}' == x",
        "(y := 1) == 1",
        "D.__init__ == 1",
        "D[x] >= 1; import os",
        "true) (check-sat",
        "(" * 1500 + "true" + ")" * 1500,
        "not " * 800 + "true",
        "-" * 1500 + "1 <= 0",
        "0" + "+1" * 1500 + " >= 0 +",
        "D[x] >= 1" + " and D[x] >= 1" * 400,
    ],
)
def test_formulas_are_read_and_never_run(formula, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        load_spec(EDIT.format(formula))
    assert "line 5" in str(caught.value)
    assert len(str(caught.value)) < 600
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("old", "new", "letter"),
    [
        ("D[x] >= 0", "\u043ewner(x) == owner(x)", "U+043E, CYRILLIC SMALL LETTER O"),
        ("D[x] >= 0", "D[x] \u2265 0", "U+2265"),
        ('owner = "Person"', '"own\u0435r" = "Person"', "U+0435, CYRILLIC SMALL LETTER IE"),
        ('owner = "Person"', '"own\u200ber" = "Person"', "U+200B, ZERO WIDTH SPACE"),
        ('owner = "Person"', '"owner\u202e" = "Person"', "U+202E, RIGHT-TO-LEFT OVERRIDE"),
        ('"Person"', '"\uff30erson"', "U+FF30, FULLWIDTH LATIN CAPITAL LETTER P"),
        ('"Person"', '["\u0430nn", "ann"]', "U+0430, CYRILLIC SMALL LETTER A"),
    ],
)
def test_letters_that_look_alike_are_named(old, new, letter):
    text = EDIT.format("D[x] >= 0")
    assert old in text
    with pytest.raises(InputError) as caught:
        load_spec(text.replace(old, new))
    assert letter in str(caught.value)


def test_a_message_cannot_be_turned_around(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text(SPEC.replace('"unbounded"', '"\u202eunb\u043eunded"'), "utf-8")
    done = dpcomp("derive", file)
    is_one_message(done, "'\\u202eunb\u043eunded'", "did you mean 'unbounded'?", "U+202E")


@pytest.mark.parametrize("name", ["P|)(check-sat)(assert false)", "a b", "", "(", ";", 'x"'])
def test_sorts_are_words(name):
    """They stand in the solver's scripts as they are."""
    with pytest.raises(InputError, match="cannot be the name of a sort"):
        Domain({"id": name})
    with pytest.raises(InputError, match="cannot be the name of a sort"):
        Domain({"id": "Record"}, functions={"f": (["Record"], name)})


def test_a_group_of_a_billion_edits():
    edit = Edit({"x": "cell"}, change={"x": "1"})
    with pytest.raises(InputError, match="too many"):
        Granularity("many", [edit], group=10**9).bind(Domain({"id": "Record"}))


def test_a_hundred_thousand_labels():
    labels = ", ".join(f'"l{n}"' for n in range(100_000))
    text = EDIT.format("D[x] >= 0").replace('"Person"', f"[{labels}]")
    assert len(load_spec(text).problem.domain.attributes["owner"]) == 100_000


# -------------------------------------------------------------------- streams, disks, signals


@pytest.fixture(scope="module")
def derive():
    return ["derive", EXAMPLE]


ATLAS = ["atlas", "--granularity", "unbounded", "--map", "identity"]
OUTPUTS = {
    "article": ["derive", EXAMPLE, "--latex"],
    "fragment": ["derive", EXAMPLE, "--latex-fragment"],
    "page": ["derive", EXAMPLE, "--html"],
    "certificate": ["derive", EXAMPLE, "--certificate"],
    "curve": ["derive", EXAMPLE, "--set", "k=2", "--set", "eps=[1, 2]", "--curve"],
    "script": ["refute", EXAMPLE, "--claim", "0", "--notion", "pure", "--script"],
    "atlas": [*ATLAS, "--jobs", "1", "--html"],
    "cache": [*ATLAS, "--jobs", "1", "--cache"],
    "library": ["theorems", "verify", "N2", "--latex"],
}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("place", ["/dev/full", "/proc/nowhere"])
def test_files_that_cannot_be_written(name, place):
    """A full disk, and a folder in which nothing can be made: the message names the file."""
    done = command.dpcomp(*OUTPUTS[name], place)
    said = ("No space", "No such file") if name != "cache" else ("disk is full", "unable to open")
    is_one_message(done, f"{place}: ", said[place != "/dev/full"])


def test_one_of_two_files_that_cannot_be_written(derive, tmp_path):
    done = dpcomp(*derive, "--html", tmp_path / "a.html", "--latex", "/dev/full/x")
    is_one_message(done, "/dev/full")
    assert list(tmp_path.iterdir()) == []


JSON = {
    "check": ["check", EXAMPLE],
    "derive": ["derive", EXAMPLE],
    "relate": ["relate", EXAMPLE],
    "refute": ["refute", EXAMPLE, "--claim", "max(eps[i])"],
    "atlas": ATLAS,
    "theorems": ["theorems", "verify", "N2"],
}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", JSON)
def test_a_full_disk_behind_the_output(name):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        is_one_message(dpcomp(*JSON[name], "--json", stdout=full), "No space left")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "words",
    [["theorems", "verify", "--latex"], ["atlas", "--jobs", "1", "--html"]],
    ids=["theorems", "atlas"],
)
def test_an_interruption_of_long_work(words, tmp_path):
    """The command ends with the status of an interruption, and leaves no part of a file."""
    place = tmp_path / "page"
    cache = ["--cache", str(tmp_path / "cache")] if words[0] == "atlas" else []
    started = subprocess.Popen(
        [sys.executable, "-m", "dpcomp_sym", *words, str(place), *cache],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(2.5)
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=60)
    assert started.returncode == 130
    assert said.rstrip().endswith("interrupted")
    assert "Traceback" not in said
    assert {p.name for p in tmp_path.iterdir()} <= {"cache"}


def test_files_that_cannot_be_read(monkeypatch):
    is_one_message(dpcomp("derive", "/proc/self/mem"), "/proc/self/mem")
    is_one_message(dpcomp("derive", "/dev/zero"), "1,000,000 bytes")

    def denied(*_args, **_more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(InputError, match=r"cannot read secret\.toml: Permission denied"):
        load_spec(Path("secret.toml"))


def test_whoever_reads_the_output_may_stop(derive):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as broken:
        done = dpcomp(*derive, stdout=broken)
    assert (done.returncode, done.stderr) == (141, "")


def closed(descriptor):
    return f'exec "$0" -m dpcomp_sym derive "$1" {descriptor}'


def test_streams_that_are_closed():
    def shell(script, spec):
        return subprocess.run(
            ["/bin/sh", "-c", script, sys.executable, spec],
            cwd=ROOT, check=False, capture_output=True, text=True,
        )  # fmt: skip

    done = shell(closed(">&-"), EXAMPLE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    is_one_message(shell(closed("<&-"), "-"), "standard input is empty")
    done = shell(closed("2>&-"), "nothing.toml")
    assert (done.returncode, done.stdout) == (2, "")


LATE = """
import os, signal, sys, time
import dpcomp_sym.cli
from dpcomp_sym.__main__ import run

class Last:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

def main():
    last = Last()
    del last  # the interruption waits for the end of this, and the program ends
    sys.exit(0)

class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(0.1)

slow = Slow()  # goes when Python has given up its signal handlers
dpcomp_sym.cli.main = main
run()
"""


def test_an_interruption_that_comes_too_late():
    done = subprocess.run([sys.executable, "-c", LATE], cwd=ROOT, check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("milliseconds", shared(2, [60, 300, 120, 200, 450, 700]))
def test_an_interruption_at_any_time(milliseconds, tmp_path):
    """Before, while and after the program is loaded; it may also have been done already."""
    started = subprocess.Popen(
        [sys.executable, "-m", "dpcomp_sym", "derive",
         str(ROOT / "examples" / "table-cell-views.toml"), "--html", str(tmp_path / "page.html")],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(milliseconds / 1000)
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=60)
    files = [p.name for p in tmp_path.iterdir()]
    # Python itself dies of the signal while it does not yet run the program.  What is known of a
    # derivation that has begun is printed: perhaps nothing (3).
    assert started.returncode in {0, 3, 130, -signal.SIGINT}
    assert "dpcomp_sym/cli" not in said  # no traceback through the program
    assert files in ([], ["page.html"])
    if files:
        assert (tmp_path / "page.html").read_text(encoding="utf-8").endswith("</html>\n")
