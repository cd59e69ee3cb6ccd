"""Whatever a configuration holds and however it is written, only our hooks come and go."""

import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text.jsonc import parse

from .machine import Machine
from .texts import SETTINGS, written

MARKS = re.compile(r"one, \{|two \]|three|four|\U0001f642")


def data(text: str) -> Any:
    # A reading is kept for the next one of the same text, and tests take parts out of it.
    return deepcopy(parse(text).data)


def counted(text: str) -> list[str]:
    return sorted(MARKS.findall(text))


@given(st.data(), SETTINGS)
def test_a_text_is_read_as_what_it_was_written_of(draws: st.DataObject, settings: Any) -> None:
    assert data(draws.draw(written(st.just(settings)))) == settings


@given(text=written(), mark=st.sampled_from(["", "\ufeff"]))
def test_install_and_uninstall_is_nothing(machine: Machine, text: str, mark: str) -> None:
    path = machine.file("claude-code")
    path.write_bytes((mark + text).encode())
    assert machine.install("claude-code").changed
    once = path.read_bytes()
    assert not machine.install("claude-code").changed
    assert path.read_bytes() == once
    assert machine.state("claude-code").installed == "yes"
    machine.uninstall("claude-code")
    assert path.read_bytes() == (mark + text).encode()
    assert list(path.parent.iterdir()) == [path]


@given(text=written())
def test_only_our_hooks_are_added(machine: Machine, text: str) -> None:
    path = machine.file("claude-code")
    path.write_bytes(text.encode())
    machine.install("claude-code")
    installed, before = data(path.read_bytes().decode()), data(text)
    hooks, hooks_before = installed.pop("hooks"), before.pop("hooks", {})
    assert installed == before
    for event, entries in hooks_before.items():
        assert hooks[event][: len(entries)] == entries
    assert counted(path.read_bytes().decode()) == counted(text)
    path.unlink()


@given(text=written())
def test_all_else_stays_though_the_file_has_changed_since(machine: Machine, text: str) -> None:
    path = machine.file("claude-code")
    path.write_bytes(text.encode())
    machine.install("claude-code")
    path.write_bytes(path.read_bytes() + b"\n// changed since")
    machine.uninstall("claude-code")
    left = path.read_bytes().decode()
    assert data(left) == data(text)
    assert left.endswith("// changed since")
    assert counted(left) == counted(text)
    path.unlink()


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, // one\n}\n',
        '{\n  "a": 1 // one\n  // two\n}',
        '{ // one\n}',
        '{\n\t"hooks": {\n\t\t"Stop": [1, /* x */ ],\n\t},\n}\n',
        '{"hooks": {"Stop": [\n  1, // one\n  2 ]}}',
        "  ",
        "",
    ],
)  # fmt: skip
def test_all_but_blanks_is_put_back_even_without_the_backup(machine: Machine, text: str) -> None:
    path = machine.file("claude-code")
    path.write_text(text)
    machine.install("claude-code")
    (path.with_name("settings.json.memtui-backup")).unlink()
    machine.uninstall("claude-code")
    left = path.read_text() if path.exists() else ""
    assert "".join(left.split()) == "".join(text.split())
