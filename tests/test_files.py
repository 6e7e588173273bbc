"""Files are written as a whole or not at all, and only files are replaced."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from dpcomp_sym.files import write_whole


def test_all_or_nothing(tmp_path):
    good, bad = tmp_path / "good.txt", tmp_path / "missing" / "bad.txt"
    good.write_text("before")
    with pytest.raises(FileNotFoundError):
        write_whole({good: "after", bad: "after"})
    assert good.read_text() == "before"
    assert [f.name for f in tmp_path.iterdir()] == ["good.txt"]


def test_a_pipe_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole({pipe: "through"})
    reader.join(timeout=10)
    assert read == ["through"]
    assert pipe.is_fifo()


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)
    write_whole({link: "after"})
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_a_full_disk_is_told():
    with pytest.raises(OSError, match="No space left"):
        write_whole({Path("/dev/full"): "x" * 100_000})
