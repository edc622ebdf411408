"""Measure bots: evaluations, learning curves, reports, exploitability."""
