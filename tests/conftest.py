"""What tests of several folders start with."""

from __future__ import annotations

import gc
import json
import os
import signal
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests import shares

# A test is about the program as it is, and not about answers of before.
os.environ["DPCOMP_KEPT"] = "off"
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def pytest_configure():
    """Let signals do what they do by default, also where a shell has the tests ignore some."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Take what every run takes; of the long ones, begin with one case of each test.

    Those may run out of time.
    """
    if marker := shares.taking_turns(config):
        shares.in_turn(items, marker)
    if config.getoption("-m") == "long":
        met = Counter()
        places = {}
        for item in items:
            if item.get_closest_marker("long"):
                name = item.nodeid.partition("[")[0]
                places[item] = met[name]
                met[name] += 1
        items.sort(key=lambda item: places.get(item, 0))


def pytest_collection_finish():
    """Have Python look for garbage in what the tests make alone, not in the tests themselves."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def derived():
    """Return what gives the derivation of an example by its name, made once in a process.

    All tests share it, so none may change it: that is looked at in the end.
    """
    from dpcomp_sym.spec import load_any

    made = {}

    @cache
    def derivation(name):
        found = load_any(EXAMPLES / f"{name}.toml").derive()
        made[name] = json.dumps(found.as_json())
        return found

    yield derivation
    assert [n for n, text in made.items() if text != json.dumps(derivation(n).as_json())] == []


@pytest.fixture
def spec_file(tmp_path):
    """Return what writes a spec to ``spec.toml`` and returns its place, as the command takes it."""

    def write(text: str) -> str:
        file = tmp_path / "spec.toml"
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write
