"""From counts to figures: win rates, intervals, comparisons, ratings."""
