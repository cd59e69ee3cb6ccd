"""A session that was compacted: the fold that says what its summary lacks, and the key that tells it."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.tui.lists.picker import PickScreen
from tests.tui.browser import NOW, opened, text
from tests.tui.patience import press
from tests.tui.sessions.screens import session, tab

HOUR = 3_600_000


@pytest.fixture
def compacted(empty: Path) -> Path:
    """A session of Claude Code that decided two things which its summary lacks, and went on."""
    with Store.open(empty) as store:
        row = store.sessions.start("c-1", agent="claude-code", project="atlas", at=NOW - 9 * HOUR)
        store.prompts.add(row, "where does sharing live?", at=NOW - 8 * HOUR)
        for number, title in enumerate(("Where does sharing live? → Both", "Which store? → Redis")):
            store.observations.add(row, title=title, type="decision", at=NOW - 7 * HOUR + number)
        store.summaries.add(row, text="1. Moved the refresh.", level="detailed", at=NOW - 6 * HOUR)
        store.prompts.add(row, "go on", at=NOW - HOUR)
    return empty


@pytest.mark.parametrize("size", [(160, 50), (120, 40), (80, 24)])
async def test_the_fold_says_what_its_summary_lacks(compacted: Path, size: tuple[int, int]) -> None:
    async with opened(compacted, size=size) as pilot:
        await press(pilot, "escape", "3", "enter", "n", "k")
        (line,) = (line for line in tab(pilot) if "Compacted" in line)
        assert "▸ Compacted: its summary lacks 2 things · c tells again" in line
        assert "What it lacks" not in "".join(tab(pilot))
        await press(pilot, "space")
        lines = tab(pilot)
        (said,) = (line for line in lines if "Moved the refresh" in line)
        # Beside each other where there is room, else one above the other.
        assert ("What it lacks" in said) is (size[0] != 120)
        assert any("decision Which store? → Redis" in line for line in lines)


async def test_c_tells_the_chosen_at_the_next_prompt_and_elsewhere_copies_all(compacted: Path) -> None:
    async with opened(compacted, size=(120, 40)) as pilot:
        await press(pilot, "escape", "3", "enter", "c")
        assert "Copied: the conversation" in str([*pilot.app._notifications][-1].message)
        await press(pilot, "n", "k", "c")
        assert isinstance(pilot.app.screen, PickScreen)
        await press(pilot, "down", "down", "enter")
        assert "1 thing told at this session's next prompt." in str([*pilot.app._notifications][-1].message)
    (file,) = Path(f"{compacted}-spool/starts").glob("c-1.chosen")
    assert "sharing live? → Both" in file.read_text().encode().decode("unicode_escape")


async def test_a_summary_that_lacks_nothing_says_so(compacted: Path) -> None:
    with Store.open(compacted) as store:
        for number in (1, 2):
            store.observations.delete(store.observations.get(number))
    async with opened(compacted, size=(120, 40)) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert "Compacted: its summary has what was decided before" in text(session(pilot).talk)
