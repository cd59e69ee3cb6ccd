"""Secrets become marks: all kinds, wherever they stand, and nothing else does."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from memtui.store.text.redaction import redact, redact_item, scrub_evident, table_version
from memtui.store.text.secrets import patterns
from memtui.store.text.secrets.patterns import EVIDENT, PATTERNS, Look, SecretPattern
from tests.promises import promise
from tests.sizes import of_today, sizes
from tests.store.text.sample_parts import Sample, capitals, letters
from tests.store.text.secret_samples import SAMPLES
from tests.tables import table

EACH = table("name, sample", SAMPLES.items())
PASSWORD = "hunter" + "-42"


def test_the_table_and_the_samples_cover_each_other() -> None:
    assert {pattern.name for pattern in PATTERNS} == set(SAMPLES)
    assert len(PATTERNS) >= 50


def test_anchors_are_in_lower_case() -> None:
    assert all(anchor == anchor.lower() for pattern in PATTERNS for anchor in pattern.anchors)


@promise("secrets-never-stored")
@EACH
def test_a_secret_becomes_a_mark_and_its_surroundings_stay(name: str, sample: Sample) -> None:
    marked = redact(sample.around.format(sample.secret))
    before, after = sample.around.replace("{{", "{").replace("}}", "}").split("{}", 1)
    assert marked.startswith(before)
    assert marked.endswith(after)
    inside = marked[len(before) : len(marked) - len(after)]
    assert re.fullmatch(rf"\[redacted {name} [0-9a-f]{{6}}\]", inside)


@promise("secrets-never-stored")
@EACH
def test_a_near_miss_stays(name: str, sample: Sample) -> None:
    assert redact(sample.near_miss) == sample.near_miss


@EACH
def test_accepted_text_loses_only_what_is_evident(name: str, sample: Sample) -> None:
    text = sample.around.format(sample.secret)
    is_evident = any(row.name == name for row in EVIDENT)
    assert (f"[redacted {name} " in scrub_evident(text)) is is_evident
    assert is_evident or scrub_evident(text) == text
    assert scrub_evident(redact(text)) == redact(text)


@EACH
def test_a_text_in_a_text_is_redacted_too(name: str, sample: Sample) -> None:
    text = sample.around.format(sample.secret)
    for _ in range(2):
        text = json.dumps({"at": text}, ensure_ascii=False)
        assert json.dumps(sample.secret).strip('"') not in redact(text)


@EACH
def test_each_pattern_needs_one_of_its_literals(name: str, sample: Sample) -> None:
    text = sample.around.format(sample.secret)
    rows = [one for one in PATTERNS if one.name == name and re.search(one.pattern, text, re.ASCII)]
    assert rows
    assert all(is_tried(row, text) for row in rows)


def is_tried(pattern: SecretPattern, text: str) -> bool:
    """Whether a pattern is looked for in a text, and in each part of it that it matches."""
    return pattern in Look(text).possible_patterns() and all(
        is_in_reach(pattern, text.lower(), match) for match in re.finditer(pattern.pattern, text, re.ASCII)
    )


def is_in_reach(pattern: SecretPattern, low: str, match: re.Match[str]) -> bool:
    """Whether one of the literals that a match is looked for near to is near to this one."""
    if pattern.reach is None or len(low) != len(match.string):
        return True
    start, end = match.start(), match.start() + pattern.reach
    literals = [literal.decode() for literal in pattern.starts or pattern.anchors]
    places = [at for at in range(start, end + 1) if low.startswith(tuple(literals), at)]
    return any(pattern.reach == 0 or match.end() < at + pattern.reach for at in places)


PIECES = st.sampled_from(
    [piece for sample in SAMPLES.values() for piece in (*sample.around.split("{}"), sample.secret)]
    + ["password", "token=", "api_key", ": ", "=", '"', "'", "\\", "\n", " ", "x", "9", "-", "_"]
    + [".", "://", "@", "sk-", "ghp_", "eyJ", "密码", "[redacted ", "]", "\U00100000", "K", "ſ"]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(TEXTS)
def test_redacted_text_is_not_changed_again(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(TEXTS)
def test_no_pattern_matches_without_its_literals(text: str) -> None:
    for pattern in PATTERNS:
        if re.search(pattern.pattern, text, re.ASCII):
            assert is_tried(pattern, text), pattern.name


BESIDE = ("login-option", "named-column")
"""They count only where another literal stands anywhere in the text, which no pattern asks for."""


@pytest.mark.long
@table("number", of_today(range(len(PATTERNS)), 8))
def test_whatever_a_pattern_matches_holds_its_literals(number: int) -> None:
    row = PATTERNS[number]

    @settings(max_examples=2, suppress_health_check=list(HealthCheck))
    # To make up what a pattern matches takes a second or two.
    @given(st.from_regex(re.compile(row.pattern, re.ASCII)))
    def is_tried_wherever_it_matches(text: str) -> None:
        assert not re.search(row.pattern, text, re.ASCII) or is_tried(row, text)

    if row.name not in BESIDE and b"--value" not in row.anchors:
        # Of some, nothing can be made up that matches.
        with suppress(Unsatisfiable):
            is_tried_wherever_it_matches()


@pytest.mark.parametrize(
    "text",
    [
        "the database password was set to:{}",
        "changed the token to\u00a0{}",
        "PIN for prod with'{}' now",
        "pwd of the db to「{}」",
        "the secret was set to：{}",
        r"the api key for prod with\"{}\"",
    ],
)
def test_no_blank_is_needed_before_a_secret_that_a_sentence_tells(text: str) -> None:
    assert PASSWORD not in redact(text.format(PASSWORD))


@given(TEXTS)
def test_an_index_of_the_table_changes_nothing(text: str) -> None:
    with patch.object(patterns, "_all", patterns._Words(PATTERNS)):
        first = patterns.Look(text)
        assert first._is_indexed == (len(text.encode(errors="surrogatepass")) >= patterns.INDEXED_FROM)
        with patch.object(patterns, "INDEXED_FROM", 0):
            second = patterns.Look(text)
        assert second._is_indexed
        assert first.anchored == second.anchored
        assert first.possible_patterns() == second.possible_patterns()


def test_equal_secrets_have_equal_marks_in_every_process() -> None:
    first, second = redact(f"password={PASSWORD}\n"), redact(f"password={PASSWORD}3\n")
    assert first != second
    script = f"from memtui.store.text.redaction import redact; print(redact('password={PASSWORD}'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().strip() == first.strip()


def test_the_table_has_the_same_version_in_every_process() -> None:
    # It is told with each event, and who stores one cleans it again where it is another.
    script = "from memtui.store.text.redaction import table_version; print(table_version())"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, check=True, env=environment)
        assert done.stdout.decode().strip() == table_version()


def test_an_unclosed_block_of_a_key_runs_to_the_end() -> None:
    begin = "-" * 5 + "BEGIN OPENSSH PRIVATE KEY" + "-" * 5
    assert re.fullmatch(
        r"a\n\[redacted private-key ......\]", redact(f"a\n{begin}\n{letters(64)}\n{letters(9)}")
    )


@table(
    "text",
    [
        "password: str",
        "password: string;",
        "def login(user: str, password: HiddenText | None = None) -> None:",
        "token = get_token()",
        "token = self.settings.token",
        'token = request.headers["x-token"]',
        "PASSWORD=$PASSWORD",
        "PASSWORD=${PASSWORD:-}",
        "password=<your password>",
        "password = your-password-here",
        "api_key: YOUR_API_KEY",
        '"api_key": null',
        "key: null",
        "login(password=password, token=token)",
        '"token": "refresh"',
        "max_tokens=4096, token_count: 123456, tokens: 99",
        "PWD=/home/me/src/project",
        "private_key: ./keys/server.pem",
        "token_url: https://example.org/token",
        "--- PASS: TestSomething (0.00s)",
        "the --username and --password options can't be used together",
        '<input type="password" name="password">',
        "Fixed the token refresh: the key is rotated",
        'password: "Please enter your password"',
        "sort(key=lambda one: one.name)",
        "secret: ************",
        "https://example.org:8080/path?x=a@b",
        "git@github.com:me/project.git",
        "toolu_01AbCdEfGhIjKlMnOpQrStUv",
        "0b7c1d8e-1f2a-4b3c-8d4e-5f6a7b8c9d0e",
        "Authorization: Bearer {token}",
        "密码错误，请重新输入密码",
    ],
)
def test_what_only_names_a_secret_stays(text: str) -> None:
    assert redact(text) == text


@table(
    "text",
    [
        f"password={PASSWORD}",
        f"PASSWORD = '{PASSWORD}'",
        f"db_password: {PASSWORD}",
        f"$config['password'] = '{PASSWORD}';",
        f'{{\\"password\\": \\"{PASSWORD}\\"}}',
        f"mysql://root:{PASSWORD}@localhost/shop",
        f"?user=a&password={PASSWORD}&b=c",
        f'export SECRET_KEY_BASE="{PASSWORD}{letters(9)}"',
        f"const apiKey = `{PASSWORD}{letters(9)}`;",
        f"dbPassword := '{PASSWORD}'",
        f"密码: {PASSWORD}",
        f"口令是{PASSWORD}。",
        "password: correct-horse-battery",
        "password=letmein\n",
        "DB_PASS=s3cr)et,with;more",
        f"Authorization: Basic {PASSWORD}",
        f'headers["authorization"] = "token {PASSWORD}"',
        f"Cookie: sid={PASSWORD}",
        f"mysqldump --password={PASSWORD} shop",
        f"secret_access_key : '{PASSWORD}'",
        f"API key: {PASSWORD}",
        f"//registry.example.org/:_authToken={PASSWORD}{letters(9)}",
        f"Pwd={PASSWORD};Server=a",
        f"machine a password {PASSWORD} login b",
        f"sshpass -p '{PASSWORD}' ssh me@example.org",
        "sshpass -p letmein ssh me@example.org",
        f"mysqldump --all-databases -h db -p'{PASSWORD}'",
        f"docker login -u me -p {PASSWORD} registry.example.org",
        f"curl --user 'me:{PASSWORD}' https://example.org",
        f'curl -su "me:{PASSWORD}" https://example.org',
        f"ALTER USER a IDENTIFIED WITH native BY '{PASSWORD}'",
        f"curl -H 'Authorization: GenieKey {PASSWORD}{letters(9)}'",
    ],
)
def test_assignments_of_every_language_are_redacted(text: str) -> None:
    marked = redact(text)
    assert "[redacted " in marked
    for secret in (PASSWORD, "correct", "letmein", "s3cr"):
        assert secret not in marked


@table("key", ["password", "DB_PASSWORD", "user-passwd", "dbPassword", "口令"])
def test_the_value_of_a_password_is_redacted_as_a_whole(key: str) -> None:
    for value in (PASSWORD, "letmein", "$ecr3t!", "{[<8", "with blanks, 2 of them", '"quoted"\n;'):
        assert re.fullmatch(r"\[redacted password ......\]", redact_item(key, value))


@table(
    "key",
    [
        "secret", "client_secret", "clientSecret", "token", "access-token", "accessToken", "API_KEY",
        "apiKey", "x-api-key", "private_key", "Authorization", "SecretAccessKey", "apikey2",
    ],
)  # fmt: skip
def test_the_value_of_a_sensitive_key_is_redacted_as_a_whole(key: str) -> None:
    assert re.fullmatch(r"\[redacted secret ......\]", redact_item(key, letters(20)))
    for value in (
        "", "string", "null", "4096", "12.5", "true", "<api key>", "$TOKEN", "your-api-key",
        "a b c d e f", "/etc/ssl/key.pem", "refresh_token", "********",
    ):  # fmt: skip
        assert redact_item(key, value) == value


def test_a_scheme_stays_before_what_is_redacted() -> None:
    assert re.fullmatch(
        r"Basic \[redacted secret ......\]", redact_item("authorization", f"Basic {letters(16)}")
    )


def test_other_keys_leave_their_values_to_the_table() -> None:
    for key in ("tokens", "token_count", "key", "keyboard", "path", "", "compass", "x" * 5_000):
        assert redact_item(key, letters(20)) == letters(20)
    assert redact_item("note", f"password={PASSWORD}") == redact(f"password={PASSWORD}")


def test_a_marked_value_is_not_marked_again() -> None:
    once = redact_item("password", PASSWORD)
    assert redact_item("password", once) == once


FLOODS = [
    "password=", "eyJ", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "a", "A", "://", "://a:", "sk-",
    'password="', "password='\\\"", "\\", '\\"', "token: ", "authorization: ", "bearer ", "cookie: a=",
    "--a", "--api-key ", "login a password ", "password>a", "cloudflare-", "heroku", "discord M",
    "&sig=", "aaa8Q~", "0a1b", "eyJaaaaaaaaaaaaaaaaa.", "SG.aaaaaaaaaaaaaaaa.", "密码是", "\n", " ",
    "AKIA" + capitals(16) + " ", "paypalE", "paypal E", "curl -u a:", "mysql -p", "mysql ", "sshpass -p ",
    "login -p ", "login ", "identified by '", "authorization: aaa ", "machine a password ", "KEY=",
    "a_", "a-", "a.", "your-", "[redacted ", "\U00100000", "1234567890:AA", "Ab", "token=A_", "@",
]  # fmt: skip


@promise("secrets-never-stored")
@sizes("length", 32_000, 128_000)
@table("flood", FLOODS)
def test_a_flood_is_read_to_its_end(flood: str, length: int) -> None:
    # Quadratic reading of any of these takes minutes, which no run of the tests survives.
    text = flood * (length // len(flood))
    assert PASSWORD not in redact(f"{text}\npassword={PASSWORD}\n")
    assert PASSWORD not in redact(f"password={text}\npassword={PASSWORD}\n")
    assert PASSWORD not in redact_item("password", text + PASSWORD)


def test_what_only_looks_like_a_mark_hides_nothing() -> None:
    assert PASSWORD not in redact(f'password="[redacted x {PASSWORD}]"')
    assert PASSWORD not in redact_item("password", f"[redacted password 012345] {PASSWORD}")


LISTED = "Qm7v" + "Xw2pRt9Lz4Kd8Nb6"


@promise("secrets-never-stored")
@table("words", ("cargo login", "vault login", "gem push --key", "tool config set api_token"))
def test_a_command_that_only_its_items_together_name_gives_its_secret(words: str) -> None:
    once = redact(json.dumps([*words.split(), LISTED]))
    assert LISTED not in once
    assert json.loads(once)[:-1] == words.split()


@promise("secrets-never-stored")
@table(
    "sign",
    ("\x1b[32m", "\\u001b[32m", "\u200b", "\x1b(B", "^[[32m", "\x9b32m", "\x1bPq\x1b\\", "\x1b=", "\u202e"),
)
def test_what_colours_or_hides_in_a_secret_is_no_part_of_it(sign: str) -> None:
    half = len(LISTED) // 2
    coloured = redact(f"{sign}DB_PASSWORD={LISTED[:half]}{sign}{LISTED[half:]}")
    assert coloured.endswith(redact(f"DB_PASSWORD={LISTED}"))
