"""Each kind of secret is gone wherever it stands and however it is encoded."""

import base64
import html
import json
import urllib.parse
from collections.abc import Callable

from memtui.store.text.redaction import redact, scrub, scrub_json
from memtui.store.text.secrets.service_patterns import SERVICE_PATTERNS
from tests.promises import promise
from tests.store.text.sample_parts import Sample, letters
from tests.store.text.secret_samples import SAMPLES
from tests.tables import table

EACH = table("name, sample", SAMPLES.items())
PASSWORD = "hunter" + "-42"
FORMS = {
    "bare": "{}",
    "JSON": '{{"note": "see {}", "line": 3}}',
    "a shell": "export A_B={}\n",
    "YAML": "settings:\n  one: {}\n  two: 2\n",
    "a URL": "https://example.org/a?q={}",
    "a log": "2026-05-01T12:00:00Z INFO [main] got {} from cache",
}
OF_SERVICES = {
    pattern.name: SAMPLES[pattern.name]
    for pattern in SERVICE_PATTERNS
    if "?P<" not in pattern.pattern and pattern.name not in ("private-key", "aws-key-pair")
}

ENCODINGS: dict[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 of URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "hex digits": lambda text: text.encode().hex(),
    "hex escapes": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "octal escapes": lambda text: "".join(
        f"\\{byte:03o}" if byte < 128 else chr(byte) for byte in text.encode()
    ),
    "unicode escapes": lambda text: "".join(f"\\u{ord(one):04x}" for one in text),
    "a URL": lambda text: urllib.parse.quote(text, safe=""),
    "a URL twice": lambda text: urllib.parse.quote(urllib.parse.quote(text, safe=""), safe=""),
    "HTML": html.escape,
    "entities": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "hex entities": lambda text: "".join(f"&#x{ord(one):x};" for one in text),
    "JSON three times": lambda text: json.dumps(json.dumps(json.dumps(text))),
}
OF_ASCII = ("base64", "base64 of URLs", "hex digits", "octal escapes", "entities", "hex entities")
"""They are looked into for secrets in ASCII only."""


@promise("secrets-never-stored")
@table("name, sample", OF_SERVICES.items())
def test_a_key_is_gone_wherever_it_stands(name: str, sample: Sample) -> None:
    for form in FORMS.values():
        text = form.format(sample.secret)
        assert sample.secret[len(sample.secret) // 2 :] not in redact(text), form


def test_there_are_as_many_kinds_as_promised() -> None:
    assert len(SAMPLES) + len(FORMS) * len(OF_SERVICES) >= 160


@promise("secrets-never-stored")
@EACH
def test_no_encoding_hides_a_secret(name: str, sample: Sample) -> None:
    text = sample.around.format(sample.secret)
    for encoding, encode in ENCODINGS.items():
        if encoding in OF_ASCII and not text.isascii():
            continue
        encoded, secret = encode(text), encode(sample.secret)
        marked = redact(encoded)
        assert "[redacted " in marked, encoding
        assert len(secret) < 12 or secret.strip("=")[-len(secret) // 3 :] not in marked, encoding


WRAPPED = (
    "github-token", "gitlab-token", "slack-token", "stripe-key", "anthropic-key", "openai-key", "npm-token",
    "pypi-token", "google-api-key", "jwt", "aws-access-key", "hugging-face-token", "tailscale-key",
    "github-fine-grained-token", "digitalocean-token", "atlassian-token", "linear-key", "figma-token",
)  # fmt: skip


@promise("secrets-never-stored")
@table("name", WRAPPED)
def test_a_key_over_two_lines_or_items_is_gone(name: str) -> None:
    secret = SAMPLES[name].secret
    middle = len(secret) // 2
    first, second = secret[:middle], secret[middle:]
    for between in ("\n", "\n    ", "\r\n", "\\\n"):
        text = f"it is {first}{between}{second} and on"
        assert second not in redact(text)
    listed = {"lines": [first, second]}
    assert second not in json.dumps(scrub_json(listed))
    assert second not in redact(json.dumps(listed))


@promise("secrets-never-stored")
@table(
    "words",
    [
        ["mysql", "-u", "root", f"-p{PASSWORD}", "shop"],
        ["mongosh", "-u", "root", "-p", PASSWORD],
        ["sshpass", "-p", PASSWORD, "ssh", "host"],
        ["curl", "-u", f"me:{PASSWORD}", "https://example.org"],
        ["run", "--password", PASSWORD],
        ["the", "password", "is", PASSWORD],
        ["--api-key", letters(20)],
        ["password", PASSWORD],
    ],
)
def test_a_list_of_words_tells_no_secret(words: list[str]) -> None:
    secret = letters(20) if letters(20) in words else PASSWORD
    assert secret not in json.dumps(scrub_json({"command": words}))
    for text in (json.dumps(words), json.dumps(json.dumps(words)), str(words)):
        assert secret not in redact(text), text


@table(
    "value",
    [
        [{"name": "DB_PASSWORD", "value": PASSWORD}],
        {"env": [{"name": "A", "value": "1"}, {"name": "API_TOKEN", "value": letters(20)}]},
        {"secret": {"value": letters(20)}, "items": [{"key": "DB_PASSWORD", "val": PASSWORD}]},
        {"auth": base64.b64encode(f"me:{PASSWORD}".encode()).decode()},
    ],
)
def test_entries_of_a_document_tell_no_secret(value: object) -> None:
    told = json.dumps(value)
    for scrubbed in (json.dumps(scrub_json(value)), redact(told), scrub(json.dumps(told))):
        assert "[redacted " in scrubbed
        assert PASSWORD not in scrubbed
        assert letters(20) not in scrubbed


@promise("secrets-never-stored")
@table(
    "text",
    [
        "the password is {}",
        "My password is {}.",
        "password for the db: {}",
        "the wifi password was '{}'",
        "pwd {}",
        "Log in as admin with password {}.",
        "use {} as the password",
        "{} is the password for root",
        "I set the password to {} yesterday",
        'the passphrase is "{}"',
        "our db password: {}",
        "my pw is {}",
        "密码是 {}",
        "口令：{}",
        "密钥为 {}",
        "数据库的密码改成了 {}",
        "我的密码是{}，别告诉别人",
        "password 是 {}",
        "the token is {}",
        "API key is {} for now",
        "the secret for the robot is {}",
    ],
)
def test_a_sentence_tells_no_secret(text: str) -> None:
    for secret in ("sword" + "fish99", "Tr0ub4" + "dor&3", letters(16)):
        told = text.format(secret)
        assert secret not in redact(told), told


def test_what_is_encoded_loses_no_more_than_the_secret() -> None:
    before, after = "a%20b and \\x41 then ", " and 50% of \\x42"
    assert redact(f"{before}password%3D{PASSWORD}{after}").startswith(before)
    assert redact(f"{before}password%3D{PASSWORD}{after}").endswith(after)
