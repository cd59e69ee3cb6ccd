"""Sessions, one a line under their days, and the files of a session, one a line; and all that is shown of
one session, asked of the store in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

from rich.cells import cell_len
from textual.content import Content

from memtui.store import Family, ListRow, Observation, SessionRow, Store, Summary
from memtui.store.capture.conversation import conversation
from memtui.store.capture.conversation_entries import Conversation
from memtui.store.capture.waiting import State
from memtui.store.platform.translation import _
from memtui.store.records.fields import files_of
from memtui.store.search.listing.timeline import STEP, nested
from memtui.store.text.plural import count_noun
from memtui.store.text.times import duration

from ..lists.grouped import HeadedList
from ..lists.paged_list import PagedList
from ..text.ages import clock
from ..text.content import DIM, GAP, fit, fit_title, in_column, plain, right_aligned
from ..text.records import FAILED, LIVE, lasted, short_id, status
from .days import DayLine, FamilyLine, Row, SessionProvider, day_name, key_of
from .flow import FOLDED, UNFOLDED

MOST = 2_000
"""A session's newest memories that are shown; few sessions have a tenth of it."""


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session, its rows in time order, and its conversation as far as memories tell it."""

    row: SessionRow
    rows: list[ListRow]
    conversation: Conversation
    family: Family


def session_view(store: Store, session_id: int) -> SessionView:
    """Return a session by its number. Raises NotFoundError."""
    session = store.sessions.get(session_id)
    return SessionView(
        store.sessions.row(session),
        rows_of(store, session_id),
        conversation(store, session, with_transcript=False),
        store.sessions.family(session),
    )


def files_of_session(store: Store, session_id: int) -> list[FileUse]:
    """Return the files that a session's memories name, as `file_uses` has them."""
    return file_uses(store.observations.of_session(session_id))


def rows_of(store: Store, session_id: int) -> list[ListRow]:
    """Return a session's rows in time order, what its sub-agents did below the calls that started them."""
    rows = store.find(f"session:@{session_id}").rows(0, MOST)[::-1]
    steps = store.observations.steps_below(session_id)
    if not steps:
        return rows

    def number(row: ListRow) -> int | None:
        return row.record_id if row.kind == "observation" else None

    return [
        replace(row, title=f"{STEP}{row.title}") if number(row) in steps else row
        for row in nested(rows, number, steps)
    ]


GLANCE = 300
"""A session's newest observations whose files are named beside the list."""


@dataclass(frozen=True, slots=True)
class SessionGlance:
    """What the pane beside the list tells of a session: its newest summary, at the brief level where there
    is one, its first prompts, how many memories there are of each type, most first, its files, and its
    family."""

    row: SessionRow
    summary: Summary | None
    prompts: list[ListRow]
    types: list[tuple[str, int]]
    files: list[FileUse]
    family: Family


def session_glance(store: Store, session_id: int, prompts: int) -> SessionGlance:
    """Return a glance at a session by its number, with so many prompts, however large the session is.
    Raises NotFoundError."""
    row = store.sessions.row(session_id)
    query = f"session:@{session_id}"
    asked = store.find(f"{query} kind:prompt").rows(max(0, row.prompts - prompts), prompts)
    newest = store.find(f"{query} kind:observation").rows(0, GLANCE)
    summary = None
    for list_row in store.find(f"{query} kind:summary").rows(0, 1):
        detailed = store.summaries.get(list_row.record_id)
        summary = (*store.summaries.brief_levels(detailed), detailed)[0]
    return SessionGlance(
        row,
        summary,
        asked[::-1],
        store.find(query).facets().counts["type"],
        file_uses(store.observations.by_ids(item.record_id for item in newest)),
        store.sessions.family(session_id),
    )


@dataclass(frozen=True, slots=True)
class FileUse:
    """A path, in how many observations it was modified and read, and the refs of these."""

    path: str
    modified: int
    read: int
    refs: tuple[str, ...] = ()


def file_uses(observations: Iterable[Observation]) -> list[FileUse]:
    """Return every file of some observations, the most modified first, then the most read."""
    modified: Counter[str] = Counter()
    read: Counter[str] = Counter()
    refs: dict[str, list[str]] = {}
    for observation in observations:
        changed, looked_at = files_of(observation)
        modified.update(changed)
        read.update(looked_at)
        for path in {*changed, *looked_at}:
            refs.setdefault(path, []).append(str(observation.id))
    uses = [FileUse(path, modified[path], read[path], tuple(refs[path])) for path in modified | read]
    return sorted(uses, key=lambda use: (-use.modified, -use.read, use.path))


