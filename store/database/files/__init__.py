"""Files beside the database: written whole or not at all, temporary ones, locks, what others left."""
