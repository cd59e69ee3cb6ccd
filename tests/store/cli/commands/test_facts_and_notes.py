"""`mem fact` and `mem note`."""

import json

import pytest

from memtui.store import Store

from ..runner import Mem


def test_a_fact_has_all_its_parts(mem: Mem) -> None:
    fact = mem.json(
        "fact", "add", "Refresh tokens live 24 h", "--kind", "W", "--entity", "auth",
        "--entity", "tokens", "--confidence", "0.85", "--evidence", "uid-1", "--source", "docs",
        "--project", "payments",
    )  # fmt: skip
    expected = {
        "ref": "f1", "content": "Refresh tokens live 24 h", "kind": "W",
        "entities": ["auth", "tokens"], "confidence": 0.85, "evidence": ["uid-1"],
        "sources": ["docs"], "project": "payments",
    }  # fmt: skip
    assert fact.items() >= expected.items()


def test_the_same_statement_is_one_fact(mem: Mem) -> None:
    assert mem.ok("fact", "add", "Water is wet") == "f1"
    assert mem.ok("fact", "add", "-", input="Water is wet\n") == "f1"


def test_a_fact_shows_who_told_it_and_what_it_rests_on(mem: Mem) -> None:
    seen = mem.json("add", "Water boils")["uid"]
    mem.ok("fact", "add", "Water is wet", "--confidence", "0.7", "--evidence", seen)
    mem.ok("fact", "add", "water is wet.", "--confidence", "0.7", "--source", "docs")
    shown = mem.json("fact", "show", "f1")
    assert shown["confidence"] == 0.91
    assert [one["places"] for one in shown["told"]] == [[], ["docs"]]
    assert [(one["ref"], one["title"]) for one in shown["rests_on"]] == [("1", "Water boils")]
    lines = mem.ok("fact", "show", "f1").splitlines()
    assert [line.split("\t")[1:] for line in lines[-3:]] == [
        ["70%", "", "here", "user"],
        ["70%", "", "docs", "user"],
        ["Water boils"],
    ]
    assert "There is no fact" in mem.refused("fact", "show", "f9")


def test_a_note_shows_its_text_and_its_sections(mem: Mem) -> None:
    mem.ok("note", "put", "MEMORY.md", "# Rules\n- one\n  - two")
    assert mem.ok("note", "show", "n1") == "# Rules\n- one\n  - two"
    (section,) = mem.json("note", "show", "n1")["outline"]
    assert (section["title"], section["line"]) == ("Rules", 1)
    assert [(one["text"], one["line"], one["depth"]) for one in section["bullets"]] == [
        ("one", 2, 0),
        ("two", 3, 1),
    ]


def test_facts_are_listed_and_narrowed(mem: Mem) -> None:
    mem.ok("fact", "add", "One", "--kind", "W", "--at", "2h", "--entity", "unity", "--everywhere")
    mem.ok("fact", "add", "Two", "--project", "payments", "--at", "1h")
    assert [fact["content"] for fact in mem.json("fact", "list")] == ["Two", "One"]
    for flags in (
        ("--kind", "W"),
        ("--entity", "unity"),
        ("--project", ""),
        ("--everywhere",),
        ("-n", "1", "--offset", "1"),
    ):
        assert [fact["content"] for fact in mem.json("fact", "list", *flags)] == ["One"]
    assert mem.ok("fact", "list", "--kind", "W").split("\t")[-1] == "One"


def test_wrong_facts_are_refused(mem: Mem) -> None:
    assert "'X' is not one of" in mem.refused("fact", "add", "One", "--kind", "X", code=2)
    assert "is not in the range" in mem.refused("fact", "add", "One", "--confidence", "2", code=2)
    assert "A fact needs content" in mem.refused("fact", "add", " ")


