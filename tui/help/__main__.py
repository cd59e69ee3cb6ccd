"""Print the page of all keys: `python -m memtui.tui.help > docs/keys.md`."""

from .page import page

print(page(), end="")
