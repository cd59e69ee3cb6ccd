"""The resources of the server: a session, a summary, a note, any memory by its id, and the newest."""

from __future__ import annotations

from urllib.parse import unquote

from ..platform.errors import StoreError
from .protocol import RESOURCE_NOT_FOUND, Json, ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..store import Store
    from .memory import Memory

SCHEME = "mem://"
NEWEST = f"{SCHEME}newest"
MIME = "text/plain"
NEWEST_HITS = 30
LISTED_SESSIONS, LISTED_NOTES = 20, 50
TITLE_TOKENS = 24

PREFIXES = {"session": "@", "summary": "s", "note": "n", "memory": ""}
"""The kinds that an address names, and what stands before their number in an id."""

TEMPLATES: tuple[Json, ...] = tuple(
    {
        "uriTemplate": f"{SCHEME}{kind}/{{id}}",
        "name": kind,
        "title": title,
        "description": description,
        "mimeType": MIME,
    }
    for kind, title, description in (
        (
            "session",
            "A session",
            "A session with its summary: a number, or the agent's own id of it.",
        ),
        ("summary", "A summary", "What a session came to, by the number behind its s."),
        ("note", "A note", "MEMORY.md and its like, by the number behind its n."),
        ("memory", "A memory", "Any memory in full, by its id: 12, p12, s12, f12."),
    )
)


def listed(memory: Memory) -> list[Json]:
    """Return the newest memories as one resource, the newest sessions, and the notes."""
    resources: list[Json] = [
        _resource(NEWEST, "newest", f"The newest {NEWEST_HITS} memories, a line each.")
    ]
    try:
        with memory.reading() as store:
            resources += _sessions(store)
            resources += _notes(store)
    except StoreError:
        # There is no memory yet, or it can't be read: whoever reads a resource is told.
        pass
    return resources


def read(memory: Memory, uri: str) -> Json:
    """Return the content of a resource. ProtocolError where there is none."""
    from ..context.compact.answer import TOOLS
    from ..context.compact.hits import search_lines
    from ..context.compact.record import records

    try:
        with memory.reading() as store:
            if uri == NEWEST:
                text = search_lines(store, "", limit=NEWEST_HITS, wording=TOOLS).text
            else:
                id = _id_of(uri)
                compact_records = records(store, [id], wording=TOOLS)
                summary = (
                    compact_records.records[0].fields.get("summary") if compact_records.records else None
                )
                if uri.startswith(f"{SCHEME}session/") and isinstance(summary, str):
                    compact_records = records(store, [id, summary], wording=TOOLS)
                if not compact_records.records:
                    raise ProtocolError(RESOURCE_NOT_FOUND, compact_records.text, {"uri": uri})
                text = compact_records.text
    except StoreError as error:
        raise ProtocolError(RESOURCE_NOT_FOUND, str(error), {"uri": uri}) from error
    return {"uri": uri, "mimeType": MIME, "text": text}


def _sessions(store: Store) -> list[Json]:
    from ..context.compact.answer import one_line
    from ..search.listing.teammates import Teammates

    rows = store.sessions.list(limit=LISTED_SESSIONS, ahead_last=True)
    return [
        _resource(
            f"{SCHEME}session/{row.session.id}",
            f"session {row.session.id}",
            one_line(row.session.title or row.summary_line or "A session", TITLE_TOKENS),
        )
        for row in Teammates(store.db).told_sessions(rows)
    ]


def _notes(store: Store) -> list[Json]:
    from ..context.compact.answer import one_line
    from ..records.kinds import ref_of
    from ..search.listing.teammates import Teammates

    notes = store.notes.list()[:LISTED_NOTES]
    authors = Teammates(store.db).told(map(ref_of, notes))
    return [
        _resource(
            f"{SCHEME}note/{note.id}",
            f"note {note.id}",
            one_line(" ".join(filter(None, (note.path, note.project))), TITLE_TOKENS),
        )
        for note in notes
        if ref_of(note) in authors
    ]


def _resource(uri: str, name: str, description: str) -> Json:
    return {"uri": uri, "name": name, "description": description, "mimeType": MIME}


def _id_of(uri: str) -> str:
    kind, _, id = uri.removeprefix(SCHEME).partition("/")
    id = unquote(id)
    if not uri.startswith(SCHEME) or kind not in PREFIXES or not id:
        raise ProtocolError(
            RESOURCE_NOT_FOUND,
            f"There is no such resource. There are {NEWEST}, "
            f"{', '.join(f'{SCHEME}{text}/ID' for text in PREFIXES)}.",
            {"uri": uri[:200]},
        )
    return f"{PREFIXES[kind]}{id}" if id.isdecimal() else id
