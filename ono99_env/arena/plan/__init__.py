"""What a tournament plays: its setup, line-ups and schedule."""
