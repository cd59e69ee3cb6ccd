"""Pages to show somebody: they need no server, no network and nothing beside them."""
