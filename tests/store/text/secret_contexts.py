"""Texts and documents with secrets in them: what stands around these, and how all of it is written."""

import json
from collections.abc import Callable

from hypothesis import strategies as st

from .secret_samples import SAMPLES

NAMES = (
    "password", "Password", "PASSWORD", "passwd", "passphrase", "passcode", "pwd", "PWD",
    "pass", "PASS", "db_pass", "password2", "DB_PASSWORD", "passwords", "pw", "pin", "psk",
    "token", "Token", "TOKEN", "access_token", "accessToken", "secret", "Secret",
    "client_secret", "secretKey", "secret_key", "api_key", "apiKey", "API key", "API_KEY",
    "api-key", "x-api-key", "private_key", "license key", "licence_key", "SECRET_KEY_BASE",
    "signing key", "encryption_key", "openai_key", "okta-key", "ZendeskKey", "credential",
    "credentials", "creds", "Authorization", "authorization", "Cookie", "Set-Cookie", "cookie",
    "jwt", "bearer", "Bearer", "token_prod", "SECRET_1", "passwordString", "tokenValue", "auth",
    "_auth", "DATADOG_API_KEY", "AccountKey", "密码", "密碼", "密钥", "口令", "令牌", "heroku_key",
    "cloudflare_x",
)  # fmt: skip
SIGNS = (
    "=", ": ", ":", " = ", " := ", "=>", " => ", "==", "：", "＝", ' : "', '": "', "': '", '="',
    "='", "=`", "\t=\t", ":\t", " ", "  ", "] = ", "'] = '", '") = "', ", ", '", "', "', '",
    '","', "\\\": \\\"", ">", "> ", "\n", ":\n  ", "=\\\"", "是", "为", "是：", "设为", " 是 ", "改成",
    " -> ", "→", " is ", " was ", " are ", " equals ", " has been ", " is now ", " is set to ",
    " set to ", " changed to ", " to ", " with ", " is: ", ' is "', " is '", " is `", " is “",
    "：“", "是「", " for the db is ", " of prod on staging: ",
    " for your own test server in the lab is still ", " to log in with is ", "s are ",
    " is called ",
)  # fmt: skip
VALUES = (
    "hunter-42", "hunter2", "Tr0ub4dor&3", "correct horse", "geheim", "Geheimnis", "1234",
    "83726154", "x9y8z7w6v5u4", "aB3dE5gH7jK9mN2pQ4aB3d", "p@ss:w0rd!", "a\\b1c2d3e4",
    "q1w2e3r4/t5", "ab\u00e9cd1ef2", "12ab.34cd.56ef", "s3cr3t;x", "{x9y8z7w6}", "${x}a1b2c3d4",
    "x9y8z7, w6", "Zm9vYmFyYmF6cXV4MTIzNDU2", "0a1b2c3d4e5f67890a1b2c3d4e5f6789",
    "foo_bar_9x8y7z", "a=b1c2d3e4f5", "me:hunter-42", "Basic bWU6aHVudGVyLTQy",
    "Bearer x9y8z7w6v5u4t3s2r1", "sid=x9y8z7w6v5u4", "none-of-1t", "v3ry/s3cret", "hunter-42\\",
    "中文hunter42", "hunter42中文", "x9\ty8z7w6v5", "a.b(c9d8e7)", "!9x8y7z6", "abcdefghijklmnopqr",
    "ABCDEFGHIJKLMNOP", "monkey business 7", "letmein", "Sommer2024!", "\"q9w8e7r6\"",
    "x-y-z-1-2-3-a-b",
)  # fmt: skip
ENDS = (
    "", " ", ".", ",", ";", "\n", "\r\n", '"', "'", "`", '",', "'}", '"}', ")", "&x=1", "</b>",
    "”", "」", "。", "\\n", "\\", " and so on", "|", "\t", "\\\"", "(", "[", "？", " ok",
)  # fmt: skip
BEGINNINGS = (
    "", "", "", " ", "the ", "my ", '"', "'", "{", '{"', "--", "-", "$", "export ", "\n", "\\n",
    "\t", ";", "; ", "&", "?", "<", "[", "(", "// ", "# ", "_", "x", "最新的", "这是", "\\\"",
    "Your ", "const ", "--db-", "set -x ", "ENV ", "env ", "  - name: ", 'process.env["',
    "https://me@x/?",
)  # fmt: skip
SHAPES = (
    "{beginning}{name}{sign}{value}{end}",
    "{beginning}{name}{sign}{value}{end}",
    "{beginning}{name}{sign}{value}{end}",
    "use {value} as the {name}{end}",
    "{beginning}{value} is the {name}{end}",
    "{value} was my old {name}{end}",
    "--{name} {value}{end}",
    "{beginning}--{name}={value}{end}",
    'cmd "--{name}", "{value}"{end}',
    "['{name}', '{value}']",
    "{{name: {name}, value: {value}{end}}}",
    '"name": "{name}",\n  "value": "{value}"{end}',
    "- name: MY_{name}\n  value: {value}{end}",
    '<add key="{name}" value="{value}"{end}/>',
    "<{name}>{value}</{name}>",
    'variable "{name}" {{\n default = "{value}"\n}}',
    "curl -u me:{value}{end}",
    "curl --user 'me:{value}'{end}",
    "mysql -u me -p{value}{end}",
    "mongosh x -p {value}{end}",
    "docker login -u me -p {value}{end}",
    "sshpass -p {value} ssh x{end}",
    "redis-cli -h x -a {value}{end}",
    "https://me:{value}@example.org/x",
    "postgres://{value}@example.org{end}",
    "Server=x;{name}={value};Uid=y{end}",
    "machine x login y password {value}{end}",
    "localhost:5432:db:me:{value}{end}",
    "CREATE USER me IDENTIFIED BY '{value}'{end}",
    "identified with x by {value}{end}",
    "WITH PASSWORD '{value}'{end}",
    "setenv MY_TOKEN {value}{end}",
    "requirepass {value}{end}",
    "zip -P {value} a.zip{end}",
    "ldapsearch -x -w {value}{end}",
    "secret_access_key {value}{end}",
    "sqlplus me/{value}@db{end}",
    "kubectl create secret generic x --from-literal=a={value}{end}",
    "gh secret set X -b {value}{end}",
    "PHPSESSID={value}{value}{end}",
    "x.y?X-Amz-Signature={value}{value}{value}",
    "Authorization: Basic {value}{end}",
    "authorization{sign}Custom {value}{end}",
    "Cookie: a={value}{end}",
    "kind: Secret\ndata:\n  x: {value}{end}",
    "seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow{end}",
    "{name}{sign}{name}{sign}{value}{end}",
    "{name}\n{value}{end}",
    "{name} {value}{end}",
)  # fmt: skip
"""Texts with a secret in them, if the value counts as one."""

