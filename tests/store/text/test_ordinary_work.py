"""What ordinary work says beside the names of secrets stays, and a secret goes however it is written."""

from __future__ import annotations

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
""".strip().split("\n")

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


@table("text", LINES)
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


PARTS = [*LINES, *(text for text, _ in FORMS), "\n", " ", '"', "`", "$ cat .env\n", "A_KEY=", "| read x"]


@given(st.lists(st.sampled_from(PARTS), max_size=6).map("\n".join))
def test_a_scrubbed_text_is_not_changed_again(text: str) -> None:
    once = scrub(text)
    assert scrub(once) == once
