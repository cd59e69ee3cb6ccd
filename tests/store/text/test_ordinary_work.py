"""What ordinary work says beside the names of secrets stays, and a secret goes however it is written."""

import json

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text.redaction import scrub, scrub_json
from tests.promises import promise
from tests.store.text.sample_parts import capitals, letters
from tests.tables import table

TOKEN = "gh" + "p_" + letters(36)
HALF, REST = TOKEN[:18], TOKEN[18:]
ACCESS = "AK" + "IA" + capitals(16)
PASSWORD = "Tr0ub4dor" + "&3x"
WORDS = "winter-is-coming"
FORMS = [
    # Coloured, and with what is invisible.
    (f"\x1b[1;33m{ACCESS}\x1b[0m", ACCESS),
    (f"\x1b[36mpassword\x1b[0m\x1b[90m:\x1b[0m \x1b[33m{PASSWORD}\x1b[0m", PASSWORD),
    (f"\\u001b[32m{ACCESS}\\u001b[0m", ACCESS),
    (f"{HALF}\x1b[0;31m{REST}\x1b[0m", REST),
    (f"{HALF}\u200b{REST}", REST),
    (f"pass\u200bword: {PASSWORD}", PASSWORD),
    # Split, and over lines.
    (f"t = '{HALF}' + '{REST}'", REST),
    (f'const t = "{HALF}"\n  + "{REST}";', REST),
    (f"t = ('{HALF}'\n     '{REST}')", REST),
    (f"curl x:{HALF}\\\n{REST} y", REST),
    (f"a = `{HALF}` + `{REST}`", REST),
    (f"db_password: |-\n    {PASSWORD}\n", PASSWORD),
    (f'token = """{letters(20)}"""', letters(20)),
    # In other languages.
    (f"Das Passwort für den Server ist {PASSWORD}", PASSWORD),
    (f"la contraseña nueva es {PASSWORD}", PASSWORD),
    (f"mot de passe : {PASSWORD}", PASSWORD),
    (f"пароль от базы: {PASSWORD}", PASSWORD),
    (f"パスワードは{PASSWORD}です", PASSWORD),
    (f"비밀번호: {PASSWORD}", PASSWORD),
    (f"a senha é {PASSWORD}", PASSWORD),
    (f"数据库密码改为 {PASSWORD} 了", PASSWORD),
    # Of kinds that others take with them.
    (f'run(["x", "--db-password", "{PASSWORD}"])', PASSWORD),
    (f"Server=a;Uid=b;Pwd={PASSWORD};", PASSWORD),
    (f"curl -H 'Authorization: SSWS {letters(42)}'", letters(42)),
    (f'<add key="ClearTextPassword" value="{PASSWORD}" />', PASSWORD),
    (f"aws_secret_access_key = {letters(38)}/+", letters(38)),
    (f"AccountName=a;AccountKey={letters(84)}==;Suffix=b", letters(84)),
    (f'"credentials": "{letters(40)}"', letters(40)),
    # A name, and its value in the next field or the one before.
    (f'variable "db_password" {{\n  type = string\n  default = "{PASSWORD}"\n}}', PASSWORD),
    (f'[{{"key": "API_TOKEN", "val": "{letters(20)}"}}]', letters(20)),
    (f'{{"secret": {{"value": "{letters(20)}"}}}}', letters(20)),
    (f"DB_PASSWORD:\n  value: {PASSWORD}\n", PASSWORD),
    (f"- name: CI_TOKEN\n  description: of the robot\n  value: {letters(20)}\n", letters(20)),
    (f"- value: {PASSWORD}\n  name: DB_PASSWORD\n", PASSWORD),
    (f'[database.password]\nvalue = "{PASSWORD}"\n', PASSWORD),
    (f"[api_keys]\nmaps = {letters(20)}\nmode = fast\n", letters(20)),
    (f"passwords:\n  ann: {PASSWORD}\n", PASSWORD),
    # Values that go on over lines.
    (f'password = """\n{PASSWORD}\n"""', PASSWORD),
    (f"auth: |\n  {letters(20)}\n", letters(20)),
    (f"signing_key: >-\n    {letters(20)}\n    {letters(31)}\nmode: a\n", letters(31)),
    (f"token = (\n    '{letters(20)}'\n    '{letters(31)}'\n)", letters(31)),
    (f'const apiKey = "{letters(20)}" +\n    "{letters(31)}";', letters(31)),
    (f"run --token \\\n  {letters(20)} now", letters(20)),
    (f'API_TOKEN = \\\n  "{letters(20)}"', letters(20)),
    # The old and the new one.
    (f"changed the password from {PASSWORD} to q9!wE4-rT7x", "q9!wE4-rT7x"),
    (f"the password was {PASSWORD}, now it's q9!wE4-rT7x", "q9!wE4-rT7x"),
    (f"把密码从 {PASSWORD} 改成 q9!wE4-rT7x", "q9!wE4-rT7x"),
    # Tables.
    (f"| user | password |\n|---|---|\n| ann | {PASSWORD} |\n| bob | q9!wE4-rT7x |\n", "q9!wE4-rT7x"),
    (f"| API token | `{letters(20)}` |", letters(20)),
    (f"user,password\nann,{PASSWORD}\n", PASSWORD),
    (f"<td>Password</td><td>{PASSWORD}</td>", PASSWORD),
    # Codes.
    ("Backup codes:\n1. 4f7k2-m9x3q\n2. 8h2j5-w4z6n\n", "8h2j5-w4z6n"),
    ("恢复码：\n48291357\n56473829\n", "56473829"),
    ("the one-time code is 482913", "482913"),
    ("482913 is your verification code", "482913"),
    ("验证码：482913，五分钟内有效", "482913"),
    # Logins and lists of arguments.
    (f"sign in as ann with {PASSWORD}", PASSWORD),
    (f'["snyk", "auth", "{letters(20)}"]', letters(20)),
    (f'Command::new("cargo").args(["login", "{letters(20)}"])', letters(20)),
]  # fmt: skip
LINES = """
userSecretKey: SigningKeyMaterial,
interface Auth { token: AccessTokenResponse; password: PasswordHasher }
fn unlock(private_key: &SigningKey, secret: SharedSecret) -> Result<Vec<u8>>
def login(password: SecretStr, api_key: Optional[str] = None) -> Session:
this.apiKey = options.apiKey ?? process.env.OPENAI_API_KEY;
verdict: ok ? 'pass' : 'blocked',
accessToken: 'mock-access-token',
'X-Review-Token': 'gho_user_token_123',
password: ${DB_PASSWORD:?set it in .env}
secret: ${SESSION_SECRET:-local_only}
"errorWeakPassword": "The password is too weak. Use at least 8 characters, please"
"passwordLabel": "密码（至少 8 位）"
postgres://shop:shop@localhost:5432/shop
--- PASS: TestVault/rotates_key_2x (0.11s)
All checks pass: `mise run lint`
Examples that pass: `return nil`
sed -n '/^func main/,/^}/p' cmd/main_v2.go
grep -rn "read -p\\|read -s" scripts/
src/auth/密钥.py:31: def 轮换():
令牌是 JWT 格式，密码长度为 8-64 个字符。
Das Passwort muss mindestens 8 Zeichen haben.
パスワードは8文字以上で入力してください
The token: a short-lived string that the gateway signs.
--color-token-primary: var(--blue-600); $token-radius: 6px
tokens: 12,345 in / 678 out, cache_read_input_tokens=45012
pwd = currentFolder
https://docs.example.org/reset-password/how-it-works-in-version-2
{"key": "max_tokens", "val": "4096"}
{"token": {"value": "punctuation", "index": 3}}
I changed the timeout from 3 to 5.
changed the token limit from 4096 to 8192
changed the token type from JWT to PASETO4
moved the password check from auth.py to login2.py
把密码长度从 8 改成 12
| password | string | yes | at least 8 characters |
| Token | `AccessToken2` |
Exit codes: 48291357, 56473829
backup code path: store/backup2.py
error code is 482913
the verification code is 6 digits long
验证码是 6 位数字
Erlang/OTP 27
enter the login code 403
sign in as ann with Google
Log in as admin with two-factor enabled
connected as postgres with psql16
["snyk", "test", "--all-projects2"]
""".strip().split("\n")
BLOCKS = """
- name: LOG_LEVEL
  value: info-level-2

- name: DB_PASSWORD
  valueFrom:
    secretKeyRef:
      name: db
      key: password

secrets:
  db_password:
    external: true
    name: prod_db_password_v2

tokens:
  max: 4096
  model: large-2024-08-06

password:
  description: At least 8 characters, one digit
  required: true

[secrets]
backend = "vault"
path = "secret/data/app2"

secret: |
  The secret of a good cache is
  its invalidation.

auth: |
  if request.user.is_authenticated:
      return True

password = (
    form.cleaned_data["password1"]
)

| model | token count |
|---|---|
| large-4-5-20250929 | 18231 |

| Token | Value |
|---|---|
| --color-primary | #0f62fe |

| Field | Rules |
|---|---|
| password | min8,max64 |

token,count
foo2,12

Backup codes:
- print them
- or store them in the vault
""".strip().split("\n\n")

