"""`mem edit`: by options, as JSON lines, in the editor."""

import json
from pathlib import Path

import pytest

from memtui.store.platform.paths import spool_directory
from tests.editors import editor
from tests.places import PYTHONPATH

from ...runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "token one", "--session", "c-1", "--narrative", "It  expired.\n\n```\ncode\n```")
    mem.ok("prompt", "token two", "--session", "c-1")
    mem.ok("summary", "--session", "c-1", "--request", "token three")
    mem.ok("fact", "add", "token four")
    mem.ok("note", "put", "MEMORY.md", "five\n")


def shown(mem: Mem, ref: str) -> dict[str, object]:
    found = mem.json("show", ref)
    (record,) = found if isinstance(found, list) else (found,)
    assert isinstance(record, dict)
    return record


def test_options_change_fields_as_one_undo(filled: Mem) -> None:
    assert filled.ok("edit", "1", "--title", "cookie", "--type", "bugfix", "--add-tag", "auth") == "1"
    record = shown(filled, "1")
    assert (record["title"], record["type"], record["tags"]) == ("cookie", "bugfix", ["auth"])
    filled.ok("edit", "1", "--remove-tag", "auth", "--fact", "a", "--fact", "b", "--title", "")
    record = shown(filled, "1")
    assert (record["title"], record["tags"], record["facts"]) == (None, [], ["a", "b"])
    assert filled.ok("undo", "2").count("\n") == 1
    assert shown(filled, "1")["title"] == "token one"


def test_several_are_edited_at_once_or_none(filled: Mem) -> None:
    filled.ok("add", "token six", "--session", "c-1")
    filled.ok("edit", "--query", "kind:observation", "--type", "decision")
    assert len(filled.json("search", "type:decision")) == 2
    assert "2 memories edited: type" in filled.ok("undo")
    assert "There is: text" in filled.refused("edit", "1", "p1", "--type", "decision")
    assert filled.json("search", "type:decision") == []


@pytest.mark.parametrize(
    ("ref", "option", "value", "field"),
    [
        ("p1", "--text", "asked", "text"),
        ("s1", "--learned", "much", "learned"),
        ("f1", "--content", "token is short", "content"),
        ("n1", "--path", "NOTES.md", "path"),
        ("@1", "--title", "About tokens", "title"),
    ],
)
def test_every_kind_has_its_options(filled: Mem, ref: str, option: str, value: str, field: str) -> None:
    (record,) = filled.json("edit", ref, option, value)
    assert record[field] == value
    assert filled.ok("undo").startswith("Undone: ")


def test_json_lines_are_one_undo_and_all_or_none(filled: Mem) -> None:
    lines = [{"ref": "1", "title": "cookie"}, {"ref": "f1", "fields": {"confidence": 0.5}}]
    assert filled.ok("edit", "--stdin", input="\n".join(map(json.dumps, lines))).split() == ["1", "f1"]
    assert "2 memories edited" in filled.ok("undo")
    assert shown(filled, "1")["title"] == "token one"
    bad = '{"ref": "1", "title": "cookie"}\n{"ref": "99", "title": "x"}\nnonsense\n'
    told = filled("edit", "--stdin", input=bad)
    assert told.exit_code == 1
    assert "line 2: " in told.stderr
    assert "line 3: This is not JSON" in told.stderr
    assert shown(filled, "1")["title"] == "token one"
    stale = json.dumps({"ref": "1", "title": "x", "expected": 1})
    assert "changed since it was read" in filled("edit", "--stdin", input=stale).stderr


def test_the_editor_gets_the_memory_as_markdown(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = 't = t.replace("token one", "session cookie").replace("code", "kode")'
    monkeypatch.setenv("EDITOR", editor(tmp_path, code))
    assert filled.ok("edit", "1", "--editor") == "1"
    record = shown(filled, "1")
    assert (record["title"], record["narrative"]) == (
        "session cookie", "It  expired.\n\n```\nkode\n```",
    )  # fmt: skip
    assert "observation 1 edited: title, narrative" in filled.ok("undo")


def test_leaving_the_text_as_it_is_changes_nothing(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, ""))
    before = filled.json("history")
    for ref in ("1", "p1", "s1", "f1", "n1", "@1"):
        assert filled.refused("edit", ref, "--editor") == "Nothing was changed.\n"
    assert filled.json("history") == before


