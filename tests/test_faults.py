"""What goes wrong inside ends with a status of its own and one message, and once did not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from dpcomp_sym import load_spec
from dpcomp_sym.cli import main
from dpcomp_sym.faults import FAULT

ROOT = Path(__file__).parents[1]
BROKEN = """
import os, signal, sys
import dpcomp_sym.__main__ as program
import dpcomp_sym.cli.derive as command
def broken(*_, **__):
    {what}
command.load_any = broken
sys.argv = ["dpcomp", "derive", "examples/ambulances.toml"]
program.run()
"""


def run(what, **environment):
    return subprocess.run(
        [sys.executable, "-c", BROKEN.format(what=what)], cwd=ROOT, check=False,
        capture_output=True, text=True, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("what", "named"),
    [
        ("raise KeyError('i')", "KeyError: 'i'"),
        ("raise RecursionError('deep')", "RecursionError: deep"),
        ("raise AssertionError", "AssertionError"),
        ("broken()", "RecursionError"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("os.abort()", "SIGABRT"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "memory"),
    ],
)
def test_a_fault_is_no_verdict(what, named):
    done = run(what)
    assert (done.returncode, done.stdout) == (FAULT, "")
    assert done.stderr.startswith("fault: something went wrong inside dpcomp (")
    assert named in done.stderr
    assert "report it" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_traceback_is_there_for_those_who_ask():
    done = run("raise KeyError('i')", DPCOMP_TRACEBACK="1")
    assert done.returncode == FAULT
    assert "Traceback" in done.stderr


def test_control_characters_in_a_message_are_shown_by_their_numbers():
    done = run(r"raise ValueError('\\x1b[2Jproved')")
    assert "\x1b" not in done.stderr
    assert done.returncode == FAULT


def test_lack_of_memory_is_unknown():
    done = run("raise MemoryError")
    assert done.returncode == 3
    assert "not enough memory" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_reaches_the_process_that_works(number):
    script = BROKEN.format(what="print(os.getpid(), flush=True); signal.pause()")
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as running:
        worker = int(running.stdout.readline())
        assert worker != running.pid
        running.send_signal(number)
        assert running.wait(20) == -number
    assert gone(worker)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends it")
def test_no_process_is_left_when_the_one_that_waits_is_killed():
    script = BROKEN.format(what="print(os.getpid(), flush=True); signal.pause()")
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as running:
        worker = int(running.stdout.readline())
        running.kill()
    assert gone(worker)


def gone(process):
    """Return whether a process ends soon."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


# ------------------------------------------------------------------ what once ended the program

THREE = """
[domain]
attributes = {{ id = "Person", city = "City", day = "int" }}
[granularity]
{granularity}
[[map]]
name = "cities"
use = "partition"
by = "city"
[[map]]
name = "all"
use = "identity"
[[part]]
name = "p"
map = "cities"
guarantee = {{ pure = "eps" }}
[[part]]
name = "q"
map = "cities"
guarantee = {{ pure = "eta" }}
[[part]]
name = "r"
map = "all"
guarantee = {{ pure = "theta" }}
"""
ONE = """
[domain]
{domain}
[granularity]
{granularity}
[[map]]
name = "blocks"
{map}
[[part]]
name = "p"
map = "blocks"
{part}
"""
RECORDS = 'attributes = { id = "Person", day = "int" }'
PARTITION = 'use = "partition"'
PURE = 'guarantee = { pure = "eps" }'


def derived(spec_file, text, *sets):
    return load_spec(spec_file(text), sets).derive()


@pytest.mark.parametrize(
    ("granularity", "bound"),
    [
        ('use = "user"\nowner = "id"', "theta + sum(eps[i] + eta[i])"),
        ('use = "user"\nowner = "city"', "theta + max(eps[i] + eta[i])"),
        ('use = "free_lunch"', "theta + sum(eps[i] + eta[i])"),
        ('use = "w_event"\ntime = "day"\nlength = "3"', "theta + sum(eps[i] + eta[i])"),
    ],
)
def test_maps_with_different_numbers_of_parts_under_a_frame(spec_file, granularity, bound):
    found = derived(spec_file, THREE.format(granularity=granularity))
    assert found.bounds[0].text == bound


