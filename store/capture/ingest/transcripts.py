"""Read a transcript from where it was read last, each slice and its end in one transaction; import one,
those in a folder, or all that an agent keeps on this machine."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import apsw

from ...database.transaction import async_commit, savepoint
from ...formats.common.report import TOKENS, Counts, Progress, Report, SourceWarning
from ...formats.transcripts.discovery import find_folders, recognize, transcripts_in
from ...formats.transcripts.reader import file_reader, line_reader
from ...formats.transcripts.slices import Position, Slice, file_slices, line_slices, session_hash
from ...platform.clock import now_ms
from ...platform.errors import DatabaseError, InvalidRecordError, SourceError, StoreError, failure_of
from ...platform.translation import N_, _
from ...records.events import AgentName, Event
from ...store import Store
from ...text import clean
from ...text.plural import count_noun
from . import quarantine
from .accepting import is_noise, is_own
from .pipeline import ingest_event, ingest_typed

SAVE = """
INSERT INTO transcripts (path, agent, file, read_bytes, state, is_due, read_at)
VALUES (:path, :agent, :file, :read_bytes, :state, :is_due, :now)
ON CONFLICT (path) DO UPDATE SET agent = excluded.agent, file = excluded.file,
    read_bytes = excluded.read_bytes, state = excluded.state, read_at = excluded.read_at,
    is_due = min(is_due, excluded.is_due)
"""

KINDS = {
    "session_start": "sessions",
    "prompt": "prompts",
    "tool": "observations",
    "compaction": "summaries",
    "usage": TOKENS,
}
"""What each kind of event counts as; others are stored and not counted."""

OWN = N_("memtui's own")
NOT_THE_USERS = N_("not the user's own words")
COPIED = N_("told by an earlier session")


def read_transcript(
    store: Store,
    path: Path,
    agent: AgentName,
    *,
    seconds: float | None = None,
    report: Report | None = None,
    progress: Callable[[int], None] | None = None,
) -> bool:
    """Store what is new in a transcript; return whether it was read to its end.

    It is read in slices, for about `seconds` where these are given; each is one transaction with how far it
    goes, so that a kill loses nothing and brings nothing twice. `progress` is called with the bytes read.
    What can't be read is a warning in `report`: of a line by its number, or of the file.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 - hooks name it without following links
    reading = _Reading(store, path, agent, report or Report(agent), progress)
    until = None if seconds is None else time.monotonic() + seconds
    try:
        return reading.run(until)
    except OSError as error:
        reading.counter.warn(_("can't be read ({error})", error=error.strerror or error))
    except (apsw.Error, StoreError):
        raise
    except Exception as error:
        reading.counter.fail(_("can't be read ({error})", error=failure_of(error)))
    withdraw(store, reading.name)
    return True


def import_transcripts(
    store: Store, agent: AgentName, path: Path | None = None, progress: Progress | None = None
) -> Report:
    """Import what is new in an agent's transcripts, and report what became of it.

    `path` is a transcript or a folder of them; without one it is whatever the agent keeps on this
    machine. No file is touched. A file or a line that can't be read is a warning in the report.
    After a kill, doing it again goes on where it stopped, and again after that changes nothing.
    `progress` is called with bytes. Raises SourceError where there is nothing to import.
    """
    wanted = transcripts_at(agent, path)
    report = Report(agent)
    with async_commit(store.db):
        _read(store, agent, wanted, report, progress)
    if not report.changes:
        report.notes.append(_("Nothing new in {files}.", files=count_noun(len(wanted), "files")))
    return report


def transcripts_at(agent: AgentName, path: Path | None = None) -> list[Path]:
    """Return the transcripts of an agent at a path, or without one on this machine. Raises
    SourceError where there are none."""
    if path is None:
        places = [place.path for place in find_folders() if place.agent == agent]
        wanted = [file for place in places for file in transcripts_in(agent, place)]
        if not wanted:
            raise SourceError(
                "No transcripts of {agent} were found on this machine. Name a file or a folder.",
                agent=agent,
            )
        return wanted
    if not path.exists():
        raise SourceError("There is no file or folder {path}. Check the path.", path=path)
    if path.is_dir():
        wanted = list(transcripts_in(agent, path))
        if not wanted:
            raise SourceError(
                "{path} holds no transcripts of {agent}. Check the path.", path=path, agent=agent
            )
        return wanted
    writer = recognize(path)
    if writer not in (agent, None):
        raise SourceError(
            "{path} was written by {writer}, not by {agent}. Import it as that.",
            path=path,
            writer=writer,
            agent=agent,
        )
    return [path]


