"""Lines of a growing file."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.formats.transcripts.json_records import DEEPEST, Line, lines


def read(content: bytes, start: int = 0, longest: int = 1_000) -> list[Line]:
    return list(lines(io.BytesIO(content), start, longest))


def test_each_line_ends_where_the_next_begins() -> None:
    content = b'{"a": 1}\n{"b": 2}\n'
    assert read(content) == [({"a": 1}, None, 9), ({"b": 2}, None, 18)]
    assert read(content, 9) == [({"b": 2}, None, 18)]


def test_a_mark_at_the_beginning_and_carriage_returns_are_no_part_of_a_line() -> None:
    assert read(b'\xef\xbb\xbf{"a": 1}\r\n\r\n')[0].record == {"a": 1}


def test_two_records_on_one_line_are_both_read() -> None:
    content = b'{"a": 1}{"b": 2}\n{"c": 3}\n'
    assert read(content) == [({"a": 1}, None, 0), ({"b": 2}, None, 17), ({"c": 3}, None, 26)]
    assert [line.warning for line in read(b'{"a": 1}{"b"\n')] == [None, "is not JSON"]


WHOLE = '{"type": "say", "data": {"text": "on \\"shelf\\" {\\"9\\"", "ids": [{"a": 1}]}}'


@pytest.mark.parametrize("cut", [1, 2, 5, 8, 10, 12, 17, 24, 33, 38, 44, 49, 58, 68, len(WHOLE) - 2])
@pytest.mark.parametrize("behind", ["", '{"b": 2}', "  "])
def test_what_stands_whole_behind_a_torn_beginning_is_read(cut: int, behind: str) -> None:
    found = read(f"{WHOLE[:cut]}{WHOLE}{behind}\n".encode())
    records = [line.record for line in found if line.record]
    whole = [json.loads(WHOLE), *([{"b": 2}] if "b" in behind else [])]
    # Where it was torn before a value, the whole one may be that, unless two keys say what it is.
    assert records == (whole[1:] if WHOLE[:cut].rstrip()[-1] in "[:" and cut < 20 else whole)
    assert found[0].warning == "is not JSON"
    assert found[-1].end == len(f"{WHOLE[:cut]}{WHOLE}{behind}\n")


def test_what_is_torn_twice_is_read_once_and_parts_of_a_record_are_none() -> None:
    assert [line.record for line in read(f"{WHOLE[:30]}{WHOLE[:37]}{WHOLE}\n".encode())][-1] == json.loads(
        WHOLE
    )
    for content in (
        WHOLE[:-1],
        WHOLE[:-2],
        WHOLE[1:],
        f"{WHOLE[:40]}\x01{WHOLE[40:]}",
        '{"a": tru, "b": {"c": 1}}',
    ):
        assert [line.record for line in read(content.encode() + b"\n")] == [None], content


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ('{"a": "x\ny"}\n', ["x\ny"]),
        ('{"a": "x\r\n\r\n{ not }\n}\ny"}\n{"a": "z"}\n', ["x\r\n\r\n{ not }\n}\ny", "z"]),
        ('{"a": "w"}\n{"b": 1, "a": "x\ny"}', ["w", "x\ny"]),
        ('{"a": "x\n{"a": "z"}\n', ["z"]),
        ('{"a": "x\ty"}\n{"a": "z"}\n', ["z"]),
        ('{"a": 1,\n"b": 2}\n{"a": "z"}\n', [1, "z"]),
        ('{"a": 1,\n"b"; 2}\n{"a": "z"}\n', ["z"]),
        ('{"a": "x' + "\n" * 200 + '"}\n{"a": "z"}\n', ["z"]),
    ],
)
def test_lines_that_make_one_record_together_are_one(content: str, texts: list[object]) -> None:
    found = read(content.encode())
    assert [line.record["a"] for line in found if line.record] == texts
    assert found[-1].end == len(content)


def test_a_record_whose_end_is_still_being_written_is_left_whole() -> None:
    assert read(b'{"b": 1}\n{"a": "x\ny')[-1].end == 9
    assert [line.warning for line in read(b'{"a": "x\ny\n')] == ["is not JSON"] * 2


def test_blank_lines_are_nothing() -> None:
    assert read(b"\n  \n") == [(None, None, 1), (None, None, 4)]


def test_what_is_no_object_is_told() -> None:
    told = [line.warning for line in read(b'{"a": \n42\n[1]\n"x"\n{}\n')]
    assert told == ["is not JSON", *["is not a JSON object"] * 3, None]


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert read(b'{"a": "\xff"}\n')[0].record == {"a": "\ufffd"}


def test_the_last_line_is_left_until_it_is_whole() -> None:
    assert read(b'{"a": 1}\n{"b": ')[-1].end == 9
    assert read(b'{"a": 1}\n4')[-1].end == 9
    assert read(b'{"a": 1}\n{"b": 2}')[-1] == ({"b": 2}, None, 17)


def test_a_line_that_is_too_long_is_skipped_and_told() -> None:
    long = json.dumps({"a": "x" * 5_000}).encode()
    found = read(long + b'\n{"b": 2}\n')
    assert found[0].record is None
    assert "longer than 1,000 bytes" in (found[0].warning or "")
    assert found[1].record == {"b": 2}
    assert read(long) == []


def test_what_could_not_be_written_again_is_none_of_a_record() -> None:
    assert read(b'{"a": NaN, "b": -Infinity, "c": 1e999, "d": 1.5}\n')[0].record == {
        "a": None,
        "b": None,
        "c": None,
        "d": 1.5,
    }
    deep = b'{"a": ' + b"[" * DEEPEST + b"]" * DEEPEST + b"}\n"
    assert read(deep)[0].warning == "is nested too deep"
    assert read(b'{"a": ' + b"[" * 50_000 + b"\n", longest=100_000)[0].warning == "is not JSON"


@given(st.binary(max_size=60), st.integers(1, 30))
def test_reading_on_from_any_line_gives_the_rest(content: bytes, longest: int) -> None:
    whole = read(content, longest=longest)
    for place, line in enumerate(whole, start=1):
        assert [one.end for one in read(content, line.end, longest)] == [one.end for one in whole[place:]]
