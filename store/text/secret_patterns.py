"""What secrets look like, as data: `store.text.redaction` reads this table, in its order.

Formats are those that the services document. Each pattern reads in linear time: what repeats is
bounded, possessive, or the last thing that has to match. `\\w`, `\\s` and `(?i:…)` mean ASCII, so no
letter of another alphabet folds into an anchor.
"""

from __future__ import annotations


class SecretPattern:
    """One kind of secret.

    `anchors` are in lower case; one of them is in every text, lowered, in which `pattern` matches, and
    one of `also`, if there are any: those in lower case in the text, lowered, others in the text. So
    what takes long to compile is seldom compiled in vain.
    The secret is the group `secret` (of a judged one: in quotes) or `plain`, or all of the match. A
    `judged` one may still be a placeholder, a type or an expression, which `store.text.secret_values`
    tells; a `password` may be short or a word.
    """

    # A dataclass or a named tuple would cost a hook's process more than all of the table.
    __slots__ = ("also", "anchors", "judged", "name", "password", "pattern")

    def __init__(
        self,
        name: str,
        anchors: tuple[bytes, ...],
        pattern: str,
        judged: bool = False,
        password: bool = False,
        also: tuple[bytes, ...] = (),
    ) -> None:
        self.name = name
        self.anchors = anchors
        self.pattern = pattern
        self.judged = judged
        self.password = password
        self.also = also


def _word(start: str) -> str:
    """The start of a word, or of what follows an escape of a text within a text: "\\nsk-…".

    It stands before what is looked back at, since a search skips quickly to what is literal.
    """
    return rf"{start}(?:(?<![A-Za-z0-9_-]{start})|(?<=\\[nrt]{start}))"


def _part(start: str) -> str:
    """The start of a word, or of a part of one after an underscore or a dash."""
    return rf"{start}(?<![A-Za-z0-9]{start})"


def _any(characters: str) -> str:
    """One of these, as it is or as JSON within a text escapes it."""
    escaped = "|".join(f"{ord(one):04x}" for one in characters)
    return rf"(?:[{characters}]|\\{{1,8}}u(?i:{escaped}))"


