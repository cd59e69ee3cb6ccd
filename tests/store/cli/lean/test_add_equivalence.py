"""The lean `mem add` does what the full one does, or leaves it alone."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.cli import lean_add
from memtui.store.tables import lean
from tests.sizes import costly

from ..runner import Mem

DIFFERING = {"uid", "created_at", "updated_at", "started_at", "hlc"}

PLAIN = [
    ["add", "Fixed the token refresh"],
    ["add", "Title", "--type", "bugfix", "--subtitle", "below", "--narrative", "two\nlines"],
    ["add", "--fact", 'a "quoted" one', "--fact", "back\\slash\nline", "--tag=x", "Title"],
    ["add", "Title", "--concept", "缓存", "--read", "src/a b.py", "--modified", "ü.py"],
    ["add", "Title", "--session", "c-known"],
    ["add", "Title", "--session", "c-new", "--agent", "codex", "--project", "other"],
    ["add", "Title", "--session", "c-known", "--project", "other"],
    ["add", "Title", "--tool", "Bash", "--prompt-number", "007", "--tokens", "12"],
    ["add", "Title", "--event-id", "e-known"],
    ["add", "Title", "--event-id", "e-new", "--private"],
    ["add", "Title", "--type", "plan", "--type", "error"],
]

UNUSUAL = [
    ["add"],
    ["add", "Title", "Another"],
    ["add", "Title", "--json"],
    ["add", "--help"],
    ["add", "Title", "--at", "2h"],
    ["add", "Title", "--narrative", "-"],
    ["add", "--stdin", "Title"],
    ["add", "--stdin", "--json"],
    ["add", "--stdin", "--narrative", "-"],
    ["add", "Title", "--nar", "x"],
    ["add", "a <private>b</private>"],
    ["add", "Title", "--fact", "tab\there"],
    ["add", "Title", "--fact", "lone \udcff"],
    ["add", ""],
    ["add", "Title", "--subtitle", ""],
    ["add", "Title", "--type"],
    ["add", "Title", "--tokens", "-1"],
    ["add", "Title", "--tokens", "²"],
    ["add", "Title", "--tokens", "9" * 20],
    ["add", "Title", "--session", "@1"],
    ["add", "Title", "--session", "@77"],
    ["add", "--", "Title"],
    ["--type", "x", "add", "Title"],
    ["search", "add"],
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory with a session and an event that are known."""
    path = tmp_path_factory.mktemp("template") / "memory.db"
    with Store.open(path) as store:
        store.sessions.start("c-known", agent="codex", project="payments")
        store.observations.add("c-known", title="Known", event_id="e-known")
    return path


