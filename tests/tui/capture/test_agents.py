"""The agents' screen: who is hooked up, the keys that change that, and how capture is doing."""

import json
import os
from pathlib import Path
from typing import Any, cast

import pytest
from textual import events
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.capture import settings
from memtui.store.platform.paths import default_path_bytes
from memtui.tui.capture.agents import AgentList
from memtui.tui.capture.screen import CaptureScreen
from memtui.tui.parts.frame import Header, KeysFooter
from memtui.tui.search.welcome import Welcome
from tests.tui.browser import NOW, app, opened, text
from tests.tui.capture.screen import LOW, SIDE, look_again, row, rows, to_capture
from tests.tui.hooked import HOUR, SETTINGS, fail, have_run, settle_in
from tests.tui.patience import idle, press
from tests.tui.pictures import MIDDLE


@pytest.fixture(autouse=True)
def machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with three agents; nothing of the real one can be reached."""
    settle_in(home, monkeypatch)
    return home


async def at_once(pilot: Pilot[Any], keys: str) -> None:
    """Press keys so fast that nothing the one sets off comes before the next."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key))
    await idle(pilot)


def toasts(pilot: Pilot[Any]) -> str:
    return "".join(map(text, pilot.app.screen.query("Toast")))


async def test_each_agent_is_a_row_that_tells_how_it_stands(demo: Path) -> None:
    have_run(demo)
    async with opened(demo) as pilot:
        await press(pilot, "down", "5")
        assert app(pilot).current_mode == "capture"
        assert len(rows(pilot)) == 11
        assert row(pilot, "claude-code").startswith("▌○ claude-code found not installed 2m 143 143")
        assert row(pilot, "codex").startswith("○ codex found not installed 3h 1,204 4,310 ")
        assert row(pilot, "codex").endswith("▁▄▅▆▁▁▄▅▆▇▃▁▁▆▇▃▄▅▁▁▃▄▅▆▇▁▁▅▆█ press i to install")
        assert row(pilot, "gemini").startswith("○ gemini found not installed 3d — 41")
        assert row(pilot, "windsurf") == "○ windsurf not found not installed — — — —"
        assert "3 of 11 found, 0 installed" in text(cast(CaptureScreen, pilot.app.screen).heading)


@pytest.mark.long
async def test_columns_leave_before_an_agents_name_and_its_hooks(demo: Path) -> None:
    have_run(demo)
    shown = {}
    for width in (160, 80, 60, 40, 30):
        async with opened(demo, size=(width, 24)) as pilot:
            await to_capture(pilot)
            shown[width] = row(pilot, "codex")
    begins = "○ codex found not installed 3h 1,204 4,310"
    assert shown[160] == f"{begins} 19.5 ms ▁▄▅▆▁▁▄▅▆▇▃▁▁▆▇▃▄▅▁▁▃▄▅▆▇▁▁▅▆█ press i to install"
    assert shown[80] == f"{begins} ▁▃▄▅▆▇▁▁▅▆█"
    assert shown[60] == "○ codex not installed 3h 1,204 ▁▃▄▅▆▇▁▁▅▆█"
    assert shown[40] == "○ codex not installed 3h"
    assert shown[30] == "○ codex not installed"


async def test_an_agents_pane_tells_what_came_in_day_by_day(demo: Path) -> None:
    have_run(demo)
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "j")
        shown = " ".join(text(screen.pane).split())
        assert "1,204 today · 4,310 in 7 days" in shown
        assert "95% under 19.5 ms" in shown
        await press(pilot, "j")
        assert "none yet" in text(screen.pane) and "7 days" not in text(screen.pane)


@pytest.mark.parametrize("size", [LOW, SIDE], ids=["80x24", "140x40"])
async def test_i_installs_the_selected_agent_and_tells_where_and_what_is_left_to_do(
    demo: Path, machine: Path, size: tuple[int, int]
) -> None:
    async with opened(demo, size=size) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "j", "i", "i")
        assert row(pilot, "codex").startswith("▌✓ codex found installed")
        assert "hook.py codex --db" in (machine / ".codex/hooks.json").read_text()
        shown = text(screen.pane)
        assert "✓ Installed in ~/.codex/hooks.json" in shown
        assert "Trust all and continue" in shown
        await look_again(pilot)
        assert "✓ Installed in ~/.codex/hooks.json" in text(screen.pane)


