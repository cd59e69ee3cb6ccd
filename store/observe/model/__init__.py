"""The model observer: what a model is asked about a turn, how each provider is called, and how its
answer is read."""
