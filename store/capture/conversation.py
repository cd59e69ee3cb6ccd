"""A session's conversation, made of its memories and of what its transcript tells beside.

A memory says what it says in the store. What became none is told by the transcript, unless it may be
something that a person hid, deleted or purged: no tombstone holds a word by which that could be known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from ..agents import subagents
from ..agents.registry import BY_NAME
from ..context.compaction import lacking
from ..formats.transcripts.discovery import transcripts_of_session
from ..formats.transcripts.reader import file_reader, line_reader
from ..formats.transcripts.slices import Position, file_slices, line_slices
from ..observe.boundary import judged_reply, judged_tool
from ..observe.jobs.findings import UserEdits
from ..observe.rules import tools
from ..platform.errors import SourceError
from ..platform.translation import _
from ..records.dataclasses import dataclass, field, replace
from ..records.events import Event, ToolUse
from ..records.fields import filled_fields, title_of
from ..records.kinds import NOISE, REPLY, ref_of
from ..records.rows import Observation, Prompt, Session, Summary
from ..search.listing.timeline import nested
from ..store import Store
from ..tables.removal.purge import PURGED_SESSION, last_purged, purged_at
from .conversation_entries import Conversation, Entry, EntryKind
from .ingest.accepting import CleanEvent, accepted, is_noise, is_of_an_event, stored_event
from .ingest.transcripts import read_paths, subagents_of

MOST_ENTRIES = 5_000
"""Entries that are shown, the newest."""

LONGEST_TITLE = 300
"""Characters of a title."""

MOST_EVENTS = 20_000
"""Events of a session that are looked at."""

MOST_BYTES = 256 * 1024 * 1024
"""Bytes of a file that is read as a whole, which a reader takes into memory."""

EDITS = (tools.EDIT, tools.WRITE)
EVENT_KINDS = ("prompt", "tool", "reply", "compaction", "report")


def conversation(store: Store, session: Session | int, *, with_transcript: bool = True) -> Conversation:
    """Return the conversation of a session: its memories alone, or with what the transcript tells beside.
    Raises NotFoundError."""
    session = store.sessions.get(session.id if isinstance(session, Session) else session)
    weaver = _Weaver(store, session)
    source = ""
    if with_transcript:
        transcript = transcript_events(store, session)
        source = transcript.source
        for event in transcript.events:
            weaver.add(event)
    entries, all = weaver.entries()
    if all > len(entries):
        shown = _(
            "The newest {number} of {all} entries are shown.", number=f"{len(entries):,}", all=f"{all:,}"
        )
        source = _("{sentence} {more}", sentence=shown, more=source) if source else shown
    return Conversation(tuple(entries), source)


@dataclass(slots=True)
class _Piece:
    """An entry that is still put together. `order` decides between those of one moment; `agent` is the
    sub-agent that did it, `starts` the one that it started, `call` what the transcript calls it."""

    entry: Entry
    order: int
    agent: str | None = None
    starts: str | None = None
    call: str | None = None
    observation: int = 0
    turn: int = 0
    is_told: bool = False
    uses: list[ToolUse] = field(default_factory=list)


class _Weaver:
    """Weaves the events of a transcript into the memories of a session."""

    def __init__(self, store: Store, session: Session) -> None:
        self._store = store
        self._session = session
        self._edits = UserEdits(store)
        self._order = count()
        self._at = session.started_at
        self._gone = purged_at(store.db, session.uid) or 0
        self._purged = last_purged(store.db)
        self._pieces: dict[str, _Piece] = {}
        self._calls: dict[str, str] = {}
        self._hidden_texts: set[str] = set()
        # Whether a record is hidden of which nobody knows what the transcript calls it.
        self._hides_unknown = False
        self._records: dict[str, Observation] = {}
        self._turn_is_hidden = False
        self._prompt = ""
        self._add_records()

    def add(self, event: CleanEvent) -> None:
        """Add what an event tells: to the entry of the memory that it became, or as an entry."""
        if event.kind == "report":
            if event.call and event.subagent:
                self._calls[event.subagent] = event.call
            return
        at = self._at = event.at or self._at
        stored = stored_event(self._store.db, self._session.id, event)
        number = stored.record_id if stored is not None else None
        if event.kind == "prompt":
            self._prompt = event.text
        kind = {"prompt": "p", "compaction": "s"}.get(event.kind, "")
        piece = self._pieces.get(f"{kind}{number}") if number else None
        if event.kind == "prompt":
            self._turn_is_hidden = piece is None and not self._may_tell(event, stored is not None)
        if piece is not None:
            self._complete(piece, event, at)
        elif (
            not number
            and not self._turn_is_hidden
            and (event.kind == "prompt" or self._may_tell(event, stored is not None))
        ):
            self._add_event(event, at)

    def entries(self) -> tuple[list[Entry], int]:
        """Return the newest entries in order, the session's summary first and what sub-agents did below the
        calls that started them; and how many there are."""
        pieces = sorted(self._pieces.values(), key=lambda piece: (piece.entry.at, piece.order))
        turn = 0
        for piece in pieces:
            turn += piece.entry.kind == "prompt"
            piece.turn = turn
        pieces = [*_with_edits_joined(pieces)]
        all, pieces = len(pieces), pieces[-MOST_ENTRIES:]
        of_session = (piece for piece in pieces if piece.entry.kind == "summary")
        if summaries := [piece for piece in of_session if not piece.entry.is_compaction]:
            pieces.remove(summaries[-1])
            pieces.insert(0, summaries[-1])
        calls = self._calls_of(pieces)
        order = nested(range(len(pieces)), lambda at: at, calls)
        places = {at: place for place, at in enumerate(order)}
        # Of two that name each other neither has a place.
        parents = {
            place: places[calls[at]]
            for place, at in enumerate(order)
            if at in calls and places[calls[at]] < place
        }
        below = Counter(parents.values())
        depths: dict[int, int] = {}
        entries = []
        for place, at in enumerate(order):
            entry, uses, parent = pieces[at].entry, tuple(pieces[at].uses), parents.get(place)
            if parent is not None:
                depths[place] = depths.get(parent, 0) + 1
            if uses or parent is not None or below[place]:
                entry = replace(
                    entry, uses=uses, parent=parent, depth=depths.get(place, 0), below=below[place]
                )
            entries.append(entry)
        return entries, all

    def _calls_of(self, pieces: Sequence[_Piece]) -> dict[int, int]:
        """Return which of some pieces started the sub-agent that another one is of, by their places."""
        places = {piece.observation: at for at, piece in enumerate(pieces) if piece.observation}
        below = self._store.observations.steps_below(self._session.id)
        calls = {
            places[step]: places[call] for step, call in below.items() if step in places and call in places
        }
        by_call = {piece.call: at for at, piece in enumerate(pieces) if piece.call}
        starts = {piece.starts: at for at, piece in enumerate(pieces) if piece.starts}
        starts |= {agent: by_call[call] for agent, call in self._calls.items() if call in by_call}
        for at, piece in enumerate(pieces):
            if piece.agent in starts and starts[piece.agent] != at:
                calls.setdefault(at, starts[piece.agent])
        return calls

    def _add_records(self) -> None:
        store, number = self._store, self._session.id
        for prompt in store.prompts.all_of_session(number):
            if _is_hidden(prompt):
                self._hide(("prompt",), prompt.id, prompt.text)
            else:
                self._put(_prompt_entry(prompt.text, prompt.created_at, ref_of(prompt)))
        for item in store.observations.all_of_session(number):
            if _is_hidden(item):
                self._hide(("tool", "reply", "report"), item.id, item.narrative or "")
                continue
            self._records[ref_of(item)] = item
            piece = self._put(_observation_entry(item))
            piece.agent, piece.observation = item.subagent, item.id
        for summary, _level in store.summaries.with_levels(number):
            entry = _summary_entry(summary)
            if summary.text:
                lost = lacking(store.db, number, summary.text, summary.created_at)
                entry = replace(entry, is_compaction=True, lost=tuple(lost))
            self._put(entry)

    def _hide(self, kinds: tuple[str, ...], number: int, text: str) -> None:
        self._hidden_texts.add(_plain(text))
        if not is_of_an_event(self._store.db, self._session.id, kinds, number):
            self._hides_unknown = True

    def _put(self, entry: Entry) -> _Piece:
        piece = self._pieces[entry.key] = _Piece(entry, next(self._order))
        return piece

    def _may_tell(self, event: CleanEvent, is_known: bool) -> bool:
        """Whether an event that has no memory may be told of: it can't be what was hidden or purged."""
        at = event.at or self._at
        if at <= self._gone or (event.text and _plain(event.text) in self._hidden_texts):
            return False
        if is_known and event.kind != "reply":
            # Each of these had a record, which is gone.
            return False
        if at > self._purged and (is_known or not self._hides_unknown):
            return True
        # A reply of which the rules make nothing never had one.
        fields, _failure = judged_reply(event.text, self._prompt, is_final=event.is_final)
        return is_known and fields is None

    def _complete(self, piece: _Piece, event: CleanEvent, at: int) -> None:
        """Add to the entry of a memory what the transcript tells of it, unless a person corrected that."""
        record = self._records.get(piece.entry.key)
        is_edited = record is not None and self._edits.touch(record)
        if not piece.is_told:
            piece.is_told, piece.order = True, next(self._order)
            piece.entry = replace(piece.entry, at=at)
        if event.kind == "reply" and not is_edited:
            piece.entry = replace(piece.entry, kind="reply", text=event.text)
        if event.tool is not None:
            piece.starts, piece.call = piece.starts or subagents.started(event.tool), event.key
            if not is_edited:
                piece.uses.append(event.tool)

    def _add_event(self, event: CleanEvent, at: int) -> None:
        key = f"{event.kind} {event.key or next(self._order)}"
        if event.kind == "prompt":
            self._put(_prompt_entry(event.text, at, key, is_memory=False))
        elif event.kind == "tool" and (tool := event.tool) is not None:
            root = self._session.project_path or event.cwd
            fields, _failure = judged_tool(tool, root)
            title = fields["title"] or tools.display_name(tool.name)
            path = next(iter(fields["files_modified"]), "")
            piece = self._put(Entry(key, "step", at, _line(title), NOISE, path=path))
            piece.agent, piece.call = event.subagent, event.key
            piece.starts = subagents.started(tool)
            piece.uses.append(tool)
        elif event.text.strip():
            kind: EntryKind = "summary" if event.kind == "compaction" else "reply"
            type = "summary" if kind == "summary" else NOISE
            self._put(Entry(key, kind, at, _line(event.text), type, event.text))