@pytest.mark.parametrize("member", ["h(day(c) + i) == i", "h(i) == day(c)", "h(day(c)) == h(i)"])
def test_functions_of_an_index(spec_file, member):
    family = f'index = {{ i = "k" }}\nfunctions = {{ h = [["int"], "int"] }}\nmember = "{member}"'
    spec = ONE.format(domain=RECORDS, granularity='use = "bounded"', map=family, part=PURE)
    assert derived(spec_file, spec).conditions["compatibility"].verdict == "refuted"


def test_a_number_that_depends_on_the_size(spec_file):
    edit = '[[granularity.edit]]\nparams = { x = "cell" }\nchange = { x = "%s" }'
    for amount in ("1 if size(D) <= 1 else -1", "-1 if size(D) >= 2 else 1"):
        spec = ONE.format(
            domain=RECORDS, granularity='name = "odd"\n' + edit % amount, map=PARTITION, part=PURE
        )
        assert derived(spec_file, spec).conditions["compatibility"].verdict == "proved"


@pytest.mark.parametrize("names", [("x", "y"), ("x", "xx"), ("a", "y"), ("u", "z")])
def test_databases_that_are_called_as_records_are_elsewhere(spec_file, names):
    one, other = names
    spec = ONE.format(
        domain=f'databases = ["{one}", "{other}", "third"]',
        granularity=f'neighbours = [["{one}", "{other}"]]', map='use = "identity"', part=PURE,
    )  # fmt: skip
    found = derived(spec_file, spec)
    assert (found.bounds[0].text, found.bounds[0].tight) == ("eps", "yes")


@pytest.mark.in_turn
@pytest.mark.parametrize("eps", ["700", "709", "710", "720", "1000", "1001", "1e400"])
@pytest.mark.parametrize("options", [[], ["--at-delta", "1/100"], ["--at-epsilon", "1e400"]])
def test_numbers_beyond_the_floats(spec_file, eps, options):
    spec = spec_file(
        ONE.format(domain=RECORDS, granularity='use = "unbounded"', map=PARTITION, part=PURE)
    )
    given = ["derive", spec, "--set", "k=2", "--set", f"eps={eps}", *options]
    for more in ([], ["--json"]):
        done = CliRunner().invoke(main, [*given, *more])
        refused = options and eps in ("1001", "1e400")  # too large to compare
        assert done.exit_code == (2 if refused else 0)
        assert bool(done.stderr) == bool(refused)
        assert done.exception is None or isinstance(done.exception, SystemExit)


@pytest.mark.in_turn
def test_many_maps_in_little_memory(spec_file):
    """The solver's memory once ended the whole process."""
    maps = "".join(f'[[map]]\nname = "m{n}"\nuse = "cover"\nm = {n + 2}\n' for n in range(8))
    parts = "".join(
        f'[[part]]\nname = "p{n}"\nmap = "m{n}"\nsetting = "common"\n'
        f'guarantee = {{ pure = "eps{n}" }}\n'
        for n in range(8)
    )
    head = f'[domain]\n{RECORDS}\n[granularity]\nuse = "bounded"\n'
    program = (
        "import sys\nfrom dpcomp_sym.limits import limited\nfrom dpcomp_sym.spec import load_spec\n"
        "with limited(megabytes=24) as limits:\n"
        "    found = load_spec(sys.argv[1]).derive()\n"
        "print(found.verdict, found.bounds['pure'].text, *found.notes, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, spec_file(head + maps + parts)],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stderr == ""
    verdict, bound, *notes = done.stdout.splitlines()
    assert (verdict, bound.startswith("(sum of the 4 largest eps0[i]) + ")) == ("proved", True)
    assert any("given up (at 24 MB)" in note for note in notes)
