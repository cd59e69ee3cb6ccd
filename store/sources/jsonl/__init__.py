"""Our own JSON lines: what `mem export jsonl` wrote."""