def reconcile(store: Store, *, seconds: float) -> bool:
    """Read the transcripts of which hooks have left a note, and those of their sub-agents, for
    about so many seconds; return whether none is left."""
    until = time.monotonic() + seconds
    for name, agent in store.db.execute("SELECT path, agent FROM transcripts WHERE is_due = 1").fetchall():
        path = Path(str(name))
        try:
            # The note is withdrawn when the session's own file is read, so that comes last.
            for part in (*sorted(path.with_suffix("").glob("subagents/**/agent-*.jsonl")), path):
                if not read_transcript(store, part, str(agent), seconds=until - time.monotonic()):
                    return False
        except (SourceError, OSError, ValueError):
            # Agents may name what no file can be called.
            withdraw(store, str(name))
        if clean(os.path.abspath(str(name))) != name:  # noqa: PTH100 - under which a reading is noted
            withdraw(store, str(name))
    return True


def read_anew(store: Store, name: str) -> str | None:
    """Read a quarantined transcript from its beginning, in the present transaction; what is stored of it
    is recognised. The reason where something of it can't be stored again."""
    db, values = store.db, (f"{quarantine.TRANSCRIPT}{name}",)
    db.execute("UPDATE transcripts SET file = '', read_bytes = 0, state = '{}' WHERE path = ?", (name,))
    agent = db.execute("UPDATE quarantine SET reason = '' WHERE record = ? RETURNING agent", values).get
    read_transcript(store, Path(name), str(agent))
    return str(db.execute("SELECT reason FROM quarantine WHERE record = ?", values).get) or None


def withdraw(store: Store, name: str) -> None:
    """Remove the note that there is more to read in a file: nothing can read it."""
    sql = "UPDATE transcripts SET is_due = 0, read_at = ? WHERE path = ?"
    with store.transaction():
        store.db.execute(sql, (now_ms(), name))


def read_paths(store: Store, agent: AgentName, session: str) -> list[Path]:
    """Return the transcripts that were read, or that hooks named, which bear a session's id."""
    # Agents name a session's transcript by its id.
    sql = "SELECT path FROM transcripts WHERE agent = ? AND instr(path, ?) ORDER BY path"
    return [Path(str(name)) for (name,) in store.db.execute(sql, (agent, session)).fetchall()]


def subagents_of(store: Store, agent: AgentName, session: str) -> list[str]:
    """Return the ids of the sub-agents that a session started, where they have ids of their own."""
    sql = "SELECT id FROM subagents WHERE agent = ? AND parent = ? ORDER BY id"
    return [str(id) for (id,) in store.db.execute(sql, (agent, session)).fetchall()]


def _read(
    store: Store, agent: AgentName, wanted: list[Path], report: Report, progress: Progress | None
) -> None:
    sizes = [_size(path) for path in wanted]
    done, total = 0, sum(sizes)
    for number, (path, size) in enumerate(zip(wanted, sizes, strict=True), start=1):
        which = _("file {number} of {total}", number=f"{number:,}", total=f"{len(wanted):,}")

        def show(read: int, before: int = done, which: str = which) -> None:
            if progress:
                progress(min(before + read, total), total, which)

        show(0)
        try:
            read_transcript(store, path, agent, report=report, progress=show)
        except SourceError as error:
            report.warnings.append(SourceWarning(str(path), "", str(error)))
        done += size
        show(0, done)


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