PROSE = "The quick brown fox jumps over the lazy dog, and nobody minds it. "
CODE = "def run(self, key: str) -> None:\n    self.token = token_of(key)\n    return {'a': 1}\n"
CHINESE = "这个命令读取文件，然后加密并写入数据库，显示进度。"
LOG = "2026-01-02T03:04:05Z INFO [worker-3] done in 12 ms id=42\n"
BARE = "the quick brown fox jumps over a lazy dog and sees no sign, "
SURROUNDINGS = (PROSE, CODE, CHINESE, LOG, BARE)


def at_once(text: str) -> str:
    """A text as it is."""
    return text


def quoted(text: str) -> str:
    """A text as a string of JSON."""
    return json.dumps(text, ensure_ascii=False)


def percent(text: str) -> str:
    """A text with its signs as a URL writes them."""
    return "".join(f"%{ord(one):02X}" if ord(one) < 128 and not one.isalnum() else one for one in text)


def entities(text: str) -> str:
    """A text with its signs as HTML writes them."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#39;").replace("<", "&lt;")


WRITTEN: tuple[Callable[[str], str], ...] = (
    at_once, at_once, at_once, at_once, quoted, percent, entities,
    json.dumps,
    lambda text: json.dumps(json.dumps(text)),
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace(" ", "\t"),
    lambda text: text.upper(),
    lambda text: "".join(f"\\x{ord(one):02x}" if one in "=:'\" " else one for one in text),
    lambda text: "".join(f"\\u{ord(one):04x}" if one in "=:'\" " else one for one in text),
    lambda text: text.encode().hex(),
)  # fmt: skip

SPLITS = ("\n", "\\n", "\r\n", "', '", '", "', '","', "\\\\n", "=", " ", "\\", "\t", ":", "é", "密")


def _split(text: str, sign: str, share: float) -> str:
    """A text with a sign somewhere in it."""
    at = int(len(text) * share)
    return text[:at] + sign + text[at:]


def _without_one(text: str, share: float) -> str:
    """A text without one of its characters."""
    at = int(len(text) * share)
    return text[:at] + text[at + 1 :]


def _beside(text: str, around: str, before: int, after: int) -> str:
    """A text somewhere in a longer one."""
    return around * before + text + around * after


SHARES = st.floats(0, 1)
SHAPED = st.builds(
    lambda shape, **parts: shape.format(**parts),
    st.sampled_from(SHAPES),
    beginning=st.sampled_from(BEGINNINGS),
    name=st.sampled_from(NAMES),
    sign=st.sampled_from(SIGNS),
    value=st.sampled_from(VALUES),
    end=st.sampled_from(ENDS),
)
KNOWN = st.sampled_from([one.around.format(one.secret) for one in SAMPLES.values()])
BARE_TEXTS = st.one_of(SHAPED, SHAPED, KNOWN)
CHANGED = st.one_of(
    BARE_TEXTS,
    st.builds(_split, BARE_TEXTS, st.sampled_from(SPLITS), SHARES),
    st.builds(_without_one, BARE_TEXTS, SHARES),
)
TEXTS = st.builds(
    lambda text, write, around, before, after: _beside(write(text), around, before, after),
    CHANGED,
    st.sampled_from(WRITTEN),
    st.sampled_from(SURROUNDINGS),
    st.sampled_from((0, 0, 1)),
    st.sampled_from((0, 0, 1)),
)
"""Most hold a secret, written in one of many ways; some hold one no longer."""

LARGE_TEXTS = st.builds(
    _beside, CHANGED, st.sampled_from(SURROUNDINGS), st.integers(0, 400), st.integers(300, 400)
)

_NAMES, _VALUES = st.sampled_from(NAMES), st.one_of(st.sampled_from(VALUES), TEXTS)
DOCUMENTS: st.SearchStrategy[object] = st.one_of(
    st.builds(lambda name, value: {name: value, "x": 1}, _NAMES, _VALUES),
    st.builds(lambda name, value, other: {name: [value, other]}, _NAMES, _VALUES, _VALUES),
    st.builds(lambda name, value: {name: {"a": value}, "b": [{name: value}]}, _NAMES, _VALUES),
    st.builds(
        lambda key, name, told, value: {told: value, "x": None, key: name},
        st.sampled_from(("name", "Name", "key", "Key", "variable")), _NAMES,
        st.sampled_from(("value", "Value")), _VALUES,
    ),
    st.builds(
        lambda command, dashes, name, value, other: [command, dashes + name, value, other],
        st.sampled_from(("mysql", "curl", "login", "x")), st.sampled_from(("--", "-", "")),
        _NAMES, _VALUES, _VALUES,
    ),
    CHANGED.map(lambda text: list(text.split(" "))),
    st.builds(lambda text, share: [*_split(text, "\0", share).split("\0")], CHANGED, SHARES),
)  # fmt: skip
"""Objects and lists in which what stands beside a value may make a secret of it."""
