"""Self-play on a Ray cluster with RLlib: ``python -m training.distributed CONFIG``.

The games, the networks, the league and the files of a run are those of `training.train`; RLlib
spreads the playing over any number of processes and machines, and the learning over learners.
Needs the extra ``distributed``.
"""
