"""What its writer marked as private is never stored, and what can't be stored is replaced."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text import clean
from memtui.store.text.redaction import scrub, scrub_json, strip_private
from tests.hostile import hostile_texts
from tests.promises import promise
from tests.tables import table

TAGS = (
    "private", "claude-mem-context", "system-reminder", "system_reminder", "memtui-context",
    "hook_context",
)  # fmt: skip
PIECES = st.sampled_from(
    [f"<{slash}{tag}{end}" for tag in TAGS for slash in ("", "/") for end in ("", " ", ">", " a='b'>")]
    + ["\\u003c", "\\u003e", "\\u003cprivate\\u003e", "\\u", "\\u0030", "03cprivate>"]
    + ["<", ">", "<pri", "vate>", "word", " ", "<b>", "\0", "\ud800"]
)
SECRET = "hunter" + "-42-hunter"
ADVERSARIAL = [
    "<private>" * 30_000,
    "<private " * 30_000,
    "<private " * 30_000 + "</private>",
    "</private>" * 30_000,
    "<" * 256_000,
    "<" + " " * 256_000,
    "</" + " " * 256_000 + "private",
    "<private" + " " * 256_000,
    "< / " * 64_000,
    "\\u003cprivate\\u003e" * 12_000,
    "\\u003c" * 40_000,
    "\\u" * 100_000,
    "\\" * 256_000,
    "<pri" * 9_000 + "<private></private>" + "vate></private>" * 9_000,
]


@pytest.mark.parametrize("length", [0, 1, 5_000])
def test_clean_replaces_nul_in_plain_text_too(length: int) -> None:
    assert clean("a\0" + "b" * length) == "a\ufffd" + "b" * length
    assert clean("b" * length) == "b" * length


def test_clean_replaces_what_can_not_be_stored_and_nothing_else() -> None:
    assert clean("a\0b\ud83dc\udc80") == "a\ufffdb\ufffdc\ufffd"
    assert clean("\x1b[31m\r\n\u202e字🚀\ufeff") == "\x1b[31m\r\n\u202e字🚀\ufeff"


@table("tag", TAGS)
def test_private_passages_are_taken_out(tag: str) -> None:
    assert strip_private(f"before <{tag}>secret</{tag}> after") == ("before  after", True)


@table(
    ("text", "rest"),
    [
        ("<PRIVATE >s</Private>", ""),
        ("a<private\n why='x > y'>s</private >b", "ab"),
        ("a< private >s</ private >b", "ab"),
        ("a<PRİVATE>s</prıvate>b", "ab"),
        ("a<private><private>s</private>s</private>b", "ab"),
        ("a<private>s<system-reminder>s</private>s</system-reminder>b", "ab"),
        ("a<private>s</system-reminder>s</private>b", "ab"),
        ("a<private>secret", "a"),
        ("a<private>s</private b", "a"),
        ("a<private>s</private>b<private>s</private>c", "abc"),
        ("a</private>b</SYSTEM-REMINDER>c", "abc"),
        ("a<private/>secret", "a"),
        ('a<memtui-context id="7" project="x">s</memtui-context>b', "ab"),
        ("<hook_context>s</hook_context>\n\nasked", "\n\nasked"),
    ],
)
def test_in_doubt_text_is_lost_rather_than_kept(text: str, rest: str) -> None:
    assert strip_private(text) == (rest, True)


def escaped(text: str) -> str:
    """A text with every letter of it escaped as JSON may."""
    return "".join(f"\\u{ord(letter):04X}" for letter in text)


@table(
    ("text", "rest"),
    [
        ('{"a":"\\u003cprivate\\u003ex"}', '{"a":"'),
        ('{"a":"x\\u003Cprivate\\u003Es\\u003c/private\\u003ey"}', '{"a":"xy"}'),
        ('{"a":"x\\u003cprivate>s</private\\u003ey"}', '{"a":"xy"}'),
        ('{"a":"{\\"b\\":\\"\\\\u003cprivate\\\\u003es\\"}"}', '{"a":"{\\"b\\":\\"'),
        (f'{{"a":"{escaped("<private>s</private>")}\\u0022y"}}', '{"a":"\\u0022y"}'),
        ("\\u003cpr\\u0131vate\\u003es", ""),
        ("\\u003csystem-reminder\\u003es\\u003c/system-reminder\\u003e", ""),
    ],
)
def test_no_escape_of_json_within_a_text_hides_a_tag(text: str, rest: str) -> None:
    assert strip_private(text) == (rest, True)
    assert scrub_json({"a": [text]}) == {"a": [scrub(text)]}


def test_escapes_that_other_escapes_make_hide_no_tag() -> None:
    text = "\\u003cprivate>s</private>a\\u\\u0030\\u0030\\u0033cprivate\\u003esecret"
    assert "secret" not in strip_private(text)[0]


def test_escapes_stay_where_no_tag_is() -> None:
    for text in ('{"a":"\\u003cb\\u003e \\u0041"}', "\\u003cprivateer>", "\\u0070rivate"):
        assert strip_private(text) == (text, False)


@table(
    "text",
    [
        "",
        "a < b > c",
        "<privateer>x</privateer>",
        "<private-key>x</private-key>",
        "use the <private tag for that",
        "it is closed by </private",
        "private: <b>bold</b>",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert strip_private(text) == (text, False)


def test_an_unfinished_opening_tag_counts_when_it_is_closed() -> None:
    assert strip_private('a<private why="x<y">s</private>b') == ("ab", True)
    assert strip_private("a<private\nsecret\n</private>b") == ("ab", True)


def test_no_tag_is_made_by_taking_another_out() -> None:
    text = "a<pri<private>s</private>vate>secret</private>"
    assert strip_private(text) == ("a", True)


@given(
    before=st.text("ab <>/"),
    tag=st.sampled_from(TAGS),
    inside=st.lists(PIECES).map("".join),
    after=st.text("ab <>/"),
)
def test_nothing_from_inside_a_closed_tag_is_left(before: str, tag: str, inside: str, after: str) -> None:
    inside = re.sub(r"<\s*/", "", inside)
    rest, found = strip_private(f"{before}<{tag}>{inside}CANARY</{tag}>{after}")
    assert found
    assert "CANARY" not in rest


@given(st.lists(PIECES).map("".join))
def test_scrubbed_text_is_not_changed_again(text: str) -> None:
    once = scrub(text)
    assert strip_private(once) == (once, False)
    once.encode()


@table("text", ADVERSARIAL)
def test_a_flood_of_tags_is_read_to_its_end(text: str) -> None:
    # Quadratic reading of any of these takes minutes, which no run of the tests survives.
    assert "CANARY" not in scrub(f"{text}<private>CANARY</private>")


def test_json_is_scrubbed_in_every_string_and_key() -> None:
    event = {"a<private>k</private>": ["x\0", {"b": "<private>s"}, 1, None, True], "c": 2.5}
    assert scrub_json(event) == {"a": ["x\ufffd", {"b": ""}, 1, None, True], "c": 2.5}
    assert event["c"] == 2.5 and "a<private>k</private>" in event
    assert scrub_json("<private>s</private>x") == "x"
    assert scrub_json(None) is None


def test_secrets_are_redacted_in_texts() -> None:
    assert SECRET not in scrub(f"password={SECRET}\n")
    assert "password=[redacted " in scrub(f"a\0<private>b</private>password={SECRET}\n")


def test_a_secret_that_the_removal_of_a_tag_joins_is_redacted() -> None:
    assert SECRET not in scrub(f"pass<private>s</private>word={SECRET}\n")


@promise("secrets-never-stored")
@table(
    "event",
    [
        {"password": SECRET},
        {"env": {"dbPassword": SECRET}},
        {"secrets": [{"clientSecret": [SECRET]}]},
        {f"password={SECRET}\n": 1},
        {"args": ["mysql", "--password", SECRET, "shop"]},
        {"headers": {"Authorization": f"Bearer {SECRET}"}},
        [f"export DB_PASSWORD={SECRET}\n"],
        {"output": json.dumps({"password": SECRET})},
    ],
)
def test_secrets_are_redacted_anywhere_in_json(event: object) -> None:
    once = scrub_json(event)
    assert SECRET not in json.dumps(once)
    assert "[redacted " in json.dumps(once)
    assert scrub_json(once) == once


def test_json_that_only_names_secrets_stays() -> None:
    event = {"token_count": 12, "tokens": {"input": 9}, "password": None, "secret": True, "key": "a1"}
    assert scrub_json(event) == event


def test_json_of_any_depth_is_scrubbed() -> None:
    deep: list[object] = ["<private>s"]
    for _ in range(50_000):
        deep = [deep]
    inner = scrub_json(deep)
    while isinstance(inner, list):
        [inner] = inner
    assert inner == ""


JSON = st.recursive(
    st.none() | st.integers() | st.text("ab\0<>"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab\0<>"), inner),
)


@given(JSON)
def test_json_without_private_text_keeps_its_shape(value: object) -> None:
    assert json.dumps(scrub_json(value)) == json.dumps(value).replace("\\u0000", "\\ufffd")


@table("text", [text for _, text in hostile_texts()])
def test_hostile_texts_can_be_stored(text: str) -> None:
    stored = scrub(text)
    assert "\0" not in stored
    assert "<private>" not in stored
    assert "secret" not in stored or "<private>" not in text
    stored.encode()
