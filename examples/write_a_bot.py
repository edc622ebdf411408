"""Write a bot and play against it in the Gymnasium environment."""

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ono99_env import Action, Bot, Views


class Cautious(Bot):
    """Plays its lowest legal card, and Minus Ten only when nothing else is legal."""

    name = "cautious"

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`."""
        mask = views.action_mask
        others = mask.copy()
        others[:, Action.MINUS_TEN] = False
        return np.where(others.any(axis=1), others.argmax(axis=1), int(Action.MINUS_TEN))


env = gymnasium.make("ono99/Ono99-v0", num_players=3, opponents=[Cautious()], render_mode="ansi")
observation, info = env.reset(seed=7)
terminated = truncated = False
while not (terminated or truncated):
    print(env.render(), end="\n\n")
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
print("won" if reward > 0 else "lost")
