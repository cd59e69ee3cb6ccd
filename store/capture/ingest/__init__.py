"""Events to rows: the spool read, each event cleaned, known by its session, and stored once."""
