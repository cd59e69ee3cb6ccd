"""Which session wrote a line: one whose edit holds it, from before git had it; whatever the time says."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.leaves.blame.blame import Part, blame_commit, blame_file, told_lines
from memtui.store.platform.errors import StoreError
from memtui.store.records.events import Event, ToolUse

from ..cli.runner import Mem
from ..git.repository import Repository, at, needs_git

pytestmark = needs_git

LEASE = "def lease_seconds(worker):\n    return 60 * worker.patience_factor\n"
CLOCK = "def monotonic_clock():\n    return time.monotonic_ns() // 1_000\n"
OLD = "import time_of_day\n\nSTART_OF_EPOCH = 1_970\n"
SESSION = "0a1b2c3d-1111-4222-8333-444455556666"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "atlas")
    repository.write("clocks.py", OLD)
    repository.commit(0)
    return repository


class Agent:
    """An agent at work in a repository, whose hooks are stored at once."""

    def __init__(self, store: Store, repository: Repository) -> None:
        self.store, self.repository, self.number = store, repository, 0

    def tell(self, kind: str, session: str, minutes: float, **more: object) -> None:
        self.number += 1
        common = {
            "agent": "claude-code",
            "session": session,
            "cwd": str(self.repository.root),
            "at": at(minutes),
        }
        event = Event(kind=kind, key=f"k{self.number}", shared=True, **common, **more)  # type: ignore[arg-type]
        ingest_event(self.store, event, "transcript")

    def asked(self, session: str, minutes: float, text: str) -> None:
        self.tell("prompt", session, minutes, text=text)

    def edits(self, session: str, minutes: float, old: str, new: str, name: str = "clocks.py") -> None:
        """Edit a file there, so that it says so."""
        path = self.repository.root / name
        content = path.read_text()
        assert old in content
        path.write_text(content.replace(old, new, 1))
        given = {"file_path": str(path), "old_string": old, "new_string": new}
        self.tell("tool", session, minutes, tool=ToolUse("Edit", given, {"ok": 1}))

    def writes(self, session: str, minutes: float, text: str, name: str = "clocks.py") -> None:
        path = self.repository.root / name
        path.write_text(text)
        given = {"file_path": str(path), "content": text}
        self.tell("tool", session, minutes, tool=ToolUse("Write", given, {"ok": 1}))


@pytest.fixture
def agent(store: Store, repository: Repository) -> Agent:
    return Agent(store, repository)


@pytest.fixture
def wrote(store: Store, repository: Repository) -> Callable[..., dict[str, str]]:
    """Who wrote each line of a file that says anything, by its text: a session, or `` for nobody known."""

    def found(name: str = "clocks.py") -> dict[str, str]:
        parts = blame_file(store, repository.root / name)
        return {
            line.text.strip(): part.session.content_session_id if part.session else ""
            for part in parts
            for line in part.lines
        }

    return found


def test_a_line_is_the_turns_that_added_it(store: Store, repository: Repository, agent: Agent) -> None:
    agent.asked("one", 1, "Let leases last as long as a worker is patient")
    agent.edits("one", 2, "START", f"{LEASE}\nSTART")
    agent.tell("reply", "one", 3, text="Decided: leases last sixty seconds times the patience of a worker.")
    repository.commit(4)
    (part,) = blame_file(store, repository.root / "clocks.py", 3)
    assert part.session and part.session.content_session_id == "one"
    assert part.asked and part.asked.text.startswith("Let leases last")
    assert [edit.title for edit in part.edits] == ["Edited clocks.py: lease_seconds"]
    assert part.reply and "sixty seconds" in (part.reply.narrative or part.reply.title or "")
    (line,) = part.lines
    assert line.commit and (line.text, line.commit.at) == ("def lease_seconds(worker):", at(4))
    parts = blame_file(store, repository.root / "clocks.py")
    assert [told_lines(part) for part in parts] == ["clocks.py 3-5", "clocks.py 1, 6"]
    assert parts[1].session is None and parts[1].sentence == "No session is known to have written it."


def test_time_alone_is_no_proof(
    repository: Repository, agent: Agent, wrote: Callable[..., dict[str, str]]
) -> None:
    """A person wrote a line while a session was at work on the same file."""
    agent.edits("one", 2, "START", f"{CLOCK}\nSTART")
    with (repository.root / "clocks.py").open("a") as file:
        file.write("LEAP_SECONDS_OF_A_PERSON = 27\n")
    repository.commit(3)
    assert wrote()["LEAP_SECONDS_OF_A_PERSON = 27"] == ""
    assert wrote()["def monotonic_clock():"] == "one"


def test_an_edit_after_the_commit_did_not_write_it(
    repository: Repository, agent: Agent, wrote: Callable[..., dict[str, str]]
) -> None:
    """A session writes a whole file again: what stood in it before is not its own."""
    repository.write("clocks.py", OLD + CLOCK)
    repository.commit(1)
    agent.writes("late", 30, OLD + CLOCK + LEASE)
    repository.commit(31)
    assert wrote()["def monotonic_clock():"] == ""
    assert wrote()["def lease_seconds(worker):"] == "late"


def test_who_writes_the_file_again_takes_nothing_over_and_who_removes_a_line_gives_it_up(
    repository: Repository, agent: Agent, wrote: Callable[..., dict[str, str]]
) -> None:
    agent.edits("one", 2, "START", f"{CLOCK}\nSTART")
    agent.writes("two", 3, OLD.replace("START", f"{CLOCK}\nSTART") + LEASE)
    assert (wrote()["def monotonic_clock():"], wrote()["def lease_seconds(worker):"]) == ("one", "two")
    agent.edits("three", 4, CLOCK, "")
    (repository.root / "clocks.py").write_text(OLD + CLOCK)
    assert wrote()["def monotonic_clock():"] == "", "a person wrote it again"
    agent.edits("three", 5, CLOCK, "")
    agent.edits("four", 6, "START", f"{CLOCK}\nSTART")
    repository.commit(7)
    assert wrote()["def monotonic_clock():"] == "four"


def test_a_line_that_says_little_is_its_neighbours(
    repository: Repository, agent: Agent, wrote: Callable[..., dict[str, str]], store: Store
) -> None:
    block = "if (leaseOf(worker).isOver) {\n  releaseWorker(worker)\n}\n"
    repository.write("lease.js", "function first() {\n}\n")
    repository.commit(1)
    agent.edits("one", 2, "function first() {\n}\n", f"function first() {{\n}}\n{block}", "lease.js")
    repository.commit(3)
    parts = blame_file(store, repository.root / "lease.js")
    assert [told_lines(part) for part in parts] == ["lease.js 3-5", "lease.js 1-2"]
    # What a person took away and wrote again is theirs, though it stands where the edit had it.
    for minutes, end in ((4, "};"), (5, "}")):
        (repository.root / "lease.js").write_text(f"function first() {{\n}}\n{block[:-2]}{end}\n")
        repository.commit(minutes)
    assert [told_lines(part) for part in blame_file(store, repository.root / "lease.js")] == [
        "lease.js 3-4", "lease.js 1-2, 5"
    ]  # fmt: skip


def test_what_a_file_says_more_than_once_is_no_proof(
    repository: Repository, agent: Agent, wrote: Callable[..., dict[str, str]]
) -> None:
    """A session wrote it in one place, a person in another, and nothing beside it tells which is which."""
    line = "return releaseEveryLeaseOfTheWorkerThatIsGone(worker)"
    repository.write("lease.js", "first\n\nsecond\n")
    agent.edits("one", 2, "first\n", f"first\n{line}\n", "lease.js")
    assert wrote("lease.js")[line] == "one"
    (repository.root / "lease.js").write_text(f"first\n{line}\n\nsecond\n{line}\n")
    assert wrote("lease.js")[line] == ""


def test_a_long_edit_is_read_in_the_transcript(
    store: Store, repository: Repository, tmp_path: Path, wrote: Callable[..., dict[str, str]]
) -> None:
    from memtui.store.capture.ingest.transcripts import read_transcript

    from ..formats.transcripts.claude_records import answered, asked, call, result

    text = "".join(f"VALUE_OF_LEASE_{number} = {number} * 1_000\n" for number in range(400))
    repository.write("values.py", text)
    given = {"file_path": str(repository.root / "values.py"), "content": text}
    records = [
        asked(1, "Write the values", cwd=str(repository.root)),
        answered(2, "m-1", call("c-1", "Write", **given), cwd=str(repository.root)),
        result(3, "c-1"),
    ]
    path = tmp_path / "home" / "5e551011-0000-4000-8000-000000000001.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    assert read_transcript(store, path, "claude-code")
    repository.git("add", "-A")
    assert wrote("values.py")["VALUE_OF_LEASE_200 = 200 * 1_000"] == path.stem
    path.unlink()
    assert wrote("values.py")["VALUE_OF_LEASE_200 = 200 * 1_000"] == "", "only a part of it is stored"
    assert wrote("values.py")["VALUE_OF_LEASE_1 = 1 * 1_000"] == path.stem


HAND = "".join(f"VALUE_OF_A_PERSON_{number} = {number} * 1_000\n" for number in range(3))
NEW = "def scaled_value_of_the_agent(value):\n    return value * SCALE_OF_THE_AGENT\n"
AFTERWARDS = 333_400
"""Minutes after which the transcripts below have ended."""


def numbered(text: str, first: int = 1) -> str:
    return "".join(f"{number}\t{line}\n" for number, line in enumerate(text.splitlines(), first))


Use = tuple[str, dict[str, object], object]


def transcribed(store: Store, repository: Repository, folder: Path, uses: list[Use]) -> None:
    """Read a transcript of these uses of tools, each with what it was given and what it answered."""
    from memtui.store.capture.ingest.transcripts import read_transcript

    from ..formats.transcripts.claude_records import SESSION, answered, asked, call, result, write

    records = [asked(1, "Scale the values", cwd=str(repository.root))]
    for number, (name, given, answer) in enumerate(uses, 1):
        place = {} if name == "Bash" else {"file_path": str(repository.root / "values.py")}
        told = result(3 * number, f"c-{number}", answer if isinstance(answer, str) else "done")
        told |= {} if isinstance(answer, str) else {"toolUseResult": answer}
        records += [
            answered(3 * number - 1, f"m-{number}", call(f"c-{number}", name, **place, **given)),
            told,
        ]
    assert read_transcript(store, write(folder / f"{SESSION}.jsonl", records), "claude-code")
    repository.commit(AFTERWARDS)


@pytest.mark.parametrize(
    "shown",
    [
        [("Read", {}, numbered(HAND))],
        [
            ("Read", {"offset": 2, "limit": 2}, numbered(HAND[32:], 2)),
            ("Read", {"limit": 1}, numbered(HAND[:32])),
        ],
        [("Bash", {"command": "cat values.py"}, HAND)],
        [("Write", {"content": HAND + NEW}, {"type": "update", "originalFile": HAND})],
        [("Edit", {"old_string": "= 1", "new_string": "= 1"}, {"originalFile": HAND})],
    ],
    ids=["read", "read in parts", "printed", "told by the write", "told by an edit"],
)
def test_who_writes_a_whole_file_has_not_written_what_it_had_seen_in_it(
    store: Store,
    repository: Repository,
    tmp_path: Path,
    wrote: Callable[..., dict[str, str]],
    shown: list[Use],
) -> None:
    """A person's file that was never committed."""
    (repository.root / "values.py").write_text(HAND + NEW)
    transcribed(store, repository, tmp_path / "home", [*shown, ("Write", {"content": HAND + NEW}, "done")])
    said = wrote("values.py")
    assert {text for text, session in said.items() if session} == {*map(str.strip, NEW.splitlines())}


