"""Agents' files in step on several machines: by project and not by path, merged, nothing of them lost."""

import os
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memtui.store import Store, StoreError
from memtui.store.agents.homes import AgentHomes
from memtui.store.leaves.files.agent_files import slug
from memtui.store.leaves.files.overview import files_overview
from memtui.store.leaves.files.sharing import SharedFiles
from memtui.store.leaves.files.writing import FileWriter, existing
from memtui.store.leaves.sync.machines import Machines
from memtui.store.platform.errors import FileConflictError, InvalidRecordError
from tests.store.sync.meeting import meet

REMOTE = '[remote "origin"]\n\turl = https://example.org/acme/atlas.git\n'


@dataclass
class Machine:
    """A home, a checkout of one project somewhere in it, and a store."""

    home: Path
    store: Store
    folder: str
    notes: list[str] = field(default_factory=list)

    @property
    def atlas(self) -> Path:
        return self.home / self.folder

    @property
    def memory(self) -> Path:
        return self.home / ".claude/projects" / slug(self.atlas) / "memory"

    @property
    def files(self) -> SharedFiles:
        return SharedFiles(self.store, AgentHomes(self.home, {}, self.home / "system"))

    def check_out(self) -> None:
        (self.atlas / ".git").mkdir(parents=True)
        (self.atlas / ".git/config").write_text(REMOTE)
        self.store.known_projects.of(str(self.atlas))

    def keep_in_step(self) -> None:
        self.notes = self.files.keep_in_step()

    def states(self) -> dict[str, str]:
        return {file.place.name: file.state for file in self.files.listed()}


def pair(one: Machine, other: Machine) -> None:
    """Have two machines meet, as `mem sync` does."""
    for machine in (one, other):
        machine.keep_in_step()
    meet(one.store, other.store)
    for machine in (one, other):
        machine.keep_in_step()


def settle(*machines: Machine) -> None:
    for _round in range(2):
        for other in machines[1:]:
            pair(machines[0], other)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[list[Machine]]:
    """Three, of which the first two share the project, and the third whatever others do."""
    made = []
    for name, folder in (("ada", "src/atlas"), ("desk", "work/x/atlas"), ("box", "atlas")):
        home = tmp_path.resolve() / name
        (home / ".claude").mkdir(parents=True)
        made.append(Machine(home, Store.open(tmp_path / f"{name}.db"), folder))
    for machine in made[:2]:
        machine.check_out()
        machine.files.share_project(machine.atlas)
    made[2].files.share_all()
    yield made
    for machine in made:
        machine.store.close()


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("content", "changed", "after"),
    [
        (b"a\nb\n", b"a\nB\n", b"a\nB\n"),
        (b"a\r\nb\r\n", b"a\nB\n", b"a\r\nB\r\n"),
        (b"\xef\xbb\xbfa\nb", b"a\nB\n", b"\xef\xbb\xbfa\nB"),
        (b"", b"B\n", b"B\n"),
    ],
)
def test_files_are_found_by_project_and_keep_their_style(
    machines: list[Machine], content: bytes, changed: bytes, after: bytes
) -> None:
    one, other, third = machines
    write(one.memory / "MEMORY.md", "- [a](a.md)\n")
    write(one.atlas / "CLAUDE.md", content)
    user = write(one.home / ".claude/CLAUDE.md", "Be short.\n")
    one.files.share(user)
    for machine in (other, third):
        pair(one, machine)
    assert (other.memory / "MEMORY.md").read_text() == "- [a](a.md)\n"
    assert (other.atlas / "CLAUDE.md").read_bytes().splitlines() == content.removeprefix(
        b"\xef\xbb\xbf"
    ).splitlines()
    # What was not chosen there waits, and what has no checkout yet.
    assert not (other.home / ".claude/CLAUDE.md").exists()
    assert (third.home / ".claude/CLAUDE.md").read_text() == "Be short.\n"
    assert third.states()["project:CLAUDE.md"] == "waits"
    third.check_out()
    write(other.atlas / "CLAUDE.md", changed)
    settle(one, other, third)
    assert (one.atlas / "CLAUDE.md").read_bytes() == after
    assert (third.atlas / "CLAUDE.md").read_bytes() == changed
    assert {*one.states().values(), *third.states().values()} == {"in step"}
    settle(one, other, third)
    sql = "SELECT * FROM shared_files"
    before = [machine.store.db.execute(sql).fetchall() for machine in machines]
    settle(one, other, third)
    assert before == [machine.store.db.execute(sql).fetchall() for machine in machines]


