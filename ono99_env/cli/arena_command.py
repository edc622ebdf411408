"""``ono99 arena``: play a new tournament, or continue or repeat one."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ono99_env.arena.analysis.results import Results
from ono99_env.arena.arena import Arena, differing_results
from ono99_env.arena.play.ray_cluster import RayExecutor
from ono99_env.arena.play.tally import read_identity
from ono99_env.arena.report.result_files import read_json, setup_of
from ono99_env.bots.names import ALLOW_CODE, ALLOW_CODE_HELP, allow_code_words
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import DIFFERENT, INTERRUPTED, SUCCESS
from ono99_env.cli.live_standings import Watching
from ono99_env.cli.option_records import takes_options_of
from ono99_env.cli.outputs import Outputs, write_games
from ono99_env.cli.parameters import PLAYERS_SPELLINGS, player_counts
from ono99_env.cli.result_tables import show_record
from ono99_env.cli.usage_errors import mistakes_explained, table_options
from ono99_env.messages.differences import describe_changes
from ono99_env.messages.errors import BotError, UsageError, WorkerError

_NEW_ONLY = ("bots", "players", "games", "rules", "seed", "one_vs_rest", "forfeit", "time_limit")
"""Options that define a tournament. They cannot be combined with one that is read from a file."""

_DEFAULTS: dict[str, Any] = {"players": ["4"], "games": 100_000, "seed": 1}

_OPTIONS = {"bots": "BOT...", **{name: f"--{name.replace('_', '-')}" for name in _NEW_ONLY[1:]}}
"""The option of each field of a new tournament."""

_GAMES = "Games at each player count, at least; with --one-vs-rest against each opponent. [100000]"
_RULES = (
    '"2022", "1980", or a YAML file of rules. [those that the bot files were trained for if they '
    "agree, else 2022]"
)
_ONE = "The first bot alone against copies of each of the others in turn."
_FORFEIT = "A bot that fails loses the game it fails in, and the tournament goes on."
_LIMIT = "Seconds a bot may take for a batch of decisions; more is a failure."
_CLUSTER = "Play on the Ray cluster there (auto, or HOST:6379), on all its CPUs."
_JSON = "Write the results there; while it runs, FILE.state keeps what has been played."
_CSV = "Write the figures of every bot there, for a spreadsheet."
_REPORT = "Write a page with plots (index.html and PNG files) into this folder."
_KEEP = (
    "Write records of the first N games at each player count, for ono99 replay: into the folder of "
    "--report (games/), or beside the file of --json."
)
_CONTINUE = "Go on with an interrupted tournament from its state file."
_REPEAT = "Play the tournament of a results file again and compare the figures."
_OVERWRITE = "Replace output files that exist, and drop a state that does not fit."


@dataclass(frozen=True)
class ArenaOptions:
    """The options of ``ono99 arena``."""

    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT", help="Who plays.")] = None
    players: Annotated[
        list[str] | None,
        typer.Option(*PLAYERS_SPELLINGS, metavar="N", help="Player count, or several: 2,4. [4]"),
    ] = None
    games: Annotated[int | None, typer.Option(metavar="N", min=1, help=_GAMES)] = None
    rules: Annotated[str | None, typer.Option(metavar="RULES", help=_RULES)] = None
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Start of all randomness. [1]")
    ] = None
    one_vs_rest: Annotated[bool | None, typer.Option("--one-vs-rest", help=_ONE)] = None
    forfeit: Annotated[bool | None, typer.Option("--forfeit", help=_FORFEIT)] = None
    time_limit: Annotated[float | None, typer.Option(metavar="SECONDS", help=_LIMIT)] = None
    processes: Annotated[int, typer.Option(metavar="N", min=1, help="How many processes play.")] = 1
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help=_CLUSTER)] = None
    json: Annotated[Path | None, typer.Option(metavar="FILE", help=_JSON)] = None
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help=_CSV)] = None
    report: Annotated[Path | None, typer.Option(metavar="DIR", help=_REPORT)] = None
    keep_games: Annotated[int, typer.Option(metavar="N", min=0, help=_KEEP)] = 0
    continue_from: Annotated[
        Path | None, typer.Option("--continue", metavar="FILE", help=_CONTINUE)
    ] = None
    repeat: Annotated[Path | None, typer.Option(metavar="FILE", help=_REPEAT)] = None
    allow_code: Annotated[
        list[str] | None, typer.Option(ALLOW_CODE, metavar="NAME", help=ALLOW_CODE_HELP)
    ] = None
    overwrite: Annotated[bool, typer.Option("--overwrite", help=_OVERWRITE)] = False

    @property
    def wanted(self) -> dict[str, Any]:
        """Return what the user gave of the options that define a tournament."""
        given = {name: getattr(self, name) for name in _NEW_ONLY}
        return {name: value for name, value in given.items() if value not in (None, [])}

    @property
    def state_file(self) -> Path | None:
        """Return the state to continue from: the file given, or the one beside it."""
        path = self.continue_from
        if path is not None and not path.exists():
            beside = path.with_name(f"{path.name}.state")
            return beside if beside.exists() else path
        return path

    @property
    def outputs(self) -> Outputs:
        """Return the files to write; a continued state is named after its results file."""
        state, json = self.state_file, self.json
        if state is not None and json is None and state.suffix == ".state":
            json = state.with_suffix("")
        return Outputs(json, self.csv, self.report, self.overwrite, self.keep_games)


@takes_options_of(ArenaOptions)
def arena(options: ArenaOptions) -> int:
    """Play a tournament between bots over duplicate deals.

    Every bot meets every other in mixed tables, every deal is played with the seats rotated, and
    intervals are over deals. The same options give the same figures, with any number of processes.
    """
    outputs = options.outputs
    console = PlainConsole()
    with mistakes_explained({**_OPTIONS, **table_options(options.rules)}):
        outputs.check()
        contest, earlier = _find(options)
        state = options.state_file or outputs.state_for(contest)
        results = _play(contest, options, state, console)
        if results is None:
            return INTERRUPTED
        record = contest.record(results)
        outputs.write(record)
        if outputs.games is not None:
            write_games(outputs.games, contest.kept_games(options.keep_games))
    if state is not None and outputs.json is not None:
        state.unlink(missing_ok=True)
    show_record(console, record)
    return _compare(console, earlier, record) if earlier else SUCCESS


def _play(
    contest: Arena, options: ArenaOptions, state: Path | None, console: PlainConsole
) -> Results | None:
    """Play a tournament, and show how far it is; None if the user interrupts it."""
    with Watching(console, contest.tournament) as watching:
        try:
            return _play_here_or_on_cluster(contest, options, state, watching)
        except KeyboardInterrupt:
            watching.stop()
            _say_how_to_continue(console, contest, state)
            return None
        except WorkerError:
            watching.stop()
            _say_how_to_continue(console, contest, state)
            raise
        except BotError as error:
            raise UsageError(
                f"{error}. With --forfeit a bot that fails only loses the game it fails in."
            ) from error


def _play_here_or_on_cluster(
    contest: Arena, options: ArenaOptions, state: Path | None, watching: Watching
) -> Results:
    if options.cluster is None:
        return contest.play(options.processes, state, watching)
    try:
        executor = RayExecutor(options.cluster)
    except (ConnectionError, ModuleNotFoundError) as error:
        raise UsageError(f"--cluster {options.cluster}: {error}") from error
    with executor:
        return contest.play(executor.workers, state, watching, executor)


def _find(options: ArenaOptions) -> tuple[Arena, dict[str, Any] | None]:
    """Return the tournament to play, and the record that it repeats, if it repeats one."""
    wanted, state, repeat = options.wanted, options.state_file, options.repeat
    allow_code = options.allow_code or []
    if state is None and repeat is None:
        return _new_arena({**_DEFAULTS, **wanted}), None
    if wanted or (state and repeat):
        raise UsageError(
            "--continue and --repeat read from a file what to play: give one of them, and with it "
            "none of " + ", ".join(_OPTIONS.values())
        )
    if state is not None:
        contest = Arena.of(setup_of(read_identity(state), state), allow_code)
        contest.resume(state)
        return contest, None
    assert repeat is not None
    record = read_json(repeat)
    return Arena.of(setup_of(record, repeat), allow_code), record


def _new_arena(wanted: dict[str, Any]) -> Arena:
    if not wanted.get("bots"):
        raise UsageError("name the bots that play, such as: ono99 arena highest random")
    return Arena(
        wanted["bots"],
        rules=wanted.get("rules"),
        players=player_counts(wanted["players"]),
        games=wanted["games"],
        seed=wanted["seed"],
        seating="one_vs_rest" if "one_vs_rest" in wanted else "mixed",
        forfeit="forfeit" in wanted,
        time_limit=wanted.get("time_limit"),
    )


def _say_how_to_continue(console: PlainConsole, contest: Arena, state: Path | None) -> None:
    played = f"Interrupted after {contest.tally.games:,} of {contest.tournament.games:,} games"
    if state is None:
        console.print(
            f"{played}: nothing was kept. With --json FILE a tournament can be continued."
        )
    else:
        allowed = allow_code_words(contest.setup.bots)
        command = f"ono99 arena --continue {shlex.quote(str(state))}{allowed}"
        console.print(f"{played}. Go on with: {command}", soft_wrap=True)


def _compare(console: PlainConsole, earlier: dict[str, Any], record: dict[str, Any]) -> int:
    """Say whether a repetition gave the same figures, and if not, what may have changed them."""
    different = differing_results(earlier, record)
    if not different:
        console.print("The figures are exactly those of the file.")
        return SUCCESS
    console.print(
        f"{len(different)} figures differ from the file, such as {different[0]}", soft_wrap=True
    )
    for part in ("versions", "fingerprints"):
        for line in describe_changes(earlier.get(part, {}), record[part]):
            console.print(f"  {part}: {line}", soft_wrap=True)
    return DIFFERENT
