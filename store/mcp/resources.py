"""What people pick in a client: the resources of the server, a session, a summary, a note, any memory by
its id, and the newest; and its prompts, which agents offer as commands."""

from __future__ import annotations

from urllib.parse import unquote

from ..platform.errors import StoreError
from ..platform.leaves import offers
from ..records.dataclasses import dataclass
from .protocol import INVALID_PARAMS, RESOURCE_NOT_FOUND, Json, ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..store import Store
    from .client import Client
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


LONGEST_ARGUMENT = 2_000
HITS = 15


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A prompt: its argument, and what makes its text of it."""

    name: str
    title: str
    description: str
    argument: str
    argument_description: str
    is_required: bool
    text: Callable[[Client, Memory, str], str]

    def as_listed(self) -> Json:
        """Return it as `prompts/list` has it."""
        argument = {
            "name": self.argument,
            "description": self.argument_description,
            "required": self.is_required,
        }
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "arguments": [argument],
        }


def filled(client: Client, memory: Memory, name: str, arguments: object) -> Json:
    """Return a prompt's messages. ProtocolError where there is none of this name, or where its argument
    is missing."""
    known = prompts()
    prompt = known.get(name)
    if prompt is None:
        raise ProtocolError(INVALID_PARAMS, f"There is no such prompt. There are {', '.join(known)}.")
    values = arguments if isinstance(arguments, dict) else {}
    value = values.get(prompt.argument, "")
    if not isinstance(value, str) or len(value) > LONGEST_ARGUMENT:
        raise ProtocolError(
            INVALID_PARAMS,
            f"{prompt.argument} has to be a text of at most {LONGEST_ARGUMENT:,} characters.",
        )
    if prompt.is_required and not value.strip():
        raise ProtocolError(INVALID_PARAMS, f"{prompt.argument} is missing.")
    try:
        text = prompt.text(client, memory, value.strip())
    except StoreError as error:
        raise ProtocolError(INVALID_PARAMS, str(error)) from error
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": prompt.description, "messages": [message]}


def _what_is_known(_client: Client, memory: Memory, topic: str) -> str:
    from ..context.compact.answer import TOOLS
    from ..context.compact.hits import search_lines

    with memory.reading() as store:
        hits = search_lines(store, topic, limit=HITS, wording=TOOLS)
    return (
        f"What do we know about this: {topic}\n\n"
        "Below is what the memory of earlier sessions has on it. Read in full (get) what matters, search "
        "again with other words where little was found, then say what is known, what was decided and why, "
        f"and what is open. Name the ids it rests on.\n\n{hits.text}"
    )


WHAT_IS_KNOWN = PromptTemplate(
    "what-is-known",
    "What do we know about …",
    "What the memory has on a topic, to be read and summed up with its sources.",
    "topic",
    "What it is about: words, or a query with filters.",
    True,
    _what_is_known,
)


def prompts() -> dict[str, PromptTemplate]:
    """Return every prompt by its name."""
    return {prompt.name: prompt for prompt in (WHAT_IS_KNOWN, *offers("mcp prompts"))}
