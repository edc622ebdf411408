"""Measuring bots: evaluations, learning curves, reports, exploitability."""
