"""Credentials that are known by what stands beside them: a name, a header, an option, a sentence."""

from __future__ import annotations

from .pattern_parts import (
    ARGUMENTS,
    BARE,
    BEFORE_KEY,
    BETWEEN,
    GIVEN,
    NAME_BEFORE,
    NAMES,
    PASSWORDS,
    PLACEHOLDERS,
    QUOTED,
    QUOTES,
    SECRET_KEYS,
    SECRETS,
    SERVICE_KEY,
    SERVICES,
    SET,
    SIGNS,
    UPPER_KEYS,
    UPPER_PASSWORDS,
    VALUE,
    VARIABLE,
    WORD,
    SecretPattern,
    any_of,
)

HASHES = (
    b"$apr1$", b"$2$", b"$2a$", b"$2b$", b"$2x$", b"$2y$", b"$1$", b"$5$", b"$6$", b"$7$", b"$y$", b"$gy$",
    b"$p$", b"$h$", b"$s$", b"$sha1$", b"$md5$", b"$argon2", b"$scrypt$", b"$pbkdf2", b"$bcrypt-sha256$",
    b"sha}", b"sha256}", b"sha384}", b"sha512}", b"md5}", b"{crypt}", b"{pbkdf2", b"pbkdf2_sha",
    b"bcrypt_sha256$", b"scrypt$", b"argon2$", b"pbkdf2:", b"scrypt:", b"scram-sha-", b":::",
)  # fmt: skip
SEEDS = (
    b"seed", b"mnemonic", b"recovery", b"wallet", b"backup",
    *(name.encode() for name in ("助记词", "助記詞", "种子", "短语", "恢复词")),
)  # fmt: skip
SESSIONS = (
    b"phpsessid=", b"jsessionid=", b"aspsessionid", b"connect.sid=", b"sessionid=",
    b"laravel_session=", b"_session=",
)  # fmt: skip

CHINESE_NAMES = ("密".encode(), "令".encode(), b"\\u5bc6", b"\\u4ee4")
KIND = rf"\b[kK]ind{SET}{QUOTES}[sS]ecret\b"
# Lines of a mapping below `data:`, or the same as JSON writes it.
ENTRIES = (
    r"(?:(?:(?:\r?\n|\\{1,4}n)[ \t]{1,12}+(?!kind:[ \t]{1,4}[\"']?[sS]ecret\b)"
    r"(?:#[^\r\n\\]{0,200}+"
    r"|[\w.-]{1,80}+:[ \t]{1,4}+[\"']?+[A-Za-z0-9+/=_.!@%^&*-]{4,8192}+[\"']?+)){1,64}+"
    r"|\{[^{}]{1,8192}+\})"
)
# Those of word lists have three to eight letters, and none is an article or a conjunction.
SEED_WORD = (
    r"(?!(?:the|and|for|are|was|not|has|had|but|its|from|into|have|been|were|which|must|they)\b)"
    r"[a-z]{3,8}+"
)
SEED_BREAK = r"(?:[ ,\"']|\s|\\{1,8}n|\d{1,2}[.):]){1,8}+"
BEHIND_TO = b" \"'`\\:=" + bytes((0xC2, 0xE2, 0xE3, *range(0xE4, 0xEA), 0xEF))
"""Of which one stands behind `to` and `with`, as bytes: signs, and what begins those of other alphabets. A
letter would be of another word, as in `token`."""
TOLD = (
    r"(?:[ ](?i:for|of|to|on|at|in)"
    r"(?:[ ](?:[^ \r\n.;:=\"'`→：是为為设改-]{1,48}+|-(?!>)){1,8}+){1,8}?)?"
    r"(?:[ ]{0,2}(?::|=|->|→|：|(?:是|为|為|设为|改成|改为)[:：]?)"
    r"|[ ](?i:is|was|are|equals|has been)(?:[ ](?i:now|still|just|set to|changed to|called)){0,2}[:]?"
    r"|[ ](?i:(?:set |changed |reset )?to|with)"
    r"(?=[ \"'`\\:=\u0080-\u00bf\u2000-\u9fff\uf000-\uffff]))[ ]{0,2}"
)
TOLD_BY = (
    b":", b"=", b"->", b" is", b" was", b" are", b" equals", b" has been",
    *(sign.encode() for sign in ("→", "：", "是", "为", "為", "改成")),
    *(b" %b%c" % (name, sign) for name in (b"to", b"with") for sign in BEHIND_TO),
)  # fmt: skip
"""Of which one stands in each `TOLD`."""
TOLD_KEYS = (
    "api", "access", "auth", "private", "signing", "encryption", "license", "licence", "deploy", "service",
    "master", "account", "webhook", "client",
)  # fmt: skip
TOLD_KEY = "|".join(rf"(?<=(?<!\w)(?i:{name}{blank}key))" for name in TOLD_KEYS for blank in ("", "[ _-]"))
BEFORE_TOLD_KEY = tuple(f"{name}{blank}key".encode() for name in TOLD_KEYS for blank in ("", " ", "_", "-"))
TOLD_CHARACTERS = r"[!#-&*+\-./0-9:=?@A-Z^_a-z|~]"
TOLD_VALUE = (
    rf"(?:\\{{0,4}}(?P<quote>[\"'`])(?P<secret>[^\s\"'`\\{PLACEHOLDERS}]{{4,128}})\\{{0,4}}(?P=quote)"
    rf"|[“「](?P<between>[^\s”」{PLACEHOLDERS}]{{4,128}})[”」]"
    rf"|(?P<plain>[^\s\"'`\\,;<>(){{}}\[\]“「{PLACEHOLDERS}]{{3,127}}[^\s\"'`\\,;<>(){{}}\[\]“「{PLACEHOLDERS}.,:?，。]))"
)
# What a name of a secret goes on with, where a kind of it follows.
PASS = (b"passw", b"passp", b"passc")
"""Of `password`, `passwd`, `passphrase` and `passcode`; many a language has a word `pass`."""

