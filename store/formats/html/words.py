"""What a record is called on pages, where it stands on one, and all its words for the index."""

from __future__ import annotations

from ... import fields
from ...kinds import KINDS, LETTERS, OBSERVATION_TYPES, kind_of
from ...records import FACT_KINDS, Fact, Note, Observation, Prompt, Summary
from ...text.times import iso

AnyMemory = Observation | Prompt | Summary | Fact | Note

TITLE = 200
"""Characters of a title that is cut from a longer text."""
UNTITLED = "Untitled"


def anchor(record: AnyMemory) -> str:
    """Return the id of a record's place on its page: its kind's letter and its number."""
    kind = kind_of(record)
    return f"{LETTERS.get(kind, kind[0])}{record.id}"


def type_of(record: AnyMemory) -> str:
    """Return the type by which a record is filtered and coloured."""
    return record.type if isinstance(record, Observation) else kind_of(record)


def title_of(record: AnyMemory) -> str:
    """Return what a record is called, in a line."""
    if isinstance(record, Note):
        return record.path
    return _first_line(fields.title_of(record)) or UNTITLED


def words_of(record: AnyMemory) -> list[str]:
    """Return the texts of all that a record says beside its title, for whoever searches it."""
    texts: list[str] = []
    for field, value in fields.filled_fields(record):
        if field.form == "kind":
            texts.append(FACT_KINDS.get(value, ""))
        elif field.is_list and not field.is_further:
            texts += value
        elif field.form == "text" or field.says:
            texts.append(value)
    title = title_of(record)
    return [rest for text in texts if text and (rest := _beyond(title, text.strip()))]


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


TYPES = (*OBSERVATION_TYPES, *KINDS.values())
"""The types that have a colour of their own; all others share one."""


def type_class(type: str) -> str:
    """Return the class that colours a type."""
    return f"t-{type}" if type in TYPES and type != "observation" else "t-other"
