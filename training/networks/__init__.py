"""The networks of a policy, and how they get into bot files and out of them."""
