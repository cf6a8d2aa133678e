"""What is said of a move in the players' words: what it is called, what it answers, what it does,
what speaks against it, and how it compares with another.
"""
