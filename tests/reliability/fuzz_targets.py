"""What the fuzzer tries: each target takes a mutant as it should, or refuses it with our own error.

A target is made from a folder that it may write into, and called with the generator of one mutant;
it returns ``taken`` or ``refused``, and raises whatever must not happen.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ono99_env import Game, Rules, SnapshotError, ono99_v0
from ono99_env.arena import Arena
from ono99_env.arena.arena import differing_results
from ono99_env.arena.play.tally import read_identity
from ono99_env.arena.report.result_files import read_json, setup_of
from ono99_env.files.array_archive import read_archive, write_archive
from tests.bots.policies import fuzz_bot_files
from tests.reliability.mutants import mutate_bytes, mutate_tree

TAKEN, REFUSED = "taken", "refused"
CHECKOUT = Path(__file__).parents[2]


def check_words(error: Exception) -> str:
    """Check that a message is for people; returns ``refused``."""
    words = str(error)
    assert words, "an error without a message"
    assert len(words) < 4000, f"a message of {len(words)} characters"
    assert not any(ord(letter) < 32 and letter not in "\n\t" for letter in words), repr(words)
    return REFUSED


def play_on(game: Game, rng: np.random.Generator, decisions: int = 20) -> None:
    """Look at a game from every seat and play it on."""
    for seat in range(game.num_players):
        assert np.abs(game.views(seat).observation).max() <= 1
    for _ in range(decisions):
        if game.is_over:
            break
        game.play(rng.choice(game.legal_actions()))
    assert Game.from_snapshot(game.snapshot()).snapshot() == game.snapshot()


class RulesFields:
    """Rules from a dict."""

    def __init__(self, folder: Path) -> None:
        self.originals = [
            Rules.preset("2022").model_dump(mode="json"),
            Rules.preset("1980", num_players=3, format="points_lowest").model_dump(mode="json"),
            {"edition": "1980", "chips": 2, "play_two_answers": ["hold"], "deck": {"10": 60}},
        ]

    def __call__(self, rng: np.random.Generator) -> str:
        fields = mutate_tree(self.originals[rng.integers(len(self.originals))], rng)
        try:
            rules = Rules.of_fields(fields)
        except ValueError as error:
            return check_words(error)
        assert Rules.of_fields(json.loads(rules.model_dump_json())) == rules
        play_on(Game(rules, seed=1), rng)
        return TAKEN


class RulesFiles:
    """Rules from a YAML file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "rules.yaml"
        self.originals = [path.read_bytes() for path in (CHECKOUT / "configs/rules").iterdir()]

    def __call__(self, rng: np.random.Generator) -> str:
        self.path.write_bytes(mutate_bytes(self.originals[rng.integers(len(self.originals))], rng))
        try:
            rules = Rules.from_yaml(self.path)
        except ValueError as error:
            return check_words(error)
        play_on(Game(rules, seed=1), rng)
        return TAKEN


class Configs:
    """Configs of training runs, from YAML files that are changed as trees or as texts."""

    def __init__(self, folder: Path) -> None:
        from training.config.command_line import read_command
        from training.distributed.cluster_config import DistributedConfig

        self.read, self.distributed = read_command, DistributedConfig
        self.path = folder / "config.yaml"
        paths = sorted((CHECKOUT / "configs").glob("*.yaml"))
        self.originals = [(path.stem, path.read_bytes()) for path in paths]

    def __call__(self, rng: np.random.Generator) -> str:
        from ono99_env.messages.errors import UsageError

        name, content = self.originals[rng.integers(len(self.originals))]
        if rng.random() < 0.5:
            content = mutate_bytes(content, rng)
        else:
            tree = mutate_tree(yaml.safe_load(content), rng)
            content = yaml.safe_dump(tree, allow_unicode=True).encode(errors="replace")
        self.path.write_bytes(content)
        kinds = [self.distributed] if name == "distributed" else []
        try:
            self.read([str(self.path)], *kinds)
        except UsageError as error:
            return check_words(error)
        return TAKEN


