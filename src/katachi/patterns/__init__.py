"""Patterns: every legal move of a position as a team of features (Coulom 2007, Stern 2005)."""
