"""The game as OpenSpiel sees it: what a Python game must be able to do, for rules of every kind."""

import pickle
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python import observation
from open_spiel.python.algorithms import gambit, generate_playthrough

from ono99_env import Game, IllegalActionError, Rules
from ono99_env.openspiel import GameTree, load_game
from ono99_env.openspiel.events import seen_by
from ono99_env.openspiel.openspiel_game import NAME
from ono99_env.rules.cards import Card
from tests.libraries.openspiel.conftest import RULES
from tests.libraries.openspiel.games import MANY_RULES, random_game


def test_the_package_does_not_import_openspiel():
    code = "import sys, ono99_env, ono99_env.bots; print('pyspiel' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


@pytest.mark.parametrize("rules", MANY_RULES.values(), ids=MANY_RULES)
def test_openspiels_own_test_of_a_game(rules):
    pyspiel.random_sim_test(load_game(rules), num_sims=1, serialize=True, verbose=False)


def test_a_playthrough_can_be_played_again(tiny_rules, tmp_path):
    flags.FLAGS.mark_as_parsed()  # the flags of a command that is not used here
    text = generate_playthrough.playthrough(str(load_game(tiny_rules)), None, seed=3)
    for content in ("InformationStateString(0)", "PublicObservationString()", "Returns()"):
        assert content in text
    (tmp_path / "playthrough.txt").write_text(text)
    original, again = generate_playthrough.replay(tmp_path / "playthrough.txt")
    assert again == original


@pytest.mark.parametrize(
    "name",
    [
        f"{NAME}(rules=edition_1980,players=5)",
        f"{NAME}(rules={RULES / 'mini_2022.yaml'})",
        str(load_game(MANY_RULES["missed draws"])),
    ],
)
def test_the_name_of_a_game_loads_it_again(name):
    game = pyspiel.load_game(name)
    assert pyspiel.load_game(str(game)).setup == game.setup
    assert pickle.loads(pickle.dumps(game)).setup == game.setup


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="2 to 6 players"):
        load_game("2022", players=7)
    with pytest.raises(FileNotFoundError):
        load_game("no_such_file.yaml")


@pytest.mark.parametrize("rules", MANY_RULES.values(), ids=MANY_RULES)
def test_a_pickled_state_goes_on_as_the_same_game(rules):
    for state in random_game(load_game(rules), seed=1):
        if len(state.history()) in (0, 20):
            copy = pickle.loads(pickle.dumps(state))
            assert str(copy) == str(state)
            assert copy.history() == state.history()
            assert copy.legal_actions() == state.legal_actions()


def test_a_state_and_a_game_object_play_the_same_game():
    """The same dealer, cards and actions lead to the same record, mask and returns."""
    rules = MANY_RULES["2022"].model_copy(update={"dealer": 0})
    *_, state = random_game(load_game(rules), seed=5)
    table = state.table
    drawn = [event.numbers[0] for event in table.events if event.kind == "draw"]
    played = [event.action for event in table.events if event.kind == "play"]
    game = Game(rules, draws=[Card(card) for card in drawn[:12]])
    rest = iter(drawn[12:])
    for action in played:
        game.play(action, draws=[Card(next(rest)) for _ in range(4 if action == 16 else 1)])
    assert game.is_over
    assert game.returns == state.returns()
    assert game.snapshot()["hands"] == Game.from_snapshot(game.snapshot()).snapshot()["hands"]
    for field in ("total", "hands", "draw_pile", "recent_plays", "in_match"):
        assert np.array_equal(game.state[field], table.games[0][field])


@pytest.mark.parametrize("rules", MANY_RULES.values(), ids=MANY_RULES)
def test_other_hands_that_look_the_same_are_dealt(rules):
    """A resampled game is possible, and equal in all that the seat may know; the rest differs."""
    sampler = pyspiel.UniformProbabilitySampler(7, 0.0, 1.0)
    resampled = different = 0
    for state in random_game(load_game(rules), seed=2):
        if state.is_chance_node() or state.is_terminal() or len(state.history()) % 5:
            continue
        for seat in range(rules.num_players):
            other = state.resample_from_infostate(seat, sampler)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            assert other.current_player() == state.current_player()
            resampled += 1
            different += str(other) != str(state)
    assert resampled > 10
    assert different > resampled / 2


