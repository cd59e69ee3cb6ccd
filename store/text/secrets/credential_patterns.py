"""Credentials that are known by what stands beside them: a name, a header, an option, a sentence."""

from __future__ import annotations

from .pattern_parts import PLACEHOLDERS, QUOTES, SET, VARIABLE, SecretPattern
from .secret_names import (
    ABROAD,
    BEFORE_KEY,
    BEFORE_TOLD_KEY,
    BY_PASSWORD,
    BY_SECRET,
    CHINESE_NAME,
    CHINESE_NAMES,
    CODED,
    CODED_BY,
    HEADS,
    IN_CAPITALS,
    IS_ABROAD,
    KEY,
    LISTED_NAMES,
    NAMED,
    NAMED_PASSWORD,
    NAMED_SECRET,
    NAMES,
    NO_ENGLISH,
    PASS,
    PASSWORDS,
    SECRET_KEYS,
    SEEDS,
    SERVICE_KEY,
    SERVICES,
    SESSIONS,
    TOLD_KEY,
    UPPER_NAME,
    UPPER_PARTS,
    any_of,
)

SIGNS = (b":", b"=", "：".encode(), "＝".encode())
"""Of which one stands in each `SET`."""

BARE = rf"""(?:[^\s"'`\\,;&|<>(){{}}\[\]{PLACEHOLDERS}]|\\(?![nrtbfu"'`\\/\r\n]))"""
QUOTED = rf"""(?P<quote>["'`])(?P<secret>(?:(?!\\{{0,4}}(?P=quote))[^\r\n{PLACEHOLDERS}]){{1,4096}}+)"""
VALUE = rf"\\{{0,4}}(?:{QUOTED}|(?P<plain>{BARE}++))"
# A variable of an environment runs to the next blank, whatever is in it.
WORD = rf"(?P<plain>[^\s\"'`\\;${PLACEHOLDERS}][^\s\"'`\\;{PLACEHOLDERS}]*+)"
# What an option of a command is given, a word too: nobody names a variable or a type there.
GIVEN = (
    r"\\{0,4}(?P<quote>[\"'])?"
    rf"(?P<secret>(?:(?(quote)(?!\\{{0,4}}(?P=quote))[^\r\n{PLACEHOLDERS}]|{BARE})){{1,256}}+)"
)
ARGUMENTS = rf"(?=[ \t])[^\r\n;|&{PLACEHOLDERS}]{{0,128}}?"
BETWEEN = r"(?:\s|\\{1,8}[rnt]|[,\\\"'`])"
"""What stands between two items of a list or of an object, however often it is escaped."""
FIELD = rf"\\{{0,4}}(?:{QUOTED}|(?P<plain>[^\s\"'`\\,;<>(){{}}\[\]{PLACEHOLDERS}]++))"
NEXT_FIELD = (
    rf"(?:\\{{0,4}}[\"'`](?=[ \t\r\n,\\}}/>)])[ \t]{{0,4}}\{{?|(?<=[A-Z]),|,(?=[ ]?\w{{1,16}}Value)|\]"
    r"|(?=<|\\{0,3}[\r\n]|\\{1,4}n)"
    rf"|{QUOTES}[ \t]{{0,4}}[:=][ \t]{{0,4}}(?:\{{|(?=\r?\n|\\{{1,4}}n)))"
    rf"(?:(?!\W{{1,3}}(?i:name|key|variable){QUOTES}[ \t]{{0,4}}[:=])[^\w{{}}\[\]{PLACEHOLDERS}]|\w)"
    rf"{{1,240}}?(?i:(?<![\w-])(?:val|default|content)|value){QUOTES}[ \t]{{0,4}}[:=>][ \t]{{0,4}}{FIELD}"
)
"""What stands between a name and the value in the field below or beside it, and that."""
VALUED = tuple(
    f"{name}{sign}".encode() for name in ("value", "val", "default", "content") for sign in ":='\"\\> "
)
RULED = (b"|--", b"| --", b"|:-", b"| :-", b"|-|", b"--+-", b"-- --")
"""Of which one stands in the line that parts a table's heads from what is below."""
CELL = (
    rf"[ \t]{{0,8}}[`*\"']{{0,2}}(?P<plain>[^\s\"'`|│║<,;{PLACEHOLDERS}]{{6,200}}+)"
    r"(?=[`*\"']{0,2}[ \t]{0,80}(?:[|│║<,;\t\r\n]|\Z))"
)
CODE = (
    r"(?:\d{4}[ -]\d{4}|\d{6,10}|(?=[A-Za-z-]{0,12}\d)[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,4}"
    r"|(?=[A-Za-z]{0,12}\d)[A-Za-z0-9]{8,16})(?![\w.-])"
)
"""A code that works once."""

HASHES = (
    b"$apr1$", b"$2$", b"$2a$", b"$2b$", b"$2x$", b"$2y$", b"$1$", b"$5$", b"$6$", b"$7$", b"$y$", b"$gy$",
    b"$p$", b"$h$", b"$s$", b"$sha1$", b"$md5$", b"$argon2", b"$scrypt$", b"$pbkdf2", b"$bcrypt-sha256$",
    b"sha}", b"sha256}", b"sha384}", b"sha512}", b"md5}", b"{crypt}", b"{pbkdf2", b"pbkdf2_sha",
    b"bcrypt_sha256$", b"scrypt$", b"argon2$", b"pbkdf2:", b"scrypt:", b"scram-sha-", b":::",
)  # fmt: skip


