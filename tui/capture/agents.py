"""The agents: one a line, whether it is here, whether our hooks are in it and what it told; and how one
stands, in a word and in passages to read. Times are ms since the epoch, UTC.

`Hooks` asks how agents stand, and hooks them up: nothing there is quick, so call it in a thread.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.cells import cell_len
from textual.content import Content

from memtui.store import Store, StoreError
from memtui.store.capture import settings
from memtui.store.capture.health import EventHistory
from memtui.store.install import (
    PART_WORDS,
    PARTS,
    AgentState,
    Change,
    Condition,
    Installed,
    Launcher,
    PartState,
    after_installing,
    install,
    other_memory,
    remedy,
    repository,
    states,
    uninstall,
)
from memtui.store.platform.translation import N_, _

from ..importing import store_to_name
from ..lists.paged_list import PagedList
from ..text.ages import age, ago, full
from ..text.capture import milliseconds
from ..text.content import DIM, GAP, Passage, in_column, plain
from ..text.glyphs import NOTHING, columns, sparkline
from ..text.paths import short, shortened
from ..text.records import Status

INSTALLED = Status("✓", _("installed"), "$text-success")
IN_PROJECT = Status("✓", _("this project"), "$text-success")
SILENT = Status("⚠", _("not heard"), "bold $text-warning")
ELSEWHERE = Status("⚠", _("other memory"), "bold $text-warning")
OUTDATED = Status("↻", _("outdated"), "bold $text-warning")
UNREADABLE = Status("✗", _("unreadable"), "bold $text-error")
ABSENT = Status("○", _("not installed"), DIM)

COLUMNS = {
    "name": (_("Agent"), 11),
    "found": (_("On disk"), 9),
    "stands": (_("Hooks"), 13),
    "last": (_("last").capitalize(), 6),
    "today": (_("Today"), 6),
    "week": (_("7 days"), 7),
    "slowest": (_("95th pct"), 8),
}
"""The head of each column and how wide it is; the days come after them."""
NUMBERS = ("last", "today", "week", "slowest")
LEAVING = ("slowest", "week", "found", "days", "today", "last")
"""What leaves, one after another, where there is no room for all."""
LEAST_DAYS, DAYS = 11, 30
NONE = "—"
HINTS = {
    ELSEWHERE: _("press i to fix"),
    OUTDATED: _("press i to fix"),
    UNREADABLE: _("press i to see why"),
    INSTALLED: "",
    IN_PROJECT: "",
}
UNKNOWN = EventHistory()


class AgentList(PagedList[AgentState]):
    """Columns leave where there is no room for them; what is amiss takes the place of the days."""

    has_heads = True

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=lambda state: state.agent)
        self._now = now
        self.silent: Mapping[str, int] = {}
        """The agents that ran and told nothing of it, and when that was, ms since the epoch."""
        self.others: Mapping[str, str] = {}
        """Which memory has an agent's events instead of this one."""
        self.histories: Mapping[str, EventHistory] = {}
        """The last days of each agent of which anything is known."""
        self.is_changeable = True
        """Whether hooks can be installed from here, which rows hint at."""

    def render_heads(self, width: int) -> Content:
        names, days = _columns(width)
        heads = [_cell(name, plain(COLUMNS[name][0])) for name in names]
        if days and any(any(history.by_day) for history in self.histories.values()):
            head = _("events a day, {days} days", days=days)
            heads.append(plain(head if cell_len(head) <= days else _("events/day")))
        return Content("  ") + GAP.join(heads)

    def render_row(self, item: AgentState, width: int, selected: bool) -> list[Content]:
        names, days = _columns(width)
        ran_at = self.silent.get(item.agent)
        history = self.histories.get(item.agent, UNKNOWN)
        status = agent_status(item, ran_at, self.others.get(item.agent, ""))
        is_here = item.found or status is not ABSENT
        usual = "" if is_here else DIM
        last = age(item.last_event_at, self._now(), self.as_dates) if item.last_event_at else NONE
        slowest = NONE if history.slowest is None else milliseconds(history.slowest)
        cells = {
            "name": plain(item.agent, "bold" if selected else usual),
            "found": plain(
                _("Found").lower() if item.found else _("not found"), usual if item.found else DIM
            ),
            "stands": plain(status.word, status.style),
            "last": Content.styled(last, DIM),
            "today": _number(item.events_today),
            "week": _number(history.week),
            "slowest": Content.styled(slowest, DIM),
        }
        line = Content.styled(f"{status.symbol} ", status.style)
        line += GAP.join(_cell(name, cells[name]) for name in names)
        hint = (
            HINTS.get(status, _("press i to install") if item.found else "") if self.is_changeable else ""
        )
        if status is SILENT:
            hint = ran(ran_at or 0, self._now())
        shown = Content.styled(hint, "$text-accent" if is_here else DIM)
        line_of_days = bars(history.by_day[-days:]) if days and any(history.by_day) else Content()
        if not hint:
            return [line + GAP + line_of_days]
        room = width - line.cell_length - len(GAP)
        if line_of_days and room >= days + len(GAP) + shown.cell_length:
            return [line + GAP + line_of_days + GAP + shown]
        if line_of_days and status is ABSENT:
            # That the footer tells, too.
            return [line + GAP + line_of_days]
        return [line + GAP + shown if room >= shown.cell_length else line]