class _Reading:
    """One reading of one transcript."""

    def __init__(
        self,
        store: Store,
        path: Path,
        agent: AgentName,
        report: Report,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.store = store
        self.path = path
        self.agent = agent
        self.name = clean(str(path))
        self.counter = EventCounter(store, report, self.name, agent)
        self.progress = progress

    def run(self, until: float | None) -> bool:
        status = self.path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(_("{path} is not a file", path=self.path))
        self.counter.at = int(status.st_mtime * 1_000)
        place = self._place()
        slices = self._slices(place)
        while True:
            result = next(slices)
            with self.store.transaction():
                is_current = self._place() == place
                if is_current:
                    self._keep(result)
            if not is_current:
                # Another process has read it on meanwhile.
                place = self._place()
                slices = self._slices(place)
                continue
            place = result.end
            if self.progress:
                self.progress(place.read_bytes)
            if result.is_last:
                return True
            if until is not None and time.monotonic() >= until:
                return False

    def _slices(self, start: Position) -> Iterator[Slice]:
        if make := line_reader(self.path, self.agent):
            return line_slices(self.store.db, self.path, make, start)
        make_whole = file_reader(self.path, self.agent)
        self.counter.is_history = getattr(make_whole, "is_history", False)
        return file_slices(self.store.db, self.path, make_whole, start)

    def _place(self) -> Position:
        sql = "SELECT file, read_bytes, state FROM transcripts WHERE path = ?"
        result = self.store.db.execute(sql, (self.name,)).fetchone()
        return Position(*result) if result else Position()

    def _keep(self, found: Slice) -> None:
        # What bears no time, such as a session's title, was written beside what does.
        self.counter.at = next((event.at for event in found.events if event.at), self.counter.at)
        for event in found.events:
            self.counter.at = event.at or self.counter.at
            self.counter.keep(event)
        for message, line in found.warnings:
            self.counter.warn(message, line)
        if found.failure:
            self.counter.quarantine(found.failure)
        self.counter.copied(found.copies)
        note_forks(self.store, self.agent, found.forks)
        sql = "INSERT INTO transcript_records VALUES (?, ?) ON CONFLICT DO NOTHING"
        self.store.db.executemany(sql, found.records)
        # What was written since is still due, if a hook has left a note of it.
        is_due = not found.is_last or self.path.stat().st_size > found.size
        values = {
            "path": self.name,
            "agent": self.agent,
            "file": found.end.file,
            "read_bytes": found.end.read_bytes,
            "state": found.end.state,
            "is_due": is_due,
            "now": now_ms(),
        }
        self.store.db.execute(SAVE, values)


def note_forks(store: Store, agent: AgentName, forks: Mapping[str, int]) -> None:
    """Note from which session each goes on that repeats what stands in another's transcript."""
    for id, parent in forks.items():
        session = store.sessions.find(id, agent)
        if session is None or session.continues:
            continue
        others = store.sessions.content_ids(agent)
        if known := next((other for other in others if session_hash(other) == parent), None):
            store.sessions.continue_from(session, agent, known)


class EventCounter:
    """Stores events and counts them; tokens are those that the model wrote."""

    def __init__(self, store: Store, report: Report, name: str, agent: AgentName) -> None:
        self.store = store
        self.report = report
        self.name = name
        self.agent = agent
        self.at: int | None = None
        """The time of events that have none of their own, ms since the epoch."""
        self.is_history = False
        self.sessions: set[str] = set()

    def keep(self, event: Event) -> None:
        """Store an event and count what became of it."""
        if is_own(self.store, event.cwd):
            if event.kind in KINDS:
                self._count(event, 1).skip(OWN)
            return
        if event.kind == "session_start":
            self._start(event)
        elif event.kind == "usage" and event.usage:
            self._spend(event, event.usage.output)
        elif event.kind == "reply":
            self._say(event)
        else:
            is_new = self._kept(event)
            if event.kind in KINDS:
                self._settle(event, is_new)

    def copied(self, number: int) -> None:
        """Count records that belong to an earlier session."""
        if number:
            counts = self.report.of("copies")
            counts.read += number
            counts.skipped[COPIED] = counts.skipped.get(COPIED, 0) + number

    def warn(self, message: str, line: int | None = None) -> None:
        """Add a warning about the file, or about a line of it."""
        place = "" if line is None else _("line {line}", line=line)
        self.report.warnings.append(SourceWarning(self.name, place, message))

    def fail(self, reason: str) -> None:
        """Warn of what should not have failed."""
        self.warn(reason)
        self.quarantine(reason)

    def quarantine(self, reason: str) -> None:
        """Quarantine the file, for a later version to read it anew."""
        quarantine.put_transcript(self.store, self.agent, self.name, reason)

    def _kept(self, event: Event) -> bool:
        try:
            with savepoint(self.store.db):
                if self.is_history:
                    return ingest_typed(self.store, event)
                return ingest_event(self.store, event, "transcript", at=self.at)
        except InvalidRecordError as error:
            self.warn(str(error))
        except (apsw.Error, DatabaseError):
            raise
        except Exception as error:
            words = str(error) if isinstance(error, StoreError) else failure_of(error)
            self.fail(_("an event can't be stored ({error})", error=words))
        return False

    def _settle(self, event: Event, is_new: bool) -> None:
        counts = self._count(event, 1)
        if is_new:
            counts.new += 1
        elif is_noise(event):
            counts.skip(NOT_THE_USERS)
        else:
            counts.unchanged += 1

    def _say(self, event: Event) -> None:
        """Store a reply; it counts as an observation where it became one."""
        before = self.store.observations.newest_id()
        self._kept(event)
        if self.store.observations.newest_id() != before:
            counts = self.report.of("observations")
            counts.read, counts.new = counts.read + 1, counts.new + 1

    def _start(self, event: Event) -> None:
        is_known = self.store.sessions.find(event.session, event.agent) is not None
        self._kept(event)
        if event.session not in self.sessions and not event.subagent:
            self._settle(event, not is_known)
            self.sessions.add(event.session)

    def _spend(self, event: Event, output: int) -> None:
        session = self.store.sessions.find(event.session, event.agent)
        sql = "SELECT output FROM token_usage WHERE message = ? AND session_id = ?"
        before = session and self.store.db.execute(sql, (event.key, session.id)).get
        self._kept(event)
        counts = self._count(event, output)
        counts.new += max(0, output - (before or 0))
        counts.unchanged += min(output, before or 0)

    def _count(self, event: Event, number: int) -> Counts:
        counts = self.report.of(KINDS[event.kind])
        counts.read += number
        return counts
