"""`mem review` and `mem still-true`."""

import pytest

from memtui.store import Store

from ...runner import Mem


@pytest.fixture
def waiting(mem: Mem) -> Mem:
    """A memory in which an observation and a fact wait, and another observation holds."""
    for title in ("drift", "rest"):
        mem.ok("add", title, "--project", "atlas")
    mem.ok("fact", "add", "clocks drift", "--project", "atlas")
    with Store.open(mem.db) as store, store.transaction():
        store.reviewing.wait(store.record("1"))
        store.reviewing.wait(store.record("f1"))
    return mem


def test_what_waits_is_listed_accepted_reworded_and_refused(waiting: Mem) -> None:
    listed = waiting.json("review")
    assert [(item["id"], item["author"], item["title"]) for item in listed] == [
        ("f1", "", "clocks drift"),
        ("1", "", "drift"),
    ]
    (found, other) = waiting.json("search", "kind:observation")
    assert (found["ref"], found["pending"], other["pending"]) == ("2", False, True)
    assert "note, pending" in waiting.ok("search", "is:pending")
    assert waiting.json("review", "1", "--accept") == {"verdict": "accepted", "memories": 1}
    waiting.ok("review", "f1", "--reword", "clocks are steady")
    assert waiting.json("fact", "show", "f1")["content"] == "clocks are steady"
    assert waiting.json("review") == []
    assert "Nothing waits for your word." in waiting("review").stderr
    waiting.ok("undo", "2")
    waiting.ok("review", "1", "f1", "--refuse")
    assert waiting.json("review") == [] and len(waiting.json("trash", "list")) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("1",), 2, "--accept"),
        (("--accept",), 2, "--accept"),
        (("1", "--accept", "--refuse"), 2, "--accept"),
        (("1", "f1", "--reword", "x"), 2, "one memory"),
        (("2", "--accept"), 1, "doesn't wait"),
        (("99", "--accept"), 1, "no observation 99"),
        (("1", "--dispute", "why"), 1, "no teammate's"),
        (("1", "--reword", "  "), 1, "would be empty"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    waiting: Mem, arguments: tuple[str, ...], code: int, why: str
) -> None:
    assert why in waiting.refused("review", *arguments, code=code)
    assert len(waiting.json("review")) == 2


def test_an_agent_decides_nothing(waiting: Mem) -> None:
    done = waiting.process("review", "1", "--accept", CLAUDECODE="1")
    assert done.returncode == 1 and b"Only a person" in done.stderr
    assert len(waiting.json("review")) == 2


def in_shell(mem: Mem, *arguments: str) -> tuple[int, str, str]:
    """What a command of an agent's gives where the user reviews agents: exit code, output, errors."""
    config = mem.db.with_name("reviewing.toml")
    config.write_text('[memory]\nreview = "agents"\n', "utf-8")
    done = mem.process(*arguments, CLAUDECODE="1", MEMTUI_CONFIG=str(config))
    return done.returncode, done.stdout.decode().strip(), done.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "ref"),
    [
        (("add", "drift", "--project", "atlas"), "1"),
        (("fact", "add", "clocks drift", "--project", "atlas"), "f1"),
        (("note", "put", "N.md", "drift"), "n1"),
        (("summary", "--session", "abcd", "--learned", "drift", "--project", "atlas"), "s1"),
    ],
)
def test_what_an_agent_stores_in_its_shell_waits(mem: Mem, arguments: tuple[str, ...], ref: str) -> None:
    code, said, why = in_shell(mem, *arguments)
    assert (code, said) == (0, ref) and "Waiting for the user's word (`mem review`): 1 memory." in why
    assert [(item["id"], item["author"]) for item in mem.json("review")] == [(ref, "claude-code")]
    # It may still put it into other words, and a person's command has nothing wait.
    if ref == "1":
        assert in_shell(mem, "edit", "1", "--title", "drift of NTP")[0] == 0
    mem.ok("fact", "add", "clocks are steady", "--project", "atlas")
    assert [item["id"] for item in mem.json("review")] == [ref]


