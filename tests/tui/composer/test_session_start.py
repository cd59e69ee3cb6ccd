"""What the composer shows is what `mem context` prints, and what an agent's hook gives once it is saved."""

import json
import re
from pathlib import Path
from typing import cast

import pytest

from memtui.store import Store
from memtui.tui.composer.screen import ComposerScreen
from tests.store.capture.hooks import Machine, Start, session_start
from tests.store.cli.runner import Mem
from tests.tui.browser import opened
from tests.tui.composer.contexts import fill_context
from tests.tui.patience import press

CHOICES = (
    (),
    ("space",),
    ("b", "j", "K", "G", "K", "K", "minus", "minus"),
    ("j", "j", "j", "space", *["minus"] * 12),
    ("plus", "G", "space", "k", "b", "K"),
)


def without_word(text: str) -> str:
    """A context without the random word in its tag."""
    assert re.match(r'<memtui-context id="[0-9a-f]{8}">\n', text)
    return text.partition("\n")[2]


async def saved(path: Path, *keys: str) -> str:
    """The text that the composer shows after these keys, which are saved."""
    async with opened(path) as pilot:
        await press(pilot, "down", "6", *keys, "s")
        shown = cast(ComposerScreen, pilot.app.screen).shown
        assert shown is not None
        return shown.text


@pytest.mark.parametrize("keys", CHOICES)
@pytest.mark.sampled
async def test_it_shows_what_the_command_prints(
    empty: Path, tmp_path: Path, keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fill_context(empty)
    shown = await saved(empty, *keys)
    printed = Mem(empty, tmp_path).ok("context", "--project", "atlas")
    assert without_word(printed) == without_word(shown)


@pytest.mark.parametrize("keys", CHOICES)
@pytest.mark.sampled
async def test_it_shows_what_a_session_is_given_at_its_start(
    tmp_path: Path, keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine.at(tmp_path / "machine")
    monkeypatch.chdir(machine.folder / "project")
    with Store.open(machine.database) as store:
        project, _ = store.known_projects.of(str(machine.folder / "project"))
        fill_context(machine.database, project)
    shown = await saved(machine.database, *keys)
    # The hook tells times by the clock of its own machine.
    start = Start(json.dumps(session_start("s-1")).encode(), variables={"TZ": "UTC"})
    answer = json.loads(machine.run(start).out)
    given = answer["hookSpecificOutput"]["additionalContext"]
    assert without_word(given) == without_word(shown)
