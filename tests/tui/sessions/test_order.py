"""Putting sessions in order by the keys of memories; which one waits, sharing one, going on elsewhere."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.store import Store
from memtui.tui.actions import actions_of
from memtui.tui.lists.picker import ChoiceList, PickList
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.parts.line_input import PromptLine
from memtui.tui.search.screen import SearchScreen
from memtui.tui.search.suggestions import NoHits
from memtui.tui.sessions.screen import SessionsScreen
from tests.programs import program
from tests.tui.browser import NOW, opened, text
from tests.tui.marks.test_marks import told
from tests.tui.patience import idle, press
from tests.tui.sessions.screens import lines_of, sessions

LOW = (120, 40)


@pytest.fixture
def three(empty: Path) -> Path:
    """Three sessions, each with a memory."""
    with Store.open(empty) as store:
        for at, title in enumerate(("Login", "Tiles", "Fonts")):
            one = store.sessions.start(
                f"c-{at}", agent="claude-code", project="atlas", title=title, at=NOW + at
            )
            store.observations.add(one, title=f"Work on {title}", at=NOW + at)
    return empty


def tags(path: Path) -> list[tuple[str, ...]]:
    with Store.open(path, read_only=True) as store:
        return [store.sessions.get(number).tags for number in (1, 2, 3)]


async def asks(pilot: Pilot[Any], key: str) -> None:
    """Press a key that asks something; who asks waits for the answer."""
    await pilot.press(key)
    while not pilot.app.screen.query(Input):
        await pilot.pause()


async def typed(pilot: Pilot[Any], value: str) -> None:
    """Type into the line that is open, and take it."""
    pilot.app.screen.query_one(Input).value = value
    await press(pilot, "enter")
    await idle(pilot)


async def test_marked_sessions_are_tagged_at_once_and_one_key_takes_it_back(three: Path) -> None:
    async with opened(three, size=LOW) as pilot:
        await press(pilot, "escape", "3", "space", "space")
        await asks(pilot, "T")
        assert pilot.app.screen.query_one("Vertical").border_title == "tag 2 sessions"
        await typed(pilot, "release, web")
        assert "2 sessions tagged release, web. u undoes." in told(pilot)
        assert tags(three) == [(), ("release", "web"), ("release", "web")]
        assert "#release #web Fonts" in lines_of(pilot)[2]
        await press(pilot, "u")
        await idle(pilot)
        assert tags(three) == [(), (), ()]


async def test_the_selected_session_is_tagged_hidden_deleted_and_pinned_as_a_memory_is(three: Path) -> None:
    async with opened(three, size=LOW) as pilot:
        await press(pilot, "escape", "3")
        await asks(pilot, "T")
        await typed(pilot, "ops")
        await asks(pilot, "T")
        await typed(pilot, "-ops, docs")
        assert tags(three)[2] == ("docs",)
        await press(pilot, "p")
        assert "★ #docs Fonts" in lines_of(pilot)[2]
        await press(pilot, "x")
        assert "Session @3 with 1 memory hidden" in told(pilot)
        assert len(lines_of(pilot)) == 4
        await press(pilot, "d")
        assert "Session @2 with 1 memory deleted" in told(pilot)
        await press(pilot, "slash", *"is:private", "enter")
        assert sessions(pilot).session_ref == "@3"
        await press(pilot, "x")
        with Store.open(three, read_only=True) as store:
            assert not store.sessions.get(3).private
            assert store.observations.get(3).is_visible


async def test_a_tag_is_chosen_and_the_view_saved_under_a_name_that_leads_back(three: Path) -> None:
    with Store.open(three) as store:
        from memtui.store import Action

        store.change_many(["@1", "@3"], Action("tag", add=("release",)))
    async with opened(three, size=LOW) as pilot:
        await press(pilot, "escape", "3", "f")
        assert "release" in text(pilot.app.screen.query_one(ChoiceList))
        await press(pilot, *"release", "enter")
        assert sessions(pilot).sessions.title == "Sessions 2 of 3 · release"
        assert sessions(pilot).shown_command == "session list tag:release"
        await press(pilot, "ctrl+s")
        await typed(pilot, "going out")
        with Store.open(three, read_only=True) as store:
            (saved,) = store.searches.saved()
        assert (saved.name, saved.query) == ("going out", "kind:session tag:release")
        await press(pilot, "1", "slash")
        assert isinstance(pilot.app.screen, SearchScreen)
        pilot.app.screen.bar.input.value = f"{saved.query} Login"
        await press(pilot, "enter")
        await idle(pilot)
        assert isinstance(pilot.app.screen, SessionsScreen)
        assert [line.split()[2] for line in lines_of(pilot)[2:]] == ["Login"]
        assert sessions(pilot).narrowing == "tag:release Login"


async def test_a_branch_is_chosen_or_typed_and_a_saved_view_counts_among_all(three: Path) -> None:
    with Store.open(three) as store:
        for number, branch in ((1, "feat/login"), (3, "main")):
            store.sessions.set_branch(store.sessions.get(number), branch)
        store.sessions.start("c-9", project="atlas", title="Nothing yet", at=NOW)
        store.sessions.set_branch(store.sessions.get(4), "feat/login")
        store.sessions.set_branch(store.sessions.get(2), 'feat/"quoted"')
    async with opened(three, size=LOW) as pilot:
        await press(pilot, "escape", "3", "f", *"feat", "enter")
        assert sessions(pilot).sessions.title == "Sessions 2 of 4 · feat/login"
        assert sessions(pilot).narrowing == "branch:feat/login"
        await sessions(pilot).show_query("kind:session branch:main")
        await idle(pilot)
        assert sessions(pilot).query_one(PromptLine).told == "1 of 4"
        await press(pilot, "escape", "slash", *"t/logi", "enter")
        assert sessions(pilot).sessions.title == "Sessions 2 of 4 · “t/logi”"


async def test_marked_sessions_are_offered_no_merge(three: Path) -> None:
    async with opened(three, size=LOW) as pilot:
        await press(pilot, "escape", "3", "space", "space", "m")
        assert isinstance(pilot.app.screen, SessionsScreen)
        assert "Merge" not in text(pilot.app.screen.query_one(KeysFooter))


async def test_a_search_without_memories_leads_to_sessions_that_match(three: Path) -> None:
    with Store.open(three) as store:
        from memtui.store import Action

        store.change_many(["@1"], Action("tag", add=("release",)))
    async with opened(three, size=LOW) as pilot:
        await press(pilot, *"kind:session tag:release")
        await idle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, SearchScreen)
        shown = text(screen.query_one(NoHits))
        assert "a  sessions, not memories  1 hit" in shown
        assert "has no value" not in shown
        await press(pilot, "down", "a")
        await idle(pilot)
        assert sessions(pilot).narrowing == "tag:release"
        assert sessions(pilot).sessions.how_many == 1


async def test_a_session_waits_as_its_process_says_and_no_more_when_that_is_gone(
    three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    file = tmp_path / f"home/.claude/sessions/{os.getpid()}.json"
    file.parent.mkdir(parents=True)
    async with opened(three, size=LOW) as pilot:
        for word, sign in (("waiting", "◆ waits"), ("busy", "◐ busy"), (None, "● live")):
            if word:
                file.write_text(json.dumps({"sessionId": "c-2", "status": word}))
            else:
                file.unlink()
            await press(pilot, "escape", "3")
            sessions(pilot)._look_at_agents()
            await idle(pilot)
            line = lines_of(pilot)[2]
            assert [part in line for part in sign.split()] == [True, True], line
            shown = text(sessions(pilot).preview)
            assert [part in shown for part in sign.split()] == [True, True], shown


async def test_a_session_is_shared_with_one_sentence_on_what_is_in_it(three: Path, tmp_path: Path) -> None:
    with Store.open(three) as store:
        store.observations.add(store.sessions.get(3), title="a canary", private=True, at=NOW)
    async with opened(three, size=(160, 40)) as pilot:
        await press(pilot, "escape", "3")
        (action,) = (item for item in actions_of(sessions(pilot)) if item.id == "entry.share-session")
        assert (action.name, action.keys, action.why_not) == ("Share this session", ("S",), "")
        assert action.command == "export html DIRECTORY --session @3"
        await asks(pilot, "S")
        assert pilot.app.screen.query_one(Input).value == "session-3.md"
        await typed(pilot, str(tmp_path / "one.md"))
        assert (
            "In it: 1 observation besides. Left out, since private, deleted or pending: 1 observation."
            in told(pilot)
        )
    page = (tmp_path / "one.md").read_text()
    assert "Work on Fonts" in page
    assert "canary" not in page
    assert "Tiles" not in page


async def test_one_session_opened_is_shared_by_the_same_key(three: Path, tmp_path: Path) -> None:
    async with opened(three, size=(160, 40)) as pilot:
        await press(pilot, "escape", "3", "enter")
        await asks(pilot, "S")
        await typed(pilot, str(tmp_path / "pages"))
        assert "In it: 1 observation besides." in told(pilot)


async def test_the_agents_that_can_go_on_with_it_are_listed(
    three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    async with opened(three, size=LOW) as pilot:
        await press(pilot, "escape", "3", "A")
        assert "No other agent is on your PATH; Hand over (^p) copies a brief." in told(pilot)
        for name in ("codex", "gemini"):
            program(tmp_path / "bin", name)
        await press(pilot, "A")
        rows = [" ".join(row.split()) for row in text(pilot.app.screen.query_one(PickList)).splitlines()]
        assert [row.strip("▌ ") for row in rows if row] == [
            "codex with a brief", "gemini with a brief", "codex the whole conversation",
        ]  # fmt: skip


async def test_a_store_that_can_only_be_read_changes_no_session(three: Path) -> None:
    async with opened(three, size=LOW, read_only=True) as pilot:
        await press(pilot, "escape", "3")
        whys = {item.id: item.why_not for item in actions_of(sessions(pilot))}
        assert whys["entry.share-session"] == ""
        for id in ("entry.tag", "entry.hide", "entry.delete", "entry.pin", "sessions.save"):
            assert whys.get(id, "gone") != ""
        await press(pilot, "T")
        assert "read-only" in told(pilot)
