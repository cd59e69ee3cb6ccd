"""`R` goes on with the agent's session, when asked."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.parts.dialog import QuestionScreen
from tests.programs import FakeProgram
from tests.tui.browser import app, ask, opened, text
from tests.tui.editing.editors import toasts
from tests.tui.links.conftest import ID
from tests.tui.patience import press


def asked(pilot: Pilot[Any]) -> str:
    """What is asked, and the answers."""
    screen = pilot.app.screen
    assert isinstance(screen, QuestionScreen)
    return f"{' '.join(text(screen.view).split())} {screen.view.border_subtitle}"


@pytest.mark.parametrize("keys", ["escape R", "escape 3 R", "escape 3 enter R", "escape 2 R"])
@pytest.mark.sampled
async def test_a_session_is_resumed_where_it_ran_when_asked_once(
    work: Path, atlas: Path, codex: FakeProgram, keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_DB", "/srv/own.db")
    async with opened(work) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *keys.split())
        assert f"codex resume {ID} in {atlas}" in asked(pilot)
        assert asked(pilot).endswith("⏎ runs · f forks · i in another agent · y copies · esc cancels")
        assert codex.calls == []
        await press(pilot, "enter")
        assert toasts(pilot)[-1] == "codex ended with 3."
    assert codex.words == ["resume", ID]
    (call,) = codex.calls
    assert call["directory"] == str(atlas)
    assert call["variables"]["MEMTUI_DB"] == "/srv/own.db"


async def test_the_command_can_be_copied_or_left(work: Path, atlas: Path, codex: FakeProgram) -> None:
    async with opened(work, read_only=True) as pilot:
        await press(pilot, "escape", "3", "R", "escape")
        assert app(pilot).clipboard == ""
        await press(pilot, "R", "y")
        assert app(pilot).clipboard == f"cd {atlas} && codex resume {ID}"
    assert codex.calls == []


async def test_what_is_in_the_way_is_said_before(work: Path, atlas: Path, codex: FakeProgram) -> None:
    async with opened(work) as pilot:
        await press(pilot, "escape", "3", "R")
        assert "codex keeps no transcript of it here" in asked(pilot)
        codex.path.unlink()
        await press(pilot, "escape", "R")
        assert "codex is not on your PATH." in asked(pilot)
        await press(pilot, "enter")
        assert asked(pilot).endswith("y copies · esc cancels")
        await press(pilot, "y")
        assert app(pilot).clipboard.endswith(f"codex resume {ID}")


@pytest.mark.parametrize(("keys", "words"), [("f", ["fork", ID]), ("i enter", ["Go on"])])
async def test_a_session_goes_on_in_a_copy_or_in_another_agent(
    work: Path, atlas: Path, codex: FakeProgram, keys: str, words: list[str]
) -> None:
    async with opened(work) as pilot:
        await press(pilot, "escape", "3", "R", *keys.split())
        assert toasts(pilot)[-1] == "codex ended with 3."
    assert [word[: len(meant)] for word, meant in zip(codex.words, words, strict=True)] == words
    assert codex.calls[0]["directory"] == str(atlas)


async def test_what_can_not_be_resumed_is_told(
    work: Path, codex: FakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(work) as store:
        odd = store.sessions.start("--config", agent="codex", project="atlas")
        store.observations.add(odd, title="Odd", type="odd")
        store.observations.add(None, title="By hand", type="hand")
    async with opened(work) as pilot:
        for query, reason in (
            ("type:odd", "Its id can't be used in a command."),
            ("type:hand", "The session was begun by hand: there is no agent to resume it."),
        ):
            await ask(pilot, query)
            await press(pilot, "escape", "R")
            assert reason in asked(pilot)
            assert asked(pilot).endswith("i in another agent · esc cancels")
            await press(pilot, "escape")
        monkeypatch.setenv("PATH", "")
        await press(pilot, "R")
        assert toasts(pilot)[-1] == f"It can't be resumed. {reason}"
        await ask(pilot, "kind:fact")
        await press(pilot, "escape", "R")
        assert toasts(pilot)[-1] == "It belongs to no session."
    assert codex.calls == []
