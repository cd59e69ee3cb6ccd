"""What is stored is taken out of the spool's files, and nothing else is."""

import threading

from memtui.store import Store
from memtui.store.capture.ingest.drain import scrub_stored

from ...promises import promise
from .faults import spool_is_a_file
from .hooks import Machine, prompt


def scrubbed(machine: Machine) -> int:
    """The number of bytes taken out of the machine's spool."""
    with Store.open(machine.database) as store:
        return scrub_stored(store)


def spooled(machine: Machine) -> bytes:
    """All bytes of all segments, those of the fallbacks too."""
    return b"".join(path.read_bytes() for path in sorted(machine.folder.rglob("*.jsonl")))


@promise("purge-final")
def test_no_stored_word_stays_in_the_spool_or_a_fallback(machine: Machine) -> None:
    machine.hook(prompt("in the spool"))
    with spool_is_a_file(machine, b"") as _:
        machine.hook(prompt("in a fallback"))
    sizes = {path: path.stat().st_size for path in machine.folder.rglob("*.jsonl")}
    assert len(sizes) == 2
    assert scrubbed(machine) > 0
    assert spooled(machine).strip() == b""
    assert {path: path.stat().st_size for path in sizes} == sizes
    assert sorted(machine.prompts()) == ["in a fallback", "in the spool"]
    assert scrubbed(machine) == 0


def test_what_comes_after_is_stored_once(machine: Machine) -> None:
    machine.hook(prompt("first"))
    scrubbed(machine)
    machine.hook(prompt("second"))
    done = machine.drained()
    assert (done.stored, done.quarantined, done.recognised) == (1, 0, 0)
    scrubbed(machine)
    machine.hook(prompt("third"))
    machine.drained()
    assert machine.prompts() == ["first", "second", "third"]


def test_a_quarantined_event_is_taken_out_too(machine: Machine) -> None:
    machine.hook(prompt("sound"))
    (segment,) = machine.spool.glob("*.jsonl")
    with segment.open("ab") as file:
        file.write(b'{"at":1,"took":1,"agent":"x","env":[],"cwd":"","event":{"broken\n')
    scrubbed(machine)
    assert spooled(machine).strip() == b""


def test_hooks_that_append_meanwhile_lose_nothing(machine: Machine) -> None:
    machine.hook(prompt("turn 0"))
    stop = threading.Event()

    def scrub() -> None:
        while not stop.is_set():
            scrubbed(machine)

    thread = threading.Thread(target=scrub)
    thread.start()
    try:
        machine.hook(*(prompt(f"turn {number}") for number in range(1, 12)))
    finally:
        stop.set()
        thread.join()
    scrubbed(machine)
    assert machine.prompts() == [f"turn {number}" for number in range(12)]
    assert spooled(machine).strip() == b""


def test_a_segment_that_took_the_place_of_another_stays_as_it_is(machine: Machine) -> None:
    machine.hook(prompt("before"))
    machine.drained()
    (segment,) = machine.spool.glob("*.jsonl")
    machine.hook(prompt("between"))
    text = segment.read_bytes()
    scrubbed(machine)
    segment.write_bytes(text)
    scrubbed(machine)
    assert machine.prompts() == ["before", "between"]
    assert spooled(machine).strip() == b""
