"""Whatever is cut out of a file or overwritten in it: no error, every whole line in, each bad one named."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.scheme_c.directory_import import import_directory
from memtui.store.formats.scheme_c.sync import sync
from tests.sizes import sizes

from .directories import DAY, directory, fact, line


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A directory with lines of every kind, ours too."""
    path = directory(
        tmp_path / "c",
        d16=[line(number, content=f"did {number}") for number in range(20)]
        + [fact(number, f"fact {number}") for number in range(20, 40)],
        facts=[{"id": f"f{n}", "type": "W", "content": f"final {n}"} for n in range(20)],
        sessions=[{"id": f"s{n}", "session_id": "conv-1", "topic": f"sum {n}"} for n in range(20)],
    )
    with Store.open(tmp_path / "first.db") as store:
        store.observations.add("ours", title="of ours", project="atlas")
        store.facts.add("of ours", sources=["docs"])
        sync(store, path)
    return path


@pytest.mark.parametrize("file", [f"daily/{DAY}.jsonl", "facts.jsonl", "sessions.jsonl"])
@pytest.mark.parametrize("damage", ["zeroed", "cut out", "cut off"])
@sizes("places", 8, 16)
@pytest.mark.sampled
def test_each_bad_line_is_named_and_all_others_come_in(
    tmp_path: Path, whole: Path, file: str, damage: str, places: int
) -> None:
    place = whole / file
    before = place.read_bytes()
    width = len(before) // places + 1
    for number in range(places):
        start = number * width
        rest = b"" if damage == "cut off" else before[start + width :]
        hole = bytes(len(before[start : start + width])) if damage == "zeroed" else b""
        place.write_bytes(after := before[:start] + hole + rest)
        good, bad = sorted_out(after)
        with Store.open(tmp_path / f"{number}.db") as store:
            report = import_directory(store, whole)
            named = {one.table for one in report.warnings}
            assert {f"{file}:{one}" for one in bad} <= named, number
            assert report.is_damaged == bool(bad)
            assert titles(store) >= good, number


def sorted_out(raw: bytes) -> tuple[set[str], set[int]]:
    """What the good lines of a file say, and the numbers of the bad ones."""
    good: set[str] = set()
    bad: set[int] = set()
    for number, text in enumerate(raw.split(b"\n"), start=1):
        try:
            values = json.loads(text) if text.strip() else {}
        except ValueError:
            bad.add(number)
            continue
        if isinstance(values, dict):
            good |= {str(values[key]) for key in ("content", "topic") if values.get(key)}
        else:
            bad.add(number)
    return good, bad


def titles(store: Store) -> set[str]:
    """What the store holds, as the lines say it."""
    return {
        *(str(one.title) for one in store.observations.recent(limit=99)),
        *(one.content for one in store.facts.list(limit=99)),
        *(str(one.request) for one in store.summaries.recent(limit=99)),
    }


@pytest.mark.parametrize(
    "part",
    [
        7,
        {"kind": "observation"},
        {"kind": "planet", "uid": "u"},
        {"kind": "observation", "uid": "u", "concepts": "no list"},
        {"kind": "observation", "uid": "u", "hlc": "late"},
        {"kind": "observation", "uid": "u", "created_at": 1 << 70},
        {"kind": "observation", "uid": "u", "extra": "{no json"},
        {"kind": "fact", "uid": "u", "fact_kind": "X", "content": "x"},
        {"kind": "fact", "uid": "u", "fact_kind": "W", "content": "x", "tellings": [7]},
        {"kind": "fact", "uid": "u", "fact_kind": "W", "content": "x", "confidence": 7},
        {"kind": "session", "uid": "u", "status": "asleep"},
        {"kind": "note", "uid": "u", "path": "NOTES.md"},
        {"kind": "observation", "uid": "u", "is_gone": True, "deleted_at": "x", "hlc": []},
    ],
)
def test_a_damaged_part_of_ours_is_named_and_nothing_half_made_stays(
    store: Store, tmp_path: Path, part: object
) -> None:
    good = line(2, content="good")
    path = directory(tmp_path / "c", d16=[{"id": "u", "type": "x", "memtui": part}, good])
    report = import_directory(store, path)
    assert [one.title for one in store.observations.recent()] == ["good"]
    assert store.facts.list() == [] and store.notes.list() == []
    if not (isinstance(part, dict) and part.get("is_gone")):
        assert [one.table for one in report.warnings][:1] == [f"daily/{DAY}.jsonl:1"]
