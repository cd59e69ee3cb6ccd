"""Every setting of `config.toml`, described once: reading, checking, `mem config`, the template and
docs/settings.md are made of this."""

from __future__ import annotations

from typing import get_args

from ..config import values
from .records import (
    Density,
    EmbeddingsProvider,
    Language,
    Provider,
    StartFocus,
    Times,
)
from .tables import TABLES, Setting, choice
from .values import MAPPED, RENAMED_SCREENS, one_of

PROVIDERS: tuple[str, ...] = get_args(Provider)
EMBEDDINGS_PROVIDERS: tuple[str, ...] = get_args(EmbeddingsProvider)
SCREENS = (
    *("search", "timeline", "sessions", "facts"),
    *("capture", "composer", "statistics", "files"),
)
WINDOWS = (
    *("1m", "5m", "15m", "30m", "1h", "2h", "6h", "12h"),
    *("1d", "3d", "1w", "1mo", "3mo", "1y", "3y", "10y"),
)
THEMES = (
    *("memtui-dark", "memtui-light", "textual-dark", "textual-light", "nord", "gruvbox"),
    *("catppuccin-latte", "catppuccin-frappe", "catppuccin-macchiato", "catppuccin-mocha"),
    *("dracula", "tokyo-night", "monokai", "flexoki", "solarized-light", "solarized-dark"),
    *("rose-pine", "rose-pine-moon", "rose-pine-dawn", "atom-one-dark", "atom-one-light"),
    *("ansi-dark", "ansi-light"),
)

