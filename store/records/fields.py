"""What is told of each kind of record: its fields in the order in which they are read.

All that tells, changes or searches a record is made of this table: the command line, compact text,
contexts, hand-overs, HTML, Markdown, the browser, forms and the index. Next to nothing is imported: the
processes that agents wait for read this, too.
"""

from __future__ import annotations

from .kinds import TABLES, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal

    from .rows import Common

    Form = Literal["line", "text", "items", "words", "files", "uids", "kind", "share", "number"]
    """A text of a line or of many; a list of sentences, of words, of paths or of uids; a fact's kind; a
    number from 0 to 1; any other number."""
    Part = Literal["", "title", "body", "raw", "list"]
    """Where in the index it lies; nowhere if it isn't searched. Raw text (code, a tool's output) ranks
    with the lists."""
    Topic = Literal["", "asked", "found", "done", "left", "trouble", "all"]
    """What a field of a summary is about."""

TAKEN_BACK = "taken_back"
"""The key of `extra` that says that a user took a prompt, and what came of it, back."""
TEXTS = ("line", "text", "items")
"""The forms of fields that say something by themselves."""


class RecordField:
    """A field of a kind. `heading` is what stands above or before it, "" where a reader needs none;
    `label` the kind of label that its items are, by which they are filtered and counted. One that
    `is_further` is told to agents only when they ask for it. `longest` is how many characters of it a
    context or a hand-over tells.

    A `part` or a `label` also stands in the triggers and views of `store/database/schema`.
    """

    __slots__ = (
        "form", "heading", "is_edited", "is_further", "is_needed", "label", "longest", "name", "part",
        "topic",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        form: Form,
        heading: str = "",
        *,
        part: Part = "",
        label: str = "",
        topic: Topic = "",
        longest: int = 0,
        is_edited: bool = True,
        is_needed: bool = False,
        is_further: bool = False,
    ) -> None:
        self.name = name
        self.form = form
        self.heading = heading
        self.part = part
        self.label = label
        self.topic = topic
        self.longest = longest
        self.is_edited = is_edited and not is_further
        self.is_needed = is_needed
        self.is_further = is_further

    @property
    def is_list(self) -> bool:
        """Whether it is a list of texts."""
        return self.form in ("items", "words", "files", "uids")

    @property
    def says(self) -> bool:
        """Whether it says by itself what is remembered, as a project or a number doesn't."""
        return self.form in TEXTS and bool(self.part)


_PROJECT = RecordField("project", "line")
_FURTHER = (
    RecordField("prompt_number", "number", is_further=True),
    RecordField("discovery_tokens", "number", is_further=True),
)

FIELDS: dict[str, tuple[RecordField, ...]] = {
    "observation": (
        RecordField("title", "line", part="title"),
        RecordField("type", "line", is_needed=True),
        RecordField("subtitle", "line", part="body"),
        RecordField("narrative", "text", part="body"),
        RecordField("text", "text", part="raw"),
        RecordField("facts", "items", "Facts", part="list"),
        RecordField("concepts", "words", "Concepts", part="list", label="concept"),
        RecordField("files_read", "files", "Read", part="list", label="file"),
        RecordField("files_modified", "files", "Modified", part="list", label="file"),
        RecordField("tags", "words", "Tags", part="list", label="tag"),
        _PROJECT,
        RecordField("files_changed_since", "files", is_edited=False),
        RecordField("tool_name", "line", "Tool", is_further=True),
        RecordField("subagent", "line", "Sub-agent", is_further=True),
        RecordField("repeats", "number", is_further=True),
        *_FURTHER,
    ),
    "prompt": (
        RecordField("text", "text", part="title", is_needed=True),
        RecordField("prompt_number", "number", is_further=True),
    ),
    "summary": (
        RecordField("request", "text", "Request", part="title", topic="asked", longest=1_500),
        RecordField("investigated", "text", "Investigated", part="body"),
        RecordField("learned", "text", "Learned", part="body", topic="found", longest=1_500),
        RecordField("completed", "text", "Completed", part="body", topic="done", longest=1_500),
        RecordField("next_steps", "text", "Next steps", part="body", topic="left", longest=1_500),
        RecordField("notes", "text", "Notes", part="body", topic="trouble", longest=1_500),
        RecordField("text", "text", part="body", topic="all", longest=1_500),
        RecordField("files_read", "files", "Read", part="list", label="file"),
        RecordField("files_edited", "files", "Modified", part="list", label="file"),
        _PROJECT,
        RecordField("level", "line", is_further=True),
        *_FURTHER,
    ),
    "fact": (
        RecordField("content", "text", part="title", is_needed=True),
        RecordField("kind", "kind", "Kind"),
        RecordField("confidence", "share", "Confidence"),
        RecordField("entities", "words", "Entities", part="list", label="entity"),
        _PROJECT,
        RecordField("superseded_by", "line", is_edited=False),
        RecordField("supersedes", "items", is_edited=False),
        RecordField("evidence", "uids", "Evidence", is_further=True),
        RecordField("sources", "items", "Sources", is_further=True),
    ),
    "note": (
        RecordField("path", "line", is_needed=True),
        RecordField("text", "text"),
        _PROJECT,
    ),
    "session": (
        RecordField("title", "line"),
        RecordField("tags", "words", "Tags"),
        RecordField("agent", "line", is_edited=False),
        RecordField("status", "line", is_edited=False),
        RecordField("branch", "line", "Branch", is_edited=False),
        RecordField("first_prompt", "text", is_edited=False),
        RecordField("ended", "line", is_edited=False),
        RecordField("holds", "line", is_edited=False),
        RecordField("summary", "line", is_edited=False),
        RecordField("content_session_id", "line", is_further=True),
        RecordField("project_path", "line", is_further=True),
    ),
}
"""The fields of each kind. Some are no columns: `memtui.store.context.compact.fields` makes them."""