def test_what_a_session_sees_of_its_own_stays_its_own(
    store: Store, repository: Repository, tmp_path: Path, wrote: Callable[..., dict[str, str]]
) -> None:
    first = f"{NEW}\n# A line that goes away again, of which nothing else is known here\n"
    last = f"{NEW.replace('SCALE', 'RATE')}\nEND_OF_THE_VALUES = 1\n"
    (repository.root / "values.py").write_text(last)
    read = ("Read", dict[str, object](), numbered(first))
    uses: list[Use] = [("Write", {"content": first}, "done"), read, ("Write", {"content": last}, "done")]
    transcribed(store, repository, tmp_path / "home", uses)
    assert all(wrote("values.py").values())


def test_a_long_edit_has_not_written_what_it_repeats(
    store: Store, repository: Repository, tmp_path: Path, wrote: Callable[..., dict[str, str]]
) -> None:
    old = "".join(f"VALUE_OF_A_PERSON_{number} = {number} * 1_000\n" for number in range(210))
    new = f"{NEW}{old}{NEW.replace('scaled', 'halved')}"
    repository.write("values.py", new)
    edit: dict[str, object] = {"old_string": f"first\n{old}last", "new_string": new}
    transcribed(store, repository, tmp_path / "home", [("Edit", edit, "done")])
    said = wrote("values.py")
    assert said["def halved_value_of_the_agent(value):"]
    assert said["VALUE_OF_A_PERSON_1 = 1 * 1_000"] == ""