def bars(by_day: Sequence[int]) -> Content:
    """Return how many events there were on each day, a bar a day."""
    return Content.assemble(
        *((bar, "$foreground 30%" if bar == NOTHING else "$primary") for bar in sparkline(by_day))
    )


SENTENCES = {
    INSTALLED: _("Our hooks are installed, for all projects."),
    IN_PROJECT: _("Our hooks are installed in the repository here, and nowhere else."),
    ELSEWHERE: _("Our hooks are installed, but for another store than this one."),
    OUTDATED: _("Our hooks are broken, incomplete or out of date: press i to reinstall them."),
    UNREADABLE: _("Its configuration can't be read: press i to see why; nothing is changed."),
}
CONDITIONS: dict[Condition, str] = {
    "yes": _("installed"),
    "no": _("not installed"),
    "outdated": _("outdated"),
    "unreadable": _("unreadable"),
}
PART_CONDITIONS: dict[str, str] = {
    "outdated": N_("{part} is out of date: press i to renew it: {files}"),
    "edited": N_("{part} was changed by you, and is left alone: {files}"),
    "foreign": N_("{part} is not ours, which was left out: {files}"),
    "unreadable": N_("{part} can't be read: {files}"),
}
HIGH = 4
"""Lines of the columns of the last days."""
BULLET = Content.styled("• ", DIM)
DIFF = {"+": "$text-success", "-": "$text-error"}
SECTION = "bold $text-accent"


def agent_status(state: AgentState, ran_at: int | None = None, other: str = "") -> Status:
    """Whether our hooks are in an agent, and where; `ran_at` is when it ran silent, if it did, and
    `other` the memory that has its events instead of this one."""
    if other and "yes" in (state.installed, state.in_project) and state.installed != "outdated":
        return ELSEWHERE
    if ran_at is not None and state.installed == "yes":
        return SILENT
    match state.installed, state.in_project:
        case "unreadable", _:
            return UNREADABLE
        case "outdated", _:
            return OUTDATED
        case "yes", _:
            return INSTALLED
        case "no", "yes":
            return IN_PROJECT
        case "no", "outdated":
            return OUTDATED
    return ABSENT


def ran(at: int, now: int) -> str:
    """`ran 2h ago`."""
    return _("ran {when}", when=ago(at, now)).rstrip()


def agent_passages(
    hooks: Hooks, state: AgentState, outcome: Outcome | None, question: Question, now: int
) -> Iterator[Passage]:
    """Yield all about one agent: what was just done or is asked, what is left to do, its paths."""
    ran_at = hooks.silent.get(state.agent)
    other = hooks.others.get(state.agent, "")
    status = agent_status(state, ran_at, other)
    yield Passage(Content.assemble((f"{status.symbol} ", status.style), plain(state.agent, "bold")))
    yield Passage(plain(_sentence(state, status), DIM))
    if state.fault:
        yield Passage(plain(f"{shortened(state.fault)}.", OUTDATED.style), space=1)
    if status is ELSEWHERE:
        yield Passage(plain(_("Its events go to {path}.", path=short(Path(other))), status.style), space=1)
        yield Passage(plain(_("Press i to send them to this store instead.")), mark=BULLET)
    if status is SILENT:
        words = _("It ran {when}, but our hooks reported nothing.", when=ago(ran_at or 0, now) or "?")
        yield Passage(plain(words, status.style), space=1)
        yield Passage(plain(remedy(state.agent)), mark=BULLET)
    if question:
        yield Passage(plain(question.words, "bold $text-warning"), space=1)
        yield from _difference(question.changes)
    if outcome is not None:
        style, mark = ("$text-error", "✗ ") if outcome.failed else ("$text-success", "✓ ")
        for number, line in enumerate(outcome.done):
            bold = Content.styled(mark, f"bold {style}")
            yield Passage(plain(line, style), mark=bold, space=0 if number else 1)
    yield from _advice(state, outcome)
    yield from _places(hooks, state)
    yield from _events(state, hooks.histories.get(state.agent, EventHistory()), now)


