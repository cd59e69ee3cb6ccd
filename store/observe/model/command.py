"""A local program that answers: the question on its standard input, the answer on its output."""

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

from ...config import ModelSettings
from ...text.redaction import redact
from ...text.tokens import estimate_tokens
from .errors import ObserverError
from .http import LARGEST
from .question import ModelReply, Question

MARK = "MEMTUI_OBSERVER"
"""A program that is an agent itself has hooks; with this in its environment they remember nothing."""


def ask(settings: ModelSettings, question: Question, folder: Path) -> ModelReply:
    """Run the program in `folder`, which is made where it is missing; ObserverError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = Path(settings.command[0]).name
    with TemporaryFile() as given, TemporaryFile() as complaints:
        given.write(question.whole.encode("utf-8", "replace"))
        given.seek(0)
        try:
            process = subprocess.Popen(
                settings.command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=complaints,
                cwd=folder,
                env={**os.environ, MARK: "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = f"{settings.command[0]} can't be run ({error}). Mend command."
            raise ObserverError("auth", reason) from error
        said, was_stopped = _read(process, settings.timeout_seconds)
        complaint = _tail(complaints)
    if was_stopped:
        reason = f"{name} gave no answer within {settings.timeout_seconds:g} s."
        raise ObserverError("timeout", reason, spent=True)
    if len(said) > LARGEST:
        raise ObserverError("invalid", f"{name} said over {LARGEST:,} bytes.", spent=True)
    if process.returncode:
        reason = f"{name} ended with {process.returncode}. {complaint}".strip()
        raise ObserverError("timeout", reason, spent=True)
    text = said.decode("utf-8", "replace")
    return ModelReply(text, estimate_tokens(question.whole), estimate_tokens(text))


def _read(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, bool]:
    """What it said, and whether it had to be stopped; nothing of it runs on."""
    end = time.monotonic() + seconds
    said = bytearray()
    assert process.stdout is not None
    try:
        while len(said) <= LARGEST:
            left = max(0.0, end - time.monotonic())
            if not select.select([process.stdout], [], [], left)[0]:
                return bytes(said), True
            chunk = os.read(process.stdout.fileno(), 65_536)
            if not chunk:
                process.wait(max(0.1, end - time.monotonic()))
                break
            said += chunk
    except subprocess.TimeoutExpired:
        return bytes(said), True
    finally:
        _end(process)
        process.stdout.close()
        process.wait()
    return bytes(said), False


def _end(process: subprocess.Popen[bytes]) -> None:
    # What it has started itself belongs to its group.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _tail(complaints: IO[bytes]) -> str:
    size = complaints.seek(0, os.SEEK_END)
    complaints.seek(max(0, size - 2_000))
    return redact(" ".join(complaints.read().decode("utf-8", "replace").split()))[-200:]
