"""What goes on beside what is shown: hooks' events are stored, files looked at, memory given back."""
