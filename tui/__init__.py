"""The browser: `memtui`, built on `store` and Textual."""
