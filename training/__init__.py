"""Train bots from a checkout: ``python -m training.train configs/quickstart.yaml``.

Needs the extra ``train``. Nothing in the package `ono99_env` depends on it.
"""
