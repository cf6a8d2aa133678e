"""Matches between two GTP engines: the controller, its clock, openings, records, statistics."""
