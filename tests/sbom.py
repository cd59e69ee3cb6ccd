"""What memtui brings along: `python -m tests.sbom` prints a CycloneDX list of the packages that it needs,
in the versions that are installed here; extras are optional, and what isn't here is left out."""

import json
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

NAME = "memtui"
NOT_BROUGHT = {"dev", "smoke"}


def sbom() -> dict[str, Any]:
    """Return the list, with which package needs which."""
    own = distribution(NAME)
    extras = set(own.metadata.get_all("Provides-Extra") or ()) - NOT_BROUGHT
    always = _needed(own, set())
    needed = always | _needed(own, extras)
    components = []
    for name, found in sorted(needed.items()):
        required = "required" if name in always else "optional"
        components.append({**_described(found), "type": "library", "scope": required})
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**_described(own), "type": "application"}},
        "components": components,
        "dependencies": [
            {"ref": _purl(one), "dependsOn": sorted(_purl(needed[name]) for name in names)}
            for one, names in [
                (own, {*_direct(own, extras)} & needed.keys()),
                *((found, {*_direct(found, set())} & needed.keys()) for found in needed.values()),
            ]
        ],
    }


def _needed(root: Distribution, extras: set[str]) -> dict[str, Distribution]:
    """Every package that one needs, directly or not, by its name."""
    needed: dict[str, Distribution] = {}
    left = list(_direct(root, extras))
    while left:
        name = left.pop()
        if name not in needed and name != NAME:
            try:
                needed[name] = distribution(name)
            except PackageNotFoundError:
                continue
            left += _direct(needed[name], set())
    return needed


def _direct(of: Distribution, extras: set[str]) -> Iterator[str]:
    for text in of.requires or ():
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            yield canonicalize_name(requirement.name)


def _described(of: Distribution) -> dict[str, Any]:
    (expression, *_), (name, *_) = (
        of.metadata.get_all(field) or ("",) for field in ("License-Expression", "License")
    )
    licence = {"expression": expression} if expression else {"license": {"name": name}}
    # Some have the whole text of a licence in place of its name.
    named = {"licenses": [licence]} if (expression or name) and "\n" not in name else {}
    return {"bom-ref": _purl(of), "name": of.name, "version": of.version, "purl": _purl(of), **named}


def _purl(of: Distribution) -> str:
    return f"pkg:pypi/{canonicalize_name(of.name)}@{of.version}"


if __name__ == "__main__":
    print(json.dumps(sbom(), indent=2))
