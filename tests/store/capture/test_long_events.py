"""However an event goes on and on, cleaning it takes no more than its length's share."""

import json
from time import process_time

import pytest

from memtui.store.capture.hook_process.main import MOST_READ
from memtui.store.capture.ingest.cleaning import clean_event
from tests.sizes import sizes
from tests.tables import table

PIECES = (
    "\\", "\\\n", "\t", "\n\t", '\\"', '{"\\"', "'", '","', "', '", "\\\\", "\\n", "\r\n", " ", "a",
    "a\n", "a_", "=", "-", "--", "<", "<p", "<private ", "<private>", "</private>", "&lt;", "&amp;",
    "\\u003c", "%3C", "%25", "\x1b[", "\0", "\u200b", "é", "密码是", "password=", "api_key: ", "token is ",
    " as token ", "eyJ", "sk-", "://a:", "0a1b2c3d", "cGFzc3dvcmQ9", "-----BEGIN ", "<private a='",
)  # fmt: skip
AROUND = (("", "\n"), ("x\n", '"}'))
SHARE = 3.5
"""How much longer at most twice as much takes; what is read once for each of its parts takes four times."""
TRIES = 12


def cpu(piece: str, length: int, around: tuple[str, str]) -> float:
    """The least CPU seconds that an event of such pieces takes."""
    before, after = around
    text = before + piece * (length // len(piece)) + after
    raw = json.dumps({"session_id": "s", "prompt": text}, ensure_ascii=False).encode()
    began = process_time()
    assert clean_event(raw, b"/project", b"") is not None
    return process_time() - began


@sizes("length", 40_000, 80_000)
@table("piece", PIECES)
def test_a_long_event_is_cleaned_to_its_end(piece: str, length: int) -> None:
    # Quadratic reading of any of these takes minutes, which no run of the tests survives.
    for around in AROUND:
        cpu(piece, length, around)


def takes_its_share(piece: str, length: int) -> bool:
    """Whether an event of twice so many characters takes about twice as long, in one of some tries."""
    for _ in range(TRIES):
        half = cpu(piece, length, AROUND[0])
        if cpu(piece, 2 * length, AROUND[0]) < SHARE * max(half, 0.05):
            return True
    return False


@pytest.mark.long
@table("piece", PIECES)
def test_twice_as_long_an_event_takes_about_twice_as_long(piece: str) -> None:
    assert takes_its_share(piece, 150_000)


@pytest.mark.long
@table("piece", ["\\", "\n\t"])
def test_so_does_the_longest_that_is_read(piece: str) -> None:
    assert takes_its_share(piece, MOST_READ // 2)
