"""Memories corrected and added in a form."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.editing.form import FormScreen
from memtui.tui.editing.storing import shown, typed
from memtui.tui.parts.dialog import QuestionScreen
from tests.tui.browser import ask, opened, search, text, titles
from tests.tui.editing.editors import form, observation, toasts
from tests.tui.patience import idle, press

SELECTED = ("escape",)


def selected(pilot: Pilot[Any]) -> str:
    """The title of what is selected in the search."""
    row = search(pilot).row
    return row.title if row else ""


async def test_a_title_is_corrected_and_the_row_repaints_where_it_is(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "j", "e", *" again", "ctrl+s")
        assert titles(pilot) == ["Clock drift", "Tokens live a day again", "Logs show UTC"]
        assert selected(pilot) == "Tokens live a day again"
        assert "Tokens live a day again" in text(search(pilot).reading.detail)
        assert toasts(pilot)[-1] == "Saved: Tokens live a day again · title (u undoes)"
    assert observation(memory, "2").title == "Tokens live a day again"


async def test_only_the_label_of_the_field_in_focus_stands_out(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "e")
        for key, name in (("", "Title"), ("down", "Type"), ("tab", "Subtitle"), ("up", "Type")):
            await press(pilot, *([key] if key else []))
            labels = form(pilot).query(".label")
            assert [text(one).strip() for one in labels if one.styles.text_style.bold] == [name]


@pytest.mark.long
async def test_a_tag_takes_three_keys(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "e", "ctrl+t", *", clock", "ctrl+s")
    assert observation(memory, "3").tags == ("auth", "clock")


async def test_every_field_of_an_observation_can_be_changed(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "e")
        fields = form(pilot)
        for name, value in {
            "title": "T", "type": "decision", "subtitle": "S", "narrative": "N\n\nmore",
            "facts": "One\nThree", "concepts": 'a, "b, c"', "files_read": "x.py",
            "files_modified": "y.py\nz.py", "tags": "t", "project": "other",
        }.items():  # fmt: skip
            field = fields.query_one(f"#field-{name}")
            setattr(field, "text" if name in ("narrative", "facts") or "files" in name else "value", value)
        await press(pilot, "ctrl+s")
    one = observation(memory, "3")
    assert (one.title, one.type, one.subtitle, one.narrative) == ("T", "decision", "S", "N\n\nmore")
    assert (one.facts, one.concepts, one.tags) == (("One", "Three"), ("a", "b, c"), ("t",))
    assert (one.files_read, one.files_modified) == (("x.py",), ("y.py", "z.py"))
    assert one.project == "other"


async def test_escape_leaves_at_once_where_nothing_changed_and_asks_where_something_did(
    memory: Path,
) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        before = pilot.app.screen
        await press(pilot, *SELECTED, "e", "escape")
        assert pilot.app.screen is before
        await press(pilot, "e", "x", "escape")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert "You changed: title." in text(pilot.app.screen.view)
        assert pilot.app.screen.styles.background.a < 1
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, FormScreen)
        await press(pilot, "escape", "d")
        assert pilot.app.screen is before
        assert observation(memory, "3").title == "Clock drift"
        await press(pilot, "e", "x", "escape", "s")
        assert pilot.app.screen is before
    assert observation(memory, "3").title == "Clock driftx"


async def test_what_the_store_refuses_is_told_and_the_form_stays(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "e", "down", "ctrl+u", "ctrl+s")
        assert "type can't be empty" in text(form(pilot).message)
        await press(pilot, *"note", "ctrl+s")
    assert observation(memory, "3").type == "note"


@pytest.mark.long
async def test_a_type_and_a_tag_complete_from_what_the_store_holds(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "e", "down", "ctrl+u", "b", "u")
        assert "→ takes: bugfix" in text(form(pilot).message)
        await press(pilot, "right", "ctrl+t", *", AU")
        assert "auth" in text(form(pilot).message)
        await press(pilot, "right", "ctrl+u", *"au", "right", "ctrl+s")
    assert (observation(memory, "3").type, observation(memory, "3").tags) == ("bugfix", ("auth",))


@pytest.mark.long
async def test_a_file_completes_in_its_line_from_what_the_store_holds(memory: Path) -> None:
    with Store.open(memory) as store:
        store.edit("1", {"files_read": ["src/clock.py"]})
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "e")
        form(pilot).query_one("#field-files_read").focus()
        await press(pilot, "ctrl+end", *"old.py", "enter", *"src/c")
        assert "one a line · → takes: src/clock.py" in text(form(pilot).message)
        await press(pilot, "right", "ctrl+s")
    assert observation(memory, "3").files_read == ("old.py", "src/clock.py")


async def test_what_others_changed_meanwhile_is_shown_and_the_user_chooses(memory: Path) -> None:
    async with opened(memory, size=(100, 40)) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "e", *" mine")
        with Store.open(memory) as other:
            other.edit("3", {"title": "Theirs", "subtitle": "Their subtitle"})
        await press(pilot, "ctrl+s")
        assert isinstance(pilot.app.screen, QuestionScreen)
        told = text(pilot.app.screen.view)
        for words in ("Clock drift mine", "Theirs", "Their subtitle", "not changed by you"):
            assert words in told
        await press(pilot, "escape")
        assert form(pilot).query_one("#field-title").value == "Clock drift mine"  # type: ignore[attr-defined]
        await press(pilot, "ctrl+s", "t")
        assert observation(memory, "3").title == "Theirs"
        assert "your changes were not saved" in toasts(pilot)[-1]
        await press(pilot, "e", *" and mine")
        with Store.open(memory) as other:
            other.edit("3", {"title": "Theirs again"})
        await press(pilot, "ctrl+s", "m")
    one = observation(memory, "3")
    assert (one.title, one.subtitle) == ("Theirs and mine", "Their subtitle")


async def test_what_is_typed_passes_the_privacy_gate(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "e", *" <private>hush</private>", "ctrl+s")
    assert "hush" not in (observation(memory, "3").title or "")


@pytest.mark.parametrize(
    ("keys", "ref", "field", "value"),
    [
        (("4", "e"), "f1", "content", "!Times are UTC"),
        (("4", "right", "e"), "n1", "path", "MEMORY.md!"),
        (("3", "e"), "@1", "title", "!"),
        (("3", "enter", "down", "e"), "p1", "text", "!Why do tokens expire?"),
        (("3", "enter", "e"), "s1", "request", "!Mend the clock"),
        (("2", "e"), "f1", "content", "!Times are UTC"),
    ],
)
@pytest.mark.sampled
async def test_each_kind_is_corrected_where_it_is_selected(
    memory: Path, keys: tuple[str, ...], ref: str, field: str, value: str
) -> None:
    async with opened(memory) as pilot:
        await press(pilot, *SELECTED, *keys)
        assert isinstance(pilot.app.screen, FormScreen)
        await press(pilot, "!", "ctrl+s")
        assert not isinstance(pilot.app.screen, FormScreen)
    with Store.open(memory) as store:
        assert getattr(store.any_record(ref), field) == value


async def test_a_memory_is_added_and_undone(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:note")
        await press(pilot, "escape", "n", "ctrl+s")
        assert "needs a title" in text(form(pilot).message)
        await press(pilot, *"Rates are per key", "ctrl+s")
        assert titles(pilot) == ["Rates are per key"]
        assert toasts(pilot)[-1] == "Added: Rates are per key (u undoes)"
        await press(pilot, "u")
        assert titles(pilot) == []
        await press(pilot, "ctrl+r")
        assert titles(pilot) == ["Rates are per key"]


@pytest.mark.long
async def test_a_fact_and_a_note_are_added_where_they_are_listed(memory: Path) -> None:
    async with opened(memory) as pilot:
        await press(pilot, "escape", "4", "n", *"Keys rotate", "ctrl+s")
        await press(pilot, "right", "n", *"NOTES.md", "ctrl+s")
    with Store.open(memory) as store:
        newest = store.facts.list(limit=1)[0]
        assert (newest.content, newest.kind, newest.project) == ("Keys rotate", "O", "atlas")
        assert [note.path for note in store.notes.list()] == ["MEMORY.md", "NOTES.md"]


async def test_a_memory_that_is_only_read_says_that_it_can_not_be_edited(memory: Path) -> None:
    async with opened(memory, read_only=True) as pilot:
        await press(pilot, "escape")
        for keys in (("e",), ("E",), ("n",), ("3", "e"), ("4", "e"), ("u",)):
            await press(pilot, *keys)
            assert not isinstance(pilot.app.screen, FormScreen)
            assert "open read-only" in toasts(pilot)[-1]
            pilot.app.clear_notifications()
    async with opened(memory, read_only=True, owner="codex") as pilot:
        await press(pilot, "escape", "e")
        assert "open read-only from codex" in toasts(pilot)[-1]


async def test_undo_names_what_came_back_and_the_selection_goes_there(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, *SELECTED, "j", "d")
        assert titles(pilot) == ["Clock drift", "Logs show UTC"]
        await press(pilot, "k", "u")
        assert titles(pilot) == ["Clock drift", "Tokens live a day", "Logs show UTC"]
        assert selected(pilot) == "Tokens live a day"
        assert toasts(pilot)[-1] == "Restored: “Tokens live a day” (^r redoes)"
        await press(pilot, "ctrl+r")
        assert titles(pilot) == ["Clock drift", "Logs show UTC"]
        assert toasts(pilot)[-1] == "Deleted: “Tokens live a day” (u undoes)"
        await press(pilot, "ctrl+r")
        assert toasts(pilot)[-1].startswith("Nothing to redo")


@pytest.mark.long
async def test_an_edit_is_undone_and_redone_on_every_screen_that_lists_it(memory: Path) -> None:
    async with opened(memory) as pilot:
        await press(pilot, "escape", "4", "e", "!", "ctrl+s", "u")
        assert toasts(pilot)[-1].startswith("Changed back: “")
        await press(pilot, "ctrl+r")
        with Store.open(memory) as store:
            assert store.facts.get("f1").content == "!Times are UTC"
        await press(pilot, "3", "enter", "right", "p", "u")
        assert toasts(pilot)[-1].startswith("Unpinned: “")


async def test_odd_texts_survive_a_form_that_leaves_them_alone(memory: Path) -> None:
    with Store.open(memory) as store:
        store.observations.add(
            "0123456789",
            title="odd",
            type="odd",
            narrative="a\x1b[2Jb\tc\r\n",
            tags=["x,\u202ey", "  two  spaces"],
        )
    before = observation(memory, "4")
    async with opened(memory) as pilot:
        await ask(pilot, "type:odd")
        await press(pilot, "escape", "e")
        assert "\x1b" not in text(form(pilot))
        await press(pilot, "!", "ctrl+t", *", new", "ctrl+s")
    after = observation(memory, "4")
    assert (after.narrative, after.title) == (before.narrative, "odd!")
    assert after.tags == (*before.tags, "new")


async def test_escape_and_save_at_once_end_nothing(memory: Path) -> None:
    async with opened(memory) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "e", "x")
        await pilot.press("ctrl+s", "escape", "escape")
        await idle(pilot)
        assert pilot.app.is_running
    assert observation(memory, "3").title == "Clock driftx"


@pytest.mark.parametrize("words", [(), ("a",), ("a b", "c, d"), ('"', 'say "x", y')])
def test_words_are_typed_as_they_are_shown(words: tuple[str, ...]) -> None:
    there = shown("observation", "tags", words)
    assert tuple(typed("observation", "tags", there, words)) == words
    assert tuple(typed("observation", "tags", there, ())) == words
