"""What a memory leads to on this machine: its files in the user's editor, web pages, what git says of its
files, and where an id leads."""
