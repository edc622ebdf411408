"""The rules of a game as data: presets, options, cards."""
