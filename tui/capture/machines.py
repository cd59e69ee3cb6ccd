"""The machines that this memory is kept in step with, over the screen of capture."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from memtui.store import Store
from memtui.store.sync.background import sync_command
from memtui.store.sync.machines import Machines, PlaceStatus
from memtui.store.team.marks import team_place
from memtui.store.team.membership import PLACE
from memtui.store.team.reviewing import reviews
from memtui.store.text.plural import count_noun
from memtui.store.translation import N_, _

from ..keys.bindings import key
from ..list_and_detail import ListAndDetailScreen
from ..lists.paged_list import PagedList
from ..lists.provider import ListProvider
from ..parts.headings import Heading
from ..parts.hint import Hint
from ..parts.split import Split
from ..parts.text_view import TextView
from ..text.content import DIM, plain
from .hooking import NOT_HERE
from .machine_list import MachineList, machine_passages, review_passages

EMPTY = _(
    "This store is on this machine only. It can be kept in step with those of your other machines, by"
    " your own ssh or a folder that something else carries (git, Syncthing, a share); there is no "
    "server. Begin with one of these, then s here meets it:"
)
COMMANDS = {
    "mem sync add laptop ssh://me@laptop": _("a machine on which memtui is installed too"),
    "mem sync add shared git:~/memory": _("a git repository that both machines pull and push"),
    "mem sync add shared folder:~/Sync/memory": _("any folder that comes to both"),
}


class MachinesScreen(ListAndDetailScreen):
    """A line a machine, and beside it when it was met, what waits for it, and what it refused and why.
    Where there is no room, Enter opens that."""

    CSS_PATH = "machines.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("s", "sync", "Sync now", "Meet the machine now, in the background", "machines.sync"),
    ]

    place = N_("Machines")
    command = "sync status"
    has_rows = False

    heading = getters.query_one(Heading)
    machines = getters.query_one(MachineList)
    pane = getters.query_one(TextView)

    _shown: tuple[PlaceStatus, ...] = ()
    _conflicts = 0
    _reviews = 0
    """How many of teammates' memories wait for a word."""

    def __init__(self) -> None:
        super().__init__()
        self._outcomes: dict[str, str] = {}
        """What came of the last meeting of each machine, as long as this screen is open."""

    def body(self) -> ComposeResult:
        yield Heading()
        yield Hint(EMPTY, COMMANDS, id="empty")
        with Split("machines"):
            yield MachineList(self.browser.now)
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
        self._shown, self._conflicts, self._reviews = await self.browser.side.run(_found)
        self.set_class(not self._shown, "-none")
        await self.machines.set_provider(
            ListProvider(self._shown, self.machines.key), keep=self.machines.key
        )
        self._tell()

    def _tell(self) -> None:
        self.machines.repaint_rows()
        failed = sum(bool(status.trouble) for status in self._shown)
        content = count_noun(len(self._shown), "machines")
        if failed:
            content = _("{machines}, {failed} not met", machines=content, failed=failed)
        self.heading.left = Content.assemble(
            (_("machines · "), DIM),
            plain(content),
        )
        conflicts = _("{conflicts} · m compares them", conflicts=count_noun(self._conflicts, "conflicts"))
        self.heading.right = plain(conflicts, "bold $text-warning") if self._conflicts else Content()
        if (item := self.machines.item) is not None:
            outcome = self._outcomes.get(item.name, "")
            now = self.browser.now()
            passages = [*machine_passages(item, outcome, self.machines.syncing, now)]
            if item.name == PLACE:
                passages += review_passages(self._reviews)
            self.pane.show(passages, hold=True)
        self.refresh_bindings()


def _found(store: Store) -> tuple[tuple[PlaceStatus, ...], int, int]:
    team = team_place(store)
    places = (*Machines(store).status(), *([team] if team is not None else []))
    waiting = reviews(store) if team is not None else ()
    return places, len(store.merging.merges.conflicts()), len(waiting)


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
