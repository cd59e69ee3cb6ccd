"""What keeps the store well: looking whether it is, backing it up, letting old memories go."""
