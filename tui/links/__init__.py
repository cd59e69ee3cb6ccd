"""What a memory leads to: its files, addresses and session; and what of it is copied."""
