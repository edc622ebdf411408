"""``ono99 explain``: a picture of what a bot plays when."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ono99_env.arena.decisions import Decisions, record_decisions
from ono99_env.bots import Bot, load_bot
from ono99_env.bots.foreign import check_bot
from ono99_env.bots.policies.bot_file import BotMetadata, shared_rules
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import INTERRUPTED, SUCCESS
from ono99_env.cli.outputs import check_file
from ono99_env.cli.parameters import PLAYERS_SPELLINGS, player_counts
from ono99_env.cli.progress import GamesProgress
from ono99_env.cli.usage_errors import mistakes_explained, table_options
from ono99_env.envs.arguments import resolve_rules
from ono99_env.messages.errors import BotError, UsageError
from ono99_env.messages.extras import need_extra
from ono99_env.rules.rules import Rules

_PLAYERS = "Player count, or several: 2,4; a column of the picture for each. [2,4]"
_USUAL_COUNTS = (2, 4)
_RULES = '"2022", "1980", or a YAML file of rules. [those a bot file was trained for, or 2022]'
_OUTPUT = (
    "The picture, a PNG file. [named after bot, rules and player counts, in the current folder]"
)
_GAMES = "Games at each player count."


def explain(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Whose policy is drawn.")],
    output: Annotated[Path | None, typer.Option(metavar="FILE", help=_OUTPUT)] = None,
    players: Annotated[
        list[str] | None, typer.Option(*PLAYERS_SPELLINGS, metavar="N", help=_PLAYERS)
    ] = None,
    rules: Annotated[str | None, typer.Option(metavar="RULES", help=_RULES)] = None,
    games: Annotated[int, typer.Option(metavar="N", min=1, help=_GAMES)] = 5000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Start of all randomness.")] = 1,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a picture that exists.")
    ] = False,
) -> int:
    """Draw which kinds of card a bot plays at each running total.

    The bot plays against copies of itself. Areas are shares of its choices, where cards of several
    kinds were legal: above with one card due, below with the first of two cards due. The same words
    give the same picture.
    """
    console = PlainConsole()
    with mistakes_explained(table_options(rules)):
        need_extra("arena", "explain", "matplotlib")
        player = load_bot(bot)
        kinds = _tables(player, rules, player_counts(players) if players else _counts_of(player))
        output = output or _default_name(bot, rules, kinds)
        check_file("--output", output, overwrite)
        try:
            tables = _record(console, player, kinds, games, seed)
        except KeyboardInterrupt:
            console.print("Interrupted: nothing was drawn.")
            return INTERRUPTED
        _draw(output, bot, tables)
    console.print(f"The picture is {output}", soft_wrap=True)
    return SUCCESS


def _record(
    console: PlainConsole, player: Bot, kinds: Sequence[Rules], games: int, seed: int
) -> list[Decisions]:
    """Record the decisions of games at each player count, and show how far they are."""
    try:
        with GamesProgress(console) as progress:
            count = progress.count(games * len(kinds))
            return [record_decisions(player, each, games, seed, count) for each in kinds]
    except BotError as error:
        raise UsageError(str(error)) from error


def _default_name(bot: str, rules: str | None, tables: Sequence[Rules]) -> Path:
    """Return a name that says what is shown: ``policy_highest_2022_2-4_players.png``."""
    played = Path(rules).stem if rules else tables[0].edition
    counts = "-".join(str(each.num_players) for each in tables)
    of_bot = re.sub(r"[^\w.-]+", "-", bot).strip("-.")
    return Path(f"policy_{of_bot}_{played}_{counts}_players.png")


def _draw(output: Path, name: str, tables: Sequence[Decisions]) -> None:
    from ono99_env.arena.report.policy_picture import save_policy  # matplotlib takes long to import

    save_policy(output, name, tables)


def _counts_of(bot: Bot) -> Sequence[int]:
    """Return two and four players, or the counts that a bot file was trained for."""
    metadata = getattr(bot, "metadata", None)
    if not isinstance(metadata, BotMetadata):
        return _USUAL_COUNTS
    return [each for each in _USUAL_COUNTS if each in metadata.num_players] or metadata.num_players


def _tables(bot: Bot, rules: str | None, counts: Sequence[int]) -> list[Rules]:
    """Return the rules at each player count, all of which the bot can play."""
    resolved = resolve_rules(rules or shared_rules([bot]) or "2022", num_players=counts[0])
    tables = [resolved.with_players(count) for count in counts]
    for each in tables:
        check_bot(bot, each)
    return tables
