"""Train one seat with an unmodified MaskablePPO against a scripted bot, and export it as a bot."""

import sys

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from torch import nn

from ono99_env import Rules
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.torch_export import export_policy
from ono99_env.envs.sb3 import Ono99VecEnv

path = sys.argv[1] if len(sys.argv) > 1 else "sb3.onnx"
rules = Rules.preset("2022", num_players=2)
venv = Ono99VecEnv(rules, num_envs=256, opponents=["highest"], seed=1)
model = MaskablePPO("MlpPolicy", venv, n_steps=32, batch_size=2048, n_epochs=4, seed=1)
model.learn(total_timesteps=50_000)

test_venv = Ono99VecEnv(rules, num_envs=256, opponents=["random"], seed=2)
mean_return, _ = evaluate_policy(model, test_venv, n_eval_episodes=2_000)
print(f"wins {(mean_return + 1) / 2:.1%} of two-player games against random")

hidden = model.policy.mlp_extractor
export_policy(
    nn.Sequential(hidden.policy_net, model.policy.action_net),
    path,
    BotMetadata(rules=rules, num_players=[2], training={"library": "stable-baselines3"}),
    value=nn.Sequential(hidden.value_net, model.policy.value_net),
)
print(f"the bot is {path}: try `ono99 arena {path} highest random --players 2`")
