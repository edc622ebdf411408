"""Bots with trained policies: bot files (``.onnx``) and Stable-Baselines3 models.

`onnx_bot` plays a bot file, `bot_file` reads and writes one, `onnx_files` checks its network, and
`torch_export` makes one of a PyTorch network.
"""
