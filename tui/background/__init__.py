"""What goes on beside what is shown: hooks' events are stored, files are looked at, memory is given back."""
