"""Facts and notes: what is held true and what it rests on, and core memory."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

import pytest
from textual.containers import Vertical
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.formats.scheme_c.directory_import import import_directory
from memtui.store.tables.facts import Facts
from memtui.tui.app import MemApp
from memtui.tui.facts.fact_and_note import FactScreen, NoteScreen
from memtui.tui.facts.screen import FactsScreen
from memtui.tui.memory import MemoryScreen
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.sessions.session import SessionScreen
from tests.store.formats.scheme_c.directories import directory, fact, line
from tests.tui.browser import NOW, app, ask, opened, search, text
from tests.tui.patience import hurry, idle, press

HOUR = 3_600_000
HEADS = ("Fact", "Project")
LOW = (100, 24)
SIDE = (130, 30)

NOTE = "# House rules\n\nNo tests that sleep.\n\n## Traps\n" + "one more line\n" * 60


@pytest.fixture
def facts(empty: Path) -> Path:
    """Two facts, one of them with evidence, and a note."""
    with Store.open(empty) as store, store.transaction():
        one = store.sessions.start("0123456789", agent="codex", project="atlas", at=NOW - 9 * HOUR)
        first = store.observations.add(one, title="Logs show UTC", at=NOW - 8 * HOUR)
        then = store.observations.add(one, title="So do the bills", type="decision", at=NOW - 7 * HOUR)
        store.facts.add("Prefers short functions", kind="B", confidence=0.6, at=NOW - 2 * HOUR)
        store.facts.add(
            "Times are UTC",
            kind="W",
            project="atlas",
            entities=["time", "logs"],
            confidence=0.95,
            evidence=[then.uid, first.uid, "an-unknown-uid"],
            at=NOW - HOUR,
        )
        store.notes.upsert("MEMORY.md", NOTE, project="atlas", at=NOW)
    return empty


async def to_facts(pilot: Pilot[Any]) -> FactsScreen:
    """The screen of facts and notes, in front."""
    app(pilot).action_go("facts")
    await idle(pilot)
    return cast(FactsScreen, pilot.app.screen)


def rows(pilot: Pilot[Any], which: str) -> list[str]:
    """The rows of a list of the screen below its heads, their words one space apart."""
    shown = text(pilot.app.screen.query_one(which)).rstrip()
    lines = [" ".join(line.split()) for line in shown.split("\n")]
    return [line for line in lines if line.split(" ")[0] not in HEADS]


async def test_facts_tell_their_kind_confidence_and_age(facts: Path) -> None:
    async with opened(facts, size=LOW) as pilot:
        screen = await to_facts(pilot)
        assert rows(pilot, "FactList") == [
            "▌⊕ Times are UTC 1h",
            "▌ atlas · 3 memories · 95% sure · time, logs",
            "⌂ Prefers short functions 2h",
            "everywhere · 60% sure",
        ]
        assert text(screen.tabs) == "Facts 2   Notes 1"
        assert text(screen.kinds) == "all   ⊕ fact 1   ⌂ rule 1   ≈ preference 0   ∑ summary 0"


LONG = "A terraform plan must be empty every morning; what isn't gets an owner and a date at once."


@pytest.mark.parametrize("width", [160, 120, 80, 60, 44, 30])
@pytest.mark.usefixtures("painted")
@pytest.mark.sampled
async def test_a_fact_is_shown_whole_on_as_many_lines_as_it_needs(empty: Path, width: int) -> None:
    with Store.open(empty) as store:
        store.facts.add(LONG, at=NOW - HOUR)
        store.facts.add("缓存用逻辑过期，热点键不设短的过期时间。", at=NOW - 2 * HOUR)
    async with opened(empty, size=(width, 24)) as pilot:
        screen = await to_facts(pilot)
        shown = rows(pilot, "FactList")
        words = " ".join(shown).replace("▌", "").split()
        assert "isn't" in words
        assert len(shown) > 2 or width == 160
        assert not any(line.strip() == "。" for line in shown)
        screen.facts.set_compact(True)
        await idle(pilot)
        assert len(rows(pilot, "FactList")) == 2


@pytest.mark.parametrize("size", [(160, 50), (80, 24), (60, 20), (30, 8)])
@pytest.mark.usefixtures("painted")
@pytest.mark.sampled
async def test_heads_stand_above_the_columns_of_facts(facts: Path, size: tuple[int, int]) -> None:
    async with opened(facts, size=size) as pilot:
        screen = await to_facts(pilot)
        head, first, *_ = [line for line in text(screen.facts).split("\n") if line]
        if size == (30, 8):
            assert head.startswith("▌⊕ Times are UTC")
            return
        assert head.index("Fact") == first.index("Times")
        assert head.index("Age") + len("Age") == first.index("1h") + len("1h")
        screen.facts.set_compact(True)
        await idle(pilot)
        head, first, *_ = [line for line in text(screen.facts).split("\n") if line]
        for name, cell in (("Sure", "95%"), ("Age", "1h")):
            assert head.index(name) + len(name) == first.index(cell) + len(cell)


async def test_one_key_goes_through_the_kinds(facts: Path) -> None:
    async with opened(facts, size=LOW) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "f")
        assert [row.split()[0] for row in rows(pilot, "FactList")[::2]] == ["▌⊕"]
        await press(pilot, "f")
        assert "Prefers short" in rows(pilot, "FactList")[0]
        await press(pilot, "f", "f")
        assert screen.facts.count == 0
        assert screen.row is None
        await press(pilot, "f")
        assert screen.facts.count == 2


async def test_a_fact_opens_with_the_memories_it_rests_on(facts: Path) -> None:
    async with opened(facts, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, FactScreen)
        shown = text(pilot.app.screen.pane.text)
        assert "Times are UTC" in shown and "time, logs" in shown and "atlas" in shown
        assert pilot.app.screen.pane.evidence.title == "Evidence 3 · 1 not in this store"
        evidence = rows(pilot, "#evidence")
        assert evidence[1].startswith("▌11:31 ┌ ▪ Logs show UTC")
        assert evidence[2].startswith("12:31 └ ◆ So do the bills")


async def test_evidence_opens_and_escape_leads_all_the_way_back(facts: Path) -> None:
    async with opened(facts, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "enter", "j", "enter")
        assert isinstance(pilot.app.screen, MemoryScreen)
        assert "So do the bills" in text(pilot.app.screen.detail)
        await press(pilot, "escape")
        assert rows(pilot, "#evidence")[2].startswith("▌12:31")
        await press(pilot, "escape")
        assert rows(pilot, "FactList")[0].startswith("▌⊕")


async def test_the_selected_fact_is_shown_beside_the_list_where_there_is_room(facts: Path) -> None:
    async with opened(facts, size=SIDE) as pilot:
        screen = await to_facts(pilot)
        assert "Times are UTC" in text(screen.pane.text)
        await press(pilot, "j")
        assert "Prefers short functions" in text(screen.pane.text)
    async with opened(facts, size=LOW) as pilot:
        screen = await to_facts(pilot)
        assert not screen.pane.display


async def test_keys_work_on_the_fact_or_on_its_evidence_where_the_focus_is(facts: Path) -> None:
    async with opened(facts, size=SIDE) as pilot:
        screen = await to_facts(pilot)
        assert screen.row and screen.row.title == "Times are UTC"
        screen.pane.evidence.focus()
        await idle(pilot)
        assert screen.row.title == "Logs show UTC"
        await press(pilot, "p")
        assert any("Logs show UTC ★" in row for row in rows(pilot, "#evidence"))


async def test_a_deleted_fact_leaves_the_list_and_undo_brings_it_back(facts: Path) -> None:
    async with opened(facts, size=SIDE) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "d")
        assert [row.split()[0] for row in rows(pilot, "FactList")[::2]] == ["▌⌂"]
        assert "Prefers short functions" in text(screen.pane.text)
        await press(pilot, "u")
        assert screen.facts.count == 2


async def test_no_key_hits_the_fact_that_was_selected_before(facts: Path) -> None:
    async with opened(facts, size=SIDE) as pilot:
        await to_facts(pilot)
        await hurry(pilot, "j", "d")
        assert "Times are UTC" in rows(pilot, "FactList")[0]


async def test_another_programs_fact_appears_and_the_selection_stays(facts: Path) -> None:
    async with opened(facts, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "j")
        with Store.open(facts) as other:
            other.facts.add("Written meanwhile", at=NOW)
        app(pilot).look()
        await idle(pilot)
        shown = rows(pilot, "FactList")
        assert "≈ Written meanwhile" in shown[0]
        assert shown[4].startswith("▌⌂ Prefers short functions")


async def test_notes_are_a_tab_away_and_open(facts: Path) -> None:
    async with opened(facts, size=LOW) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "right")
        assert screen.row is None
        assert rows(pilot, "NoteList")[0].startswith("▌atlas MEMORY.md No tests that sleep.")
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, NoteScreen)
        assert "House rules" in text(pilot.app.screen.view)
        await press(pilot, "G")
        assert text(pilot.app.screen.view).rstrip().endswith("one more line")
        await press(pilot, "escape", "left")
        assert rows(pilot, "FactList")[0].startswith("▌⊕")


async def test_a_note_that_changes_while_it_is_read_stays_scrolled(facts: Path) -> None:
    async with opened(facts, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "right", "enter", "pagedown")
        view = cast(NoteScreen, pilot.app.screen).view
        before = view.scroll_offset.y
        with Store.open(facts) as other:
            other.notes.upsert("MEMORY.md", NOTE + "the last word", project="atlas")
        app(pilot).look()
        await idle(pilot)
        assert view.scroll_offset.y == before > 0
        await press(pilot, "G")
        assert "the last word" in text(view)


async def test_no_fact_and_no_note_tell_how_they_come_about(empty: Path) -> None:
    async with opened(empty, size=LOW) as pilot:
        screen = await to_facts(pilot)
        assert 'mem fact add "' in text(screen.query_one("#no-facts"))
        await press(pilot, "right")
        assert not screen.query_one("#no-facts").display
        assert "mem import" in text(screen.query_one("#no-notes"))
        assert "Find" not in text(screen.query_one(KeysFooter))


async def test_facts_are_narrowed_to_what_they_name(facts: Path) -> None:
    async with opened(facts, size=LOW) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "w", *"log", "enter")
        assert [row.split()[0] for row in rows(pilot, "FactList")[::2]] == ["▌⊕"]
        assert text(screen.heading).startswith("that name logs")
        assert text(screen.tabs).startswith("Facts 1")
        await press(pilot, "w", "up", "enter")
        assert screen.facts.count == 2
        assert not screen.heading.display


async def test_the_names_to_choose_from_say_when_only_the_newest_facts_of_a_kind_are_counted(
    facts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def title(pilot: Pilot[Any]) -> str:
        return str(pilot.app.screen.query_one(Vertical).border_title)

    with Store.open(facts) as store:
        store.facts.add("Clocks drift", kind="W", entities=["clocks"], at=NOW)
    async with opened(facts, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "f", "w")
        assert title(pilot) == "choose what they are about"
        monkeypatch.setattr(Facts, "asked", 1)
        await press(pilot, "escape", "w")
        assert title(pilot) == "choose what they are about · newest 1 counted"
        assert [row.split()[0] for row in rows(pilot, "ChoiceList")] == ["▌everything", "clocks"]
        # What all facts name is counted of all of them, and so is what few name.
        await press(pilot, "escape", "f", "w")
        assert title(pilot) == "choose what they are about"


async def test_a_line_that_told_a_fact_leads_to_its_session(empty: Path, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[fact(1, "Times are UTC"), line(2, content="git push")])
    with Store.open(empty) as store:
        import_directory(store, path)
    async with opened(empty, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "enter")
        evidence = rows(pilot, "#evidence")
        assert evidence[1].startswith("▌10:01 ╶ ◇ told with 70% in daily/2026-02-16.jsonl#log-100100")
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, SessionScreen)
        await press(pilot, "escape", "o")
        assert isinstance(pilot.app.screen, SessionScreen)


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An editor that puts what stands in a file in place of what it is given."""
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\ncp "{tmp_path}/typed" "$1"\n')
    script.chmod(0o700)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", str(script))
    monkeypatch.setattr(MemApp, "suspend", lambda _app: nullcontext())
    return tmp_path / "typed"


