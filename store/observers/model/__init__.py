"""The model observer: a turn's events and what the rules made of them, asked of a model in one call."""
