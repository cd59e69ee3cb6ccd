"""The machines that this memory is kept in step with: their list and its screen, over that of capture."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.store import ListRow, Stats, Store
from memtui.store.leaves.sync.machines import Machines, PlaceStatus, sync_command
from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun, count_nouns

from ...capture.hooking import NOT_HERE
from ...keys.bindings import key
from ...lists.columns import Column, ColumnList
from ...lists.paged_list import PagedList
from ...lists.provider import ListProvider
from ...parts.frame import Heading
from ...parts.split import Split
from ...parts.text_view import Hint, TextView
from ...screen import ListAndDetailScreen
from ...text.ages import age, ago, full
from ...text.content import DIM, Passage, joined, plain
from ...text.glyphs import badge
from ...text.records import Status

IN_STEP = Status("✓", _("in step"), "$text-success")
WAITING = Status("○", _("waiting"), "")
NEVER = Status("○", _("never met"), DIM)
SYNCING = Status("◐", _("syncing"), "$text-accent")
FAILED = Status("✗", _("not met"), "bold $text-error")
REFUSED = Status("⚠", _("refused"), "bold $text-warning")
DIRECTIONS = {"both": _("both ways"), "read": _("only from there"), "write": _("only there")}
MOST_REFUSED = 20
NEWEST = 12
"""So many memories from elsewhere are listed, and from here."""
TRAVELLING = ("sessions", "prompts", "observations", "summaries", "facts", "notes")


def place_status(status: PlaceStatus, syncing: Collection[str] = ()) -> Status:
    """Return how it stands with a machine in a word; `syncing` are those that are met just now."""
    if status.name in syncing:
        return SYNCING
    if status.trouble:
        return FAILED
    if status.met_at is None:
        return NEVER
    if status.refused:
        return REFUSED
    return WAITING if status.waiting else IN_STEP


class MachineList(ColumnList["PlaceStatus"]):
    """The machines and folders that were added."""

    lead = 2

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=lambda status: status.name)
        self.syncing: set[str] = set()
        """The names of those that are met just now."""

        def stands(item: PlaceStatus, _selected: bool) -> Content:
            status = place_status(item, self.syncing)
            return plain(status.word, status.style)

        def met(item: PlaceStatus, _selected: bool) -> Content:
            return plain(age(item.met_at, now()) if item.met_at else _("never"), DIM)

        def waits(item: PlaceStatus, _selected: bool) -> Content:
            number = f"{item.waiting:,}" if item.waiting else "—"
            return plain(_("all") if item.waiting is None else number, DIM)

        self.columns = (
            Column(_("Machine"), lambda item, selected: plain(item.name, "bold" if selected else ""), 14),
            Column(_("State"), stands, 9),
            Column(_("Last met"), met, 8, is_number=True),
            Column(_("Waits"), waits, 7, is_number=True),
            Column(_("Address"), lambda item, _selected: plain(item.address, DIM)),
        )

    def sign(self, item: PlaceStatus) -> Content:
        status = place_status(item, self.syncing)
        return Content.styled(f"{status.symbol} ", status.style)


def machine_passages(
    status: PlaceStatus, outcome: str, syncing: Collection[str], now: int
) -> Iterator[Passage]:
    """Yield all about one machine: how it stands, what came of the last meeting, what was refused."""
    stands = place_status(status, syncing)
    yield Passage(Content.assemble((f"{stands.symbol} ", stands.style), plain(status.name, "bold")))
    yield Passage(plain(status.address, DIM))
    if status.trouble and status.name not in syncing:
        yield Passage(plain(status.trouble, FAILED.style), space=1)
    if outcome:
        yield Passage(plain(outcome), space=1)
    met = joined(ago(status.met_at, now), full(status.met_at)) if status.met_at else _("never")
    yield Passage(plain(met), _("Last met"), space=1)
    yield Passage(plain(_waiting(status)), _("Waits"))
    yield Passage(plain(DIRECTIONS[status.direction]), _("Rows go"))
    by_itself = _("after captures, and while this browser is open") if status.is_automatic else _("no")
    yield Passage(plain(by_itself), _("By itself"))
    yield Passage(plain(f"{len(status.refused):,}" if status.refused else _("nothing")), _("Refused"))
    for item in status.refused[:MOST_REFUSED]:
        yield Passage(plain(f"{item.name}: {item.reason}", REFUSED.style), "")


def travel_passages(stats: Stats, exclusions: Collection[str]) -> Iterator[Passage]:
    """Yield what is held here, and what of it goes to no other machine."""
    counts = {name: int(getattr(stats, name)) for name in TRAVELLING}
    yield Passage(plain(count_nouns(counts) or _("nothing")), _("Held here"), space=1)
    yield Passage(plain(joined(_("what is hidden"), *exclusions)), _("Stays here"))


def newest_passages(rows: Collection[ListRow], label: str, now: int) -> Iterator[Passage]:
    """Yield the newest memories of some machines."""
    for number, row in enumerate(rows):
        content = Content.assemble(badge(row.type, with_word=False), " ", plain(row.title))
        content += plain(f"  {age(row.created_at, now)}", DIM)
        yield Passage(content, "" if number else label, space=int(not number))


def review_passages(waiting: int) -> Iterator[Passage]:
    """Yield how many of teammates' facts and decisions wait for a word."""
    if waiting:
        words = _("{memories} of teammates · I reviews them", memories=count_noun(waiting, "memories"))
        yield Passage(plain(words), _("To review"))