class Snapshots:
    """Snapshots of games, for `Game` and for the AEC environment."""

    def __init__(self, folder: Path) -> None:
        self.env = ono99_v0.raw_env(rules="1980", num_players=3)
        self.env.reset(seed=1)

    def __call__(self, rng: np.random.Generator) -> str:
        edition = ("2022", "1980")[rng.integers(2)]
        game = Game(
            Rules.preset(edition, num_players=int(rng.integers(2, 6))), seed=int(rng.integers(99))
        )
        for _ in range(rng.integers(80)):
            if not game.is_over:
                game.play(rng.choice(game.legal_actions()))
        snapshot = mutate_tree(game.snapshot(), rng)
        before = self.env.game_snapshot()
        try:
            restored = Game.from_snapshot(snapshot)
        except SnapshotError as error:
            self.refuse(snapshot, before)
            return check_words(error)
        play_on(restored, rng)
        self.play_environment(snapshot, rng)
        return TAKEN

    def refuse(self, snapshot: Any, before: dict) -> None:
        """Check that the environment refuses the snapshot too, and stays as it was."""
        try:
            self.env.load_snapshot(snapshot)
        except SnapshotError:
            assert self.env.game_snapshot() == before
            return
        raise AssertionError("the AEC environment takes a snapshot that Game refuses")

    def play_environment(self, snapshot: Any, rng: np.random.Generator) -> None:
        """Let an environment of these rules play the snapshot on."""
        rules = Rules.of_fields(snapshot["rules"])
        env = ono99_v0.raw_env(rules=rules)
        env.load_snapshot(snapshot)
        for _ in range(30):
            if not env.agents:
                break
            observation, _, terminated, truncated, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated or truncated else int(rng.choice(legal)))


class ArenaFiles:
    """Results and state files of tournaments."""

    def __init__(self, folder: Path) -> None:
        self.results, self.state = folder / "results.json", folder / "results.json.state"
        contest = Arena(["highest", "random"], players=(2, 3), games=90, seed=1)
        self.record = contest.record(contest.play(state=self.state))
        self.tree = read_archive(self.state)

    def __call__(self, rng: np.random.Generator) -> str:
        return self.repeat(rng) if rng.random() < 0.5 else self.resume(rng)

    def repeat(self, rng: np.random.Generator) -> str:
        """Read a results file as ``ono99 arena --repeat`` does."""
        text = json.dumps(self.record).encode()
        if rng.random() < 0.3:
            self.results.write_bytes(mutate_bytes(text, rng))
        else:
            tree = mutate_tree(self.record, rng)
            self.results.write_text(json.dumps(tree), encoding="utf-8")
        try:
            record = read_json(self.results)
            contest = Arena.of(setup_of(record, self.results))
        except (ValueError, OSError) as error:
            return check_words(error)
        assert contest.tournament.games >= contest.setup.games
        assert all(isinstance(line, str) for line in differing_results(record, self.record))
        return TAKEN

    def resume(self, rng: np.random.Generator) -> str:
        """Go on from a state file and analyse what it holds."""
        if rng.random() < 0.2:
            write_archive(self.state, self.tree)
            self.state.write_bytes(mutate_bytes(self.state.read_bytes(), rng))
        else:
            write_archive(self.state, self.changed_tree(rng))
        try:
            contest = Arena.of(setup_of(read_identity(self.state), self.state))
            contest.resume(self.state)
        except (ValueError, OSError) as error:
            return check_words(error)
        contest.record(contest.play())
        return TAKEN

    def changed_tree(self, rng: np.random.Generator) -> dict:
        """Return the state with changed fields, or with changed numbers in its arrays."""
        if rng.random() < 0.5:
            return mutate_tree(self.tree, rng)
        tree = {**self.tree, "counts": dict(self.tree["counts"])}
        name = list(tree["counts"])[rng.integers(len(tree["counts"]))]
        array = tree["counts"][name].copy()
        if array.size:
            array.reshape(-1)[rng.integers(array.size)] = rng.choice([0, 1, -1, 2**40, -(2**62)])
        tree["counts"][name] = array
        return tree


class BotFiles:
    """Bot files."""

    def __init__(self, folder: Path) -> None:
        self.contents = fuzz_bot_files.originals(folder)
        fuzz_bot_files.outcome_of(self.contents[0])  # compiles what the first mutant would wait for

    def __call__(self, rng: np.random.Generator) -> str:
        content = self.contents[rng.integers(len(self.contents))]
        word = fuzz_bot_files.outcome_of(fuzz_bot_files.mutant(content, rng))
        return REFUSED if word == "refused" else TAKEN


TARGETS = {
    "rules": RulesFields,
    "rules-files": RulesFiles,
    "configs": Configs,
    "snapshots": Snapshots,
    "arena-files": ArenaFiles,
    "bot-files": BotFiles,
}