def test_other_projects_hidden_edits_and_failures_count_for_nothing(
    store: Store, repository: Repository, agent: Agent, wrote: Callable[..., dict[str, str]]
) -> None:
    agent.edits("one", 2, "START", f"{CLOCK}\nSTART")
    (edit,) = store.observations.where("tool_name = 'Edit'")
    assert wrote()["def monotonic_clock():"] == "one"
    store.observations.set_private(edit.id)
    assert wrote()["def monotonic_clock():"] == ""
    store.observations.set_private(edit.id, private=False)
    store.observations.write_columns([edit.id], {"project": "elsewhere"})
    assert wrote()["def monotonic_clock():"] == ""


def committed(repository: Repository, trailer: str) -> None:
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", f"a step\n\n{trailer}", minutes=9)


@pytest.mark.parametrize("trailer", [
    f"Claude-Session: https://example.org/code/{SESSION}", f"Entire-Session: 2026-01-02-{SESSION}",
    "Entire-Checkpoint: 0a1b2c3d4e5f",
])  # fmt: skip
def test_a_commit_may_name_its_session(
    store: Store, repository: Repository, agent: Agent, trailer: str
) -> None:
    repository.git("checkout", "-q", "--orphan", "entire/checkpoints/v1")
    repository.git("rm", "-rqf", ".")
    repository.write("0a/1b2c3d4e5f/0/metadata.json", json.dumps({"session_id": SESSION}))
    repository.write("0a/1b2c3d4e5f/1/metadata.json", "no JSON")
    repository.commit(1)
    repository.git("checkout", "-q", "main")
    repository.write("clocks.py", OLD + CLOCK)
    committed(repository, trailer)

    def told() -> Part:
        return blame_file(store, repository.root / "clocks.py", 4)[0]

    assert f"names {SESSION}" in told().sentence
    store.sessions.start(SESSION, agent="claude-code", project="atlas")
    assert told().session is None and "names @1, of which no edit" in told().sentence
    agent.edits("other", 7, CLOCK, CLOCK + "\n")
    agent.edits(SESSION, 6, OLD, OLD + CLOCK)
    agent.edits("another", 8, OLD, OLD + CLOCK)
    repository.write("clocks.py", OLD + CLOCK)
    found = told().session
    assert found is not None and found.content_session_id == SESSION, (
        "of several it is the one that is named"
    )