async def test_a_note_opens_in_the_editor_and_shows_what_was_typed(facts: Path, editor: Path) -> None:
    document = "---\nnote: n1\n---\n**Text**\n\n```\n{}\n```\n"
    editor.write_text(document.format("# Typed"))
    async with opened(facts, size=SIDE) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "right", "E")
        assert "Typed" in text(screen.note_view)
        editor.write_text(document.format("# Again"))
        await press(pilot, "enter", "E")
        assert "Again" in text(cast(NoteScreen, pilot.app.screen).view)
        editor.write_text("no document")
        await press(pilot, "E")
    with Store.open(facts) as store:
        assert store.notes.get(1).text.strip() == "# Again"


async def test_a_note_that_is_a_file_is_edited_where_it_lies(
    empty: Path, editor: Path, tmp_path: Path
) -> None:
    path = directory(tmp_path / "c", MEMORY_md="# One\n")
    with Store.open(empty) as store:
        import_directory(store, path)
    editor.write_text("# Two <private>hush</private>\n")
    async with opened(empty, size=SIDE) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "right", "e")
        assert "Two" in text(screen.note_view)
    assert (path / "MEMORY.md").read_text() == "# Two <private>hush</private>\n"
    with Store.open(empty) as store:
        assert store.notes.get(1).text == "# Two \n"


