"""Meeting a place, whatever carries it: a folder, or ssh, the user's own, with its configuration, agent and
jump hosts. Nothing listens, and nobody waits without an end for a program at the other end of a pipe."""

from __future__ import annotations

import io
import os
import select
import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit

import apsw

from ...platform.errors import InvalidRecordError, StoreError
from ...platform.leaves import offers
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...store import Store
from .channel import Channel, Outcome, SyncError, Verdicts, Wishes
from .exchange import begin
from .folder import Folder, GitFolder, Key, folder_of
from .machines import FOLDER, GIT, SSH, Machines, MeetingPlace, carrier_of


@dataclass(frozen=True, slots=True)
class Meeting:
    """What came of a place: how many rows were given and taken, what was refused, and sentences on what is
    odd. `differing`: how many ranges differed, None where only changes went. A dry run says what would
    be; of a folder it `is_unread` what would come."""

    place: str
    given: Counter[str]
    taken: Counter[str]
    refused: tuple[str, ...]
    conflicts: int
    differing: int | None
    notes: tuple[str, ...]
    is_dry_run: bool = False
    is_unread: bool = False


def meet(store: Store, place: MeetingPlace, wishes: Wishes, *, is_unattended: bool = False) -> Meeting:
    """Meet a place, and note how it went. Raises StoreError where it could not be met."""
    gives = wishes.gives and place.direction != "read"
    takes = wishes.takes and place.direction != "write"
    wishes = Wishes(gives, takes, wishes.verify, wishes.dry_run)
    # What lies beside the store is for machines of one's own.
    has_beside = not (wishes.dry_run or place.is_team)
    try:
        if has_beside:
            beside_rows(store)
        if place.address.startswith(SSH):
            command = command_of(place.address, is_unattended=is_unattended)
            outcome = meet_program(store, command, wishes)
        elif place.address.startswith((FOLDER, GIT)):
            outcome = _by_folder(store, place, wishes)
        elif (carrier := carrier_of(place)) is not None:
            outcome = carrier.meet(store, wishes, is_unattended=is_unattended)
        else:
            raise SyncError("Nothing here meets {address}.", address=place.address)
        if has_beside:
            outcome.notes += beside_rows(store)
    except StoreError as error:
        if not wishes.dry_run:
            # Where the store can't be written any more either, the first error is the one to tell.
            with suppress(StoreError, apsw.Error):
                Machines(store).note_meeting(place.name, None, str(error))
        raise
    if not wishes.dry_run:
        Machines(store).note_meeting(place.name, outcome.machine)
    given, taken = outcome.given, outcome.taken
    return Meeting(
        place.name,
        given.counts,
        taken.counts,
        (*given.refusals(_("there")), *taken.refusals(_("here"))),
        given.conflicts + taken.conflicts,
        outcome.differing,
        tuple(outcome.notes),
        wishes.dry_run,
        outcome.is_unread,
    )


def beside_rows(store: Store) -> list[str]:
    """Bring what lies beside the store, and goes by its rows, in step with them; return sentences on what
    could not be done."""
    return [note for keep_in_step in offers("meeting") for note in keep_in_step(store)]


def meet_due(store: Store) -> None:
    """Meet the places that are met by themselves and are due; what stands in the way is noted, and asked
    for is nothing."""
    for place in Machines(store).due():
        with suppress(StoreError):
            meet(store, place, Wishes(), is_unattended=True)


def _by_folder(store: Store, place: MeetingPlace, wishes: Wishes) -> Outcome:
    directory, key = folder_of(place)
    folder = Folder(store, place, directory, Key(key) if key else None)
    if wishes.dry_run:
        return Outcome(Verdicts(Counter(folder.waiting())), is_unread=True)
    repository = GitFolder(directory) if place.address.startswith(GIT) else None
    if repository is not None:
        repository.pull()
    outcome = folder.meet(wishes)
    if repository is not None:
        repository.push(outcome.given.counts["stored"])
    return outcome


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
            said = _ended(process)
            if process.wait() == MISSING:
                raise SyncError(
                    "`mem` was not found there: install memtui, or put it on the PATH."
                ) from error
            raise SyncError(f"{error} {said[-SHOWN:]}".strip()) from error
        except BaseException:
            process.kill()
            raise
        _ended(process)
        return outcome


END_SECONDS = 10
"""How long a program may take to end that nobody listens to any more."""


def _ended(process: subprocess.Popen[bytes]) -> str:
    """Have a program end, and return the last that it says on its standard error. One that doesn't end is
    killed."""
    assert process.stdin and process.stdout and process.stderr
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            stream.close()
    said = b""
    until = monotonic() + END_SECONDS
    poll = select.poll()
    poll.register(process.stderr, select.POLLIN)
    while poll.poll(max(0.0, until - monotonic()) * 1_000):
        if not (piece := os.read(process.stderr.fileno(), 65_536)):
            break
        said = (said + piece)[-4 * SHOWN :]
        if monotonic() > until:
            break
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, until - monotonic()))
    process.kill()
    return said.decode(errors="replace").strip()


SILENCE_SECONDS = 60
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