async def test_hooks_name_this_memory_unless_it_is_the_users_own(machine: Path) -> None:
    own = Path(default_path_bytes().decode())
    own.parent.mkdir(parents=True)
    Store.open(own).close()
    async with opened(own) as pilot:
        await to_capture(pilot)
        await press(pilot, "i", "i")
    assert "hook.py claude-code" in (machine / SETTINGS).read_text()
    assert "--db" not in (machine / SETTINGS).read_text()


async def test_an_outdated_installation_is_mended_by_the_same_key(demo: Path, machine: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "i", "i")
        installed = (machine / SETTINGS).read_text()
        gone = installed.replace("/memtui/python", "/gone/python")
        (machine / SETTINGS).write_text(gone)
        await look_again(pilot)
        assert "↻ claude-code found outdated" in row(pilot, "claude-code")
        assert "press i to fix" in row(pilot, "claude-code")
        assert "Installed in" not in text(screen.pane)
        await press(pilot, "i", "i")
        assert "✓ claude-code found installed" in row(pilot, "claude-code")
        assert (machine / SETTINGS).read_text() == installed
        await press(pilot, "i")
        assert "As it should be: ~/.claude/settings.json" in text(screen.pane)


async def test_r_removes_the_hooks_when_asked_twice(demo: Path, machine: Path) -> None:
    before = '{"model": "opus"}\n'
    (machine / SETTINGS).write_text(before)
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        assert "Remove" not in text(screen.query_one(KeysFooter))
        await press(pilot, "i", "i")
        assert "r Remove" in text(screen.query_one(KeysFooter))
        await press(pilot, "r")
        assert "Remove our hooks from ~/.claude/settings.json?" in text(screen.pane)
        assert (machine / SETTINGS).read_text() != before
        await press(pilot, "r")
        assert (machine / SETTINGS).read_text() == before
        assert "✓ Removed from ~/.claude/settings.json" in text(screen.pane)
        assert "not installed" in row(pilot, "claude-code")


@pytest.mark.parametrize("way_out", [["escape"], ["j", "k"]])
async def test_what_is_not_confirmed_is_not_removed(demo: Path, machine: Path, way_out: list[str]) -> None:
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "i", "i", "r", *way_out)
        assert screen.is_current
        assert "Remove our hooks" not in text(screen.pane)
        await press(pilot, "r")
        assert "hook.py" in (machine / SETTINGS).read_text()


async def test_r_right_after_moving_asks_about_the_agent_moved_to(demo: Path, machine: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, *"iijiijjiikkk")
        await at_once(pilot, "jjjr")
        assert "Remove our hooks from ~/.gemini/settings.json?" in text(screen.pane)
        await at_once(pilot, "kkr")
        assert "Remove our hooks from ~/.codex/hooks.json?" in text(screen.pane)
        assert "hook.py" in (machine / ".codex/hooks.json").read_text()


async def test_i_asks_first_where_the_agent_was_not_found(demo: Path, machine: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "j", "j", "i")
        shown = " ".join(text(screen.pane).split())
        assert "Press i again to write this, though cursor was not found here; Esc" in shown
        await press(pilot, "escape")
        assert "i again" not in text(screen.pane)
        assert not (machine / ".cursor").exists()
        await press(pilot, "i", "i")
        assert row(pilot, "cursor").startswith("▌✓ cursor not found installed")


async def test_what_an_agents_file_holds_by_mistake_is_told_and_left_alone(
    demo: Path, machine: Path
) -> None:
    (machine / SETTINGS).write_text("{ nonsense")
    async with opened(demo, size=LOW) as pilot:
        screen = await to_capture(pilot)
        assert "✗ claude-code found unreadable" in row(pilot, "claude-code")
        await press(pilot, "i")
        assert "✗" in text(screen.pane) and "~/.claude" not in toasts(pilot)
        assert "settings.json" in text(screen.pane)
        assert (machine / SETTINGS).read_text() == "{ nonsense"