Event = dict[str, object]


def ran(command: str, output: str) -> Event:
    return {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": {"stdout": output}}


def asked(question: str, reply: str) -> Event:
    given = {"questions": [{"question": question, "options": [{"label": "Skip"}]}]}
    return {
        "tool_name": "AskUserQuestion",
        "tool_input": given,
        "tool_response": f'"{question}"="{reply}".',
    }


GIVING = [
    ran("grep DB_PASSWORD .env | cut -d= -f2", WORDS),
    ran("awk -F= '/API_TOKEN/{print $2}' .env", WORDS),
    ran("cat .env", f"DEBUG=1\nDB_PASSWORD={WORDS}"),
    ran("vault kv get secret/db", f"Key         Value\npassword    {WORDS}"),
    ran("cd app && ls && op read op://prod/db/password", f"README.md\nsrc\n{WORDS}\n"),
    asked("What is the password of the staging database?", WORDS),
    asked("请输入数据库密码", WORDS),
    {"hook_event_name": "Elicitation", "message": "Please enter your password",
     "tool_response": {"content": {"value": WORDS}}},
]  # fmt: skip
WORKING: list[Event] = [
    {"tool_name": "Task",
     "tool_input": {"prompt": "Which token do we send? Is the password reset? What is the API key?"},
     "tool_response": "**AuthGate** in `src/auth/gate_v2.ts`, hash 3f9a1c2, @scope/vault-core, PR-1432"},
    asked("Which token storage strategy should we use?", "localStorage-v2"),
    asked("How should the password reset work?", "Magic-link/15min"),
    ran("node -e \"process.env.A\" && cat src/env.ts", "const port = 3000\nconst mode = 'development'"),
    ran("git diff .env.example", "+LOG_LEVEL=debug\n+SITE_URL=https://example.org\n+MODEL=gpt-5.1-mini"),
    ran("cat .env", "NODE_ENV=production\nHOST=0.0.0.0\nAPI_URL=https://api.example.org/v2"),
]  # fmt: skip


@promise("secrets-never-stored")
@table("text, secret", FORMS)
def test_a_secret_goes_however_it_is_written(text: str, secret: str) -> None:
    once = scrub(text)
    assert secret not in once
    assert scrub(once) == once


@table("text", [*LINES, *BLOCKS])
def test_ordinary_work_stays(text: str) -> None:
    assert scrub(text) == text
    assert scrub_json({"tool_response": text}) == {"tool_response": text}


@promise("secrets-never-stored")
@table("event", GIVING)
def test_a_password_of_words_goes_from_what_gives_it(event: Event) -> None:
    once = scrub_json(event)
    assert WORDS not in json.dumps(once)
    assert scrub_json(once) == once


@table("event", WORKING)
def test_a_report_of_ordinary_work_stays(event: Event) -> None:
    assert scrub_json(event) == event


PARTS = [
    *LINES,
    *BLOCKS,
    *(text for text, _ in FORMS),
    "\n",
    " ",
    '"',
    "`",
    "$ cat .env\n",
    "A_KEY=",
    "| read x",
]


@given(st.lists(st.sampled_from(PARTS), max_size=6).map("\n".join))
def test_a_scrubbed_text_is_not_changed_again(text: str) -> None:
    once = scrub(text)
    assert scrub(once) == once
