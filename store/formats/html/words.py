"""What a record is called on pages, where it stands on one, and all its words for the index."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from ...kinds import KINDS, LETTERS, ref
from ...records import FACT_KINDS, Fact, Note, Observation, Prompt, Session, Summary
from ...text.times import iso

AnyMemory = Observation | Prompt | Summary | Fact | Note

SECTIONS = ("request", "investigated", "learned", "completed", "next_steps", "notes", "text")
"""The texts of a summary, in their order."""
TITLE = 200
"""Characters of a title that is cut from a longer text."""
UNTITLED = "Untitled"


def kind_of(record: AnyMemory) -> str:
    """Return the name of a record's kind: observation, prompt, summary, fact or note."""
    return type(record).__name__.lower()


def anchor(record: AnyMemory) -> str:
    """Return the id of a record's place on its page: its kind's letter and its number."""
    kind = kind_of(record)
    return f"{LETTERS.get(kind, kind[0])}{record.id}"


def ref_of(record: AnyMemory) -> str:
    """Return how people name a record."""
    return ref(kind_of(record), record.id)


def type_of(record: AnyMemory) -> str:
    """Return the type by which a record is filtered and coloured."""
    return record.type if isinstance(record, Observation) else kind_of(record)


def title_of(record: AnyMemory) -> str:
    """Return what a record is called, in a line."""
    if isinstance(record, Note):
        return record.path
    names = {
        "observation": ("title", "subtitle", "narrative", "text"),
        "prompt": ("text",),
        "summary": ("request", "completed", "learned", "text"),
        "fact": ("content",),
    }[kind_of(record)]
    texts = (str(getattr(record, name) or "").strip() for name in names)
    return _first_line(next(filter(None, texts), "")) or UNTITLED


def session_title(session: Session, first_prompt: str | None) -> str:
    """Return what a session is called: its title, or what was asked first as far as it may be told."""
    return _first_line(session.title or first_prompt or "") or (
        f"Session {session.content_session_id}"
    )


def words_of(record: AnyMemory) -> list[str]:
    """Return the texts of all that a record says beside its title, for whoever searches it."""
    texts: Iterable[str | None]
    if isinstance(record, Prompt | Note):
        texts = (record.text,)
    elif isinstance(record, Fact):
        texts = (record.content, " ".join((FACT_KINDS.get(record.kind, ""), *record.entities)))
    elif isinstance(record, Summary):
        files = (*record.files_read, *record.files_edited)
        texts = (*(getattr(record, name) for name in SECTIONS), *files)
    else:
        lists = (record.facts, record.concepts, record.tags, record.files_modified)
        texts = (record.subtitle, record.narrative, record.text, *chain(*lists, record.files_read))
    title = title_of(record)
    return [rest for text in texts if text and (rest := _beyond(title, text.strip()))]


def flags_of(record: AnyMemory) -> list[str]:
    """Return in a word each what is to be known of a record beside its text."""
    named = {
        "pinned": record.pinned,
        "private": record.private,
        "deleted": record.deleted_at is not None,
        "superseded": isinstance(record, Fact) and record.superseded_by is not None,
    }
    return [name for name, holds in named.items() if holds]


def at_of(record: AnyMemory) -> int:
    """Return when a record was made, a note when it was changed, in ms."""
    return record.updated_at if isinstance(record, Note) else record.created_at


def day(at: int) -> str:
    """Return the day of a moment in ms, UTC; `` where the time isn't known."""
    return iso(at)[:10] if at > 0 else ""


def clock(at: int) -> str:
    """Return the hour and minute of a moment in ms, UTC; `` where the time isn't known."""
    return iso(at)[11:16] if at > 0 else ""


def _beyond(title: str, text: str) -> str:
    """Return what a text says after its title, if that is its first line or the beginning of it."""
    if _first_line(text) != title:
        return text
    line, _, rest = text.partition("\n")
    if len(line.strip()) <= TITLE:
        return rest.strip()
    # From the word on that the title is cut in, so that a search finds it whole.
    return text[text.rfind(" ", 0, TITLE + 1) + 1 :]


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0].strip()
    return line if len(line) <= TITLE else f"{line[:TITLE].rstrip()}…"


TYPES = (
    "decision", "bugfix", "feature", "refactor", "discovery", "finding", "answer", "plan", "change",
    "note", "error", *KINDS.values(),
)  # fmt: skip
"""The types that have a colour of their own; all others share one."""


def type_class(type: str) -> str:
    """Return the class that colours a type."""
    return f"t-{type}" if type in TYPES and type != "observation" else "t-other"
