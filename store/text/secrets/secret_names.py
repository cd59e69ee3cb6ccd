"""What secrets are called in names, options, headers and sentences: in English, Chinese and beyond."""

from __future__ import annotations

from .pattern_parts import VARIABLE


def any_of(characters: str) -> str:
    """One of these, as it is or as JSON within a text escapes it."""
    escaped = "|".join(f"{ord(character):04x}" for character in characters)
    return rf"(?:[{characters}]|\\{{1,8}}u(?i:{escaped}))"


KEYS = (
    "api app auth access secret master shared client deploy private signing account service session "
    "storage license webhook consumer signature encryption"
).split()
"""Whose or what for a key is that is a secret: `api_key`, `privateKey`."""
# They begin with a set of letters, which is what a search is quick to skip to; what stands before is
# then looked back at, by names of equal length as a look behind demands.
KEY = "|".join(
    rf"(?<=(?i:{'|'.join(name for name in KEYS if len(name) == length)}){blank}.)"
    for length in sorted({len(name) for name in KEYS})
    for blank in ("", "[ _-]")
)
BEFORE_KEY = tuple(f"{name}{blank}key".encode() for name in KEYS for blank in ("", " ", "_", "-"))
SECRET_KEYS = rf"[kK](?i:(?=ey(?:[_-]base)?[^a-z_-])(?:{KEY})ey(?:[_-]base)?)"
PASSWORDS = (
    r"[pP](?:(?i:ass(?:word|wd|phrase|code)|(?<=[_-]p)ass|(?<![a-z].)wd)"
    r"|(?<![A-Za-z].)ass|(?<![A-Za-z].)ASS(?=[ \t]{0,8}=))"
)
SERVICES = """
adafruit adobe airtable algolia alibaba asana beamer bitbucket bittrex codecov cohere coinbase confluent
contentful droneci dropbox etsy facebook fastly finicity finnhu flickr freshbooks gitter gocardless hubspot
intercom jfrog kraken kucoin launchdarkly linear linkedin lo looker mailgun mapbox mattermost meraki
messagebird netlify nytimes okta plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumologic
travis twitch twitter typeform yandex zendesk
""".split()
"""Services whose keys have no form of their own: what is set to `NAME_key` is one."""
SERVICE_KEY = "|".join(
    rf"(?<=(?<![A-Za-z])(?i:{'|'.join(name for name in SERVICES if len(name) == length)}){between}(?i:key))"
    for length in sorted({len(name) for name in SERVICES})
    for between in ("", "[_-]", "[_-][_-]")
)
NAMES = (
    r"(?i:pass(?:word|wd|phrase|code)|pwd|secret|token|(?:api|access|auth|secret|private|signing"
    r"|encryption)[_-]?key|credentials?|creds)"
)
"""Names of what holds a secret, at the end of a longer name."""
NAMED_PASSWORD = r"(?:(?i:pass(?:word|wd|phrase|code)|pwd)|密[码碼]|口令)"
NAMED_SECRET = (
    r"(?:(?i:(?:api|access|auth|secret|private|signing|encryption)[ _-]?keys?|secret|token"
    r"|cred(?:ential)?s?)|密[钥鑰]|令牌)"
)
NAMED = rf"(?:{NAMED_PASSWORD}|{NAMED_SECRET})"
BY_PASSWORD = (b"passw", b"passp", b"passc", b"pwd", "密".encode(), "口令".encode())
BY_SECRET = (
    b"api", b"access", b"auth", b"private", b"signing", b"encryption", b"secret", b"token", b"cred",
    "密".encode(), "令牌".encode(),
)  # fmt: skip
"""With one of which each of these names begins."""
CODES = "verification one-time sms 2fa mfa login sign-in security your".split()
CODED = (
    rf"(?i:(?<!\w)(?:{'|'.join(CODES)})[ ]code|(?<!\w)one[- ]time[ ]p(?:ass(?:word|code)|in)"
    r"|(?<![a-su-z])otp|authenticator)(?:[ ]code)?"
)
"""What a code that works once is called."""
CODED_BY = (
    *(f"{name} code".encode() for name in CODES), b"one-time p", b"one time p", b"otp", b"authenticator",
)  # fmt: skip
HEADS = tuple(
    f"{name}{sign}".encode()
    for name in "password passwd secret token api_key 密码".split() for sign in ",;\t\r\n"
)  # fmt: skip
"""How the first line of comma-separated values goes on with a name."""
CHINESE_NAME = (
    rf"(?:{any_of('密')}{any_of('码碼钥鑰')}|{any_of('口')}{any_of('令')}|{any_of('令')}{any_of('牌')})"
)
CHINESE_NAMES = ("密".encode(), "令".encode(), b"\\u5bc6", b"\\u4ee4")
TOLD_KEYS = (
    "api", "access", "auth", "private", "signing", "encryption", "license", "licence", "deploy", "service",
    "master", "account", "webhook", "client",
)  # fmt: skip
TOLD_KEY = "|".join(rf"(?<=(?<!\w)(?i:{name}{blank}key))" for name in TOLD_KEYS for blank in ("", "[ _-]"))
BEFORE_TOLD_KEY = tuple(f"{name}{blank}key".encode() for name in TOLD_KEYS for blank in ("", " ", "_", "-"))
# What a name of a secret goes on with, where a kind of it follows.
PASS = (b"passw", b"passp", b"passc")
"""Of `password`, `passwd`, `passphrase` and `passcode`; many a language has a word `pass`."""
UPPER_PARTS = tuple(map(str.encode, "key secret token auth oauth salt pepper pass pwd credential".split()))
IN_CAPITALS = tuple(map(bytes.upper, UPPER_PARTS))
LISTED_NAMES = tuple(
    f"{name}{sign}".encode()
    for name in "password passwd passphrase passcode pwd secret token key credential creds".split()
    for sign in "\"'`\\"
)
"""How a name goes on where it is an item of a list."""
UPPER_NAME = rf"(?:[A-Z0-9]{{1,30}}_){{0,6}}?[A-Z0-9]{{0,20}}?{VARIABLE}"
ABROAD = (
    "passwort|kennwort|mot de passe|contraseña|clave|senha|parola|hasło|heslo|wachtwoord|lösenord"
    "|adgangskode|salasana|jelszó|parola|şifre|пароль|パスワード|비밀번호|mật khẩu"
    "|kata sandi|סיסמה|كلمة المرور|पासवर्ड|κωδικός|schlüssel"
)
"""What a password is called elsewhere."""
NO_ENGLISH = ("ist", "lautet", "est", "es", "é", "è", "jest", "är", "это", "là")
IS_ABROAD = "|".join((*NO_ENGLISH, "war", "je", "er", "on"))
# What a phrase of words is called that a wallet is made anew of.
SEEDS = (
    b"seed", b"mnemonic", b"recovery", b"wallet", b"backup",
    *(name.encode() for name in ("助记词", "助記詞", "种子", "短语", "恢复词")),
)  # fmt: skip
# Cookies that hold a session.
SESSIONS = (
    b"phpsessid=", b"jsessionid=", b"aspsessionid", b"connect.sid=", b"sessionid=",
    b"laravel_session=", b"_session=",
)  # fmt: skip
