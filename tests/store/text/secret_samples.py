"""A true sample and a near miss of each kind of secret, made here so that no scanner minds them."""

from __future__ import annotations

from typing import NamedTuple


class Sample(NamedTuple):
    """What stands around a secret, `{}` marking its place, the secret, and a text that holds none."""

    around: str
    secret: str
    near_miss: str


def letters(length: int) -> str:
    """So many letters and digits that mean nothing."""
    return ("aB3dE5gH7jK9mN2pQ4" * (length // 18 + 1))[:length]


def digits16(length: int) -> str:
    """So many hex digits."""
    return ("0a1b2c3d4e5f6789" * (length // 16 + 1))[:length]


def capitals(length: int) -> str:
    """So many capitals and digits."""
    return ("Q2W3E4R5T6Y7" * (length // 12 + 1))[:length]


UUID = "-".join(digits16(length) for length in (8, 4, 4, 4, 12))
DASHES = "-" * 5
JWT = ".".join(("ey" + "JhbGciOiJIUzI1NiJ9", "ey" + "J" + letters(20), letters(43)))

SAMPLES: dict[str, Sample] = {
    "private-key": Sample(
        "the key:\n{}\nand on",
        f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}\n{letters(64)}\n{DASHES}END RSA PRIVATE KEY{DASHES}",
        f"{DASHES}BEGIN PUBLIC KEY{DASHES}\n{letters(64)}\n{DASHES}END PUBLIC KEY{DASHES}",
    ),
    "age-secret-key": Sample("# key\n{}\n", "AGE-SECRET-" + "KEY-1" + capitals(58),
                             "AGE-SECRET-" + "KEY-1" + capitals(20)),
    "jwt": Sample("got {} back", JWT, JWT.replace(".", " ")),
    "aws-key-pair": Sample("keys: {}\n", "AK" + "IA" + capitals(16) + "," + letters(38) + "/+",
                           "AK" + "IA" + capitals(9) + "," + letters(40)),
    "aws-access-key": Sample("id {} it is", "AK" + "IA" + capitals(16), "AK" + "IA" + capitals(9)),
    "aws-secret-key": Sample("aws_secret_access_key = {}\n", letters(38) + "/+",
                             "aws_secret_access_key = <the secret>"),
    "github-token": Sample("push with {}.", "gh" + "p_" + letters(36), "gh" + "p_" + letters(12)),
    "github-fine-grained-token": Sample("{}", "github" + "_pat_" + letters(22) + "_" + letters(59),
                                        "github" + "_pat_" + "of_mine"),
    "gitlab-token": Sample("clone by {}", "gl" + "pat-" + letters(20), "gl" + "pat-" + letters(9)),
    "slack-token": Sample("bot {}", "xo" + "xb-" + "1" * 12 + "-" + letters(24), "xo" + "xb-abc"),
    "slack-app-token": Sample("app {}", "xa" + "pp-1-" + capitals(11) + "-" + letters(30),
                              "xa" + "pp-release-candidate-of-today"),
    "slack-webhook": Sample("POST https://hooks.slack.com/services/{}",
                            f"T{capitals(9)}/B{capitals(9)}/{letters(24)}",
                            "https://hooks.slack.com/services/overview"),
    "discord-webhook": Sample("https://discord.com/api/webhooks/" + "1" * 18 + "/{}", letters(68),
                              "https://discord.com/api/webhooks/" + "1" * 18),
    "discord-bot-token": Sample("the discord bot is {}",
                                "M" + letters(23) + "." + letters(6) + "." + letters(38),
                                "the discord bot is M" + letters(23)),
    "telegram-bot-token": Sample("bot {}", "1234567890:" + "AA" + letters(33), "1234567890:" + "AAb"),
    "stripe-key": Sample("charge by {}", "sk" + "_live_" + letters(24), "sk" + "_live_mode"),
    "stripe-webhook-secret": Sample("verify by {}", "wh" + "sec_" + letters(32), "wh" + "sec_name"),
    "square-token": Sample("pay by {}", "sq" + "0atp-" + letters(22), "sq" + "0atp-" + letters(6)),
    "square-access-token": Sample("pay by {}", "EA" + "AA" + letters(60), "EA" + "AA" + letters(20)),
    "braintree-token": Sample("pay by {}",
                              "access_token" + "$production$" + letters(16).lower() + "$" + digits16(32),
                              "access_token" + "$production$none"),
    "paypal-token": Sample("pay by {} then", "A2" + "1AA" + letters(92), "A21AA is a size of paper"),
    "shopify-token": Sample("shop {}", "shp" + "at_" + digits16(32), "shp" + "at_" + digits16(12)),
    "anthropic-key": Sample("ask by {}", "sk-" + "ant-api03-" + letters(93) + "AA", "sk-" + "ant-api03"),
    "openai-key": Sample("ask by {}", "sk-" + "proj-" + letters(64), "class sk-spinner-with-a-large-dot"),
    "google-api-key": Sample("maps?{}&", "AI" + "za" + letters(35), "AI" + "za" + letters(20)),
    "google-oauth-secret": Sample("use {}", "GOC" + "SPX-" + letters(28), "GOC" + "SPX-none"),
    "google-oauth-token": Sample("use {}", "ya" + "29." + letters(60), "ya" + "29.short"),
    "gcp-private-key-id": Sample('"private_key_id": "{}"', digits16(40), '"private_key_id": "of it"'),
    "azure-storage-key": Sample("AccountName=a;AccountKey={};Suffix=b", letters(84) + "+/==",
                                "AccountName=a;AccountKey=<key>;Suffix=b"),
    "azure-sas": Sample("?sv=2024-01-01&sig={}&se=2", letters(20) + "%2B" + letters(20) + "%3D",
                        "?sv=2024-01-01&sig=none"),
    "azure-client-secret": Sample("app {} of it", "abc8" + "Q~" + letters(34), "abc8Q~" + letters(9)),
    "digitalocean-token": Sample("droplet {}", "dop" + "_v1_" + digits16(64), "dop" + "_v1_" + digits16(9)),
    "heroku-key": Sample("push {}", "HRKU" + "-AA" + letters(58), "HRKU" + "-AA"),
    "cloudflare-origin-key": Sample("{}", "v1.0-" + digits16(24) + "-" + digits16(146),
                                    "v1.0-" + digits16(24)),
    "cloudflare-token": Sample("cloudflare_dns: {}", letters(40), "cloudflare_dns: 1.1.1.1"),
    "npm-token": Sample("publish {}", "np" + "m_" + letters(36), "np" + "m_config_registry"),
    "pypi-token": Sample("publish {}", "py" + "pi-AgEI" + letters(80), "pypi-simple-index-of-packages"),
    "rubygems-key": Sample("publish {}", "ruby" + "gems_" + digits16(48), "rubygems_version"),
    "crates-io-token": Sample("publish {}", "ci" + "o" + letters(32), "cio" + letters(12)),
    "docker-token": Sample("login {}", "dck" + "r_pat_" + letters(27), "dckr_pat_name"),
    "hugging-face-token": Sample("load by {}", "h" + "f_" + letters(34), "hf_hub_download"),
    "replicate-token": Sample("run {}", "r" + "8_" + letters(37), "r8_" + letters(9)),
    "groq-key": Sample("run {}", "gs" + "k_" + letters(52), "gsk_" + letters(9)),
    "perplexity-key": Sample("run {}", "pp" + "lx-" + letters(48), "pplx-70b-online"),
    "xai-key": Sample("run {}", "xa" + "i-" + letters(80), "xai-org"),
    "sendgrid-key": Sample("mail {}", "S" + "G." + letters(22) + "." + letters(43), "SG.mail.send"),
    "mailgun-key": Sample("mail {}", "ke" + "y-" + digits16(32), "key-" + digits16(8)),
    "mailchimp-key": Sample("mail {}", digits16(32) + "-u" + "s12", digits16(32)),
    "twilio-key": Sample("call {}", "S" + "K" + digits16(32), "SK" + digits16(8)),
    "postman-key": Sample("run {}", "PM" + "AK-" + digits16(24) + "-" + digits16(34), "PMAK-none"),
    "linear-key": Sample("issue {}", "li" + "n_api_" + letters(40), "lin_api_client"),
    "notion-token": Sample("page {}", "nt" + "n_" + "1" * 11 + letters(35), "ntn_page"),
    "figma-token": Sample("draw {}", "fi" + "gd_" + letters(40), "figd_" + letters(9)),
    "airtable-token": Sample("rows {}", "pa" + "t" + letters(14) + "." + digits16(64),
                             "pat" + letters(14) + "." + digits16(20)),
    "atlassian-token": Sample("jira {}", "ATA" + "TT3" + letters(180) + "=" + capitals(8), "ATATT3"),
    "new-relic-key": Sample("metrics {}", "NR" + "AK-" + capitals(27), "NRAK-none"),
    "datadog-key": Sample("DD_API_KEY: {}", digits16(32), "DD_API_KEY: none"),
    "sentry-token": Sample("errors {}", "snt" + "rys_" + letters(100), "sntrys_name"),
    "grafana-token": Sample("board {}", "gl" + "sa_" + letters(32) + "_" + digits16(8), "glsa_name"),
    "grafana-cloud-token": Sample("board {}", "gl" + "c_" + letters(60), "glc_name"),
    "vault-token": Sample("vault {}", "hv" + "s." + letters(95), "hvs.name"),
    "terraform-token": Sample("plan {}", letters(14) + ".atlas" + "v1." + letters(60), "x.atlasv1.y"),
    "doppler-token": Sample("run {}", "dp" + ".pt." + letters(43), "dp.pt.name"),
    "supabase-key": Sample("db {}", "sb" + "p_" + digits16(40), "sbp_" + digits16(9)),
    "planetscale-token": Sample("db {}", "psc" + "ale_tkn_" + letters(43), "pscale_tkn_name"),
    "databricks-token": Sample("job {}", "da" + "pi" + digits16(32), "dapi" + digits16(9)),
    "alibaba-key": Sample("oss {}", "LT" + "AI" + letters(20), "LTAI" + letters(8)),
    "tencent-key": Sample("cos {}", "AK" + "ID" + letters(32), "AKID" + letters(8)),
    "volcengine-key": Sample("tos {}", "AK" + "LT" + letters(44), "AKLT" + letters(8)),
    "heroku-uuid": Sample("HEROKU_APP: {}", UUID, "HEROKU_APP: shop"),
    "registry-auth": Sample('{{"auth": "{}"}}', letters(36) + "==", '{"auth": "none"}'),
    "url-password": Sample("postgres://me:{}@db.example.org/x", "hunter" + "-42",
                           "postgres://me:$PASSWORD@db.example.org/x, https://example.org:80/@me"),
    "connection-string": Sample("Server=a;Uid=b;Pwd={};", "hunter" + "-42", "Server=a;Uid=b;Pwd=$PWD;"),
    "authorization": Sample("Authorization: Basic {}", letters(18) + "=",
                            "Authorization: Bearer $TOKEN"),
    "authorization-scheme": Sample("curl -H 'Authorization: SSWS {}'", letters(42),
                                   "curl -H 'Authorization: SSWS $TOKEN'"),
    "bearer-token": Sample("with bearer {} sent", letters(30), "with bearer authentication sent"),
    "cookie": Sample("Set-Cookie: {}\n", "sid=" + letters(24) + "; Path=/", "Cookie: none"),
    "netrc-password": Sample("machine a login b password {}\n", "hunter" + "-42",
                             "machine a login b password $PASSWORD"),
    "sql-password": Sample("CREATE ROLE a PASSWORD '{}'", "hunter" + "-42", "CREATE ROLE a PASSWORD NULL"),
    "sql-identified": Sample("CREATE USER a IDENTIFIED BY '{}';", "hunter" + "-42",
                             "CREATE USER a IDENTIFIED BY '<password>';"),
    "login-option": Sample("curl -u me:{} https://example.org", "hunter" + "-42",
                           "curl -u $LOGIN https://example.org; docker run -u 1000:1000 curl"),
    "password-option": Sample("mysql -u root -p{} shop", "hunter" + "-42", "mysql -u root -p shop"),
    "command-line-password": Sample("run --db-password {} now", "hunter" + "-42",
                                    "run --db-password $PASSWORD now"),
    "command-line-secret": Sample("run --api-key {} now", letters(16), "run --api-key $API_KEY now"),
    "password-element": Sample("<password>{}</password>", "hunter" + "-42", "<password></password>"),
    "chinese-password": Sample("密码是：{}，记住", "hunter" + "-42", "密码：请输入，密码是必填的"),
    "environment-password": Sample("export DB_PASSWORD={}\n", "a(b" + "]c&d,9", "DB_PASSWORD=$PASSWORD"),
    "environment-secret": Sample("APP_SECRET={}\n", "a(b" + "]c&d,9e", "APP_SECRET=${APP_SECRET}"),
    "environment-key": Sample("API_KEY={}\n", "a(b" + "]c&d,9e", "API_KEY=${API_KEY}"),
    "password": Sample('{{"password": "{}"}}', "hunter" + "-42", "password: str"),
    "secret": Sample("clientSecret: '{}',", letters(20), "token = get_token()"),
    "secret-key": Sample("apiKey: '{}',", letters(20), "key = get_key(api_key)"),
}  # fmt: skip
