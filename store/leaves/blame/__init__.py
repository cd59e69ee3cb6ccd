"""Which session wrote a line: by its own edits, of which git tells which commit holds them."""
