"""Turn counts into figures: win rates, intervals, comparisons, ratings."""
