"""Self-play: every decision of every seat that the learner holds is a training sample."""