async def test_hooks_of_the_repository_we_are_in_are_told_apart(
    demo: Path, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = machine / "atlas"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        assert "in ~/atlas" in text(screen.heading)
        await press(pilot, "i", "i")
        assert "in ~/atlas" not in text(screen.pane)
        theirs = project / ".claude" / "settings.local.json"
        theirs.parent.mkdir()
        (machine / SETTINGS).replace(theirs)
        await look_again(pilot)
        assert "✓ claude-code found this project" in row(pilot, "claude-code")
        assert "installed in ~/atlas" in text(screen.pane)
        await press(pilot, "r", "r")
        assert "hook.py" not in (theirs.read_text() if theirs.exists() else "")
        assert "not installed" in row(pilot, "claude-code")


@pytest.mark.parametrize(
    ("options", "says"),
    [({"is_demo": True}, "This is the demo"), ({"read_only": True}, "can only be read")],
)
async def test_neither_the_demo_nor_a_memory_to_be_read_only_is_hooked_up(
    demo: Path, machine: Path, options: dict[str, Any], says: str
) -> None:
    async with opened(demo, **options) as pilot:
        await to_capture(pilot)
        for key in ("i", "P"):
            await press(pilot, key)
            assert says in " ".join(toasts(pilot).split())
            pilot.app.clear_notifications()
        assert list((machine / ".claude").iterdir()) == []
        assert settings.paused_until(demo) is None


async def test_capital_p_pauses_capture_and_resumes_it(demo: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        assert "on · P pauses" in text(screen.health)
        await press(pilot, "P")
        assert settings.paused_until(demo) == float("inf")
        assert "paused · P resumes" in text(screen.health)
        assert "P Resume" in text(screen.query_one(KeysFooter))
        await press(pilot, "P")
        assert "Capture is on again" in toasts(pilot) and "Paused" not in toasts(pilot)
        assert "P Pause" in text(screen.query_one(KeysFooter))
        assert settings.paused_until(demo) is None
        assert "on · P pauses" in text(screen.health)


async def test_the_health_of_capture_is_told_below(demo: Path) -> None:
    have_run(demo)
    settings.exclude(demo, ["~/private/*", "*.pem"])
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        shown = [" ".join(line.split()) for line in text(screen.health).split("\n")]
        assert "Waiting nothing" in shown
        assert "Last event 2m ago · claude-code · 2026-02-17 19:29:40" in " ".join(shown)
        assert any("ms median" in line and "99th percentile" in line for line in shown)
        assert any(line and set(line) <= set("▁▂▃▄▅▆▇█") for line in shown)
        assert "Not stored nothing" in shown
        assert "Excluded ~/private/* · *.pem" in shown


async def test_what_failed_is_told_with_the_command_that_lists_it(demo: Path) -> None:
    fail(demo, quarantined=2, lost=1)
    async with opened(demo, size=LOW) as pilot:
        screen = await to_capture(pilot)
        assert "⚠ 2 events in quarantine · mem queue list" in text(screen.health)
        assert "⚠ 1 event could not be written anywhere · mem doctor" in text(screen.health)


async def test_a_command_stands_whole_on_a_line_where_the_pane_is_narrow(demo: Path) -> None:
    fail(demo, quarantined=2, lost=1)
    async with opened(demo, size=MIDDLE) as pilot:
        screen = await to_capture(pilot)
        for command in ("mem queue list", "mem doctor"):
            assert any(line.rstrip().endswith(command) for line in text(screen.health).split("\n"))


async def test_enter_and_a_click_open_the_agent_and_escape_leads_back(demo: Path) -> None:
    async with opened(demo, size=LOW) as pilot:
        screen = await to_capture(pilot)
        assert not screen.pane.display
        await press(pilot, "enter")
        assert screen.pane.has_focus and not screen.health.display
        await press(pilot, "G")
        assert "~/memtui/store/capture/hook.py" in text(screen.pane)
        await press(pilot, "escape")
        assert screen.agents.has_focus and screen.health.display
        await pilot.click(AgentList, offset=(5, 5))
        await idle(pilot)
        assert rows(pilot)[3].startswith("▌○ gemini")
        await pilot.click(AgentList, offset=(5, 5))
        await idle(pilot)
        assert screen.pane.has_focus and "gemini" in text(screen.pane)
        await press(pilot, "escape", "escape")
        assert screen.agents.has_focus and app(pilot).current_mode == "capture"


async def test_what_another_program_installs_shows_and_the_selection_stays(
    demo: Path, machine: Path
) -> None:
    async with opened(demo) as pilot:
        await to_capture(pilot)
        await press(pilot, "i", "i")
        written = json.loads((machine / SETTINGS).read_text())
        await press(pilot, "j", "j")
        (machine / SETTINGS).unlink()
        await look_again(pilot)
        assert "not installed" in row(pilot, "claude-code")
        assert rows(pilot)[2].startswith("▌○ cursor")
        (machine / SETTINGS).write_text(json.dumps(written))
        await look_again(pilot)
        assert "✓ claude-code found installed" in row(pilot, "claude-code")


@pytest.mark.long
async def test_agents_that_the_list_leaves_out_are_counted_as_they_are_now(
    demo: Path, machine: Path
) -> None:
    async with opened(demo) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "i", "i")
        assert "1 installed" in text(screen.heading)
        await press(pilot, "slash", *"codex", "enter")
        (machine / SETTINGS).unlink()
        await look_again(pilot)
        assert "0 installed" in text(screen.heading)


@pytest.mark.parametrize("size", [LOW, SIDE], ids=["80x24", "140x40"])
async def test_an_agent_that_ran_and_was_not_heard_is_told_everywhere(
    demo: Path, machine: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setattr("memtui.tui.background.SILENT_AFTER", 0)
    monkeypatch.setattr("memtui.tui.background.SILENT_EVERY", 0)
    async with opened(demo, size=size) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "i", "i")
        assert row(pilot, "claude-code").startswith("▌✓ claude-code found installed")
        ran_at(machine, NOW - 2 * HOUR)
        app(pilot).ingest()
        await idle(pilot)
        await look_again(pilot)
        assert row(pilot, "claude-code").startswith("▌⚠ claude-code found not heard")
        assert row(pilot, "claude-code").endswith("ran 2h ago")
        assert "It ran 2h ago, but our hooks reported nothing." in text(screen.pane)
        assert "mem uninstall claude-code" in text(screen.pane)
        assert "⚠ claude-code isn't heard" in text(screen.query_one(Header))
        await press(pilot, "r", "r")
        app(pilot).ingest()
        await idle(pilot)
        assert "not installed" in row(pilot, "claude-code")
        assert "heard" not in text(screen.query_one(Header))


def ran_at(home: Path, at: int) -> None:
    """Let Claude Code have written a transcript at a time, in ms, and be hooked up since before."""
    transcript = home / ".claude" / "projects" / "atlas" / "s.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.touch()
    os.utime(transcript, (at / 1_000, at / 1_000))
    os.utime(home / SETTINGS, (at / 1_000 - 3_600, at / 1_000 - 3_600))


async def test_the_help_leaves_out_the_keys_that_need_a_memory(demo: Path) -> None:
    async with opened(demo, size=(120, 120)) as pilot:
        # One is selected on the screen before.
        await press(pilot, "down")
        await to_capture(pilot)
        await press(pilot, "question_mark")
        shown = text(pilot.app.screen.query_one("HelpColumns"))
        assert "Remove our hooks from the agent" in shown
        assert "The selected memory" not in shown
        assert "Pin or unpin" not in shown
        assert "command prompt" not in shown


@pytest.mark.long
async def test_days_have_a_head_only_where_an_agent_has_some(empty: Path) -> None:
    for headed in (False, True):
        if headed:
            have_run(empty)
        async with opened(empty, size=(160, 50)) as pilot:
            screen = await to_capture(pilot)
            assert ("events a day" in text(screen.agents)) is headed


async def test_an_empty_memory_leads_here_with_one_key(empty: Path) -> None:
    async with opened(empty) as pilot:
        assert "5  hook an agent up" in text(pilot.app.screen.query_one(Welcome))
        await press(pilot, "5")
        assert isinstance(pilot.app.screen, CaptureScreen)