NAMES = {
    "session": ("title", "first_prompt", "content_session_id"),
    "prompt": ("text",),
    "observation": ("title", "subtitle", "narrative", "text"),
    "summary": (
        "request", "completed", "learned", "investigated", "next_steps", "notes", "text",
    ),
    "fact": ("content",),
    "note": ("path",),
}  # fmt: skip
"""By which fields a record is called: the first of them that says something."""

TITLES = {
    TABLES[kind]: "coalesce(" + "".join(f"nullif({name}, ''), " for name in names) + "'')"
    for kind, names in NAMES.items()
}
"""What a record is called, in SQL, by the table of its kind."""

LISTS = frozenset(field.name for fields in FIELDS.values() for field in fields if field.is_list)
"""The fields that are lists of texts, of any kind."""

_HEADINGS = {field.name: field.heading for fields in FIELDS.values() for field in fields if field.heading}


def heading(name: str) -> str:
    """Return what a field is called by people: `Next steps`."""
    return _HEADINGS.get(name) or name.replace("_", " ").capitalize()


def editable(kind: str) -> dict[str, RecordField]:
    """Return the fields of a kind that people can change, by name, in the order of a form."""
    return {field.name: field for field in FIELDS.get(kind, ()) if field.is_edited}


def content_fields(kind: str) -> list[str]:
    """Return the names of the fields of a kind that hold the content itself: no project, no number."""
    return [field.name for field in FIELDS[kind] if field.says]


def filled_fields(record: object) -> Iterator[tuple[RecordField, Any]]:
    """Yield the fields of a record that hold something, each with its value as it is stored; of equal
    texts only the first."""
    texts: set[str] = set()
    for field in FIELDS[kind_of(record)]:
        value = getattr(record, field.name, None)
        if value in (None, "", ()) or (field.form == "number" and not value):
            continue
        if field.form == "text":
            if value in texts:
                continue
            texts.add(value)
        yield field, value


def flags_of(record: Common) -> list[str]:
    """Return the names of the flags that are set: pinned, private, deleted, superseded, taken_back."""
    named = {
        "pinned": record.pinned,
        "private": record.private,
        "deleted": record.deleted_at is not None,
        "superseded": getattr(record, "superseded_by", None) is not None,
        TAKEN_BACK: is_taken_back(record),
    }
    return [name for name, holds in named.items() if holds]


def is_taken_back(record: Common) -> bool:
    """Return whether a user took a prompt back, or that of which a record came."""
    if TAKEN_BACK not in (record.extra or ""):
        return False
    import json

    extra = json.loads(record.extra or "{}")
    return isinstance(extra, dict) and bool(extra.get(TAKEN_BACK))


def title_of(record: object) -> str:
    """Return what a record is called: the first line of the first of its names that says something, ""
    where none does."""
    names = NAMES[kind_of(record)]
    texts = (str(getattr(record, name) or "").strip() for name in names)
    return next(filter(None, texts), "").split("\n", 1)[0].strip()


def files_of(record: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the files that a record says were modified, and those that were read."""
    names = ("files_modified", "files_edited", "files_read")
    modified, edited, read = (getattr(record, name, ()) for name in names)
    return modified or edited, read


FLAG_CHANGES = {
    "deleted_at": ("restored", "deleted"),
    "private": ("shown again", "hidden"),
    "pinned": ("unpinned", "pinned"),
}


def flag_change(column: str, value: object) -> str | None:
    """Return what became of a memory whose flag has this value now, in words; None of what is no flag."""
    return FLAG_CHANGES[column][bool(value)] if column in FLAG_CHANGES else None
