"""Train one seat with an unmodified MaskablePPO against a scripted bot, and measure it."""

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from ono99_env.envs.sb3 import Ono99VecEnv

venv = Ono99VecEnv("2022", num_envs=256, opponents=["highest"], num_players=2, seed=1)
model = MaskablePPO("MlpPolicy", venv, n_steps=32, batch_size=2048, n_epochs=4, seed=1)
model.learn(total_timesteps=50_000)

test_venv = Ono99VecEnv("2022", num_envs=256, opponents=["random"], num_players=2, seed=2)
mean_return, _ = evaluate_policy(model, test_venv, n_eval_episodes=2_000)
print(f"wins {(mean_return + 1) / 2:.1%} of two-player games against random")
