"""Learners with interactions: what a feature is worth depends on the other features, and on the
position.

Where to start reading: `parameters` has the two formulas, `factors` and `hidden` their gradients,
`descent` the steps, `epochs` the passes over all positions, `learner` the way from games to a
model.
"""
