"""Messages of docs/errors.md that other tests raise: the file, and the words it asks for."""

# ruff: noqa: E501 - messages stay whole, so that they can be found

RAISED_BY: dict[str, tuple[str, str]] = {
    "deck: ... cards are too few to deal ... (hand_size) to each of ... players; at least ...": (
        "tests/envs/test_impossible_rules.py",
        "cards are too few to deal",
    ),
    "dealer: must be 'random' or a seat from 0 to ..., not ...": (
        "tests/envs/test_impossible_rules.py",
        "dealer: must be 'random' or a seat from 0 to",
    ),
    "rules: must be '2022' or '1980', a file of rules that ends in .yaml, a mapping ...": (
        "tests/envs/test_impossible_rules.py",
        "rules: must be '2022' or '1980', a file of rules",
    ),
    "rules must be Rules, not ...": ("tests/reliability/test_arrays.py", "rules must be"),
    "... is no regular file": ("tests/training/test_names.py", "is no regular file"),
    "... must hold a mapping of fields, such as '...'": (
        "tests/training/config/test_config.py",
        "must hold a mapping of",
    ),
    "dealer must be a seat from 0 to ..., not ...": (
        "tests/game/test_reading.py",
        "dealer must be a seat from 0 to",
    ),
    "stands in place of seed and dealt": ("tests/game/test_records.py", "stands in place of seed"),
    "total: the plays lead to ..., not ...": (
        "tests/game/test_records.py",
        "total: the plays lead to",
    ),
    "winners: by the plays they are ...": (
        "tests/game/test_records.py",
        "winners: by the plays they are",
    ),
    "...: it is the turn of seat ..., not ...": (
        "tests/game/test_records.py",
        ": it is the turn of seat",
    ),
    "...: the game is over": ("tests/game/test_records.py", ": the game is over"),
    "...: the game is over before this play": ("tests/game/test_records.py", ": the game is over"),
    "... must be True or False, not ...": ("tests/envs/test_aec_options.py", "must be True or"),
    "autoreset_mode must be one of ..., not ...": (
        "tests/envs/test_autoreset.py",
        "autoreset_mode must be one of",
    ),
    "max_episode_steps must be None or at least 1, not ...": (
        "tests/envs/test_step_limit.py",
        "max_episode_steps must be None or at least",
    ),
    "num_players must be a player count or a list of 1 to ..., not ...": (
        "tests/envs/test_vector.py",
        "num_players must be a player count or a list",
    ),
    "... must be 'all' or from 0 to ..., not ...": (
        "tests/envs/test_rendering.py",
        "must be 'all' or from 0 to",
    ),
    "theme must be one of ..., not ...": (
        "tests/drawing/test_table_picture.py",
        "theme must be one of",
    ),
    "actions must have shape (...,), not ...": (
        "tests/reliability/test_arrays.py",
        "must have shape",
    ),
    "seeds must have shape ..., not ...": ("tests/reliability/test_arrays.py", "must have shape"),
    "... must have shape ..., not ...": ("tests/reliability/test_arrays.py", "must have shape"),
    "state: it was saved from ... tables and cannot be loaded into ...": (
        "tests/envs/test_sb3.py",
        "tables and cannot be loaded into",
    ),
    "...[...]: must be a seat from 0 to ..., not ...": (
        "tests/reliability/test_arrays.py",
        "]: must be a seat from 0 to",
    ),
    "no compiled bot ...; there are: ...": (
        "tests/bots/scripted/test_compiled_bots.py",
        "no compiled bot",
    ),
    "option ... of bot ... is given twice": ("tests/bots/test_bot_options.py", "is given twice"),
    "search takes simulations or milliseconds, not both": (
        "tests/bots/search/test_search.py",
        "simulations or milliseconds, not both",
    ),
    "... must be at least 1, not ...": (
        "tests/bots/search/test_search.py",
        "must be at least 1, not",
    ),
    "... has ... bytes of metadata, and a bot file may have ... at most.": (
        "tests/bots/policies/onnx_files/test_operators.py",
        "bytes of metadata, and a bot file may have",
    ),
    "... is an ONNX file but not a bot file: it has no metadata of ono99-env. Bot files are written ...": (
        "tests/bots/policies/test_bot_file.py",
        "not a bot file: it has no metadata",
    ),
    "is not an ONNX file": ("tests/bots/policies/test_bot_file.py", "is not an ONNX file"),
    "has a node Einsum that needs too much memory": (
        "tests/bots/policies/onnx_files/test_operators.py",
        "needs too much memory",
    ),
    "uses operators that are not standard ONNX: ...": (
        "tests/bots/policies/test_bot_file.py",
        "operators that are not standard ONNX:",
    ),
    "has a tensor with other numbers than its shape says": (
        "tests/bots/policies/onnx_files/test_operators.py",
        "other numbers than its shape",
    ),
    "has a tensor with other numbers than its shape ... says": (
        "tests/bots/policies/onnx_files/test_operators.py",
        "other numbers than its shape",
    ),
    "does not answer each observation by itself: its answer to one changes with ...": (
        "tests/bots/policies/test_torch_export.py",
        "does not answer each observation by",
    ),
    "does not fit: for ... observations its logits have the shape ... and its ...": (
        "tests/bots/policies/onnx_files/test_operators.py",
        "observations its logits have the shape",
    ),
    "bot ... computed logits that are not finite numbers: its training may have diverged. Use ...": (
        "tests/bots/policies/test_onnx_bot.py",
        "logits that are not finite",
    ),
    "bot ... computed values that are not finite numbers: its training may have diverged": (
        "tests/bots/policies/test_sb3_bot.py",
        "computed values that are not finite",
    ),
    "is a recurrent model: a bot keeps no memory between its turns": (
        "tests/bots/policies/test_sb3_bot.py",
        "recurrent model: a bot keeps no memory",
    ),
    "the statistics are of observations of the shapes ..., and those of ...": (
        "tests/training/test_export_policies.py",
        "statistics are of observations of the shapes",
    ),
    "the exported ... differ from the policy's by ... in positions of real games: the file would be ...": (
        "tests/bots/policies/test_torch_export.py",
        "differ from the policy's by",
    ),
    "the policy cannot be copied: ...": (
        "tests/bots/policies/test_torch_export.py",
        "policy cannot be",
    ),
    "the ... cannot be computed for float32 observations of shape ...: ...": (
        "tests/bots/policies/test_torch_export.py",
        "cannot be computed for float32 observations",
    ),
    "--players: say for how many players the model was trained": (
        "tests/training/test_export.py",
        "--players: say for how many players",
    ),
    "there is no run and no saved model ...": (
        "tests/training/test_export.py",
        "there is no run and no saved model",
    ),
    "must be a whole number from ..., not ...": (
        "tests/training/test_evaluate.py",
        "must be a whole number from",
    ),
    "a process that played ended by itself, at the tables of ...: ...": (
        "tests/arena/play/test_workers.py",
        "ended by itself, at the tables of",
    ),
    "a process that played ended by itself (...), ...": (
        "tests/arena/play/test_workers.py",
        "ended by itself",
    ),
    "processes: the bots cannot be opened in another process, where ...": (
        "tests/arena/play/test_workers.py",
        "cannot be opened in another process,",
    ),
    "games must be at least 1, not ...": (
        "tests/arena/analysis/test_duplicates.py",
        "games must be at least 1, not",
    ),
    "seed must not be negative, and is ...": (
        "tests/arena/analysis/test_duplicates.py",
        "seed must not be",
    ),
    "an interval needs at least one deal": (
        "tests/arena/analysis/test_intervals.py",
        "at least one deal",
    ),
    "confidence must be between 0 and 1, not ...": (
        "tests/arena/analysis/test_duplicates.py",
        "confidence must be between 0 and",
    ),
    "players: name one player count at least": (
        "tests/arena/play/test_tournament.py",
        "players: name one player count",
    ),
    "...: ... is named twice": ("tests/arena/play/test_tournament.py", "is named twice"),
    "... is the state of another tournament: ...": (
        "tests/arena/play/test_changed_identities.py",
        "is the state of another tournament:",
    ),
    "... does not hold the state of a tournament": (
        "tests/arena/play/test_tournament.py",
        "does not hold the state of a tournament",
    ),
    "... does not hold the state of a tournament: it ...": (
        "tests/arena/play/test_tournament.py",
        "does not hold the state of a",
    ),
    "... does not hold the results of a tournament": (
        "tests/cli/test_arena_command.py",
        "does not hold the results of a tournament",
    ),
    "... can play none of the settings of ...; in the first one ...": (
        "tests/arena/test_benchmark.py",
        "can play none of the settings of",
    ),
    "there is no checkpoint ...": ("tests/training/test_names.py", "there is no checkpoint"),
    "the config does not fit the checkpoint ...: ... Set them back, or train anew with --name NEW ...": (
        "tests/training/run/test_resume.py",
        "does not fit the checkpoint",
    ),
    "the run cannot go on without its snapshot ...: ... Restore the file from ...": (
        "tests/training/run/test_resume.py",
        "cannot go on without its snapshot",
    ),
    "name either a bot to exploit or a run to go on with (--resume FOLDER)": (
        "tests/training/test_exploit.py",
        "name either a bot to exploit or a run to go on with",
    ),
    "plain training plays that of the rules; set self_play too": (
        "tests/training/config/test_config.py",
        "plain training plays that of the rules; set self_play",
    ),
    "must be 'random' or a seat from 0, not ...": (
        "tests/training/config/test_config.py",
        "must be 'random' or a seat from 0, not",
    ),
    "must be auto, cpu, cuda, cuda:NUMBER or mps, not ...": (
        "tests/training/config/test_config.py",
        "must be auto, cpu, cuda, cuda:NUMBER or mps, not",
    ),
    "must be letters, digits, '_', '-' and '.', such as run-2, not ...": (
        "tests/training/config/test_config.py",
        "must be letters, digits, '_', '-' and '.', such as run-2",
    ),
    "RLlib's PPO has no such stop; leave it null": (
        "tests/training/distributed/test_cluster_config.py",
        "RLlib's PPO has no such",
    ),
    "on a cluster the learner always plays itself": (
        "tests/training/distributed/test_cluster_config.py",
        "on a cluster the learner always plays itself",
    ),
    "... parts of the ... tables of each process that plays (num_envs by cluster.num_env_runners)": (
        "tests/training/distributed/test_cluster_config.py",
        "tables of each process that plays",
    ),
    "... is in use: another process is training there. Wait for it, or stop it": (
        "tests/training/run/test_resume.py",
        "is in use: another process is training",
    ),
    "cannot write to ...: ...": ("tests/training/run/test_resume.py", "cannot write to"),
    "--start_from: ... is no bot file that training.train has written": (
        "tests/training/test_exploit.py",
        "is no bot file that",
    ),
    "--players: say at a table of how many, such as --players 2": (
        "tests/training/test_exploit.py",
        "--players: say at a table of how",
    ),
    "training on a cluster needs Ray: pip install 'ono99-env[distributed]'": (
        "tests/training/distributed/test_cluster_config.py",
        "pip install 'ono99-env[distributed]'",
    ),
    "module ... has no attribute ...": ("tests/test_imports.py", "has no attribute"),
    "CFR+ solves games of 2 players, not of ...": (
        "tests/libraries/openspiel/test_small_games.py",
        "2 players, not of",
    ),
    "bot ... must tell a probability for each of ... actions, 0 for those that are not legal ...": (
        "tests/libraries/openspiel/test_bots.py",
        "must tell a probability",
    ),
    "the game is over: ... cannot be applied": (
        "tests/libraries/openspiel/test_game.py",
        "the game is over",
    ),
    "... is not a possible outcome: ..., and possible are: ...": (
        "tests/libraries/openspiel/test_game.py",
        "possible are: ",
    ),
    "bot ... took more than ... s for a batch of ... decisions, in ...": (
        "tests/arena/play/test_forfeits.py",
        "s for a batch of",
    ),
    "... does not fit this version of ono99-env: its ... is ..., and ... is needed here. Use the version of ono99-env that ...": (
        "tests/bots/policies/test_bot_file.py",
        "needed here",
    ),
    "cluster: ... env runners and ... learners take ...s, and the cluster has ... Ask for fewer, or ...": (
        "tests/libraries/rllib/test_algorithm.py",
        "s, and the cluster has",
    ),
    "this seat is taken: its link was opened in another browser first. Whoever set up the table can make a new link": (
        "tests/play/test_bad_input.py",
        "this seat is taken",
    ),
    "it is not your turn: ... is to play": ("tests/play/test_bad_input.py", "not your turn"),
    "... has to draw first": ("tests/play/test_protocol.py", "has to draw first"),
    "the request is larger than ... bytes": ("tests/play/test_bad_input.py", "larger than"),
    "there is no bot ... here... Known are: .... A file of your own is named on the command line": (
        "tests/play/test_bad_input.py",
        "there is no bot",
    ),
    "moments go from 0 to ...": ("tests/play/test_terminal.py", "moments go from 0"),
    "the statistics are of observations of the shapes ..., and those ... have shape (...,)": (
        "tests/training/test_export_policies.py",
        "statistics are of observations of the shapes",
    ),
}