KIND = rf"\b[kK]ind{SET}{QUOTES}[sS]ecret\b"
# Lines of a mapping below `data:`, or the same as JSON writes it.
ENTRIES = (
    r"(?:(?:(?:\r?\n|\\{1,4}n)[ \t]{1,12}+(?!kind:[ \t]{1,4}[\"']?[sS]ecret\b)(?:#[^\r\n\\]{0,200}+"
    r"|[\w.-]{1,80}+:[ \t]{1,4}+[\"']?+[A-Za-z0-9+/=_.!@%^&*-]{4,8192}+[\"']?+)){1,64}+|\{[^{}]{1,8192}+\})"
)
# Those of word lists have three to eight letters, and none is an article or a conjunction.
SEED_WORD = (
    r"(?!(?:the|and|for|are|was|not|has|had|but|its|from|into|have|been|were|which|must|they)\b)[a-z]{3,8}+"
)
SEED_BREAK = r"(?:[ ,\"']|\s|\\{1,8}n|\d{1,2}[.):]){1,8}+"
BEHIND_TO = b" \"'`\\:=" + bytes((0xC2, 0xE2, 0xE3, *range(0xE4, 0xEA), 0xEF))
"""Of which one stands behind `to`, `from` and `with`, as bytes: signs, and what begins those of other
alphabets. A letter would be of another word, as in `token`."""
TOLD = (
    r"(?:[ ](?i:for|of|to|on|at|in)(?:[ ](?:[^ \r\n.;:=\"'`→：是为為设改-]{1,48}+|-(?!>)){1,8}+){1,8}?)?"
    r"(?:[ ]{0,2}(?::|=|->|→|：|(?:是|为|為|设为|改成|改为)[:：]?)"
    r"|[ ](?i:is|was|are|equals|has been)(?:[ ](?i:now|still|just|set to|changed to|called)){0,2}[:]?"
    r"|[ ](?i:(?:has been |was )?(?:set |reset |went |(?:chang|updat|rotat|switch|mov)ed )?(?:to|from)"
    r"|with)(?=[ \"'`\\:=\u0080-\u00bf\u2000-\u9fff\uf000-\uffff]))[ ]{0,2}"
)
TOLD_BY = (
    b":", b"=", b"->", b" is", b" was", b" are", b" equals", b" has been",
    *(sign.encode() for sign in ("→", "：", "是", "为", "為", "改成")),
    *(b" %b%c" % (name, sign) for name in (b"to", b"from", b"with") for sign in BEHIND_TO),
)  # fmt: skip
"""Of which one stands in each `TOLD`."""
TOLD_CHARACTERS = r"[!#-&*+\-./0-9:=?@A-Z^_a-z|~]"
TOLD_VALUE = (
    rf"(?:\\{{0,4}}(?P<quote>[\"'`])(?P<secret>[^\s\"'`\\{PLACEHOLDERS}]{{4,128}})\\{{0,4}}(?P=quote)"
    rf"|[“「](?P<between>[^\s”」{PLACEHOLDERS}]{{4,128}})[”」]"
    rf"|(?P<plain>[^\s\"'`\\,;<>(){{}}\[\]“「{PLACEHOLDERS}]{{3,127}}[^\s\"'`\\,;<>(){{}}\[\]“「{PLACEHOLDERS}.,:?，。]))"
)

_OPTIONS = r"""
ldap ldap[a-z]{3,8} -w 0 | zip~ (?:un)?zip -P 0 | 7z 7z\w? -p 0 | -password add-\w{7,8}-password -w 1
sqlcmd sqlcmd -P|/p 0 | bcp bcp -P|/p 0 | signtool signtool -P|/p 0 | twine twine -p 1
rdesktop rdesktop -p 1 | snmp snmp[a-z]{2,10} -A|-X 1 | -keychain (?:unlock|create)-keychain -p 1
auth~ auth\s(?:init|login) -t 1 | set-key-partition-list set-key-partition-list -k 1
mosquitto_ mosquitto_[a-z]{2,8} -P 1
rar~ (?:un)?rar -h?p 0 | secret~ secret\s{1,4}set (?:-b|--body)=? 0
""".replace("\n", " | ")
"""Programs with options that take a secret: an anchor, the program, the options, the least of blanks."""


GAP = r"(?:[ \t]{1,4}|[ \t]{0,4}\\\r?\n[ \t]{0,40})"
"""Between an option and what it is given, which a backslash brings to the next line."""

FOLLOWING = (
    SecretPattern("secret", (),
        rf"[{PLACEHOLDERS}]\\{{0,4}}[\"'`](?:[ \t]{{0,4}}(?:[+.&~]|\\)?\s{{0,40}}[+.&~]?"
        rf"|;?\s{{1,4}}\w{{1,60}}[ ]?\+=)[ ]{{0,4}}\\{{0,4}}{QUOTED}", judged=True),
    SecretPattern("secret", (),
        rf"[{PLACEHOLDERS}](?:\\\r?\n[ \t]{{0,40}}|\r?\n[ \t]{{2,40}}"
        r"(?=[\w+/.-]{12,256}={0,2}[ \t]*(?:[\r\n]|\Z))"
        r"|[\"'`”]?(?:[ ]?(?:->|=>|→)[ ]?|\s?(?:改|换|变)(?:成|为)?了?[ ]?"
        r"|,?[ ](?:(?:and|but)[ ])?(?:the[ ]new(?:[ ]\w+)?|now|it)(?:[ ]is|'s|[ ]it's)?[ ]"
        r"|(?:(?<=(?:from|word|oken|cret).{2})|(?<=(?:from|word|oken|cret).{4}))[ ](?:to|with)[ ]))"
        rf"{TOLD_VALUE}", told=True, password=True),
)  # fmt: skip
"""What a mark goes on with: the rest of a secret, or what came in its place."""

