"""A local program that answers: what it is asked on its standard input, the answer on its output."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from ..platform.translation import _
from ..text.redaction import redact
from .errors import ProviderError
from .http import LARGEST

MARK = "MEMTUI_OBSERVER"
"""Set in the program's environment. It may be an agent with hooks: these then remember nothing."""


def run(
    command: tuple[str, ...],
    text: str,
    *,
    folder: Path | None = None,
    seconds: float,
    largest: int = LARGEST,
) -> str:
    """Run a program, the text on its standard input, and return what it printed, all within `seconds`
    and of `largest` bytes at most. It runs in `folder`, which is made where it is missing, else where
    this process does. Raises ProviderError."""
    if folder is not None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = Path(command[0]).name
    with TemporaryFile() as given, TemporaryFile() as errors:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env={**os.environ, MARK: "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = _("{command} can't be run ({error}). Fix command.", command=command[0], error=error)
            raise ProviderError("auth", reason) from error
        output, was_stopped = _read(process, seconds, largest)
        error_text = _tail(errors)
    if was_stopped:
        reason = _("{name} gave no answer within {seconds} s.", name=name, seconds=f"{seconds:g}")
        raise ProviderError("timeout", reason, spent=True)
    if len(output) > largest:
        raise ProviderError(
            "invalid",
            _("{name} said over {largest} bytes.", name=name, largest=f"{largest:,}"),
            spent=True,
        )
    if process.returncode:
        reason = _(
            "{name} ended with {status}. {error}",
            name=name,
            status=process.returncode,
            error=error_text,
        ).strip()
        raise ProviderError("timeout", reason, spent=True)
    return output.decode("utf-8", "replace")


def _read(process: subprocess.Popen[bytes], seconds: float, largest: int) -> tuple[bytes, bool]:
    """Return what a process wrote, and whether it had to be stopped; its whole group is ended."""
    end = time.monotonic() + seconds
    output = bytearray()
    assert process.stdout is not None
    try:
        while len(output) <= largest:
            left = max(0.0, end - time.monotonic())
            if not select.select([process.stdout], [], [], left)[0]:
                return bytes(output), True
            chunk = os.read(process.stdout.fileno(), 65_536)
            if not chunk:
                process.wait(max(0.1, end - time.monotonic()))
                break
            output += chunk
    except subprocess.TimeoutExpired:
        return bytes(output), True
    finally:
        _end(process)
        process.stdout.close()
        process.wait()
    return bytes(output), False


def _end(process: subprocess.Popen[bytes]) -> None:
    # What it has started itself belongs to its group.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _tail(errors: IO[bytes]) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - 2_000))
    return redact(" ".join(errors.read().decode("utf-8", "replace").split()))[-200:]
