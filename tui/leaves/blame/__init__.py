"""Which session wrote a file's lines."""
