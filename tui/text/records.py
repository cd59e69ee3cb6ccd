"""A record as passages to read, and as text for the clipboard; how a session stands, a source's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.store import (
    SHOWN_KINDS,
    AnyRecord,
    ChangedFile,
    Fact,
    ListRow,
    MemoryReport,
    MergedRecord,
    Note,
    Observation,
    Pointers,
    Query,
    Record,
    Session,
    SessionRow,
    Store,
    Summary,
    highlight,
    taker_of,
)
from memtui.store.links.files import texts_of
from memtui.store.platform.translation import N_, _
from memtui.store.records.fields import filled_fields
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun
from memtui.store.text.times import duration

from ..protocol import LONGEST, ReadingMode
from . import ages
from .content import DIM, Passage, highlighted, joined, plain
from .glyphs import STALE, glyph
from .markdown.blocks import BULLET, document, line
from .markdown.code import RENDERED
from .team_mark import mark_of, mark_passages

if TYPE_CHECKING:
    from memtui.store.capture.waiting import State
    from memtui.store.context.broken_rules import RuleUse
    from memtui.store.context.uses import MemoryUse
    from memtui.store.records.sharing import TeamMark


@dataclass(frozen=True, slots=True)
class Status:
    """`symbol` is one cell wide; `word` says the same; `style` is made of theme variables."""

    symbol: str
    word: str
    style: str


COMPLETED = Status("✓", N_("completed"), "$text-success")
FAILED = Status("✗", N_("failed"), "$text-error")
LIVE = Status("●", N_("live"), "bold $text-accent")
ENDED = Status("○", N_("ended"), DIM)
BUSY = Status("◐", N_("busy"), "$text-accent")
WAITING = Status("◆", N_("waits"), "bold $text-warning")


def status(row: SessionRow, now: int, state: State | None = None) -> Status:
    """Return how a session stands at `now`, ms since the epoch, and by the state of its agent."""
    if state:
        return {"busy": BUSY, "waiting": WAITING}[state]
    return {"completed": COMPLETED, "failed": FAILED, "active": LIVE}.get(row.status_at(now), ENDED)


def lasted(row: SessionRow) -> str:
    """Return the time from its start to its end, or else to its last memory: `40s`, `56m`, `2h10`, `3d`."""
    return duration(row.lasted)


def short_id(session: Session) -> str:
    """Return the start of its content id, which is enough to name it."""
    return session.content_session_id[:8]


ABOVE = frozenset(("tool_name",))
"""What stands above the body, in its circumstances."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is told beside a record: what was `merged` into it, what `pointers` say of a fact's place, how
    its `use` went, its files that have `changed` since, the `briefs` of a detailed summary, the `reports`
    of it, and the `machine` that it was made on, "" for this one, its `mark` in a team, and how
    agents were `told` it."""

    merged: Sequence[MergedRecord] = ()
    pointers: Pointers | None = None
    use: RuleUse | None = None
    changed: Sequence[ChangedFile] = ()
    briefs: Sequence[Summary] = ()
    reports: Sequence[MemoryReport] = ()
    machine: str = ""
    mark: TeamMark | None = None
    told: MemoryUse | None = None

    @classmethod
    def of(cls, store: Store, record: Record, *, has_marks: bool) -> Surroundings:
        """Return them as they are in the store, which `has_marks` where it is in a team."""
        from memtui.store.context.broken_rules import rule_use
        from memtui.store.context.uses import use_of

        briefs = store.summaries.brief_levels(record) if isinstance(record, Summary) else ()
        changed = store.changed_files(record)
        reports = store.reporting.of(record)
        machine = store.machine_name(record.origin)
        return cls(
            store.merged_into(record),
            store.pointers(record),
            rule_use(store, record) if isinstance(record, Fact) else None,
            changed,
            briefs,
            reports,
            machine,
            mark_of(store, record) if has_marks else None,
            use_of(store, record),
        )


ALONE = Surroundings()


def record_passages(
    record: Record,
    row: ListRow,
    session: Session | None,
    query: Query,
    now: int,
    *,
    read_only: bool = False,
    beside: Surroundings = ALONE,
    reading: ReadingMode = RENDERED,
) -> list[Passage]:
    """All of a record, its texts as `reading` says, the matches of `query` highlighted; `now` is ms
    since the epoch, UTC. Where it is `read_only`, no key is told that would change it."""
    pointers = beside.pointers
    return [
        Passage(
            Content.assemble(glyph(row.type).content, " ", _highlighted(row.title, query, "bold")),
        ),
        *(Passage(plain(line, DIM)) for line in _circumstances(record, row, session, now) if line),
        *(Passage(plain(line, DIM)) for line in _elsewhere(record, beside.machine)),
        *(Passage(plain(line, DIM)) for line in _told(beside.told, now)),
        *mark_passages(beside.mark),
        *(Passage(plain(line, DIM)) for line in _merged(beside.merged)),
        *(
            Passage(plain(state, "bold $text-warning"))
            for state in (*_states(record, row, query, read_only, pointers), *_broken(beside.use))
        ),
        *(
            Passage(plain(content, "bold $text-warning" if report.verdict == "wrong" else "$text-success"))
            for report, content in _reports(beside.reports, now)
        ),
        *_spaced(
            chain(
                _in_brief(record, beside.briefs, query, reading),
                _body(record, row, query, reading),
                [_items(_("Supersedes"), pointers.predecessors, query)] if pointers else [],
                [_changed(beside.changed, now)],
            )
        ),
    ]


def _circumstances(record: Record, row: ListRow, session: Session | None, now: int) -> Iterator[str]:
    prompt, tool = getattr(record, "prompt_number", None), getattr(record, "tool_name", None)
    yield joined(
        row.project,
        _("session {id}", id=short_id(session)) if session else "",
        _("prompt {number}", number=prompt) if prompt else "",
    )
    yield joined(
        ages.full(row.created_at),
        ages.ago(row.created_at, now),
        session.agent if session else "",
    )
    # What a transcript counts at a tool use is only what had been streamed by then.
    tokens = _("{amount} tokens", amount=ages.tokens(row.tokens)) if row.tokens and not tool else ""
    source = _("from {source}", source=source_label(record.source)) if record.source else ""
    yield joined(f"{_(row.type)} {row.ref}", tool or "", tokens, source)


def _elsewhere(record: Record, machine: str) -> Iterator[str]:
    """On which other machine it was made, and whose files it names."""
    if machine:
        named = any(field.form == "files" for field, _ in filled_fields(record))
        yield joined(
            _("made on {machine}", machine=machine),
            _("its files are those there") if named else "",
        )


def _told(use: MemoryUse | None, now: int) -> Iterator[str]:
    """How agents were told it, and what they did with it."""
    if use is not None and (line := use.in_words(ages.ago(use.told_at or 0, now))):
        yield _("Agents: {use}", use=line)


def _merged(records: Sequence[MergedRecord]) -> Iterator[str]:
    """What was merged into it, and the sessions that it is from too."""
    if records:
        titles = dict.fromkeys(record.session_title or "" for record in records)
        named = [f"“{title}”" for title in titles if title]
        first, more = _(", ").join(named[:3]), len(named) - 3
        sessions = _("also from {sessions}", sessions=first) if named else ""
        if more > 0:
            sessions = _("also from {sessions} and {count} more", sessions=first, count=more)
        merged = _("{memories} merged into it", memories=count_noun(len(records), "memories"))
        yield joined(merged, sessions)


def _states(
    record: Record, row: ListRow, query: Query, read_only: bool, pointers: Pointers | None
) -> Iterator[str]:
    if pointers and pointers.is_superseded:
        yield _("⇥ Superseded by {fact}", fact=pointers.successor)
    if row.taken_back:
        yield _("⇥ Taken back: the user went on from before it.")
    if record.deleted_at is not None:
        key = "r" if "deleted" in query.flags else "d"
        deleted = _("✗ Deleted. {key} brings it back.", key=key)
        yield _("✗ Deleted.") if read_only else deleted
    if record.private:
        hidden = _("✗ Hidden as private: in no list, index or export.")
        yield hidden if read_only else " ".join((hidden, _("x shows it again.")))
    if row.pending:
        yield _("? Waits for your word, and no agent is told it: I reviews it.")
    if record.pinned:
        yield _("★ Pinned: offered first to a new session.")
    if row.stale:
        stale = _("≠ Files changed since: look before you rely on it.")
        yield stale if read_only else " ".join((stale, _("U says that it is still true.")))


def _broken(use: RuleUse | None) -> Iterator[str]:
    """How often a rule was said, told and broken."""
    if use is not None and use.turns:
        yield _(
            "‼ Said {said}×, told {told}× at a start, broken {broken}× after that.",
            said=use.said,
            told=use.told,
            broken=len(use.turns),
        )


def _reports(reports: Sequence[MemoryReport], now: int) -> Iterator[tuple[MemoryReport, str]]:
    """What agents and people reported of it, and why."""
    for report in reports:
        who = {"by": report.by, "age": ages.ago(report.at, now)}
        content = _("✓ Reported useful by {by}, {age}", **who)
        if report.verdict == "wrong":
            content = _("✗ Reported wrong by {by}, {age}", **who)
        yield (
            report,
            _("{report}: {reason}", report=content, reason=report.reason) if report.reason else content,
        )


def _body(record: Record, row: ListRow, query: Query, reading: ReadingMode) -> Iterator[list[Passage]]:
    changed = record.files_modified if isinstance(record, Observation) else ()
    path = changed[0] if len(changed) == 1 else ""
    for field, value in filled_fields(record):
        if field.name == "subtitle" and getattr(record, "title", None):
            yield [Passage(_highlighted(value, query, "italic"))]
        elif field.form == "text":
            is_title = field.name == "request" and value.strip() in row.title.split(" → ")
            if not is_title and (field.heading or value.strip() != row.title.strip()):
                yield document(value, query, reading, _(field.heading) or None, path=path)
        elif field.form == "items" and not field.is_further:
            yield [
                Passage(
                    _highlighted(item, query) if reading.raw else line(item[:LONGEST], query),
                    "" if number else _(field.heading),
                    BULLET,
                )
                for number, item in enumerate(value)
            ]
        elif field.form in ("items", "files"):
            yield _items(_(field.heading), value, query)
        elif field.form == "words":
            yield _line(_(field.heading), value, query)
        elif field.form == "uids":
            # By what it is called it is listed there; a uid tells nobody anything.
            content = _("{count}, listed with the fact at 4", count=f"{len(value):,}")
            yield _line(_(field.heading), [content], query)
        elif field.form == "kind":
            yield _line(_(field.heading), [_(SHOWN_KINDS.get(value, value))], query)
        elif field.form == "share":
            yield _line(_(field.heading), [f"{value:.0%}"], query)
            if taker := taker_of(record.extra):
                yield _line(_("Said by"), [_(taker)], query)
        elif field.heading and field.name not in ABOVE:
            yield _line(_(field.heading), [str(value)], query)


def _in_brief(
    record: Record, briefs: Sequence[Summary], query: Query, reading: ReadingMode
) -> Iterator[list[Passage]]:
    """The brief levels of a detailed summary, each as one text, without what only shortens what the
    summary says itself."""
    said = " ".join(" ".join(_texts(record)).split())
    for brief in briefs:
        texts = (
            text
            for text in _texts(brief)
            if not all(" ".join(part.split()).rstrip("….") in said for part in text.split("; "))
        )
        if text := "\n\n".join(texts):
            yield document(text, query, reading, _("In brief"))


def _texts(record: Record) -> list[str]:
    return [text for field, text in filled_fields(record) if field.form == "text"]


def _changed(files: Sequence[ChangedFile], now: int) -> list[Passage]:
    """Name the files that have changed since: what became of each, when, and in how many commits."""
    return [
        Passage(
            Content.assemble(
                plain(file.path),
                plain(
                    _(
                        "  {change} {age}, {commits}",
                        change=_(file.change),
                        age=ages.ago(file.changed_at, now),
                        commits=count_noun(file.commits, "commits"),
                    ),
                    DIM,
                ),
            ),
            "" if number else _("Changed"),
            STALE.content + " ",
        )
        for number, file in enumerate(files)
    ]


def _spaced(groups: Iterable[list[Passage]]) -> Iterator[Passage]:
    """One blank line before each text and after a long one, and before the first of the labelled."""
    labelled = False
    for group in filter(None, groups):
        first, *rest = group
        yield replace(first, space=0 if labelled and first.label is not None else 1)
        yield from rest
        labelled = first.label is not None and not any(passage.space for passage in rest)


def _items(label: str, items: Iterable[str], query: Query) -> list[Passage]:
    return [
        Passage(_highlighted(item, query), "" if number else label) for number, item in enumerate(items)
    ]


def _line(label: str, items: Iterable[str], query: Query) -> list[Passage]:
    return [Passage(_highlighted(text, query), label)] if (text := ", ".join(items)) else []


def _highlighted(text: str, query: Query, style: str = "") -> Content:
    return highlighted(highlight(text[:LONGEST], query), style)


def text_of(record: AnyRecord) -> str:
    """Return what a record of any kind says, fit to be pasted into a terminal."""
    if isinstance(record, Note | Session):
        return safe("\n\n".join(texts_of(record)), newlines=True)
    return as_text(record)


def as_text(record: Record) -> str:
    """Return what a record says, a paragraph for each part, fit to be pasted into a terminal."""
    return safe("\n\n".join(_paragraphs(record)), newlines=True)


def _paragraphs(record: Record) -> Iterator[str]:
    for field, value in filled_fields(record):
        if field.form == "items" and not field.is_further:
            yield "\n".join(f"- {item}" for item in value)
        elif field.says or (field.form in ("words", "files") and not isinstance(record, Fact)):
            label = f"{_(field.heading)}: " if field.heading else ""
            yield label + (", ".join(value) if field.is_list else value)


FILE_MARK = re.compile(r":[0-9a-f]{8}$")
"""By which the files of one program are told apart: part of a source's identity, and no name."""


def source_label(source: str, sources: Iterable[str] = ()) -> str:
    """Return what to call a source: without the mark of its file, unless another one of `sources` would
    be called the same."""
    label = FILE_MARK.sub("", source)
    is_shared = any(text != source and FILE_MARK.sub("", text) == label for text in sources)
    return source if is_shared else label
