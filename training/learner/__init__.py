"""The learner: networks, algorithm state, and the policy in a bot file."""