# Redactions stand as characters of a private plane while the patterns are at work.
PLACEHOLDERS = "\U00100000-\U0010fffd"
_END = r"(?![A-Za-z0-9])"
_QUOTES = r"""\\{0,4}["'`]?"""
_SET = rf"[0-9]{{0,2}}{_QUOTES}[\])]?[ \t]{{0,8}}(?::=|=>|={{1,3}}|[:：＝])[ \t]{{0,8}}"
_BARE = rf"""(?:[^\s"'`\\,;&|<>(){{}}\[\]{PLACEHOLDERS}]|\\(?![nrtbfu"'`\\/]))"""
_QUOTED = (
    rf"""(?P<quote>["'`])(?P<secret>(?:(?!\\{{0,4}}(?P=quote))[^\r\n{PLACEHOLDERS}]){{1,4096}}+)"""
)
_VALUE = rf"\\{{0,4}}(?:{_QUOTED}|(?P<plain>{_BARE}++))"
_KEYS = (
    "api", "app", "auth", "access", "secret", "master", "shared", "client", "deploy", "private",
    "signing", "account", "service", "session", "storage", "license", "webhook", "consumer",
    "signature", "encryption",
)  # fmt: skip
# They begin with a set of letters, which is what a search is quick to skip to; what stands before is
# then looked back at, by names of equal length as a look behind demands.
_KEY = "|".join(
    rf"(?<=(?i:{'|'.join(name for name in _KEYS if len(name) == length)}){blank}.)"
    for length in sorted({len(name) for name in _KEYS})
    for blank in ("", "[ _-]")
)
_BEFORE_KEY = tuple({f"{name[-1]}key".encode() for name in _KEYS} | {b" key", b"_key", b"-key"})
_SECRETS = r"[sStT](?i:(?<=s)ecret|(?<=t)oken)"
_SECRET_KEYS = rf"[kK](?i:(?=ey(?:[_-]base)?[^a-z_-])(?:{_KEY})ey(?:[_-]base)?)"
_UPPER_KEYS = rf"K(?=EY(?:_BASE)?[0-9=])(?:{_KEY})EY(?:_BASE)?"
_PASSWORDS = (
    r"[pP](?:(?i:ass(?:word|wd|phrase|code)|(?<=[_-]p)ass|(?<![a-z].)wd)"
    r"|(?<![A-Za-z].)ass|(?<![A-Za-z].)ASS(?=[ \t]{0,8}=))"
)
_UPPER_PASSWORDS = r"P(?:ASS(?:WORD|WD|PHRASE|CODE)|(?<![A-Za-z].)(?:ASS|WD))"
# A variable of an environment runs to the next blank, whatever is in it.
_SERVICES = (
    "adafruit", "adobe", "airtable", "algolia", "alibaba", "asana", "beamer", "bitbucket", "bittrex",
    "codecov", "cohere", "coinbase", "confluent", "contentful", "droneci", "dropbox", "etsy", "facebook",
    "fastly", "finicity", "finnhub", "flickr", "freshbooks", "gitter", "gocardless", "hubspot",
    "intercom", "jfrog", "kraken", "kucoin", "launchdarkly", "linear", "linkedin", "lob", "looker",
    "mailgun", "mapbox", "mattermost", "meraki", "messagebird", "netlify", "nytimes", "okta", "plaid",
    "privateai", "rapidapi", "sendbird", "sentry", "snyk", "sonar", "squarespace", "sumologic", "travis",
    "twitch", "twitter", "typeform", "yandex", "zendesk",
)  # fmt: skip
"""Services whose keys have no form of their own: what is set to `NAME_key` is one."""
_SERVICE_NAMES = "|".join(f"[{name[0]}{name[0].upper()}](?i:{name[1:]})" for name in _SERVICES)
_WORD = rf"(?P<plain>[^\s\"'`\\;${PLACEHOLDERS}][^\s\"'`\\;{PLACEHOLDERS}]*+)"
# What an option of a command is given, a word too: nobody names a variable or a type there.
_GIVEN = (
    r"\\{0,4}(?P<quote>[\"'])?"
    rf"(?P<secret>(?:(?(quote)(?!\\{{0,4}}(?P=quote))[^\r\n{PLACEHOLDERS}]|{_BARE})){{1,256}}+)"
)
_ARGUMENTS = rf"[ \t][^\r\n;|&{PLACEHOLDERS}]{{0,128}}?"
_BLOCK = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"