def test_a_note_is_put_under_its_path(mem: Mem) -> None:
    assert mem.ok("note", "put", "MEMORY.md", input="# Rules\n") == "n1"
    assert mem.ok("note", "put", "MEMORY.md", "# Better rules") == "n1"
    assert mem.ok("note", "put", "MEMORY.md", "theirs", "--project", "payments") == "n2"
    notes = mem.json("note", "list")
    assert [(note["project"], note["text"]) for note in notes] == [
        ("", "# Better rules"),
        ("payments", "theirs"),
    ]
    assert [note["ref"] for note in mem.json("note", "list", "--project", "payments")] == ["n2"]
    assert "text: # Better rules" in mem.ok("show", "n1")
    assert mem.ok("note", "list").splitlines()[0].endswith("\t# Better rules")


def test_empty_lists_say_so_on_stderr_only(mem: Mem) -> None:
    mem.ok("add", "Title")
    for command in (("fact", "list"), ("note", "list"), ("session", "list", "--project", "none")):
        result = mem(*command)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith("There are no ")


def test_a_fact_is_of_the_project_here_unless_it_is_said_to_hold_everywhere(
    mem: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mem.json("fact", "add", "Water is wet")["project"] == "atlas"
    assert mem.json("fact", "add", "Water is wet", "--everywhere")["project"] == ""
    assert mem.json("fact", "add", "Water is wet", "--project", "sea")["project"] == "sea"
    both = mem.refused("fact", "add", "x y", "--project", "sea", "--everywhere", code=2)
    assert "exclude each other" in both
    monkeypatch.setattr("memtui.store.cli.arguments.current_project", lambda _: "")
    assert "--everywhere" in mem.refused("fact", "add", "Nowhere", code=2)
    assert len(mem.json("fact", "list")) == 3


def test_facts_are_moved_to_a_project_and_become_one_with_what_is_held_there(mem: Mem) -> None:
    mem.ok("fact", "add", "Water is wet", "--everywhere", "--source", "a")
    mem.ok("fact", "add", "Water is wet", "--project", "sea", "--source", "b")
    mem.ok("fact", "add", "Fire is hot", "--everywhere")
    assert mem.ok("fact", "move", "f1", "f3", "--project", "sea") == "f2\nf3"
    assert [one["sources"] for one in mem.json("fact", "list", "--project", "sea")] == [[], ["a", "b"]]
    assert mem.json("fact", "list", "--everywhere") == []
    assert mem.ok("fact", "move", "f3", "--everywhere") == "f3"
    assert "Give --project" in mem.refused("fact", "move", "f3", code=2)
    mem.ok("undo")
    mem.ok("undo")
    assert [one["ref"] for one in mem.json("fact", "list", "--everywhere")] == ["f3", "f1"]


def test_facts_are_listed_by_who_said_them(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    mem.ok("fact", "add", "By the user")
    monkeypatch.setenv("CLAUDECODE", "1")
    mem.ok("fact", "add", "By the agent")
    for speaker, content in (("user", "By the user"), ("assistant", "By the agent")):
        (found,) = mem.json("fact", "list", "--speaker", speaker)
        assert (found["content"], found["speaker"]) == (content, speaker)


def test_broken_rules_are_listed_with_what_broke_them(mem: Mem) -> None:
    with Store.open(mem.db) as store:
        assert json.loads(mem.ok("fact", "broken", "--json")) == [] and mem.ok("fact", "broken") == ""
        fact = store.facts.add("Use pnpm, never npm", project="atlas", speaker="user")
        store.facts.add("Use tabs, not spaces", project="atlas", speaker="user")
        broke = store.observations.add(
            "c-1", title="Installed date-fns", type="change", extra='{"command": "npm install date-fns"}'
        )
        store.facts.write_columns([fact.id], {"extra": json.dumps({"broken": [broke.uid]})})
    (rule,) = json.loads(mem.ok("fact", "broken", "--json"))
    assert (rule["ref"], rule["said"], rule["told_at_starts"]) == ("f1", 1, 0)
    (turn,) = rule["broken"]
    assert (turn["ref"], turn["title"], turn["session"]) == ("1", "npm install date-fns", "@1")
    assert mem.ok("fact", "broken").split("\t")[:4] == ["f1", "1", "1", "0"]
    assert mem("fact", "broken", "--project", "maps").stdout == ""
