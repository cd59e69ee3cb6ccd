"""Keys and tokens whose services give them a form of their own, by which they are known anywhere."""

from __future__ import annotations

from .pattern_parts import BLOCK, END, QUOTES, SET, SecretPattern, part, word

_FORMS = r"""
jwt <eyJ &{14,}+\.&{10,}+(?:\.&*+){0,3} | grafana-key <eyJrIjoi @{70,}={0,3} | cloudflare-tunnel-token
eyJhIjoi [A-Za-z0-9+/_-]{80,}={0,2} | onepassword-service-token ops_eyJ [A-Za-z0-9+/]{100,}={0,3} |
slack-webhook hooks.slack.com/
(?:services|workflows|triggers)/(?P<secret>\w{8,12}/\w{8,12}/(?:\d{9,20}/)?\w{20,}|\w{40,}) |
discord-webhook discord.com/,discordapp.com/ api/(?:v\d{1,2}/)?webhooks/\d{15,20}/(?P<secret>&{60,}) |
teams-webhook IncomingWebhook/ (?P<secret>@{32}/[A-Za-z0-9-]{36}) | feishu-webhook /bot/v2/hook/
(?P<secret>[a-f0-9-]{36}) | openssh-key b3BlbnNzaC1rZXktdjE
[A-Za-z0-9+/]{20,}={0,3}(?:\s{1,8}[A-Za-z0-9+/]{30,70}={0,3}){0,200} | age-secret-key AGE-SECRET-KEY-
(?:PQ-)?1[A-Z0-9]{50,} | github-token ghp_,gho_,ghu_,ghs_,ghr_ @{36,} | github-fine-grained-token
github_pat_ \w{22,} | gitlab-token
<glpat-,<gldt-,<glrt-,<glcbt-,<glptt-,<glft-,<glsoat-,<glimt-,<glagent-,<gloas-,<glffct-,<glwt-
&{20,}(?:\.[\w.]{2,40})? | slack-token xox [a-z]-[A-Za-z0-9-]{16,} | slack-app-token xapp-
\d-[A-Za-z0-9-]{16,} | stripe-key sk_live_,sk_test_,sk_prod_,rk_live_,rk_test_,rk_prod_ @{10,} |
stripe-webhook-secret whsec_ @{16}[A-Za-z0-9+/=]* | square-token sq0 [a-z]{3}-&{22,} | square-access-token
<EAAA &{56,} | shopify-token shpat_,shpca_,shppa_,shpss_ [A-Fa-f0-9]{32,} | anthropic-key sk-ant- &{20,} |
openai-key <sk- (?=&{0,64}[0-9A-Z])&{20,} | google-api-key AIza &{35} | google-oauth-secret GOCSPX- &{24,} |
google-oauth-token ya29. &{20,} | digitalocean-token doo_v1_,dop_v1_,dor_v1_ #{64} | heroku-key HRKU- &{30,}
| cloudflare-origin-key v1.0- #{24}-#{100,} | npm-token npm_ @{36}! | pypi-token pypi- &{50,} | rubygems-key
rubygems_ #{48} | crates-io-token <cio @{32}! | docker-token dckr_ [a-z]{3}_&{20,} | hugging-face-token ^hf_
@{34,37}! | replicate-token ^r8_ @{37}! | groq-key gsk_ @{40,} | perplexity-key pplx- @{40,} | xai-key xai-
@{60,} | sendgrid-key SG. (?<!@...)(?:&{16,32}\.&{20,64}|[\w=.-]{60,70}) | mailgun-key <key- #{32}! |
postman-key PMAK- #{24}-#{34} | linear-key lin_ (?:api|oauth|wh)_@{32,} | wallet-key xprv @{100,} |
notion-token ntn_ @{40,} | notion-token secret_ @{43}! | figma-token figd_ &{36,} | atlassian-token
ATATT3,ATCTT3 &{40,}(?:=&{8})? | new-relic-key NRAK-,NRII-,NRJS- [A-Za-z0-9-]{19,} | sentry-token sntry
[su]_[\w+/=-]{36,} | grafana-token glsa_ @{32}_[A-Fa-f0-9]{8} | grafana-cloud-token glc_
[A-Za-z0-9+/]{32,}={0,3} | vault-token hvs.,hvb.,hvr. &{24,} | doppler-token dp.
(?<!@...)[a-z]{2,5}\.(?:[a-z0-9_-]{2,35}\.)?@{40,} | supabase-key sbp_ #{40} | supabase-key sb_secret_
&{20,} | planetscale-token pscale_ [a-z]{2,5}_[\w.=-]{32,} | databricks-token ^dapi #{32}! | alibaba-key
^LTAI @{16,24}! | tencent-key ^AKID @{32}! | volcengine-key ^AKLT @{40,} | onepassword-key <A3-
[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}! | adobe-secret <p8e- @{32}! |
artifactory-key ^AKCp @{69}! | artifactory-token ^cmVmd @{59}! | bedrock-key ^ABSK
[A-Za-z0-9+/]{109,}={0,2} | bedrock-key bedrock-api-key- [A-Za-z0-9+/_=-]{20,} | clickhouse-key <4b1d
@{38}! | clojars-token CLOJARS_ @{60} | duffel-token duffel_ (?:test|live)_[\w=-]{43} | dynatrace-token
dt0c01. @{24}\.@{64} | easypost-key EZAK,EZTK @{54}! | facebook-token <EAA [A-Z]@{90,} | flutterwave-key
FLWSECK (?:_TEST)?-@{12,32}(?:-X)? | fly-token ^fo1_,^fm1a_,^fm1r_,^fm2_ [A-Za-z0-9+/_,-]{40,}={0,3} |
frameio-token fio-u- [\w=-]{64} | gitlab-runner-token GR1348941 &{20,} | hugging-face-organization-token
api_org_ [A-Za-z]{34} | infracost-key <ico- @{32}! | intra42-secret s-s4t2 (?:ud|af)-#{64} | jwt-base64
<ZXlK [A-Za-z0-9+/_-]{60,}={0,2} | octopus-key <API- [A-Z0-9]{26}! | openshift-token sha256~ &{43} |
prefect-token ^pnu_ @{36}! | pulumi-token <pul- @{40}! | readme-key rdme_ [a-z0-9]{70} | scalingo-token
tk-us- &{48} | brevo-key xkeysib-,xsmtpsib- #{64}-@{16} | settlemint-token sm_aat_,sm_pat_,sm_sat_ @{16,}
| shippo-token shippo_ (?:live|test)_[A-Fa-f0-9]{40} | sourcegraph-token sgp_
(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40} | memory-service-key <m0-,<hsk-,<brv_ @{32,} |
memory-service-key <sm_ (?=[A-Za-z]{0,40}[0-9])@{16,}(?:_@{16,})? | memory-service-key retaindb_ @{24,} |
memory-service-key ctx7sk- [a-z0-9-]{24,} | memory-service-key <om- (?=[a-z]{0,30}[0-9])[a-z0-9]{32,} |
memory-service-key <z_ &{60,} | tailscale-key tskey- [a-z]{2,20}-@{6,}(?:-@{6,})? | dropbox-token sl.
(?<![\w.-]...)(?:[A-Za-z]\.)?&{60,} | vercel-token <vcp_,<vci_,<vca_,<vcr_,<vck_ @{24,} | vercel-token
vercel_blob_rw_ @{8,}_@{20,} | netlify-token <nfp_,<nfc_,<nfo_,<nfu_ @{36,} | render-key <rnd_ @{28,} |
resend-key <re_ @{8}_@{20,} | posthog-key <phx_ @{40,} | langsmith-key lsv2_ [a-z]{2}_#{32}_#{10} |
together-key tgp_v1_ &{40,} | cerebras-key <csk- [a-z0-9]{40,} | nvidia-key nvapi- &{60,} | pinecone-key
pcsk_ \w{60,} | fireworks-key <fw_ @{22,}! | jina-key jina_ @{50,} | voyage-key <pa- &{43}(?!&) |
tavily-key tvly- &{20,} | firecrawl-key <fc- #{32}! | elevenlabs-key <sk_ #{40,}! | kaggle-token KGAT_
#{32} | bitbucket-token <ATBB @{24,} | bitbucket-token BBDC- [A-Za-z0-9+/_-]{40,} | aws-session-token
IQoJb3JpZ2lu,FwoGZXIv [A-Za-z0-9+/%]{80,}={0,2} | aws-marketplace-token amzn.mws. [0-9a-f-]{36} |
cloudflare-api-token <cfut_,<cfat_,<cfk_ &{40,} | circleci-token CCIPAT_,CCIPRJ_ @{20,}_#{40} |
buildkite-token bkua_,bkct_,bkaj_ &{20,} | sonarqube-token <squ_,<sqp_,<sqa_ #{40}! | nuget-key <oy2
[a-z0-9]{43}! | packagist-token packagist_ [a-z]{3}_#{60,} | hubspot-token <pat-
(?:na|eu)\d-[a-f0-9-]{36} | trello-token <ATTA @{64,} | contentful-token CFPAT- &{40,} | plaid-token
access-sandbox-,access-development-,access-production- [a-f0-9-]{36} | paddle-key pdl_
(?:live|sdbx)_apikey_@{20,}(?:_@{2,30}){0,2} | neon-key napi_ [a-z0-9]{40,} | mongodb-atlas-secret
mdb_sa_sk_ &{40} | elastic-key essu_ [A-Za-z0-9+/]{40,}={0,2} | axiom-token xaat-,xapt- [a-f0-9-]{36} |
dbt-token dbtc_,dbtu_ &{35,} | deno-token <ddp_,<ddo_ @{36,} | yandex-token <AQVN &{35,38} | yandex-token
<y0_ &{50,} | baidu-key ALTAK- @{21}/#{40} | modelscope-token <ms- #{8}(?:-#{4}){3}-#{12}! |
wecom-webhook webhook/send?key= (?P<secret>[a-f0-9-]{36}) | braintree-token access_token$production$
[a-z0-9]{16}\$#{32} | google-refresh-token <1//0 &{38,} | gemini-key <AQ. &{40,} | harness-token
<pat.,<sat. &{22}\.#{24}\.@{20} | infisical-token <st. #{24}\.#{32}\.#{32}
""".replace("\n", " ")
"""Kinds that begin with a literal: the name, the literals, what follows. A literal stands anywhere, after
`<` where a word begins, after `^` where a part of one does; `@` is a letter or digit, `#` a hex digit, `&`
what may stand in a word, and `!` at the end means that neither letter nor digit follows."""

