"""One session in brief: the upper part of its screen, and the pane beside the list; what it was about and
how it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.store import Family, Query, Session, SessionRow, Summary
from memtui.store.capture.conversation_entries import Entry
from memtui.store.capture.waiting import State
from memtui.store.platform.translation import _
from memtui.store.records.fields import filled_fields
from memtui.store.text.plural import count_noun
from memtui.store.text.times import duration

from ..parts.document_view import DocumentView
from ..parts.frame import Heading
from ..protocol import ReadingMode
from ..text.ages import day_and_clock
from ..text.content import DIM, Passage, apart, joined, plain
from ..text.glyphs import glyph
from ..text.markdown.blocks import document
from ..text.records import lasted, short_id, status
from .lists import MOST, SessionGlance, SessionView, use_mark

NONE = _("No summary yet. The agent's hook adds one when the agent stops; to add one yourself:")


class SessionHead(Vertical):
    """Shows what a `SessionView` tells."""

    DEFAULT_CSS = "SessionHead { height: 2; }"

    upper = getters.query_one("#upper", Heading)
    lower = getters.query_one("#lower", Heading)

    def compose(self) -> ComposeResult:
        yield Heading(id="upper")
        yield Heading(id="lower")

    def show(self, view: SessionView, now: int) -> None:
        """Show a session as it stands at `now`, ms since the epoch, UTC."""
        row = view.row
        self.upper.left, whose, stands = session_lines(row, now)
        self.upper.right = plain(whose)
        self.lower.left = plain(joined(stands, *chain(view.family, row)), DIM).pad_left(2)
        shown = _("newest {count} shown", count=f"{MOST:,}") if len(view.rows) == MOST else ""
        counts = count_noun(row.prompts, "prompts"), count_noun(row.observations, "observations")
        self.lower.right = plain(joined(*counts, shown), DIM)


def without_summary(session: Session) -> Entry:
    """Return what stands at the top of a conversation that has no summary: what makes one."""
    command = f'mem summary --session @{session.id} --learned "…" --completed "…"'
    text = f"{NONE}\n\n    {command}"
    return Entry("no summary", "summary", session.started_at, _("No summary yet"), "summary", text)


def chain(family: Family, row: SessionRow) -> Iterator[str]:
    """Yield from which session one goes on, and in which it does."""
    before, after = family.around(row.session.id)
    if before is not None:
        yield _("goes on from @{id} {agent}", id=before.session.id, agent=before.session.agent)
    if after:
        sessions = (f"@{follower.session.id} {follower.session.agent}" for follower in after)
        yield _("goes on in {sessions}", sessions=_(", ").join(sessions))


def family_line(family: Family) -> str:
    """Return how many sessions and sub-agents a family has, and its time and tokens."""
    subagents = sum(len(relative.subagents) for relative in family.members)
    usage = family.usage
    return joined(
        _("Family: {sessions}", sessions=count_noun(len(family.members), "sessions")),
        count_noun(subagents, "sub-agents") if subagents else "",
        duration(family.lasted),
        _("{input} tokens in, {output} out", input=f"{usage.input:,}", output=f"{usage.output:,}")
        if usage.output
        else "",
    )


def session_lines(row: SessionRow, now: int, state: State | None = None) -> tuple[Content, str, str]:
    """Return what a session is called, behind its symbol; whose it is; and how it stands at `now`, ms
    since the epoch, with its start and how long it lasted."""
    session, stands = row.session, status(row, now, state)
    symbol = Content.styled(f"{stands.symbol} ", stands.style)
    return (
        symbol + plain(row.title or _("untitled session"), "bold"),
        joined(
            session.project,
            session.agent,
            _("on {branch}", branch=session.branch) if session.branch else "",
            _("started by a program") if session.automatic else "",
            short_id(session),
            " ".join(f"#{tag}" for tag in session.tags),
        ),
        joined(_(stands.word), day_and_clock(session.started_at, now), lasted(row)),
    )


def said_by(summary: Summary, reading: ReadingMode, parts: Sequence[str] = ()) -> Iterator[Passage]:
    """Yield the passages of these parts of a summary, of all where none of these says anything."""
    texts = [(field, value.strip()) for field, value in filled_fields(summary) if field.form == "text"]
    texts = [(field, text) for field, text in texts if text]
    for field, text in [pair for pair in texts if pair[0].name in parts] or texts:
        yield from document(text, Query(), reading, _(field.heading))
    if not texts:
        yield Passage(Content.styled(_("It says nothing."), DIM))


BRIEF = ("request", "learned", "completed", "next_steps")
"""The parts that tell what a session came to; the rest is read on its screen."""
BETWEEN = Content("   ")
PROMPTS, FILES = 5, 8
"""How many are named."""


class SessionPreview(DocumentView):
    """Shows what a `SessionGlance` tells."""

    _session_id: int | None = None

    def show_session(self, view: SessionGlance, now: int, state: State | None = None) -> None:
        """Show a session as it stands at `now`, ms since the epoch, UTC; the same one stays scrolled."""
        is_same, self._session_id = self._session_id == view.row.session.id, view.row.session.id
        self.show_document(lambda reading: list(_passages(view, reading, now, state)), hold=is_same)

    def show_nothing(self) -> None:
        """Say that no session is selected."""
        self._session_id = None
        self.show_other([Passage(Content.styled(_("No session is selected."), DIM))])


@dataclass(frozen=True, slots=True)
class Flow:
    """Items side by side, none of them broken."""

    items: Sequence[Content]

    def wrap(self, width: int) -> list[Content]:
        """Return lines of at most `width` cells, but where an item is wider."""
        lines: list[Content] = []
        for item in self.items:
            if lines and lines[-1].cell_length + len(BETWEEN) + item.cell_length <= width:
                lines[-1] = lines[-1] + BETWEEN + item
            else:
                lines.append(item)
        return lines


def _passages(
    view: SessionGlance, reading: ReadingMode, now: int, state: State | None
) -> Iterator[Passage]:
    title, *lines = session_lines(view.row, now, state)
    yield Passage(title)
    for line in lines:
        yield Passage(plain(line, DIM))
    if not view.family.is_alone:
        yield Passage(plain(family_line(view.family), DIM))
    yield from apart(_types(view))
    # The one prompt of a session is listed below.
    parts = BRIEF[1:] if view.row.prompts == 1 else BRIEF
    said = list(said_by(view.summary, reading, parts)) if view.summary is not None else []
    yield from apart(said or [Passage(Content.styled(_("No summary yet."), DIM))])
    mark = glyph("prompt").content + " "
    prompts = [(mark, row.title or _("untitled")) for row in view.prompts]
    yield from apart(_listed(_("Asked"), prompts, view.row.prompts))
    files = [(use_mark(file_use), file_use.path) for file_use in view.files]
    yield from apart(_listed(_("Files"), files[:FILES], len(files)))


def _types(view: SessionGlance) -> Iterator[Passage]:
    """How many memories of each type there are, the most first."""
    if view.types:
        yield Passage(
            Flow(
                [
                    Content.assemble(glyph(type).content, " ", plain(f"{many:,} {_(type)}"))
                    for type, many in view.types
                ]
            )
        )


def _listed(label: str, items: Sequence[tuple[Content, str]], all: int) -> Iterator[Passage]:
    for number, (mark, text) in enumerate(items):
        yield Passage(plain(text), "" if number else label, mark)
    if all > len(items) > 0:
        yield Passage(plain(_("and {count} more", count=f"{all - len(items):,}"), DIM), "")
