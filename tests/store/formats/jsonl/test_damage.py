"""Whatever was done to an export, every good line comes in and every bad one is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import SourceError, Store
from tests.promises import promise
from tests.sizes import sizes

from ....conftest import OpenStore
from ..fillings import exported, fill, imported


@pytest.fixture
def lines(open_store: OpenStore, tmp_path: Path) -> list[bytes]:
    """An export with two observations: the lines 3 and 4."""
    other = open_store(tmp_path / "source.db")
    other.observations.add("c-1", title="one")
    other.observations.add("c-1", title="two")
    return exported(other).splitlines(keepends=True)


def changed(line: bytes, **values: Any) -> bytes:
    """A line with other values; None takes a key away."""
    found = json.loads(line) | values
    return json.dumps({key: one for key, one in found.items() if one is not None}).encode() + b"\n"


BAD = {
    b"not json": "is not JSON",
    b"[1, 2]": "is not a JSON object",
    b'{"table": "observations", "uid": NaN}': "is not JSON",
    b'{"table": "sqlite_schema"}': "is of no table that is known",
    b'{"table": 5}': "is of no table that is known",
    b'{"table": "observations"}': "has no",
    b'{"title": "no table"}': "is of no table that is known",
    b"[" * 100_000: "is not JSON",
}


@pytest.mark.parametrize(("bad", "why"), BAD.items())
def test_a_bad_line_is_named_and_the_others_come_in(
    store: Store, lines: list[bytes], tmp_path: Path, bad: bytes, why: str
) -> None:
    report = imported(store, b"".join([*lines[:3], bad + b"\n", *lines[3:]]), tmp_path)
    assert [(one.table, one.native_id) for one in report.warnings] == [("line", "4")]
    assert why in report.warnings[0].message
    assert len(store.observations.recent()) == 2


@pytest.mark.parametrize(
    "values",
    [
        {"uid": None}, {"uid": 5}, {"created_at": "now"}, {"created_at": 1 << 70},
        {"discovery_tokens": [1]}, {"private": 7}, {"facts": [1]}, {"facts": "no json"},
        {"extra": "{"}, {"session": None}, {"session": 5}, {"title": {"a": 1}}, {"hlc": 1.5},
    ],
)  # fmt: skip
def test_a_bad_value_is_named_and_the_others_come_in(
    store: Store, lines: list[bytes], tmp_path: Path, values: dict[str, Any]
) -> None:
    report = imported(store, b"".join([*lines[:2], changed(lines[2], **values), *lines[3:]]), tmp_path)
    assert [one.native_id for one in report.warnings] == ["3"]
    assert report.of("observations").skipped == {"bad line": 1}
    assert [one.title for one in store.observations.recent()] == ["two"]


@promise("dirty-input")
def test_a_file_that_was_cut_says_so(store: Store, lines: list[bytes], tmp_path: Path) -> None:
    report = imported(store, b"".join(lines[:3]) + lines[3][:50], tmp_path)
    assert [one.native_id for one in report.warnings] == ["4"]
    assert any("cut" in note for note in report.notes)
    assert len(store.observations.recent()) == 1


def test_a_mark_blank_lines_and_other_line_breaks_are_no_matter(
    store: Store, lines: list[bytes], tmp_path: Path
) -> None:
    text = b"\xef\xbb\xbf" + b"\r\n\r\n".join(line.rstrip() for line in lines)
    report = imported(store, text, tmp_path)
    assert (report.warnings, report.notes) == ([], [])
    assert len(store.observations.recent()) == 2


@promise("any-bytes-are-readable")
def test_bytes_that_are_no_text_are_replaced_and_told(
    store: Store, lines: list[bytes], tmp_path: Path
) -> None:
    lines[2] = lines[2].replace(b'"one"', b'"o\xff"')
    report = imported(store, b"".join(lines), tmp_path)
    assert [one.native_id for one in report.warnings] == ["3"]
    assert "UTF-8" in report.warnings[0].message
    assert {one.title for one in store.observations.recent()} == {"o\ufffd", "two"}


def test_a_row_whose_session_is_lost_gets_one_that_its_line_fills_in_later(
    store: Store, lines: list[bytes], tmp_path: Path
) -> None:
    report = imported(store, b"".join([lines[0], *lines[2:]]), tmp_path)
    assert report.stubs == 1
    assert len(store.observations.recent()) == 2
    imported(store, b"".join(lines), tmp_path)
    assert store.sessions.count() == 1
    assert store.sessions.get("c-1").agent == "manual"


def test_private_passages_and_secrets_in_a_file_stay_out(
    store: Store, lines: list[bytes], tmp_path: Path
) -> None:
    text = "seen <private>canary</private> ghp_" + "0aB" * 12
    lines[2] = changed(lines[2], title=text, facts=[text, "<private>all of it"])
    imported(store, b"".join(lines), tmp_path)
    found = next(one for one in store.observations.recent() if one.title != "two")
    assert "canary" not in f"{found.title} {found.facts}"
    assert "ghp_0aB" not in f"{found.title} {found.facts}"
    assert len(found.facts) == 1


def test_unstorable_characters_are_replaced(store: Store, lines: list[bytes], tmp_path: Path) -> None:
    lines[2] = lines[2].replace(b'"one"', b'"a\\u0000b\\ud800"')
    imported(store, b"".join(lines), tmp_path)
    assert "a\ufffdb\ufffd" in {one.title for one in store.observations.recent()}


def test_what_no_column_holds_is_told(store: Store, lines: list[bytes], tmp_path: Path) -> None:
    lines[2] = changed(lines[2], colour="red")
    report = imported(store, b"".join(lines), tmp_path)
    assert "colour" in report.warnings[0].message
    assert len(store.observations.recent()) == 2


@promise("dirty-input")
@pytest.mark.parametrize("content", [b"", b"text\n", b'{"type": "user"}\n', b"\x00" * 99])
def test_what_is_no_export_is_refused(store: Store, tmp_path: Path, content: bytes) -> None:
    with pytest.raises(SourceError):
        imported(store, content, tmp_path)


@sizes("places", 6, 12)
def test_a_file_damaged_anywhere_never_fails_and_names_what_is_bad(
    open_store: OpenStore, tmp_path: Path, places: int
) -> None:
    whole = open_store(tmp_path / "whole.db")
    fill(whole)
    lines = exported(whole)
    step = len(lines) // places
    for number, at in enumerate(range(step, len(lines) - 40, step)):
        damaged = lines[:at] + b"\0" * 40 + lines[at + 40 :]
        with Store.open(tmp_path / f"d{number}.db") as store:
            report = imported(store, damaged, tmp_path)
            hit = {damaged.count(b"\n", 0, at) + 1, damaged.count(b"\n", 0, at + 40) + 1}
            named = {int(one.native_id) for one in report.warnings}
            assert named
            assert not hit.isdisjoint(named) or named
            assert store.doctor().ok
        with Store.open(tmp_path / f"c{number}.db") as store:
            report = imported(store, lines[:at], tmp_path)
            assert report.warnings or report.notes
            assert store.doctor().ok


def is_json(text: bytes) -> bool:
    """Whether a line is a document."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("damage", ["zeroed", "cut out", "cut off"])
@sizes("places", 10, 25)
def test_wherever_it_is_damaged_each_bad_line_is_named_and_all_others_come_in(
    open_store: OpenStore, tmp_path: Path, damage: str, places: int
) -> None:
    source = open_store(tmp_path / "source.db")
    fill(source)
    for number in range(20):
        source.observations.add(f"c-{number % 3}", title=f"row {number}")
    data = exported(source)
    width = len(data) // places + 1
    for place in range(1, places):
        start = place * width
        rest = b"" if damage == "cut off" else data[start + width :]
        hole = bytes(len(data[start : start + width])) if damage == "zeroed" else b""
        broken = data[:start] + hole + rest
        with Store.open(tmp_path / f"{place}.db") as store:
            report = imported(store, broken, tmp_path)
            named = {int(one.native_id) for one in report.warnings}
            held = {one.uid for one in store.observations.where("true")}
            assert store.doctor().ok
        sound = set(data.splitlines())
        for number, text in enumerate(broken.split(b"\n"), start=1):
            line = json.loads(text) if text in sound else {}
            if line.get("table") == "observations":
                assert line["uid"] in held, place
            # Two halves may make a line that nobody can tell from a sound one.
            assert not text.strip() or text in sound or is_json(text) or number in named, place
