"""The browser in the user's language: that no text for people is written outside of the catalogue."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui import tui
from memtui.store.agents.registry import BY_NAME
from memtui.tui.keys.mem_commands import COMMANDS

TOP = Path(tui.__file__).parent
CATALOGUE = {"_", "N_", "count_noun"}
"""What gives a text in the user's language, or marks it for the catalogue."""
SINKS: dict[str, tuple[int | str, ...]] = {
    "Binding": (2, 3, "tooltip"),
    "Tab": (2, 3),
    "Command": (1, 2, 3, "name", "sentence", "group"),
    "notify": (0,),
    "entitle": (0, 1),
    "tell": (0,),
    "tell_change": (1,),
    "_told": (0,),
    "_tell": (0,),
    "telling": (0,),
    "Static": (0,),
    "Label": (0,),
    "Content": (0,),
    "styled": (0,),
    "assemble": tuple(range(12)),
    "plain": (0,),
    "joined": tuple(range(6)),
    "Passage": (1, "label"),
    "Entry": (3,),
    "LineInput": ("placeholder",),
    "PromptLine": (0, "placeholder"),
    "PaletteScreen": ("title", "placeholder"),
    "QuestionScreen": (0, 2),
    "ConfirmScreen": (0, 1, 2),
    "confirmed": (0, 1, 2),
    "AskScreen": (0, 1, 2),
    "ChooseScreen": (2,),
    "PickScreen": (0, 2),
    "Pick": (0, "note", "told", "trouble"),
    "ExportScreen": (0, 1),
    "run_beside": (0,),
    "take_back": (2,),
    "Hint": (0, 1),
    "TabLine": tuple(range(6)),
    "Status": (1,),
    "Glyph": (3,),
    "FileFormat": (1,),
    "TakenBack": (0,),
}
"""The calls that show texts to people, and which of their arguments do."""
NAMES = {"border_title", "border_subtitle", "placeholder", "at_work", "place", "place_name"}
"""What holds a text that is shown, wherever it is assigned."""
NO_WORDS = re.compile(
    r"""
    \$[\w-]+                        # a colour
    | \b(?:mem|memtui)\b[^·]*       # a command
    | \b(?:alt|ctrl|shift)\+ \S+ | \b(?:[Ee]sc|[Ee]nter|tab|[Ss]pace)\b
    | \b(?:MB|ms|KB|UTC|tok)\b
    | \b[\w.]+\.(?:toml|md)\b
    """,
    re.VERBOSE,
)
WORD = re.compile(r"[A-Za-z]{2,}")
ENGLISH = re.compile(r"[A-Za-z]{3,}")
SENTENCE = re.compile(r"^[A-Z]?[a-z']+,? [a-z']+,? [a-z']+")
"""What a constant holds that is shown."""

NAMES_ON_SCREENS = re.compile(
    r"""
    \bmem\b [^│]*                   # a command, to the end of its line or pane
    | /\S+ | \S+\.(?:db|md|toml)\b    # paths
    | -?[a-z]+:\S*                  # filters
    | \$[A-Z]+ | \b[A-Z]{3,}\b     # variables, and what stands for something in commands
    | \b(?:alt|ctrl|shift)\+\S+ | \b(?:esc|tab|space|pgup|pgdn|home|end|del|Enter|Space|Ctrl)\b
    | \b(?:memtui|memory-data|scheme|claude-mem|Markdown|token|decision|note)\b
    """,
    re.VERBOSE,
)
"""Data, names of keys, and the few words that stay in every language."""
AGENTS = {word for name in BY_NAME for word in (*name.split("-"), *name.title().split("-"))}


@pytest.mark.long
def test_in_chinese_no_screen_has_an_english_word(tmp_path: Path) -> None:
    environment = {**os.environ, "LANG": "zh_CN.UTF-8", "LC_ALL": "", "LANGUAGE": ""}
    done = subprocess.run(
        [sys.executable, "-m", "tests.tui.in_chinese", tmp_path / "memory.db"],
        cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for name, screen in json.loads(done.stdout).items():
        if name == "composer":
            # At the right stands what an agent is told.
            screen = "\n".join(line.partition("│")[0] for line in screen.splitlines())
        words = set(ENGLISH.findall(NAMES_ON_SCREENS.sub(" ", screen))) - AGENTS
        if name == "help":
            # Commands there go on in the next line.
            words -= set(ENGLISH.findall(" ".join(COMMANDS.values())))
        assert not words, f"{name}: {words}\n{screen}"
        assert "记忆" in screen


def test_the_browser_writes_no_text_for_people_outside_of_the_catalogue() -> None:
    found = [
        f"{path.relative_to(TOP)}:{getattr(node, 'lineno', 0)} {text!r}"
        for path in sorted(TOP.glob("**/*.py"))
        if path.name not in ("__main__.py", "mem_commands.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for text in _shown(node)
        if WORD.search(NO_WORDS.sub("", text))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('app.notify("Nothing here.")', ["Nothing here."]),
        ('app.notify(f"{count} left")', [" left"]),
        ('app.notify(_("Nothing here."))', []),
        ('app.notify("Done" if done else _("Not yet"))', ["Done"]),
        ('box.border_title = "keys" + name', ["keys"]),
        ('Binding("x", "hide", _("Hide"), tooltip="Hide it")', ["Hide it"]),
        ('Content.assemble(("all ", DIM), _("none"))', ["all "]),
        ('plain(names.get("title"), "bold")', []),
        ('NOTHING = "There is nothing."', ["There is nothing."]),
        ('MODES = ("search", "timeline")', []),
    ],
)
def test_what_is_shown_is_told_from_what_is_not(source: str, expected: list[str]) -> None:
    assert [text for node in ast.walk(ast.parse(source)) for text in _shown(node)] == expected


def _shown(node: ast.AST) -> Iterator[str]:
    """Yield the texts that a call or an assignment shows as they stand in the source."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else _name(node.func)
        shown = SINKS.get(name, ())
        places = [node.args[at] for at in shown if isinstance(at, int) and at < len(node.args)]
        named = [keyword.value for keyword in node.keywords if keyword.arg in shown]
        for value in (*places, *named):
            yield from _texts(value)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(_name(target) in NAMES for target in targets):
            yield from _texts(node.value)
        elif any(_name(target).isupper() for target in targets):
            yield from filter(SENTENCE.search, _texts(node.value))


def _name(node: ast.expr) -> str:
    return getattr(node, "id", "") or getattr(node, "attr", "")


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the literal texts that a value is made of."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values):
            yield "".join(str(part.value) for part in values if isinstance(part, ast.Constant))
        case ast.BinOp(left, _operator, right):
            yield from _texts(left)
            yield from _texts(right)
        case ast.IfExp(_test, then, otherwise):
            yield from _texts(then)
            yield from _texts(otherwise)
        case ast.BoolOp(_operator, values):
            yield from (text for value in values for text in _texts(value))
        case ast.Tuple([first, *_rest]):
            # A text and its style.
            yield from _texts(first)
        case ast.Dict(_keys, values):
            yield from (text for value in values for text in _texts(value))
