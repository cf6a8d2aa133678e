"""Competitions between any teams: an estimator, files, and the format of Coulom's program mm."""
