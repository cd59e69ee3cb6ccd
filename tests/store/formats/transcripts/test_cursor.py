"""Cursor's transcripts as events, of both forms."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.formats.transcripts.agents.cursor import CursorReader, CursorTextReader, directory_of
from memtui.store.records.events import Event

from .readings import gone_bad, of, said, told, told_of_bad

FOLDER = Path("/home/dev/.cursor/projects/nowhere-atlas/agent-transcripts")


def spoke(role: str, *blocks: Any) -> dict[str, Any]:
    return {"role": role, "message": {"content": list(blocks)}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": given}


WORK = [
    spoke("user", text("<user_query>\nadd a flag\n</user_query>")),
    spoke("assistant", text("I look."), call("Read", path="/a.py"), call("Shell", command="ls")),
    spoke("assistant", text("Added.")),
    spoke("user", text("<attached_files>x</attached_files>\n<user_query>go on</user_query>")),
    {"role": "assistant", "message": {"content": "Done."}},
    spoke("user", text("<user_info>\nOS: linux\n</user_info>")),
]
LEGACY = """\
user:
<user_query>
fix the typo
assistant:
is no speaker here
</user_query>

assistant:
[Thinking] There is one
[Tool call] ReadFile
  path=main.go
[Tool result]
  package mian
  func main() {}
[Tool call] EditFile
  path=main.go
  content=package main
    and more
Fixed it.
user:
thanks
"""


def events(records: list[dict[str, Any]] = WORK, name: str = "c-1/c-1.jsonl") -> list[Event]:
    return told(CursorReader, records, FOLDER / name)


@pytest.mark.parametrize("name", ["c-1.jsonl", "c-1/c-1.jsonl"])
def test_prompts_tools_and_replies_are_told_of_the_session_of_the_file(name: str) -> None:
    found = events(name=name)
    assert said("prompt", found) == ["add a flag", "go on"]
    assert said("reply", found) == ["Added.", "Done."]
    assert [one.tool and one.tool.input for one in of("tool", found)] == [
        {"path": "/a.py"},
        {"command": "ls"},
    ]
    assert {one.session for one in found} == {"c-1"}
    assert len({(one.kind, one.key) for one in found}) == len(found)


def test_a_sub_agents_file_tells_of_its_session() -> None:
    found = events(name="c-1/subagents/s-1.jsonl")
    assert {(one.session, one.subagent) for one in found} == {("c-1", "s-1")}
    assert {one.kind for one in found} == {"session_start", "tool"}


def test_nothing_is_told_of_times() -> None:
    assert {one.at for one in events()} == {None}


def test_a_directory_is_found_by_its_short_name(tmp_path: Path) -> None:
    (tmp_path / "my.work" / "atlas-web").mkdir(parents=True)
    (tmp_path / "my.work" / "atlas").mkdir()
    assert directory_of("my-work-atlas-web", tmp_path) == str(tmp_path / "my.work" / "atlas-web")
    assert directory_of("my-work-nothing", tmp_path) is None


def test_a_short_name_of_two_directories_is_that_of_none(tmp_path: Path) -> None:
    (tmp_path / "a-b").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert directory_of("a-b", tmp_path) is None


def test_an_older_transcript_tells_results_too(tmp_path: Path) -> None:
    path = tmp_path / "c-0.txt"
    path.write_bytes(b"\xef\xbb\xbf" + LEGACY.replace("\n", "\r\n").encode())
    found = list(CursorTextReader(path).events())
    assert said("prompt", found) == ["fix the typo\nassistant:\nis no speaker here", "thanks"]
    read, edit = (one.tool for one in of("tool", found))
    assert read and (read.name, read.input) == ("ReadFile", {"path": "main.go"})
    assert read.response == "package mian\nfunc main() {}"
    assert edit and edit.input == {"path": "main.go", "content": "package main\nand more"}
    assert said("reply", found) == ["Fixed it."]
    assert {one.session for one in found} == {"c-0"}


def test_a_text_without_speakers_is_no_transcript(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    with pytest.raises(ValueError, match="speaker"):
        list(CursorTextReader(path).events())


@given(st.text(alphabet="user: asistn\n[Tolcrh]<_qy/>=ab", max_size=200))
def test_no_text_however_odd_stops_the_reading(tmp_path: Path, words: str) -> None:
    path = tmp_path / "odd.txt"
    path.write_text(f"user:\n{words}\nassistant:\n{words}")
    assert of("session_start", list(CursorTextReader(path).events()))


@given(st.sets(st.integers(1, len(WORK) - 1)))
def test_reading_may_stop_after_any_record(cuts: set[int]) -> None:
    assert told(CursorReader, WORK, FOLDER / "c-1.jsonl", sorted(cuts)) == events(name="c-1.jsonl")


@given(gone_bad(WORK))
def test_no_record_however_bad_stops_the_reading(bad: list[dict[str, Any]]) -> None:
    told_of_bad(CursorReader, bad, FOLDER / "c-1.jsonl")
