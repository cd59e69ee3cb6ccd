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
"""Set in the program's environment. It may be an agent with hooks: these then remember nothing."""


def ask(settings: ModelSettings, question: Question, folder: Path) -> ModelReply:
    """Run the program in `folder`, which is made where it is missing, and return its output as the reply.
    Raises ObserverError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = Path(settings.command[0]).name
    with TemporaryFile() as given, TemporaryFile() as errors:
        given.write(question.whole.encode("utf-8", "replace"))
        given.seek(0)
        try:
            process = subprocess.Popen(
                settings.command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env={**os.environ, MARK: "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = f"{settings.command[0]} can't be run ({error}). Mend command."
            raise ObserverError("auth", reason) from error
        output, was_stopped = _read(process, settings.timeout_seconds)
        error_text = _tail(errors)
    if was_stopped:
        reason = f"{name} gave no answer within {settings.timeout_seconds:g} s."
        raise ObserverError("timeout", reason, spent=True)
    if len(output) > LARGEST:
        raise ObserverError("invalid", f"{name} said over {LARGEST:,} bytes.", spent=True)
    if process.returncode:
        reason = f"{name} ended with {process.returncode}. {error_text}".strip()
        raise ObserverError("timeout", reason, spent=True)
    text = output.decode("utf-8", "replace")
    return ModelReply(text, estimate_tokens(question.whole), estimate_tokens(text))


def _read(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, bool]:
    """Return what a process wrote, and whether it had to be stopped; its whole group is ended."""
    end = time.monotonic() + seconds
    output = bytearray()
    assert process.stdout is not None
    try:
        while len(output) <= LARGEST:
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
