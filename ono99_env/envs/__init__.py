"""Every standard interface of the game: PettingZoo, Gymnasium, vector, Stable-Baselines3."""
