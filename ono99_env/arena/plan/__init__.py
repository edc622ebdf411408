"""What a tournament plays: its setup, its line-ups and its schedules."""
