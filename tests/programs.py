"""Programs that stand for an editor or an agent, and note how they were called."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class FakeProgram:
    """A program in a folder of its own; `calls` are its calls so far."""

    path: Path

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The words, the directory and the variables of each call."""
        noted = self.path.with_suffix(".calls")
        return [json.loads(line) for line in noted.read_text().splitlines()] if noted.exists() else []

    @property
    def words(self) -> list[str]:
        """The words of its only call, without its own name."""
        (call,) = self.calls
        words: list[str] = call["words"]
        return words


def program(folder: Path, name: str, status: int = 0) -> FakeProgram:
    """Make a program of this name in a folder, which ends with a status."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(
        f"#!{sys.executable}\n"
        "import json, os, sys\n"
        f"with open({str(path.with_suffix('.calls'))!r}, 'a') as file:\n"
        "    call = {'words': sys.argv[1:], 'directory': os.getcwd(), 'variables': dict(os.environ)}\n"
        "    file.write(json.dumps(call) + '\\n')\n"
        f"sys.exit({status})\n"
    )
    path.chmod(0o755)
    return FakeProgram(path)
