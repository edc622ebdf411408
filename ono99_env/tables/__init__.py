"""Many tables at once, and the episodes of one learner at each of them."""
