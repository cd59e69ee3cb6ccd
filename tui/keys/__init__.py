"""The keys that every screen shares, and how a user's `[keys]` change them."""
