"""Bots that follow rules of thumb, compiled with the engine."""