def test_both_texts_are_kept_until_a_person_makes_one_of_them(
    machines: list[Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other, _third = machines
    files = [machine.atlas / "CLAUDE.md" for machine in (one, other)]
    write(files[0], "a\nb\nc\n")
    pair(one, other)
    write(files[0], "a\none\nc\nd\n")
    write(files[1], "0\na\nother\nc\n")
    settle(one, other)
    assert [file.read_text() for file in files] == ["a\none\nc\nd\n", "0\na\nother\nc\n"]
    assert [machine.states()["project:CLAUDE.md"] for machine in (one, other)] == ["differs"] * 2
    assert "the same lines" in one.notes[0]
    monkeypatch.setenv("HOME", str(one.home))
    overview = files_overview(one.store, one.atlas, "claude-code")
    assert [finding.id for finding in overview.findings[files[0]]] == ["differs"]
    assert [*overview.in_step.values()] == []
    kept = [one.store.agent_files.content(it) for it in one.store.agent_files.versions_of(files[0])]
    assert b"0\na\nother\nc\n" in kept and len(kept) == 3
    shown = existing(files[0])
    marked, what = one.files.marked(shown), "edited"
    assert marked.count("<<<<<<< ") == 3 and "\none\n=======\nother\n" in marked
    with pytest.raises(FileConflictError, match="Marks"):
        one.files.write(FileWriter(one.store), shown, marked, what)
    assert files[0].read_text() == shown.text
    one.files.write(FileWriter(one.store), shown, "0\na\nboth\nc\nd\n", what)
    settle(one, other)
    assert [file.read_text() for file in files] == ["0\na\nboth\nc\nd\n"] * 2
    assert other.states()["project:CLAUDE.md"] == "in step" and not other.notes
    # Either side may let what it has stand, and the other takes it back.
    for number, machine in enumerate((one, other)):
        write(machine.atlas / "CLAUDE.md", f"{number}\n")
    settle(one, other)
    other.files.share(files[1])
    settle(one, other)
    assert files[0].read_text() == "1\n"
    one.store.undo()
    settle(one, other)
    assert [file.read_text() for file in files] == ["0\n"] * 2


@pytest.mark.parametrize(
    "content",
    [
        "token ghp_16C7e42F292c6912E7710c838347Ae178B4a\n",
        "a <private>b</private>\n",
        b"caf\xe9\n",
        b"a\0b\n",
        "a\n" * (1 << 18),
    ],
)
def test_what_may_not_leave_stays_also_where_it_is_written_later(
    machines: list[Machine], content: str | bytes
) -> None:
    one, other, _third = machines
    path = write(one.atlas / "CLAUDE.md", content)
    with pytest.raises(StoreError):
        one.files.share(path)
    pair(one, other)
    assert one.notes and not (other.atlas / "CLAUDE.md").exists()
    write(path, "a\n")
    settle(one, other)
    write(path, content)
    write(other.atlas / "CLAUDE.md", "b\n")
    settle(one, other)
    assert one.notes and (other.atlas / "CLAUDE.md").read_text() == "b\n"
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    texts = {text for (text,) in other.store.db.execute("SELECT text FROM shared_files WHERE place <> ''")}
    assert texts == {"a\n", "b\n"}


@pytest.mark.parametrize("excluding", [0, 1])
def test_what_is_excluded_neither_leaves_nor_comes_in(machines: list[Machine], excluding: int) -> None:
    one, other, third = machines
    Machines(machines[excluding].store).exclude("project:atlas")
    path = write(one.atlas / "CLAUDE.md", "a\n")
    settle(one, other)
    assert not (other.atlas / "CLAUDE.md").exists()
    assert not other.store.db.execute("SELECT * FROM shared_files WHERE text = 'a\n'").fetchall()
    pair(other, third)
    assert "project:CLAUDE.md" not in third.states()
    if not excluding:
        with pytest.raises(InvalidRecordError, match="excluded"):
            one.files.share(path)


def test_a_link_is_one_file_and_none_leads_out(machines: list[Machine], tmp_path: Path) -> None:
    one, other, _third = machines
    write(one.atlas / "CLAUDE.md", "a\n")
    (one.atlas / "AGENTS.md").symlink_to("CLAUDE.md")
    one.files.share(one.atlas / "AGENTS.md")
    (other.atlas / "CLAUDE.md").symlink_to(write(tmp_path / "elsewhere.md", "x\n"))
    settle(one, other)
    assert set(one.states()) == {"project:CLAUDE.md"}
    assert "link" in other.notes[0] and (tmp_path / "elsewhere.md").read_text() == "x\n"
    # Two files here are one there.
    (other.atlas / "CLAUDE.md").unlink()
    (one.atlas / "AGENTS.md").unlink()
    write(one.atlas / "AGENTS.md", "b\n")
    write(other.atlas / "CLAUDE.md", "a\n")
    (other.atlas / "AGENTS.md").symlink_to("CLAUDE.md")
    settle(one, other)
    assert "leads to another file" in other.notes[0]
    assert (one.atlas / "AGENTS.md").read_text() == "b\n" and (one.atlas / "CLAUDE.md").read_text() == "a\n"


def test_a_worktree_and_a_second_clone_are_not_the_place(machines: list[Machine], tmp_path: Path) -> None:
    one = machines[0]
    write(one.atlas / "CLAUDE.md", "a\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(one.atlas)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "a"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(one.home / "tree")], check=True, capture_output=True)
    with pytest.raises(InvalidRecordError, match="worktree"):
        one.files.share(write(one.home / "tree/CLAUDE.md", "b\n"))
    one.files.share_project(one.home / "tree")
    assert one.states() == {"project:CLAUDE.md": "in step"}


def test_that_a_file_is_gone_is_no_word_to_others(machines: list[Machine]) -> None:
    one, other, _third = machines
    path = write(one.atlas / "CLAUDE.md", "a\n")
    settle(one, other)
    path.unlink()
    write(other.atlas / "CLAUDE.md", "a\nb\n")
    settle(one, other)
    assert not path.exists() and one.states() == {"project:CLAUDE.md": "gone"}
    write(path, "A\n")
    settle(one, other)
    assert path.read_text() == "A\n" and one.states() == {"project:CLAUDE.md": "differs"}
    one.files.stop(path, None)
    write(other.atlas / "CLAUDE.md", "a\nb\nd\n")
    settle(one, other)
    assert path.read_text() == "A\n" and one.states() == {"project:CLAUDE.md": "stopped"}
    one.files.share_project(one.atlas)
    assert one.states() == {"project:CLAUDE.md": "differs"}


def test_a_file_that_cannot_be_written_stops_no_other(machines: list[Machine]) -> None:
    one, other, _third = machines
    write(one.atlas / "CLAUDE.md", "a\n")
    write(one.atlas / ".claude/rules/a.md", "a\n")
    write(other.atlas / ".claude/rules", "no folder\n")
    settle(one, other)
    assert (other.atlas / "CLAUDE.md").read_text() == "a\n"
    assert "can't be" in other.notes[0]


@pytest.mark.parametrize(
    "place",
    [
        "project:../evil.md", "project:/etc/evil.md", "project:.git/hooks/evil", "project:src/evil.md",
        "claude-code:settings.json", "claude-code:projects/../../evil/memory/MEMORY.md", "none:CLAUDE.md",
        "claude-code:projects/x/memory/MEMORY.md", "home:.bashrc", "home:../AGENTS.md", "CLAUDE.md",
    ],
)  # fmt: skip
def test_a_forged_row_writes_nothing(machines: list[Machine], place: str) -> None:
    one, _other, third = machines
    third.check_out()
    before = {path for path in third.home.parent.rglob("*") if "db" not in path.name}
    for project in ("atlas", ""):
        one.store.db.execute(
            "INSERT INTO shared_files VALUES (?, ?, 'evil', 1, 'told', '{\"evil\": [1, \"x\"]}')",
            (project, place),
        )
    settle(one, third)
    after = {path for path in third.home.parent.rglob("*") if "db" not in path.name}
    assert after == before


def test_no_line_is_lost_on_three_machines(machines: list[Machine]) -> None:
    machines[2].check_out()
    for seed in range(int(os.environ.get("MEMTUI_TEST_ROUNDS", "2"))):
        play(machines, random.Random(seed), seed)


def play(machines: list[Machine], chance: random.Random, seed: int) -> None:
    """Edit and meet at random; in the end all hold the same, or say that they differ, and every line that
    nobody took out is in a file."""
    name = f".claude/rules/r{seed}.md"
    write(machines[0].atlas / name, "".join(f"{number}\n" for number in range(12)))
    settle(*machines)
    added: set[str] = set()
    for step in range(14):
        machine = chance.choice(machines)
        path = machine.atlas / name
        lines = path.read_text().splitlines(keepends=True)
        match chance.randrange(4):
            case 0:
                lines.insert(chance.randrange(len(lines) + 1), f"new {step}\n")
                added.add(f"new {step}\n")
            case 1:
                old = [at for at, line in enumerate(lines) if not line.startswith("new")]
                lines[chance.choice(old)] = f"other {step}\n"
            case _:
                pair(*chance.sample(machines, 2))
                continue
        path.write_text("".join(lines))
    for _round in range(4):
        settle(*machines)
    texts = [(machine.atlas / name).read_text() for machine in machines]
    differ = [machine.states()[f"project:{name}"] == "differs" for machine in machines]
    assert len({*texts}) == 1 or any(differ), (seed, texts)
    assert added <= {line for text in texts for line in text.splitlines(keepends=True)}, seed
    assert all(text.count(line) <= 1 for text in texts for line in added), (seed, texts)