def _is_hidden(record: Prompt | Observation | Summary) -> bool:
    return record.private or record.deleted_at is not None


def _prompt_entry(text: str, at: int, key: str, *, is_memory: bool = True) -> Entry:
    return Entry(key, "prompt", at, _line(text), "prompt", text, (key,) if is_memory else ())


def _observation_entry(item: Observation) -> Entry:
    ref = ref_of(item)
    title = _line(item.title or item.subtitle or item.narrative or "untitled")
    refs = () if item.type == NOISE else (ref,)
    if item.tool_name == REPLY:
        text = item.narrative or item.title or ""
        return Entry(ref, "reply", item.created_at, title, item.type, text, refs)
    is_edit = tools.action_of(item.tool_name or "", {}) in EDITS
    path = item.files_modified[0] if is_edit and len(item.files_modified) == 1 else ""
    return Entry(ref, "step", item.created_at, title, item.type, "", refs, path=path)


def _summary_entry(summary: Summary) -> Entry:
    ref = ref_of(summary)
    parts = [
        f"**{item.heading}**\n\n{value}" if item.heading else str(value)
        for item, value in filled_fields(summary)
        if item.form == "text" and value.strip()
    ]
    text = "\n\n".join(parts)
    # What was asked stands below as a prompt.
    title = _line(summary.completed or summary.learned or title_of(summary)).removeprefix("- ")
    return Entry(ref, "summary", summary.created_at, title, "summary", text, (ref,))


