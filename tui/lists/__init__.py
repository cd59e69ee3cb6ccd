"""Lists of any length: the widget, its rows, its pages, and the provider they come from."""
