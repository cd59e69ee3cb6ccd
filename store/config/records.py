"""What the configuration says, a record a table: each setting is declared once, with its default and what
it does. How it is read, checked, shown and documented follows from that (`settings`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from ..records.dataclasses import MISSING, Field, asdict, dataclass, field

Provider = Literal["openai", "anthropic", "command"]
EmbeddingsProvider = Literal["openai-compatible", "static", "onnx", "command"]
Density = Literal["comfortable", "compact"]
StartFocus = Literal["query", "results"]
Times = Literal["ages", "dates"]
Language = Literal["auto", "en", "zh"]

SCREENS = (
    *("search", "timeline", "sessions", "facts"),
    *("capture", "composer", "statistics", "files"),
)
RENAMED_SCREENS = {"agents": "capture", "queue": "capture"}
"""What screens were called, and what they are called now."""
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
LONGEST_SECONDS = 100
"""A call has to end before its lease does."""

_T = TypeVar("_T")


class SettingField(Field):
    """A field that is a setting."""

    __slots__ = ("allowed", "example", "least", "off", "sentence")

    def __init__(
        self, default: Any, sentence: str, allowed: tuple[str, ...], off: str, least: int, example: str
    ) -> None:
        super().__init__(default, MISSING, True, True, True, "")
        self.sentence = sentence
        self.allowed = allowed
        self.off = off
        self.least = least
        self.example = example


def setting(
    default: _T,
    sentence: str,
    *,
    allowed: tuple[str, ...] = (),
    off: str = "",
    least: int = 0,
    example: str = "",
) -> _T:
    """Declare a setting: what holds where the file is silent, and what it does, in a sentence.

    Its annotation says how it is read. `allowed` are the values of a text, those of a `Literal` unless
    given; `off` is one more, the default, with which the file asks for no record at all. `least` is the
    lowest whole number, `example` is TOML.
    """
    declared: Any = SettingField(default, sentence, allowed, off, least, example)
    return declared  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model that observes. Prices are dollars for a million tokens, None where unknown."""

    kind: Provider = setting(
        "openai",
        "Who observes. A provider's name alone is enough: its address, a small model and its usual "
        "variable for the key come with it.",
        off="rules",
    )
    url: str = setting(
        "",
        "The server, any with OpenAI's chat completions or Anthropic's messages.",
        example='"http://localhost:11434/v1"',
    )
    model: str = setting("", "The model's name.", example='"qwen3:4b"')
    key_env: str = setting(
        "", "The variable that holds the server's key; never the key itself.", example='"OPENAI_API_KEY"'
    )
    key_command: tuple[str, ...] = setting(
        (), "A program that prints the server's key.", example='["pass", "show", "openai"]'
    )
    command: tuple[str, ...] = setting(
        (),
        "For the kind command: the program that is asked, on its standard input.",
        example='["claude", "-p", "--model", "haiku"]',
    )
    daily_tokens: int = setting(
        200_000, "The most tokens of a day (UTC), read and written, of all models that observe."
    )
    timeout_seconds: float = setting(60.0, f"The longest that a call may take, at most {LONGEST_SECONDS}.")
    output_tokens: int = setting(2_000, "The longest answer, in tokens.")
    json_schema: bool = setting(
        True, "Whether the server accepts a JSON schema; if false, the prompt describes the format."
    )
    input_price: float | None = setting(
        None, "Dollars for a million tokens read, for `mem queue cost`.", example="0.10"
    )
    output_price: float | None = setting(
        None, "Dollars for a million tokens written, for `mem queue cost`.", example="0.40"
    )

    @property
    def name(self) -> str:
        """What its costs are listed under."""
        return self.model or (Path(self.command[0]).name if self.command else self.kind)

    def dollars(self, input: int, output: int) -> float | None:
        """Return the price of so many tokens, read and written; None where no prices are configured."""
        if self.input_price is None or self.output_price is None:
            return None
        return (input * self.input_price + output * self.output_price) / 1_000_000

    @property
    def fingerprint(self) -> str:
        """Changes with any of the settings."""
        # Who only reads the configuration needs none.
        from hashlib import blake2b

        return blake2b(repr(sorted(asdict(self).items())).encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class EmbeddingsSettings:
    """A model that makes vectors of texts. `dimensions` is 0 for the model's own; the price is dollars
    for a million tokens, None where unknown."""

    provider: EmbeddingsProvider = setting(
        "static",
        "Where vectors come from: a server, a directory with a static model (extra vec) or with an "
        "ONNX model (extra onnx), or a program.",
        off="off",
    )
    url: str = setting(
        "http://localhost:11434/v1",
        "For openai-compatible: the server, any with /v1/embeddings (Ollama, LM Studio, llama.cpp, "
        "a cloud).",
    )
    model: str = setting("", "For openai-compatible: the model's name.", example='"nomic-embed-text"')
    key_env: str = setting(
        "", "The variable that holds the server's key; never the key itself.", example='"OPENAI_API_KEY"'
    )
    key_command: tuple[str, ...] = setting(
        (), "A program that prints the server's key.", example='["pass", "show", "openai"]'
    )
    command: tuple[str, ...] = setting(
        (),
        "For command: the program that gets the texts as JSON on its standard input and prints "
        "their vectors.",
        example='["python3", "embed.py"]',
    )
    directory: str = setting(
        "",
        "For static: a directory with tokenizer.json and model.safetensors; for onnx, with "
        "tokenizer.json and model.onnx.",
        example='"~/models/potion-base-8M"',
    )
    dimensions: int = setting(
        0, "How many dimensions vectors are cut to, for models that are made for it; 0 keeps all."
    )
    query_prefix: str = setting("", "What the model wants before a query.", example='"search_query: "')
    document_prefix: str = setting(
        "", "What the model wants before a memory's text.", example='"search_document: "'
    )
    batch: int = setting(64, "How many texts a call holds at most.", least=1)
    daily_tokens: int = setting(
        5_000_000, "The most tokens of a day (UTC) that servers and programs are sent to make vectors of."
    )
    timeout_seconds: float = setting(60.0, f"The longest that a call may take, at most {LONGEST_SECONDS}.")
    price: float | None = setting(None, "Dollars for a million tokens.", example="0.02")

    @property
    def name(self) -> str:
        """What its vectors and costs are listed under, `static:potion-base-8M`."""
        models = {
            "openai-compatible": self.model,
            "command": Path(self.command[0]).name if self.command else "",
        }
        return f"{self.provider}:{models.get(self.provider, Path(self.directory).name)}"

    @property
    def is_metered(self) -> bool:
        """Whether the daily cap holds: a model in a directory costs nothing."""
        return self.provider in ("openai-compatible", "command")

    def dollars(self, input: int, output: int = 0) -> float | None:
        """Return the price of so many tokens; None where no price is configured."""
        return None if self.price is None else (input + output) * self.price / 1_000_000


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """Whether a backup is made each day, and how many of these stay."""

    daily: bool = setting(False, "Whether the first command of a day makes a backup.")
    keep: int = setting(7, "How many of the daily backups are kept.", least=1)


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """Whether sessions are told what a prompt is about, and what is known of a file, besides what
    they are told at their start."""

    at_prompt: bool = setting(False, "Whether a session is told at a prompt what answers it.")
    at_file: bool = setting(
        False,
        "Whether a session is told what is known of a file before it reads or edits it; needs `mem "
        "install` again.",
    )


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Whether searches list the single records of turns, rather than each turn once, and whether they
    compare what texts mean."""

    records: bool = setting(
        False,
        "Whether searches list single records, rather than each turn once: what was asked, what "
        "came of it, and the passage that matches.",
    )
    meaning: bool = setting(
        True, "Whether what is related is also compared by what it means, in English and Chinese."
    )


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """How many days, and how many megabytes, of changes are kept to be undone and looked back at."""

    days: int = setting(90, "How many days of changes are kept.")
    megabytes: int = setting(100, "How many megabytes of changes are kept.")


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """What is remembered only once its user has said so."""

    review: str = setting(
        "",
        "Whose memories wait for your word (`mem review`) before agents are told them: agents, what these "
        "add by themselves and what a model makes.",
        allowed=("agents",),
    )


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """Whether what agents leave and delete again is kept."""

    on: bool = setting(
        False,
        "Whether what agents leave is archived after sessions, as it is, secrets included: `mem "
        "archive capture` asks, and tells its size.",
    )


@dataclass(frozen=True, slots=True)
class BrowserSettings:
    """How the browser looks, starts and is driven: `[browser]`, its tables, and `[keys]`.

    `theme` is `` where the terminal's background decides; `timeline_window` is how far the timeline
    looks to either side, one of `WINDOWS`, or `` as far as fills the screen. `panes` maps the name of
    a split to the percent of the room that its first pane takes, `colors` types of memories to colours,
    `keys` ids of bindings to keys.
    """

    theme: str = setting(
        "", "The colours. Empty follows the terminal's background, light or dark.", allowed=THEMES
    )
    density: Density = setting("comfortable", "How many lines a row takes: two, or only one.")
    start_screen: str = setting("search", "The screen that the browser opens with.", allowed=SCREENS)
    start_focus: StartFocus = setting(
        "query", "Whether the browser opens with the cursor in the query or in the results."
    )
    times: Times = setting("ages", "Whether rows show ages (2h, 5d) or dates.")
    timeline_window: str = setting(
        "",
        "How far the timeline looks to either side. Empty: two hours, or until the screen is full.",
        allowed=WINDOWS,
    )
    mouse: bool = setting(True, "Whether the browser takes the mouse.")
    language: Language = setting(
        "auto",
        "The language of browser and mem, and of the filters that completion offers (type:bugfix or "
        "类型:修复): auto goes by the locale.",
    )
    panes: Mapping[str, int] = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
