"""What is related to a query without holding its words whole: by rare words, by likeness, by meaning."""
