"""`Arena`: play a tournament between bots, from its setup to its results."""

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, Self

from ono99_env.arena.analysis.results import Results
from ono99_env.arena.plan.line_ups import LineUps
from ono99_env.arena.plan.tournament_setup import TournamentSetup, fingerprint, versions
from ono99_env.arena.play.kept_games import KeptGames
from ono99_env.arena.play.tally import Tally, read_identity
from ono99_env.arena.play.tournament import Tournament, Watch
from ono99_env.arena.report.result_files import RESULTS_VERSION
from ono99_env.bots import Bot, load_bot, load_bot_of_file
from ono99_env.bots.foreign import checked_name
from ono99_env.bots.policies.bot_file import shared_rules
from ono99_env.envs.arguments import RulesArgument, resolve_rules
from ono99_env.messages.differences import describe_changes, shortly
from ono99_env.messages.extras import need_extra
from ono99_env.messages.fields import checked


class Arena:
    """A tournament: every bot meets every other, over duplicate deals.

    Args:
        bots: Names that `load_bot` accepts, or bots. In mixed tables their order does not matter.
        rules: `Rules`, a preset's name, a YAML file, or a mapping of fields. Default: the rules
            that the bot files among the bots were trained for if they agree, else 2022.
        players: One player count, or several, each of which is played.
        games: Least number of games at each player count (in one-vs-rest, against each opponent).
            It is rounded up to whole rounds: one deal with the seats rotated.
        seed: Seed of all randomness. The same seed gives the same results.
        seating: ``"mixed"``, or ``"one_vs_rest"``: the first bot alone against copies of each other
            bot in turn.
        confidence: Probability that an interval covers the true value.
        forfeit: Whether a bot that fails loses the game. The game ends there, and the players still
            in it share the win. If not, the tournament ends with an error. `Umpire` decides what
            a failure is: an illegal action is one.
        time_limit: Seconds that a bot may take for one batch of decisions; longer is a failure.

    Raises:
        ValueError: If an argument is impossible, a bot is unknown or cannot play the rules.
        FileNotFoundError: If a file does not exist.
        ImportError: If the extra ``arena``, or what a bot needs, is not installed.
    """

    def __init__(
        self,
        bots: Sequence[str | Bot],
        *,
        rules: RulesArgument | None = None,
        players: int | Sequence[int] = 4,
        games: int = 100_000,
        seed: int = 1,
        seating: Literal["mixed", "one_vs_rest"] = "mixed",
        confidence: float = 0.95,
        forfeit: bool = False,
        time_limit: float | None = None,
    ) -> None:
        need_extra("arena", "the arena", "scipy")
        counts = (players,) if isinstance(players, int) else tuple(players)
        loaded = [bot if isinstance(bot, Bot) else load_bot(bot) for bot in bots]
        rules = shared_rules(loaded) or "2022" if rules is None else rules
        fields = {
            "bots": tuple(checked_name(bot) if isinstance(bot, Bot) else str(bot) for bot in bots),
            "rules": resolve_rules(rules, **({"num_players": counts[0]} if counts else {})),
            "players": counts,
            "games": games,
            "seed": seed,
            "seating": seating,
            "confidence": confidence,
            "forfeit": forfeit,
            "time_limit": time_limit,
        }
        self._start(checked(TournamentSetup, fields), loaded)

    @classmethod
    def of(cls, setup: TournamentSetup, allow_code: Collection[str] = ()) -> Self:
        """Return the arena of a setup that was read from a file.

        Args:
            setup: What to play.
            allow_code: Names of its bots that may run code, exactly as in the file.

        Raises:
            ValueError: If a bot is unknown, cannot play the rules, or would run code and may not.
            FileNotFoundError: If a bot's file does not exist.
        """
        need_extra("arena", "the arena", "scipy")
        arena = cls.__new__(cls)
        arena._start(setup, [load_bot_of_file(name, allow_code) for name in setup.bots])
        return arena

    def _start(self, setup: TournamentSetup, bots: list[Bot]) -> None:
        if setup.seating == "mixed":
            # Sorted, so that the order in which a user names them does not matter.
            in_order = sorted(zip(setup.bots, bots, strict=True), key=lambda pair: pair[0])
            bots = [bot for _, bot in in_order]
            setup = setup.model_copy(update={"bots": tuple(name for name, _ in in_order)})
        self.setup = setup
        self.tournament = Tournament(setup, bots)
        self.tally = self.tournament.new_tally()
        """The counts of all that has been played so far."""

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Return what the results depend on: the setup, fingerprints of the bots, and versions."""
        bots = zip(self.setup.bots, self.tournament.bots, strict=True)
        return {
            "setup": self.setup.as_dict(),
            "fingerprints": {name: fingerprint(name, bot) for name, bot in bots},
            "versions": versions(),
        }

    def play(
        self,
        processes: int = 1,
        state: str | os.PathLike[str] | None = None,
        watch: Watch | None = None,
        executor: Executor | None = None,
    ) -> Results:
        """Play what has not been played yet. The results do not depend on the arguments here.

        Args:
            processes: How many processes play. With more than one, the bots must be picklable and
                the calling script guarded by ``if __name__ == "__main__":``.
            state: A file that keeps what has been played, saved every few seconds and when
                interrupted. If it exists, the tournament continues from it.
            watch: Called after every job with what has been played so far.
            executor: Plays the jobs in its processes, such as an `ono99_env.arena.RayExecutor`;
                None starts processes on this machine.

        Raises:
            BotError: If a bot fails and that does not cost it the game.
            ValueError: If the state is that of another tournament.
            WorkerError: If a process that plays ends by itself; the state keeps what was played.
        """
        if processes < 1:
            raise ValueError(f"processes: must be at least 1, not {processes}")
        keep = None
        if state is not None:
            path = Path(state)
            if path.exists():
                self.resume(path)
            keep = partial(Tally.save, path=path, identity=self.identity)
        self.tournament.play(self.tally, processes, watch, keep, executor)
        return Results.of(self.setup, self.tally)

    def kept_games(self, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield records of the first games of each table of the tournament; see `KeptGames`.

        Args:
            count: How many games at each player count (in one-vs-rest, against each opponent).

        Yields:
            A name, such as ``"4_players_001"``, and the record (`ono99_env.Game.from_record`).
        """
        numbers: Counter[int] = Counter()
        for schedule in self.tournament.schedules:
            players = schedule.num_players
            kept = KeptGames(
                self.setup.rules_at(players),
                self.tournament.bots,
                self.setup.bots,
                self.tournament.umpire,
            )
            for record in kept.records(schedule, count):
                numbers[players] += 1
                yield f"{players}_players_{numbers[players]:03}", record

    def resume(self, state: Path) -> None:
        """Continue from a state file that `play` saved.

        Raises:
            ValueError: If it is of another tournament; the message says what differs.
            OSError: If it cannot be read.
        """
        kept = read_identity(state)
        found = [
            line
            for part, value in self.identity.items()
            for line in describe_changes(_mapping(kept.get(part)), value)
        ]
        if found:
            raise ValueError(f"{state} is the state of another tournament: {shortly(found)}")
        self.tally.load(state)

    def record(self, results: Results) -> dict[str, Any]:
        """Return everything about the tournament and its results, for a JSON file."""
        plan = [
            {
                "num_players": schedule.num_players,
                "rounds": schedule.rounds,
                "table": _table_text(schedule.line_ups),
            }
            for schedule in self.tournament.schedules
        ]
        head = {"format": "ono99-arena", "format_version": RESULTS_VERSION}
        return {**head, **self.identity, "plan": plan} | results.as_dict()


def _table_text(line_ups: LineUps) -> str | None:
    """Write the bots of the games of a round as ``"0 1 1, 1 1 0"``; None if they are drawn."""
    if line_ups.table is None:
        return None
    return ", ".join(" ".join(map(str, bots)) for bots in line_ups.table.tolist())


def differing_results(record: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Describe which figures of two records differ, one line for each."""
    parts = ("bots", "players", "tables", "failures", "plan")
    then, now = ({part: each.get(part) for part in parts} for each in (record, other))
    return describe_changes(then, now)


def _mapping(value: Any) -> Mapping[str, Any]:
    """Return a value of a file if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}
