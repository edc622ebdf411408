"""Bots with trained policies: bot files and Stable-Baselines3 models."""
