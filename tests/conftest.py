"""What tests of several folders start with."""

from __future__ import annotations

import pytest


@pytest.fixture
def spec_file(tmp_path):
    """Return what writes a spec to ``spec.toml`` and returns its place, as the command takes it."""

    def write(text: str) -> str:
        file = tmp_path / "spec.toml"
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write
