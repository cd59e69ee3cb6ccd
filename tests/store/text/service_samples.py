"""Samples of the tokens that services came to give a form of their own."""

from __future__ import annotations

from .sample_parts import Sample, digits16, letters

UUID = "-".join(digits16(length) for length in (8, 4, 4, 4, 12))
LOW = letters(90).lower()

SERVICE_SAMPLES: dict[str, Sample] = {
    "memory-service-key": Sample("use {} for it", "m" + "0-" + letters(40), "m" + "0-" + letters(9)),
    "live-key": Sample(
        "got {} today", "acme" + "_live_" + letters(32), "acme" + "_live_reload_of_all_the_pages_here"
    ),
    "secret-link": Sample(
        "see https://onetimesecret.com/secret/{}", letters(30), "https://onetimesecret.com/secret/x"
    ),
    "login-link": Sample(
        "https://x.example.org/reset?token={}", letters(40), "https://x.example.org/reset?token=none"
    ),
    "openvpn-login": Sample(
        "<auth-user-pass>\nbob\n{}\n</auth-user-pass>", letters(12), "<auth-user-pass>\n</auth-user-pass>"
    ),
    "composer-token": Sample(
        '{{"github-oauth": {{"github.com": "{}"}}}}', digits16(40), '{"github-oauth": {}}'
    ),
    "tailscale-key": Sample(
        "up --authkey={}", "tskey" + "-auth-" + letters(17) + "-" + letters(30), "tskey" + "-auth-is"
    ),
    "dropbox-token": Sample("got {} today", "sl" + "." + letters(130), "sl" + "." + letters(20)),
    "vercel-token": Sample("got {} today", "vc" + "p_" + letters(56), "vc" + "p_" + letters(12)),
    "netlify-token": Sample("got {} today", "nf" + "p_" + letters(36), "nf" + "p_" + letters(12)),
    "render-key": Sample("got {} today", "rn" + "d_" + letters(32), "rn" + "d_state"),
    "resend-key": Sample(
        "got {} today", "re" + "_" + letters(8) + "_" + letters(24), "re" + "_compiled_pattern_of_words"
    ),
    "posthog-key": Sample("got {} today", "ph" + "x_" + letters(43), "ph" + "x_" + letters(9)),
    "langsmith-key": Sample(
        "got {} today", "lsv" + "2_pt_" + digits16(32) + "_" + digits16(10), "lsv" + "2_pt_x"
    ),
    "together-key": Sample("got {} today", "tgp" + "_v1_" + letters(43), "tgp" + "_v1_" + letters(9)),
    "cerebras-key": Sample("got {} today", "cs" + "k-" + LOW[:48], "cs" + "k-" + LOW[:9]),
    "nvidia-key": Sample("got {} today", "nv" + "api-" + letters(64), "nv" + "api-" + letters(9)),
    "pinecone-key": Sample("got {} today", "pc" + "sk_" + letters(70), "pc" + "sk_" + letters(9)),
    "fireworks-key": Sample("got {} today", "fw" + "_" + letters(24), "fw" + "_" + letters(9)),
    "jina-key": Sample("got {} today", "ji" + "na_" + letters(60), "ji" + "na_" + letters(9)),
    "voyage-key": Sample("got {} today", "pa" + "-" + letters(43), "pa" + "-" + letters(9)),
    "tavily-key": Sample("got {} today", "tv" + "ly-" + letters(32), "tv" + "ly-" + letters(9)),
    "firecrawl-key": Sample("got {} today", "fc" + "-" + digits16(32), "fc" + "-" + digits16(9)),
    "elevenlabs-key": Sample("got {} today", "sk" + "_" + digits16(48), "sk" + "_" + digits16(9)),
    "zhipu-key": Sample("got {} today", digits16(32) + "." + letters(16), digits16(32) + ".css"),
    "kaggle-token": Sample("got {} today", "KG" + "AT_" + digits16(32), "KG" + "AT_" + digits16(9)),
    "google-refresh-token": Sample("got {} today", "1/" + "/0" + letters(50), "1/" + "/0" + letters(9)),
    "gemini-key": Sample("got {} today", "AQ" + "." + letters(50), "AQ" + "." + letters(9)),
    "firebase-key": Sample(
        "got {} today", "AAAA" + letters(7) + ":APA" + "91b" + letters(134), "AAAA:APA" + "91b"
    ),
    "bitbucket-token": Sample("got {} today", "AT" + "BB" + letters(32), "AT" + "BB" + letters(9)),
    "azure-devops-token": Sample(
        "got {} today", letters(76) + "AZ" + "DO" + letters(4), letters(40) + "AZ" + "DO" + letters(4)
    ),
    "azure-service-key": Sample(
        "got {} today", letters(52) + "JQQ" + "J9" + letters(20), letters(9) + "JQQ" + "J9"
    ),
    "aws-session-token": Sample(
        "got {} today", "IQoJ" + "b3JpZ2lu" + letters(200), "IQoJ" + "b3JpZ2lu" + letters(9)
    ),
    "aws-marketplace-token": Sample("got {} today", "amzn" + ".mws." + UUID, "amzn" + ".mws.of_the_us"),
    "cloudflare-api-token": Sample("got {} today", "cf" + "ut_" + letters(40), "cf" + "ut_" + letters(9)),
    "cloudflare-tunnel-token": Sample(
        "run {} now", "ey" + "JhIjoi" + letters(120), "ey" + "JhIjoi" + letters(20)
    ),
    "circleci-token": Sample(
        "got {} today", "CCI" + "PAT_" + letters(22) + "_" + digits16(40), "CCI" + "PAT_x"
    ),
    "buildkite-token": Sample("got {} today", "bk" + "ua_" + digits16(40), "bk" + "ua_" + digits16(9)),
    "sonarqube-token": Sample("got {} today", "sq" + "u_" + digits16(40), "sq" + "u_" + digits16(9)),
    "nuget-key": Sample("got {} today", "oy" + "2" + LOW[:43], "oy" + "2" + LOW[:9]),
    "packagist-token": Sample(
        "got {} today", "pack" + "agist_ort_" + digits16(68), "pack" + "agist_organisation"
    ),
    "facebook-app-token": Sample(
        "got {} today", "1234567890" + "123456|" + letters(27), "1234567890" + "123456|name"
    ),
    "mailgun-private-key": Sample(
        "got {} today", digits16(32) + "-" + digits16(8) + "-" + digits16(8), digits16(32) + "-1-2"
    ),
    "hubspot-token": Sample("got {} today", "pa" + "t-na1-" + UUID, "pa" + "t-na1-of-the-region"),
    "asana-token": Sample(
        "got {} today", "1/" + "1" * 16 + ":" + digits16(32), "1/" + "1" * 16 + ":" + digits16(9)
    ),
    "trello-token": Sample("got {} today", "AT" + "TA" + letters(72), "AT" + "TA" + letters(9)),
    "contentful-token": Sample("got {} today", "CF" + "PAT-" + letters(43), "CF" + "PAT-" + letters(9)),
    "plaid-token": Sample("got {} today", "access" + "-sandbox-" + UUID, "access" + "-sandbox-of-today"),
    "paddle-key": Sample(
        "got {} today",
        "pd" + "l_live_apikey_" + LOW[:26] + "_" + letters(22) + "_" + letters(3),
        "pd" + "l_live_apikey_x",
    ),
    "neon-key": Sample("got {} today", "na" + "pi_" + LOW[:64], "na" + "pi_" + LOW[:9]),
    "mongodb-atlas-secret": Sample(
        "got {} today", "mdb" + "_sa_sk_" + letters(40), "mdb" + "_sa_sk_" + letters(9)
    ),
    "elastic-key": Sample("got {} today", "es" + "su_" + letters(60), "es" + "su_" + letters(9)),
    "honeycomb-key": Sample("got {} today", "hc" + "aik_" + LOW[:58], "hc" + "aik_" + LOW[:9]),
    "axiom-token": Sample("got {} today", "xa" + "at-" + UUID, "xa" + "at-of-today-and-tomorrow"),
    "vault-legacy-token": Sample(
        "got {} today", "s" + "." + letters(24), "s" + ".translate_all_of_these_x"
    ),
    "infisical-token": Sample(
        "got {} today", "st" + "." + ".".join(digits16(n) for n in (24, 32, 32)), "st" + "." + digits16(24)
    ),
    "harness-token": Sample(
        "got {} today",
        "pa" + "t." + letters(22) + "." + digits16(24) + "." + letters(20),
        "pa" + "t." + letters(22),
    ),
    "dbt-token": Sample("got {} today", "db" + "tc_" + letters(40), "db" + "tc_" + letters(9)),
    "deno-token": Sample("got {} today", "dd" + "p_" + letters(36), "dd" + "p_" + letters(9)),
    "yandex-token": Sample("got {} today", "AQ" + "VN" + letters(36), "AQ" + "VN" + letters(9)),
    "baidu-key": Sample(
        "bce-v3/{} it is", "ALT" + "AK-" + letters(21) + "/" + digits16(40), "ALT" + "AK-" + letters(21)
    ),
    "modelscope-token": Sample("got {} today", "ms" + "-" + UUID, "ms" + "-windows-of-1998-and-2001"),
    "feishu-webhook": Sample(
        "https://open.feishu.cn/open-apis/bot/v2/hook/{}", UUID, "open-apis/bot/v2/hook/ID"
    ),
    "wecom-webhook": Sample(
        "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={}", UUID, "webhook/send?key=KEY"
    ),
    "sentry-dsn": Sample(
        "dsn https://{}@o1234.ingest.sentry.io/56",
        digits16(32),
        "https://" + digits16(9) + "@o1.ingest.sentry.io/5",
    ),
    "openssh-key": Sample(
        "and then\n{}\n", "b3Blbn" + "NzaC1rZXktdjEA" + letters(50), "b3Blbn" + "NzaC1rZXktdjEA"
    ),
    "putty-key": Sample("Private-Lines: 2{}", "\n" + letters(64) + "\n" + letters(40), "Private-Lines: 2"),
}
