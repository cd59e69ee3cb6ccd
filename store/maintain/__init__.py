"""What keeps a store small and sound: near-duplicates, retention, purging, rebuilding, dry runs, backups,
the archive of what agents delete, and the doctor."""