def test_a_mistake_opens_the_editor_again_with_what_was_written(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        'if round == 0: t = t.replace("type:", "tipe:").replace("token one", "mine")\n'
        'else: t = t.replace("tipe:", "type:")'
    )
    monkeypatch.setenv("VISUAL", editor(tmp_path, code))
    filled.ok("edit", "1", "--editor")
    again = (tmp_path / "round-1").read_text()
    assert again.startswith("# mem: Line 6: no field 'tipe' here")
    assert "mine" in again
    assert shown(filled, "1")["title"] == "mine"


def test_what_can_not_be_stored_is_kept_beside_the_memory(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = 'if round == 0: t = t.replace("---", "===").replace("token one", "mine")'
    monkeypatch.setenv("VISUAL", editor(tmp_path, code))
    told = filled.refused("edit", "1", "--editor")
    (kept,) = spool_directory(filled.db).glob("mem-observation-1-*.md")
    assert str(kept) in told
    assert "mine" in kept.read_text()
    assert shown(filled, "1")["title"] == "token one"


def test_what_another_process_changed_meanwhile_is_shown_and_the_user_chooses(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import subprocess\n"
        f"other = [sys.executable, '-m', 'memtui.store.cli', '--db', {str(filled.db)!r}, 'edit', '1', "
        "'--title', 'theirs']\n"
        'if round == 0: subprocess.run(other, check=True); t = t.replace("token one", "mine")\n'
        'else: t = t.replace("mine", "both")'
    )
    monkeypatch.setenv("VISUAL", editor(tmp_path, code))
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    filled.ok("edit", "1", "--editor")
    again = (tmp_path / "round-1").read_text()
    assert "was changed meanwhile" in again
    assert "title: 'theirs' (you: 'mine')" in again
    assert shown(filled, "1")["title"] == "both"


def test_an_editor_that_can_not_start_is_said(filled: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "/nowhere/editor")
    assert "can't be started" in filled.refused("edit", "1", "--editor")
    monkeypatch.setenv("VISUAL", "false")
    assert "ended with 1. Nothing was changed" in filled.refused("edit", "1", "--editor")


def test_a_conflict_of_a_line_shows_both_versions_and_how_to_store_one(filled: Mem) -> None:
    read = shown(filled, "1")["hlc"]
    filled.ok("edit", "1", "--title", "theirs")
    line = {"ref": "1", "title": "mine", "expected": read}
    told = filled("edit", "--stdin", input=json.dumps(line)).stderr
    assert "line 1: Observation 1 was changed since it was read" in told
    assert "title: 'theirs' (you: 'mine')" in told
    now = shown(filled, "1")["hlc"]
    assert f'"expected": {now}' in told
    filled.ok("edit", "--stdin", input=json.dumps(line | {"expected": now}))
    assert shown(filled, "1")["title"] == "mine"


def test_who_gives_up_is_told_what_was_wrong(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = 'if round == 0: t = t.replace("type:", "tipe:").replace("token one", "mine")'
    monkeypatch.setenv("VISUAL", editor(tmp_path, code))
    assert "no field 'tipe' here" in filled.refused("edit", "1", "--editor")


def test_a_program_that_never_mends_its_mistake_is_not_asked_for_ever(
    filled: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.store.cli.commands.edit.MOST_TRIES", 2)
    code = 't = t.replace("type:", "tipe:") + "and again\\n"'
    monkeypatch.setenv("VISUAL", editor(tmp_path, code))
    told = filled.refused("edit", "1", "--editor")
    assert "What you wrote is kept in" in told
    assert "Nothing was changed" in told
    assert len(list(tmp_path.glob("round-*"))) == 3
