"""What keeps a memory small and sound: near-duplicates, retention, purging, rebuilding, dry runs."""
