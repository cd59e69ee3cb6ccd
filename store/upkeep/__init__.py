"""What keeps a memory small and sound: near-duplicates, old memories, purging, making it anew."""
