"""What arrives while one looks, and since one last did: newest rows followed, new ones marked."""
