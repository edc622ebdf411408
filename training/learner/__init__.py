"""The learner of a run: how it is made, saved and restored."""
