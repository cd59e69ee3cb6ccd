"""A meeting by way of a folder that something else carries: a share, Syncthing, git.

A machine writes below a directory of its own name only, in chunks that are named by their content: JSON
lines, compressed, and sealed where there is a key. So what carries them never has two versions of a file,
and one that hasn't come whole is known by its name. Chunks are never changed; those that hold what was
deleted or purged since, or that have become many, are written anew and taken away.

A folder may be a git repository, pulled before it is read, committed and pushed after it was written. Who
loses a race pulls and pushes again; merging never conflicts.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

from ...database.recording import host_name
from ...platform.clock import DAY_MS, now_ms, uuid7
from ...platform.errors import InvalidRecordError
from ...platform.regular_file import FLAGS, checked, read_bounded
from ...platform.system import posix
from ...platform.translation import _
from ...records.dataclasses import replace
from ...store import Store
from ...tables.machines import note_machine
from ...text.plural import count_noun
from .channel import LONGEST, MAGIC, TOO_LONG, Outcome, SyncError, Wishes, encoded, fault_of
from .machines import FOLDER_ID, Machines, MeetingPlace, Peer
from .receiving import BATCH, Receiver
from .rows import NAMES_ONLY, ORDER, VERSIONS_OF, Line, RowState, Version, digest_of, names_of, said_by

SUFFIX = ".jsonl.gz"
SEALED = ".age"
CHUNK_LINES, CHUNK_BYTES = 5_000, LONGEST
"""A chunk holds at most so many lines, and of bytes no more than this and one line."""
MANY_CHUNKS = 64
"""So many chunks of one machine are made fewer."""


class Folder:
    """A folder, for one store."""

    peer: Peer
    compares_rows = False

    def __init__(self, store: Store, place: MeetingPlace, directory: Path, key: Key | None = None) -> None:
        self.store = store
        self.place = place
        self.directory = directory
        self.key = key
        self.own = directory / store.machine_id
        self.machines = Machines(store)
        self.state = RowState(store)
        self.outcome = Outcome()
        self.seen: set[int] = set()
        """What stands for the versions of rows in the folder."""
        self.gone: set[str] = set()
        """The names of rows that were deleted or purged, as far as this meeting heard of it."""

    def meet(self, wishes: Wishes) -> Outcome:
        """Read what others wrote, and write what changed here. Raises SyncError."""
        if not self.directory.is_dir():
            raise SyncError(
                "{directory} is not a folder; make it, or see that it is there.", directory=self.directory
            )
        if self.own.is_symlink():
            raise SyncError(
                "{own} is a link, where this machine writes: take it away, and see who put it there.",
                own=self.own,
            )
        sealed = next(self.directory.glob(f"*/*{SUFFIX}{SEALED}"), None)
        if self.key is None and sealed is not None:
            # Who seals what is in a folder wants nothing there that can be read.
            wishes = replace(wishes, gives=False)
            self.outcome.notes.append(
                _("Nothing was written: {path} is sealed, and no key was given (--key).", path=sealed)
            )
        self.compares_rows = wishes.verify
        self.peer = peer = self._peer()
        was_given = peer.sent >= 0 or not wishes.gives
        compares = wishes.verify or peer.meeting is None or not was_given
        receiver = Receiver(self.store, peer.machine)
        self._read(peer, receiver, compares=compares, stores=wishes.takes)
        self.outcome.taken = receiver.verdicts
        head, written = receiver.state.head(), 0
        if wishes.gives:
            _chunks, written = self._write(self._lines(peer, receiver, head, compares=compares))
            self._rewrite()
        self.outcome.given.counts["stored"] = written
        self.machines.finish(peer.machine, uuid7(now_ms()), head if wishes.gives else None)
        if wishes.takes:
            self.machines.note_refused(peer.machine, receiver.verdicts.refused)
        return self.outcome

    def waiting(self) -> dict[str, int]:
        """Return how many rows would be written, by table, as far as that is known without reading."""
        waiting = self.machines.waiting(self.place)
        if waiting is None:
            return {
                bucket.split(" ", 1)[0]: digest.rows
                for bucket, digest in RowState(self.store).digests().items()
            }
        return {kind: len(keys) for kind, keys in waiting.items()}

    def _peer(self) -> Peer:
        machine = self.place.machine or f"{FOLDER_ID}{uuid7(now_ms())}"
        peer = self.machines.meet(machine, self.place.name)
        self.machines.note_meeting(self.place.name, machine)
        return peer

    def _read(self, peer: Peer, receiver: Receiver, *, compares: bool, stores: bool) -> None:
        sql = "SELECT chunk FROM sync_chunks WHERE folder = ?"
        known = {str(chunk) for (chunk,) in self.store.db.execute(sql, (peer.machine,))}
        paths = sorted(self.directory.glob(f"*/*{SUFFIX}*"))
        again: list[Path] = []
        refused = receiver.verdicts.refused
        for path in chain(paths, again):
            name = f"{path.parent.name}/{path.name}"
            if (name in known and not compares) or not path.name.endswith((SUFFIX, SEALED)):
                continue
            try:
                lines = self._chunk(path, is_read=True)
            except SyncError as error:
                self.outcome.notes.append(str(error))
                continue
            for line in lines:
                self._note(line)
            if stores:
                before = len(refused)
                for start in range(0, len(lines), BATCH):
                    receiver.store_batch(lines[start : start + BATCH])
                if len(refused) == before:
                    self._remember(peer, name)
                elif path not in again:
                    # What its rows name may be in a chunk that is read later.
                    del refused[before:]
                    again.append(path)

    def _note(self, line: Line) -> None:
        kind, key = str(line.get("table")), _name_of(line)
        version = _version_of(line)
        if self.compares_rows and kind in ORDER and kind not in NAMES_ONLY and "gone" not in line:
            version.append(digest_of(*said_by(line, self.state.said(kind))))
        self.seen.add(_entry(kind, key, version))
        if "gone" in line or kind == "purged":
            self.gone.add(key)

    def _chunk(self, path: Path, *, is_read: bool = False) -> list[Line]:
        """Return the lines of a chunk. Raises SyncError where it isn't whole, or can't be read, and where
        one that `is_read` into the store isn't sealed though there is a key: anybody can have made it."""
        try:
            # Whoever carries the folder could have put a pipe there, or a link.
            with checked(posix.open(path, FLAGS | posix.O_NOFOLLOW), path) as file:
                data = read_bounded(file, path, CHUNK_BYTES + LONGEST)
        except OSError as error:
            raise SyncError("{path} can't be read ({error}).", path=path, error=error.strerror) from error
        if not path.name.startswith(sha256(data).hexdigest()[:32]):
            raise SyncError("{path} hasn't come whole yet; the next sync reads it.", path=path)
        if path.name.endswith(SEALED):
            if self.key is None:
                raise SyncError("{path} is sealed; give its key by --key.", path=path)
            data = self.key.unseal(data, path)
        elif self.key is not None and is_read:
            raise SyncError(
                "{path} isn't sealed, as this folder's key wants it; it is left alone.", path=path
            )
        try:
            with gzip.GzipFile(fileobj=BytesIO(data)) as file:
                # Some kilobytes may unpack to more than there is memory.
                text = file.read(CHUNK_BYTES + 2 * LONGEST)
            if len(text) == CHUNK_BYTES + 2 * LONGEST or text.count(b"\n") > CHUNK_LINES + 1:
                raise SyncError("{path} unpacks to more than a chunk holds; it is left alone.", path=path)
            head, *lines = map(json.loads, text.splitlines())
        except (ValueError, OSError, EOFError, zlib.error, RecursionError) as error:
            raise SyncError(
                "{path} is not a chunk of an exchange ({error}).", path=path, error=error
            ) from error
        if not all(isinstance(line, dict) for line in (head, *lines)):
            raise SyncError("{path} is not a chunk of an exchange.", path=path)
        if head.get(MAGIC) != 1 or not isinstance(at := head.get("at"), int):
            raise SyncError("{path} was written by a newer memtui; bring this one up to date.", path=path)
        if at > now_ms() + DAY_MS:
            raise SyncError(
                "{head} wrote a chunk in the future: its clock, or that of this machine, is "
                "wrong. It is left alone until then.",
                head=head.get("name"),
            )
        if isinstance(head.get("machine"), str) and isinstance(head.get("name"), str):
            with self.store.transaction():
                note_machine(self.store.db, head["machine"][:80], head["name"][:80])
        return lines

    def _lines(self, peer: Peer, receiver: Receiver, head: int, *, compares: bool) -> Iterator[Line]:
        state = RowState(self.store)
        if self.compares_rows:
            state.compare_rows()
        keys: dict[str, set[str]] = {kind: set(some) for kind, some in receiver.verdicts.owed.items()}
        if compares:
            for kind, key, mark, handle in state.entries():
                if _entry(kind, key, json.loads(mark)) not in self.seen:
                    keys.setdefault(kind, set()).add(handle)
        else:
            for kind, some in state.marked(peer.machine, peer.sent, head).items():
                keys.setdefault(kind, set()).update(some)
        for kind in ORDER:
            for line in state.lines(kind, sorted(keys.get(kind, ()))):
                self._note(line)
                yield line

    def _write(self, lines: Iterable[Line]) -> tuple[set[Path], int]:
        """Write lines into chunks; return these, and how many lines they have."""
        chunks: set[Path] = set()
        batch: list[bytes] = []
        size = written = 0
        for line in lines:
            data = encoded(line)
            if len(data) >= LONGEST:
                self.outcome.notes.append(f"{line['table']} {_name_of(line)} {TOO_LONG}.")
                continue
            batch.append(data)
            written += 1
            size += len(data)
            if len(batch) == CHUNK_LINES or size > CHUNK_BYTES:
                chunks.add(self._put(batch))
                batch, size = [], 0
        if batch:
            chunks.add(self._put(batch))
        return chunks, written

    def _put(self, lines: list[bytes]) -> Path:
        """Write a chunk, whole or not at all."""
        head = {MAGIC: 1, "machine": self.store.machine_id, "name": host_name(), "at": now_ms()}
        data = gzip.compress(b"".join((encoded(head), *lines)), mtime=0)
        if self.key is not None:
            data = self.key.seal(data)
        name = sha256(data).hexdigest()[:32] + SUFFIX + (SEALED if self.key is not None else "")
        path = self.own / name
        beside = self.own / f".{name}.{os.getpid()}"
        try:
            self.own.mkdir(exist_ok=True)
            with beside.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise SyncError(
                "{own} can't be written ({error}).", own=self.own, error=error.strerror
            ) from error
        self._remember(self.peer, f"{self.own.name}/{name}")
        return path

    def _rewrite(self) -> None:
        """Write the chunks anew that hold what is gone since, those from before there was a key, or all of
        them where they are many."""
        own = sorted(self.own.glob(f"*{SUFFIX}*")) if self.own.is_dir() else []
        plain = {path for path in own if self.key is not None and not path.name.endswith(SEALED)}
        if not self.gone and not plain and len(own) <= MANY_CHUNKS:
            return
        keys: dict[str, set[str]] = {}
        replaced: list[Path] = []
        for path in own:
            with suppress(SyncError):
                lines = [line for line in self._chunk(path) if fault_of(line) is None]
                stale = any(
                    "gone" not in line and _name_of(line) in self.gone
                    for line in lines
                    if line["table"] != "purged"
                )
                if stale or path in plain or len(own) > MANY_CHUNKS:
                    replaced.append(path)
                    for line in lines:
                        handle = str(line["uid"]) if line["table"] == "fact_sources" else _name_of(line)
                        keys.setdefault(str(line["table"]), set()).add(handle)
        if replaced:
            state = RowState(self.store)
            lines_now = (line for kind in ORDER for line in state.lines(kind, sorted(keys.get(kind, ()))))
            chunks, _written = self._write(lines_now)
            for path in replaced:
                # One that holds the same, and was written in the same millisecond, has the same name.
                if path not in chunks:
                    path.unlink(missing_ok=True)

    def _remember(self, peer: Peer, chunk: str) -> None:
        with self.store.transaction():
            sql = "INSERT INTO sync_chunks VALUES (?, ?) ON CONFLICT DO NOTHING"
            self.store.db.execute(sql, (peer.machine, chunk))


