"""Print the page of all keys, in English: `python -m memtui.tui.help > docs/keys.md`."""

if __name__ == "__main__":
    import os

    # Before what names the keys is imported: it chooses the language.
    os.environ.update(LANGUAGE="en", MEMTUI_CONFIG=os.devnull)

    from .page import page

    print(page(), end="")
