"""The user's configuration, `config.toml`: who observes, what makes
vectors, backups, when sessions are told, how long
changes are kept, and how the browser looks and is driven. `settings` describes each key."""

from .file import config_path
from .reading import (
    MODELS,
    URLS,
    Problem,
    archives,
    backup_settings,
    browser_settings,
    compares_meaning,
    context_settings,
    embeddings_settings,
    history_settings,
    line_of_key,
    lists_turns,
    mappings,
    may_name_model,
    misspelt,
    model_settings,
    reviews_agents,
)
from .records import (
    BackupSettings,
    BrowserSettings,
    ContextSettings,
    EmbeddingsProvider,
    EmbeddingsSettings,
    HistorySettings,
    ModelSettings,
    Provider,
    SearchSettings,
)
from .values import did_you_mean
