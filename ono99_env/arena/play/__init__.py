"""Play a tournament: jobs, processes, the tally, and the umpire who notices illegal actions."""
