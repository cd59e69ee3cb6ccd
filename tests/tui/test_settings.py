"""What the user chose of the browser's looks is used, kept, and told where it can't be."""

import os
import subprocess
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path

import pytest
from textual.app import App

from memtui.store import parse
from memtui.store.config.records import WINDOWS
from memtui.tui.parts.frame import Header
from memtui.tui.timeline.lists import LADDER, TimelinePane
from tests.editors import editor
from tests.tui.browser import app, opened, press, search, text
from tests.tui.patience import idle


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration of the test's own, not yet there."""
    path = tmp_path / "settings" / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    return path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


async def test_what_is_chosen_holds_at_once_and_at_the_next_start(demo: Path, config: Path) -> None:
    async with opened(demo) as pilot:
        app(pilot).keep(density="compact", theme="nord", panes={"search": 40})
        assert (app(pilot).settings.density, app(pilot).theme) == ("compact", "nord")
        await idle(pilot)
    assert tomllib.loads(config.read_text()) == {
        "browser": {"density": "compact", "theme": "nord", "panes": {"search": 40}}
    }
    async with opened(demo) as pilot:
        settings = app(pilot).settings
        assert (settings.density, settings.panes) == ("compact", {"search": 40})
        assert app(pilot).theme == "nord"


async def test_a_theme_that_is_chosen_by_name_is_kept_also_over_a_memory_to_be_read_only(
    demo: Path, config: Path
) -> None:
    write(config, '# mine\n[observer]\nkind = "rules" # free\n')
    async with opened(demo, read_only=True) as pilot:
        app(pilot).theme = "dracula"
        await idle(pilot)
    assert config.read_text() == (
        '# mine\n[observer]\nkind = "rules" # free\n\n[browser]\ntheme = "dracula"\n'
    )


async def test_what_others_write_into_the_file_is_seen_and_what_they_break_changes_nothing(
    demo: Path, config: Path
) -> None:
    async with opened(demo) as pilot:
        write(config, '[browser]\ntheme = "nord"\ndensity = "compact"\n')
        app(pilot).watcher.look(app(pilot))
        await idle(pilot)
        assert (app(pilot).theme, app(pilot).settings.density) == ("nord", "compact")
        write(config, "[browser\ntheme = ")
        app(pilot).watcher.look(app(pilot))
        await idle(pilot)
        assert app(pilot).theme == "nord"
        assert len(pilot.app._notifications) == 1
    assert config.read_text() == "[browser\ntheme = "


async def test_what_is_wrong_in_the_file_is_told_with_its_line_and_the_rest_holds(
    demo: Path, config: Path
) -> None:
    write(config, '[browser]\ndensity = "compact"\n\ntheme = "nrod"\n')
    async with opened(demo) as pilot:
        (told,) = pilot.app._notifications
        assert "config.toml, line 4" in told.message
        assert 'Did you mean "nord"?' in told.message
        assert app(pilot).settings.density == "compact"
        assert app(pilot).theme == "memtui-dark"


async def test_a_file_that_is_no_toml_stops_nothing_and_is_not_overwritten(
    demo: Path, config: Path
) -> None:
    write(config, "[browser\n")
    async with opened(demo) as pilot:
        app(pilot).keep(density="compact")
        app(pilot).keep(density="comfortable")
        await idle(pilot)
        told = [one.message for one in pilot.app._notifications]
        assert len(told) == 2, told
        assert "is not valid TOML" in told[0]
        assert "lasts only until you quit" in told[1]
    assert config.read_text() == "[browser\n"


async def test_it_opens_with_the_screen_and_the_focus_that_were_chosen(demo: Path, config: Path) -> None:
    write(config, '[browser]\nstart_screen = "facts"\n')
    async with opened(demo) as pilot:
        assert app(pilot).current_mode == "facts"
        assert not app(pilot).has_way_back
        await press(pilot, "1")
        assert app(pilot).current_mode == "search"
    write(config, '[browser]\nstart_focus = "results"\n')
    async with opened(demo) as pilot:
        assert search(pilot).results.list.has_focus
        await press(pilot, "slash")
        assert search(pilot).bar.input.has_focus


async def test_a_screen_that_a_memory_lacks_is_not_the_first_of_it(demo: Path, config: Path) -> None:
    write(config, '[browser]\nstart_screen = "agents"\n')
    async with opened(demo, read_only=True, owner="claude-mem ~/x.db") as pilot:
        assert app(pilot).current_mode == "search"


async def test_an_empty_memory_welcomes_wherever_the_focus_is_to_be(empty: Path, config: Path) -> None:
    write(config, '[browser]\nstart_focus = "results"\n')
    async with opened(empty) as pilot:
        assert pilot.app.focused is search(pilot).welcome


async def test_a_key_opens_the_file_and_what_was_changed_holds_at_once(
    demo: Path, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(App, "suspend", lambda _: nullcontext())
    uncommented = (
        "t = t.replace('# theme = \"\"', 'theme = \"nord\"')"
        ".replace('# search.pin', 'app.facts = \"f4\"\\nsearch.pin')"
        ".replace('# mouse = true', 'mouse = 3')"
    )
    monkeypatch.setenv("VISUAL", editor(tmp_path, uncommented))
    async with opened(demo) as pilot:
        await press(pilot, "escape", "comma")
        assert app(pilot).theme == "nord"
        assert app(pilot).settings.keys == {"app.facts": "f4", "search.pin": "P"}
        assert " f4 Facts" in text(pilot.app.screen.query_one(Header))
        (told,) = app(pilot)._notifications
        assert "browser.mouse is true or false, not 3" in told.message
    assert 'theme = "nord"' in config.read_text()


async def test_an_editor_that_fails_is_told(
    demo: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(App, "suspend", lambda _: nullcontext())
    monkeypatch.setenv("VISUAL", "false")
    async with opened(demo) as pilot:
        await press(pilot, "escape", "comma")
        assert "false ended with 1" in next(iter(app(pilot)._notifications)).message
    assert not config.exists()


async def test_the_timeline_opens_with_the_window_that_was_chosen(demo: Path, config: Path) -> None:
    write(config, '[browser]\ntimeline_window = "1w"\n')
    async with opened(demo) as pilot:
        await press(pilot, "escape", "2")
        assert pilot.app.screen.query_one(TimelinePane).window_size.label == "±1w"


def test_every_window_has_its_name_in_the_configuration() -> None:
    assert [f"±{name}" for name in WINDOWS] == [size.label for size in LADDER]


async def test_completion_offers_chinese_names_where_these_are_wanted(demo: Path, config: Path) -> None:
    write(config, '[browser]\nlanguage = "zh"\n')
    async with opened(demo) as pilot:
        await press(pilot, *"ty", "tab")
        assert search(pilot).bar.input.value == "类型:"
        await press(pilot, *"bugf", "tab")
        assert search(pilot).bar.input.value == "类型:修复 "
        (chip,) = search(pilot).results.asked.query.chips
        assert chip.label == parse("type:bugfix").chips[0].label


def test_without_a_file_nothing_is_imported_that_reads_or_writes_one(tmp_path: Path) -> None:
    later = (
        *("tomllib", "tomlkit", "memtui.store.config.settings", "memtui.store.maintain.configuration"),
        *("memtui.tui.key_problems", "memtui.tui.text.contrast"),
    )
    code = (
        "import sys; from memtui.tui.app import MemApp; from pathlib import Path;"
        f"MemApp(Path('m.db')); print(*(set(sys.modules) & {set(later)!r}))"
    )
    environment = {**os.environ, "MEMTUI_CONFIG": str(tmp_path / "none.toml")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"