_NAMED = r"""
gcp-private-key-id private_key_id private_key_id #{40}!
kubeconfig-key key-data client-key-data [A-Za-z0-9+/_-]{16,}={0,2}
cloudflare-token cloudflare [cC](?i:loudflare[\w-]{0,24}+) &{37,45}(?!&)
heroku-uuid heroku [hH](?i:eroku[\w-]{0,24}+) #{8}(?:-#{4}){3}-#{12}
"""
"""Kinds that a name of theirs tells, which they are set to: the kind, its anchors, the name, the secret."""


def _spelled(form: str) -> str:
    """What a form of the tables above stands for."""
    bare = form.removesuffix("!")
    for sign, meaning in (("@", "[A-Za-z0-9]"), ("#", "[a-f0-9]"), ("&", r"[\w-]")):
        bare = bare.replace(sign, meaning)
    return bare + END if bare != form else bare


def _begun(start: str) -> str:
    """The pattern of a literal."""
    literal = "".join(f"\\{sign}" if sign in ".?$" else sign for sign in start.lstrip("<^"))
    return word(literal) if start[0] == "<" else part(literal) if start[0] == "^" else literal


def _formed(row: str) -> SecretPattern:
    name, starts, rest = row.split()
    literals = starts.split(",")
    return SecretPattern(
        name,
        tuple(literal.lstrip("<^").lower().encode() for literal in literals),
        f"(?:{'|'.join(map(_begun, literals))}){_spelled(rest)}",
    )


