"""What hooks have left and nobody has stored yet is counted, and read however it was piped."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.catch_up import catch_up, still_waiting

from .hooks import Machine, Start, prompt


def test_a_search_is_told_how_many_events_wait(tmp_path: Path) -> None:
    machine = Machine.at(tmp_path)
    for text in ("first", "second"):
        machine.run(Start(json.dumps(prompt(text)).encode()))
    with Store.open(machine.database) as store:
        assert still_waiting(store).startswith("2 events of agents are still being stored")
        catch_up(store, 60.0)
        assert still_waiting(store) == ""
        assert store.find("second").page().hits


def test_an_event_with_a_byte_order_mark_is_stored(tmp_path: Path) -> None:
    machine = Machine.at(tmp_path)
    machine.run(Start(b"\xef\xbb\xbf" + json.dumps(prompt("through a pipe")).encode()))
    with Store.open(machine.database) as store:
        catch_up(store, 60.0)
        assert store.find("pipe").page().hits


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_an_event_in_another_encoding_of_unicode_is_stored(tmp_path: Path, encoding: str) -> None:
    machine = Machine.at(tmp_path)
    machine.run(Start(json.dumps(prompt("through a pipe")).encode(encoding)))
    with Store.open(machine.database) as store:
        catch_up(store, 60.0)
        assert store.find("pipe").page().hits
