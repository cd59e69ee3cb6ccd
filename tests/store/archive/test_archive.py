"""What agents leave is captured piece by piece, and comes back byte for byte."""

import hashlib
import json
import os
import random
import stat
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.agents.homes import AgentHomes
from memtui.store.database import notices
from memtui.store.leaves.archive.archive import Archive, capture_if_on, units
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.errors import ConflictError, NotFoundError, SourceError
from memtui.store.tables.removal.purge_selection import Selection
from tests.sizes import sizes

ID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"


def line(number: int) -> bytes:
    record = {"type": "user", "sessionId": ID, "message": f"line {number} of what was said here"}
    return json.dumps(record).encode() + b"\n"


@pytest.fixture
def here(tmp_path: Path) -> AgentHomes:
    """A home with a session of Claude Code, a sub-agent of it, notes, prompts, and what is never kept."""
    project = tmp_path / "home/.claude/projects/-w-shop"
    files = {
        f"{ID}.jsonl": b"".join(map(line, range(200))) + b'{"torn',
        f"{ID}/subagents/agent-1.jsonl": line(1),
        f"{ID}/tool-results/a.txt": b"a result\n",
        "memory/MEMORY.md": b"- [a](a.md)\n",
        "memory/a.md": b"note\n",
    }
    for name, content in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o600)
    claude = project.parent.parent
    (claude / "history.jsonl").write_bytes(b'{"display": "hello"}\n')
    (claude / "file-history/x").mkdir(parents=True)
    (claude / "file-history/x/.env@v1").write_bytes(b"KEY=1\n")
    (claude / "sessions").mkdir()
    (claude / "sessions/a.key").write_bytes(b"key")
    return AgentHomes((tmp_path / "home").resolve(), {}, tmp_path)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "memory.db")


def transcript(here: AgentHomes) -> Path:
    return here.home / f".claude/projects/-w-shop/{ID}.jsonl"


def test_sessions_and_what_belongs_to_none_are_captured_and_no_keys(
    here: AgentHomes, archive: Archive
) -> None:
    done = archive.capture(units(here))
    assert done.files == 6
    found = {(unit.agent, unit.project, unit.id): len(unit.files) for unit in archive.units()}
    assert found == {
        ("claude-code", "-w-shop", ID): 3,
        ("claude-code", "-w-shop", "memory"): 2,
        ("claude-code", "-", "prompts"): 1,
    }
    assert [*archive.verify()] == []
    assert archive.unit(ID[:8]).files[0].is_torn
    modes = {stat.S_IMODE(path.stat().st_mode) for path in archive.path.rglob("*")}
    assert modes == {0o600, 0o700}


def test_only_the_new_end_of_a_file_is_read_into_the_archive(here: AgentHomes, archive: Archive) -> None:
    archive.capture(units(here))
    assert archive.capture(units(here)).files == 0
    added = b'": 1}\n' + line(201)
    with transcript(here).open("ab") as file:
        file.write(added)
    done = archive.capture(units(here))
    assert (done.files, done.bytes) == (1, len(added))
    unit = archive.unit(ID)
    assert unit.versions == 3
    entry = next(entry for entry in unit.files if entry.path == str(transcript(here)))
    assert b"".join(archive.content(entry)) == transcript(here).read_bytes()
    assert (len(entry.chunks), entry.is_torn, entry.lines) == (2, False, 202)


def test_a_rewritten_file_is_a_new_version(here: AgentHomes, archive: Archive) -> None:
    archive.capture(units(here))
    transcript(here).write_bytes(line(9) * 300)
    archive.capture(units(here))
    unit = archive.unit(ID)
    assert (len(unit.files), unit.versions) == (3, 4)
    assert [*archive.verify()] == []


