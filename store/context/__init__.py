"""What a session is given when it starts: candidates chosen, fitted to a budget, wrapped, and
logged.
"""
