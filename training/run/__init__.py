"""One training run: its config, folder, checkpoints, logs and display."""
