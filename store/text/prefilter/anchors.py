"""What a text with a secret or a private passage in it holds, for a look that costs next to nothing.

Read by the hook's process: nothing is imported here. What is looked for in short texts is `str`, for
to look for bytes in bytes takes Python several times as long.
"""

WORDS = {
    "key": b"key",
    "token": b"token",
    "secret": b"secret",
    "pass": b"pass",
    "pwd": b"pwd",
    "bearer": b"bearer",
    "authoriz": b"authoriz",
    "cookie": b"cookie",
    "jwt": b"jwt",
    "psk": b"psk",
    "creds": b"creds",
    "credential": b"credential",
    "credentials": b"credentials",
}
"""They count where a value follows, which a sign tells, or for some the word itself."""

KEYS = (
    b"api", b"app", b"auth", b"access", b"secret", b"master", b"shared", b"client", b"deploy",
    b"private", b"signing", b"account", b"service", b"session", b"storage", b"license", b"webhook",
    b"consumer", b"signature", b"encryption",
)  # fmt: skip
"""Whose or what for a key is that is a secret: `api_key`, `privateKey`."""

SERVICES = (
    b"adafruit", b"adobe", b"airtable", b"algolia", b"alibaba", b"asana", b"beamer", b"bitbucket",
    b"bittrex", b"codecov", b"cohere", b"coinbase", b"confluent", b"contentful", b"droneci",
    b"dropbox", b"etsy", b"facebook", b"fastly", b"finicity", b"finnhub", b"flickr", b"freshbooks",
    b"gitter", b"gocardless", b"hubspot", b"intercom", b"jfrog", b"kraken", b"kucoin",
    b"launchdarkly", b"linear", b"linkedin", b"lob", b"looker", b"mailgun", b"mapbox",
    b"mattermost", b"meraki", b"messagebird", b"netlify", b"nytimes", b"okta", b"plaid",
    b"privateai", b"rapidapi", b"sendbird", b"sentry", b"snyk", b"sonar", b"squarespace",
    b"sumologic", b"travis", b"twitch", b"twitter", b"typeform", b"yandex", b"zendesk",
)  # fmt: skip
"""Services whose keys have no form of their own: what is set to `NAME_key` is one."""

INSIDE = (
    "akia", "asia", "abia", "acca", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
    "xox", "xapp-", "k_live_", "k_test_", "whsec_", "sq0", "shpat_", "shpca_",
    "shppa_", "shpss_", "sk-ant-", "aiza", "gocspx-", "doo_v1_", "dop_v1_", "dor_v1_", "hrku-",
    "npm_", "pypi-",
    "rubygems_", "dckr_", "hf_", "r8_", "gsk_", "pplx-", "xai-", "-us", "pmak-", "lin_api_", "lin_oauth_",
    "ntn_", "secret_", "figd_", "atatt3", "atctt3", "nrak-", "nrii-", "nrjs-", "sntry",
    "glsa_", "sbp_", "pscale_", "dapi", "ltai", "akid", "aklt", "age-secret-key-",
    "eyj", "a21aa", "akcp", "cmvmd", "bedrock-api-key-", "clojars_", "duffel_", "ezak", "eztk",
    "flwseck", "fio-u-", "gr1348941", "api_org_", "s-s4t2", "_mmk", "pnu_",
    "rdme_", "tk-us-", "xkeysib-", "sm_aat_", "sm_pat_", "sm_sat_", "shippo_", "sgp_", "k_prod_",
    "tskey-", "vercel_blob_rw_", "lsv2_", "tgp_v1_", "nvapi-", "pcsk_", "jina_", "tvly-", "kgat_",
    "bbdc-", "azdo", "jqqj9", "azse", "azfu", "azca", "acdb", "iqojb3jpz2lu", "fwogzxiv",
    "ccipat_",
    "cciprj_", "bkua_", "bkct_", "bkaj_", "packagist_", "cfpat-", "access-sandbox-",
    "access-development-", "access-production-", "pdl_", "napi_", "mdb_sa_sk_", "essu_", "xaat-",
    "xapt-", "dbtc_", "dbtu_", "altak-", "xsmtpsib-", "b3blbnnzac1rzxktdje",
)  # fmt: skip
"""Looked for in long words."""

