"""Illegal actions: the message names action, reason and what is legal, and nothing changes."""

import re
from typing import Any

import gymnasium
import numpy as np
import pytest

from ono99_env import Action, Bot, Game, IllegalActionError, Rules, Views, ono99_v0
from ono99_env.engine.records import counts_from_hand, counts_from_pile
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.messages.errors import BotError
from ono99_env.tables import Episodes
from tests.envs.random_play import loaded_aec
from tests.positions import position
from tests.random_games import positions

NO_ACTIONS = [
    *(None, "reverse", "3", 3.0, float("nan"), True, [3], ()),
    *(-1, 17, 10**30, np.int64(-1), np.uint8(255), np.float64(3)),
]

REASONS = {
    "a card that is not held": ({}, Action.REVERSE, "does not hold"),
    "over the limit": ({"total": 95}, Action.N10, "total would be 105, over the limit of 98 .*R4"),
    "an ONO 99 card": ({}, Action.ONO99, "ONO 99 card may not be played .*R11"),
    "a discard of too few": ({}, Action.DISCARD_FOUR_ONO99, "needs four ONO 99 cards.* has 1.*R12"),
    "a first Play Two": (
        {"plays_owed": 2},
        Action.PLAY_TWO,
        "Play Two may not be the first of two owed cards .*R7",
    ),
}
RULES = Rules(num_players=2, play_two_answers=["reverse"])


def crafted(**changes: Any) -> Game:
    return Game.from_snapshot(position(RULES, ["0 10 ono99 play_two", "1 2 3 4"], **changes))


@pytest.mark.parametrize("name", REASONS)
def test_the_message_names_the_action_the_reason_and_the_legal_ones(name: str) -> None:
    changes, action, reason = REASONS[name]
    game = crafted(**changes)
    env = loaded_aec(game)
    for act in (game.play, env.step):
        with pytest.raises(
            IllegalActionError, match=rf"{action.label}.*seat 0.*{reason}"
        ) as caught:
            act(action)
        legal = re.search("legal are: (.*)", str(caught.value)).group(1)
        assert legal.split(", ") == [action.label for action in game.legal_actions()]


def test_the_discard_that_the_rules_do_not_have_is_named() -> None:
    rules = Rules(num_players=2, four_ono99_discard="off")
    game = Game.from_snapshot(position(rules, ["0 1 2 ono99", "1 2 3 4"]))
    with pytest.raises(IllegalActionError, match=r"no discard of four.*R12"):
        game.play(Action.DISCARD_FOUR_ONO99)


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused_by_the_game_and_changes_nothing(action: Any) -> None:
    game = crafted()
    before = (game.snapshot(), game.games.tobytes())
    with pytest.raises(
        IllegalActionError, match=re.escape(repr(action)) + ".*legal.*: 0, 10, play_two"
    ):
        game.play(action)
    assert (game.snapshot(), game.games.tobytes()) == before


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused_by_the_aec_environment(action: Any) -> None:
    env = loaded_aec(crafted())
    before = everything(env)
    with pytest.raises(
        IllegalActionError, match=re.escape(repr(action)) + ".*legal.*: 0, 10, play_two"
    ):
        env.step(action)
    assert everything(env) == before


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused_by_the_single_environment(action: Any) -> None:
    env = Ono99Env(num_players=2)
    observation, _ = env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=re.escape(str(action)) + ".*legal"):
        env.step(action)
    assert np.array_equal(env._look()[0], observation)
    env.step(np.flatnonzero(env.action_masks())[0])


