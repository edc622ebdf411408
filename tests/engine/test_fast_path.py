"""The fast path, whole batches in compiled code, does bit for bit what the game object does."""

import random

import numpy as np
import pytest

from ono99_env import Bot, Game, Rules, Views, load_bot
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, TO_ACT, rules_array
from ono99_env.tables import BOT_TO_ACT, DONE, LEARNER, LEARNER_TO_ACT, Tables
from tests.random_rules import random_rules


def deal(rules: Rules, seeds: list[int]) -> np.ndarray:
    games = np.zeros(len(seeds), STATE)
    players = np.full(len(seeds), rules.num_players)
    batch.deal_games(games, rules_array(rules), players, np.array(seeds, np.uint64))
    return games


@pytest.mark.parametrize("seed", range(40))
def test_a_batch_steps_as_the_game_object_plays(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    seeds = [rng.getrandbits(64) for _ in range(3)]
    tables, games = [Game(rules, seed=number) for number in seeds], deal(rules, seeds)
    for _ in range(60):
        assert games.tobytes() == b"".join(table.games.tobytes() for table in tables)
        going = [index for index, table in enumerate(tables) if not table.is_over]
        if not going:
            break
        actions = np.array([rng.choice(tables[index].legal_actions()) for index in going])
        moving = games[going]
        batch.step_games(moving, rules_array(rules), actions)
        games[going] = moving
        for index, action in zip(going, actions, strict=True):
            tables[index].play(int(action))


@pytest.mark.parametrize("players", [2, 4, 6])
def test_masks_and_returns_of_a_batch_are_those_of_each_game(players: int) -> None:
    rules, rng = Rules(num_players=players), random.Random(players)
    games = [Game(rules, seed=seed) for seed in range(30)]
    for game in games:
        for _ in range(rng.randrange(80)):
            if not game.is_over:
                game.play(rng.choice(game.legal_actions()))
    records = np.concatenate([game.games for game in games])
    masks, returns = np.zeros((30, 17), np.int8), np.zeros((30, 8))
    batch.fill_action_masks(records, masks)
    batch.fill_returns(records, returns)
    for game, mask, values in zip(games, masks, returns, strict=True):
        assert np.flatnonzero(mask).tolist() == game.legal_actions()
        assert values[:players].tolist() == game.returns


class AskedBot(Bot):
    """`highest`, but asked from Python."""

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return load_bot("highest").act(views, rng)


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_bots_play_the_same_games_compiled_and_asked_from_python(edition: str) -> None:
    rules = Rules.preset(edition, num_players=5)
    results = []
    for bot in (load_bot("highest"), AskedBot()):
        tables = Tables(rules, [bot], 20, seed=1)
        tables.deal(
            np.arange(20),
            np.full(20, 5),
            np.arange(20, dtype=np.uint64),
            np.zeros((20, 8), np.int8),
        )
        assert (tables.status == DONE).all()
        results.append(tables.games.tobytes())
    assert results[0] == results[1]


def test_bots_at_a_table_play_what_they_play_when_asked_one_by_one() -> None:
    rules, rng = Rules(num_players=4), np.random.default_rng(2)
    tables = Tables(rules, [load_bot("highest")], 10)
    tables.deal(
        np.arange(10), np.full(10, 4), np.arange(10, dtype=np.uint64), np.zeros((10, 8), np.int8)
    )
    for seed in range(10):
        game = Game(rules, seed=seed)
        while not game.is_over:
            game.play(int(load_bot("highest").act(game.views(), rng)[0]))
        assert game.games.tobytes() == tables.games[seed : seed + 1].tobytes()


def test_a_table_waits_exactly_when_the_learner_is_to_act() -> None:
    rules, rng = Rules(num_players=4), np.random.default_rng(3)
    tables = Tables(rules, [load_bot("random"), AskedBot()], 40)
    holders = rng.integers(-1, 2, (40, 8), dtype=np.int8)
    tables.deal(np.arange(40), np.full(40, 4), np.arange(40, dtype=np.uint64), holders)
    for _ in range(80):
        games = tables.games
        assert not (tables.status == BOT_TO_ACT).any()
        waits = tables.status == LEARNER_TO_ACT
        assert (games["phase"][waits] == TO_ACT).all()
        assert (holders[waits, games["current_player"][waits]] == LEARNER).all()
        learners = (holders[:, :4] == LEARNER) @ (1 << np.arange(4))
        over = games["phase"] != TO_ACT
        assert (over | ((learners & games["in_match"]) == 0))[~waits].all()
        if not waits.any():
            break
        chosen = np.flatnonzero(waits)
        views = tables.views(chosen, games["current_player"][chosen].astype(np.int64))
        tables.act(chosen, views.action_mask.argmax(axis=1))
    assert not waits.any()


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda views: np.full(len(views), 17), "illegal action 17"),
        (lambda views: views.action_mask.argmin(axis=1), "illegal action"),
        (lambda views: np.zeros(len(views)), "float64"),
        (lambda views: np.zeros(len(views) + 1, int), "one for each view"),
        (lambda views: None, "one for each view"),
    ],
)
def test_a_bot_that_answers_wrongly_is_named(answer: object, problem: str) -> None:
    class WrongBot(Bot):
        name = "wrong"

        def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
            return answer(views)

    tables = Tables(Rules(), [WrongBot()], 3)
    with pytest.raises(ValueError, match=f"bot 'wrong'.*{problem}"):
        tables.deal(
            np.arange(3), np.full(3, 4), np.arange(3, dtype=np.uint64), np.zeros((3, 8), np.int8)
        )


@pytest.mark.slow
def test_random_play_in_compiled_code_wins_evenly_in_every_seat() -> None:
    games, wins = np.zeros(64, STATE), np.zeros(8, np.int64)
    batch.play_randomly(games, rules_array(Rules(num_players=4)), 400_000, np.uint64(4), wins)
    total = wins.sum()
    assert total > 4000
    assert (np.abs(wins[:4] - total / 4) < 5 * np.sqrt(total * 0.25 * 0.75)).all()
    assert not wins[4:].any()
