"""Playing a tournament: jobs, processes, the umpire and the tally."""
