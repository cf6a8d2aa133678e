"""One family of features to a module."""
