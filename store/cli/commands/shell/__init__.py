"""What is used at a shell's prompt: picking a memory, and what a shell reads at its start."""