@sizes("sessions", 5, 120)
def test_what_was_deleted_comes_back_as_it_was(tmp_path: Path, archive: Archive, sessions: int) -> None:
    random_ = random.Random(7)
    home = (tmp_path / "home").resolve()
    folder = home / ".claude/projects/-w"
    folder.mkdir(parents=True)
    here = AgentHomes(home, {}, tmp_path)
    paths = []
    for number in range(sessions):
        path = folder / f"{number:08x}-0000-4000-8000-000000000000.jsonl"
        path.write_bytes(b"".join(map(line, range(random_.randrange(1, 60)))))
        path.chmod(random_.choice([0o600, 0o644]))
        paths.append(path)
    archive.capture(units(here))
    for path in random_.sample(paths, sessions // 2):
        with path.open("ab") as file:
            file.write(line(random_.randrange(99))[: random_.randrange(1, 90)])
    archive.capture(units(here))
    before = {path: (path.read_bytes(), path.stat().st_mode) for path in paths}
    for path in paths:
        os.utime(path, (1, 1))
        path.unlink()
    assert all(unit.is_only_here for unit in archive.units())
    for unit in archive.units():
        archive.restore(unit)
    assert {path: (path.read_bytes(), path.stat().st_mode) for path in paths} == before
    assert all(path.stat().st_mtime > 1_000_000 for path in paths)
    stored = sum(map(archive.stored_bytes, archive.units()))
    assert stored < sum(len(content) for content, _ in before.values()) / 2


def test_nothing_is_restored_over_what_differs(here: AgentHomes, archive: Archive, tmp_path: Path) -> None:
    archive.capture(units(here))
    before = transcript(here).read_bytes()
    other = transcript(here).with_suffix("") / "tool-results/a.txt"
    other.unlink()
    transcript(here).write_bytes(b"other\n")
    with pytest.raises(ConflictError, match="--to DIR"):
        archive.restore(archive.unit(ID))
    assert transcript(here).read_bytes() == b"other\n"
    assert not other.exists()
    archive.restore(archive.unit(ID), tmp_path / "to")
    assert (tmp_path / f"to/{ID}.jsonl").read_bytes() == before


@sizes("bits", 20, 100)
def test_each_flipped_bit_is_found(here: AgentHomes, archive: Archive, bits: int) -> None:
    archive.capture(units(here))
    random_ = random.Random(3)
    files = [path for path in sorted(archive.path.rglob("*")) if path.is_file() and path.stat().st_size]
    for _ in range(bits):
        path = random_.choice(files)
        content = bytearray(before := path.read_bytes())
        content[random_.randrange(len(content))] ^= 1 << random_.randrange(8)
        path.write_bytes(content)
        assert [*archive.verify()], path
        path.write_bytes(before)
    assert [*archive.verify()] == []


def test_what_is_damaged_is_not_restored(here: AgentHomes, archive: Archive) -> None:
    archive.capture(units(here))
    transcript(here).unlink()
    entry = next(one for one in archive.unit(ID).files if one.path == str(transcript(here)))
    name = entry.chunks[0].sha256
    (archive.path / "chunks" / name[:2] / name).write_bytes(b"x")
    with pytest.raises(SourceError):
        archive.restore(archive.unit(ID))
    assert not transcript(here).exists()


def test_what_is_let_go_takes_its_pieces_along(here: AgentHomes, archive: Archive) -> None:
    archive.capture(units(here))
    assert archive.prune(1) == 0
    assert archive.forget([archive.unit(ID)]) == 1
    with pytest.raises(NotFoundError):
        archive.unit(ID)
    assert [*archive.verify()] == []
    assert archive.forget(archive.units()) == 2
    assert not [path for path in archive.path.rglob("*") if path.is_file() and path.stat().st_size]


def test_what_is_purged_leaves_the_archive(store: Store, here: AgentHomes) -> None:
    archive = Archive(store.path)
    archive.capture(units(here))
    session = store.sessions.start(ID, agent="claude-code", project="shop")
    fact = store.facts.add("line 7 of what was said here")
    purge_for_good(store, Selection({"facts": (fact.id,)}))
    assert {unit.id for unit in archive.units()} == {"memory", "prompts"}
    archive.capture(units(here))
    done = purge_for_good(store, Selection({"sessions": (session.id,)}))
    assert done.archived == 1
    assert {unit.id for unit in archive.units()} == {"memory", "prompts"}


def test_a_purge_takes_what_a_killed_capture_left(store: Store, here: AgentHomes) -> None:
    archive = Archive(store.path)
    archive.capture(units(here))
    piece = archive.chunks.keep(b"a secret")
    draft = archive.chunks.path / piece.sha256[:2] / f".{piece.sha256}.1.0a1b2c3d"
    draft.write_bytes(b"half a secret")
    fact = store.facts.add("said nowhere else")
    purge_for_good(store, Selection({"facts": (fact.id,)}))
    assert archive.chunks.stored_bytes(piece) == 0
    assert not draft.exists()
    assert [*archive.verify()] == []


def test_nothing_is_captured_unless_it_is_on(
    store: Store, here: AgentHomes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    archive = Archive(store.path)
    config = tmp_path / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    monkeypatch.setenv("HOME", str(here.home))
    capture_if_on(store)
    assert not archive.path.exists()
    config.write_text("[archive]\non = true\n")
    capture_if_on(store)
    assert archive.units()


def write_lines(folder: Path, *values: object) -> None:
    """Write a manifest whose lines have the hashes that they should."""
    texts = [json.dumps(value).encode() for value in values]
    lines = [text + b"\t" + hashlib.sha256(text).hexdigest()[:16].encode() + b"\n" for text in texts]
    (folder / "manifest.jsonl").write_bytes(b"".join(lines))


SHAPES: dict[str, object] = {
    "null": None, "a list": [], "no pieces": {"chunks": None}, "another key": {"odd": 1},
    "a number": {"path": 5}, "a text": {"size": "many"}, "a truth": {"seen": True},
    "a piece of another shape": {"chunks": [{"sha256": 1}]}, "leads out": {"path": "/p/../x"},
    "is relative": {"path": "p"},
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_one_damaged_manifest_stops_nothing(here: AgentHomes, archive: Archive, shape: str) -> None:
    archive.capture(units(here))
    unit = archive.unit(ID)
    entry = json.loads((unit.folder / "manifest.jsonl").read_bytes().split(b"\t")[0])
    change = SHAPES[shape]
    write_lines(unit.folder, entry | change if isinstance(change, dict) else change)
    notices.take()
    assert {one.id for one in archive.units()} == {"memory", "prompts"}
    assert "manifest.jsonl is damaged in line 1." in notices.take()[0]
    assert [str(folder) for folder, _ in archive.verify()] == [str(unit.folder)]
    pieces = set(archive.chunks.path.glob("??/*"))
    transcript(here).write_bytes(b"new\n")
    (here.home / ".claude/projects/-w-shop/memory/a.md").write_bytes(b"another note\n")
    assert archive.capture(units(here)).files == 1
    # What a damaged manifest lists stays, what is let go of goes.
    archive.forget([archive.unit("prompts")])
    left = set(archive.chunks.path.glob("??/*"))
    assert len(pieces - left) == 1