def _columns(width: int) -> tuple[list[str], int]:
    """The columns that there is room for, and how many days as bars behind them."""
    gone: set[str] = set()
    for leaving in (*LEAVING, ""):
        names = [name for name in COLUMNS if name not in gone]
        taken = 2 + sum(COLUMNS[name][1] + len(GAP) for name in names)
        room = width - taken
        if "days" in gone:
            if room + len(GAP) >= 0:
                break
        elif room >= LEAST_DAYS:
            return names, min(DAYS, room)
        gone.add(leaving)
    return names, 0


def _cell(name: str, content: Content) -> Content:
    return in_column(content, COLUMNS[name][1], is_number=name in NUMBERS)


def _number(count: int) -> Content:
    return Content.styled(f"{count:,}" if count else NONE, DIM)


def _events(state: AgentState, history: EventHistory, now: int) -> Iterator[Passage]:
    """Yield when the last event came, how many came lately, and a column for each of the last days."""
    yield Passage(Content.styled(_("Events"), SECTION), space=1)
    when = ago(state.last_event_at or 0, now)
    content = f"{full(state.last_event_at)} · {when}" if state.last_event_at and when else _("none yet")
    yield Passage(plain(content), _("last").capitalize())
    days = len(history.by_day)
    if stored := sum(history.by_day):
        words = _(
            "{today} today · {week} in 7 days · {stored} in {days} days",
            today=f"{state.events_today:,}",
            week=f"{history.week:,}",
            stored=f"{stored:,}",
            days=days,
        )
        yield Passage(plain(words), _("Stored"))
        for line in columns(history.by_day, HIGH):
            yield Passage(Content.styled(line, "$primary"), "")
        yield Passage(Content.styled("▔" * days, "$foreground 30%"), "")
    if history.slowest is not None:
        words = _("95% under {time}", time=milliseconds(history.slowest))
        yield Passage(plain(words), _("Hooks take"))


def _difference(changes: tuple[Change, ...]) -> Iterator[Passage]:
    """Yield which files would be written, and what they would be, as a diff without its heads."""
    if len(changes) > 1:
        for change in changes:
            yield Passage(plain(_written(change)), mark=BULLET)
    for change in changes:
        yield Passage(plain(_written(change), "bold"), space=1)
        for line in change.diff().splitlines()[2:]:
            style = DIFF.get(line[:1], DIM)
            words = line[1:].lstrip()
            # An indent is no word to be wrapped.
            indent = " " * min(len(line) - 1 - len(words), 16)
            yield Passage(plain(words, style), mark=Content.styled(line[:1] + indent, style))


def _written(change: Change) -> str:
    path = short(change.path)
    return _("{path}, new file", path=path) if change.before is None else _("{path}, changed", path=path)


def _part(part: PartState) -> str:
    """What is special about a part, and where it lies."""
    files = [short(path) for path, condition in part.by_file if condition == part.condition]
    words = _(PART_CONDITIONS[part.condition], part=_(PART_WORDS[part.part]), files=_(", ").join(files))
    return f"{words} ({shortened(part.fault)})" if part.fault else words


def _sentence(state: AgentState, status: Status) -> str:
    if status is SILENT:
        status = INSTALLED
    if status is not ABSENT:
        parts = SENTENCES[status], "" if state.found else _("The agent itself was not found.")
        return _("{sentence} {next}", sentence=parts[0], next=parts[1]).rstrip()
    if state.found:
        return _("Found here. Press i to install hooks that record its work in this store.")
    return _("Not found on this machine. Press i to install the hooks anyway.")


def _advice(state: AgentState, outcome: Outcome | None) -> Iterator[Passage]:
    if outcome is not None and (outcome.advice or outcome.failed):
        title, sentences = _("What is left for you to do"), outcome.advice
    else:
        title, sentences = (
            _("To know"),
            tuple(after_installing(state.agent, None, found=True, is_heard=bool(state.events_today))),
        )
    if sentences:
        yield Passage(Content.styled(title, SECTION), space=1)
    for sentence in sentences:
        yield Passage(plain(sentence), mark=BULLET)


