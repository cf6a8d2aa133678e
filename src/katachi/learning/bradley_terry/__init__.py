"""The generalized Bradley-Terry model, fitted by minorization-maximization (Coulom 2007, 2).

Where to start reading: `fit` is the driver, `mm` the paper's algorithm, `estimator` the model for
anybody's competitions, `passes` the kernels that see every team.
"""
