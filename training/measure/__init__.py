"""What a run measures: evaluations, curves, reports, exploitability."""
