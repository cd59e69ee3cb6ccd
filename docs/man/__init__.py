"""The manual pages of `mem` and `memtui`, made of what their `--help` is made of."""
