"""A home and a repository with what agents are told, and the larger sample that lies beside the project."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from memtui.store.agents.homes import AgentHomes
from tests.places import DATA

SAMPLE = DATA / "files/make.py"


@dataclass
class Tree:
    """A home directory and a repository `shop` beside it."""

    base: Path

    @property
    def home(self) -> Path:
        return self.base / "home"

    @property
    def shop(self) -> Path:
        return self.base / "shop"

    @property
    def here(self) -> AgentHomes:
        return AgentHomes(self.home, {}, self.base / "system")

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    made = Tree(tmp_path.resolve())
    made.home.mkdir()
    (made.shop / ".git").mkdir(parents=True)
    return made


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    if not SAMPLE.exists():
        pytest.skip("the sample lies beside the project, and isn't there")
    base = tmp_path_factory.mktemp("sample").resolve()
    subprocess.run([sys.executable, str(SAMPLE), str(base)], check=True, capture_output=True)
    return Tree(base)