def rows(path: Path) -> list[dict[str, Any]]:
    """All sessions and observations but for what is new in every row."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    found = []
    for table in ("sessions", "observations"):
        names = [name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        found += [dict(zip(names, row, strict=True)) for row in db.execute(f"SELECT * FROM {table}")]
    db.close()
    return [{key: value for key, value in row.items() if key not in DIFFERING} for row in found]


@contextmanager
def standard_input(text: bytes) -> Iterator[None]:
    """Have the process read a text from its standard input."""
    before, saved = sys.stdin, os.dup(0)
    with TemporaryFile() as file:
        file.write(text)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(saved, 0)
            os.close(saved)
            sys.stdin = before


def both(template: Path, lines: list[list[str]], folder: Path, text: bytes = b"") -> list[list[int] | None]:
    """Run command lines by either way on two copies; they must agree wherever lean acts."""
    with TemporaryDirectory() as room:
        ours, full = Path(room) / "lean.db", Path(room) / "full.db"
        shutil.copy(template, ours)
        with Store.open(ours) as store:
            # The first memory of a place is the full command's: it looks whose place it is.
            store.known_projects.of(str(Path.cwd()))
        shutil.copy(ours, full)
        answers: list[list[int] | None] = []
        for line in lines:
            before = rows(ours)
            with standard_input(text):
                numbers = lean_add.add(["--db", str(ours), *line])
            answers.append(numbers)
            if numbers is None:
                assert rows(ours) == before
                continue
            printed = Mem(full, folder).ok(*line, input=text)
            assert printed == "\n".join(map(str, numbers))
            assert rows(ours) == rows(full)
        with Store.open(ours) as store:
            assert store.doctor(thorough=True).ok
        return answers


@pytest.mark.parametrize("line", PLAIN, ids=" ".join)
def test_a_plain_line_is_stored_as_the_full_command_stores_it(
    template: Path, line: list[str], folder: Path
) -> None:
    assert both(template, [line], folder) != [None]


@pytest.mark.parametrize("line", UNUSUAL, ids=repr)
def test_an_unusual_line_is_left_alone(template: Path, line: list[str], folder: Path) -> None:
    assert both(template, [line], folder) == [None]


VALUES = st.one_of(
    st.sampled_from(["x", "-", "-x", "@1", "c-known", "e-known", "payments", "<private>", "7"]),
    st.text(max_size=6),
)
FLAGS = st.sampled_from(
    [*lean_add.TEXT_OPTIONS.keys() - {"--db"}, *lean_add.LIST_OPTIONS, *lean_add.NUMBER_OPTIONS]
)
LINES = st.builds(
    lambda title, flags, private: [
        "add", title, *(part for flag in flags for part in flag), *private
    ],
    VALUES,
    st.lists(st.tuples(FLAGS, VALUES), max_size=4),
    st.sampled_from([[], ["--private"]]),
)  # fmt: skip


@costly()
@given(lines=st.lists(LINES, min_size=1, max_size=3))
def test_any_line_is_stored_alike_or_left_alone(template: Path, lines: list[list[str]]) -> None:
    both(template, lines, Path.cwd())


PLAIN_TEXTS = [
    '{"title": "Retry with an idempotency key", "type": "decision"}',
    '{"title": "One"}\n\n  {"title": "Two", "session": "c-new", "project": "other"}\r\n',
    '{"title": "a \\"quoted\\" one", "narrative": "two\\nlines", "facts": ["x", "back\\\\slash"]}',
    '{"concepts": ["缓存"], "files_read": [], "tags": ["t"], "title": "标题", "private": true}',
    '{"title": "T", "event_id": "e-known"}\n{"title": "T", "event_id": "e-new"}\n{"title": "U"}',
    '{"title": "T", "prompt_number": 7, "discovery_tokens": 12, "tool_name": "Bash"}',
    '{"title": "T", "agent": "codex", "session": "c-known", "subtitle": "s", "private": false}',
    "",
]

UNUSUAL_TEXTS = [
    "no JSON",
    "[]",
    '"title"',
    "{}",
    '{"title": ""}',
    '{"title": null}',
    '{"title": 7}',
    '{"title": "T", "title": "U"}',
    '{"title": "T", "facts": "x"}',
    '{"title": "T", "facts": [7]}',
    '{"title": "T", "facts": [["x"]]}',
    '{"title": "T", "facts": [{"x": "y"}]}',
    '{"title": "T", "facts": [""]}',
    '{"title": "T", "prompt_number": -1}',
    '{"title": "T", "prompt_number": 1.0}',
    '{"title": "T", "prompt_number": true}',
    '{"title": "T", "discovery_tokens": 99999999999999999999}',
    '{"title": "T", "private": 1}',
    '{"title": "T", "session": "@1"}',
    '{"title": "T", "created_at": 1}',
    '{"title": "T", "unknown": "x"}',
    '{"title": "\\ud83d"}',
    '{"title": "T", "narrative": "password: hunter-42aB"}',
    '{"title": "a <private>b</private>"}',
    "{title: 'T'}",
    '{"title": "T",}',
    '{"title": "T"} trailing',
    '{"title": "T"}\n{"title": "tab\\there"}',
]


@pytest.mark.parametrize("flags", [[], ["--type", "plan", "--fact", "y", "--project", "other"]])
@pytest.mark.parametrize("text", PLAIN_TEXTS)
def test_plain_lines_are_stored_as_the_full_command_stores_them(
    template: Path, text: str, flags: list[str], folder: Path
) -> None:
    assert both(template, [["add", "--stdin", *flags]], folder, text.encode()) != [None]


@pytest.mark.parametrize("text", UNUSUAL_TEXTS)
def test_unusual_lines_are_left_alone(template: Path, text: str, folder: Path) -> None:
    assert both(template, [["add", "--stdin"]], folder, text.encode()) == [None]


JSON_VALUES = st.one_of(
    VALUES, st.lists(VALUES, max_size=2), st.integers(), st.booleans(), st.none(), st.floats()
)
KEYS = st.sampled_from([*lean_add.TEXTS, *lean.LISTS, *lean_add.NUMBERS, "private", "text"])
OBJECTS = st.builds(
    lambda title, values, ascii: json.dumps({"title": title, **values}, ensure_ascii=ascii),
    VALUES,
    st.dictionaries(KEYS, JSON_VALUES, max_size=3),
    st.booleans(),
)


@costly()
@given(objects=st.lists(OBJECTS, min_size=1, max_size=3))
def test_any_lines_are_stored_alike_or_left_alone(template: Path, objects: list[str]) -> None:
    text = "\n".join(objects).encode("utf-8", "surrogatepass")
    both(template, [["add", "--stdin"]], Path.cwd(), text)


SHELLS = [
    {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "c-known"},
    {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "c-new"},
    {"CODEX_THREAD_ID": "c-live", "CLAUDECODE": "1"},
    {"GEMINI_CLI": "1"},
    {"GEMINI_SESSION_ID": "@1"},
    {"COPILOT_CLI": "1"},
]


@pytest.mark.parametrize("shell", SHELLS, ids=str)
@pytest.mark.sampled
def test_in_an_agents_shell_any_line_is_stored_alike(
    template: Path, shell: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in shell.items():
        monkeypatch.setenv(name, value)
    with Store.open(template) as store:
        store.sessions.start("g-live", agent="gemini", project="atlas")
    lines = [
        ["add", "Title"],
        ["add", "Title", "--project", "other"],
        ["add", "Title", "--session", "c-other"],
        ["add", "Title", "--agent", "codex"],
    ]
    assert None not in both(template, lines, folder)
    both(template, [["add", "--stdin"]], folder, b'{"title": "T"}\n{"title": "U", "session": "s-9"}')
