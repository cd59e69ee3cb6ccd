"""The browser in a real terminal: what reaches it byte by byte, and other processes writing meanwhile."""

import os
import re
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from bench.terminal import Terminal
from memtui.store import Store
from tests.hostile import hostile_texts
from tests.promises import promise

MEMTUI = [str(Path(sys.executable).with_name("memtui"))]
TOUR = ["\r", "jjj", "t", "]", "\x1b", "o", "\x1b", "3", "\r", "\x1b", "4", "?", "\x1b", *"521"]
"""Keys that lead through every screen."""
OWN = [
    "\x1b[2J\x1b[H", "\x1b]52;c;cHduZWQ=\x07", "\x1b]0;pwned\x07", "\x1b[?1049l", "\x1bP$q\"p\x1b\\",
    "\x9b31m", "\x90q\x9c", "a\u202eb\u2066c", "x\u200bz", "\U000e0041\U000e0042", "\rforged",
    "\x07\x08\x0c\x7f", "[red]markup[/red] [link=file:///etc/passwd]x[/link]", "\x1b[6n", "\x1b(0",
]  # fmt: skip
SEQUENCE = re.compile(
    rb"\x1b\[(?P<csi>[<-?]?)[0-9;:]*[ -/]*(?P<final>[@-~])|\x1b\](?P<osc>\d+)[^\x07\x1b]*(?:\x07|\x1b\\)"
    rb"|\x1bP(?P<dcs>[^\x1b]{0,3})[^\x1b]*\x1b\\|\x1b(?P<other>[^\[\]P])"
)
MODES = re.compile(rb"\x1b\[\?([0-9;]+)[hl]")


def fill(path: Path, texts: list[str]) -> None:
    """A memory with each text in every field."""
    with Store.open(path) as store, store.transaction():
        for number, text in enumerate(texts):
            session = store.sessions.start(
                f"c{number}{text}", agent=text, project=text, title=text, first_prompt=text
            )
            store.prompts.add(session, text)
            store.observations.add(
                session, title=text, type=text, subtitle=text, narrative=text, text=text,
                facts=[text], concepts=[text], files_read=[text], files_modified=[text],
                tags=[text], tool_name=text,
            )  # fmt: skip
            store.summaries.add(session, request=text, learned=text, completed=text, notes=text)
            store.facts.add(f"{number} {text}", entities=[text], project=text)
            store.notes.upsert(f"{number}{text}", text, project=text)


def recorded(path: Path) -> bytes:
    """Every byte that a tour through all screens sends to the terminal."""
    environment = {**os.environ, "MEMTUI_DB": str(path)}
    environment.pop("NO_COLOR", None)
    whole = b""
    with Terminal(MEMTUI, environment) as terminal:
        terminal.wait_for("memories")
        for keys in TOUR:
            terminal.quiet(0.3)
            whole += terminal.raw
            terminal.send(keys)
        terminal.quiet(0.3)
        return whole + terminal.raw


def kinds(raw: bytes) -> set[tuple[str | bytes, ...]]:
    """Which kinds of escape sequence a recording holds."""
    found: set[tuple[str | bytes, ...]] = {("mode", mode) for mode in MODES.findall(raw)}
    for match in SEQUENCE.finditer(raw):
        name = match.lastgroup or ""
        found.add((name, *(value for value in match.groups() if value is not None)))
    return found


def leftovers(raw: bytes) -> set[str]:
    """Control, bidi and invisible characters that stand outside of escape sequences."""
    text = SEQUENCE.sub(b"", raw).decode("utf-8", "replace")
    unseen = {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    return unseen - {"\r", "\n", "\u200d"}


@pytest.mark.long
@promise("any-text-is-safe")
def test_no_stored_byte_commands_the_terminal_on_any_screen(tmp_path: Path) -> None:
    texts = [*OWN, *(text for _, text in hostile_texts())]
    harmless, hostile = tmp_path / "harmless.db", tmp_path / "hostile.db"
    fill(harmless, [f"text {number}" for number in range(len(texts))])
    fill(hostile, texts)
    usual = recorded(harmless)
    raw = recorded(hostile)
    assert kinds(raw) <= kinds(usual)
    assert leftovers(raw) == set()
    assert b"pwned" not in b"".join(re.findall(rb"\x1b\][^\x07\x1b]*", raw))


WRITER = """
import sys
from memtui.store import Store
with Store.open(sys.argv[1]) as store:
    for number in range(100):
        store.observations.add(sys.argv[2], title=f"{sys.argv[2]} writes {number}")
"""


@pytest.mark.long
def test_two_processes_write_while_the_browser_is_open_and_it_shows_all(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("first", title="Here from the start")
    with Terminal(MEMTUI, {**os.environ, "MEMTUI_DB": str(path)}) as terminal:
        terminal.wait_for("Here from the start")
        terminal.send("\r")
        command = [sys.executable, "-c", WRITER, str(path)]
        writers = [subprocess.Popen([*command, name]) for name in ("one", "two")]
        terminal.wait_for("201 memories")
        assert [writer.wait() for writer in writers] == [0, 0]
    with Store.open(path) as store:
        assert store.stats().observations == 201
        assert store.doctor(thorough=True).ok


@pytest.mark.parametrize("is_ready", [False, True])
def test_who_ends_the_browser_from_outside_finds_the_terminal_as_it_was(
    tmp_path: Path, *, is_ready: bool
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("first", title="Here from the start")
    with Terminal(MEMTUI, {**os.environ, "MEMTUI_DB": str(path)}) as terminal:
        terminal.wait_for("1 memory" if is_ready else "Here from the start")
        os.kill(terminal.process, signal.SIGTERM)
        assert terminal.exit_code() == 128 + signal.SIGTERM
        last = dict(re.findall(rb"\x1b\[\?(\d+)([hl])", terminal.raw))
    assert last[b"1049"] == b"l" and last[b"25"] == b"h"
    assert last.get(b"1000", b"l") == b"l"
    assert b"Traceback" not in terminal.raw


def test_a_browser_whose_terminal_is_gone_ends_though_no_signal_says_so(tmp_path: Path) -> None:
    path, ended = tmp_path / "memory.db", tmp_path / "ended"
    with Store.open(path) as store:
        store.observations.add("first", title="Here from the start")
    script = f'trap "" HUP; "$1"; touch "{ended}"'
    command = ["sh", "-c", script, "sh", *MEMTUI]
    with Terminal(command, {**os.environ, "MEMTUI_DB": str(path)}) as terminal:
        terminal.wait_for("1 memory")
        with Path(os.devnull).open() as nothing:
            os.dup2(nothing.fileno(), terminal.file)
        os.waitpid(terminal.process, 0)
        terminal.has_ended = True
    assert ended.exists()
