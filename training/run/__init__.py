"""One training run: its folder, checkpoints, evaluations, logs and progress."""
