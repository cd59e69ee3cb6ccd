"""Warn of what has grown beyond what one can overlook: `python -m tests.overgrown`.

Nothing fails by it: a file or a folder is split by its sense, not by its length.
"""

from collections import Counter

from tests.places import ROOT

LONG = 250
"""Lines of a file."""
MANY = 15
"""Modules of a folder."""
SHOWN = 5


def main() -> None:
    """Print how many files and folders are large, and the largest of them."""
    product = [path for top in ("store", "tui") for path in (ROOT / top).rglob("*.py")]
    lines = Counter({path: len(path.read_text("utf-8").splitlines()) for path in product})
    modules = Counter(path.parent for path in product)
    for sizes, limit, what in ((lines, LONG, "lines"), (modules, MANY, "modules")):
        large = [(path, size) for path, size in sizes.most_common() if size > limit]
        if large:
            named = ", ".join(f"{path.relative_to(ROOT).as_posix()} {size}" for path, size in large[:SHOWN])
            print(f"warning: {len(large)} hold more than {limit} {what}, most of all {named}")


if __name__ == "__main__":
    main()
