"""What each system does in its own way, tried on this one by what others have in place of it."""

import ctypes
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from memtui.store.agents.trae import AGENT
from memtui.store.platform import paths
from memtui.store.platform import processes as system
from tests.places import PACKAGES


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A C library that has only what a test gives it."""
    made = SimpleNamespace()
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: made)
    clear()
    yield made
    clear()


def clear() -> None:
    for name in ("_exchange_call", "_trim_call"):
        getattr(system, name).cache_clear()


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("1")
    other.write_text("2")
    return one, other


def swap(one: bytes, other: bytes) -> None:
    here, there = (Path(os.fsdecode(name)) for name in (one, other))
    between = here.rename(f"{here}.between")
    there.rename(here)
    between.rename(there)


def test_names_are_exchanged_as_this_system_does_it(two: tuple[Path, Path]) -> None:
    try:
        system.exchange(*two)
    except OSError as error:
        pytest.skip(f"this file system can't: {error}")
    assert [path.read_text() for path in two] == ["2", "1"]


@pytest.mark.usefixtures("mac")
def test_names_are_exchanged_as_a_mac_does_it(library: SimpleNamespace, two: tuple[Path, Path]) -> None:
    def renamex_np(one: bytes, other: bytes, flags: int) -> int:
        assert flags == system.EXCHANGE
        swap(one, other)
        return 0

    library.renamex_np = renamex_np
    system.exchange(*two)
    assert [path.read_text() for path in two] == ["2", "1"]


@pytest.mark.parametrize("platform", ["linux", "darwin", "freebsd14"])
def test_where_names_cant_be_exchanged_that_is_said(
    platform: str, library: SimpleNamespace, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(OSError) as error:
        system.exchange(*two)
    assert error.value.errno == errno.ENOSYS
    assert [path.read_text() for path in two] == ["1", "2"]


def test_a_files_attributes_are_copied(two: tuple[Path, Path]) -> None:
    made, model = two
    try:
        os.setxattr(model, "user.memtui", b"2")
    except (OSError, AttributeError) as error:
        pytest.skip(f"this file system has none: {error}")
    system.copy_attributes(made, model)
    assert os.getxattr(made, "user.memtui") == b"2"


def test_a_file_is_as_it_was_where_attributes_cant_be_asked_for(
    two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "listxattr", raising=False)
    system.copy_attributes(*two)
    assert [path.read_text() for path in two] == ["1", "2"]


@pytest.mark.usefixtures("library")
def test_memory_stays_where_it_is_where_no_library_gives_it_back() -> None:
    system.release_memory()


def test_processors_are_those_of_the_machine_where_no_others_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert 1 <= system.processors() <= (os.cpu_count() or 1)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert system.processors() == os.cpu_count()


@pytest.mark.usefixtures("mac")
def test_without_leases_no_file_counts_as_open(two: tuple[Path, Path]) -> None:
    with two[0].open() as file, two[0].open():
        assert not system.is_open_elsewhere(file.fileno())


@pytest.mark.usefixtures("mac")
def test_on_a_mac_files_lie_where_its_programs_keep_them() -> None:
    environment = {b"HOME": b"/Users/ana"}
    support = "/Users/ana/Library/Application Support"
    assert paths.default_path_bytes(environment).decode() == f"{support}/memtui/memory.db"
    assert paths.config_path_bytes(environment).decode() == f"{support}/memtui/config.toml"
    assert paths.state_path_bytes(b"x", environment).decode() == f"{support}/memtui/x"
    (trae,) = AGENT.server_configurations(Path("/Users/ana"), {})
    assert trae == Path(support, "Trae/User/mcp.json")


def test_windows_is_told_in_a_sentence_what_to_do() -> None:
    lines = "import sys; sys.platform = 'win32'; import memtui.store.cli"
    done = subprocess.run([sys.executable, "-S", "-c", lines], cwd=PACKAGES, capture_output=True, text=True)
    assert done.returncode == 1
    assert "WSL" in done.stderr
    assert "Traceback" not in done.stderr
