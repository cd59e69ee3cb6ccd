"""The paths that agents wait for: `mem add` and a piped `mem search` without typer and rich."""
