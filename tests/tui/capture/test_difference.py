"""Installing hooks from the browser: what would be written is shown first."""

from pathlib import Path

import pytest

from memtui.store.install import install
from tests.tui.browser import opened, text
from tests.tui.capture.screen import LOW, SIDE, look_again, row, to_capture
from tests.tui.hooked import SETTINGS, settle_in
from tests.tui.patience import press


@pytest.fixture(autouse=True)
def machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with three agents; nothing of the real one can be reached."""
    settle_in(home, monkeypatch)
    return home


async def test_i_shows_the_difference_before_it_writes(demo: Path, machine: Path) -> None:
    (machine / SETTINGS).write_text('{\n  "model": "opus"\n}\n')
    async with opened(demo, size=SIDE) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "i")
        shown = text(screen.pane)
        assert "Press i again to write this; Esc cancels." in shown
        assert "~/.claude/settings.json, changed" in shown
        assert '+  "model": "opus",' in shown and '-  "model": "opus"' in shown
        assert "hook.py" not in (machine / SETTINGS).read_text()
        await look_again(pilot)
        assert "Press i again" in text(screen.pane)
        await press(pilot, "escape")
        assert "i again" not in text(screen.pane)
        await press(pilot, "j", "i")
        assert "~/.codex/hooks.json, new file" in text(screen.pane)
        await press(pilot, "k", "i")
        assert "hook.py" not in (machine / SETTINGS).read_text()
        await press(pilot, "i")
        assert "hook.py" in (machine / SETTINGS).read_text()


async def test_what_was_changed_meanwhile_is_shown_anew_before_it_is_written(
    demo: Path, machine: Path
) -> None:
    async with opened(demo, size=SIDE) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "i")
        (machine / SETTINGS).write_text('{\n  "model": "opus"\n}\n')
        await press(pilot, "i")
        assert '+  "model": "opus",' in text(screen.pane)
        assert "hook.py" not in (machine / SETTINGS).read_text()


@pytest.mark.parametrize("size", [LOW, SIDE], ids=["80x24", "140x40"])
async def test_hooks_that_are_for_another_memory_are_told_with_its_name(
    demo: Path, machine: Path, size: tuple[int, int]
) -> None:
    other = machine / "other.db"
    install("codex", database=other)
    async with opened(demo, size=size) as pilot:
        screen = await to_capture(pilot)
        assert "⚠ codex found other memory" in row(pilot, "codex")
        assert "0 installed, 1 for another store" in text(screen.heading)
        await press(pilot, "j", "enter")
        assert "Its events go to ~/other.db." in text(screen.pane)
        await press(pilot, "i", "i")
        assert "✓ codex found installed" in row(pilot, "codex")
        assert str(other) not in (machine / ".codex/hooks.json").read_text()


async def test_what_an_agent_is_given_beside_hooks_is_shown_first_and_told_after(
    demo: Path, machine: Path
) -> None:
    async with opened(demo, size=SIDE) as pilot:
        screen = await to_capture(pilot)
        await press(pilot, "i")
        for file in ("~/.claude.json", "~/.claude/skills/memtui/SKILL.md"):
            assert f"• {file}, new file" in text(screen.pane)
        assert not (machine / ".claude" / "skills").exists()
        await press(pilot, "i")
        assert "✓ Installed in ~/.claude/settings.json" in text(screen.pane)
        assert "hooks, MCP, skill, commands" in text(screen.pane)
        skill = machine / ".claude/skills/memtui/SKILL.md"
        skill.write_text("mine " + skill.read_text())
        await look_again(pilot)
        assert "skill was changed by you" in " ".join(text(screen.pane).split())
        await press(pilot, "r", "r")
        assert "SKILL.md was changed since it was installed" in " ".join(text(screen.pane).split())
        assert not (machine / ".claude.json").exists()
        assert skill.exists()


async def test_an_agent_that_only_has_hooks_is_told_so_without_a_warning(demo: Path, machine: Path) -> None:
    install("claude-code", database=demo)
    async with opened(demo, size=SIDE) as pilot:
        screen = await to_capture(pilot)
        assert "✓ claude-code found installed" in row(pilot, "claude-code")
        assert "hooks; no MCP, no skill, no commands" in text(screen.pane)
        await press(pilot, "i")
        assert "• ~/.claude/skills/memtui/SKILL.md, new file" in text(screen.pane)