def _with_edits_joined(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """Yield the pieces, all edits of one file in a turn by the same agent as one, where the first is."""
    first: dict[tuple[int, str | None, str], _Piece] = {}
    for piece in pieces:
        if not piece.entry.path:
            continue
        known = first.setdefault((piece.turn, piece.agent, piece.entry.path), piece)
        if known is not piece:
            known.uses += piece.uses
            known.entry = replace(
                known.entry,
                refs=(*known.entry.refs, *piece.entry.refs),
                times=known.entry.times + piece.entry.times,
                type=piece.entry.type if known.entry.type == NOISE else known.entry.type,
            )
    kept = set(map(id, first.values()))
    yield from (piece for piece in pieces if not piece.entry.path or id(piece) in kept)


def _line(text: str) -> str:
    return " ".join(text[: 4 * LONGEST_TITLE].split())[:LONGEST_TITLE]


def _plain(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class TranscriptEvents:
    """The events of a transcript in its order, and a sentence that says where they are read, or why there
    are none."""

    events: tuple[CleanEvent, ...]
    source: str


def transcript_paths(store: Store, session: Session) -> list[Path]:
    """Return the files on this machine that hold a session and its sub-agents, the session's own first.

    This is the one place that knows where transcripts are.
    """
    ids = (session.content_session_id, *_subagents(store, session))
    paths: dict[Path, None] = {}
    for id in ids:
        known = [path for path in read_paths(store, session.agent, id) if path.is_file()]
        if not known and session.agent in BY_NAME:
            known = [*transcripts_of_session(session.agent, id)]
        paths |= dict.fromkeys(known)
    for path in list(paths):
        paths |= dict.fromkeys(sorted(path.with_suffix("").glob("subagents/**/agent-*.jsonl")))
    return list(paths)


def transcript_events(
    store: Store,
    session: Session,
    wanted: Callable[[Event], bool] | None = None,
    others: Sequence[Path] = (),
) -> TranscriptEvents:
    """Return what the transcript of a session tells, clean and as it would be stored; only what is
    `wanted`, where that is given. `others` are read where it isn't on this machine."""
    if session.private or session.deleted_at is not None:
        return TranscriptEvents(
            (),
            _("The session is hidden: its transcript isn't read.")
            if session.deleted_at is None
            else _("The session is deleted: its transcript isn't read."),
        )
    if session.content_session_id.startswith(PURGED_SESSION):
        return TranscriptEvents((), _("The session was purged: its transcript isn't read."))
    paths = transcript_paths(store, session) or list(others)
    if not paths:
        return TranscriptEvents(
            (), _("Its transcript isn't on this machine: only what became a memory is shown.")
        )
    events: list[CleanEvent] = []
    unread = ""
    for path in paths:
        try:
            for event in _events(store, session, path, wanted):
                events.append(event)
                if len(events) >= MOST_EVENTS:
                    source = _(
                        "The first {number} events of {path} are shown.",
                        number=f"{MOST_EVENTS:,}",
                        path=paths[0],
                    )
                    return TranscriptEvents(tuple(events), source)
        except (OSError, SourceError, ValueError) as error:
            unread = unread or _("{path} can't be read: {error}", path=path.name, error=error)
    source = _("The rest of the conversation is read from {path}.", path=paths[0])
    if unread:
        source = _("{sentence} {more}", sentence=source, more=unread)
    return TranscriptEvents(tuple(events), source)


def _events(
    store: Store, session: Session, path: Path, wanted: Callable[[Event], bool] | None = None
) -> Iterator[CleanEvent]:
    """Yield the events of a file that are of a session and may be told."""
    if make := line_reader(path, session.agent):
        slices = line_slices(store.db, path, make, Position())
    elif path.suffix != ".db" and path.stat().st_size > MOST_BYTES:
        raise SourceError("it has more than {number} MB", number=MOST_BYTES // 1024**2)
    else:
        make_file = file_reader(path, session.agent, session.content_session_id)
        slices = file_slices(store.db, path, make_file, Position())
    own, subagents = session.content_session_id, set(_subagents(store, session))
    written = int(path.stat().st_mtime * 1_000)
    for event in (event for piece in slices for event in piece.events):
        if event.kind not in EVENT_KINDS or event.session not in (own, *subagents):
            continue
        if wanted is not None and not wanted(event):
            continue
        subagent = event.subagent or (event.session if event.session != own else None)
        whole = replace(event, session=own, subagent=subagent)
        clean = accepted(store, whole, "transcript", event.at or written)
        if clean and not is_noise(clean):
            yield clean


def _subagents(store: Store, session: Session) -> list[str]:
    return subagents_of(store, session.agent, session.content_session_id)
