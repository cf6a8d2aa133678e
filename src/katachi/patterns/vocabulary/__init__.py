"""The words that Go players use of moves, in groups; each group is a family of features."""
