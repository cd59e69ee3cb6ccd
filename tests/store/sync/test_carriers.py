"""What carries an exchange: a program at the other end of a pipe, ssh, a folder, git."""

import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from memtui.store import InvalidRecordError, Store
from memtui.store.leaves.sync import meeting as sync_meeting
from memtui.store.leaves.sync.channel import Channel, SyncError, Wishes
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.sync.meeting import Meeting, meet
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge import purged_session_id
from memtui.store.tables.removal.purge_selection import of_uids

from .meeting import stores


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    one, other = stores(tmp_path, "one", "other")
    with one, other:
        yield one, other


def meet_at(store: Store, address: str, wishes: Wishes | None = None) -> Meeting:
    machines = Machines(store)
    known = [place for place in machines.places() if place.address == address]
    place = known[0] if known else machines.add("there", address)
    return meet(store, place, wishes or Wishes())


def served(path: Path) -> list[str]:
    return [sys.executable, "-m", "memtui.store.cli", "sync", "--serve", "--db", str(path)]


def test_a_program_answers_on_its_standard_streams(store: Store, tmp_path: Path) -> None:
    store.observations.add("c-1", title="over a pipe")
    sync_meeting.meet_program(store, served(tmp_path / "there.db"))
    with Store.open(tmp_path / "there.db") as there:
        assert [item.title for item in there.observations.recent()] == ["over a pipe"]


def test_a_program_that_is_missing_is_told(store: Store) -> None:
    with pytest.raises(SyncError, match="not found there"):
        sync_meeting.meet_program(store, ["sh", "-c", "exit 127"])


def test_a_program_that_never_answers_is_not_waited_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_meeting, "SILENCE_SECONDS", 0.01)
    with pytest.raises(SyncError, match="silent for"):
        sync_meeting.meet_program(store, ["sleep", "600"])


@pytest.mark.parametrize(
    "says", ["exec yes", "exec cat /dev/zero", "while :; do echo no >&2; done", "echo {}; exec sleep 600"]
)
def test_a_program_that_never_ends_is_ended(
    store: Store, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    monkeypatch.setattr(sync_meeting, "SILENCE_SECONDS", 0.5)
    monkeypatch.setattr(sync_meeting, "END_SECONDS", 0.1)
    with pytest.raises(SyncError):
        sync_meeting.meet_program(store, ["sh", "-c", says])


def test_a_program_that_takes_nothing_is_not_waited_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_meeting, "SILENCE_SECONDS", 0.01)
    process = subprocess.Popen(["sleep", "600"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        assert process.stdin and process.stdout
        channel = Channel(*sync_meeting.patient(process.stdout, process.stdin))  # type: ignore[arg-type]
        with pytest.raises(SyncError, match="silent for"):
            channel.send("x" * 10_000_000)
        process.kill()


@pytest.mark.parametrize(
    ("host", "command"),
    [
        ("laptop", ["--", "laptop", "mem sync --serve"]),
        ("me@laptop:notes.db", ["--", "me@laptop", "mem sync --serve --db notes.db"]),
        ("laptop:/a b.db", ["--", "laptop", "mem sync --serve --db '/a b.db'"]),
        ("ssh://me@laptop:2222", ["-p", "2222", "--", "me@laptop", "mem sync --serve"]),
    ],
)
def test_addresses_are_those_of_ssh(host: str, command: list[str]) -> None:
    assert sync_meeting.command_of(sync_meeting.address_of(host))[3:] == command


def test_an_address_is_never_an_option_of_ssh() -> None:
    with pytest.raises(InvalidRecordError):
        sync_meeting.command_of("ssh://-oProxyCommand=x")


@pytest.mark.long
@pytest.mark.skipif(shutil.which("sshd") is None, reason="no server of ssh is installed")
def test_two_stores_meet_over_ssh(store: Store, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name in ("host", "user"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)], check=True
        )
    there = tmp_path / "there.db"
    forced = " ".join(served(there))
    public = (tmp_path / "user.pub").read_text()
    (tmp_path / "keys").write_text(f'command="{forced}" {public}')
    (tmp_path / "sshd").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {tmp_path}/host\nPidFile {tmp_path}/pid\n"
        f"AuthorizedKeysFile {tmp_path}/keys\nStrictModes no\nPasswordAuthentication no\n"
        f"SetEnv PYTHONPATH={os.environ.get('PYTHONPATH', '')}\n"
    )
    (tmp_path / "client").write_text(
        f"IdentityFile {tmp_path}/user\nIdentitiesOnly yes\nStrictHostKeyChecking no\n"
        f"UserKnownHostsFile {tmp_path}/known\nConnectionAttempts 20\n"
    )
    sshd = str(shutil.which("sshd"))
    server = subprocess.Popen([sshd, "-D", "-e", "-f", str(tmp_path / "sshd")], stderr=subprocess.PIPE)
    try:
        assert server.stderr is not None
        first = server.stderr.readline().decode()
        if "Missing privilege separation directory" in first:
            pytest.skip(first)
        assert "listening" in first
        store.observations.add("c-1", title="over ssh")
        command = sync_meeting.command_of(f"ssh://127.0.0.1:{port}", is_unattended=True)
        sync_meeting.meet_program(store, [command[0], "-F", str(tmp_path / "client"), *command[1:]])
    finally:
        server.terminate()
        server.wait()
    with Store.open(there) as other:
        assert [item.title for item in other.observations.recent()] == ["over ssh"]


