"""Proverbs of the game, and what players do: how often they play the proverb's move rather than
another one that they could have played instead.
"""