LEAST, TITLE, BESIDE = 26, 60, 34
"""Cells that a title has before other columns have any: `TITLE`, of few `LEAST`, so that `BESIDE` others
have room."""
LONGEST = 24 * 3_600_000 - 1
"""ms: the time with the longest words; whole days have fewer."""
WIDTHS = {
    "started": 5,
    "lasted": max(6, plain(duration(LONGEST)).cell_length),
    "project": 14,
    "observations": 4,
    "agent": 11,
    "prompts": 7,
    "summary": 22,
    "id": 8,
}
"""The cells of each column, the most telling first; the title has what is left."""
HEADS = {
    "title": _("Session"),
    "project": _("Project"),
    "started": _("Began"),
    "lasted": _("Lasted"),
    "agent": _("Agent"),
    "prompts": _("Prompts"),
    "observations": _("Obs."),
    "summary": _("What came of it"),
    "id": _("Id"),
}
"""The names of the columns, in the order of a row."""
MOST_SIGNS = 3
"""Tags that stand before a title; all of them stand beside the list."""
RIGHT = {"lasted", "prompts", "observations"}


class SessionList(HeadedList[Row]):
    """Columns leave, the least telling first, where there is no room for them."""

    may_have_marks = True
    has_heads = True

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=_key)
        self._now = now
        self.unfolded: set[int] = set()
        """The ids of the sessions below which their families are shown."""
        self.states: Mapping[int, State] = {}
        """Which sessions are at work and which wait for their user, by their ids."""
        self.one_project = False
        """Whether all are of one project, which then needs no column."""

    @property
    def session(self) -> SessionRow | None:
        """The session under the cursor, or of the sub-agent there; None when there is none or its page
        isn't loaded."""
        return session_of(self.item)

    @property
    def foldable(self) -> int | None:
        """The id of the session whose family can be unfolded, or folded again; None for none."""
        item = self.item
        if isinstance(item, FamilyLine):
            return item.head
        if isinstance(item, SessionRow) and (item.subagents or self._relatives(item)):
            return item.session.id
        return None

    def _relatives(self, row: SessionRow) -> int:
        """How many other sessions the family has of which this is the newest."""
        provider = self._pages.provider
        families = provider.families if isinstance(provider, SessionProvider) else {}
        return families.get(row.session.id, 1) - 1

    @property
    def how_many(self) -> int:
        provider = self._pages.provider
        return provider.sessions if isinstance(provider, SessionProvider) else 0

    def ref_of(self, item: Row) -> str | None:
        if isinstance(item, FamilyLine) and item.subagent is not None:
            return None
        return f"@{row.session.id}" if (row := session_of(item)) is not None else None

    def arrival_of(self, item: Row) -> str | None:
        return f"@{item.session.id}" if isinstance(item, SessionRow) else None

    def title_of(self, item: Row) -> str:
        return item.title or "" if isinstance(item, SessionRow) else ""

    async def not_before(self, at: int) -> int:
        """Return the index of the first session that began before a moment (ms)."""
        provider = self._pages.provider
        return await provider.not_before(at) if isinstance(provider, SessionProvider) else 0

    def is_item_at(self, index: int) -> bool:
        provider = self._pages.provider
        return isinstance(provider, SessionProvider) and provider.is_session(index)

    def render_row(self, item: Row, width: int, selected: bool) -> list[Content]:
        if isinstance(item, DayLine):
            return [day_line(item, width, self._now())]
        if isinstance(item, FamilyLine):
            return [self._below(item, width, selected)]
        return [self._line(item, width, selected)]

    def _below(self, line: FamilyLine, width: int, selected: bool) -> Content:
        """A session below the newest of its family, or a sub-agent."""
        lead = Content(f"{'  ' * line.depth}{STEP}")
        if (subagent := line.subagent) is None:
            return self._line(line.row, width, selected, lead)
        title = plain(subagent.title or subagent.id, "bold" if selected else "")
        cells = dict.fromkeys(HEADS, Content()) | {
            "title": lead + title,
            "agent": plain(_("sub-agent"), DIM),
            "observations": _right("observations", f"{subagent.observations:,}"),
        }
        return "  " + self._joined(cells, width)

    def _sign(self, item: SessionRow) -> Content:
        """What stands before the title of a session that can be unfolded: whether it is, and how much is
        below."""
        if not (below := self._relatives(item) + item.subagents):
            return Content()
        sign = UNFOLDED if item.session.id in self.unfolded else FOLDED
        return Content.styled(f"{sign}{below:,} ", "$text-accent")

    def _line(self, item: SessionRow, width: int, selected: bool, lead: Content | None = None) -> Content:
        now, session = self._now(), item.session
        state = self.states.get(session.id)
        stands = status(item, now, state)
        is_told = bool(state) or stands in (LIVE, FAILED)
        content = (_(stands.word), stands.style) if is_told else (lasted(item), DIM)
        title = plain(
            item.title or _("untitled {id}", id=short_id(session)),
            "bold" if selected else DIM if session.automatic else "",
        )
        if signs := [*(["★"] if session.pinned else ()), *(f"#{tag}" for tag in session.tags)]:
            title = plain(" ".join((*signs[:MOST_SIGNS], "")), "$text-accent") + title
        if session.title and session.continues and session.first_prompt:
            # A fork is called as what it goes on from.
            title += plain(f" › {session.first_prompt}", DIM)
        cells = {
            "title": (self._sign(item) if lead is None else lead) + title,
            "project": plain(session.project or _("no project")),
            "started": Content.styled(clock(session.started_at), DIM),
            "lasted": _right("lasted", *content),
            "agent": plain(session.agent, DIM),
            "prompts": _right("prompts", f"{item.prompts:,}" if item.prompts else "—"),
            "observations": _right("observations", f"{item.observations:,}" if item.observations else "—"),
            "summary": plain(item.summary_line or "—", DIM),
            "id": plain(short_id(session), DIM),
        }
        return Content.styled(f"{stands.symbol} ", stands.style) + self._joined(cells, width)

    def _joined(self, cells: Mapping[str, Content], width: int) -> Content:
        widths = self._columns(width)
        return GAP.join(
            fit_title(cells[part], room, shared=self.shared) if part == "title" else fit(cells[part], room)
            for part, room in widths.items()
        )

    def render_heads(self, width: int) -> Content:
        heads = (
            in_column(plain(HEADS[part]), room, is_number=part in RIGHT)
            for part, room in self._columns(width).items()
        )
        return "  " + GAP.join(heads)

    def _columns(self, width: int) -> dict[str, int]:
        return columns(width - 2, without={"project"} if self.one_project else set())


