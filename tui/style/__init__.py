"""Our themes, and a stylesheet that parses each source once."""
