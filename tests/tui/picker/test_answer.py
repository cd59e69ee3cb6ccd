"""What is given for what was picked, in every format, and quoted so that no shell runs it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.cli.picking import FIELDS, PickRequest
from memtui.tui.leaves.picker.app import answer, open_quote, quoted
from tests.tui.browser import NOW


def given(store: Store, *refs: str, **asked: str) -> str:
    return answer(store, refs, PickRequest(**asked))  # type: ignore[arg-type]


@pytest.fixture
def two(store: Store) -> Store:
    store.observations.add(
        "c-1", title="One", narrative="What\nhappened", type="bugfix", project="atlas", at=NOW
    )
    store.prompts.add("c-1", "why\x1b[2J so?", at=NOW)
    return store


def test_references_stand_one_a_line_and_command_no_terminal(two: Store) -> None:
    assert given(two, "1", "p1") == "[mem 1: One]\n[mem p1: why␛[2J so?]\n"


def test_a_long_title_is_cut(store: Store) -> None:
    store.observations.add("c-1", title="word " * 60)
    line = given(store, "1")
    assert line.endswith("word…]\n") and len(line) < 120


def test_ids_and_texts(two: Store) -> None:
    assert given(two, "p1", "1", format="id") == "p1\n1\n"
    text = given(two, "1", "p1", format="text")
    assert text.startswith("One\n\nWhat\nhappened") and "\n---\n\nwhy␛[2J so?\n" in text


def test_markdown_and_json(two: Store) -> None:
    assert "What\nhappened" in given(two, "1", format="markdown")
    found = json.loads(given(two, "1", "p1", format="json"))
    assert [one["ref"] for one in found] == ["1", "p1"]
    assert found[1]["text"] == "why\x1b[2J so?"


def test_a_template_names_fields_and_breaks(two: Store) -> None:
    assert given(two, "1", template="{id}\\t{type} of {project}\\n") == "1\tbugfix of atlas\n"
    assert given(two, "1", "p1", template="{session} {kind}") == "c-1 observation\nc-1 prompt\n"


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_that_a_template_can_name_says_something(two: Store, name: str) -> None:
    assert given(two, "1", template=f"{{{name}}}").strip() or name == "agent"


def test_what_is_gone_meanwhile_is_left_out(two: Store) -> None:
    assert given(two, "99", "1", format="id") == "1\n"
    assert given(two, "99") == ""


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        ("", ""), ("echo 'a' \"b\"", ""), ("echo 'a", "'"), ('say "it', '"'), ('say "it\'s', '"'),
        ("a\\'b", ""), ("'a\\'", ""), ('"a\\"', '"'),
    ],
)  # fmt: skip
def test_the_quote_that_a_line_has_opened(line: str, quote: str) -> None:
    assert open_quote(line) == quote


HOSTILE = [
    "$(touch ran)", "`touch ran`", "'; touch ran; '", '"; touch ran; "', "\\'; touch ran #",
    "\\$(touch ran)", "a\\", "$HOME", "(touch ran)", "{a,b} * ? [x] ~ !! !x", "a; touch ran",
    "a & touch ran", "\\`touch ran\\`",
]  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("before", ["", "'in ", '"in '], ids=["bare", "single", "double"])
def test_a_shell_reads_one_word_of_it_and_runs_nothing(tmp_path: Path, shell: str, before: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    closing = before[:1]
    for text in HOSTILE:
        line = f"printf '<%s>' {before}{quoted(text, before)}{closing}"
        done = subprocess.run(
            [shell, "-c", line], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, (text, done.stderr)
        assert done.stdout.count("<") == 1, text
        assert not (tmp_path / "ran").exists(), text


CONTINUED = [
    ('git commit -m "fix\n', '\n"'), ("echo 'fix\n", "\n'"), ("cat <<EOF\n", "\nEOF\n"),
    ('echo "$(echo \'', "')\""), ("cat <<EOF\n$(echo '", "')\nEOF\n"), ("echo `echo ", "`"),
    ("echo \\\n", ""), ('echo "a" \'\n', "\n'"),
]  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_nothing_runs_where_a_line_before_has_begun_something(tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    for text in HOSTILE:
        for above, below in CONTINUED:
            script = f"git() {{ :; }}\n{above}{quoted(text, '')}{below}\n"
            subprocess.run([shell, "-c", script], cwd=tmp_path, capture_output=True, timeout=60)
            assert not (tmp_path / "ran").exists(), (above, text)


def test_several_are_one_word_for_a_shell(two: Store) -> None:
    assert given(two, "1", "p1", quote_after="echo ") == "'[mem 1: One] [mem p1: why␛[2J so?]'"
