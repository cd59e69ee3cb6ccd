"""What a memory leads to on this machine: its files in the user's editor, and web pages."""
