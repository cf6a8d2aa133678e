"""The generalized Bradley-Terry model, fitted by minorization-maximization (Coulom 2007, 2).

Where to start reading: `learner` goes from games to a model, `fit` from competitions to gammas;
`mm` is the paper's algorithm, `passes` has the kernels that see every team.
"""