def _waiting(status: PlaceStatus) -> str:
    if status.waiting is None:
        return _("all that travels: it was never met")
    return (
        _("{rows} to send next", rows=count_noun(status.waiting, "rows"))
        if status.waiting
        else _("nothing")
    )


EMPTY = _(
    "This store is on this machine only. It can be kept in step with those of your other machines, by"
    " your own ssh or a folder that something else carries (git, Syncthing, a share); there is no "
    "server. Begin with one of these, then s here meets it:"
)
ANOTHER = _("Another machine or folder is added by:")
COMMANDS = {
    "mem sync add laptop ssh://me@laptop": _("a machine on which memtui is installed too"),
    "mem sync add shared git:~/memory": _("a git repository that both machines pull and push"),
    "mem sync add shared folder:~/Sync/memory": _("any folder that comes to both"),
}


class MachinesView(NamedTuple):
    """The machines, how many texts had changed on two of them, what is held here, the queries of what stays
    here, and the newest memories from elsewhere and from here."""

    places: tuple[PlaceStatus, ...] = ()
    conflicts: int = 0
    stats: Stats | None = None
    exclusions: tuple[str, ...] = ()
    came: tuple[ListRow, ...] = ()
    made: tuple[ListRow, ...] = ()


class MachinesScreen(ListAndDetailScreen):
    """A line a machine, and beside it when it was met, what waits for it, and what it refused and why.
    Where there is no room, Enter opens that."""

    CSS_PATH = "machines.tcss"
    BINDINGS = [
        key("s", "sync", "Sync now", "Meet the machine now, in the background", "machines.sync"),
    ]

    place = N_("Machines")
    command = "sync status"
    has_rows = False

    heading = getters.query_one(Heading)
    machines = getters.query_one(MachineList)
    pane = getters.query_one(TextView)

    _found = MachinesView()

    def __init__(self) -> None:
        super().__init__()
        self._outcomes: dict[str, str] = {}
        """What came of the last meeting of each machine, as long as this screen is open."""

    def body(self) -> ComposeResult:
        yield Heading()
        yield Hint(EMPTY, COMMANDS, id="empty")
        with Split("machines"):
            with Vertical():
                yield MachineList(self.browser.now)
                yield Hint(ANOTHER, COMMANDS, id="more")
            yield TextView()

    def on_mount(self) -> None:
        self.machines.name_items(_("Machines"))
        self.pane.entitle(_("Machine"))
        self.machines.focus()
        self._load()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self._load()

    def store_changed(self) -> None:
        self._load()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "sync":
            item = self.machines.item if self.is_mounted else None
            return item is not None and item.name not in self.machines.syncing
        return super().check_action(action, parameters)

    @work(group="sync")
    async def action_sync(self) -> None:
        """Meet the selected machine now."""
        if (item := self.machines.item) is None:
            return
        if self.browser.is_demo or self.browser.read_only:
            self.notify(NOT_HERE[self.browser.is_demo], severity="warning", markup=False)
            return
        self.machines.syncing.add(item.name)
        self._outcomes.pop(item.name, None)
        self._tell()
        try:
            outcome = await sync_now(self.browser.path, item.name)
        finally:
            self.machines.syncing.discard(item.name)
        self._outcomes[item.name] = outcome
        self.notify(outcome, markup=False)
        self.browser.look()
        self._load()

    @on(PagedList.Highlighted)
    def _look(self) -> None:
        self._tell()

    @on(PagedList.Selected)
    def _open(self) -> None:
        self.open_detail()

    @work(exclusive=True, group="machines")
    async def _load(self) -> None:
        self._found = await self.browser.side.run(_find)
        self.set_class(not self._found.places, "-none")
        await self.machines.set_provider(
            ListProvider(self._found.places, self.machines.key), keep=self.machines.key
        )
        self._tell()

    def _tell(self) -> None:
        self.machines.repaint_rows()
        found = self._found
        failed = sum(bool(status.trouble) for status in found.places)
        content = count_noun(len(found.places), "machines")
        if failed:
            content = _("{machines}, {failed} not met", machines=content, failed=failed)
        self.heading.left = Content.assemble(
            (_("machines · "), DIM),
            plain(content),
        )
        conflicts = _("{conflicts} · m compares them", conflicts=count_noun(found.conflicts, "conflicts"))
        self.heading.right = plain(conflicts, "bold $text-warning") if found.conflicts else Content()
        if (item := self.machines.item) is not None:
            outcome = self._outcomes.get(item.name, "")
            now = self.browser.now()
            passages = [*machine_passages(item, outcome, self.machines.syncing, now)]
            passages += review_passages(item.to_review)
            if found.stats is not None:
                passages += travel_passages(found.stats, found.exclusions)
            passages += newest_passages(found.came, _("Came last"), now)
            passages += newest_passages(found.made, _("Made here"), now)
            self.pane.show(passages, hold=True)
        self.refresh_bindings()