def folder_of(place: MeetingPlace) -> tuple[Path, Path | None]:
    """Return the directory of a place, and the file of its key. Raises InvalidRecordError."""
    scheme, _colon, rest = place.address.partition(":")
    directory, _mark, key = rest.partition("?key=")
    if scheme not in ("folder", "git") or not directory:
        raise InvalidRecordError("{address} is not a folder.", address=place.address)
    return Path(directory), Path(key) if key else None


def _name_of(line: Line) -> str:
    table = str(line.get("table"))
    if table in VERSIONS_OF:
        return " ".join(str(line.get(name, "")) for name in names_of(table))
    return str(line.get("uid") or "")


def _entry(kind: str, key: str, version: Version) -> int:
    """Return what stands for a version of a row: there may be a million."""
    return hash(f"{kind} {key} {json.dumps(version)}")


def _version_of(line: Line) -> list[Any]:
    names = VERSIONS_OF.get(str(line.get("table")), ("hlc", "editor"))
    return [line.get(name) for name in names]


PUSH_TRIES = 8
GIT_SECONDS = 120.0
"""The longest that git may take for one step."""


class GitFolder:
    """A work tree with a remote."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        if self._run("rev-parse", "--is-inside-work-tree", check=False).stdout.strip() != "true":
            raise SyncError(
                "{directory} is not a work tree of git: clone the repository there.", directory=directory
            )

    def pull(self) -> None:
        """Bring in what others pushed. Raises SyncError."""
        if not self._run("remote").stdout.strip():
            return
        self._run("fetch", "--quiet")
        branch = self._run("branch", "--show-current").stdout.strip()
        remote = self._run("config", f"branch.{branch}.remote", check=False).stdout.strip() or "origin"
        theirs = f"{remote}/{branch}"
        if not self._run("rev-parse", "--verify", "--quiet", theirs, check=False).stdout:
            return
        self._run(*self._author(), "merge", "--quiet", "--no-edit", "--allow-unrelated-histories", theirs)

    def push(self, written: int) -> bool:
        """Commit what was written, and push it; whether there was anything. Raises SyncError."""
        self._run("add", "--all", ".")
        has_changed = bool(self._run("status", "--porcelain", ".").stdout.strip())
        if has_changed:
            message = f"Memories of {host_name()}: {count_noun(written, 'rows')}"
            self._run(*self._author(), "commit", "--quiet", "--message", message, "--", ".")
        # A repository that nobody wrote to yet has no commit.
        is_empty = self._run("rev-parse", "--verify", "--quiet", "HEAD", check=False).returncode
        if is_empty or not self._run("remote").stdout.strip():
            return has_changed
        last = ""
        for _try in range(PUSH_TRIES):
            done = self._run("push", "--quiet", "--set-upstream", "origin", "HEAD", check=False)
            if done.returncode == 0:
                return has_changed
            last = done.stderr
            self.pull()
        raise SyncError("git could not push: {error}", error=last.strip()[-300:])

    def _author(self) -> list[str]:
        """Options that name an author where git's configuration has none."""
        if self._run("config", "user.email", check=False).stdout.strip():
            return []
        return ["-c", "user.name=memtui", "-c", f"user.email=memtui@{host_name()}"]

    def _run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
            environment.pop(name, None)
        try:
            done = subprocess.run(
                ["git", *arguments], cwd=self.directory, env=environment, text=True,
                capture_output=True, errors="replace", timeout=GIT_SECONDS, check=False,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SyncError(
                "git could not be run in {directory} ({error}).", directory=self.directory, error=error
            ) from error
        if check and done.returncode:
            said = (done.stderr or done.stdout).strip()[-300:]
            raise SyncError(
                "git {arguments} failed in {directory}: {said}",
                arguments=arguments[0],
                directory=self.directory,
                said=said,
            )
        return done


IDENTITY = "AGE-SECRET-KEY-"


class Key:
    """A key in a file: an age identity (`age-keygen`), or any other text, which is a passphrase then. All
    machines of a folder have the same. Raises InvalidRecordError where it can't be used."""

    def __init__(self, path: Path) -> None:
        try:
            import pyrage
        except ImportError as error:
            raise InvalidRecordError(
                "Sealing needs the extra sync: install memtui[sync] (`uv tool install 'memtui[sync]'`)."
            ) from error
        self._age: Any = pyrage
        try:
            lines = path.expanduser().read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidRecordError("The key in {path} can't be read.", path=path) from error
        words = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        if not words:
            raise InvalidRecordError(
                "There is no key in {path}. `age-keygen -o {path}` makes one.", path=path
            )
        self._identity: Any = None
        self._passphrase = words[0]
        if words[0].startswith(IDENTITY):
            try:
                self._identity = pyrage.x25519.Identity.from_str(words[0])
            except Exception as error:
                raise InvalidRecordError("The key in {path} is not an age identity.", path=path) from error

    def seal(self, data: bytes) -> bytes:
        """Return data that only this key opens."""
        if self._identity is None:
            return bytes(self._age.passphrase.encrypt(data, self._passphrase))
        return bytes(self._age.encrypt(data, [self._identity.to_public()]))

    def unseal(self, data: bytes, path: Path) -> bytes:
        """Return what was sealed, as it stands in a file. Raises SyncError."""
        try:
            if self._identity is None:
                return bytes(self._age.passphrase.decrypt(data, self._passphrase))
            return bytes(self._age.decrypt(data, [self._identity]))
        except Exception as error:
            raise SyncError("{path} was sealed by another key.", path=path) from error
