"""What text passes on its way in and out: privacy, redaction, truncation, the display gate,
tokens, Markdown."""