def test_a_folder_carries_rows_and_deletions(pair: tuple[Store, Store], tmp_path: Path) -> None:
    one, other = pair
    folder = tmp_path / "shared"
    folder.mkdir()
    made = one.observations.add("c-1", title="in the folder")
    meet_at(one, f"folder:{folder}")
    meet_at(other, f"folder:{folder}")
    assert [item.title for item in other.observations.recent()] == ["in the folder"]
    other.observations.delete(other.observations.get(made.uid))
    meet_at(other, f"folder:{folder}")
    meet_at(one, f"folder:{folder}")
    assert not one.observations.recent()
    before = sorted(folder.rglob("*"))
    meet_at(one, f"folder:{folder}")
    meet_at(other, f"folder:{folder}")
    assert sorted(folder.rglob("*")) == before


def test_a_folder_tells_what_machines_are_called(
    pair: tuple[Store, Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    folder = tmp_path / "shared"
    folder.mkdir()
    made = one.observations.add("c-1", title="in the folder")
    monkeypatch.setattr("memtui.store.leaves.sync.folder.host_name", lambda: "laptop")
    meet_at(one, f"folder:{folder}")
    meet_at(other, f"folder:{folder}")
    assert other.machine_name(other.observations.get(made.uid).origin) == "laptop"
    assert one.machine_name(made.origin) == ""
    assert len(other.find("machine:laptop").page().hits) == 1


def test_a_chunk_that_has_not_come_whole_waits(pair: tuple[Store, Store], tmp_path: Path) -> None:
    one, other = pair
    folder = tmp_path / "shared"
    folder.mkdir()
    one.observations.add("c-1", title="in the folder")
    meet_at(one, f"folder:{folder}")
    (chunk,) = folder.glob("*/*.gz")
    data = chunk.read_bytes()
    for size in (0, 1, len(data) // 2, len(data) - 1):
        chunk.write_bytes(data[:size])
        meeting = meet_at(other, f"folder:{folder}")
        assert "hasn't come whole" in meeting.notes[0]
    chunk.write_bytes(data)
    meet_at(other, f"folder:{folder}")
    assert len(other.observations.recent()) == 1


HEAD = {"memtui-sync": 1, "machine": "m", "name": "there", "at": 0}
ROW = {"table": "observations", "uid": "u", "title": "one"}


def put_chunk(folder: Path, *lines: object) -> None:
    """Write a chunk as another machine would, named by its content."""
    data = gzip.compress("\n".join(map(json.dumps, lines)).encode())
    path = folder / "0-other" / f"{sha256(data).hexdigest()[:32]}.jsonl.gz"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ([], 5),
        ({"memtui-sync": 1},),
        (HEAD | {"at": "x"},),
        (HEAD, 5, None, []),
        (HEAD, ROW | {"hlc": "x"}),
        (HEAD, {"table": "fact_sources"}),
        (HEAD, {"table": "not_duplicates"}),
        (HEAD, {"table": "reports"}),
    ],
)
def test_a_chunk_that_is_none_stops_no_other(
    pair: tuple[Store, Store], tmp_path: Path, lines: tuple[object, ...]
) -> None:
    one, other = pair
    folder = tmp_path / "shared"
    folder.mkdir()
    put_chunk(folder, *lines)
    one.observations.add("c-1", title="in the folder")
    meet_at(one, f"folder:{folder}")
    meeting = meet_at(other, f"folder:{folder}")
    assert meeting.notes or meeting.refused
    assert [item.title for item in other.observations.recent()] == ["in the folder"]


@pytest.mark.parametrize(("line", "times"), [(b" ", 80 << 20), (b"{}\n", 10_000)])
def test_a_chunk_that_unpacks_to_very_much_is_left_alone(
    pair: tuple[Store, Store], tmp_path: Path, line: bytes, times: int
) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    data = gzip.compress(json.dumps(HEAD).encode() + b"\n" + line * times, 1)
    (folder / "0-other").mkdir()
    (folder / "0-other" / f"{sha256(data).hexdigest()[:32]}.jsonl.gz").write_bytes(data)
    pair[0].observations.add("c-1", title="in the folder")
    meet_at(pair[0], f"folder:{folder}")
    meeting = meet_at(pair[1], f"folder:{folder}")
    assert "unpacks to more" in meeting.notes[0]
    assert [item.title for item in pair[1].observations.recent()] == ["in the folder"]


def test_many_rows_are_written_to_several_chunks(
    pair: tuple[Store, Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    folder = tmp_path / "shared"
    folder.mkdir()
    monkeypatch.setattr("memtui.store.leaves.sync.folder.CHUNK_BYTES", 1_000)
    monkeypatch.setattr("memtui.store.leaves.sync.folder.LONGEST", 5_000)
    for number in range(4):
        one.observations.add("c-1", title=f"step {number}", narrative="word " * 150)
    one.observations.add("c-1", title="too long", narrative="word " * 2_000)
    meeting = meet_at(one, f"folder:{folder}")
    assert "is longer than" in meeting.notes[0]
    assert len([*folder.glob("*/*.gz")]) == 4
    meet_at(other, f"folder:{folder}")
    assert len(other.observations.recent()) == 4


def test_a_pipe_or_a_link_in_a_folder_is_not_read(pair: tuple[Store, Store], tmp_path: Path) -> None:
    one, other = pair
    folder = tmp_path / "shared"
    folder.mkdir()
    one.observations.add("c-1", title="in the folder")
    meet_at(one, f"folder:{folder}")
    (chunk,) = folder.glob("*/*.gz")
    moved = chunk.rename(tmp_path / chunk.name)
    chunk.symlink_to(moved)
    os.mkfifo(folder / chunk.parent.name / "pipe.jsonl.gz")
    meeting = meet_at(other, f"folder:{folder}")
    assert len(meeting.notes) == 2
    assert "it is a pipe" in meeting.notes[1]
    assert not other.observations.recent()


def test_what_is_purged_or_deleted_leaves_the_folder(pair: tuple[Store, Store], tmp_path: Path) -> None:
    import gzip

    one, other = pair
    folder = tmp_path / "shared"
    folder.mkdir()
    purged = one.observations.add("c-1", title="canary")
    deleted = one.observations.add("c-1", title="second canary")
    one.observations.add("c-1", title="stays")
    for store in (one, other):
        meet_at(store, f"folder:{folder}")
    purge_for_good(other, of_uids(other.db, [purged.uid]))
    other.observations.delete(other.observations.get(deleted.uid))
    for store in (other, one, other):
        meet_at(store, f"folder:{folder}")
    for path in folder.glob("*/*.gz"):
        assert b"canary" not in gzip.decompress(path.read_bytes())
    assert [item.title for item in one.observations.recent()] == ["stays"]


# A phrase is made slow to guess: seconds each time.
@pytest.mark.extra("sync")
@pytest.mark.parametrize("is_identity", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_sealed_folder_holds_no_readable_byte(
    pair: tuple[Store, Store], tmp_path: Path, is_identity: bool
) -> None:
    import pyrage

    one, other = pair
    folder, key = tmp_path / "shared", tmp_path / "key.txt"
    folder.mkdir()
    key.write_text(str(pyrage.x25519.Identity.generate()) if is_identity else "correct horse")
    one.observations.add("c-1", title="canary")
    meet_at(one, f"folder:{folder}?key={key}")
    with pytest.raises(SyncError, match="sealed"):
        raise SyncError(meet_at(other, f"folder:{folder}").notes[0])
    meet_at(other, f"folder:{folder}?key={key}")
    assert [item.title for item in other.observations.recent()] == ["canary"]
    (chunk,) = folder.glob(f"{one.machine_id}/*.age")
    assert chunk.read_bytes().startswith(b"age-encryption.org/v1")


def sealed_pair(pair: tuple[Store, Store], tmp_path: Path, scheme: str = "folder") -> tuple[Path, str]:
    """Have two stores meet in a folder that is sealed; the folder, and its address with the key."""
    import pyrage

    folder, key = tmp_path / "shared", tmp_path / "key.txt"
    folder.mkdir()
    if scheme == "git":
        subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    key.write_text(str(pyrage.x25519.Identity.generate()))
    address = f"{scheme}:{folder}?key={key}"
    pair[0].observations.add("c-1", title="stays", project="payments")
    for store in pair:
        assert meet_at(store, address).notes == ()
    return folder, address


def forged(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name.format(hash=sha256(data).hexdigest()[:32])
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return path


PURGED = {"table": "purged", "uid": "u", "kind": "sessions", "at": 1}
NOT_SEALED = ("carrier/{hash}.jsonl.gz", "own/{hash}.jsonl.gz", "carrier/{hash}.jsonl.gz.age",
              "carrier/{hash}.age.jsonl.gz", "carrier/{hash}.jsonl.gz.age.jsonl.gz")  # fmt: skip


@pytest.mark.extra("sync")
@pytest.mark.parametrize("scheme", ["folder", "git"])
@pytest.mark.parametrize("name", NOT_SEALED)
def test_what_is_not_sealed_by_the_key_of_a_folder_is_left_alone_and_named(
    pair: tuple[Store, Store], tmp_path: Path, scheme: str, name: str
) -> None:
    folder, address = sealed_pair(pair, tmp_path, scheme)
    purged = PURGED | {"key": purged_session_id("c-1")}
    row = {"table": "facts", "uid": "f", "content": "INJECTED", "kind": "world", "hlc": 1, "editor": "e",
           "created_at": 1, "updated_at": 1}  # fmt: skip
    data = gzip.compress("\n".join(map(json.dumps, (HEAD, purged, row))).encode())
    path = forged(folder, name.replace("own", pair[1].machine_id), data)
    for store in pair:
        for _ in range(2):
            notes = meet_at(store, address, Wishes(verify=True)).notes
            assert not path.exists() or any(str(path) in note for note in notes)
        assert [item.title for item in store.observations.recent()] == ["stays"]
        assert store.facts.list() == []


@pytest.mark.extra("sync")
def test_what_is_sealed_by_another_key_is_left_alone(pair: tuple[Store, Store], tmp_path: Path) -> None:
    import pyrage

    folder, address = sealed_pair(pair, tmp_path)
    other = pyrage.x25519.Identity.generate().to_public()
    data = pyrage.encrypt(gzip.compress(json.dumps(HEAD).encode()), [other])
    path = forged(folder, "carrier/{hash}.jsonl.gz.age", data)
    # A chunk that was sealed, under a name of none.
    (chunk,) = folder.glob(f"{pair[0].machine_id}/*.age")
    renamed = forged(folder, "carrier/{hash}.jsonl.gz", chunk.read_bytes())
    notes = meet_at(pair[1], address).notes
    assert len(notes) == 2 and all(str(it) in "".join(notes) for it in (path, renamed))


@pytest.mark.extra("sync")
def test_who_has_no_key_writes_nothing_into_a_sealed_folder(
    pair: tuple[Store, Store], tmp_path: Path
) -> None:
    folder, _ = sealed_pair(pair, tmp_path)
    before = sorted(folder.rglob("*"))
    with Store.open(tmp_path / "third.db") as third:
        third.observations.add("c-1", title="canary")
        meeting = meet_at(third, f"folder:{folder}")
        assert meeting.given == {"stored": 0} and "no key" in meeting.notes[0]
    assert sorted(folder.rglob("*")) == before
    # Who forgets to name the key of a folder has it used.
    line = ["sync", "folder", str(folder), "--db", str(pair[0].path)]
    pair[0].observations.add("c-1", title="written later")
    assert subprocess.run([sys.executable, "-m", "memtui.store.cli", *line], check=False).returncode == 0
    assert len([*folder.rglob("*.age")]) == 2 and not [*folder.rglob("*.gz")]


@pytest.mark.extra("sync")
def test_what_was_written_before_there_was_a_key_is_sealed(
    pair: tuple[Store, Store], tmp_path: Path
) -> None:
    import pyrage

    folder, key = tmp_path / "shared", tmp_path / "key.txt"
    folder.mkdir()
    key.write_text(str(pyrage.x25519.Identity.generate()))
    pair[0].observations.add("c-1", title="from before")
    meet_at(pair[0], f"folder:{folder}")
    (plain,) = folder.rglob("*.gz")
    forged(
        folder,
        f"{pair[0].machine_id}/{{hash}}.jsonl.gz",
        gzip.compress(json.dumps(HEAD).encode() + b"\n{}"),
    )
    Machines(pair[0]).add("there", f"folder:{folder}?key={key}")
    for store in pair:
        meet_at(store, f"folder:{folder}?key={key}")
    assert not plain.exists() and not [*folder.rglob("*.gz")]
    assert [item.title for item in pair[1].observations.recent()] == ["from before"]


def test_a_link_in_the_place_of_ones_own_directory_is_refused(store: Store, tmp_path: Path) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (folder := tmp_path / "shared").mkdir()
    (folder / store.machine_id).symlink_to(elsewhere)
    store.observations.add("c-1", title="one")
    with pytest.raises(SyncError, match="is a link"):
        meet_at(store, f"folder:{folder}")
    assert not [*elsewhere.iterdir()]


def test_two_machines_that_race_for_a_git_repository_both_come_through(
    pair: tuple[Store, Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "test")
        monkeypatch.setenv(f"{name}_EMAIL", "test@example.org")
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
    folders = []
    for number, store in enumerate(pair):
        folder = tmp_path / f"clone{number}"
        subprocess.run(
            ["git", "clone", "-q", str(bare), str(folder)], check=True, stderr=subprocess.DEVNULL
        )
        subprocess.run(["git", "-C", str(folder), "checkout", "-q", "-B", "main"], check=True)
        store.observations.add(f"c-{number}", title=f"of {number}")
        folders.append(folder)
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "memtui.store.cli", "sync", "folder", str(folder), "--git",
             "--db", str(store.path)],
        )
        for folder, store in zip(folders, pair, strict=True)
    ]  # fmt: skip
    assert [process.wait() for process in processes] == [0, 0]
    for folder, store in zip(folders, pair, strict=True):
        meet_at(store, f"git:{folder}") if not Machines(store).places() else meet(
            store, Machines(store).places()[0], Wishes()
        )
    assert {item.title for item in pair[0].observations.recent()} == {"of 0", "of 1"}
    log = subprocess.run(["git", "-C", str(bare), "log", "--format=%s"], check=True, capture_output=True)
    assert b"Memories of" in log.stdout


def test_a_machine_that_was_added_so_is_met_after_captures(
    pair: tuple[Store, Store], tmp_path: Path
) -> None:
    one, other = pair
    folder = tmp_path / "shared"
    folder.mkdir()
    for store in pair:
        Machines(store).add("shared", f"folder:{folder}", automatic=True)
    one.observations.add("c-1", title="by itself")
    for store in pair:
        line = ["--db", str(store.path), "queue", "process", "--background"]
        subprocess.run([sys.executable, "-m", "memtui.store.cli", *line], check=True)
    assert [item.title for item in other.observations.recent()] == ["by itself"]
    assert Machines(one).due() == []
