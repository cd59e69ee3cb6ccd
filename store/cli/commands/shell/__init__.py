"""Commands for a shell's prompt: `mem pick` and `mem shell-init`."""
