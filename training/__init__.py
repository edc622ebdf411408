"""Train bots from a checkout: ``python -m training.train configs/quickstart.yaml``.

Needs the extra ``train``. Nothing in the package `ono99_env` depends on it.
"""

from ono99_env.messages.extras import need_extra

need_extra("train", "training", "torch", "sb3_contrib", "pydantic_settings")
