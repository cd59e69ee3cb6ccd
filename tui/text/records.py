"""A record as passages to read, and as text for the clipboard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content

from store import Fact, ListRow, Observation, Prompt, Query, Record, Session, Summary, highlight
from store.text.display import safe

from . import ages
from .content import DIM, NO_MARK, Passage, highlighted, joined, plain
from .glyphs import glyph
from .status import short_id

LONGEST = 100_000
"""Characters shown of one text; what is longer says so."""
FACT_KINDS = {"W": "about the world", "B": "about people", "O": "an opinion", "S": "a summary"}
BULLET = Content.styled("• ", DIM)

Section = tuple[str, str | None]


def record_passages(
    record: Record,
    row: ListRow,
    session: Session | None,
    query: Query,
    now: int,
    *,
    read_only: bool = False,
) -> list[Passage]:
    """All of a record, the matches of `query` highlighted; `now` is ms since the epoch, UTC. Where it is
    `read_only`, no key is told that would change it."""
    return [
        Passage(
            Content.assemble(glyph(row.type).content, " ", _highlighted(row.title, query, "bold")),
        ),
        *(Passage(plain(line, DIM)) for line in _circumstances(record, row, session, now) if line),
        *(
            Passage(Content.styled(state, "bold $text-warning"))
            for state in _states(record, read_only)
        ),
        *_spaced(_body(record, row, query)),
    ]


def _circumstances(
    record: Record, row: ListRow, session: Session | None, now: int
) -> Iterator[str]:
    prompt, tool = getattr(record, "prompt_number", None), getattr(record, "tool_name", None)
    yield joined(
        row.project,
        f"session {short_id(session)}" if session else "",
        f"prompt {prompt}" if prompt else "",
    )
    yield joined(
        ages.full(row.created_at),
        ages.ago(row.created_at, now),
        session.agent if session else "",
    )
    tokens = f"{ages.tokens(row.tokens)} tokens" if row.tokens else ""
    source = f"from {record.source}" if record.source else ""
    yield joined(f"{row.type} {row.ref}", tool or "", tokens, source)


def _states(record: Record, read_only: bool) -> Iterator[str]:
    if record.deleted_at is not None:
        yield "✗ Deleted." + ("" if read_only else " d brings it back.")
    if record.private:
        again = "" if read_only else " x shows it again."
        yield f"✗ Hidden as private: in no list, index or export.{again}"
    if record.pinned:
        yield "★ Pinned: offered first to a new session."


def _body(record: Record, row: ListRow, query: Query) -> Iterator[list[Passage]]:
    match record:
        case Observation():
            if record.title:
                yield _text(record.subtitle, query, style="italic")
            yield _text(record.narrative, query)
            if record.text != record.narrative:
                yield _text(record.text, query)
            yield _items("Facts", record.facts, query)
            yield _line("Concepts", record.concepts, query)
            yield _items("Read", record.files_read, query, mark=NO_MARK)
            yield _items("Modified", record.files_modified, query, mark=NO_MARK)
            yield _line("Tags", record.tags, query)
        case Prompt():
            if record.text.strip() != row.title.strip():
                yield _text(record.text, query)
        case Summary():
            for name in ("request", "investigated", "learned", "completed", "next_steps", "notes"):
                yield _text(getattr(record, name), query, name.replace("_", " ").capitalize())
            yield _text(record.text, query)
            yield _items("Read", record.files_read, query, mark=NO_MARK)
            yield _items("Edited", record.files_edited, query, mark=NO_MARK)
        case Fact():
            if record.content.strip() != row.title.strip():
                yield _text(record.content, query)
            yield _text(FACT_KINDS[record.kind], query, "Kind")
            yield _text(f"{record.confidence:.0%}", query, "Confidence")
            yield _line("Entities", record.entities, query)
            if record.evidence:
                # By what it is called it is listed there; a uid tells nobody anything.
                yield _text(
                    f"{len(record.evidence):,}, listed with the fact at 4", query, "Evidence"
                )
            yield _items("Sources", record.sources, query, mark=NO_MARK)


def _spaced(groups: Iterable[list[Passage]]) -> Iterator[Passage]:
    """One blank line before each text, and before the first of the labelled."""
    labelled = False
    for group in filter(None, groups):
        first, *rest = group
        space = 0 if labelled and first.label is not None else 1
        labelled = first.label is not None
        yield Passage(first.content, first.label, first.mark, space)
        yield from rest


def _text(
    text: str | None, query: Query, label: str | None = None, style: str = ""
) -> list[Passage]:
    if not text or not text.strip():
        return []
    content = _highlighted(text.strip(), query, style, newlines=True)
    return [Passage(content, label)]


def _items(label: str, items: Iterable[str], query: Query, mark: Content = BULLET) -> list[Passage]:
    return [
        Passage(_highlighted(item, query), "" if number else label, mark)
        for number, item in enumerate(items)
    ]


def _line(label: str, items: Iterable[str], query: Query) -> list[Passage]:
    return [Passage(_highlighted(text, query), label)] if (text := ", ".join(items)) else []


def _highlighted(text: str, query: Query, style: str = "", *, newlines: bool = False) -> Content:
    content = highlighted(highlight(text[:LONGEST], query), style, newlines=newlines)
    if len(text) > LONGEST:
        more = f" … {len(text) - LONGEST:,} more characters; y copies all of it."
        return content + plain(more, DIM)
    return content


def as_text(record: Record) -> str:
    """Return what a record says, a paragraph for each part, fit to be pasted into a terminal."""
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
