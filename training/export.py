"""Write a bot file: ``python -m training.export runs/quickstart`` or ``... model.zip``.

A run keeps its best bot by itself; from its folder the state of its last checkpoint is written. A
``.zip`` is a model that Stable-Baselines3 has saved, of MaskablePPO, PPO, A2C, DQN or QRDQN; if it
was trained behind ``VecNormalize``, ``--vecnormalize FILE`` names its statistics, which the file of
the model does not hold. Opening either can run code that is in the file, so open only files whose
origin you trust; the bot file that comes out can run none.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from stable_baselines3.common.policies import BasePolicy

from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.normalization import Normalization
from ono99_env.bots.policies.sb3_bot import load_model
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.parameters import join_player_counts
from ono99_env.cli.usage_errors import in_words, show_error, table_options
from ono99_env.envs.arguments import resolve_rules
from ono99_env.messages.errors import UsageError
from training.config.command_line import add_allow_code, counts_of_word, read_command, read_yaml
from training.config.config import Config
from training.distributed.checkpoints import check_allowed, rllib_checkpoint
from training.distributed.cluster_config import DistributedConfig
from training.learner.learner import make_learner
from training.learner.metadata import code_version, describe_bot
from training.networks.policy_network import export_bot
from training.run.output_files import check_result_file
from training.run.resumption import read_state, seconds_learning_of
from training.run.run_folder import RunFolder

WRITTEN, WRONG_USAGE = 0, 2
"""Exit codes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    words = join_player_counts(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(words)
    try:
        path = run(options)
    except UsageError as error:
        show_error(str(error))
        return WRONG_USAGE
    PlainConsole(soft_wrap=True).print(f"The bot is {path}")
    return WRITTEN


def run(options: argparse.Namespace) -> Path:
    """Write the bot file.

    Args:
        options: What the command line says.

    Returns:
        The file.

    Raises:
        UsageError: If there is nothing to export or the file exists; nothing is written then.
    """
    source: Path = options.source
    is_run = source.is_dir()
    path = options.bot or (source / "latest.onnx" if is_run else source.with_suffix(".onnx"))
    if not source.exists():
        raise UsageError(f"there is no run and no saved model {source}")
    check_result_file("BOT", path, options.overwrite)
    if is_run and options.vecnormalize is not None:
        raise UsageError("--vecnormalize: a run knows how it saw its observations")
    if is_run:
        policy, metadata = _of_run(RunFolder(source), options.allow_code)
    else:
        policy, metadata = _of_model(source, options)
    try:
        export_bot(policy, path, metadata, _statistics(options.vecnormalize))
    except (ValueError, RuntimeError) as error:
        raise UsageError(f"{source} cannot be exported: {error}") from error
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    return path


def _statistics(path: Path | None) -> Normalization | None:
    try:
        return None if path is None else Normalization.load(path)
    except (ValueError, OSError) as error:
        raise UsageError(f"--vecnormalize: {error}") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training.export",
        description="Write a bot file from a run or a saved model.",
        epilog="Opening a .zip can run code that is in it: trust its origin.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "source", type=Path, metavar="SOURCE", help="folder of a run, or a .zip of SB3"
    )
    parser.add_argument(
        "bot", type=Path, nargs="?", metavar="BOT", help="the file to write, ending in .onnx"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace an older file")
    add_allow_code(parser)
    model = parser.add_argument_group("for a .zip, which does not know what it was trained for")
    model.add_argument("--rules", default="2022", help='"2022", "1980" or a YAML file')
    model.add_argument(
        "--players", type=counts_of_word, metavar="N", help="player count, or several: 2,4"
    )
    model.add_argument(
        "--vecnormalize",
        type=Path,
        metavar="FILE",
        help="statistics that VecNormalize.save wrote; opening it can run code that is in it",
    )
    return parser


def _of_run(folder: RunFolder, allow_code: Sequence[str]) -> tuple[BasePolicy, BotMetadata]:
    """The policy of the last checkpoint of a run, and what its bot file says."""
    is_distributed = "cluster" in read_yaml(folder.config)
    kind = DistributedConfig if is_distributed else Config
    allowed = [word for name in allow_code for word in ("--allow-code", name)]
    config = read_command(["--resume", str(folder.path), *allowed], kind).config
    state = read_state(folder, config)
    if state is None:
        raise UsageError(f"the run {folder.path} has not begun to train yet")
    decisions = state["learner"]["num_timesteps"]
    metadata = describe_bot(config, decisions, seconds_learning_of(state))
    if is_distributed:
        check_allowed(folder, allow_code)
        from training.distributed.cluster_export import policy_of

        return policy_of(rllib_checkpoint(folder, state)), metadata
    learner, _ = make_learner(config.model_copy(update={"init_from": None}))
    learner.policy.load_state_dict(
        {name: torch.from_numpy(array) for name, array in state["learner"]["policy"].items()}
    )
    return learner.policy, metadata


def _of_model(path: Path, options: argparse.Namespace) -> tuple[BasePolicy, BotMetadata]:
    """The policy of a saved model, and what its bot file says."""
    if not options.players:
        raise UsageError("--players: say for how many players the model was trained")
    try:
        rules = resolve_rules(options.rules, max(options.players))
    except (ValueError, OSError) as error:
        raise UsageError(in_words(error, table_options(options.rules))) from error
    try:
        model = load_model(path)
        training = {"decisions": model.num_timesteps, "code_version": code_version()}
        metadata = BotMetadata(rules=rules, num_players=options.players, training=training)
    except (ValueError, OSError) as error:
        raise UsageError(str(error)) from error
    return model.policy, metadata


if __name__ == "__main__":
    sys.exit(main())
