"""Pairs of sentences, the earlier and the later one, and whether a reader says that they say the same."""

SAME = (
    ("Moved the token refresh to the gateway", "The token refresh was moved to the gateway service"),
    ("Committed the fix for the clock drift", "Commit: fix for clock drift"),
    ("We decided to use SQLite for the store.", "Decided: use SQLite for the store"),
    ("Fixed the race in `paths.RepoRoot()` by a mutex", "fixed a race in paths.RepoRoot() by a mutex"),
    ("Don’t retry failed payments in the worker", "Don't retry failed payments in the worker"),
    ("Never retry failed payments in the worker", "Do not retry failed payments in the worker"),
    ("Removed the cache from the gateway", "The cache was dropped from the gateway"),
    ("The “leeway” of the clock is 60 seconds", 'The clock\'s "leeway" is 60 seconds'),
    ("Retries are limited to three per request", "Retry is limited to 3 per request"),
    ("Migrated the docs to the new repository", "Documentation moved to the new repo"),
    ("Run the migrations before the deployment", "Running migrations before we deploy"),
    (
        "The worker drains the queue of orders at its start",
        "At the start the worker drains its orders queue",
    ),
    ("Moved the token refresh to the gateway", "Moved the token refresh to the gateway today"),
    ("✅ Fixed the drift of the clock", "Fixed the drift of the clock 🎉"),
    ("将令牌刷新移到网关", "令牌刷新已移到网关服务"),
    ("决定使用 SQLite 存储数据。", "使用 SQLite 存储数据"),
    ("刷新令牌在时钟漂移时过期，客户端时间不可信", "刷新令牌在时钟漂移时会过期，客户端时间不可信"),
    ("修复了时钟漂移导致的令牌过期问题", "时钟漂移导致的令牌过期问题已修复"),
    ("采用指数退避重试支付请求", "支付请求使用指数退避重试"),
)

DIFFERENT = (
    ("Raised the number of retries from 3 to 5", "Raised the number of retries from 3 to 9"),
    ("We use exponential backoff for the retries", "We use linear backoff for the retries"),
    (
        "I decided to store the session tokens in Redis since all instances share it",
        "I decided to store the session tokens in Postgres since all instances share it",
    ),
    ("Store the session tokens in redis", "Store the session tokens in postgres"),
    ("Moved the sessions from Redis to Postgres", "Moved the sessions from Postgres to Redis"),
    ("Use the cache instead of the database", "Use the database instead of the cache"),
    ("Retry failed payments in the worker", "Never retry failed payments in the worker"),
    ("The gateway caches tokens of all tenants", "The gateway no longer caches tokens of all tenants"),
    ("Cache the tokens of some tenants", "Cache the tokens of all tenants"),
    ("Don’t cache the tokens of a tenant", "Cache the tokens of a tenant"),
    ("Run the tests of the worker before the build", "Run the tests of the worker after the build"),
    ("The port of staging is 8080", "The port of staging is 8081"),
    ("Upgraded the client to v1.2.3", "Upgraded the client to v1.3.2"),
    ("Use tabs in all of the Go files here", "Use tabs in all of the C files here"),
    ("The timeout of a request is thirty seconds", "The timeout of a request is sixty seconds"),
    ("Turn the flag for retries on in production", "Turn the flag for retries off in production"),
    ("使用 Redis 存储会话令牌", "改用 Postgres 存储会话令牌"),
    ("支付请求使用指数退避重试", "支付请求使用线性退避重试"),
    ("重试次数从 3 次改为 5 次", "重试次数从 3 次改为 9 次"),
    ("网关缓存所有租户的令牌", "网关不缓存所有租户的令牌"),
    ("把通知从轮询改为推送", "把通知从推送改为轮询"),
    ("部署之前运行数据库迁移", "部署之后运行数据库迁移"),
    ("使用缓存", "不使用缓存"),
)

MORE = (
    ("Fixed the race in the loader of settings", "Fixed the race in the loader of settings in Windows"),
    ("Cache it", "Cache it for an hour"),
    ("Fixed the drift of the clock", "Fixed the tests of the drift of the clock"),
    (
        "The importer reads each file once, maps rows to records, and writes both tables in a batch",
        "The importer reads each file once, maps rows to records, and writes both tables in a batch, while "
        "it shows progress bars",
    ),
)
"""The later one says more than the earlier."""