def _places(hooks: Hooks, state: AgentState) -> Iterator[Passage]:
    yield Passage(Content.styled(_("Where it is"), SECTION), space=1)
    for number, path in enumerate(state.files):
        yield Passage(plain(short(path)), "" if number else _("Config"))
    yield Passage(plain(shortened(hooks.commands[state.agent])), _("Command"))
    if state.told_parts:
        yield Passage(plain(state.told_parts), _("Has"))
    for part in state.parts:
        if part.condition in PART_CONDITIONS:
            yield Passage(plain(_part(part)), "")
    # Hooks for all projects are this one's too.
    is_covered = state.installed == "yes" and state.in_project == "no"
    if hooks.project is not None and state.in_project is not None and not is_covered:
        words = _(
            "{condition} in {path}",
            condition=CONDITIONS[state.in_project],
            path=short(hooks.project),
        )
        yield Passage(plain(words), _("Project"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an agent's configuration, a line each, and what is left for the user to do."""

    done: tuple[str, ...]
    advice: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before configurations are changed, and the changes; false where nothing is."""

    words: str = ""
    changes: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words)


@dataclass(frozen=True, slots=True)
class Hooks:
    """All agents, and the command that hooks run; `project` is the repository we are in, if any.

    `silent` are those that ran and told nothing of it, and when that was, ms since the epoch;
    `others` which memory has an agent's events instead of this one; `histories` the last days of each
    agent of which anything is known.
    """

    states: tuple[AgentState, ...]
    project: Path | None
    commands: dict[str, str]
    silent: Mapping[str, int] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    histories: Mapping[str, EventHistory] = field(default_factory=dict)


def hooks(store: Store) -> Hooks:
    """Return how every agent stands, on this machine and in the repository here."""
    try:
        project = repository(Path.cwd())
    except (StoreError, OSError):
        project = None
    # Of an agent that isn't here there is nothing to do where nothing of it was tried.
    agent_states = tuple(
        state for state in states(store, project=project)
        if state.is_seen or (state.takes_hooks and state.is_tried)
    )  # fmt: skip
    database, launcher = store_to_name(store.path), Launcher.here()
    # The guard around it says nothing to a reader.
    commands = {
        state.agent: shlex.join(launcher.arguments(state.agent, database)) for state in agent_states
    }
    others = {agent_state.agent: other_memory(agent_state, store.path) for agent_state in agent_states}
    return Hooks(agent_states, project, commands, others=others)


def planned(state: AgentState, database: Path) -> tuple[Change, ...] | Outcome:
    """Return what installing our hooks and parts would change, which is nothing where they are as they
    should be; or why it can't be done."""
    try:
        result = install(state.agent, parts=PARTS, database=store_to_name(database), dry_run=True)
    except StoreError as error:
        return Outcome((str(error),), failed=True)
    return tuple(change for change in result.changes if change.changed)


def install_hooks(state: AgentState, database: Path) -> Outcome:
    """Install our hooks and parts into an agent, for all projects; what is there already stays."""
    try:
        result = install(state.agent, parts=PARTS, database=store_to_name(database))
    except StoreError as error:
        return Outcome((str(error),), failed=True)
    return _outcome(result, N_("Installed in {path}"), N_("As it should be: {path}"))


def remove_hooks(state: AgentState, project: Path | None) -> Outcome:
    """Remove our hooks and parts: those for all projects, and where there are none, the repository's."""
    try:
        result = uninstall(state.agent, project=project if state.installed == "no" else None)
    except StoreError as error:
        return Outcome((str(error),), failed=True)
    return _outcome(result, N_("Removed from {path}"), N_("Nothing of ours in {path}"))


def _outcome(result: Installed, changed: str, unchanged: str) -> Outcome:
    """Say of each file that it was changed, or was as it should be; and what else is to be known."""
    return Outcome(
        tuple(_(changed if it.changed else unchanged, path=short(it.path)) for it in result.changes),
        (*result.problems, *result.kept, *result.advice),
    )


def toggle_pause(database: Path) -> str:
    """Pause capture until it is resumed, or resume it; what was done, as a sentence."""
    if settings.resume(database):
        return _("Capture is on again.")
    settings.pause(database)
    return _("Paused: nothing that agents do is stored until you press P or run `mem resume`.")
