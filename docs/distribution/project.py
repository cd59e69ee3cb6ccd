"""What the project says of itself, and how a file of JSON is written."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
NAME, VERSION, SUMMARY = PROJECT["name"], PROJECT["version"], PROJECT["description"]
LICENCE, KEYWORDS = PROJECT["license"], PROJECT["keywords"]
AUTHOR = {"name": "The memtui authors"}
HOMEPAGE = f"https://pypi.org/project/{NAME}/"
"""The one address that is ours wherever the source lies."""


def write_json(path: Path, content: object) -> None:
    """Write a file, and the folders that it lies in."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file, and the folders that it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
