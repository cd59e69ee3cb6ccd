"""The composer: what the sessions of a project are told, and the log of what they were given."""