@pytest.mark.parametrize("kind", [int, Action, np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_every_kind_of_whole_number_is_an_action(kind: type) -> None:
    assert crafted().play(kind(10)).action is Action.N10
    env = loaded_aec(crafted())
    env.step(kind(10))
    assert env.game_snapshot()["total"] == 10
    single = Ono99Env(num_players=2)
    single.reset(seed=1)
    single.step(kind(np.flatnonzero(single.action_masks())[0]))


def everything(env: Any) -> Any:
    observations = [
        array.tobytes() for agent in env.agents for array in env.observe(agent).values()
    ]
    books = (env.rewards, env.terminations, env.truncations, env.agent_selection, list(env.agents))
    return env.game_snapshot(), observations, [str(book) for book in books]


def test_every_illegal_action_is_refused_and_changes_nothing_bit_for_bit() -> None:
    for rng, game in positions(50, 600):
        before, legal = game.games.tobytes(), game.legal_actions()
        illegal = rng.choice([action for action in range(17) if action not in legal])
        with pytest.raises(IllegalActionError, match=Action(illegal).label if legal else "over"):
            game.play(illegal)
        assert game.games.tobytes() == before


def test_a_vector_of_actions_with_an_illegal_one_changes_no_table() -> None:
    envs, others = (Ono99VectorEnv(4, num_players=3) for _ in range(2))
    _, infos = envs.reset(seed=2)
    others.reset(seed=2)
    legal = infos["action_mask"].argmax(axis=1)
    for table in range(4):
        wrong = legal.copy()
        wrong[table] = infos["action_mask"][table].argmin()
        with pytest.raises(IllegalActionError, match=rf"table {table}.*legal are"):
            envs.step(wrong)
    first, second = envs.step(legal), others.step(legal)
    assert np.array_equal(first[0], second[0])


@pytest.mark.parametrize(
    "actions",
    [[0.0] * 4, [None] * 4, ["a"] * 4, [True] * 4, [-1] * 4, [17] * 4, [2**62] * 4],
    ids=repr,
)
def test_a_vector_of_no_actions_is_refused(actions: list) -> None:
    envs = Ono99VectorEnv(4, num_players=3)
    observations, _ = envs.reset(seed=3)
    with pytest.raises(IllegalActionError, match=r"action|integers"):
        envs.step(np.array(actions))
    assert np.array_equal(envs._episodes.observation, observations)


@pytest.mark.parametrize("shape", [(), (3,), (5,), (4, 1)])
def test_a_wrong_number_of_actions_is_refused(shape: tuple) -> None:
    envs = Ono99VectorEnv(4, num_players=3)
    envs.reset(seed=4)
    with pytest.raises(ValueError, match="shape"):
        envs.step(np.zeros(shape, np.int64))


@pytest.mark.parametrize("action", [*NO_ACTIONS[1:], Action.HOLD], ids=repr)
def test_an_offender_of_the_aec_environment_loses_if_asked_for(action: Any) -> None:
    env = ono99_v0.env(num_players=4, illegal="lose", dealer=0)
    env.reset(seed=5)
    env.step(action)
    assert all(env.terminations.values())
    assert env.rewards == pytest.approx(
        {"player_0": 1 / 9, "player_1": -1 / 3, "player_2": 1 / 9, "player_3": 1 / 9}
    )
    assert env.game_snapshot()["winners"] == [0, 2, 3]


def test_an_offender_of_the_other_environments_loses_its_episode() -> None:
    single = Ono99Env(num_players=3, illegal="lose")
    _, info = single.reset(seed=6)
    _, reward, terminated, truncated, info = single.step(int(info["action_mask"].argmin()))
    assert (reward, terminated, truncated) == (-0.5, True, False)
    assert not info["action_mask"].any()
    envs = Ono99VectorEnv(3, num_players=3, illegal="lose")
    _, infos = envs.reset(seed=6)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = infos["action_mask"][1].argmin()
    _, rewards, terminated, _, infos = envs.step(actions)
    assert (rewards[1], terminated.tolist()) == (-0.5, [False, True, False])
    assert infos["_final_obs"].tolist() == [False, True, False]
    assert infos["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("out_of_turn", [None, 3])
def test_a_finished_game_takes_no_action(out_of_turn: Any) -> None:
    game = Game(Rules(num_players=2), seed=1)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    with pytest.raises(IllegalActionError, match="over"):
        game.play(out_of_turn)


class FailsOnce(Bot):
    """Plays the first legal action, but raises in one call when told to."""

    name = "fails_once"
    is_due = False

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        if FailsOnce.is_due:
            FailsOnce.is_due = False
            raise RuntimeError("boom")
        return views.action_mask.argmax(axis=1)


@pytest.mark.parametrize("is_reset", [False, True], ids=["step", "reset"])
def test_a_bot_that_raises_is_named_and_leaves_no_broken_game(is_reset: bool) -> None:
    rules = Rules.preset("2022", num_players=3)
    episodes = Episodes(rules, 6, [FailsOnce()], seat=2)
    FailsOnce.is_due = True
    actions = episodes.action_mask.argmax(axis=1)
    with pytest.raises(
        BotError, match="'fails_once' raised RuntimeError: boom - in seat"
    ) as caught:
        episodes.reset() if is_reset else episodes.step(actions)
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(gymnasium.error.ResetNeeded, match="interrupted"):
        episodes.step(episodes.action_mask.argmax(axis=1))
    episodes.reset(np.array([1]))
    for _ in range(30):
        episodes.reset(episodes.step(episodes.action_mask.argmax(axis=1)))
        for game in episodes.tables.games:
            in_hands = counts_from_hand(game.hands).sum()
            in_piles = counts_from_pile(game.draw_pile).sum(dtype=int)
            assert in_hands + in_piles + counts_from_pile(game.discard_pile).sum(dtype=int) == 112


def test_tables_refuse_an_action_where_the_learner_is_not_to_act() -> None:
    episodes = Episodes(Rules.preset("2022", num_players=2), 3, [FailsOnce()], seat=0)
    tables, actions = episodes.tables, episodes.action_mask.argmax(axis=1)
    FailsOnce.is_due = True
    with pytest.raises(BotError, match="boom"):
        tables.act(np.arange(3), actions)
    before = tables.games.copy()
    with pytest.raises(RuntimeError, match="learner is not to act"):
        tables.act(np.arange(3), actions)
    assert np.array_equal(tables.games, before)


class AllowsItselfEverything(Bot):
    """Writes into all that it is given, and plays what it likes."""

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        for array in (views.action_mask, views.states):
            array.setflags(write=True)
        views.action_mask[:] = True
        views.states["legal_plays"] = 2**64 - 1
        return np.full(len(views), Action.ONO99)


def test_a_bot_cannot_make_an_action_legal() -> None:
    with pytest.raises(BotError, match=r"illegal action 11 .*; legal were: (?!.*ono99\))"):
        Episodes(Rules(num_players=2, ono99_play="never"), 20, [AllowsItselfEverything()])


def test_a_learner_that_writes_into_the_memory_of_its_mask_makes_nothing_legal() -> None:
    envs = Ono99VectorEnv(num_envs=4, opponents=["highest"], copy=False)
    _, infos = envs.reset(seed=1)
    infos["action_mask"].base[:] = 1
    with pytest.raises(IllegalActionError):
        envs.step(np.full(4, Action.HOLD))