APART = ("akia", "asia", "abia", "acca", "ltai", "akid", "aklt", "akcp", "cmvmd", "dapi", "hf_")
"""They begin a word, or a part of one after a sign, and letters and digits follow."""

LEAST = {
    "akia": 20, "asia": 20, "abia": 20, "acca": 20, "dapi": 36, "hf_": 37, "k_live_": 17, "k_test_": 17,
    "ltai": 20, "akid": 36, "aklt": 44, "akcp": 73, "cmvmd": 64, "ezak": 58, "eztk": 58, "figd_": 41,
    "k_prod_": 17, "pypi-": 55, "napi_": 45, "-us": 4, "secret_": 27,
}  # fmt: skip
"""Characters of one word, from some of these on, which are found in other words, too."""

STARTS = {
    b"sk-": 23, b"sk": 34, b"sk_": 43, b"glpat-": 26, b"gldt-": 25, b"glrt-": 25, b"glcbt-": 26,
    b"glptt-": 26,
    b"glft-": 25, b"glsoat-": 27, b"glimt-": 26, b"glagent-": 28, b"gloas-": 26, b"glffct-": 27,
    b"glwt-": 25,
    b"cio": 35, b"key-": 36, b"pat-": 40, b"a3-": 28, b"a3t": 20, b"4b1d": 42, b"ico-": 36,
    b"api-": 30, b"pul-": 44, b"p8e-": 36, b"eaa": 94, b"eaaa": 60, b"phx_": 44, b"vcp_": 28,
    b"vci_": 28, b"vca_": 28,
    b"vcr_": 28, b"vck_": 28, b"nfp_": 40, b"nfc_": 40, b"nfo_": 40, b"nfu_": 40, b"rnd_": 32, b"re_": 32,
    b"csk-": 44, b"fw_": 25, b"pa-": 46, b"fc-": 35, b"atbb": 28, b"oy2": 46, b"sqp_": 44, b"squ_": 44,
    b"sqa_": 44, b"atta": 68, b"y0_": 53, b"aqvn": 39, b"ms-": 39, b"hc": 56, b"cfut_": 45, b"cfat_": 45,
    b"cfk_": 44, b"ddp_": 40, b"ddo_": 40,
}  # fmt: skip
"""Too short to mean anything but at the start of a word of so many bytes."""

DOTTED = {
    b"sl.": 60, b"sl.u.": 60, b"aq.": 40, b"st.": 24, b"pat.": 22, b"sat.": 22, b"s.": 24, b"1//": 38,
    b"1//0": 38,
    b"sg.": 17,
}  # fmt: skip
"""Not looked for but as a word before one of so many bytes."""

BESIDE = (
    ("slack", "hooks.slack"), ("webhooks", "/webhooks/"), ("production", "$production$"),
    ("ya29", "ya29."), ("private", "private_key_id"), ("heroku", "heroku"), ("v1", "v1.0-"),
    ("cloudflare", "cloudflare"), ("hvs", "hvs."), ("hvb", "hvb."), ("hvr", "hvr."),
    ("atlasv1", ".atlasv1."), ("paypal", "paypal"), ("glc", "glc_"), ("acc", ".acc_"),
    ("acc", ".acc-"), ("absk", "absk"), ("dt0c01", "dt0c01."), ("fo1", "fo1_"), ("fm1a", "fm1a_"),
    ("fm1r", "fm1r_"), ("fm2", "fm2_"), ("gitlab", "gitlab_session"), ("zxlk", "zxlk"),
    ("incomingwebhook", "incomingwebhook"), ("apa91b", ":apa91b"), ("amzn", "amzn.mws."),
    ("bot", "/bot/v2/hook/"), ("webhook", "webhook/send"), ("ast", "+ast"),
    ("sntry", "sntry"), ("pscale", "pscale_"), ("duffel", "duffel_"), ("fio", "fio-u-"), ("essu", "essu_"),
    ("bedrock", "bedrock-api-key-"),
)  # fmt: skip
"""Looked for in long words and shortly before them, where the first is in a word of the text."""

