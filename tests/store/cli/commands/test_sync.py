"""`mem sync scheme-c`, and what `mem sync` tells of machines."""

from pathlib import Path

from memtui.store import Store
from memtui.store.leaves.sync.channel import Refusal
from memtui.store.leaves.sync.machines import Machines

from ...formats.scheme_c.directories import directory, everything, line
from ..runner import Mem


def test_it_tells_what_came_in_and_what_went_out(mem: Mem, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="theirs"), "bad"])
    mem.ok("add", "mine")
    result = mem("sync", "scheme-c", str(path))
    assert result.exit_code == 0
    rows = {row.split("\t")[0]: row.split("\t")[1:] for row in result.stdout.splitlines()}
    assert rows["observations"] == ["1", "1", "0", "1", ""]
    assert rows["lines"][-1] == "1 not a JSON object"
    assert "daily/2026-02-16.jsonl:2: is cut off" in result.stderr or "not valid JSON" in result.stderr
    assert "Written to 1 file: daily/" in result.stderr
    again = mem("sync", "scheme-c", str(path))
    assert again.stderr == "They are in step.\n"


def test_a_dry_run_says_what_would_be_and_leaves_all_as_it_is(mem: Mem, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="theirs")])
    mem.ok("add", "mine")
    before = everything(path)
    told = mem.json("sync", "scheme-c", str(path), "--dry-run")
    assert told["is_dry_run"] and told["written"] == {"session": 1, "observation": 1}
    assert told["read"]["counts"]["observations"]["new"] == 1
    assert everything(path) == before
    assert len(mem.json("search", "")) == 1


def test_a_memory_is_made_again_of_a_directory(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", "mine", "--fact", "one")
    mem.ok("fact", "add", "Water is wet")
    mem.ok("sync", "scheme-c", str(tmp_path / "c"))
    again = Mem(tmp_path / "again.db", mem.folder)
    again.ok("sync", "scheme-c", str(tmp_path / "c"))
    assert again.json("search", "mine")[0]["uid"] == mem.json("search", "mine")[0]["uid"]
    assert again.json("fact", "list")[0]["uid"] == mem.json("fact", "list")[0]["uid"]


def test_what_can_not_be_is_refused_in_a_sentence(mem: Mem, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "is a file" in mem.refused("sync", "scheme-c", str(tmp_path / "file"))
    assert "Missing argument" in mem.refused("sync", "scheme-c", code=2)


def test_of_many_files_a_few_are_named(mem: Mem, tmp_path: Path) -> None:
    for day in range(10, 20):
        mem.ok("add", f"on day {day}", "--at", f"2026-02-{day} 12:00")
    told = mem("sync", "scheme-c", str(tmp_path / "c")).stderr
    assert "daily/2026-02-10.jsonl" in told
    assert "and 7 more." in told
    assert len(mem.json("sync", "scheme-c", str(tmp_path / "d"))["files"]) == 11


def test_the_status_names_what_was_refused_and_what_waits(mem: Mem) -> None:
    mem.ok("sync", "add", "laptop", "ssh://laptop", "--read-only")
    with Store.open(mem.db) as store:
        machines = Machines(store)
        machines.meet("01990000-laptop00", "laptop.local")
        machines.note_meeting("laptop", "01990000-laptop00")
        machines.finish("01990000-laptop00", "first", 0)
        made = store.observations.add(None, title="Odd one", project="atlas")
        refused = [Refusal("observations", made.uid, "too new"), Refusal("facts", "0199-x", "no text")]
        machines.note_refused("01990000-laptop00", refused)
    told = mem("sync", "status")
    name, met, waits, count, way, auto, address = told.stdout.rstrip("\n").split("\t")
    assert (name, waits, count, way, auto, address) == (
        "laptop", "1", "2", "from it", "", "ssh://laptop",
    )  # fmt: skip
    assert met != "never"
    assert "laptop: observation 1 “Odd one” was refused: too new" in told.stderr
    assert "laptop: facts 0199-x was refused: no text" in told.stderr
    ((entry),) = mem.json("sync", "status")
    assert entry["refused"][1]["name"] == "observation 1 “Odd one”"


def test_a_dry_run_of_a_folder_says_what_is_not_known(mem: Mem, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    mem.ok("fact", "add", "Water is wet")
    told = mem("sync", "folder", str(tmp_path / "shared"), "--dry-run")
    rows = [line.split("\t")[1:] for line in told.stdout.splitlines()]
    assert ["facts", "1", "?"] in rows and ["who told facts", "1", "?"] in rows
    assert "what would come of a folder is known when it is read" in told.stderr
    assert not [*(tmp_path / "shared").iterdir()]
    mem.ok("sync", "folder", str(tmp_path / "shared"))
    mem.ok("add", "Later", "--private")
    mem.ok("add", "A fresh one")
    mem.ok("delete", "f1")
    told = mem("sync", "folder", str(tmp_path / "shared"), "--dry-run")
    named = [line.partition(": ")[2] for line in told.stderr.splitlines()[1:]]
    assert named == ["observation 2 “A fresh one”", "fact f1 “Water is wet” is deleted"]


def test_what_was_changed_on_two_machines_is_listed_by_dedupe(mem: Mem) -> None:
    with Store.open(mem.db) as store:
        made = store.observations.add(None, title="Retry", narrative="twice", project="atlas")
        store.observations.add(
            None, title="Retry", narrative="with a pause", project="atlas",
            source="sync", native_id=f"{made.uid}/1/other",
        )  # fmt: skip
    told = mem("dedupe", "--similarity", "100")
    assert told.stdout.splitlines()[:2] == [
        "1\t\t\tas it is\tRetry", "\t2\t\tchanged on two machines\tRetry",
    ]  # fmt: skip
    assert "1 memory changed on two machines" in told.stderr
    (found, *_) = mem.json("dedupe")
    assert (found["keep"], found["like"][0]["ref"]) == ("1", "2")
    assert mem.json("dedupe", "--project", "borealis") == []
