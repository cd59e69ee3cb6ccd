"""What the configuration says, a record a table. The defaults stand here, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from ..records.dataclasses import dataclass, field

Provider = Literal["openai", "anthropic", "command"]
EmbeddingsProvider = Literal["openai-compatible", "static", "onnx", "command"]
Density = Literal["comfortable", "compact"]
StartFocus = Literal["query", "results"]
Times = Literal["ages", "dates"]
Language = Literal["auto", "en", "zh"]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model that observes. Prices are dollars for a million tokens, None where unknown."""

    kind: Provider
    url: str = ""
    model: str = ""
    key_env: str = ""
    key_command: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    daily_tokens: int = 200_000
    timeout_seconds: float = 60.0
    output_tokens: int = 2_000
    json_schema: bool = True
    input_price: float | None = None
    output_price: float | None = None

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

        from ..records.dataclasses import asdict

        return blake2b(repr(sorted(asdict(self).items())).encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class EmbeddingsSettings:
    """A model that makes vectors of texts. `dimensions` is 0 for the model's own; the price is dollars
    for a million tokens, None where unknown."""

    provider: EmbeddingsProvider
    url: str = "http://localhost:11434/v1"
    model: str = ""
    key_env: str = ""
    key_command: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    directory: str = ""
    dimensions: int = 0
    query_prefix: str = ""
    document_prefix: str = ""
    batch: int = 64
    daily_tokens: int = 5_000_000
    timeout_seconds: float = 60.0
    price: float | None = None

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

    daily: bool = False
    keep: int = 7


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """Whether sessions are told what a prompt is about, and what is known of a file, besides what
    they are told at their start."""

    at_prompt: bool = False
    at_file: bool = False


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Whether searches list the single records of turns, rather than each turn once."""

    records: bool = False


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """How many days, and how many megabytes, of changes are kept to be undone and looked back at."""

    days: int = 90
    megabytes: int = 100


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """Whether what agents leave and delete again is kept."""

    on: bool = False


@dataclass(frozen=True, slots=True)
class BrowserSettings:
    """How the browser looks, starts and is driven: `[browser]`, its tables, and `[keys]`.

    `theme` is `` where the terminal's background decides; `timeline_window` is how far the timeline
    looks to either side, one of `WINDOWS`, or `` as far as fills the screen. `panes` maps the name of
    a split to the percent of the room that its first pane takes, `colors` types of memories to colours,
    `keys` ids of bindings to keys.
    """

    theme: str = ""
    density: Density = "comfortable"
    start_screen: str = "search"
    start_focus: StartFocus = "query"
    times: Times = "ages"
    timeline_window: str = ""
    mouse: bool = True
    language: Language = "auto"
    panes: Mapping[str, int] = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