HASHES = (
    b"$apr1$", b"$2$", b"$2a$", b"$2b$", b"$2x$", b"$2y$", b"$1$", b"$5$", b"$6$", b"$7$", b"$y$", b"$gy$",
    b"$p$", b"$h$", b"$s$", b"$sha1$", b"$md5$", b"$argon2", b"$scrypt$", b"$pbkdf2", b"$bcrypt-sha256$",
    b"sha}", b"sha256}", b"sha384}", b"sha512}", b"md5}", b"{crypt}", b"{pbkdf2", b"pbkdf2_sha",
    b"bcrypt_sha256$", b"scrypt$", b"argon2$", b"pbkdf2:", b"scrypt:", b"scram-sha-", b":::",
)  # fmt: skip
"""Of hashes of passwords: they count where a "$" or a "}" is, or between colons."""

DOLLARS = tuple(hash for hash in HASHES if hash[:1] == b"$")
BEFORE_DOLLAR = (
    b"pbkdf2_sha",
    b"bcrypt_sha256",
    b"scrypt",
    b"argon2",
    b"pbkdf2:",
    b"scrypt:",
    b"scram-sha-",
)
BRACED = (b"sha}", b"sha256}", b"sha384}", b"sha512}", b"md5}", b"crypt}")

SEEDS = (
    b"seed", b"mnemonic", b"recovery", b"wallet", b"backup",
    *(name.encode() for name in ("助记词", "助記詞", "种子", "短语", "恢复词")),
)  # fmt: skip
"""They count where a dozen short words follow."""

GATES = (
    "key", "token", "secret", "pass", "pwd", "bearer", "authoriz", "cookie", "jwt", "psk",
    "cred", "creds", "credential", "credentials", "thin", "sqlplus", "auth", "securestring", "literal",
    "ldap", "zip", "7z", "kty", "specific", "lines", "mysql", "mariadb", "mongo", "login", "redis", "curl",
    "5432", "5433", "6432", "sess", "sid", "signature", "identified", "pw", "pin",
    "seed", "mnemonic", "recovery", "wallet", "backup",
)  # fmt: skip
"""Looked for among a text's words, each once: without one of them only keys, hashes and tags are left."""

SESSIONS = (
    b"phpsessid=", b"jsessionid=", b"aspsessionid", b"connect.sid=", b"sessionid=",
    b"laravel_session=", b"_session=",
)  # fmt: skip

ARGUED = (
    b"requirepass", b"masterauth", b"ldap", b"zip", b"7z", b"securestring", b"secret_access_key",
    b"session_token", b"_authtoken", b"from-literal", b"secret", b"set", b"env",
)  # fmt: skip
"""Of commands and settings that are followed by a secret."""

WHERE = {
    "pass": (b"requirepass", b"chpasswd", b"app password", b"app-password"),
    "thin": (b"thin:",),
    "sqlplus": (b"sqlplus",),
    "auth": (b"masterauth",),
    "securestring": (b"securestring",),
    "secret": (b"secret_access_key ", b"secret set", b"secret  set", b"secret   set"),
    "token": (b"session_token ", b"_authtoken "),
    "literal": (b"from-literal",),
    "kty": (b'"kty', b"'kty", b'\\"kty'),
    "key": (b"key-data",),
    "specific": (b"app-specific", b"app specific"),
    "lines": (b"private-lines:",),
}
"""Looked for where a word of theirs is among those of the text."""