SETTINGS = (
    choice(
        "observer",
        "kind",
        ("rules", *PROVIDERS),
        "Who observes. A provider's name alone is enough: its address, a small model and its usual "
        "variable for the key come with it.",
    ),
    Setting(
        "observer",
        "url",
        values.text,
        "The server, any with OpenAI's chat completions or Anthropic's messages.",
        example='"http://localhost:11434/v1"',
    ),
    Setting("observer", "model", values.text, "The model's name.", example='"qwen3:4b"'),
    Setting(
        "observer",
        "key_env",
        values.text,
        "The variable that holds the server's key; never the key itself.",
        example='"OPENAI_API_KEY"',
    ),
    Setting(
        "observer",
        "key_command",
        values.words,
        "A program that prints the server's key.",
        example='["pass", "show", "openai"]',
    ),
    Setting(
        "observer",
        "command",
        values.words,
        "For the kind command: the program that is asked, on its standard input.",
        example='["claude", "-p", "--model", "haiku"]',
    ),
    Setting(
        "observer",
        "daily_tokens",
        values.amount,
        "The most tokens of a day (UTC), read and written, of all models that observe.",
    ),
    Setting(
        "observer",
        "timeout_seconds",
        values.seconds,
        f"The longest that a call may take, at most {values.LONGEST_SECONDS}.",
    ),
    Setting("observer", "output_tokens", values.amount, "The longest answer, in tokens."),
    Setting(
        "observer",
        "json_schema",
        values.flag,
        "Whether the server accepts a JSON schema; if false, the prompt describes the format.",
    ),
    Setting(
        "observer",
        "input_price",
        values.number,
        "Dollars for a million tokens read, for `mem queue cost`.",
        example="0.10",
    ),
    Setting(
        "observer",
        "output_price",
        values.number,
        "Dollars for a million tokens written, for `mem queue cost`.",
        example="0.40",
    ),
    choice(
        "embeddings",
        "provider",
        ("off", *EMBEDDINGS_PROVIDERS),
        "Where vectors come from: a server, a directory with a static model (extra vec) or with an "
        "ONNX model (extra onnx), or a program.",
    ),
    Setting(
        "embeddings",
        "url",
        values.text,
        "For openai-compatible: the server, any with /v1/embeddings (Ollama, LM Studio, llama.cpp, "
        "a cloud).",
    ),
    Setting(
        "embeddings",
        "model",
        values.text,
        "For openai-compatible: the model's name.",
        example='"nomic-embed-text"',
    ),
    Setting(
        "embeddings",
        "key_env",
        values.text,
        "The variable that holds the server's key; never the key itself.",
        example='"OPENAI_API_KEY"',
    ),
    Setting(
        "embeddings",
        "key_command",
        values.words,
        "A program that prints the server's key.",
        example='["pass", "show", "openai"]',
    ),
    Setting(
        "embeddings",
        "command",
        values.words,
        "For command: the program that gets the texts as JSON on its standard input and prints "
        "their vectors.",
        example='["python3", "embed.py"]',
    ),
    Setting(
        "embeddings",
        "directory",
        values.text,
        "For static: a directory with tokenizer.json and model.safetensors; for onnx, with "
        "tokenizer.json and model.onnx.",
        example='"~/models/potion-base-8M"',
    ),
    Setting(
        "embeddings",
        "dimensions",
        values.amount,
        "How many dimensions vectors are cut to, for models that are made for it; 0 keeps all.",
    ),
    Setting(
        "embeddings",
        "query_prefix",
        values.text,
        "What the model wants before a query.",
        example='"search_query: "',
    ),
    Setting(
        "embeddings",
        "document_prefix",
        values.text,
        "What the model wants before a memory's text.",
        example='"search_document: "',
    ),
    Setting("embeddings", "batch", values.many, "How many texts a call holds at most."),
    Setting(
        "embeddings",
        "daily_tokens",
        values.amount,
        "The most tokens of a day (UTC) that servers and programs are sent to make vectors of.",
    ),
    Setting(
        "embeddings",
        "timeout_seconds",
        values.seconds,
        f"The longest that a call may take, at most {values.LONGEST_SECONDS}.",
    ),
    Setting(
        "embeddings",
        "price",
        values.number,
        "Dollars for a million tokens.",
        example="0.02",
    ),
    Setting("backup", "daily", values.flag, "Whether the first command of a day makes a backup."),
    Setting("backup", "keep", values.many, "How many of the daily backups are kept."),
    Setting(
        "context",
        "at_prompt",
        values.flag,
        "Whether a session is told the few memories that a prompt is about.",
    ),
    Setting(
        "context",
        "at_file",
        values.flag,
        "Whether a session is told what is known of a file before it reads or edits it; "
        "needs `mem install` again.",
    ),
    Setting(
        "search",
        "records",
        values.flag,
        "Whether searches list single records, rather than each turn once: what was asked, what came of "
        "it, and the passage that matches.",
    ),
    Setting("history", "days", values.amount, "How many days of changes are kept."),
    Setting("history", "megabytes", values.amount, "How many megabytes of changes are kept."),
    Setting(
        "archive",
        "on",
        values.flag,
        "Whether what agents leave is archived after sessions, as it is, secrets included: "
        "`mem archive capture` asks, and tells its size.",
    ),
    Setting(
        "browser",
        "theme",
        one_of("", *THEMES),
        "The colours. Empty follows the terminal's background, light or dark.",
        THEMES,
    ),
    choice("browser", "density", get_args(Density), "How many lines a row takes: two, or only one."),
    Setting(
        "browser",
        "start_screen",
        values.renamed(RENAMED_SCREENS, one_of(*SCREENS)),
        "The screen that the browser opens with.",
        SCREENS,
    ),
    choice(
        "browser",
        "start_focus",
        get_args(StartFocus),
        "Whether the browser opens with the cursor in the query or in the results.",
    ),
    choice("browser", "times", get_args(Times), "Whether rows show ages (2h, 5d) or dates."),
    Setting(
        "browser",
        "timeline_window",
        one_of("", *WINDOWS),
        "How far the timeline looks to either side. Empty: two hours, or until the screen is full.",
        WINDOWS,
    ),
    Setting("browser", "mouse", values.flag, "Whether the browser takes the mouse."),
    choice(
        "browser",
        "language",
        get_args(Language),
        "The language of browser and mem, and of the filters that completion offers (type:bugfix or "
        "类型:修复): auto goes by the locale.",
    ),
    Setting(
        "browser.panes",
        "NAME",
        values.percent,
        "The percentage that the first pane of a split takes; set by keys and mouse in the browser.",
        example="search = 54",
    ),
    Setting(
        "browser.colors",
        "TYPE",
        values.color,
        "The colour of a type: #rrggbb, a colour of the theme (accent, error …) or a name (red …).",
        example='bugfix = "#d97a7a"',
    ),
    Setting(
        "prices",
        "MODEL",
        values.price,
        "Dollars for a million tokens of a model: read, written, and where they cost less or more, read "
        "from the cache and written to it.",
        example='"qwen3:4b" = [0.1, 0.4]',
    ),
    Setting(
        "mappings",
        "NAME.WHAT",
        values.mapped_field,
        "The field that holds it; dots lead into objects. A line needs a title or a text.",
        MAPPED,
        example='journal.text = "entry.body"',
    ),
    Setting(
        "keys",
        "NAME",
        values.keys,
        "The key, or several with commas, in place of the usual one.",
        example='search.pin = "P"',
    ),
)


def settings_of(table: str) -> dict[str, Setting]:
    """Return the settings of a table by their names."""
    return {setting.name: setting for setting in SETTINGS if setting.table == table}


def setting_of(key: str) -> Setting | None:
    """Return what describes a key, `browser.theme` or `keys.search.pin`; None where there is none."""
    # The longest name of a table first.
    for table in sorted(TABLES, key=len, reverse=True):
        if not key.startswith(f"{table}."):
            continue
        own = settings_of(table)
        name = key.removeprefix(f"{table}.")
        if TABLES[table].is_open:
            return next(iter(own.values()))
        return own.get(name)
    return None
