"""What the tests share: the program beside which the module is held."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    """Runs the program of the command line in a folder."""
    path = os.environ.get("MURMURATION")
    assert path, "MURMURATION names no program; python/test.sh builds one"

    def run(*arguments: str, folder: Path) -> str:
        done = subprocess.run([path, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