def session_of(row: Row | None) -> SessionRow | None:
    """Return the session that a row is, or is of; None for the line of a day."""
    return row.row if isinstance(row, FamilyLine) else row if isinstance(row, SessionRow) else None


def day_line(item: DayLine, width: int, now: int) -> Content:
    """Return the line above a day's sessions: the day, a rule, and how many there are if several."""
    many = plain(f" {count_noun(item.sessions, 'sessions')}" if item.sessions > 1 else "", DIM)
    name = plain(f"{day_name(item.at, now)} ", "bold")
    rule = "─" * max(0, width - name.cell_length - many.cell_length)
    return Content.assemble(name, (rule, "$foreground 25%"), many)


def columns(width: int, without: set[str]) -> dict[str, int]:
    """Return the columns that fit into `width` cells, with the cells of each, but those in `without`."""
    title = max(LEAST, min(TITLE, width - BESIDE))
    room = width - title
    chosen = {}
    for column, cells in WIDTHS.items():
        if column in without:
            continue
        if room < cells + len(GAP):
            break
        chosen[column] = cells
        room -= cells + len(GAP)
    if "summary" in chosen:
        chosen["summary"] += max(0, room) // 2
        room -= max(0, room) // 2
    chosen["title"] = title + room
    return {column: chosen[column] for column in HEADS if column in chosen}


class FileList(PagedList[FileUse]):
    """The most modified first."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(key=lambda use: use.path, id=id)

    def render_row(self, item: FileUse, width: int, selected: bool) -> list[Content]:
        uses = ((item.modified, _("modified")), (item.read, _("read")))
        counts = "  ".join(
            f"{many:>3} {done}" if many else " " * (4 + cell_len(done)) for many, done in uses
        )
        room = width - 3 - cell_len(counts)
        path = fit_title(plain(item.path, "bold" if selected else ""), room)
        return [Content.assemble(use_mark(item), path, " ", (counts, DIM))]


def use_mark(use: FileUse) -> Content:
    """Return the sign of a file that was modified, or of one that was only read."""
    return Content.styled("✎ ", "$text-warning") if use.modified else Content.styled("○ ", DIM)


def _key(row: Row) -> Hashable:
    if isinstance(row, FamilyLine):
        return key_of(row)
    return row.session.id if isinstance(row, SessionRow) else row


def _right(column: str, text: str, style: str = DIM) -> Content:
    return right_aligned(Content(text), WIDTHS[column]).stylize(style)
