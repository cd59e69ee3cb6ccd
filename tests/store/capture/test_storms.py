"""Many agents at once, with children and process groups killed: nothing is lost, doubled or uncleaned."""

from pathlib import Path

import pytest

from tests.promises import promise
from tests.sizes import sizes

from .hooks import Machine
from .storms import storm


@promise("spool-exactly-once")
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="tells children by /proc")
@sizes("events", 60, 300)
def test_a_storm_of_hooks_loses_doubles_and_leaves_uncleaned_nothing(machine: Machine, events: int) -> None:
    found = storm(machine, events, agents=6, kills=events // 12)
    assert found.acknowledged == set(range(events))
    assert found.killed
    assert found.groups
    assert found.is_well, found
