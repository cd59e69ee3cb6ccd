"""Keys can be chosen: what they do, where they show, and what is said of those that make no sense."""

from pathlib import Path

import pytest

from memtui.tui.help.screen import HelpScreen
from memtui.tui.key_problems import problems
from memtui.tui.parts.frame import Header, KeysFooter
from tests.store.cli.runner import Mem
from tests.tui.browser import app, opened, press, search, text
from tests.tui.patience import idle


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration of the test's own, empty."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    path.touch()
    return path


async def test_a_key_holds_on_the_screen_it_was_given_for(demo: Path, config: Path) -> None:
    config.write_text('[keys]\nsearch.pin = "P"\n')
    async with opened(demo, size=(200, 40)) as pilot:
        await press(pilot, "escape")
        row = search(pilot).row
        assert row is not None
        assert " P Pin" in text(pilot.app.screen.query_one(KeysFooter))
        await press(pilot, "p")
        assert not app(pilot)._notifications
        await press(pilot, "P")
        assert [one.message[:6] for one in app(pilot)._notifications] == ["Pinned"]
        await press(pilot, "2")
        assert " p Pin" in text(pilot.app.screen.query_one(KeysFooter))
        await press(pilot, "1")
        assert " P Pin" in text(pilot.app.screen.query_one(KeysFooter))


async def test_a_key_that_was_given_everywhere_shows_in_tabs_footer_and_help(
    demo: Path, config: Path
) -> None:
    config.write_text('[keys]\napp.facts = "f4"\nentry.copy = "c"\n')
    async with opened(demo, size=(200, 60)) as pilot:
        assert " f4 Facts " in text(pilot.app.screen.query_one(Header))
        await press(pilot, "escape")
        assert " c Copy" in text(pilot.app.screen.query_one(KeysFooter))
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, *"copy")
        shown = [strip.text for strip in pilot.app.screen._compositor.render_strips()]
        assert any(" c  " in line for line in shown if "lipboard" in line), shown
        await press(pilot, "escape")
        if isinstance(pilot.app.screen, HelpScreen):
            await press(pilot, "escape")
        await press(pilot, "f4")
        assert app(pilot).current_mode == "facts"
        await press(pilot, "4")
        assert app(pilot).current_mode == "facts"


async def test_what_shares_a_usual_key_with_what_got_another_keeps_it(demo: Path, config: Path) -> None:
    config.write_text('[keys]\nmark.none = "N"\n')
    async with opened(demo) as pilot:
        await press(pilot, "escape", "t", "escape")
        assert len(pilot.app.screen_stack) == 1


async def test_keys_of_two_and_names_of_none_are_told_at_the_start(demo: Path, config: Path) -> None:
    config.write_text('[keys]\nsearch.pin = "y"\nentry.delet = "D"\n')
    async with opened(demo) as pilot:
        await idle(pilot)
        told = {one.message for one in app(pilot)._notifications}
        assert "config.toml, line 2: search.pin and entry.copy are both 'y' on Search." in told
        assert any('entry.delet. Did you mean "entry.delete"?' in one for one in told)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"search.pin": "y"}, ["search.pin and entry.copy are both 'y' on Search."]),
        ({"search.pin": "P"}, []),
        ({"entry.pin": "y", "entry.copy": "p"}, []),
        ({"capture.drop": "f"}, ["capture.drop and capture.state are both 'f' on Capture."]),
        ({"composer.tick": "y"}, ["composer.tick and composer.copy are both 'y' on Composer."]),
        (
            {"save.cancel": "ctrl+q"},
            ["save.cancel and app.quit-now are both 'ctrl+q' on the dialog SaveSearch."],
        ),
        ({"search.pni": "P"}, ['no key is called search.pni. Did you mean "search.pin"?']),
        ({"serch.pin": "P"}, ['no key is called serch.pin. Did you mean "search.pin"?']),
        ({"app.help": "f1"}, []),
    ],
)
def test_what_makes_no_sense_is_named_with_what_it_clashes_with(
    keys: dict[str, str], says: list[str]
) -> None:
    assert [one.sentence for one in problems(keys)] == says


@pytest.mark.long
def test_the_command_line_asks_the_browser_for_its_keys(demo: Path, config: Path) -> None:
    mem = Mem(demo, demo.parent)
    config.write_text('[browser]\n\n[keys]\nsearch.pin = "y"\n')
    done = mem("config", "check")
    assert done.exit_code == 1
    assert done.stdout == "config.toml, line 4: search.pin and entry.copy are both 'y' on Search.\n"
    assert "both 'y'" in mem("config", "set", "keys.search.pin", "y").stderr
    assert "both 'y'" in mem("doctor").stdout
    mem.ok("config", "set", "keys.search.pin", "P")
    assert mem.ok("config", "check") == ""
