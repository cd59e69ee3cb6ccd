"""Memories edited as Markdown in the user's own editor."""

from pathlib import Path

import pytest

from memtui.tui.parts.dialog import QuestionScreen
from tests.places import PYTHONPATH
from tests.tui.browser import ask, opened
from tests.tui.editing.editors import editing, observation, toasts
from tests.tui.patience import press


async def test_a_memory_is_edited_as_markdown(
    memory: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editing(monkeypatch, tmp_path, 't = t.replace("Clock drift", "Mine").replace("so.", "not so.")')
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "E")
        assert toasts(pilot)[-1] == "Saved: Mine · title, narrative (u undoes)"
    one = observation(memory, "3")
    assert (one.title, one.narrative) == ("Mine", "It was not so.")
    assert (tmp_path / "round-0").read_text().startswith("---\n")


async def test_a_mistake_opens_the_editor_again_with_the_error_at_the_top(
    memory: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editing(
        monkeypatch,
        tmp_path,
        'if round == 0: t = t.replace("type:", "tipe:").replace("Clock drift", "Mine")\n'
        'elif round == 1: t = t.replace("tipe:", "type: \\"\\" #")\n'
        'else: t = t.replace("type: \\"\\" #", "type: note #")',
    )
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "E")
    assert (tmp_path / "round-1").read_text().startswith("# mem: Line 6: no field 'tipe' here")
    assert "type can't be empty" in (tmp_path / "round-2").read_text()
    one = observation(memory, "3")
    assert (one.title, one.type) == ("Mine", "note")


async def test_what_others_changed_while_the_editor_was_open_is_chosen(
    memory: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editing(
        monkeypatch,
        tmp_path,
        "from memtui.store import Store\n"
        f"with Store.open({str(memory)!r}) as other: other.edit('3', {{'title': f'Theirs {{round}}'}})\n"
        't = t.replace("Clock drift", "Mine")',
    )
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "E")
        assert isinstance(pilot.app.screen, QuestionScreen)
        await press(pilot, "t")
        assert observation(memory, "3").title == "Theirs 0"
        await press(pilot, "E")
        assert "Nothing was changed" in toasts(pilot)[-1]


async def test_without_an_editor_says_so(
    memory: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editing(monkeypatch, tmp_path, "")
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "E")
        assert "can't be started" in toasts(pilot)[-1]
