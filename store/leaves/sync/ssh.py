"""A meeting over ssh, the user's own, with its configuration, agent and jump hosts. Nothing listens,
and nobody waits without an end for a program at the other end of a pipe."""

from __future__ import annotations

import io
import os
import select
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit

from ...platform.errors import InvalidRecordError
from ...platform.translation import _
from ...store import Store
from .channel import Channel, SyncError
from .exchange import Outcome, Wishes, begin
from .machines import SSH

UNATTENDED = (
    *("BatchMode=yes", "ConnectTimeout=10"),
    *("ServerAliveInterval=15", "ServerAliveCountMax=2"),
)
"""Options of ssh that ask for nothing, and give up where nobody answers."""
MISSING = 127
"""How a shell ends that doesn't find a program."""
SHOWN = 300


def address_of(host: str) -> str:
    """Return the address of HOST or HOST:PATH, as ssh and scp write it."""
    if host.startswith(SSH):
        return host
    name, _, path = host.partition(":")
    if not path:
        return f"{SSH}{name}"
    return f"{SSH}{name}/{path.removeprefix('/')}" if path.startswith("/") else f"{SSH}{name}/~/{path}"


def command_of(address: str, *, is_unattended: bool = False) -> list[str]:
    """Return the command that answers at an address: ssh://[USER@]HOST[:PORT][/PATH]. PATH is the store's
    file there, below the home directory after /~/. Unattended, ssh asks for nothing, such as a passphrase.
    Raises InvalidRecordError."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    user = unquote(parts.username or "")
    if not host or host.startswith("-") or user.startswith("-"):
        raise InvalidRecordError(
            "{address} names no host. Give ssh://USER@HOST, or HOST:PATH.", address=address
        )
    path = unquote(parts.path)
    path = path.removeprefix("/~/") if path.startswith("/~/") else path
    there = "mem sync --serve" + (f" --db {shlex.quote(path)}" if path.strip("/") else "")
    options = [item for option in UNATTENDED for item in ("-o", option)] if is_unattended else []
    options += ["-p", str(port)] if port else []
    return ["ssh", "-C", "-T", *options, "--", f"{user}@{host}" if user else host, there]


def meet_program(store: Store, command: Sequence[str], wishes: Wishes | None = None) -> Outcome:
    """Meet the store that a program answers for on its standard streams. Raises SyncError."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except OSError as error:
        raise SyncError(
            "{command} could not be run ({error}). Is it installed?",
            command=command[0],
            error=error.strerror,
        ) from error
    assert process.stdin and process.stdout and process.stderr
    with process:
        try:
            streams = patient(cast(BinaryIO, process.stdout), cast(BinaryIO, process.stdin))
            outcome = begin(store, Channel(*streams), wishes)
        except SyncError as error:
            if isinstance(error.__cause__, TimeoutError):
                process.kill()
            with suppress(OSError):
                process.stdin.close()
            said = process.stderr.read().decode(errors="replace").strip()
            if process.wait() == MISSING:
                raise SyncError(
                    "`mem` was not found there: install memtui, or put it on the PATH."
                ) from error
            raise SyncError(f"{error} {said[-SHOWN:]}".strip()) from error
        except BaseException:
            process.kill()
            raise
        with suppress(OSError):
            process.stdin.close()
        return outcome


SILENCE_SECONDS = 300
"""How long the other side may say nothing, or not take what it is sent."""
PIECE = select.PIPE_BUF
"""Bytes that are written at once where there is room for any."""


def patient(reader: BinaryIO, writer: BinaryIO) -> tuple[BinaryIO, BinaryIO]:
    """Return two streams that raise TimeoutError where theirs are not ready for `SILENCE_SECONDS`.
    Nothing may have been read from these before."""
    incoming = io.BufferedReader(_Reader(reader), io.DEFAULT_BUFFER_SIZE)
    return cast(BinaryIO, incoming), cast(BinaryIO, io.BufferedWriter(_Writer(writer)))


class _Raw(io.RawIOBase):
    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def _ready(self, event: int) -> int:
        """Wait until something can be read or written, and return the descriptor: of a stream that was
        closed, the number may be another file's."""
        descriptor = self.stream.fileno()
        poll = select.poll()
        poll.register(descriptor, event)
        if not poll.poll(SILENCE_SECONDS * 1000):
            raise TimeoutError(_("it was silent for {seconds} s", seconds=SILENCE_SECONDS))
        return descriptor


class _Reader(_Raw):
    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return os.readv(self._ready(select.POLLIN), [buffer])


class _Writer(_Raw):
    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return os.write(self._ready(select.POLLOUT), memoryview(data)[:PIECE])
