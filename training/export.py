"""Write a bot file: ``python -m training.export runs/quickstart`` or ``... model.zip``.

A run keeps its best bot by itself; from its folder the state of its last checkpoint is written. A
``.zip`` is a model that Stable-Baselines3 has saved, of MaskablePPO, PPO, A2C, DQN or QRDQN; if it
was trained behind ``VecNormalize``, ``--vecnormalize FILE`` names its statistics, which the file of
the model does not hold. Opening either can run code that is in the file, so open only files whose
origin you trust; the bot file that comes out can run none.
"""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import torch
from stable_baselines3.common.policies import BasePolicy

from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.normalization import Normalization
from ono99_env.bots.policies.sb3_bot import load_model
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import SUCCESS, run_command
from ono99_env.cli.outputs import check_file
from ono99_env.cli.usage_errors import mistakes_explained, table_options
from ono99_env.envs.arguments import resolve_rules
from ono99_env.messages.errors import UsageError
from training.config.argument_parser import CommandParser, parse_counts
from training.config.command_line import read_command, read_yaml
from training.config.config import Config
from training.distributed.checkpoints import check_allowed, rllib_checkpoint
from training.distributed.cluster_config import DistributedConfig
from training.learner.learner import make_learner
from training.learner.metadata import code_version, describe_bot
from training.learner.number_format import keep_number_format
from training.networks.policy_network import export_bot
from training.run.resumption import read_state, seconds_learning_of
from training.run.run_folder import RunFolder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words of the command line; default: those of the process.

    Returns:
        The exit code of the process.
    """
    options = _parser().parse_args(arguments)
    return run_command(lambda: _run(options), "Interrupted: nothing was written.")


def _run(options: Namespace) -> int:
    path = export(options)
    PlainConsole(soft_wrap=True).print(f"The bot is {path}")
    return SUCCESS


def export(options: Namespace) -> Path:
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
    check_file("BOT", path, options.overwrite)
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
    """Read the statistics of ``VecNormalize``, if there are any."""
    try:
        return None if path is None else Normalization.load(path)
    except (ValueError, OSError) as error:
        raise UsageError(f"--vecnormalize: {error}") from error


def _parser() -> CommandParser:
    parser = CommandParser(
        "training.export",
        description="Write a bot file from a run or a saved model.",
        epilog="Opening a .zip can run code that is in it: trust its origin.",
    )
    parser.add_argument(
        "source", type=Path, metavar="SOURCE", help="folder of a run, or a .zip of SB3"
    )
    parser.add_argument(
        "bot", type=Path, nargs="?", metavar="BOT", help="the file to write, ending in .onnx"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace an older file")
    parser.add_allow_code()
    model = parser.add_argument_group("for a .zip, which does not know what it was trained for")
    model.add_argument("--rules", default="2022", help='"2022", "1980" or a YAML file')
    model.add_argument(
        "--players",
        "--num_players",
        type=parse_counts,
        metavar="N",
        help="player count, or several: 2,4",
    )
    model.add_argument(
        "--vecnormalize",
        type=Path,
        metavar="FILE",
        help="statistics that VecNormalize.save wrote; opening it can run code that is in it",
    )
    return parser


def _of_run(folder: RunFolder, allow_code: Sequence[str]) -> tuple[BasePolicy, BotMetadata]:
    """Return the policy of the last checkpoint of a run, and the metadata of its bot file."""
    is_distributed = "cluster" in read_yaml(folder.config)
    kind = DistributedConfig if is_distributed else Config
    allowed = [word for name in allow_code for word in ("--allow-code", name)]
    config = read_command(["--resume", str(folder.path), *allowed], kind).config
    state = read_state(folder, config)
    if state is None:
        raise UsageError(f"the run {folder.path} has not begun to train yet")
    config = keep_number_format(config, state["config"])
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


def _of_model(path: Path, options: Namespace) -> tuple[BasePolicy, BotMetadata]:
    """Return the policy of a saved model, and the metadata of its bot file."""
    if not options.players:
        raise UsageError("--players: say for how many players the model was trained")
    with mistakes_explained(table_options(options.rules)):
        rules = resolve_rules(options.rules, max(options.players))
    with mistakes_explained():
        model = load_model(path)
        training = {"decisions": model.num_timesteps, "code_version": code_version()}
        metadata = BotMetadata(rules=rules, num_players=options.players, training=training)
    return model.policy, metadata


if __name__ == "__main__":
    sys.exit(main())