def test_resampling_deals_what_chance_deals(mini_rules):
    """In a first position the other hand is as likely as by the deck without the cards seen."""
    game = load_game(mini_rules)
    state = game.new_initial_state()
    for card in (Card.N4, Card.N8, Card.N4, Card.PLAY_TWO):  # seats 0, 1, 0, 1
        state.apply_action(int(card))
    sampler = pyspiel.UniformProbabilitySampler(1, 0.0, 1.0)
    counts = np.zeros(16)
    tries = 2000
    for _ in range(tries):
        table = state.resample_from_infostate(0, sampler).table
        drawn = [event for event in seen_by(table.events, 1) if event.kind == "draw"]
        counts[list(drawn[0].numbers)] += [1, 1] if len(set(drawn[0].numbers)) == 2 else 2
    unseen = {Card.N4: 1, Card.N8: 2, Card.REVERSE: 1, Card.PLAY_TWO: 2}
    pairs = counts / (2 * tries)
    assert sum(unseen.values()) == 6
    for card, number in unseen.items():
        if card in (Card.N4, Card.REVERSE):  # never twice, so counted once a hand
            assert pairs[card] == pytest.approx(number / 6, abs=0.03)


def test_information_states_recall_everything(mini_tree):
    """Equal information states follow from equal own decisions, and show the same view."""
    walk, before = mini_tree._walk, {}
    own: list[dict[int, tuple[int, int]]] = []
    for place, step in zip(walk.places, walk.steps, strict=True):
        last = dict(own[step.parent]) if step.parent >= 0 else {}
        if step.decision >= 0:
            last[mini_tree.decisions[step.decision].seat] = (step.decision, step.action)
        own.append(last)
        if place >= 0:
            recalled = last.get(mini_tree.decisions[place].seat)
            assert before.setdefault(place, recalled) == recalled


def test_the_observer_shows_its_parts(mini_rules):
    game = load_game(mini_rules)
    *_, state = (each for each in random_game(game, seed=4) if not each.is_terminal())
    remembered = observation.make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    remembered.set_from(state, 1)
    assert remembered.dict["player"].tolist() == [0, 1]
    rows = remembered.dict["events"].any(axis=1).sum()
    assert rows == len(seen_by(state.table.events, 1))
    public = observation.make_observation(
        game,
        pyspiel.IIGObservationType(
            public_info=True, perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE
        ),
    )
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert "+" not in public.string_from(state, 0)


def test_the_tree_is_the_game_that_openspiel_exports(tiny_rules):
    """OpenSpiel's exporter walks through the Python game; values and best responses agree."""
    exported = pyspiel.load_efg_game(gambit.export_gambit(load_game(tiny_rules)))
    tree = GameTree(tiny_rules)
    for game in (exported, tree.game):
        assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    uniform = [pyspiel.UniformRandomPolicy(game) for game in (exported, tree.game)]
    values = [
        pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
        for game, policy in zip((exported, tree.game), uniform, strict=True)
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-12)
    assert pyspiel.nash_conv(exported, uniform[0]) == pytest.approx(
        pyspiel.nash_conv(tree.game, uniform[1]), abs=1e-12
    )


def test_a_game_that_is_too_large_is_given_up():
    with pytest.raises(ValueError, match="more than 1,000 histories"):
        GameTree(Rules.preset("2022", num_players=2), most_histories=1000)


@pytest.mark.parametrize("way", ["apply_action", "child", "clone"])
def test_what_is_not_possible_is_refused_and_changes_nothing(way):
    def apply(state, action):
        whole = {"apply_action": state.apply_action, "child": state.child}
        (state.clone().apply_action if way == "clone" else whole[way])(action)

    state = load_game("2022", players=3).new_initial_state()
    with pytest.raises(IllegalActionError, match=r"dealer.*possible are: 18, 19, 20"):
        apply(state, 3)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    illegal = next(action for action in range(17) if action not in state.legal_actions())
    for action in (illegal, 17, 99, -5):
        history, table = state.history(), str(state)
        with pytest.raises(IllegalActionError, match="legal"):
            apply(state, action)
        assert (state.history(), str(state)) == (history, table)
    state.apply_action(state.legal_actions()[0])
    for outcome in (15, 16, 40):
        with pytest.raises(IllegalActionError, match="chance deals a card"):
            apply(state, outcome)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(IllegalActionError, match="the game is over"):
        apply(state, 0)
