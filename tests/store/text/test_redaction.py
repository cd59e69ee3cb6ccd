"""Secrets become marks: all kinds, wherever they stand, and nothing else does."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text.prefilter import may_hold
from memtui.store.text.redaction import redact, redact_item
from memtui.store.text.secret_patterns import PATTERNS, SecretPattern
from tests.places import PACKAGES
from tests.promises import promise
from tests.sizes import sizes
from tests.store.text.sample_parts import Sample, capitals, letters
from tests.store.text.secret_samples import SAMPLES
from tests.tables import table

EACH = table("name, sample", SAMPLES.items())
PASSWORD = "hunter" + "-42"


def encodings(text: str) -> list[bytes]:
    """How agents may write a text into JSON, and a text that is JSON into another."""
    found = []
    for escaped in (True, False):
        once = json.dumps({"command": f"说\n{text}\n"}, ensure_ascii=escaped)
        twice = json.dumps({"output": once}, ensure_ascii=escaped)
        found += [once, twice, once.replace("/", "\\/")]
    return [text.encode(), *(one.encode() for one in found)]


def test_the_table_and_the_samples_cover_each_other() -> None:
    assert sorted(pattern.name for pattern in PATTERNS) == sorted(SAMPLES)
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
def test_a_text_in_a_text_is_redacted_too(name: str, sample: Sample) -> None:
    text = sample.around.format(sample.secret)
    for _ in range(2):
        text = json.dumps({"at": text}, ensure_ascii=False)
        assert json.dumps(sample.secret).strip('"') not in redact(text)


@promise("secrets-never-stored")
@EACH
def test_no_encoding_hides_a_secret_from_the_first_look(name: str, sample: Sample) -> None:
    for raw in encodings(sample.around.format(sample.secret)):
        assert may_hold(raw)


@EACH
def test_each_pattern_needs_one_of_its_anchors(name: str, sample: Sample) -> None:
    [pattern] = [pattern for pattern in PATTERNS if pattern.name == name]
    text = sample.around.format(sample.secret)
    assert re.search(pattern.pattern, text, re.ASCII)
    assert is_anchored(pattern, text)


def is_anchored(pattern: SecretPattern, text: str) -> bool:
    raw = text.encode(errors="surrogatepass")
    low = raw.lower()
    return any(anchor in low for anchor in pattern.anchors) and (
        not pattern.also or any(also in low or also in raw for also in pattern.also)
    )


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
def test_no_pattern_matches_without_its_anchors(text: str) -> None:
    for pattern in PATTERNS:
        if re.search(pattern.pattern, text, re.ASCII):
            assert is_anchored(pattern, text), pattern.name


@promise("secrets-never-stored")
@given(TEXTS)
def test_what_any_pattern_finds_the_first_look_has_seen(text: str) -> None:
    if any(
        re.search(pattern.pattern, text, re.ASCII) for pattern in PATTERNS if not pattern.judged
    ):
        for raw in encodings(text):
            assert may_hold(raw)
    if redact(text) != text:
        for raw in encodings(text):
            assert may_hold(raw)


def test_equal_secrets_have_equal_marks_in_every_process() -> None:
    first, second = redact(f"password={PASSWORD}\n"), redact(f"password={PASSWORD}3\n")
    assert first != second
    script = f"from memtui.store.text.redaction import redact; print(redact('password={PASSWORD}'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().strip() == first.strip()


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
    for raw in encodings(text):
        assert may_hold(raw)


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
@sizes("length", 64_000, 256_000)
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


@table(
    "text",
    [
        "< PRIVATE >", "</private>", "<\n/\n private", "<PRİVATE>", "<prıvate x='1'>",
        "<claude-mem-context>", "<SYSTEM-REMINDER>", "<\u017fystem-reminder>", "<system_reminder>",
        "<SYSTEM-REMİNDER >", "<memtui-context id='1'>", "<memtuı-context>", "<hook_context>",
        "<hoo\u212a_context>", "<\u2003private>",
    ],
)  # fmt: skip
def test_no_spelling_hides_a_private_tag_from_the_first_look(text: str) -> None:
    for raw in encodings(f"a {text} b"):
        assert may_hold(raw)
        assert may_hold(raw.replace(b"<", b"\\u003c"))
        assert may_hold(raw.replace(b"<", b"\\u003C"))


@table(
    "text",
    [
        "def area(width: float) -> float:\n    return width ** 2\n",
        '<div class="row"><p>Hello</p></div>',
        "drwxr-xr-x 2 root root 4096 Nov 22 03:27 src\n-rw-r--r-- 1 root root 12 Nov 22 03:27 a.py",
        "42 passed, 1 skipped in 3.14s",
        "for key, value in sorted(found.items()):\n    print(key, value)",
        "private List<String> names; // a < b",
        "这个函数返回两个数的和。",
        "fixed the token refresh of the session; see https://example.org/a/b",
        "@pytest.fixture\ndef store() -> Store: ...",
        "运行这条命令，然后把文件加密：结果是对的\n加密\n",
        "密码学的历史很长很长很长很长很长很长，令牌环网络也很老很老很老很老很老很老。",
        "def connect(token: str, password: str | None = None, key=None) -> None: ...",
        '{"token": "x", "api_key": "", "password": ""}',
        "INSTALLED_APPS = ['django.contrib.auth', 'django.contrib.contenttypes_and_sessions']",
    ],
)
def test_ordinary_text_needs_no_second_look(text: str) -> None:
    event = {
        "session_id": "0b7c1d8e-1f2a-4b3c-8d4e-5f6a7b8c9d0e",
        "tool_use_id": "toolu_01AbCdEfGhIjKlMnOpQrStUv",
        "cwd": "/home/me/src/project",
        "tool_response": text,
    }
    assert not may_hold(json.dumps(event, ensure_ascii=False).encode())


def test_the_first_look_imports_nothing() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules); "
        "import memtui.store.text.prefilter; print(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, str(PACKAGES)], capture_output=True, check=True
    )
    assert set(done.stdout.decode().split()) == {
        "memtui", "memtui.store", "memtui.store.text", "memtui.store.text.prefilter",
        "memtui.store.text.prefilter.anchors", "memtui.store.text.prefilter.encoded",
        "memtui.store.text.prefilter.keys",
    }  # fmt: skip
