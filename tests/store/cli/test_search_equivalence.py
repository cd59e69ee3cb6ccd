"""`mem search` without typer prints what it does with it, or leaves the line alone."""

import random
import re
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.cli import plain as lean
from tests.sizes import costly

from .runner import Mem

WORDS = ["token", "refresh", "clock", "drifted", "缓存", "令牌", "24h", "tokens"]
PLAIN_PARTS = [
    *WORDS, "Token", "retokened", "缓存令牌", "refreshes", " ", " ", "\n", "\t", ", ", "，", " — ", "“",
    '"', "\\", "/", "«", "lorem ipsum dolor sit amet ", "x" * 30, "消息队列",
]  # fmt: skip
ODD_PARTS = ["é", "…", "が", "👩‍💻", "\u202e", "\x1b[1m", "ＴＯＫＥＮ", "a\u0301", "\r\n"]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory whose texts are plain."""
    return filled(tmp_path_factory.mktemp("plain") / "memory.db", PLAIN_PARTS)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory in which some texts aren't."""
    return filled(tmp_path_factory.mktemp("odd") / "memory.db", PLAIN_PARTS * 200 + ODD_PARTS)


def filled(path: Path, parts: list[str]) -> Path:
    """A memory of every kind, its texts made of some parts."""
    draw = random.Random(7)

    def text(length: int) -> str:
        return "".join(draw.choice(parts) for _ in range(draw.randint(1, length)))

    def texts() -> list[str]:
        return [text(6) for _ in range(draw.randint(0, 3))]

    with Store.open(path) as store, store.transaction():
        for number in range(120):
            at = 1_700_000_000_000 + draw.randint(0, 40) * 61_000
            session = f"c-{number % 9}"
            store.observations.add(
                session, title=text(12) if number % 9 else "", subtitle=text(3),
                narrative=draw.choice([text(90), None]), text=text(9), facts=texts(), tags=texts(),
                files_read=texts(), concepts=texts(), type=draw.choice(["bugfix", "a b", "缓存"]),
                project=draw.choice(["atlas", "token\tx", "项目"]), at=at,
            )  # fmt: skip
            store.prompts.add(session, text(40), at=at)
            store.summaries.add(
                session, request=text(20) if number % 9 else None, learned=text(60), notes=text(20),
                files_edited=texts(), at=at,
            )  # fmt: skip
            store.facts.add(f"fact {text(30)}", entities=texts(), at=at)
            # Scores that are equal, so that the time decides.
            store.prompts.add(session, "token refresh 缓存", at=at)
    return path


def alike(path: Path, line: list[str]) -> bool:
    """Run a command line by either way; they must agree wherever lean acts. Whether it did."""
    arguments = ["--db", str(path), *line]
    try:
        lean.parse(arguments)
    except lean.NotPlainError:
        return False
    stdout, stderr = TextIOWrapper(BytesIO(), encoding="utf-8"), StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = lean.run(arguments)
    stdout.seek(0)
    printed = (stdout.read(), stderr.getvalue())
    full = Mem(path, path.parent)(*line)
    assert full.exit_code == code
    assert _without_nonce(printed[0]) == _without_nonce(full.stdout)
    assert printed[1] == full.stderr
    return True


def _without_nonce(printed: str) -> str:
    return re.sub(r'<memtui-data id="[0-9a-f]{8}">', "<memtui-data>", printed, count=1)


PLAIN = [
    ["search", "token"],
    ["search", "token", "refresh", "-n", "3"],
    ["search", "Token clock", "--limit=2"],
    ["search", "缓存", "--json"],
    ["search", "缓存 TOKEN", "--limit", "1", "--exact"],
    ["--json", "search", "24h", "-n", "07"],
    ["search", "token", "token", "-n", "1", "-n", "2", "--json"],
    ["search", "type:bugfix", "refrseh", "--explain"],
    ["search", "token", "--for-agent"],
    ["search", "缓存", "--for-agent", "--json", "-n", "3", "--cursor", "3"],
    ["search", "zebra"],
    ["search", ""],
]

UNUSUAL = [
    ["search"], ["search", "token", "--facets"], ["search", "token", "--cursor", "1"],
    ["search", "token", "--for-agent", "--cursor", "x"],
    ["search", "token", "--for-agent", "--explain"], ["search", "token", "--for-agent", "--facets"],
    ["search", "token", "-n5"],
    ["search", "token", "-n", "0"], ["search", "token", "-n", "x"], ["search", "token", "-n"],
    ["search", "token", "-n=5"], ["search", "token", "-n", "²"], ["search", "token", "--db", ""],
    ["search", "-token"], ["search", "--", "token"], ["search", "token", "--saved", "x"],
    ["search", "--help"], ["--exact", "search", "token"],
]  # fmt: skip


@pytest.mark.parametrize("line", PLAIN, ids=" ".join)
@pytest.mark.sampled
def test_a_plain_line_prints_what_the_full_command_prints(plain: Path, line: list[str]) -> None:
    assert alike(plain, line)


@pytest.mark.parametrize("line", UNUSUAL, ids=repr)
def test_an_unusual_line_is_answered_alike_or_left_alone(plain: Path, line: list[str]) -> None:
    alike(plain, line)


LINES = st.builds(
    lambda words, flags: ["search", *words, *(part for flag in flags for part in flag)],
    st.lists(st.sampled_from([*WORDS, "OR", "-redis", "type:bugfix", "重", "é"]), min_size=1, max_size=3),
    st.lists(
        st.one_of(
            st.sampled_from([("--json",), ("--exact",), ("--for-agent",)]),
            st.tuples(st.sampled_from(["-n", "--limit"]), st.integers(0, 40).map(str)),
        ),
        max_size=3,
    ),
)


@costly()
@given(line=LINES)
def test_any_line_prints_alike_or_is_left_alone(plain: Path, odd: Path, line: list[str]) -> None:
    alike(plain, line)
    alike(odd, line)
