"""The template and the documentation say what the settings are."""

import re
import tomllib
from pathlib import Path

from memtui.store.config import BrowserSettings, browser_settings
from memtui.store.config.reading import problems_of
from memtui.store.config.settings import SETTINGS, TABLES, setting_of
from memtui.store.maintain.configuration import reference, template
from tests.places import ROOT


def test_the_template_sets_nothing_and_names_every_setting(tmp_path: Path) -> None:
    assert all(
        table == {} or set(table) <= {"panes", "colors"} for table in tomllib.loads(template()).values()
    )
    for setting in SETTINGS:
        assert setting.sentence.split(".")[0][:40] in re.sub(r"\n# ", " ", template())
    path = tmp_path / "config.toml"
    path.write_text(template(), "utf-8")
    assert browser_settings(path) == (BrowserSettings(), ())


def test_every_line_of_the_template_can_be_put_in_force() -> None:
    lines = [re.sub(r"^# (\S+ = )", r"\1", line) for line in template().splitlines()]
    text = "\n".join(lines).replace('kind = "rules"', 'kind = "openai"')
    tables = tomllib.loads(text)
    assert problems_of(tables, text) == ()
    assert tables["keys"] == {"search": {"pin": "P"}}
    assert set(tables["browser"]) >= {one.name for one in SETTINGS if one.table == "browser"}


def test_the_documentation_lists_every_setting_as_it_is() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert reference() in page, (
        "put what memtui.store.maintain.configuration.reference() returns into the page"
    )


def test_each_setting_is_found_by_its_name() -> None:
    for setting in SETTINGS:
        if not TABLES[setting.table].is_open:
            assert setting_of(setting.key) is setting
    assert setting_of("keys.search.pin") is not None
    assert setting_of("browser.panes.search") is not None
    assert setting_of("browser") is None and setting_of("") is None


def test_screens_and_keys_are_known_by_their_former_names_too(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        '[browser]\nstart_screen = "queue"\n'
        '[keys]\n"app.agents" = "f5"\nagents.install = "I"\nqueue.retry = "t"\n'
    )
    settings, problems = browser_settings(path)
    assert (settings.start_screen, problems) == ("capture", ())
    assert settings.keys == {"app.capture": "f5", "capture.install": "I", "capture.retry": "t"}
