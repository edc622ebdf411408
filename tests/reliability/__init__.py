"""Attacks on the package: damaged files, broken arrays, interruptions, games that never end."""
