"""What is kept: records (`rows`), the kinds of them, their fields, and the events they are made of."""
