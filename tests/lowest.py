"""The lowest versions that users may have, as constraints for pip; `python -m tests.lowest` prints them."""

import tomllib
from collections.abc import Iterator

from packaging.requirements import Requirement

from tests.places import ROOT


def requirements() -> Iterator[Requirement]:
    """What `pyproject.toml` asks for, of itself and of every extra but that for work on it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {**project["optional-dependencies"], "dev": [], "smoke": []}
    for text in (*project["dependencies"], *(text for extra in extras.values() for text in extra)):
        requirement = Requirement(text)
        if requirement.name != project["name"]:
            yield requirement


def lowest() -> Iterator[str]:
    """A constraint a requirement. Raises ValueError where one names no lowest version."""
    for requirement in requirements():
        (version,) = [bound.version for bound in requirement.specifier if bound.operator in (">=", "==")]
        yield f"{requirement.name}=={version}"


if __name__ == "__main__":
    print("\n".join(lowest()))