PATTERNS: tuple[SecretPattern, ...] = (
    # Blocks first: what is in them is nobody else's.
    SecretPattern(
        "private-key", (b"key",),
        rf"(?s:-----BEGIN {_BLOCK}(?!\\{{0,4}}[\"'`]).*?(?:-----END {_BLOCK}|\Z))",
        also=(b"-----BEGIN",),
    ),
    SecretPattern("age-secret-key", (b"age-secret-key-",), r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    SecretPattern(
        "jwt", (b"eyj",),
        rf"{_word('eyJ')}[\w-]{{14,}}+\.[\w-]{{10,}}+(?:\.[\w-]*+){{0,3}}",
    ),
    SecretPattern("aws-key-pair", (b"akia", b"asia"),
                  r"A[KS]IA(?<![A-Za-z0-9]A[KS]IA)[A-Z0-9]{16}(?![A-Za-z0-9])[\s\S]{1,64}?"
                  r"(?<![A-Za-z0-9/+=])(?=[a-z0-9/+]{0,39}[A-Z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"),
    SecretPattern("aws-access-key", (b"akia", b"asia", b"abia", b"acca", b"a3t"),
                  rf"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{{16}}{_END}"),
    SecretPattern("aws-secret-key", (b"secret",),
                  rf"[sS](?i:ecret[_-]?(?:access[_-]?)?key){_SET}{_QUOTES}"
                  r"(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
    SecretPattern("github-token", (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"),
                  r"gh[pousr]_[A-Za-z0-9]{36,}"),
    SecretPattern("github-fine-grained-token", (b"github_pat_",), r"github_pat_\w{22,}"),
    SecretPattern("gitlab-token", (b"gl",),
                  rf"{_word('gl')}(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct|wt)-[\w-]{{20,}}"
                  r"(?:\.[\w.]{2,40})?"),
    SecretPattern("slack-token", (b"xox",), r"xox[a-z]-[A-Za-z0-9-]{16,}"),
    SecretPattern("slack-app-token", (b"xapp-",), r"xapp-\d-[A-Za-z0-9-]{16,}"),
    SecretPattern("slack-webhook", (b"hooks.slack",),
                  r"hooks\.slack\.com/(?:services|workflows|triggers)/"
                  r"(?P<secret>\w{8,12}/\w{8,12}/\w{20,})"),
    SecretPattern("discord-webhook", (b"discord",),
                  r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{15,20}/(?P<secret>[\w-]{60,})"),
    SecretPattern("discord-bot-token", (b"discord",),
                  r"[dD](?i:iscord)[^\r\n]{0,32}?(?P<secret>[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,})"),
    SecretPattern("telegram-bot-token", (b":aa",), r"(?<!\d)\d{8,12}:AA[\w-]{32,36}"),
    SecretPattern("stripe-key", (b"k_live_", b"k_test_", b"k_prod_"),
                  r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    SecretPattern("stripe-webhook-secret", (b"whsec_",), r"whsec_[A-Za-z0-9]{16}[A-Za-z0-9+/=]*"),
    SecretPattern("square-token", (b"sq0",), r"sq0[a-z]{3}-[\w-]{22,}"),
    SecretPattern("square-access-token", (b"eaaa",), rf"{_word('EAAA')}[\w-]{{56,}}"),
    SecretPattern("braintree-token", (b"$production$",),
                  r"access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    SecretPattern("paypal-token", (b"a21aa", b"paypal"),
                  rf"{_word('A21AA')}[\w-]{{60,}}"
                  r"|[pP](?i:aypal(?:(?!paypal)[^\r\n]){0,128}?)(?<![\w-])(?P<secret>E[\w-]{79})(?![\w-])"),
    SecretPattern("shopify-token", (b"shpat_", b"shpca_", b"shppa_", b"shpss_"),
                  r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32,}"),
    SecretPattern("anthropic-key", (b"sk-ant-",), r"sk-ant-[\w-]{20,}"),
    SecretPattern("openai-key", (b"sk",),
                  rf"{_word('sk-')}(?=[\w-]{{0,64}}[0-9A-Z])[\w-]{{20,}}"),
    SecretPattern("google-api-key", (b"aiza",), r"AIza[\w-]{35}"),
    SecretPattern("google-oauth-secret", (b"gocspx-",), r"GOCSPX-[\w-]{24,}"),
    SecretPattern("google-oauth-token", (b"ya29.",), r"ya29\.[\w-]{20,}"),
    SecretPattern("gcp-private-key-id", (b"private_key_id",),
                  rf"private_key_id{_SET}{_QUOTES}(?P<secret>[a-f0-9]{{40}}){_END}"),
    SecretPattern("azure-storage-key", (b"key",),
                  rf"(?:AccountKey|SharedAccessKey|SharedKey){_SET}"
                  r"(?P<secret>[A-Za-z0-9+/]{40,}={0,2})",
                  also=(b"AccountKey", b"SharedAccessKey", b"SharedKey")),
    SecretPattern("azure-sas", (b"sig=",), r"&(?:amp;)?sig=(?P<secret>[A-Za-z0-9%+/]{40,}={0,2})"),
    SecretPattern("azure-client-secret", (b"q~",),
                  r"(?<![\w~.-])[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])"),
    SecretPattern("digitalocean-token", (b"_v1_",), r"do[opr]_v1_[a-f0-9]{64}"),
    SecretPattern("heroku-key", (b"hrku-",), r"HRKU-[\w-]{30,}"),
    SecretPattern("cloudflare-origin-key", (b"v1.0-",), r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}"),
    SecretPattern("cloudflare-token", (b"cloudflare",),
                  rf"[cC](?i:loudflare[\w-]{{0,24}}+){_SET}{_QUOTES}(?P<secret>[\w-]{{37,45}})(?![\w-])"),
    SecretPattern("npm-token", (b"npm_",), rf"npm_[A-Za-z0-9]{{36}}{_END}"),
    SecretPattern("pypi-token", (b"pypi-",), r"pypi-[\w-]{50,}"),
    SecretPattern("rubygems-key", (b"rubygems_",), r"rubygems_[a-f0-9]{48}"),
    SecretPattern("crates-io-token", (b"cio",), rf"{_word('cio')}[A-Za-z0-9]{{32}}{_END}"),
    SecretPattern("docker-token", (b"dckr_",), r"dckr_[a-z]{3}_[\w-]{20,}"),
    SecretPattern("hugging-face-token", (b"hf_",), rf"{_part('hf_')}[A-Za-z0-9]{{30,}}"),
    SecretPattern("replicate-token", (b"r8_",), rf"{_part('r8_')}[A-Za-z0-9]{{37}}{_END}"),
    SecretPattern("groq-key", (b"gsk_",), r"gsk_[A-Za-z0-9]{40,}"),
    SecretPattern("perplexity-key", (b"pplx-",), r"pplx-[A-Za-z0-9]{40,}"),
    SecretPattern("xai-key", (b"xai-",), r"xai-[A-Za-z0-9]{60,}"),
    SecretPattern("sendgrid-key", (b"sg.",), r"(?<![A-Za-z0-9])SG\.[\w-]{16,32}\.[\w-]{20,64}"),
    SecretPattern("mailgun-key", (b"key-",), rf"{_word('key-')}[a-f0-9]{{32}}{_END}"),
    SecretPattern("mailchimp-key", (b"-us",), rf"(?<![A-Za-z0-9])[a-f0-9]{{32}}-us\d{{1,2}}{_END}"),
    SecretPattern("twilio-key", (b"sk",), rf"{_word('SK')}[A-Fa-f0-9]{{32}}{_END}"),
    SecretPattern("postman-key", (b"pmak-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    SecretPattern("linear-key", (b"lin_",), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    SecretPattern("notion-token", (b"ntn_", b"secret_"),
                  rf"(?:ntn_[A-Za-z0-9]{{40,}}|secret_[A-Za-z0-9]{{43}}{_END})"),
    SecretPattern("figma-token", (b"figd_",), r"figd_[\w-]{36,}"),
    SecretPattern("airtable-token", (b"pat",), rf"{_word('pat')}[A-Za-z0-9]{{14}}\.[a-f0-9]{{64}}"),
    SecretPattern("atlassian-token", (b"atatt3", b"atctt3"), r"AT[AC]TT3[\w-]{40,}(?:=[\w-]{8})?"),
    SecretPattern("new-relic-key", (b"nrak-", b"nrii-", b"nrjs-"),
                  r"NR(?:AK|II|JS)-[A-Za-z0-9-]{19,}"),
    SecretPattern("datadog-key", (b"key",),
                  rf"[dD](?i:(?:d|atadog)[_-]?(?:api|app|application)[_-]?key){_SET}{_QUOTES}"
                  rf"(?P<secret>[a-f0-9]{{32}}(?:[a-f0-9]{{8}})?){_END}",
                  also=(b"ddap", b"dd_ap", b"dd-ap", b"datadog")),
    SecretPattern("sentry-token", (b"sntry",), r"sntry[su]_[\w+/=-]{36,}"),
    SecretPattern("grafana-token", (b"glsa_",), r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
    SecretPattern("grafana-cloud-token", (b"glc_",), r"glc_[A-Za-z0-9+/]{32,}={0,3}"),
    SecretPattern("vault-token", (b"hvs.", b"hvb.", b"hvr."), r"hv[sbr]\.[\w-]{24,}"),
    SecretPattern("terraform-token", (b".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}"),
    SecretPattern("doppler-token", (b"dp.",),
                  r"(?<![A-Za-z0-9])dp\.[a-z]{2,5}\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}"),
    SecretPattern("supabase-key", (b"sbp_", b"secret_"),
                  r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})"),
    SecretPattern("planetscale-token", (b"pscale_",), r"pscale_[a-z]{2,5}_[\w.=-]{32,}"),
    SecretPattern("databricks-token", (b"dapi",), rf"{_part('dapi')}[a-f0-9]{{32}}{_END}"),
    SecretPattern("alibaba-key", (b"ltai",), rf"{_part('LTAI')}[A-Za-z0-9]{{16,24}}{_END}"),
    SecretPattern("tencent-key", (b"akid",), rf"{_part('AKID')}[A-Za-z0-9]{{32}}{_END}"),
    SecretPattern("volcengine-key", (b"aklt",), rf"{_part('AKLT')}[A-Za-z0-9]{{40,}}"),
    SecretPattern("onepassword-key", (b"a3-",),
                  rf"{_word('A3-')}[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}}"
                  rf"{_END}"),
    SecretPattern("onepassword-service-token", (b"eyj",), r"ops_eyJ[A-Za-z0-9+/]{100,}={0,3}",
                  also=(b"ops_eyj",)),
    SecretPattern("adobe-secret", (b"p8e-",), rf"{_word('p8e-')}[A-Za-z0-9]{{32}}{_END}"),
    SecretPattern("artifactory-key", (b"akcp",), rf"{_part('AKCp')}[A-Za-z0-9]{{69}}{_END}"),
    SecretPattern("artifactory-token", (b"cmvmd",), rf"{_part('cmVmd')}[A-Za-z0-9]{{59}}{_END}"),
    SecretPattern("authress-key", (b".acc_", b".acc-"),
                  r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}"
                  r"\.[\w+/=-]{30,120}"),
    SecretPattern("bedrock-key", (b"absk", b"bedrock-api-key-"),
                  rf"(?:{_part('ABSK')}[A-Za-z0-9+/]{{109,}}={{0,2}}|bedrock-api-key-[A-Za-z0-9+/_=-]{{20,}})"),
    SecretPattern("clickhouse-key", (b"4b1d",), rf"{_word('4b1d')}[A-Za-z0-9]{{38}}{_END}"),
    SecretPattern("clojars-token", (b"clojars_",), r"CLOJARS_[A-Za-z0-9]{60}"),
    SecretPattern("duffel-token", (b"duffel_",), r"duffel_(?:test|live)_[\w=-]{43}"),
    SecretPattern("dynatrace-token", (b"dt0c01.",), r"dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    SecretPattern("easypost-key", (b"ezak", b"eztk"), rf"EZ[AT]K[A-Za-z0-9]{{54}}{_END}"),
    SecretPattern("facebook-token", (b"eaam", b"eaac"),
                  rf"(?:{_word('EAAM')}|{_word('EAAC')})[A-Za-z0-9]{{100,}}"),
    SecretPattern("flutterwave-key", (b"flwseck",), r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?"),
    SecretPattern("fly-token", (b"fo1_", b"fm1a_", b"fm1r_", b"fm2_"),
                  rf"(?:{_part('fo1_')}[\w-]{{43}}|{_part('fm')}(?:1[ar]|2)_[A-Za-z0-9+/]{{100,}}={{0,3}})"),
    SecretPattern("frameio-token", (b"fio-u-",), r"fio-u-[\w=-]{64}"),
    SecretPattern("gitlab-runner-token", (b"gr1348941",), r"GR1348941[\w-]{20,}"),
    SecretPattern("gitlab-session", (b"gitlab_session",),
                  rf"_gitlab_session{_SET}{_QUOTES}(?P<secret>[a-z0-9]{{32}}){_END}"),
    SecretPattern("grafana-key", (b"eyj",), rf"{_word('eyJrIjoi')}[A-Za-z0-9]{{70,}}={{0,3}}",
                  also=(b"eyjrijoi",)),
    SecretPattern("hugging-face-organization-token", (b"api_org_",), r"api_org_[A-Za-z]{34}"),
    SecretPattern("infracost-key", (b"ico-",), rf"{_word('ico-')}[A-Za-z0-9]{{32}}{_END}"),
    SecretPattern("intra42-secret", (b"s-s4t2",), r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    SecretPattern("jwt-base64", (b"zxlk",), rf"{_word('ZXlK')}[A-Za-z0-9+/_-]{{60,}}={{0,2}}"),
    SecretPattern("maxmind-key", (b"_mmk",),
                  rf"(?<![A-Za-z0-9])[A-Za-z0-9]{{6}}_[A-Za-z0-9]{{29}}_mmk{_END}"),
    SecretPattern("nuget-password", (b"pass",),
                  r"[pP]assword\\{0,4}\"[ \t]{1,16}value=\\{0,4}\"(?P<secret>[^\s\"\\]{3,256})\\{0,4}\"",
                  judged=True, password=True, also=(b"value=",)),
    SecretPattern("octopus-key", (b"api-",), rf"{_word('API-')}[A-Z0-9]{{26}}{_END}"),
    SecretPattern("openshift-token", (b"sha256~",), r"sha256~[\w-]{43}"),
    SecretPattern("prefect-token", (b"pnu_",), rf"{_part('pnu_')}[A-Za-z0-9]{{36}}{_END}"),
    SecretPattern("pulumi-token", (b"pul-",), rf"{_word('pul-')}[a-f0-9]{{40}}{_END}"),
    SecretPattern("readme-key", (b"rdme_",), r"rdme_[a-z0-9]{70}"),
    SecretPattern("scalingo-token", (b"tk-us-",), r"tk-us-[\w-]{48}"),
    SecretPattern("brevo-key", (b"xkeysib-",), r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    SecretPattern("settlemint-token", (b"sm_aat_", b"sm_pat_", b"sm_sat_"),
                  r"sm_[aps]at_[A-Za-z0-9]{16,}"),
    SecretPattern("shippo-token", (b"shippo_",), r"shippo_(?:live|test)_[A-Fa-f0-9]{40}"),
    SecretPattern("sourcegraph-token", (b"sgp_",), r"sgp_(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}"),
    SecretPattern("teams-webhook", (b"incomingwebhook",),
                  r"IncomingWebhook/(?P<secret>[A-Za-z0-9]{32}/[A-Za-z0-9-]{36})"),
    SecretPattern("heroku-uuid", (b"heroku",),
                  rf"[hH](?i:eroku[\w-]{{0,24}}+){_SET}{_QUOTES}"
                  r"(?P<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"),
    SecretPattern("registry-auth", (b"_auth", b"'auth", b'"auth'),
                  rf"(?:_auth|[\"']auth){_SET}{_QUOTES}(?P<plain>[A-Za-z0-9]{{17}}[A-Za-z0-9+/]*+={{0,2}})",
                  judged=True),
    SecretPattern("url-password", (b"://",),
                  rf"://[^\s/:@\"'<>\\{PLACEHOLDERS}]{{0,128}}:(?P<secret>[^\s/@\"'<>\\{PLACEHOLDERS}]{{3,256}})@",
                  judged=True, password=True),
    SecretPattern("connection-string", (b"pass", b"pwd"),
                  r";[ \t]{0,4}(?i:password|pwd)[ \t]{0,4}=[ \t]{0,4}"
                  rf"(?P<plain>[^\s;\"'\\{PLACEHOLDERS}]{{3,}}+)",
                  judged=True, password=True, also=(b";",)),
    SecretPattern("authorization", (b"authoriz",),
                  r"[aA](?i:uthorization)[\\\"'`\])]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\\"'`]{0,4}"
                  r"(?i:(?:basic|bearer|token|bot|digest|apikey|negotiate)[ \t]{1,4})?"
                  rf"(?P<plain>{_BARE}{{6,}}+)",
                  judged=True),
    SecretPattern("authorization-scheme", (b"authoriz",),
                  r"[aA](?i:uthorization):[ \t]{0,4}[A-Za-z][\w-]{1,31}[ \t]{1,4}"
                  rf"(?P<plain>{_BARE}{{8,}}+)(?=[ \t]{{0,4}}(?:[\\\"'`\r\n]|\Z))",
                  judged=True),
    SecretPattern("bearer-token", (b"bearer",),
                  r"[bB](?i:(?<![a-z].)earer)[ \t]{1,4}(?P<plain>[\w.~+/=-]{16,}+)", judged=True),
    SecretPattern("cookie", (b"cookie",),
                  r"[cC](?i:(?<![a-z].)ookie)[ \t]{0,4}:[ \t]{0,4}"
                  rf"(?P<secret>[\w.-]{{1,64}}+=[^\r\n\"'`\\{PLACEHOLDERS}]{{8,}}+)"),
    SecretPattern("netrc-password", (b"pass",),
                  rf"\b(?:login|machine)\s{{1,8}}[^\s{PLACEHOLDERS}]{{1,128}}+\s{{1,8}}password\s{{1,8}}"
                  rf"(?P<plain>[^\s{PLACEHOLDERS}]{{3,}}+)",
                  judged=True, password=True, also=(b"login", b"machine")),
    SecretPattern("sql-password", (b"pass",),
                  rf"[pP](?i:(?<![a-z].)assword)[ \t]{{1,4}}'(?P<secret>[^'\s\\{PLACEHOLDERS}]{{4,256}})'",
                  judged=True, password=True, also=(b" '", b"\t'")),
    SecretPattern("sql-identified", (b"identified",),
                  r"[iI](?i:dentified\s{1,4}(?:(?:with|via)\s{1,4}[\w\"'`]{1,64}\s{1,4})?(?:by|as))\s{1,4}"
                  rf"{_GIVEN}",
                  judged=True, password=True),
    SecretPattern("login-option", (b"curl",),
                  r"-(?:[a-zA-Z]{0,8}[uU]|-(?:proxy-)?user)[ \t=\\\"',]{0,6}[\w.@%+-]{1,128}+:"
                  rf"(?!\d{{1,5}}\b)(?P<secret>{_BARE}{{3,}}+)",
                  judged=True, password=True),
    SecretPattern("password-option", (b"sshpass", b"mysql", b"mariadb", b"mongo", b"login", b"redis-cli"),
                  rf"(?:sshpass[ \t]{{1,4}}-p[ \t]{{0,4}}"
                  rf"|(?:mysql|mariadb)[\w-]{{0,16}}+(?:{_ARGUMENTS}[ \t])-p(?=\S)"
                  rf"|(?:mongo[a-z]{{0,8}}+|\blogin){_ARGUMENTS}[ \t]-p[ \t=]{{1,4}}"
                  rf"|redis-cli{_ARGUMENTS}[ \t]-a[ \t]{{1,4}})(?!\d{{1,5}}\b){_GIVEN}",
                  judged=True, password=True, also=(b"-p", b"-a")),
    SecretPattern("command-line-password", (b"pass", b"pwd"),
                  r"--(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|pwd)[ \t]{1,4}"
                  rf"{_VALUE}",
                  judged=True, password=True, also=(b"--",)),
    SecretPattern("command-line-secret", (b"token", b"secret", b"key"),
                  r"--(?:[a-z0-9]{1,20}-){0,3}(?:token|secret|api-?key|access-key|secret-key)"
                  rf"[ \t]{{1,4}}{_VALUE}",
                  judged=True, also=(b"--",)),
    SecretPattern("password-element", (b"pass",),
                  rf"[pP](?i:ass(?:word|wd|phrase))>(?P<plain>[^<>\s{PLACEHOLDERS}]{{4,256}}+)</",
                  judged=True, password=True, also=(b"</",)),
    SecretPattern("chinese-password", ("密".encode(), "令".encode(), b"\\u5bc6", b"\\u4ee4"),
                  rf"(?:{_any('密')}{_any('码碼钥鑰')}|{_any('口')}{_any('令')}|{_any('令')}{_any('牌')})"
                  rf"{_QUOTES}[ \t]{{0,4}}"
                  rf"(?:{_any('是为為')}[ \t]{{0,4}}{_any(':：=＝')}?|{_any(':：=＝')})"
                  rf"[ \t]{{0,4}}\\{{0,4}}[\"'`“「]?(?P<plain>[!#-&*+./-:=?@A-Z\[\]^_a-z|~-]{{4,}}+)",
                  judged=True, password=True),
    SecretPattern("environment-password", (b"pass", b"pwd"),
                  rf"{_UPPER_PASSWORDS}[0-9]{{0,2}}={_WORD}",
                  judged=True, password=True, also=(b"PASS", b"PWD")),
    SecretPattern("environment-secret", (b"token", b"secret"),
                  rf"(?:SECRET|TOKEN)[0-9]{{0,2}}={_WORD}",
                  judged=True, also=(b"TOKEN", b"SECRET")),
    SecretPattern("environment-key", (b"key",), rf"{_UPPER_KEYS}[0-9]{{0,2}}={_WORD}",
                  judged=True, also=(b"KEY",)),
    SecretPattern("password", (b"pass", b"pwd"), rf"{_PASSWORDS}{_SET}{_VALUE}",
                  judged=True, password=True),
    SecretPattern("secret", (b"token", b"secret"), rf"{_SECRETS}{_SET}{_VALUE}", judged=True),
    SecretPattern("secret-key", (b"key",), rf"{_SECRET_KEYS}{_SET}{_VALUE}",
                  judged=True, also=_BEFORE_KEY),
    SecretPattern("service-key", (b"key",),
                  rf"(?<![A-Za-z])(?:{_SERVICE_NAMES})(?i:[_-]{{0,2}}key){_SET}{_VALUE}",
                  judged=True, also=tuple(name.encode() for name in _SERVICES)),
)  # fmt: skip
