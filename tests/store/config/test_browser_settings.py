"""What `[browser]` and `[keys]` say is read as far as it can be, and what can't is named with its line."""

from pathlib import Path

import pytest

from memtui.store.config import BrowserSettings, browser_settings, misspelt


def read(tmp_path: Path, text: str) -> tuple[BrowserSettings, list[tuple[str, int]]]:
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    settings, problems = browser_settings(path)
    return settings, [(problem.key, problem.line) for problem in problems]


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert browser_settings(tmp_path / "none.toml") == (BrowserSettings(), ())


@pytest.mark.parametrize(
    "text",
    [
        '[keys]\nsearch.pin = "P"\napp.help = "?, f1"\n',
        '[keys]\n"search.pin" = "P"\n"app.help" = "?,f1"\n',
        '[keys.search]\npin = "P"\n[keys.app]\nhelp = "?,F1"\n',
        'keys = { search.pin = "P", app = { help = "?,f1" } }\n',
    ],
)
def test_keys_are_the_same_however_they_are_written(tmp_path: Path, text: str) -> None:
    settings, problems = read(tmp_path, text)
    assert (settings.keys, problems) == ({"search.pin": "P", "app.help": "?,f1"}, [])


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("Ctrl+K", "ctrl+k"),
        ("shift+p", "P"),
        ("F5", "f5"),
        ("esc", "escape"),
        ("PageUp", "pageup"),
        ("return", "enter"),
        ("shift+F5", "shift+f5"),
        ("question_mark", "question_mark"),
        (",", ","),
        ("x, y", "x,y"),
    ],
)
def test_keys_may_be_named_as_people_do(tmp_path: Path, given: str, meant: str) -> None:
    assert read(tmp_path, f'[keys]\nentry.pin = "{given}"\n')[0].keys == {"entry.pin": meant}


def test_what_is_wrong_is_named_with_its_line_and_the_rest_is_used(tmp_path: Path) -> None:
    settings, problems = read(
        tmp_path,
        """\
# mine
[browser]
theme = "nord"
density = "dense"      # 4
colours = { x = "red" }

[browser.panes]
search = 40
facets = 900           # 9

[browser.colors]
bugfix = '''
rde'''                 # 12 and 13

[keys]
search.pin = 3         # 16
entry.copy = "Y"

[observr]
kind = "rules"
""",
    )
    assert settings == BrowserSettings(theme="nord", panes={"search": 40}, keys={"entry.copy": "Y"})
    assert problems == [
        ("browser.density", 4),
        ("browser.colours", 5),
        ("browser.panes.facets", 9),
        ("browser.colors.bugfix", 12),
        ("keys.search.pin", 16),
        ("observr", 19),
    ]


@pytest.mark.parametrize("text", ["[browser", "browser = 3\nkeys = []\n", "\x00", "[keys]\nx.y = ''\n"])
def test_no_file_keeps_the_browser_from_starting(tmp_path: Path, text: str) -> None:
    settings, problems = read(tmp_path, text)
    assert settings == BrowserSettings()
    assert problems


def test_a_directory_or_bytes_in_place_of_the_file_are_told(tmp_path: Path) -> None:
    assert "can't be read" in str(browser_settings(tmp_path)[1][0])
    (tmp_path / "config.toml").write_bytes(b"\xff")
    assert "can't be read" in str(browser_settings(tmp_path / "config.toml")[1][0])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[browser]\ntheme = "nrod"', 'Did you mean "nord"?'),
        ('[browser]\nstart_scren = "facts"', 'Did you mean "start_screen"?'),
        ("[browser]\nmouse = 1", "browser.mouse is true or false, not 1"),
        ("[browser.panes]\nsearch = 95", "from 10 to 90"),
        ('[browser.colors]\nbugfix = "#12345"', "It is a colour"),
        ('[keys]\nentry.pin = "ctrl+"', "is a key"),
        ('[keys]\nentry.pin = "prnt"', "is a key"),
        ("[broswer]\n", 'Did you mean "browser"?'),
        ('[observer]\nkind = "command"\n', "name the program"),
    ],
)
def test_doctor_says_what_a_value_may_be(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "config.toml").write_text(text)
    assert says in misspelt(tmp_path / "config.toml")