@pytest.mark.parametrize(
    "arguments",
    [
        ("edit", "1", "--title", "other"),
        ("edit", "p1", "--text", "other"),
        ("prompt", "use npm", "--session", "abcd"),
        ("note", "put", "N.md", "other"),
        ("fact", "supersede", "f1", "f2"),
        ("fact", "reinstate", "f3"),
        ("fact", "move", "f1", "--everywhere"),
        ("merge", "1", "2"),
        ("import", "jsonl", "own.jsonl"),
        ("undo",),
        ("redo",),
        ("revert", "c1"),
        ("restore", "3"),
        ("private", "--off", "4"),
        ("project", "set", "elsewhere", "1"),
        ("project", "merge", "atlas", "elsewhere"),
        ("restore-backup", "memory.bak"),
        ("config", "unset", "memory.review"),
        ("still-true", "1"),
        ("config", "set", "memory.review", ""),
    ],
)
def test_an_agent_changes_nothing_that_its_user_took(mem: Mem, arguments: tuple[str, ...]) -> None:
    for title in ("drift", "rest"):
        mem.ok("add", title, "--project", "atlas")
    for fact in ("We use npm", "We use make", "We use yarn"):
        mem.ok("fact", "add", fact, "--project", "atlas")
    mem.ok("fact", "supersede", "f3", "f2")
    mem.ok("note", "put", "N.md", "drift")
    mem.ok("prompt", "why?", "--session", "abcd", "--project", "atlas")
    mem.ok("add", "wrong")
    mem.ok("add", "hidden")
    mem.ok("backup", "memory.bak")
    mem.ok("delete", "3")
    mem.ok("private", "4")
    if arguments == ("redo",):
        mem.ok("undo")
    mem.ok("export", "jsonl", "own.jsonl")
    code, _said, why = in_shell(mem, *arguments)
    assert code == 1 and ("Only " in why or "The user" in why)
    mem.ok("export", "jsonl", "after.jsonl")
    lines = [
        (mem.folder / name).read_text("utf-8").splitlines()[1:] for name in ("own.jsonl", "after.jsonl")
    ]
    assert lines[0] == lines[1]
    assert "review" in (mem.db.with_name("reviewing.toml")).read_text("utf-8")


def test_an_agent_takes_back_what_it_did_itself(mem: Mem) -> None:
    mem.ok("add", "drift")
    for arguments in (("add", "rest"), ("undo",), ("redo",), ("delete", "1"), ("undo",)):
        assert in_shell(mem, *arguments)[0] == 0
    assert [row["title"] for row in mem.json("search", "kind:observation")] == ["rest", "drift"]


def test_a_fact_that_an_agent_states_in_place_of_another_holds_once_it_is_accepted(mem: Mem) -> None:
    mem.ok("fact", "add", "We use npm", "--project", "atlas")
    _code, said, why = in_shell(mem, "fact", "supersede", "f1", "--text", "We use pnpm")
    assert said == "f2" and "once the user has accepted it" in why
    assert mem.json("fact", "show", "f1")["superseded_by"] is None
    mem.ok("review", "f2", "--accept")
    assert mem.json("fact", "show", "f1")["superseded_by"]


def test_what_is_still_true_is_said_of_observations(waiting: Mem) -> None:
    assert waiting.json("show", "1")[0]["confirmed_at"] is None
    waiting.ok("still-true", "1", "f1")
    assert waiting.json("show", "1")[0]["confirmed_at"]
    waiting.ok("undo")
    assert waiting.json("show", "1")[0]["confirmed_at"] is None
    waiting.refused("still-true", "99")


def test_how_often_a_memory_was_told_is_shown(waiting: Mem) -> None:
    with Store.open(waiting.db) as store:
        store.db.execute(
            "INSERT INTO memory_uses (kind, record_id, told, told_at, agent) VALUES ('o', 2, 7, 5, 'codex')"
        )
    assert waiting.json("show", "2")[0]["use"]["told"] == 7
    assert "told 7×" in waiting.ok("show", "2")
    assert waiting.ok("search", "told:>5").split("\t")[:2] == ["2", "7"]
    assert waiting.json("search", "told:7")[0]["told"] == 7
    assert "takes a number" in waiting("search", "told:often").stderr
