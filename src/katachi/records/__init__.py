"""Game records: SGF in and out, repair of damaged files, corpora of many games, splits."""