def test_a_clone_of_another_name_has_the_sessions_that_its_commits_name(
    store: Store, repository: Repository, agent: Agent
) -> None:
    agent.edits(SESSION, 2, "START", f"{CLOCK}\nSTART")
    agent.edits("unnamed", 3, "START", f"{LEASE}\nSTART")
    committed(repository, f"Claude-Session: {SESSION}")
    clone = Repository(repository.root.parent / "elsewhere")
    clone.git("pull", "-q", str(repository.root), "main")
    wrote, *unknown = blame_file(store, clone.root / "clocks.py")
    assert wrote.session and wrote.session.content_session_id == SESSION
    assert told_lines(wrote) == "clocks.py 3-5"
    assert not any(part.session for part in unknown), "an edit that no commit names may be of another file"
    assert not any(part.session for part in blame_file(store, clone.root / "clocks.py", project="x"))


def test_a_repository_of_which_nothing_is_stored_is_told_as_such(
    store: Store, repository: Repository
) -> None:
    (part,) = blame_file(store, repository.root / "clocks.py")
    assert "No session of atlas, which" in part.sentence and "--project" in part.sentence


def test_a_commit_is_asked_for_what_it_brought(store: Store, repository: Repository, agent: Agent) -> None:
    agent.edits("one", 2, "START", f"{CLOCK}\nSTART")
    repository.write("lease.py", LEASE)
    repository.commit(3)
    id = repository.git("rev-parse", "--short", "HEAD").strip()
    parts = blame_commit(store, str(repository.root), id)
    assert [told_lines(part) for part in parts] == ["clocks.py 3-5", "lease.py 1-2"]
    assert [part.session and part.session.content_session_id for part in parts] == ["one", None]
    with pytest.raises(StoreError, match="There is no commit"):
        blame_commit(store, str(repository.root), "--help")


