"""What brings memtui to people where they look for it: `python -m docs.distribution dist` writes plugins of
agents, the entry of the MCP registry, and the packages of Homebrew, the AUR and npm into a folder. All of
it is made of `store/install`, `store/agents` and `pyproject.toml`."""
