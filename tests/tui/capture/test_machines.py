"""The machines that a memory is kept in step with, in the browser."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.leaves.sync.channel import Refusal
from memtui.store.leaves.sync.machines import Machines
from memtui.tui.leaves.sync.machines import MachineList, MachinesScreen
from memtui.tui.merge.panes import CandidateList, Comparison
from memtui.tui.merge.screen import MergeScreen
from memtui.tui.parts.frame import Heading
from memtui.tui.parts.text_view import TextView
from tests.store.sync.meeting import change_on_both, stores
from tests.tui.browser import app, opened, text
from tests.tui.editing.editors import toasts
from tests.tui.patience import idle, press


@pytest.fixture
def shared(demo: Path, tmp_path: Path) -> Path:
    """The demo, with a folder that was never met and a laptop that could not be."""
    folder = tmp_path / "shared"
    folder.mkdir()
    with Store.open(demo) as store:
        machines = Machines(store)
        machines.add("laptop", "ssh://me@laptop")
        machines.meet("01990000-laptop00", "laptop.local")
        machines.note_meeting("laptop", "01990000-laptop00", "ssh: no route to host.")
        refused = [Refusal("observations", "01990000-row", "its session is not known")]
        machines.note_refused("01990000-laptop00", refused)
        machines.add("shared", f"folder:{folder}", automatic=True)
    return demo


async def to_machines(pilot: Pilot[Any]) -> MachinesScreen:
    await press(pilot, "down", "5", "s")
    return cast(MachinesScreen, pilot.app.screen)


def rows(screen: MachinesScreen) -> list[str]:
    return [" ".join(line.split()) for line in text(screen.query_one(MachineList)).split("\n") if line][1:]


def said(screen: MachinesScreen) -> str:
    return " ".join(text(screen.query_one(TextView)).split())


async def test_each_machine_tells_how_it_stands_and_why(shared: Path) -> None:
    async with opened(shared, size=(140, 40)) as pilot:
        screen = await to_machines(pilot)
        laptop, folder = rows(screen)
        assert laptop.startswith("▌✗ laptop not met never") and laptop.endswith("ssh://me@laptop")
        assert folder.startswith("○ shared never met never all folder:")
        assert "ssh: no route to host." in said(screen)
        assert "observations 01990000-row: its session is not known" in said(screen)
        await press(pilot, "j")
        assert "By itself after captures, and while this browser is open" in said(screen)


async def test_what_is_held_here_and_what_came_last_is_told_of_each(shared: Path) -> None:
    with Store.open(shared) as store:
        laptop = store.observations.add("c-9", title="Made on the laptop")
        with store.transaction():
            store.db.execute("UPDATE observations SET origin = 'laptop' WHERE id = ?", (laptop.id,))
        Machines(store).exclude("project:secret")
    async with opened(shared, size=(140, 40)) as pilot:
        told = said(await to_machines(pilot))
        assert "Stays here what is hidden · project:secret" in told
        assert "observations" in told.split("Held here")[1].split("Stays here")[0]
        came, made = told.split("Came last")[1].split("Made here")
        assert "Made on the laptop" in came and "Made on the laptop" not in made


async def test_s_meets_a_machine_in_the_background_and_tells_what_came_of_it(
    shared: Path, tmp_path: Path
) -> None:
    async with opened(shared, size=(140, 40)) as pilot:
        screen = await to_machines(pilot)
        await press(pilot, "j", "s")
        assert "Synced with shared:" in toasts(pilot)[-1]
        assert rows(screen)[1].startswith("▌✓ shared in step")
        assert "given" in said(screen)
    assert [*(tmp_path / "shared").glob("*/*.jsonl.gz")]


async def test_a_memory_that_can_only_be_read_meets_nobody(shared: Path) -> None:
    async with opened(shared, read_only=True) as pilot:
        await to_machines(pilot)
        await press(pilot, "s")
        assert "can only be read here" in toasts(pilot)[-1]


async def test_without_machines_it_says_how_to_begin(demo: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_machines(pilot)
        hint = " ".join(text(screen.query_one("#empty")).split())
        assert "mem sync add laptop ssh://me@laptop" in hint
        await press(pilot, "escape")
        assert app(pilot).screen is not screen


async def test_conflicts_are_one_key_away(tmp_path: Path) -> None:
    one, other = stores(tmp_path, "one", "other")
    with one, other:
        change_on_both(one, other)
        Machines(one).add("other", "ssh://other")
        path = one.path
    async with opened(path, size=(140, 40)) as pilot:
        screen = await to_machines(pilot)
        assert "1 conflict · m compares them" in text(screen.query_one(Heading))
        await press(pilot, "m")
        merge = cast(MergeScreen, pilot.app.screen)
        await idle(pilot)
        assert "changed on two machines" in text(merge.query_one(CandidateList))
        assert "twice, and then a pause" in text(merge.query_one(Comparison))