def test_a_commit_is_a_filter_by_the_sessions_that_it_comes_from(
    store: Store, repository: Repository, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    for session, text in (("one", "Lease the workers"), (SESSION, "Look at it"), ("two", "Read the clock")):
        agent.asked(session, 1, text)
    agent.edits("one", 2, "START", f"{CLOCK}\nSTART")
    committed(repository, f"Claude-Session: {SESSION}")
    id = repository.git("rev-parse", "HEAD").strip()

    def found(query: str) -> list[str]:
        return sorted(str(row.title) for row in store.find(query).rows())

    monkeypatch.chdir(repository.root)
    both = ["Edited clocks.py: monotonic_clock", "Lease the workers", "Look at it"]
    assert found(f"commit:{id[:7]}") == found(f"提交:{id.upper()} kind:observation,prompt") == both
    assert [hit.row.title for hit in store.find(f"workers commit:{id[:7]}").page(seconds=2).hits] == [
        both[1]
    ]
    assert found(f"-commit:{id[:7]}") == ["Read the clock"]
    assert found(f"commit:{id[:7]},{'0' * 7}") == both
    assert found("commit:0000000") == []
    (remark,) = store.remarks("commit:0000000")
    assert remark.sentence.endswith("is known to have written the commit 0000000.")
    assert not store.remarks(f"commit:{id[:7]}")
    for words in ("commit:HEAD", "commit:abc", "commit: abcdef"):
        assert not store.parse(words).filters, words
    monkeypatch.chdir(repository.root.parent)
    assert found(f"commit:{id[:7]}") == [], "no repository is here"


def test_a_renamed_file_keeps_its_writers(
    repository: Repository, agent: Agent, wrote: Callable[..., dict[str, str]]
) -> None:
    agent.edits("one", 2, "START", f"{CLOCK}\nSTART")
    repository.commit(3)
    repository.git("mv", "clocks.py", "time.py")
    repository.commit(4)
    assert wrote("time.py")["def monotonic_clock():"] == "one"


def test_what_has_no_lines_or_no_repository_is_said(
    store: Store, repository: Repository, tmp_path: Path
) -> None:
    (repository.root / "picture.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "alone.py").write_text("x = 1\n")
    (repository.root / "empty.py").touch()
    for path, number, sentence in (
        ("atlas/picture.png", None, "is binary"),
        ("atlas/clocks.py", 4, "has 3 lines, and no line 4"),
        ("atlas/clocks.py", 0, "no line 0"),
        ("alone.py", None, "is in no git repository"),
    ):
        with pytest.raises(StoreError, match=sentence):
            blame_file(store, tmp_path / path, number)
    assert blame_file(store, repository.root / "empty.py") == []


def test_a_line_of_which_a_part_was_edited_is_the_sessions(
    store: Store, repository: Repository, agent: Agent, wrote: Callable[..., dict[str, str]]
) -> None:
    agent.asked("one", 1, "Count from now on")
    path = repository.root / "clocks.py"
    given = {"file_path": str(path), "old_string": "1_970", "new_string": "current_year_of_the_clock()"}
    path.write_text(OLD.replace("1_970", "current_year_of_the_clock()"))
    agent.tell("tool", "one", 2, tool=ToolUse("Edit", given, {"originalFile": OLD}))
    repository.commit(3)
    assert wrote() == {"import time_of_day": "", "START_OF_EPOCH = current_year_of_the_clock()": "one"}


def test_a_commit_with_a_submodule_is_told(
    store: Store, repository: Repository, agent: Agent, tmp_path: Path
) -> None:
    agent.asked("one", 1, "Let leases last")
    agent.edits("one", 2, "START", f"{LEASE}\nSTART")
    head = repository.git("rev-parse", "HEAD").strip()
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{head},parts")
    repository.commit(3)
    part, *_rest = blame_commit(store, str(repository.root), "HEAD")
    assert part.session and part.session.content_session_id == "one"


def test_a_link_is_the_file_that_it_leads_to(tmp_path: Path, repository: Repository) -> None:
    mem = Mem(tmp_path / "memory.db", tmp_path)
    with Store.open(mem.db) as store:
        agent = Agent(store, repository)
        agent.asked("one", 1, "Let leases last")
        agent.edits("one", 2, "START", f"{LEASE}\nSTART")
    repository.commit(3)
    link = repository.root / "link.py"
    link.symlink_to("clocks.py")
    (part,) = mem.json("blame", f"{link}:3")
    assert part["session"]["content_session_id"] == "one" and part["lines"][0]["path"] == "clocks.py"


def test_nothing_that_a_repository_holds_is_run(
    store: Store, repository: Repository, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    evil = f"sh -c 'echo x >> {ran}; cat'"
    for name in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command"):
        repository.git("config", name, evil)
    repository.write(".gitattributes", "* filter=evil diff=evil\n")
    assert blame_file(store, repository.root / "clocks.py")
    assert blame_commit(store, str(repository.root), "HEAD")
    assert not ran.exists()