CREDENTIAL_PATTERNS: tuple[SecretPattern, ...] = (
    # What is kept instead of a password can be guessed at for as long as one likes.
    SecretPattern("password-hash", HASHES,
        r"(?:\$(?:apr1|2[abxy]?|[15-7]|g?y|[PHS]|sha1|md5|argon2(?:id|i|d)|scrypt|pbkdf2"
        r"(?:-sha\d{1,3})?|bcrypt-sha256)\$[A-Za-z0-9./+=,$-]{16,}"
        r"|\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2(?:-SHA\d{1,3})?)\}[A-Za-z0-9./+$]{16,}={0,2}"
        r"|(?:pbkdf2_sha\d{1,3}|bcrypt_sha256|scrypt|argon2)\$[A-Za-z0-9./+=,$-]{24,}"
        r"|(?:pbkdf2|scrypt):[a-z0-9:]{1,40}\$[A-Za-z0-9]{4,64}\$[a-f0-9]{32,}"
        r"|SCRAM-SHA-\d{1,3}\$\d{1,9}:[A-Za-z0-9+/=$:]{40,}|(?<=:)[a-fA-F0-9]{32}:[a-fA-F0-9]{32}(?=:::))"),
    SecretPattern("kubernetes-secret", (b"kind",),
        rf"(?:{KIND}{QUOTES}(?=[\s,\\}}])(?:(?!---|{KIND})[^{PLACEHOLDERS}]){{0,240}}?"
        rf"(?:stringData|data){SET}(?P<secret>{ENTRIES})|(?:stringData|data){SET}(?P<plain>{ENTRIES})"
        rf"(?=(?:[^kK\-{PLACEHOLDERS}]{{1,16}}+|-(?!--)|(?!{KIND})[kK]){{0,32}}+{KIND}))", also=(b"data",),
        starts=(b"secret",)),
    # A name, and what it has in the next field; or the other way round.
    *(
        SecretPattern("named-value", anchors, rf"{name}{NEXT_FIELD}", judged=True,
                      password=name is NAMED_PASSWORD, also=VALUED, reach=0)
        for name, anchors in ((NAMED_PASSWORD, BY_PASSWORD), (NAMED_SECRET, BY_SECRET))
    ),
    SecretPattern("named-value", (b"value",),
        rf"[vV](?i:alue){QUOTES}[ \t]{{0,4}}[:=][ \t]{{0,4}}{FIELD}{BETWEEN}{{1,16}}"
        rf"(?i:name|key|variable){QUOTES}[ \t]{{0,4}}[:=][ \t]{{0,4}}{QUOTES}[\w./-]{{0,60}}?{NAMES}\b",
        judged=True, password=True, also=(*BY_PASSWORD, *BY_SECRET), reach=0),
    SecretPattern("listed-secret", LISTED_NAMES,
        rf"[\"'`][\w.-]{{0,54}}?{NAMES}\\{{0,4}}[\"'`](?:\s|\\{{1,8}}n){{0,8}},(?:\s|\\{{1,8}}n){{0,8}}"
        rf"(?!\\{{0,4}}[\"'`]-)\\{{0,4}}{QUOTED}", told=True, also=(b",",)),
    SecretPattern("url-token", (b"://",), r"://(?P<secret>[A-Za-z0-9_-]{20,256})@", told=True),
    SecretPattern("oracle-login", (b"thin:", b"sqlplus"),
        rf"(?:thin:|sqlplus[ \t]{{1,4}}(?:-\w{{1,8}}[ \t]{{1,4}}){{0,2}})[\w$#]{{1,64}}/"
        rf"(?P<secret>[^\s/@\"'\\{PLACEHOLDERS}]{{3,128}})@", judged=True, password=True),
    SecretPattern("pgpass-password", (b":5432:", b":5433:", b":6432:", b":*:"),
        rf"(?:(?<![^\s\"'])|(?<=\\n))[\w.*-]{{1,128}}:(?:543[23]|6432|\*):[\w.*-]{{1,64}}:[\w.*-]{{1,64}}:"
        rf"(?P<secret>[^\s:\"'\\{PLACEHOLDERS}]{{3,128}})"),
    SecretPattern("wifi-password", (b"psk",), rf"[pP](?<!\w.)(?i:sk)\b{SET}{VALUE}", judged=True,
        password=True, reach=0),
    SecretPattern("session-cookie", SESSIONS,
        r"(?i:phpsessid|jsessionid|aspsessionid[a-z]{0,12}|connect\.sid|sessionid"
        r"|laravel_session|[a-z]_session)=(?P<secret>[\w%.:+/-]{16,})(?![\w-])", told=True),
    SecretPattern("signed-url", (b"signature=",),
        r"(?:X-Amz-|X-Goog-|[?&](?:amp;)?)Signature=(?P<secret>[\w%~.+/-]{24,}={0,2})"),
    # What a command or a setting is given, each known by words of its own.
    *(
        SecretPattern("secret-argument", tuple(anchor.replace("~", blank).encode() for blank in " \t\n"),
                      rf"\b{program}[ \t](?:[^\r\n]{{0,200}}?[ \t])?(?:{options})"
                      rf"[ \t]{{{least},4}}(?![ \t-]){GIVEN}",
                      judged=True, password=True, also=(b" -", b"\t-", b" /"))
        for anchor, program, options, least in map(str.split, filter(None, _OPTIONS.split(" | ")))
    ),
    *(
        SecretPattern("secret-argument", anchors, rf"{before}(?!-){GIVEN}",
                      judged=True, password=True, also=also, reach=reach)
        for anchors, also, before, reach in (
            ((b"set", b"env", b"define"), IN_CAPITALS,
             r"[sSeEd](?i:(?<=s)et(?:[ \t]{1,4}-[a-z]{1,4}|env)|(?<!\w.)(?<=e)nv|(?<=#d)efine)[ \t]{1,4}"
             rf"{UPPER_NAME}[ \t]{{1,8}}", 0),
            ((b"reg ", b"reg\t", b"reg.exe"), (b"/d",),
             rf"reg(?<!\w...)(?:\.exe)?[ \t]{{1,4}}add[ \t][^\r\n]{{0,200}}?{VARIABLE}"
             rf"[\"']?[ \t][^\r\n]{{0,40}}?/d[ \t]{{1,4}}", None),
            ((b"requirepass", b"masterauth", b"authtoken", b"setapikey", b"cargo", b"snyk"), (),
             r"\b(?:requirepass|masterauth|(?:add-)?authtoken|setapikey|(?:cargo[ ]login|snyk[ ]auth))"
             r"[ \t]{1,8}", None),
            ((b"convertto-securestring",), (),
             r"(?i:convertto-securestring)[ \t]{1,4}(?:-[sS]tring[ \t]{1,4})?(?=[\\\"'])", None),
            ((b"secret_access_key", b"session_token", b"_authtoken"), (),
             r"(?<![A-Za-z0-9])(?:secret_access_key|session_token|_authToken)[ \t]{1,4}", None),
            # A store of secrets is told a name and its value, whatever the name.
            ((b"secrets set", b"secrets add", b"secret set", b"secret add", b"--set", b"secrets:set",
              b"secrets:add", b"secret:set", b"secret:add", b"config:set", b"env:set", b"env set",
              b"variables set", b"variable set", b"config set", b"kv put", b"vault write",
              b"--from-literal"), (),
             r"(?:secrets?[ :](?:set|add)|\brailway[ ][^\r\n]{0,60}?--set|(?:config|env):set|env[ ]set"
             r"|variables?[ ]set(?=[ \t]+(?:-[\w-]+[ \t]+)*[\"']?[A-Z][A-Z0-9_]{2,})|kv[ ]put"
             r"|vault[ ]write|config[ ]set[ ]--secret|--from-literal=?)"
             r"(?:[ \t]+-[\w-]{1,40}(?:[ =][\w./:-]{1,80})?){0,4}?(?:[ \t]+[\w./-]{1,80})?[ \t]{0,4}"
             r"(?<=[ \t=])[\"']?[\w.:-]{1,80}[\"']?(?:=|[ \t]{1,4})(?=\S{4})", None),
            ((b"--value", b"secret-string", b"secret-value", b"secretstring", b"secretvalue"),
             (b"secret", b"SECRET", b"SecureString", b"put-parameter", b"KEY", b"TOKEN", b"env:create"),
             r"(?i:--?secret-?(?:string|value)|--value)[ \t=]{1,4}", None),
            # PowerShell's and cmd's ways.
            ((b"setx", b"setenvironmentvariable", b"env:"), IN_CAPITALS,
             rf"(?i:setx[ \t]{{1,4}}(?:/m[ \t]{{1,4}})?[\"']?|setenvironmentvariable\(\s{{0,4}}[\"']"
             rf"|(?:set|new)-item[ \t][^\r\n]{{0,30}}?env:\\?(?:[ \t]{{1,4}}-name[ \t]{{1,4}})?)[\"']?"
             rf"{UPPER_NAME}[\"']?(?:[ \t]{{0,4}},)?[ \t]{{1,4}}(?:-[vV]alue[ \t]{{1,4}})?", None),
            ((b"/pass", b"/pw", b"/rp", b"/p:", b"/p ", b"-pw"), (),
             r"(?:/(?<![\w\]})*/.]/)(?i:pass(?:word)?|rp|p)(?::[ ]?|[ ]{1,2}(?=[^\s]{0,63}[^a-z\s.,;)]))"
             r"|[ \t]-pw[ \t]{1,4})(?=\S{4})", None),
            ((b"net use", b"net  use", b"net\tuse", b"net.exe"), (),
             r"\bnet(?:\.exe[ \t]{1,4}|[ ]{1,2}|\t)user?[ \t][^\r\n]{0,120}?(?:(?<=user )[\w.-]{1,64}"
             r"|/user:[^\s]{1,64}|(?<=use )(?:[A-Z*]:?[ \t])?\\{1,4}[\w.-]{1,80}\\{1,2}[\w.$-]{1,80})"
             r"[ \t]{1,4}(?!/)", None),
            ((b"-apikey", b"-api-key", b"-password", b"-secret", b"-token", b"-accesskey", b"-secretkey",
             b"storepass", b"-keypass"), (),
             r"(?<![\w-])-(?i:api-?key|password|secret|token|accesskey|secretkey|storepass|keypass"
             r"|(?:src|dest)storepass)[ \t:]{1,4}(?!-)", None),
            ((b"config set", b"poetry config"), (b"token", b"secret", b"passw", b"key"),
             r"\b(?:config[ ]set|poetry[ ]config)[ \t](?:--?[\w-]{1,40}[ \t]){0,3}?[\w./:@-]{0,60}?"
             r"(?:token|secret|passw|api[-_]?key|access[-_]key)[\w./-]{0,40}[ \t]{1,4}", None),
            ((b"smbclient", b"rpcclient", b"smbmap"), (b"%",),
             r"\b(?:smbclient|rpcclient|smbmap)[ \t][^\r\n]{0,200}?-U[ \t]{0,4}[\"']?[\w.\\/-]{1,64}%",
             None),
            ((b"htpasswd",), (b"-",),
             r"\bhtpasswd[ \t]{1,4}-[A-Za-z0-9]{0,8}b[A-Za-z]{0,8}[ \t]{1,4}(?:[\w./~-]{1,120}[ \t]{1,4})?"
             r"[\w.@-]{1,64}[ \t]{1,4}", None),
            ((b"add_user", b"change_password", b"importprivkey", b"auth default"), (),
             r"(?:\brabbitmqctl[ \t][^\r\n]{0,40}?(?:add_user|change_password)[ \t]{1,4}[\w.-]{1,64}"
             r"|\bimportprivkey|\bAUTH[ ]default)[ \t]{1,4}", None),
            ((b"wpa_passphrase",), (),
             r"\bwpa_passphrase[ \t]{1,4}(?:\"[^\"\r\n]{1,40}\"|[^\s\"]{1,40})[ \t]{1,4}", None),
            ((b"alias set",), (b"://",),
             r"\balias[ ]set[ \t]{1,4}[\w-]{1,40}[ \t]{1,4}"
             r"\S{1,20}://\S{1,200}[ \t]{1,4}\S{1,128}[ \t]{1,4}", None),
            ((b"password", b"passphrase"), (b"send",),
             r"[pP](?i:ass(?:word|phrase))[^\r\n]{0,80}(?:\r?\n[ \t]{0,20})?[^\r\n]{0,20}?\bsend[ \t]{1,4}"
             r"(?:--[ \t]{1,4})?(?=\\{0,4}[\"'])", None),
        )
    ),
    # What a call that signs, or that makes a user or a wallet, is given last as a text.
    SecretPattern("secret-argument",
        (b"jwt.", b"createhmac", b"create_superuser", b"create_user", b"wallet("),
        r"\b(?:jwt\.(?:sign|verify|encode|decode)|createHmac|create_(?:super)?user|Wallet)\("
        rf"(?:[^()\r\n]{{0,200}},)?\s{{0,8}}\\{{0,4}}{QUOTED}", told=True),
    # Only what no word looks like, for other words may stand there too.
    SecretPattern("secret-argument", (b"vault login", b"wandb login", b"gem ", b"rails "),
        r"\b(?:(?:vault|wandb)[ ]login[ \t]{1,4}|(?:gem|rails)[ ][^\r\n]{0,80}?--key[ \t=]{1,4})"
        rf"(?!-){GIVEN}", told=True),
    SecretPattern("cookie-option", (b"curl",),
        r"\bcurl[ \t](?:[^\r\n]{0,300}?[ \t])?(?:-b|--cookie)[ \t=]{0,4}\\{0,4}[\"'][\w.-]{1,64}="
        rf"(?P<secret>[^\s;\"'\\{PLACEHOLDERS}]{{8,4096}})", told=True, also=(b"-b", b"--cookie")),
    SecretPattern("signed-url", (b"sig=",), r"(?<![\w-])sig=(?P<secret>[\w%~.+/-]{24,}={0,2})", told=True),
    SecretPattern("secret-id", (b"secretid", b"secret id", b"secret_id"),
        rf"[sS](?i:ecret[ _]?id){SET}{VALUE}", told=True),
    SecretPattern("pass-in-a-name", (b"pass",), rf"P(?<=[a-z]P)ass(?![a-z]){SET}{VALUE}", told=True,
        password=True, also=(b"Pass",)),
    # A table of an environment, as PowerShell and many programs print it.
    SecretPattern("named-column", UPPER_PARTS,
        rf"{VARIABLE}(?:[ \t]{{2,80}}|[ \t]{{0,80}}[|│║][ \t]{{0,8}})(?P<plain>{BARE}{{8,}}+)"
        r"(?=[ \t]{0,80}[|│║]?[ \t]{0,8}(?:\\{1,8}[rn]|[\r\n\"]|\Z))", told=True, also=IN_CAPITALS,
        reach=0),
    # A row of a table that a name begins, a column that is headed by one, and a section that is.
    SecretPattern("named-column", (*BY_PASSWORD, *BY_SECRET),
        rf"{NAMED}[\"'`*]{{0,3}}(?:[ \t]{{0,80}}[|│║]|>|</t[dh]>\s{{0,8}}<t[dh]>){CELL}", told=True,
        also=(b"|", "│".encode(), "║".encode(), b"</"), reach=0),
    *(
        SecretPattern("named-column", anchors,
            rf"{NAMED}[\"'`*]{{0,3}}[ \t]{{0,80}}(?:[{signs}]{others})?\r?\n{rows}", told=True,
            also=also, reach=0, columns=signs,
            each=rf"(?m:^(?:[^{signs}\n]{{0,200}}[{signs}]){{COLUMN}}){CELL}")
        for signs, anchors, others, rows, also in (
            ("|│", (*BY_PASSWORD, *BY_SECRET), r"[^\r\n]{0,400}",
             r"[ \t|+:-]{3,400}\r?\n(?:[^\r\n]{3,800}(?:\n|\Z)){1,40}", RULED),
            (",;\t", HEADS, r"(?:[\w .-]{1,16}[,;\t]){0,5}[\w .-]{0,16}", r"[\s\S]{3,260}", ()),
        )
    ),
    SecretPattern("named-column", (*BY_PASSWORD, *BY_SECRET),
        rf"{NAMED}s?(?<!tokens)(?:\][ \t]{{0,4}}(?=\r?\n)"
        rf"|{QUOTES}[ \t]{{0,4}}:[ \t]{{0,4}}(?:\{{|(?=\r?\n)))"
        rf"(?:[\s,]{{1,9}}(?![\w.-]{{0,60}}(?i:file|path|name|id)\b){QUOTES}[\w.-]{{1,24}}"
        rf"{QUOTES}[ \t]{{0,4}}[:=][ \t]{{0,4}}{QUOTES}[^\s\"',{{}}]{{1,72}}{QUOTES}){{1,3}}", told=True,
        also=(b"\n", b"{"), reach=0,
        each=rf"[:=][ \t]{{0,4}}{QUOTES}(?P<plain>[^\s\"',{{}}{PLACEHOLDERS}-]{{8,}})"),
    SecretPattern("recovery-code", (b"recovery", b"backup", b"scratch", "恢复码".encode(), "备用".encode()),
        r"(?:(?i:recovery|backup|scratch)[ _-]?(?i:codes?)|恢复码|备用(?:验证)?码)[^\d\r\n]{0,60}?"
        rf"(?=(?:[\s,:：\"'`|*•\[\]-]|\\{{1,8}}n|\d[.)][ ]){{1,12}}{CODE})"
        r"[\w\s,:：.)\"'`|*•\\\[\]-]{8,200}", judged=True, password=True, reach=0,
        each=rf"(?<![\w-]){CODE}"),
    SecretPattern("one-time-code", (*CODED_BY, *(name.encode() for name in ("验证码", "校验码", "动态"))),
        rf"(?:{CODED}|验证码|校验码|动态(?:口令|密码|码))"
        r"(?:,?[ ](?i:is|was|it's|it is)|[ ]?[:：=]|是|为)?[ ]{0,2}"
        r"(?P<plain>\d{4,8}|\d{3}[ -]\d{3})(?![\w%]|[.:/-]\w|[ ]?[%*/+位个秒分]"
        r"|[ ]?(?i:digits?|lines?|sec|s\b|ms|min|times|char|OK))", judged=True, password=True, reach=0),
    SecretPattern("one-time-code", CODED_BY,
        rf"(?<![\w.-])(?:G-)?(?P<plain>\d{{4,8}})[ ](?:is|as)[ ](?:(?:the|my|a|our)[ ])?(?:[A-Z]\w+[ ])?"
        rf"(?:your[ ])?(?:[A-Z]\w+[ ])?{CODED}", judged=True, password=True,
        also=(b" is ", b" as "), reach=64),
    # A line that announces what stands alone in the next.
    SecretPattern("told-below", (*PASS, b"unseal key", b"api key", b"secret key", b"access token"),
        r"(?:[pP](?<!\w.)(?i:ass(?:word|wd|phrase|code))|[uU](?i:nseal key)"
        r"|[aA](?i:pi key|ccess token)|[sS](?i:ecret key))\b[^\r\n]{0,120}?:[ \t]{0,8}"
        r"(?:(?:\r?\n|\\{1,8}n)[ \t]{0,16}){1,3}"
        rf"(?![a-z]{{1,40}}(?:-[a-z0-9]{{1,40}}){{1,8}}(?![^\s]))"
        rf"(?P<plain>[^\s\"'`\\,;:<>(){{}}{PLACEHOLDERS}]{{8,256}})"
        r"(?=[ \t]{0,8}(?:\\{1,8}[rn]|[\r\n]|\Z))", told=True, reach=0),
    SecretPattern("told-login", (b"login", b"log in", b"logged ", b"sign in", b"signed in", b"ssh as",
        b"connect as", b"connected as", b"authenticate", b"credentials"),
        r"(?<!\w)(?i:log(?:ged)?[ -]?in|sign(?:ed)?[ ]in|ssh|connect(?:ed)?|authenticated?|credentials)\b"
        r"[^\r\n/]{0,24}?(?:[ :][\w.@+-]{2,64}[ ]/[ ]|[ ](?:as|are)[ ][\w.@+-]{2,64}"
        r"(?:[ ](?:with|using)[ ](?![A-Za-z]{1,16}\d{1,2}(?![\w!#$%^&*+@~-]))|:))[\"'`]?"
        rf"(?P<plain>[^\s\"'`\\,;<>(){{}}{PLACEHOLDERS}]{{6,128}})",
        told=True, also=(b" / ", b" as ", b" are "), reach=0),
    SecretPattern("told-login", ("登录".encode(), "登入".encode()),
        r"用[ ]?(?:[\w.@-]{2,64}[ ]?(?:和|/)[ ]?)?(?P<plain>[!-~]{6,64})[ ]?登[录入]",
        told=True, visible=6),
    SecretPattern("chpasswd-password", (b"chpasswd",),
        rf"[\"'][\w.-]{{1,40}}:(?P<secret>[^\s\"'\\{PLACEHOLDERS}]{{3,128}})"
        r"\\{0,4}[\"'][ \t]{0,4}\|[^\r\n|]{0,20}\bchpasswd", judged=True, password=True),
    SecretPattern("jwk-private", (b"kty",), r"[\"']kty\\{0,4}[\"'](?:(?![\"']kty)[^{}]){0,2000}?"
        r"[\"']d\\{0,4}[\"'][ \t]{0,4}:[ \t]{0,4}\\{0,4}[\"'](?P<secret>[\w-]{40,})"),
    SecretPattern("app-password", (b"password",),
        r"[aA](?i:pp[- ](?:specific[- ])?password)[^\r\n]{0,24}?(?<![a-z])(?P<secret>"
        r"(?:[a-z]{4}[ -]){3}[a-z]{4})(?![a-z-])", also=(b"app",)),
    SecretPattern("seed-phrase", SEEDS,
        r"(?i:seed|mnemonic|recovery|wallet|backup|助记词|助記詞|种子|短语|恢复词)"
        rf"[^{PLACEHOLDERS}]{{0,48}}?(?<![A-Za-z])(?P<secret>{SEED_WORD}"
        rf"(?:{SEED_BREAK}{SEED_WORD}){{11,23}})(?![A-Za-z])", reach=0),
    SecretPattern("registry-auth", (b"_auth", b"'auth", b'"auth'),
        rf"(?:_auth|[\"']auth){SET}{QUOTES}(?P<plain>[A-Za-z0-9]{{11}}[A-Za-z0-9+/]*+={{0,2}})",
        judged=True),
    SecretPattern("url-password", (b"://",),
        rf"://[^\s/:@\"'<>\\{PLACEHOLDERS}]{{0,128}}(?:@[\w.-]{{3,80}})?:"
        rf"(?P<secret>[^\s/@\"'<>\\{PLACEHOLDERS}]{{3,256}})@", judged=True, password=True),
    SecretPattern("authorization", (b"authoriz",),
        r"[aA](?i:uthorization)[\\\"'`\])]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\\"'`]{0,4}"
        r"(?:[A-Za-z][\w-]{1,31}[ \t]{1,4})?"
        rf"(?P<plain>{BARE}{{6,}}+)", judged=True, reach=0),
    SecretPattern("bearer-token", (b"bearer",),
        r"[bB](?i:(?<![a-z].)earer)[ \t]{1,4}(?P<plain>[\w.~+/=-]{16,}+)", judged=True, reach=0),
    SecretPattern("cookie", (b"cookie",), r"[cC](?i:(?<![a-z].)ookie)[ \t]{0,4}:[ \t]{0,4}"
        r"(?!(?i:samesite|path|domain|expires|max-age)=)"
        rf"(?P<secret>[\w.-]{{1,64}}+=[^\r\n\"'`\\{PLACEHOLDERS}]{{8,}}+)", reach=0),
    SecretPattern("netrc-password", (b"password",),
        rf"\b(?:login|machine)\s{{1,8}}[^\s{PLACEHOLDERS}]{{1,128}}+\s{{1,8}}password\s{{1,8}}"
        rf"(?P<plain>[^\s{PLACEHOLDERS}]{{3,}}+)", judged=True, password=True, also=(b"login", b"machine")),
    SecretPattern("sql-password", (b"password",),
        rf"[pP](?i:(?<![a-z].)assword)[ \t]{{1,4}}'(?P<secret>[^'\s\\{PLACEHOLDERS}]{{4,256}})'",
        judged=True, password=True, also=(b" '", b"\t'")),
    SecretPattern("sql-identified", (b"identified",),
        r"(?:IDENTIFIED(?=\s)|[iI](?i:dentified)(?=[^'\"`]{1,80}['\"`]|[^\r\n]{1,80}\d))"
        r"(?i:\s{1,4}(?:(?:with|via)\s{1,4}[\w\"'`]{1,64}\s{1,4})?(?:by|as))\s{1,4}"
        r"(?=[\"'`\\]|[^\s]{0,80}\d|(?<=[A-Z]\s)[^A-Z])"
        rf"{GIVEN}", judged=True, password=True),
    SecretPattern("login-option", (b"curl",),
        r"-(?:[a-zA-Z]{0,8}[uU]|-(?:proxy-)?user)[ \t=\\\"',]{0,6}[\w.@%+{}-]{0,128}+"
        r"[\"'\\]{0,4}:[\"'\\]{0,4}"
        rf"(?!\d{{1,5}}\b)(?P<secret>{BARE}{{3,}}+)", judged=True, password=True),
    SecretPattern("password-option", (b"sshpass", b"mysql", b"mariadb", b"mongo", b"login", b"redis-cli"),
        rf"(?:sshpass[ \t]{{1,4}}-p[ \t]{{0,4}}|(?:mysql|mariadb)[\w-]{{0,16}}+(?:{ARGUMENTS}[ \t])-p(?=\S)"
        rf"|(?:mongo[a-z]{{0,8}}+|\blogin){ARGUMENTS}[ \t]-p[ \t=]{{1,4}}"
        rf"|redis-cli{ARGUMENTS}[ \t]-a[ \t]{{1,4}})(?!\d{{1,5}}\b){GIVEN}", judged=True, password=True,
        also=(b"-p", b"-a")),
    SecretPattern("command-line-password", (b"pass", b"pwd"),
        r"--(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|pwd)"
        rf"{GAP}(?!--){VALUE}", judged=True, password=True, also=(b"--",)),
    SecretPattern("command-line-secret", (b"token", b"secret", b"key"),
        r"--(?:[a-z0-9]{1,20}-){0,3}(?:token|secret|api-?key|access-key|secret-key)"
        rf"{GAP}{VALUE}", judged=True, also=(b"--",)),
    SecretPattern("password-element", PASS,
        rf"[pP](?i:ass(?:word|wd|phrase))>(?P<plain>[^<>\s{PLACEHOLDERS}]{{4,256}}+)</", judged=True,
        password=True, also=(b"</",)),
    SecretPattern("chinese-password", CHINESE_NAMES,
        rf"{CHINESE_NAME}{QUOTES}[ \t]{{0,4}}"
        rf"(?:{any_of('是为為')}[ \t]{{0,4}}{any_of(':：=＝')}?|{any_of(':：=＝')})"
        rf"[ \t]{{0,4}}\\{{0,4}}[\"'`“「]?(?!u[0-9a-fA-F]{{4}})"
        rf"(?P<plain>[!#-&*+./-:=?@A-Z\[\]^_a-z|~-]{{4,}}+)", judged=True, password=True, visible=4),
    SecretPattern("environment-password", (b"pass", b"pwd"),
        rf"P(?:ASS(?:WORD|WD|PHRASE|CODE)|(?<![A-Za-z].)(?:ASS|WD))[0-9]{{0,2}}={WORD}", judged=True,
        password=True, also=(b"PASS", b"PWD"), reach=0),
    SecretPattern("environment-secret", (b"token", b"secret", b"key"),
        rf"(?:SECRET|TOKEN|K(?=EY(?:_BASE)?[0-9=])(?:{KEY})EY(?:_BASE)?)[0-9]{{0,2}}={WORD}", judged=True,
        also=(b"TOKEN", b"SECRET", b"KEY"), reach=0),
    *(
        SecretPattern("named-variable", UPPER_PARTS, rf"{VARIABLE}{value}",
                      told=True, also=IN_CAPITALS, reach=0)
        for value in (
            rf"={WORD}", rf"[\"'\\]{{0,4}}\]?{SET}{VALUE}",
             rf"\\{{0,4}}[\"'][ \t]{{0,4}},[ \t]{{0,4}}\\{{0,4}}{QUOTED}",
            rf"[ ]{{1,2}}(?:is|was|from|to)[ ](?:now[ ]|set to[ ])?(?=\S{{14}}){TOLD_VALUE}",
        )
    ),
    # A block of YAML, or three quotes of TOML and Python, which may go on over lines.
    SecretPattern("block-value", (*BY_PASSWORD, *BY_SECRET, b"auth"),
        rf"(?:{NAMED}|(?<![\w-])auth)[0-9]{{0,2}}{QUOTES}[ \t]{{0,4}}[:=][ \t]{{0,4}}"
        r"(?:[|>][0-9+-]{0,2}[ \t]{0,4}(?:\r?\n|\\{1,8}n)[ \t]{1,40}"
        rf"(?P<plain>[^\s\"'`\\{PLACEHOLDERS}]{{6,}}+)(?=[ \t]*(?:[\r\n\\\"]|\Z))"
        rf"|(?:\"{{3}}|'{{3}})(?:\s|\\{{1,8}}n){{0,8}}(?P<secret>[^\s\"'\\{PLACEHOLDERS}]{{6,256}})"
        r"(?=[\s\"'\\]))", judged=True, password=True, also=(b">", b"|", b"\"\"\"", b"'''"), reach=0),
    *(
        SecretPattern("told-abroad",
                      tuple(name[not name[0].isascii() :].encode() for name in names),
                      rf"(?:{'|'.join(f'[{name[0]}{name[0].upper()}]{name[1:]}' for name in names)})"
                      rf"[^\r\n:=：0-9{PLACEHOLDERS}]{{0,40}}?"
                      rf"(?:[ ](?:{verbs}{others}は|는|은|이)[ ]{{0,2}}:?[ ]?"
                      rf"(?:\\{{0,4}}(?P<quote>[\"'`“「])(?P<secret>[!-~]{{4,128}}?)\\{{0,4}}[\"'`”」]"
                      rf"|(?P<plain>{TOLD_CHARACTERS}{{6,64}}))",
                      told=True, password=True, also=also)
        for names, verbs, others, also in (
            (ABROAD.split("|"), IS_ABROAD,
             r"|is|to|[—–-]|->|→)[ ]|[ ]?[:=：]|[ ](?=[!-~]{0,40}\d)(?=[!-~]{8})|", ()),
            (("password", "token", "secret", "api key"), "|".join(NO_ENGLISH), ")[ ]|",
             tuple(verb.encode() for verb in (*(f" {verb} " for verb in NO_ENGLISH), *"は는은이"))),
        )
    ),
    SecretPattern("password", (b"pass", b"pwd"), rf"{PASSWORDS}{SET}{VALUE}", judged=True, password=True,
        also=SIGNS, reach=0),
    SecretPattern("secret", (b"token", b"secret", b"cred", b"passw"),
        r"[sStTcCpP](?i:(?<=c)red(?:entials?|s)|(?:(?<=s)ecret|(?<=t)oken)(?:string|value|text|prod|live)?"
        rf"|(?<=p)assword(?:string|value|text|prod|live)){SET}{VALUE}", judged=True, also=SIGNS, reach=0),
    SecretPattern("secret-key", (b"key",), rf"{SECRET_KEYS}{SET}{VALUE}", judged=True, also=BEFORE_KEY,
        reach=0),
    SecretPattern("service-key", (b"key",), rf"[kK](?i:ey)(?:{SERVICE_KEY}){SET}{VALUE}", judged=True,
        also=tuple(map(str.encode, SERVICES)), reach=0),
    # A line of a file of cookies: its last two columns are a name and a value.
    SecretPattern("jar-cookie", (b"true", b"false"),
        r"(?:TRUE|FALSE)(?:\t|\\{1,8}t)\d{1,12}(?:\t|\\{1,8}t)[^\s\\]{1,128}(?:\t|\\{1,8}t)"
        rf"(?P<secret>[^\s\"'\\{PLACEHOLDERS}]{{6,4096}})",
        also=(b"TRUE\t", b"FALSE\t", b"TRUE\\", b"FALSE\\"), reach=0),
    # The answer to a question.
    SecretPattern("asked-secret", (b"key", b"token", b"secret", b"pass", b"credential"),
        rf"[kKtTsSpPcC](?:(?i:(?<=t)oken|(?<=s)ecret|(?<=p)ass(?:word|phrase|code)|"
        rf"(?<=c)redentials?)|(?i:(?<=k)ey)(?:{TOLD_KEY}))"
        r"(?:(?:[ ](?:for|of|to|from|on|in|that|you|does|do|did|should|is|please)\b[^\r\n?:=]"
        r"{0,60})?\?|[ ](?:here|below|now|again|to continue|\([^()\r\n]{1,40}\)):)"
        r"[\"'\\]{0,6}(?:[ \t]*=|\s{0,4}(?i:a|answer|user|me|reply)?[ ]?[:>=])?(?:\s|\\n){0,4}"
        rf"[\\\"'`]{{0,6}}(?P<plain>[^\s\"'`\\,;{PLACEHOLDERS}]{{6,4096}}+)", told=True, password=True,
        also=(b"?", b":"), reach=0),
    # In a sentence.
    SecretPattern("told-password", (b"pass", b"pwd", b"pw", b"pin"),
        rf"[pP](?<!\w.)(?i:ass(?:word|wd|phrase|code|:)?|wd|w\b|in)s?{TOLD}{TOLD_VALUE}", told=True,
        password=True, also=TOLD_BY, starts=(b"pass", b"pw", b"pin"), reach=0),
    *(
        SecretPattern("told-secret", (anchor,), rf"{name}{TOLD}{TOLD_VALUE}",
                      told=True, also=also, starts=starts, reach=0)
        for anchor, name, also, starts in (
            (b"token", r"[tT](?<!\w.)(?i:oken)", TOLD_BY, (b"token",)),
            (b"secret", r"[sS](?<!\w.)(?i:ecret(?:[ _-]key)?)", TOLD_BY, (b"secret",)),
            (b"key", rf"[kK](?i:ey)(?:{TOLD_KEY})", BEFORE_TOLD_KEY, ()),
            (b"credential", r"[cC](?<!\w.)(?i:redentials?)", TOLD_BY, (b"credential",)),
            (b"pat", r"P(?<!\w.)AT", (b"PAT",), (b"pat",)),
        )
    ),
    SecretPattern("told-beside", (*PASS, b"pwd"),
        r"[pP](?<!\w.)(?:(?i:wd)|(?i:ass(?:word|wd|phrase|code))(?=[ ]{1,2}[\"'`]?"
        r"(?![a-z]{1,40}[0-9](?![0-9A-Za-z]|[!#$%&*+@^~][0-9A-Za-z])"
        r"|(?:line|user|test|item|field|page|issue|step|table|column|level|section|node|host"
        r"|server)[0-9-])))[ ]{1,2}(?P<quote>[\"'`])?(?=[^\s]{0,40}[0-9])(?![a-z]{1,40}[-_][0-9]{1,3}"
        r"(?![0-9A-Za-z]))(?![^\s]{0,60}[=(:])"
        r"(?P<plain>[A-Za-z0-9!#$%&*+.?@^~_-]{5,63}[A-Za-z0-9!#$%&*+@^~_-])(?(quote)(?P=quote))", told=True,
        starts=(b"pass", b"pwd"), reach=0),
    SecretPattern("told-before", (*PASS, b"pwd", b"token", b"secret", b"key"),
        rf"(?<![^\s\"'`(“])(?P<plain>[^\s\"'`,;<>(){{}}{PLACEHOLDERS}]{{6,64}}+)[\"'`”]{{0,2}}[ ]"
        r"(?:(?:is|was|as)[ ](?:the|my|our|your|his|her|a|its)|as)[ ](?:[a-z]{1,12}[ ]){0,2}"
        r"(?i:pass(?:word|wd|phrase|code)|pwd|token|secret|api[ _-]key)\b", told=True, password=True,
        also=(b" is ", b" was ", b" as "),
        starts=(b"passw", b"passp", b"passc", b"pwd", b"token", b"secret", b"api"), reach=128),
    SecretPattern("told-in-chinese", CHINESE_NAMES,
        rf"{CHINESE_NAME}[^\r\n,，。；;!?！？A-Za-z0-9{PLACEHOLDERS}]{{0,16}}?[\"'`“「]?"
        rf"(?P<plain>{TOLD_CHARACTERS}{{6,64}})", told=True, password=True, visible=6),
)  # fmt: skip