ARGUED_OPTIONS = {
    "ldap": (b"ldap", b"-w", 180), "zip": (b"zip ", b"-P", 90), "7z": (b"7z", b"-p", 90),
}  # fmt: skip
"""Commands, the option of each that is given a password, and how many bytes that may stand after it."""

COMMANDS = {
    "mysql": b"mysql", "mariadb": b"mariadb", "mongo": b"mongo", "login": b"login",
    "redis": b"redis-cli", "curl": b"", "pass": b"",
}  # fmt: skip
"""They count before an option that may be a password's; `curl` does anywhere, and `sshpass` is one."""

MARKLESS = (
    "pass", "pwd", "bearer", "sqlplus", "masterauth", "securestring", "secret set", "identified", "env ",
    "seed", "mnemonic", "recovery", "wallet", "backup",
)  # fmt: skip
"""What may announce a secret without any sign or digit near it."""

PORTS = ("5432", "5433", "6432")
"""Of databases whose passwords stand in lines of fields between colons."""

NAMES = ("pass", "pwd", "secret", "token", "key", "cred")
"""They count where a sentence or a list tells a value."""

SEEDS_BEGIN = ("seed", "mnemonic", "recovery", "wallet", "backup")

SETTINGS = ("auth", "signature", "identified")
SESSIONS_BEGIN = ("sess", "sid", "auth", "signature", "identified")
"""What settings of which the value is a secret have in them."""

CHINESE = ("密".encode(), "令".encode())
"""In 密码 and 密钥, 口令 and 令牌; and in words as common as 命令 and 加密, so the pairs decide."""

CHINESE_PAIRS = tuple(pair.encode() for pair in ("密码", "密碼", "密钥", "密鑰", "口令", "令牌"))
"""They count where a word of ASCII follows that looks like a secret."""

ESCAPED_PAIRS = (
    (b"u5bc6", (b"u7801", b"u78bc", b"u94a5", b"u9470")), (b"u53e3", (b"u4ee4",)), (b"u4ee4", (b"u724c",)),
)  # fmt: skip
"""The same, escaped by their numbers."""

TAGS = (b"tem-rem", b"tem_rem", b"-context", b"_context")
"""Parts of the names of tags that agents write, without i, k and s: other letters than those of
ASCII fold to these, and bytes don't tell. `private`, which people write, is read letter by letter."""

BRACKETS = (
    (b"&", b"&lt", b"&#", b"&amp", b"&lang"),
    (b"%", b"%3c", b"%25", b"%26", b"%5c", b"%ef", b"%e2", b"%e3"),
    (b"\\u", b"\\u003c", b"\\u002", b"\\u005c", b"\\u{", b"\\uff1c", b"\\uff06", b"\\ufe64", b"\\u2039",
     b"\\u27e8", b"\\u276e", b"\\u3008", b"\\u2329", b"\\u02c2", b"\\u1438"),
    (b"x3c", b"\\x3c"), (b"074", b"\\074"),
)  # fmt: skip
"""What a "<" may be written as, after what each begins with: escapes of HTML, URLs and strings."""

LIKE_BRACKETS = (
    (b"\xef", b"\xef\xbc\x9c", b"\xef\xbc\x86", b"\xef\xb9\xa4"),
    (b"\xe2", b"\xe2\x80\xb9", b"\xe2\x9f\xa8", b"\xe2\x9d\xae", b"\xe2\x8c\xa9"),
    (b"\xe3\x80\x88", b""), (b"\xcb\x82", b""), (b"\xe1\x90\xb8", b""),
)  # fmt: skip
"""What looks like a "<", and a wide "&"."""


def places(low: bytes, anchor: bytes, most: int = 2_000) -> list[int]:
    """Where it stands; no more than one place beyond `most`."""
    found: list[int] = []
    at = low.find(anchor)
    while at >= 0 and len(found) <= most:
        found.append(at)
        at = low.find(anchor, at + 1)
    return found