LISTED_NAMES = tuple(
    name + sign
    for name in (b"password", b"passwd", b"passphrase", b"passcode", b"pwd", b"secret", b"token",
                 b"credential", b"credentials", b"creds", b"key")
    for sign in (b"\"", b"'", b"`", b"\\")
)  # fmt: skip
"""How what ends in a name of `NAME_BEFORE` goes on where it is an item of a list."""

SUFFIXED = (
    *(name + suffix for name in (b"secret", b"token", b"password")
      for suffix in (b"string", b"value", b"text", b"prod", b"live")),
)  # fmt: skip
UPPER_PARTS = (
    b"key",
    b"secret",
    b"token",
    b"auth",
    b"oauth",
    b"salt",
    b"pepper",
    b"pass",
    b"pwd",
    b"credential",
)
CREDENTIAL_PATTERNS: tuple[SecretPattern, ...] = (
    # What is kept instead of a password can be guessed at for as long as one likes.
    SecretPattern("password-hash", HASHES,
                  r"(?:\$(?:apr1|2[abxy]?|[15-7]|g?y|[PHS]|sha1|md5|argon2(?:id|i|d)|scrypt|pbkdf2"
                  r"(?:-sha\d{1,3})?"
                  r"|bcrypt-sha256)\$[A-Za-z0-9./+=,$-]{16,}"
                  r"|\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2(?:-SHA\d{1,3})?)\}[A-Za-z0-9./+$]{16,}={0,2}"
                  r"|(?:pbkdf2_sha\d{1,3}|bcrypt_sha256|scrypt|argon2)\$[A-Za-z0-9./+=,$-]{24,}"
                  r"|(?:pbkdf2|scrypt):[a-z0-9:]{1,40}\$[A-Za-z0-9]{4,64}\$[a-f0-9]{32,}"
                  r"|SCRAM-SHA-\d{1,3}\$\d{1,9}:[A-Za-z0-9+/=$:]{40,}"
                  r"|(?<=:)[a-fA-F0-9]{32}:[a-fA-F0-9]{32}(?=:::))"),
    SecretPattern("kubeconfig-key", (b"key-data",),
                  rf"client-key-data{SET}{QUOTES}(?P<secret>[A-Za-z0-9+/_-]{{16,}}={{0,2}})"),
    SecretPattern("kubernetes-secret", (b"kind",),
                  rf"(?:{KIND}{QUOTES}(?=[\s,\\}}])(?:(?!---|{KIND})[^{PLACEHOLDERS}]){{0,240}}?"
                  rf"(?:stringData|data){SET}(?P<secret>{ENTRIES})"
                  rf"|(?:stringData|data){SET}(?P<plain>{ENTRIES})"
                  rf"(?=(?:[^kK\-{PLACEHOLDERS}]{{1,16}}+|-(?!--)|(?!{KIND})[kK]){{0,32}}+{KIND}))",
                  also=(b"data",), starts=(b"secret",)),
    SecretPattern("terraform-default", (b"default",),
                  rf"variable[ \t]{{1,4}}\\{{0,4}}\"[\w-]{{0,60}}?{NAMES}\\{{0,4}}\"[ \t]{{0,4}}"
                  rf"\{{[^{{}}{PLACEHOLDERS}]{{0,400}}?"
                  rf"\bdefault[ \t]{{0,20}}=[ \t]{{0,8}}\\{{0,4}}{QUOTED}",
                  judged=True, password=True, also=(b"variable",)),
    SecretPattern("named-value", (b"value",),
                  rf"[nNkKvV](?<!\w.)(?i:(?<=n)ame|(?<=k)ey|(?<=v)ariable){QUOTES}[ \t]{{0,4}}[:=]"
                  rf"[ \t]{{0,4}}{QUOTES}"
                  rf"[\w.-]{{0,60}}?{NAMES}"
                  rf"(?:{BETWEEN}|[-/><]){{1,32}}?(?i:value){QUOTES}[ \t]{{0,4}}[:=>][ \t]{{0,4}}{VALUE}",
                  judged=True, password=True),
    SecretPattern("listed-option", (*PASS, b"pwd", b"token", b"secret", b"key", b"cred"),
                  rf"[\"'`]--?[\w-]{{0,40}}?{NAMES}\\{{0,4}}[\"'`](?:\s|\\{{1,8}}n){{0,8}},"
                  rf"(?:\s|\\{{1,8}}n){{0,8}}"
                  rf"(?!\\{{0,4}}[\"'`]-)\\{{0,4}}{QUOTED}",
                  judged=True, password=True, also=(b"\"-", b"'-", b"`-")),
    SecretPattern("listed-secret", LISTED_NAMES,
                  rf"[\"'`][\w.-]{{3,54}}+(?:{NAME_BEFORE})\\{{0,4}}[\"'`](?:\s|\\{{1,8}}n){{0,8}},"
                  rf"(?:\s|\\{{1,8}}n){{0,8}}"
                  rf"\\{{0,4}}{QUOTED}",
                  told=True, also=(b",",)),
    SecretPattern("url-token", (b"://",),
                  r"://(?P<secret>[A-Za-z0-9_-]{20,256})@", told=True),
    SecretPattern("oracle-login", (b"thin:", b"sqlplus"),
                  rf"(?:thin:|sqlplus[ \t]{{1,4}}(?:-\w{{1,8}}[ \t]{{1,4}}){{0,2}})[\w$#]{{1,64}}/"
                  rf"(?P<secret>[^\s/@\"'\\{PLACEHOLDERS}]{{3,128}})@",
                  judged=True, password=True),
    SecretPattern("pgpass-password", (b":5432:", b":5433:", b":6432:", b":*:"),
                  rf"(?:(?<![^\s\"'])|(?<=\\n))[\w.*-]{{1,128}}:"
                  rf"(?:543[23]|6432|\*):[\w.*-]{{1,64}}:[\w.*-]{{1,64}}:"
                  rf"(?P<secret>[^\s:\"'\\{PLACEHOLDERS}]{{3,128}})"),
    SecretPattern("wifi-password", (b"psk",),
                  rf"[pP](?<!\w.)(?i:sk)\b{SET}{VALUE}", judged=True, password=True, reach=0),
    SecretPattern("session-cookie", SESSIONS,
                  r"(?i:phpsessid|jsessionid|aspsessionid[a-z]{0,12}|connect\.sid|sessionid"
                  r"|laravel_session|[a-z]_session)="
                  r"(?P<secret>[\w%.:+/-]{16,})(?![\w-])", told=True),
    SecretPattern("signed-url", (b"signature=",),
                  r"(?:X-Amz-|X-Goog-|[?&](?:amp;)?)Signature=(?P<secret>[\w%~.+/-]{24,}={0,2})"),
    # What a command or a setting is given, each known by words of its own.
    *(
        SecretPattern("secret-argument", anchors, rf"{before}(?!-){GIVEN}",
                      judged=True, password=True, also=also, reach=reach)
        for anchors, also, before, reach in (
            ((b"set", b"env"), tuple(part.upper() for part in UPPER_PARTS),
             r"[sSeE](?i:(?<=s)et(?:[ \t]{1,4}-[a-z]{1,4}|env)|(?<!\w.)(?<=e)nv)[ \t]{1,4}"
             rf"(?:[A-Z0-9]{{1,30}}_){{0,6}}?[A-Z0-9]{{0,20}}?{VARIABLE}[ \t]{{1,8}}", 0),
            ((b"reg",), (b"/d",),
             rf"\breg(?:\.exe)?[ \t]{{1,4}}add[ \t][^\r\n]{{0,200}}?{VARIABLE}"
             rf"[\"']?[ \t][^\r\n]{{0,40}}?/d[ \t]{{1,4}}", None),
            ((b"requirepass", b"masterauth"), (), r"\b(?:requirepass|masterauth)[ \t]{1,8}", None),
            ((b"ldap",), (b"-w",), r"ldap[a-z]{3,8}[ \t][^\r\n]{0,160}?-w[ \t]{0,4}(?=\S)", None),
            ((b"zip",), (b"-P",), r"\b(?:un)?zip[ \t][^\r\n]{0,80}?-P[ \t]{0,4}(?=\S)", None),
            ((b"7z",), (b"-p",), r"\b7z\w?[ \t][^\r\n]{0,80}?-p[ \t]{0,4}(?=\S)", None),
            ((b"convertto-securestring",), (),
             r"(?i:convertto-securestring)[ \t]{1,4}(?:-[sS]tring[ \t]{1,4})?(?=[\\\"'])", None),
            ((b"secret_access_key", b"session_token", b"_authtoken"), (),
             r"(?<![A-Za-z0-9])(?:secret_access_key|session_token|_authToken)[ \t]{1,4}", None),
            ((b"--from-literal",), (), r"--from-literal[= ][\"']?[\w.-]{1,80}=", None),
            # A store of secrets is told a name and its value, whatever the name.
            ((b"secrets set", b"secrets add", b"secret set", b"secret add", b"--set", b"secrets:set",
             b"secrets:add", b"secret:set", b"secret:add", b"config:set",
             b"env:set", b"env set", b"user-secrets set",
              b"variables set", b"variable set", b"config set", b"kv put", b"vault write"), (),
             r"(?:secrets?[ :](?:set|add)|\brailway[ ][^\r\n]{0,60}?--set|config:set|env[ :]set"
             r"|user-secrets[ ]set|variables?[ ]set|kv[ ]put|vault[ ]write"
             r"|config[ ]set[ ]--secret)(?:[ \t]+-{1,2}[\w-]{1,40}(?:[ =][\w./:-]{1,80})?){0,4}?"
             r"(?:[ \t]+[\w./-]{1,80})?[ \t]{1,4}"
             r"[\"']?[\w.:-]{1,80}[\"']?(?:=|[ \t]{1,4})(?=\S{4})", None),
            ((b"--value", b"secret-string", b"secret-value", b"secretstring", b"secretvalue"),
             (b"secret", b"SECRET", b"SecureString", b"put-parameter", b"KEY", b"TOKEN", b"env:create"),
             r"(?i:--?secret-?(?:string|value)|--value)[ \t=]{1,4}", None),
            ((b"add-generic-password", b"add-internet-password"), (b"-w",),
             r"add-(?:generic|internet)-password[ \t][^\r\n]{0,300}?-w[ \t]{1,4}(?=\S)", None),
            # PowerShell's and cmd's ways.
            ((b"setx", b"setenvironmentvariable", b"env:"), tuple(part.upper() for part in UPPER_PARTS),
             rf"(?i:setx[ \t]{{1,4}}(?:/m[ \t]{{1,4}})?[\"']?|setenvironmentvariable\(\s{{0,4}}[\"']"
             rf"|set-item[ \t][^\r\n]{{0,30}}?env:\\?"
             rf"|new-item[ \t][^\r\n]{{0,30}}?env:\\?(?:[ \t]{{1,4}}-name[ \t]{{1,4}})?)[\"']?"
             rf"(?:[A-Z0-9]{{1,30}}_){{0,6}}?[A-Z0-9]{{0,20}}?{VARIABLE}"
             r"[\"']?(?:[ \t]{0,4},)?[ \t]{1,4}(?:-[vV]alue[ \t]{1,4})?", None),
            ((b"/pass", b"/pw", b"/rp", b"/p:", b"/p ", b"-pw"), (),
             r"(?:(?i:/pass(?:word)?|/rp|/p)[: ][ ]?|[ \t]-pw[ \t]{1,4})(?=\S{4})", None),
            ((b"net use", b"net  use", b"net\tuse", b"net.exe"), (),
             r"\bnet(?:\.exe[ \t]{1,4}|[ ]{1,2}|\t)user?[ \t][^\r\n]{0,120}?(?:(?<=user )[\w.-]{1,64}"
             r"|/user:[^\s]{1,64}|(?<=use )(?:[A-Z*]:?[ \t])?\\{1,4}[\w.-]{1,80}\\{1,2}[\w.$-]{1,80})"
             r"[ \t]{1,4}(?!/)", None),
            ((b"-apikey", b"-api-key", b"-password", b"-secret", b"-token", b"-accesskey", b"-secretkey",
             b"storepass", b"-keypass"), (),
             r"(?<![\w-])-(?i:api-?key|password|secret|token|accesskey|secretkey|storepass|keypass"
             r"|(?:src|dest)storepass)[ \t:]{1,4}(?!-)", None),
            ((b"sqlcmd", b"bcp", b"signtool"), (b"-P", b"/p"),
             r"\b(?:sqlcmd|bcp|signtool)[ \t][^\r\n]{0,200}?[ \t](?:-P|/p)[ \t]{0,4}(?=\S)", None),
            (
                (b"authtoken", b"setapikey", b"cargo login", b"snyk auth"), (),
                r"\b(?:(?:add-)?authtoken|setapikey|cargo[ ]login|snyk[ ]auth)[ \t]{1,4}", None,
            ),
            ((b"twine",), (b"-p",), r"\btwine[ \t][^\r\n]{0,200}?[ \t]-p[ \t]{1,4}", None),
            ((b"snmp",), (b"-A", b"-X", b"-a", b"-x"),
             r"\bsnmp[a-z]{2,10}[ \t][^\r\n]{0,200}?[ \t]-[AX][ \t]{1,4}", None),
            ((b"config set", b"poetry config"), (b"token", b"secret", b"passw", b"key"),
             r"\b(?:config[ ]set|poetry[ ]config)[ \t](?:--?[\w-]{1,40}[ \t]){0,3}?[\w./:@-]{0,60}?"
             r"(?:token|secret|passw|api[-_]?key|access[-_]key)[\w./-]{0,40}[ \t]{1,4}", None),
            ((b"rar ",), (b"-p", b"-hp"), r"\b(?:un)?rar[ ][^\r\n]{0,80}?[ \t]-h?p(?=\S)", None),
            ((b"-keychain", b"rdesktop"), (b"-p",),
             r"\b(?:(?:unlock|create)-keychain|rdesktop)[ \t][^\r\n]{0,200}?-p[ \t]{1,4}", None),
            ((b"set-key-partition-list",), (b"-k",),
             r"\bset-key-partition-list[ \t][^\r\n]{0,200}?-k[ \t]{1,4}", None),
            ((b"mosquitto_",), (b"-P",),
             r"\bmosquitto_[a-z]{2,8}[ \t][^\r\n]{0,200}?[ \t]-P[ \t]{1,4}", None),
            ((b"smbclient", b"rpcclient", b"smbmap"), (b"%",),
             r"\b(?:smbclient|rpcclient|smbmap)[ \t][^\r\n]{0,200}?-U[ \t]{0,4}[\"']?[\w.\\/-]{1,64}%",
             None),
            ((b"htpasswd",), (b"-",),
             r"\bhtpasswd[ \t]{1,4}-[A-Za-z0-9]{0,8}b[A-Za-z]{0,8}[ \t]{1,4}(?:[\w./~-]{1,120}[ \t]{1,4})?"
             r"[\w.@-]{1,64}[ \t]{1,4}", None),
            ((b"auth init", b"auth login"), (b"-t",),
             r"\bauth[ ](?:init|login)[ \t](?:[^\r\n]{0,120}?[ \t])?-t[ \t]{1,4}", None),
            ((b"wpa_passphrase",), (),
             r"\bwpa_passphrase[ \t]{1,4}(?:\"[^\"\r\n]{1,40}\"|[^\s\"]{1,40})[ \t]{1,4}", None),
            ((b"alias set",), (b"://",),
             r"\balias[ ]set[ \t]{1,4}[\w-]{1,40}[ \t]{1,4}"
             r"\S{1,20}://\S{1,200}[ \t]{1,4}\S{1,128}[ \t]{1,4}", None),
            ((b"password", b"passphrase"), (b"send",),
             r"[pP](?i:ass(?:word|phrase))[^\r\n]{0,80}(?:\r?\n[ \t]{0,20})?[^\r\n]{0,20}?\bsend[ \t]{1,4}"
             r"(?:--[ \t]{1,4})?(?=\\{0,4}[\"'])", None),
            ((b"secret ", b"secret\t"), (b"-b",),
             r"\bsecret[ \t]{1,4}set[ \t][^\r\n]{0,80}?(?:-b[ \t=]{0,4}|--body[ \t=]{1,4})", None),
        )
    ),
    # Only what no word looks like, for other words may stand there too.
    *(
        SecretPattern("secret-argument", anchors, rf"{before}(?!-){GIVEN}", told=True, also=also)
        for anchors, also, before in (
            ((b"vault login", b"wandb login"), (), r"\b(?:vault|wandb)[ ]login[ \t]{1,4}"),
            ((b"gem ", b"rails "), (b"--key",),
             r"\b(?:gem|rails)[ ][^\r\n]{0,80}?--key[ \t=]{1,4}"),
        )
    ),
    SecretPattern("cookie-option", (b"curl",),
                  r"\bcurl[ \t](?:[^\r\n]{0,300}?[ \t])?(?:-b|--cookie)[ \t=]{0,4}\\{0,4}[\"'][\w.-]{1,64}="
                  rf"(?P<secret>[^\s;\"'\\{PLACEHOLDERS}]{{8,4096}})",
                  told=True, also=(b"-b", b"--cookie")),
    SecretPattern("signed-url", (b"sig=",),
                  r"(?<![\w-])sig=(?P<secret>[\w%~.+/-]{24,}={0,2})", told=True),
    SecretPattern("secret-id", (b"secretid", b"secret id", b"secret_id"),
                  rf"[sS](?i:ecret[ _]?id){SET}{VALUE}", told=True),
    SecretPattern("pass-in-a-name", (b"pass",), rf"P(?<=[a-z]P)ass(?![a-z]){SET}{VALUE}",
                  told=True, password=True, also=(b"Pass",)),
    # A table of an environment, as PowerShell and many programs print it.
    SecretPattern("named-column", UPPER_PARTS,
                  rf"{VARIABLE}(?:[ \t]{{2,80}}|[ \t]{{0,80}}[|│║][ \t]{{0,8}})"
                  rf"(?P<plain>{BARE}{{8,}}+)"
                  r"(?=[ \t]{0,80}[|│║]?[ \t]{0,8}(?:\\{1,8}[rn]|[\r\n\"]|\Z))",
                  told=True, also=tuple(part.upper() for part in UPPER_PARTS), reach=0),
    # A line that announces what stands alone in the next.
    SecretPattern("told-below", (*PASS, b"unseal key", b"api key", b"secret key", b"access token"),
                  r"(?:[pP](?<!\w.)(?i:ass(?:word|wd|phrase|code))|[uU](?i:nseal key)"
                  r"|[aA](?i:pi key|ccess token)|[sS](?i:ecret key))\b[^\r\n]{0,120}?:[ \t]{0,8}"
                  r"(?:(?:\r?\n|\\{1,8}n)[ \t]{0,16}){1,3}"
                  rf"(?![a-z]{{1,40}}(?:-[a-z0-9]{{1,40}}){{1,8}}(?![^\s]))"
                  rf"(?P<plain>[^\s\"'`\\,;:<>(){{}}{PLACEHOLDERS}]{{8,256}})"
                  r"(?=[ \t]{0,8}(?:\\{1,8}[rn]|[\r\n]|\Z))",
                  told=True, reach=0),
    SecretPattern("told-login", (b"login", b"log in", b"credentials"),
                  r"[lLcC](?<!\w.)(?i:(?<=l)og[ -]?in|(?<=c)redentials)\b[^\r\n/]{0,24}?"
                  r"[ :][\w.@+-]{2,64}[ ]/[ ]"
                  rf"(?P<plain>[^\s\"'`\\,;<>(){{}}{PLACEHOLDERS}]{{6,128}})",
                  told=True, also=(b" / ",)),
    SecretPattern("chpasswd-password", (b"chpasswd",),
                  rf"[\"'][\w.-]{{1,40}}:(?P<secret>[^\s\"'\\{PLACEHOLDERS}]{{3,128}})"
                  r"\\{0,4}[\"'][ \t]{0,4}\|[^\r\n|]{0,20}\bchpasswd",
                  judged=True, password=True),
    SecretPattern("jwk-private", (b"kty",),
                  r"[\"']kty\\{0,4}[\"'](?:(?![\"']kty)[^{}]){0,2000}?"
                  r"[\"']d\\{0,4}[\"'][ \t]{0,4}:[ \t]{0,4}"
                  r"\\{0,4}[\"'](?P<secret>[\w-]{40,})"),
    SecretPattern("app-password", (b"password",),
                  r"[aA](?i:pp[- ](?:specific[- ])?password)[^\r\n]{0,24}?(?<![a-z])(?P<secret>"
                  r"(?:[a-z]{4}[ -]){3}[a-z]{4})(?![a-z-])",
                  also=(b"app",)),
    SecretPattern("seed-phrase", SEEDS,
                  r"(?i:seed|mnemonic|recovery|wallet|backup|助记词|助記詞|种子|短语|恢复词)"
                  rf"[^{PLACEHOLDERS}]{{0,48}}?(?<![A-Za-z])(?P<secret>{SEED_WORD}"
                  rf"(?:{SEED_BREAK}{SEED_WORD}){{11,23}})(?![A-Za-z])", reach=0),
    SecretPattern("registry-auth", (b"_auth", b"'auth", b'"auth'),
                  rf"(?:_auth|[\"']auth){SET}{QUOTES}(?P<plain>[A-Za-z0-9]{{11}}[A-Za-z0-9+/]*+={{0,2}})",
                  judged=True),
    SecretPattern("url-password", (b"://",),
                  rf"://[^\s/:@\"'<>\\{PLACEHOLDERS}]{{0,128}}:"
                  rf"(?P<secret>[^\s/@\"'<>\\{PLACEHOLDERS}]{{3,256}})@",
                  judged=True, password=True),
    SecretPattern("connection-string", (b"password", b"pwd"),
                  r";[ \t]{0,4}(?i:password|pwd)[ \t]{0,4}=[ \t]{0,4}"
                  rf"(?P<plain>[^\s;\"'\\{PLACEHOLDERS}]{{3,}}+)",
                  judged=True, password=True, also=(b";",)),
    SecretPattern("authorization", (b"authoriz",),
                  r"[aA](?i:uthorization)[\\\"'`\])]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\\"'`]{0,4}"
                  r"(?i:(?:basic|bearer|token|bot|digest|apikey|negotiate)[ \t]{1,4})?"
                  rf"(?P<plain>{BARE}{{6,}}+)",
                  judged=True, reach=0),
    SecretPattern("authorization-scheme", (b"authoriz",),
                  r"[aA](?i:uthorization):[ \t]{0,4}[A-Za-z][\w-]{1,31}[ \t]{1,4}"
                  rf"(?P<plain>{BARE}{{8,}}+)(?=[ \t]{{0,4}}(?:[\\\"'`\r\n]|\Z))",
                  judged=True),
    SecretPattern("bearer-token", (b"bearer",),
                  r"[bB](?i:(?<![a-z].)earer)[ \t]{1,4}(?P<plain>[\w.~+/=-]{16,}+)", judged=True, reach=0),
    SecretPattern("cookie", (b"cookie",),
                  r"[cC](?i:(?<![a-z].)ookie)[ \t]{0,4}:[ \t]{0,4}"
                  rf"(?P<secret>[\w.-]{{1,64}}+=[^\r\n\"'`\\{PLACEHOLDERS}]{{8,}}+)",
                  reach=0),
    SecretPattern("netrc-password", (b"password",),
                  rf"\b(?:login|machine)\s{{1,8}}[^\s{PLACEHOLDERS}]{{1,128}}+\s{{1,8}}password\s{{1,8}}"
                  rf"(?P<plain>[^\s{PLACEHOLDERS}]{{3,}}+)",
                  judged=True, password=True, also=(b"login", b"machine")),
    SecretPattern("sql-password", (b"password",),
                  rf"[pP](?i:(?<![a-z].)assword)[ \t]{{1,4}}'(?P<secret>[^'\s\\{PLACEHOLDERS}]{{4,256}})'",
                  judged=True, password=True, also=(b" '", b"\t'")),
    SecretPattern("sql-identified", (b"identified",),
                  r"(?:IDENTIFIED(?=\s)|[iI](?i:dentified)(?=[^'\"`]{1,80}['\"`]|[^\r\n]{1,80}\d))"
                  r"(?i:\s{1,4}"
                  r"(?:(?:with|via)\s{1,4}[\w\"'`]{1,64}\s{1,4})?(?:by|as))\s{1,4}"
                  r"(?=[^a-z]|[a-z]{1,40}\d|(?<=[A-Z]\s).)"
                  rf"{GIVEN}",
                  judged=True, password=True),
    SecretPattern("login-option", (b"curl",),
                  r"-(?:[a-zA-Z]{0,8}[uU]|-(?:proxy-)?user)[ \t=\\\"',]{0,6}[\w.@%+{}-]{0,128}+"
                  r"[\"'\\]{0,4}:[\"'\\]{0,4}"
                  rf"(?!\d{{1,5}}\b)(?P<secret>{BARE}{{3,}}+)",
                  judged=True, password=True),
    SecretPattern("password-option", (b"sshpass", b"mysql", b"mariadb", b"mongo", b"login", b"redis-cli"),
                  rf"(?:sshpass[ \t]{{1,4}}-p[ \t]{{0,4}}"
                  rf"|(?:mysql|mariadb)[\w-]{{0,16}}+(?:{ARGUMENTS}[ \t])-p(?=\S)"
                  rf"|(?:mongo[a-z]{{0,8}}+|\blogin){ARGUMENTS}[ \t]-p[ \t=]{{1,4}}"
                  rf"|redis-cli{ARGUMENTS}[ \t]-a[ \t]{{1,4}})(?!\d{{1,5}}\b){GIVEN}",
                  judged=True, password=True, also=(b"-p", b"-a")),
    SecretPattern("command-line-password", (b"pass", b"pwd"),
                  r"--(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|pwd)[ \t]{1,4}(?!--)"
                  rf"{VALUE}",
                  judged=True, password=True, also=(b"--",)),
    SecretPattern("command-line-secret", (b"token", b"secret", b"key"),
                  r"--(?:[a-z0-9]{1,20}-){0,3}(?:token|secret|api-?key|access-key|secret-key)"
                  rf"[ \t]{{1,4}}{VALUE}",
                  judged=True, also=(b"--",)),
    SecretPattern("password-element", PASS,
                  rf"[pP](?i:ass(?:word|wd|phrase))>(?P<plain>[^<>\s{PLACEHOLDERS}]{{4,256}}+)</",
                  judged=True, password=True, also=(b"</",)),
    SecretPattern("chinese-password", ("密".encode(), "令".encode(), b"\\u5bc6", b"\\u4ee4"),
                  rf"(?:{any_of('密')}{any_of('码碼钥鑰')}|{any_of('口')}{any_of('令')}"
                  rf"|{any_of('令')}{any_of('牌')})"
                  rf"{QUOTES}[ \t]{{0,4}}"
                  rf"(?:{any_of('是为為')}[ \t]{{0,4}}{any_of(':：=＝')}?|{any_of(':：=＝')})"
                  rf"[ \t]{{0,4}}\\{{0,4}}[\"'`“「]?(?!u[0-9a-fA-F]{{4}})"
                  rf"(?P<plain>[!#-&*+./-:=?@A-Z\[\]^_a-z|~-]{{4,}}+)",
                  judged=True, password=True, visible=4),
    SecretPattern("environment-password", (b"pass", b"pwd"),
                  rf"{UPPER_PASSWORDS}[0-9]{{0,2}}={WORD}",
                  judged=True, password=True, also=(b"PASS", b"PWD"), reach=0),
    SecretPattern("environment-secret", (b"token", b"secret"),
                  rf"(?:SECRET|TOKEN)[0-9]{{0,2}}={WORD}",
                  judged=True, also=(b"TOKEN", b"SECRET"), reach=0),
    SecretPattern("environment-key", (b"key",), rf"{UPPER_KEYS}[0-9]{{0,2}}={WORD}",
                  judged=True, also=(b"KEY",), reach=0),
    *(
        SecretPattern("named-variable", UPPER_PARTS, rf"{VARIABLE}{value}",
                      told=True, also=tuple(part.upper() for part in UPPER_PARTS), reach=0)
        for value in (
            rf"={WORD}", rf"[\"'\\]{{0,4}}\]?{SET}{VALUE}",
             rf"\\{{0,4}}[\"'][ \t]{{0,4}},[ \t]{{0,4}}\\{{0,4}}{QUOTED}",
            rf"[ ]{{1,2}}(?:is|was)[ ](?:now[ ]|set to[ ])?(?=\S{{14}}){TOLD_VALUE}",
        )
    ),
    SecretPattern("password", (b"pass", b"pwd"), rf"{PASSWORDS}{SET}{VALUE}",
                  judged=True, password=True, also=SIGNS, reach=0),
    SecretPattern("secret", (b"token", b"secret"), rf"{SECRETS}{SET}{VALUE}",
                  judged=True, also=SIGNS, reach=0),
    SecretPattern("secret-key", (b"key",), rf"{SECRET_KEYS}{SET}{VALUE}",
                  judged=True, also=BEFORE_KEY, reach=0),
    SecretPattern("service-key", (b"key",), rf"[kK](?i:ey)(?:{SERVICE_KEY}){SET}{VALUE}",
                  judged=True, also=tuple(map(str.encode, SERVICES)), reach=0),
    SecretPattern("credential", (b"cred",), rf"[cC](?i:red(?:entials?|s)){SET}{VALUE}",
                  judged=True, also=SIGNS, reach=0),
    SecretPattern("named-secret", (b"passw", b"token", b"secret"),
                  r"[sStTpP](?i:(?<=s)ecret|(?<=t)oken|(?<=p)assword)"
                  rf"(?:String|Value|Text|Prod|Live){SET}{VALUE}",
                  judged=True, also=SUFFIXED, reach=0),
    # A line of a file of cookies: its last two columns are a name and a value.
    SecretPattern("jar-cookie", (b"true", b"false"),
                  r"(?:TRUE|FALSE)(?:\t|\\{1,8}t)\d{1,12}(?:\t|\\{1,8}t)[^\s\\]{1,128}(?:\t|\\{1,8}t)"
                  rf"(?P<secret>[^\s\"'\\{PLACEHOLDERS}]{{6,4096}})",
                  also=(b"TRUE\t", b"FALSE\t", b"TRUE\\", b"FALSE\\"), reach=0),
    # The answer to a question.
    SecretPattern("asked-secret", (b"key", b"token", b"secret", b"pass", b"credential"),
                  rf"[kKtTsSpPcC](?:(?i:(?<=t)oken|(?<=s)ecret|(?<=p)ass(?:word|phrase|code)|"
                  rf"(?<=c)redentials?)"
                  rf"|(?i:(?<=k)ey)(?:{TOLD_KEY}))"
                  r"(?:[^\r\n?:=]{0,60}\?|[ ](?:here|below|now|again|to continue|\([^()\r\n]{1,40}\)):)"
                  r"[\"'\\]{0,6}(?:[ \t]*=|\s{0,4}(?i:a|answer|user|me|reply)?[ ]?[:>=])?(?:\s|\\n){0,4}"
                  rf"[\\\"'`]{{0,6}}(?P<plain>[^\s\"'`\\,;{PLACEHOLDERS}]{{6,4096}}+)",
                  told=True, password=True, also=(b"?", b":"), reach=0),
    # In a sentence.
    SecretPattern("told-password", (b"pass", b"pwd", b"pw", b"pin"),
                  rf"[pP](?<!\w.)(?i:ass(?:word|wd|phrase|code|:)?|wd|w\b|in)s?{TOLD}{TOLD_VALUE}",
                  told=True, password=True, also=TOLD_BY, starts=(b"pass", b"pw", b"pin"), reach=0),
    *(
        SecretPattern("told-secret", (anchor,), rf"{name}{TOLD}{TOLD_VALUE}",
                      told=True, also=also, starts=starts, reach=0)
        for anchor, name, also, starts in (
            (b"token", r"[tT](?<!\w.)(?i:oken)", TOLD_BY, (b"token",)),
            (b"secret", r"[sS](?<!\w.)(?i:ecret(?:[ _-]key)?)", TOLD_BY, (b"secret",)),
            (b"key", rf"[kK](?i:ey)(?:{TOLD_KEY})", BEFORE_TOLD_KEY, ()),
            (b"credential", r"[cC](?<!\w.)(?i:redentials?)", TOLD_BY, (b"credential",)),
        )
    ),
    SecretPattern("told-secret", (b"pat",), rf"P(?<!\w.)AT{TOLD}{TOLD_VALUE}",
                  told=True, also=(b"PAT",), starts=(b"pat",), reach=0),
    SecretPattern("told-beside", (*PASS, b"pwd"),
                  r"[pP](?<!\w.)(?:(?i:wd)|(?i:ass(?:word|wd|phrase|code))(?=[ ]{1,2}[\"'`]?"
                  r"(?![a-z]{1,40}[0-9](?![0-9A-Za-z]|[!#$%&*+@^~][0-9A-Za-z])"
                  r"|(?:line|user|test|item|field|page|issue|step|table|column|level|section|node|host"
                  r"|server)[0-9-])))"
                  r"[ ]{1,2}(?P<quote>[\"'`])?(?=[^\s]{0,40}[0-9])(?![a-z]{1,40}[-_][0-9]{1,3}"
                  r"(?![0-9A-Za-z]))"
                  r"(?![^\s]{0,60}[=(:])"
                  r"(?P<plain>[A-Za-z0-9!#$%&*+.?@^~_-]{5,63}[A-Za-z0-9!#$%&*+@^~_-])(?(quote)(?P=quote))",
                  told=True, starts=(b"pass", b"pwd"), reach=0),
    SecretPattern("told-before", (*PASS, b"pwd", b"token", b"secret", b"key"),
                  rf"(?<![^\s\"'`(“])(?P<plain>[^\s\"'`,;<>(){{}}{PLACEHOLDERS}]{{6,64}}+)[\"'`”]{{0,2}}[ ]"
                  r"(?:(?:is|was|as)[ ](?:the|my|our|your|his|her|a|its)|as)[ ](?:[a-z]{1,12}[ ]){0,2}"
                  r"(?i:pass(?:word|wd|phrase|code)|pwd|token|secret|api[ _-]key)\b",
                  told=True, password=True, also=(b" is ", b" was ", b" as "),
                  starts=(b"passw", b"passp", b"passc", b"pwd", b"token", b"secret", b"api"), reach=128),
    SecretPattern("told-in-chinese", CHINESE_NAMES,
                  rf"(?:{any_of('密')}{any_of('码碼钥鑰')}|{any_of('口')}{any_of('令')}"
                  rf"|{any_of('令')}{any_of('牌')})"
                  rf"[^\r\n,，。；;!?！？A-Za-z0-9{PLACEHOLDERS}]{{0,16}}?[\"'`“「]?"
                  rf"(?P<plain>{TOLD_CHARACTERS}{{6,64}})",
                  told=True, password=True, visible=6),
)  # fmt: skip
