"""Our bots in OpenSpiel, and OpenSpiel's bots and policies here."""

import numpy as np
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import evaluate_bots, expected_game_score

from ono99_env import Bot, Game, Rules, load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.messages.errors import BotError
from ono99_env.openspiel import (
    BotPolicy,
    GameTree,
    PolicyBot,
    SpielBot,
    TabularBot,
    ismcts_bot,
    load_game,
)
from ono99_env.openspiel.policies import action_probabilities
from tests.libraries.openspiel.games import MANY_RULES, play


class Coin(Bot):
    """A bot that tells no probabilities: the first or the last legal action, equally often."""

    name = "coin"

    def act(self, views, rng):
        first = views.action_mask.argmax(axis=1)
        last = 16 - views.action_mask[:, ::-1].argmax(axis=1)
        return np.where(rng.random(len(views)) < 0.5, first, last)


@pytest.mark.parametrize("name", ["2022", "points", "reshuffles"])
def test_is_mcts_plays_full_games(name):
    """In OpenSpiel, against our bots in the other seats."""
    rules = MANY_RULES[name]
    game = load_game(rules)
    ours = [SpielBot(load_bot("highest"), rules, seed=1) for _ in range(rules.num_players - 1)]
    bots = [ismcts_bot(game, simulations=3), *ours]
    returns = play(game, bots, seed=1)
    assert sum(returns) == pytest.approx(0)
    assert max(returns) > 0


def test_is_mcts_by_name_beats_random_at_our_table(mini_rules):
    bot = load_bot("ono99_env.openspiel.bot_adapters:IsmctsBot:simulations=10,seed=1")
    outcome = one_vs_rest(mini_rules, bot, load_bot("random"), 2, 100, seed=1)
    assert outcome.win_rate > 0.5


def test_is_mcts_plays_full_games_at_our_table():
    rules = Rules.preset("1980", num_players=3, chips=0, max_plays=60)
    bot = load_bot("ono99_env.openspiel.bot_adapters:IsmctsBot:simulations=2")
    game = Game(rules, seed=1)
    while not game.is_over:
        game.play(bot.act(game.views(), np.random.default_rng(0))[0])
    assert game.winners


def test_a_policy_of_openspiel_plays_as_it_says(mini_rules):
    uniform = PolicyBot(spiel_policy.UniformRandomPolicy(load_game(mini_rules)))
    views = Game(mini_rules, seed=3).views()
    mask = views.action_mask[0]
    assert uniform.probabilities(views)[0] == pytest.approx(mask / mask.sum())
    outcome = one_vs_rest(mini_rules, uniform, load_bot("random"), 2, 2000, seed=1)
    low, high = outcome.interval
    assert low < 0.5 < high


def test_a_policy_sees_the_observation_of_the_seat(mini_rules):
    """At a game that begins in a view, the observation is that of the view, whatever is dealt."""

    class Recorder(spiel_policy.Policy):
        def action_probabilities(self, state, player_id=None):
            self.seen = state.observation_tensor(state.current_player())
            return {state.legal_actions()[0]: 1.0}

    recorder = Recorder(load_game(mini_rules), [0, 1])
    game = Game(mini_rules, seed=3)
    game.play(game.legal_actions()[-1])
    bot = PolicyBot(recorder)
    for seed in range(5):
        assert bot.act(game.views(), np.random.default_rng(seed))[0] == game.legal_actions()[0]
        assert recorder.seen == pytest.approx(game.views().observation[0].tolist())


def test_our_policy_has_the_same_value_in_openspiels_python_code(tiny_rules):
    game, tree, bot = load_game(tiny_rules), GameTree(tiny_rules), load_bot("hoarder")
    policies = [BotPolicy(game, bot), spiel_policy.UniformRandomPolicy(game)]
    values = expected_game_score.policy_value(game.new_initial_state(), policies)
    mixed = tree.policy([bot, load_bot("random")])
    assert list(values) == pytest.approx(tree.values(mixed), abs=1e-9)


def test_a_bot_that_tells_nothing_is_asked(mini_tree):
    views = mini_tree.views
    chosen = action_probabilities(Coin(), views, np.random.default_rng(0), asked=400)
    assert chosen.sum(axis=1) == pytest.approx(1)
    several = views.action_mask.sum(axis=1) > 1
    assert np.abs(chosen[several].max(axis=1) - 0.5).max() < 0.12


def test_our_bots_play_in_openspiels_own_loop(mini_rules):
    game, rng = load_game(mini_rules), np.random.RandomState(1)
    bots = [SpielBot(load_bot(name), mini_rules) for name in ("counter", "tiers")]
    returns = [evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng) for _ in range(200)]
    assert np.mean(returns, axis=0)[0] > 0.2


def test_spiel_bots_tell_their_policy(mini_rules):
    state = load_game(mini_rules).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = SpielBot(load_bot("random"), mini_rules)
    policy, action = bot.step_with_policy(state)
    assert [each for each, _ in policy] == state.legal_actions()
    assert sum(chance for _, chance in policy) == pytest.approx(1)
    assert action in state.legal_actions()


def test_a_solved_game_becomes_a_bot_and_a_file(mini_tree, equilibrium, mini_rules, tmp_path):
    """A bot sees views only, and loses nothing by it here."""
    TabularBot.of(mini_tree, equilibrium.policy).save(tmp_path / "solved.json")
    bot = load_bot(f"ono99_env.openspiel.tabular:load_tabular:path={tmp_path / 'solved.json'}")
    policy = mini_tree.policy(bot)
    assert mini_tree.exploitability(policy) == pytest.approx(equilibrium.exploitability, abs=1e-4)
    outcome = one_vs_rest(mini_rules, bot, load_bot("random"), 2, 4000, seed=1)
    assert outcome.interval[0] > 0.5
    other = Rules.preset("2022", num_players=2)
    with pytest.raises(ValueError, match=r"one small game\. What differs: deck \("):
        bot.check_rules(other)
    with pytest.raises(ValueError, match=r"one small game\. What differs: deck \("):
        bot.act(Game(other, seed=1).views(), np.random.default_rng(0))


class Cheat(Bot):
    """Makes an action legal in what it sees, and plays it."""

    name = "cheat"

    def act(self, views, rng):
        views.states.setflags(write=True)
        views.states["may_discard_four"] = 1
        return np.full(len(views), 16)


def test_a_bot_that_plays_what_is_not_legal_is_named():
    game = load_game(MANY_RULES["2022"])
    with pytest.raises(BotError, match=r"'cheat' chose the illegal action 16 in seat \d"):
        play(game, [SpielBot(Cheat(), game.setup.rules)] * game.num_players(), seed=1)
    views = Game(MANY_RULES["2022"], seed=1).views()
    with pytest.raises(BotError, match="'cheat' chose the illegal action 16"):
        action_probabilities(Cheat(), views, np.random.default_rng(0))


@pytest.mark.parametrize("row", [np.full(17, 1 / 17), np.zeros(17), np.full(17, np.nan)])
def test_a_bot_that_tells_what_are_no_probabilities_is_named(row):
    class Liar(Coin):
        def probabilities(self, views):
            return np.tile(row, (len(views), 1))

    views = Game(MANY_RULES["2022"], seed=1).views()
    with pytest.raises(BotError, match="'coin' must tell a probability"):
        action_probabilities(Liar(), views, np.random.default_rng(0))
