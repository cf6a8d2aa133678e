"""Shapes: circles of points around a move, their keys, dictionaries, and how they are found."""
