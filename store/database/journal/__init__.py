"""What people changed: taken back, done again, bounded, and a copy of the store as it was."""
