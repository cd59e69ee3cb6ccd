"""What `mem` prints: tables and plain lines, JSON documents, progress bars."""
