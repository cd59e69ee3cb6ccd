"""Samples of what is known to be a secret by what stands beside it."""

from __future__ import annotations

from .sample_parts import Sample, digits16, letters

PASSWORD = "hunter" + "-42"
SEED = " ".join(
    "abandon ability able about above absent absorb abstract absurd abuse access accident".split()
)

CREDENTIAL_SAMPLES: dict[str, Sample] = {
    "block-value": Sample("db_password: |-\n    {}\n", letters(14), "password: |-\n    ${DB_PASSWORD}\n"),
    "told-abroad": Sample("Das Kennwort lautet {}", PASSWORD, "Das Kennwort ist falsch"),
    "password-hash": Sample(
        "root:{}:19000:0:99999:7:::", "$6" + "$saltsalt$" + letters(86), "cost is $6$ or $5$"
    ),
    "kubeconfig-key": Sample(
        "client-key-data: {}\n", letters(60), "client-certificate-data: " + letters(60)
    ),
    "kubernetes-secret": Sample(
        "kind: Secret\ndata:{}\n",
        "\n  user: " + letters(12) + "\n  pw: " + letters(12),
        "kind: ConfigMap\ndata:\n  user: " + letters(12),
    ),
    "recovery-code": Sample(
        "Recovery codes:\n- {}\n", "8h2j5-w4z6n", "Exit codes:\n- 48291357\n- 56473829\n"
    ),
    "one-time-code": Sample("your verification code is {}.", "48291357", "the error code is 482913."),
    "named-value": Sample(
        "- name: DB_PASSWORD\n  value: {}\n", PASSWORD, "- name: DB_HOST\n  value: db-1.example"
    ),
    "listed-secret": Sample(
        'setProperty("API_TOKEN", "{}")', letters(20), 'fields = ["password", "email", "name_2"]'
    ),
    "url-token": Sample(
        "https://{}@github.com/a/b", letters(30), "https://someone_with_a_long_name@example.org/"
    ),
    "oracle-login": Sample("jdbc:oracle:thin:scott/{}@db:1521", PASSWORD, "jdbc:oracle:thin:@db:1521"),
    "pgpass-password": Sample("localhost:5432:shop:me:{}\n", PASSWORD, "listening on localhost:5432: ok"),
    "wifi-password": Sample('  psk="{}"\n', PASSWORD, "wpa_key_mgmt: psk"),
    "session-cookie": Sample("GET /?PHPSESSID={} HTTP", letters(26), "PHPSESSID=abc"),
    "signed-url": Sample(
        "https://a.s3.example/x?X-Amz-Signature={}&a=b", digits16(64), "X-Amz-Signature=<hex>"
    ),
    "secret-argument": Sample("requirepass {}\n", PASSWORD, "requirepass $REDIS_PASSWORD"),
    "cookie-option": Sample(
        "curl -b 'session={}' https://a.example", letters(32), "curl -b 'a=b' https://a.example"
    ),
    "secret-id": Sample("AccessorID: x\nSecretID: {}\n", letters(32), "secret_id = db.secret.id"),
    "pass-in-a-name": Sample("RootPass: {}\n", letters(32), "renderPass: 'main', firstPass = true"),
    "named-column": Sample(
        "Name        Value\nAPI_TOKEN   {}\n",
        letters(32),
        "Name        Value\nTOKEN_URL   https://a.example\nAUTH_MODE   oauth2\n",
    ),
    "told-below": Sample(
        "Please use the following password to proceed:\n\n{}\n\nThis may also be found below.",
        letters(32),
        "password requirements:\n  minimum-12-characters\n",
    ),
    "told-login": Sample("log in with bob / {}", PASSWORD, "log in with google / github"),
    "chpasswd-password": Sample("echo 'root:{}' | chpasswd", PASSWORD, "echo 'root:$PASSWORD' | chpasswd"),
    "jwk-private": Sample(
        '{{"kty": "EC", "crv": "P-256", "d": "{}"}}',
        letters(43),
        '{"kty": "EC", "x": "' + letters(43) + '"}',
    ),
    "app-password": Sample(
        "app password: {}", "abcd efgh " + "ijkl mnop", "the app password has four words in all"
    ),
    "seed-phrase": Sample(
        "my seed phrase is {}",
        SEED,
        "the seed phrase is what you write down on paper and keep in a safe place for years",
    ),
    "named-variable": Sample("BROKER_KEY_LIVE={}", letters(20), "KEY_FILE=key_2.pem AUTHOR=me2"),
    "jar-cookie": Sample(
        ".example.org\tTRUE\t/\tTRUE\t1790000000\tsid\t{}", letters(20), "a\tTRUE\tb\tFALSE\t1\t2"
    ),
    "asked-secret": Sample("What's the password for it? {}", letters(20), "What is the token limit? 4096"),
    "told-password": Sample(
        "my password is {}.",
        "sword" + "fish99",
        "the password is wrong, the password is stored in the vault",
    ),
    "told-secret": Sample(
        "the token for the robot is {} now", letters(16), "the token is expired, the secret is out"
    ),
    "told-beside": Sample(
        "log in as me with password {} please", "Sword" + "fish99", "the password sha256 and the pwd 2"
    ),
    "told-before": Sample("use {} as the password", PASSWORD, "use bcrypt as the password hash"),
    "told-in-chinese": Sample("数据库密码改成 {} 了", PASSWORD, "密码是必填项，密码至少8位"),
}
