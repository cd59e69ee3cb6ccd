"""Three ways to run `mem`: inside this process, as a process, and as a process on a terminal."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from memtui.store.cli.app import app
from tests.places import PYTHONPATH


@dataclass(frozen=True)
class Mem:
    """The command on one memory, run from one directory."""

    db: Path
    folder: Path

    def __call__(self, *arguments: str, input: str | bytes | None = None) -> Result:
        """Run it in this process."""
        runner = CliRunner(env={"MEMTUI_DB": str(self.db), "TERMINAL_WIDTH": "200"})
        result = runner.invoke(app, list(arguments), input=input, prog_name="mem")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def ok(self, *arguments: str, input: str | bytes | None = None) -> str:
        """Run it where it has to succeed; what it printed, without the last line break."""
        result = self(*arguments, input=input)
        assert result.exit_code == 0, result.stderr
        return result.stdout.removesuffix("\n")

    def json(self, *arguments: str, input: str | bytes | None = None) -> Any:
        """Run it with --json; the document."""
        return json.loads(self.ok(*arguments, "--json", input=input))

    def refused(self, *arguments: str, code: int = 1) -> str:
        """Run it where it has to fail with this exit code; what it said on stderr."""
        result = self(*arguments)
        assert result.exit_code == code, result.stdout
        assert "Traceback" not in result.stderr, result.stderr
        return result.stderr

    def process(
        self, *arguments: str | bytes, input: bytes = b"", **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Run it as a process."""
        return self.process_of("-m", "memtui.store.cli", *arguments, input=input, **environment)

    def process_of(
        self, *arguments: str | bytes, input: bytes = b"", **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Run Python with these arguments where the command would run."""
        return subprocess.run(
            [sys.executable, *arguments],
            input=input,
            capture_output=True,
            cwd=self.folder,
            env=self.environment(**environment),
        )

    def on_terminal(self, *arguments: str | bytes, **environment: str) -> str:
        """Run it as a process whose output is a terminal; all that the terminal was sent."""
        ours, theirs = pty.openpty()
        size = {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
        process = subprocess.Popen(
            [sys.executable, "-m", "memtui.store.cli", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            cwd=self.folder,
            env=self.environment(**size | environment),
        )
        os.close(theirs)
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            sent = b"".join(iter(lambda: _read(terminal.fileno()), b""))
        assert process.wait() in (0, 1)
        return sent.decode("utf-8", "surrogateescape")

    def typed(self, *arguments: str, keys: str, **environment: str) -> str:
        """Run it as a process on a terminal where keys are typed; what it said on it."""
        ours, theirs = pty.openpty()
        os.write(ours, keys.encode())
        done = subprocess.run(
            [sys.executable, "-m", "memtui.store.cli", *arguments],
            stdin=theirs,
            capture_output=True,
            cwd=self.folder,
            env=self.environment(**environment),
        )
        os.close(theirs)
        os.close(ours)
        return (done.stdout + done.stderr).decode()

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of a process."""
        kept = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        return kept | {"MEMTUI_DB": str(self.db), "PYTHONPATH": PYTHONPATH} | more


def filling(fill: Callable[[Mem], None]) -> Any:
    """Make a fixture of what fills a memory: the command on a copy of one that was filled once."""
    filled = bytearray()

    @pytest.fixture(name=fill.__name__)
    def fixture(mem: Mem) -> Mem:
        if filled:
            mem.db.touch(0o600)
            mem.db.write_bytes(filled)
        else:
            fill(mem)
            filled.extend(mem.db.read_bytes())
        return mem

    return fixture


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        # Linux tells the end of a terminal's output so.
        return b""