def _named(row: str) -> SecretPattern:
    name, anchors, before, secret = row.split()
    pattern = rf"{before}{SET}{QUOTES}(?P<secret>{_spelled(secret)})"
    return SecretPattern(name, tuple(map(str.encode, anchors.split(","))), pattern)


SERVICE_PATTERNS: tuple[SecretPattern, ...] = (
    # Blocks first: what is in them is nobody else's.
    SecretPattern("private-key", (b"key",),
        rf"(?s:-----BEGIN {BLOCK}(?!\\{{0,4}}[\"'`]).*?(?:-----END {BLOCK}|\Z))", also=(b"-----BEGIN",)),
    SecretPattern("aws-key-pair", (b"akia", b"asia"),
        r"A[KS]IA(?<![A-Za-z0-9]A[KS]IA)[A-Z0-9]{16}(?![A-Za-z0-9])[\s\S]{1,64}?"
        r"(?<![A-Za-z0-9/+=])(?=[a-z0-9/+]{0,39}[A-Z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"),
    SecretPattern("aws-access-key", (b"akia", b"asia", b"abia", b"acca", b"a3t"),
        rf"A(?<![A-Za-z0-9]A)(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{{16}}{END}"),
    *map(_named, filter(None, _NAMED.split("\n"))),
    *map(_formed, _FORMS.split(" | ")),
    SecretPattern("discord-bot-token", (b"m", b"n", b"o"),
        r"[MNO](?<![\w.-].)(?=[\w-]{0,23}[0-9])[\w-]{23,27}\.[\w-]{6}\.(?=[\w-]{0,37}[0-9])"
        r"[\w-]{27,40}(?![\w.-])", also=(b".",), run=27),
    SecretPattern("telegram-bot-token", (b":aa",), r"\d(?<!\d\d)\d{7,11}:AA[\w-]{32,36}"),
    SecretPattern("paypal-token", (b"a21aa", b"paypal"), rf"{word('A21AA')}[\w-]{{60,}}"
        r"|[pP](?i:aypal(?:(?!paypal)[^\r\n]){0,128}?)(?<![\w-])(?P<secret>E[\w-]{79})(?![\w-])"),
    SecretPattern("azure-sas", (b"sig=",), r"&(?:amp;)?sig=(?P<secret>[A-Za-z0-9%+/]{40,}={0,2})"),
    SecretPattern("azure-client-secret", (b"q~",),
        r"(?<![\w~.-])[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])"),
    SecretPattern("mailchimp-key", (b"-us",), rf"[a-f0-9](?<![A-Za-z0-9].)[a-f0-9]{{31}}-us\d{{1,2}}{END}",
        digits=32),
    SecretPattern("twilio-key", (b"sk",), rf"{word('SK')}[A-Fa-f0-9]{{32}}{END}", digits=32),
    SecretPattern("airtable-token", (b"pat",), rf"{word('pat')}[A-Za-z0-9]{{14}}\.[a-f0-9]{{64}}",
        digits=64),
    SecretPattern("terraform-token", (b".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}"),
    SecretPattern("authress-key", (b".acc_", b".acc-"),
        r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}"
        r"\.[\w+/=-]{30,120}"),
    SecretPattern("maxmind-key", (b"_mmk",),
        rf"(?<![A-Za-z0-9])[A-Za-z0-9]{{6}}_[A-Za-z0-9]{{29}}_mmk{END}"),
    SecretPattern("live-key", (b"_live_", b"_prod_"),
        r"(?<![A-Za-z0-9_-])[a-z]{2,12}_(?:live|prod)_(?=[A-Za-z]{0,30}[0-9])[A-Za-z0-9]{24,}"),
    SecretPattern("secret-link",
                  (b"onetimesecret.com/", b"pwpush", b"send.bitwarden", b"yopass", b"privatebin",
                   b"/private-", b"shared_invite/"),
                  r"(?:onetimesecret\.com/secret/|pwpush\.\w{2,8}/(?:\w\w/)?p/|send\.bitwarden\.com/#[\w-]{10,40}/"
                  r"|yopass\.\w{2,8}/#/\w{1,3}/[\w-]{8,40}/|privatebin\.\w{2,8}/\?[0-9a-f]{8,20}#"
                  r"|/private-(?=[0-9a-f]{24})|shared_invite/)(?P<secret>[\w-]{8,})"),
    SecretPattern("login-link",
        (b"magic", b"reset", b"verif", b"invit", b"activat", b"confirm", b"callback", b"sso"),
        r"://[^\s\"'<>\\]{1,160}?(?:magic|reset|verif[a-z]{1,7}|invit[a-z]{1,6}|activat[a-z]{1,4}"
        r"|confirm[a-z]{0,6}|callback|sso)[\w-]{0,24}/?"
        r"(?:[?&](?:[\w.-]{1,30}=[^\s&\"'<>]{0,60}&)?(?:\w{1,24}_)?(?:code|token|key|t)=|/)"
        r"(?P<secret>(?=[A-Za-z_-]{0,40}[0-9])(?![a-z]{1,20}-[a-z]{1,20}-)[\w-]{20,})", also=(b"://",),
        run=20),
    SecretPattern("openvpn-login", (b"<auth-user-pass>",),
        r"<auth-user-pass>(?:\s|\\{1,8}[nr]){1,4}[^\s<\\]{1,64}(?:\s|\\{1,8}[nr]){1,4}"
        r"(?P<secret>[^\s<\\]{4,128})"),
    SecretPattern("composer-token", (b"-oauth", b"-token"),
                  r"(?:github|gitlab|bitbucket)-(?:oauth|token)\\{0,4}\"[\s:{]{2,20}\\{0,4}\"[\w.-]{3,80}\\{0,4}\"\s{0,4}:\s{0,4}\\{0,4}\"(?P<secret>[\w-]{20,})"),
    SecretPattern("zhipu-key", (b".",),
        r"[a-f0-9](?<![\w.-].)[a-f0-9]{31}\.(?=[A-Za-z]{0,15}[0-9])[A-Za-z0-9]{16}(?![\w.-])", digits=32),
    SecretPattern("firebase-key", (b":apa91b",), r"(?<![\w-])[\w-]{11,24}:APA91b[\w-]{100,}"),
    SecretPattern("azure-devops-token", (b"azdo",), r"(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    SecretPattern("azure-service-key", (b"jqqj9", b"+ast", b"azse", b"azfu", b"azca", b"acdb"),
        r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{36,80}?(?:JQQJ9|\+ASt|AzSe|AzFu|AzCa|ACDb)"
        r"[A-Za-z0-9+/]{4,40}={0,2}"),
    SecretPattern("facebook-app-token", (b"|",), r"\d(?<!\d\d)\d{12,16}\|[\w-]{27}(?![\w-])", digits=13),
    SecretPattern("mailgun-private-key", (b"-",),
        r"[a-f0-9](?<![\w-].)[a-f0-9]{31}-[a-f0-9]{8}-[a-f0-9]{8}(?![\w-])", digits=32),
    SecretPattern("asana-token", (b":",),
        rf"[0-2](?<![\w/].)/\d{{13,17}}(?:/\d{{13,17}})?:[a-f0-9]{{32}}{END}", digits=32),
    SecretPattern("honeycomb-key", (b"ik_", b"ic_"), rf"{word('hc')}[a-z]i[kc]_[a-z0-9]{{50,}}"),
    SecretPattern("vault-legacy-token", (b"s.",),
        r"s\.(?<![\w.-]..)(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![\w.-])", run=24),
    SecretPattern("sentry-dsn", (b"://",), r"://(?P<secret>[a-f0-9]{32}(?::[a-f0-9]{32})?)@"),
    SecretPattern("putty-key", (b"private-lines:",), r"Private-Lines:[ \t]{0,4}\d{1,4}(?P<secret>(?:"
        r"(?:\s|\\[rn]){1,8}[A-Za-z0-9+/]{16,76}={0,2}){1,200})"),
)  # fmt: skip
