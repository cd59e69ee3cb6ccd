"""A record as text for the clipboard."""

from __future__ import annotations

from store import Fact, Observation, Prompt, Record, Summary
from store.display import safe

Section = tuple[str, str | None]


def as_text(record: Record) -> str:
    """What the record says, a paragraph for each of its parts, fit to be pasted into a terminal."""
    said = (f"{label}{text}" for label, text in _sections(record) if text)
    return safe("\n\n".join(said), newlines=True)


def _sections(record: Record) -> list[Section]:
    match record:
        case Observation():
            return [
                ("", record.title),
                ("", record.subtitle),
                ("", record.narrative),
                ("", record.text if record.text != record.narrative else None),
                ("", "\n".join(f"- {fact}" for fact in record.facts)),
                ("Concepts: ", ", ".join(record.concepts)),
                ("Files read: ", ", ".join(record.files_read)),
                ("Files modified: ", ", ".join(record.files_modified)),
                ("Tags: ", ", ".join(record.tags)),
            ]
        case Prompt():
            return [("", record.text)]
        case Summary():
            return [
                ("Request: ", record.request),
                ("Investigated: ", record.investigated),
                ("Learned: ", record.learned),
                ("Completed: ", record.completed),
                ("Next steps: ", record.next_steps),
                ("Notes: ", record.notes),
                ("", record.text),
            ]
        case Fact():
            return [("", record.content)]
