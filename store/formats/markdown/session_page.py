"""One session as a Markdown page: front matter, then prompts, observations and summaries by time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ...fields import filled_fields, flags_of
from ...records import FACT_KINDS, Fact, Prompt, Session, Summary
from ...text.times import iso
from .escaping import block, bullets, front_matter, inline
from .session_rows import Happening


def write_session(file: BinaryIO, session: Session, title: str, happenings: Iterable[Happening]) -> None:
    """Write the page of a session of this title. `happenings` come by time; no more than one is held."""
    heading = title or f"Session {session.content_session_id}"
    fields = {
        "session": session.content_session_id,
        "agent": session.agent,
        "project": session.project,
        "directory": session.project_path,
        "status": session.status,
        "started": iso(session.started_at),
        "completed": iso(session.completed_at) if session.completed_at is not None else None,
        "memory_session": session.memory_session_id,
        "source": session.source,
        "uid": session.uid,
        **dict.fromkeys(flags_of(session), True),
    }
    _put(file, front_matter(fields))
    _put(file, f"\n# {inline(heading[:200]) or 'Session'}\n")
    for item in happenings:
        _put(file, "\n" + "".join(happening(item)))


def happening(item: Happening) -> Iterator[str]:
    """Yield the parts of a record's section, a heading first."""
    when = iso(item.created_at)[:19].replace("T", " ")
    if isinstance(item, Prompt):
        # Not every source numbers its prompts.
        number = f" {item.prompt_number}" if item.prompt_number else ""
        yield f"## {when} Prompt{number}{_marks(item)}\n\n{block(item.text)}"
        return
    if isinstance(item, Summary):
        yield f"## {when} Summary{_marks(item)}\n"
    else:
        title = inline(item.title or item.subtitle or "untitled")
        yield f"## {when} {inline(item.type)}: {title}{_marks(item)}\n"
    for field, value in filled_fields(item):
        heading = f"\n**{field.heading}**\n" if field.heading else ""
        if field.form == "text":
            yield f"{heading}\n{block(value)}"
        elif field.is_list:
            yield f"{heading}\n{bullets(value)}"
        elif field.form == "line" and field.heading:
            yield f"\n{field.heading}: {inline(value)}\n"
        elif field.name == "subtitle" and getattr(item, "title", None):
            yield f"\n{inline(value)}\n"


def _marks(item: Happening) -> str:
    flags = flags_of(item)
    return f" ({', '.join(flags)})" if flags else ""


def _put(file: BinaryIO, text: str) -> None:
    file.write(text.encode())


def fact_line(fact: Fact) -> str:
    """Return a fact as an item of a list."""
    marks = [FACT_KINDS.get(fact.kind, inline(fact.kind)), f"{fact.confidence:.0%} sure"]
    marks += [inline(fact.project)] if fact.project else []
    for field, value in filled_fields(fact):
        if field.is_list and not field.is_further:
            marks.append(", ".join(map(inline, value)))
    marks += flags_of(fact)
    return f"- {inline(fact.content)} ({'; '.join(marks)})\n"