async def test_what_is_written_into_a_notes_file_shows(empty: Path, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", MEMORY_md="# One\n")
    with Store.open(empty) as store:
        import_directory(store, path)
    async with opened(empty, size=SIDE) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "right")
        (path / "MEMORY.md").write_text("# One\n- and two\n")
        screen.look_at_files()
        await idle(pilot)
        app(pilot).look()
        await idle(pilot)
        assert "• and two" in text(screen.note_view)


async def test_without_an_editor_or_a_terminal_to_leave_it_says_so(
    facts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    monkeypatch.delenv("VISUAL", raising=False)
    async with opened(facts, size=SIDE) as pilot:
        await to_facts(pilot)
        await press(pilot, "right", "E")
        (told,) = pilot.app._notifications
        assert told.message == "This terminal can't be left for another program."


async def test_a_read_only_memory_offers_no_editor(facts: Path) -> None:
    async with opened(facts, size=SIDE, read_only=True) as pilot:
        screen = await to_facts(pilot)
        await press(pilot, "right")
        assert screen.check_action("edit", ()) is False


async def test_a_fact_among_the_hits_tells_how_much_it_rests_on_and_no_uid(facts: Path) -> None:
    async with opened(facts, size=SIDE) as pilot:
        await ask(pilot, "kind:fact project:atlas")
        shown = text(search(pilot).reading.detail)
        assert "3, listed with the fact at 4" in shown
        assert "an-unknown-uid" not in shown