def _find(store: Store) -> MachinesView:
    machines = Machines(store)
    return MachinesView(
        tuple(machines.status()),
        len(store.merging.merges.conflicts()),
        store.stats(),
        tuple(machines.exclusions()),
        tuple(store.find("-machine:here").rows(0, NEWEST)),
        tuple(store.find("machine:here").rows(0, NEWEST)),
    )


async def sync_now(path: Path, name: str) -> str:
    """Meet a machine from the memory at `path`, and tell in a sentence or two what came of it."""
    process = await asyncio.create_subprocess_exec(
        *sync_command(path, name),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        # Away from the terminal, where ssh would ask for a passphrase.
        start_new_session=True,
    )
    # Where the browser is left meanwhile, it goes on to its end.
    out, errors = await process.communicate()
    try:
        return told(json.loads(out)[0])
    except (ValueError, LookupError):
        return errors.decode(errors="replace").strip() or _("{name} could not be met.", name=name)


def told(meeting: dict[str, Any]) -> str:
    """Return what came of a meeting, as `mem sync --json` has it, in a sentence or two."""
    name = meeting["place"]
    if "trouble" in meeting:
        return f"{name}: {meeting['trouble']}"
    given, taken = (meeting[way].get("stored", 0) for way in ("given", "taken"))
    parts = [
        _(
            "Synced with {name}: {given} given, {taken} taken.",
            name=name,
            given=f"{given:,}",
            taken=f"{taken:,}",
        )
    ]
    if not given and not taken:
        parts = [_("Synced with {name}: nothing was new.", name=name)]
    if refused := meeting["refused"]:
        parts.append(_("{rows} refused.", rows=count_noun(len(refused), "rows")))
    if conflicts := meeting["conflicts"]:
        parts.append(
            _(
                "{texts} had changed on both sides: m compares them.",
                texts=count_noun(conflicts, "texts"),
            )
        )
    return " ".join((*parts, *meeting["notes"][:2]))
