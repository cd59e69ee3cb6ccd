"""Whatever a setting says, the browser starts, and what is wrong is named, with the nearest right name."""

from pathlib import Path
from typing import Any

import pytest

from memtui.store.config.file import parse
from memtui.store.config.reading import problems_of
from memtui.store.config.settings import SETTINGS, TABLES, Setting
from memtui.store.maintain.configuration import key_problems
from memtui.tui import key_problems as of_keys
from tests.tables import table
from tests.tui.browser import app, opened
from tests.tui.patience import idle

BY_KIND: dict[type[Any], str] = {
    bool: "{}",
    int: "7",
    float: "7.5",
    str: '"http://localhost:8080/v1"',
    tuple: '["x"]',
    type(None): "0.5",
}
WRONG = '{ neither = ["this", "nor", "that"] }'
"""What no setting can be."""


def row(setting: Setting, value: str = "") -> str:
    """A line that sets a setting to this, else to something valid that isn't what it is anyhow."""
    if TABLES[setting.table].is_open:
        name, _, example = setting.example.partition(" = ")
        return f"{name} = {value or example}"
    others = [f'"{one}"' for one in setting.allowed if one != setting.default]
    plain = BY_KIND[type(setting.default)].format(str(not setting.default).lower())
    return f"{setting.name} = {value or next(iter(others), setting.example or plain)}"


def document(*rows: tuple[Setting, str]) -> str:
    """A file with these lines below the names of their tables."""
    tables = dict.fromkeys(setting.table for setting, _ in rows)
    return "\n".join(
        line
        for name in tables
        for line in (f"[{name}]", *(text for one, text in rows if one.table == name))
    )


def problems(text: str) -> list[str]:
    """What `mem config check` says of a file."""
    tables = parse(text, Path("config.toml"))
    return [
        *(f"{one.key}: {one.sentence}" for one in problems_of(tables, text)),
        *(f"keys.{one.name}: {one.sentence}" for one in of_keys.problems(flat(tables.get("keys", {})))),
    ]


def flat(keys: dict[str, Any], above: str = "") -> dict[str, Any]:
    """`{"entry": {"pin": "P"}}` as `{"entry.pin": "P"}`; what is no text is left out."""
    found: dict[str, Any] = {}
    for name, value in keys.items():
        found |= flat(value, f"{above}{name}.") if isinstance(value, dict) else {f"{above}{name}": value}
    return {name: value for name, value in found.items() if isinstance(value, str)}


async def starts(demo: Path, place: Path, text: str) -> list[str]:
    """Start a browser with a file, and look whether it is there; what it tells."""
    place.write_text(text, "utf-8")
    async with opened(demo) as pilot:
        await app(pilot).workers.wait_for_complete()
        await idle(pilot)
        assert app(pilot).is_running and app(pilot).screen.query("*")
        return [one.message for one in app(pilot)._notifications]


def missing(_: object) -> None:
    raise KeyError("missing")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    return path


@table("setting", SETTINGS)
def test_a_valid_setting_is_no_problem_and_a_wrong_one_is_named(setting: Setting) -> None:
    alone = [
        line for line in problems(document((setting, row(setting)))) if line.startswith(f"{setting.key}:")
    ]
    assert alone == []
    name = row(setting).partition(" = ")[0].strip('"')
    wrong = problems(document((setting, row(setting, WRONG))))
    assert any(f"{setting.table}.{name}" in line for line in wrong), wrong


@table("setting", [one for one in SETTINGS if not TABLES[one.table].is_open])
def test_a_misspelt_name_is_told_with_the_nearest(setting: Setting) -> None:
    for misspelt in (f"{setting.name}x", setting.name[:-1]):
        found = problems(f"[{setting.table}]\n{misspelt} = 1")
        assert f'Did you mean "{setting.name}"?' in found[0], found


KEYS = {
    "entry.pinn": "entry.pin",
    "entri.pin": "entry.pin",
    "row.pin": "entry.pin",
    "entry_pin": "entry.pin",
    "app.fcts": "app.facts",
    "searc.pin": "search.pin",
}


@table("wrong, right", KEYS.items())
def test_a_misspelt_key_is_told_with_the_nearest(wrong: str, right: str) -> None:
    (found,) = problems(f'[keys]\n"{wrong}" = "P"')
    assert f'no key is called {wrong}. Did you mean "{right}"?' in found


def test_keys_are_told_of_in_a_process_of_their_own(place: Path) -> None:
    place.write_text('[keys]\nrow.pin = "P"\n', "utf-8")
    assert 'Did you mean "entry.pin"?' in key_problems()[0].sentence


@pytest.mark.parametrize("value", ["", WRONG])
async def test_a_browser_starts_with_all_settings_changed(demo: Path, place: Path, value: str) -> None:
    told = await starts(demo, place, document(*((one, row(one, value)) for one in SETTINGS)))
    assert bool(told) == bool(value)


@pytest.mark.long
@pytest.mark.parametrize("value", ["", WRONG])
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
async def test_a_browser_starts_with_each_setting_changed(
    demo: Path, place: Path, setting: Setting, value: str
) -> None:
    await starts(demo, place, document((setting, row(setting, value))))


@pytest.mark.parametrize("name", ["entry.pin", "no.such"])
async def test_a_browser_starts_with_a_key_of_the_users_own(demo: Path, place: Path, name: str) -> None:
    told = await starts(demo, place, f'[keys]\n{name} = "P"\n')
    assert bool(told) == (name == "no.such")


async def test_a_browser_goes_on_where_its_keys_can_not_be_looked_at(
    demo: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of_keys, "problems", missing)
    (told,) = await starts(demo, place, '[keys]\nentry.pin = "P"\n')
    assert "KeyError" in told
