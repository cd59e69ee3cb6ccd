"""`mem blame`: what is printed of who wrote a line, and what programs read of it."""

import pytest

from memtui.store import Store

from ...git.repository import Repository, at, needs_git
from ..runner import Mem

pytestmark = needs_git


@pytest.fixture
def repository(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A file of which a session of the project here wrote two lines, with a decision."""
    repository = Repository(mem.folder.parent)
    repository.write(
        "clocks.py", "import time_of_day\n\n\ndef monotonic_clock():\n    return time_of_day.now_ns()\n"
    )
    monkeypatch.chdir(repository.root)
    with Store.open(mem.db) as store:
        session = store.sessions.start(
            "s-1", agent="codex", project="atlas", title="Clocks", project_path=str(repository.root)
        )
        store.sessions.set_branch(session, "feat/clocks")
        prompt = store.prompts.add(session, "Make the clock monotonic")
        store.observations.add(
            session, title="Edited clocks.py: monotonic_clock", type="change", project="atlas",
            narrative="@@\n+ def monotonic_clock():\n+     return time_of_day.now_ns()",
            files_modified=["clocks.py"], tool_name="Edit", at=at(1), prompt_number=1,
        )  # fmt: skip
        store.facts.add(
            "Clocks never go back", project="atlas", session=session, speaker="user", evidence=[prompt.uid]
        )
    repository.commit(2)
    return repository


def test_a_line_is_told_with_its_turn(mem: Mem, repository: Repository) -> None:
    told = mem.ok("blame", "clocks.py:4")
    for words in (
        "session @1", "clocks.py 4", "def monotonic_clock():", "Clocks", "codex", "feat/clocks",
        "p1 Make the clock monotonic", "1 Edited clocks.py", "f1 Clocks never go back (the user)",
    ):  # fmt: skip
        assert words in told
    assert "No session is known" in mem.ok("blame", "clocks.py:1")
    assert "No session is known" in mem.ok("blame", "clocks.py", "--project", "elsewhere")


def test_what_has_no_lines_says_so(mem: Mem, repository: Repository) -> None:
    repository.write("clocks.py", "import time_of_day\n")
    repository.commit(3)
    assert "has no line to ask about" in mem("blame", "commit:HEAD").stderr


def test_programs_read_it(mem: Mem, repository: Repository) -> None:
    wrote, unknown = mem.json("blame", "clocks.py")
    assert [line["number"] for line in wrote["lines"]] == [4, 5]
    assert {line["commit"]["subject"] for line in wrote["lines"]} == {"a step"}
    assert (wrote["session"]["content_session_id"], wrote["session"]["branch"]) == ("s-1", "feat/clocks")
    assert (wrote["asked"]["text"], wrote["reply"]) == ("Make the clock monotonic", None)
    assert [edit["tool_name"] for edit in wrote["edits"]] == ["Edit"]
    assert [(one["content"], one["by"]) for one in wrote["decided"]] == [
        ("Clocks never go back", "the user")
    ]
    assert unknown["session"] is None
    assert unknown["sentence"] == "No session is known to have written it."
    (same, other) = mem.json("blame", "commit:HEAD")
    assert (same["lines"], other["lines"]) == (wrote["lines"], unknown["lines"])


def test_what_is_wrong_is_said(mem: Mem, repository: Repository) -> None:
    for what, sentence in (
        ("gone.py:3", "There is no file gone.py"),
        ("clocks.py:99", "has 5 lines, and no line 99"),
        (".", "can't be read: it is a directory"),
        ("commit:0000000", "There is no commit 0000000 here"),
        ("commit:", "There is no commit"),
        (f"{repository.root.parent}", "can't be read"),
        ("/etc/hostname", "is in no git repository"),
    ):
        assert sentence in mem.refused("blame", what)
    (repository.root / "a:7").write_text("one line\n")
    assert "a:7 1" in mem.ok("blame", "a:7"), "a file may be called so"
