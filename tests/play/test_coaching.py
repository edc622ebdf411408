"""The coach and the review: probabilities, chances, and the costliest choices."""

import numpy as np
import pytest

from ono99_env import Action, Game, Rules, load_bot
from ono99_env.bots.search.win_chances import estimate_win_chances
from ono99_env.play.coach import ask_coach
from ono99_env.play.live_table import Choice
from ono99_env.play.review import review_choices


def winning_game() -> Game:
    """Seat 0 is to play at a total of 97 and wins with a 0; with a 1 as well, less often."""
    game = Game(Rules.preset("2022", num_players=2, dealer=1), seed=1)
    snapshot = game.snapshot()
    snapshot.update(total=97, current_player=0)
    held = [{"0": 1, "1": 1, "10": 2}, {"10": 3, "1": 1}]
    deck = dict(game.rules.deck)
    for hand in held:
        for card, count in hand.items():
            deck[card] -= count
    snapshot.update(hands=held, draw_pile=deck, discard_pile={})
    return Game.from_snapshot(snapshot)


def test_chances_are_those_of_the_game() -> None:
    chances = estimate_win_chances(winning_game().views(), np.random.default_rng(1), deals=500)
    assert chances.shares.shape == (500, 2)
    assert set(chances.means) == {Action.N0, Action.N1}
    assert all(0 <= share <= 1 for share in chances.means.values())
    best = max(chances.means, key=lambda each: chances.means[each])
    worst = min(chances.means, key=lambda each: chances.means[each])
    cost, error = chances.cost(worst)
    assert cost == pytest.approx(chances.means[best] - chances.means[worst])
    assert error > 0
    assert chances.cost(best) == (0, 0)


def test_chances_agree_with_playing_on() -> None:
    """Games that go on from a position with random bots of the playouts' kind."""
    views = Game(Rules.preset("2022", num_players=2), seed=4).views()
    chances = estimate_win_chances(views, np.random.default_rng(1), deals=2000)
    again = estimate_win_chances(views, np.random.default_rng(2), deals=2000)
    for action, share in chances.means.items():
        assert share == pytest.approx(again.means[action], abs=0.06)
        assert 0.2 < share < 0.8  # nobody is far ahead at the first play


def test_chances_need_a_view_of_the_seat_to_act() -> None:
    game = Game(Rules.preset("2022", num_players=2), seed=4)
    with pytest.raises(ValueError, match="seat that is to act"):
        estimate_win_chances(game.views(1 - game.current_player), np.random.default_rng(1))


@pytest.mark.parametrize("name", ["2022", "random", "highest", "search:simulations=50"])
def test_a_coach_gives_probabilities_and_chances(name: str) -> None:
    game = Game(Rules.preset("2022", num_players=3), seed=4)
    bot = load_bot(name)
    advice = ask_coach(bot, name, game.rules, game.views())
    legal = set(game.legal_actions())
    assert set(advice.probabilities) == set(advice.chances) == legal
    assert sum(advice.probabilities.values()) == pytest.approx(1)
    assert advice.action in legal
    assert 0 <= advice.win_chance <= 1
    assert advice.is_own_estimate == (name == "2022")
    assert advice == ask_coach(bot, name, game.rules, game.views())


def test_a_random_coach_plays_everything() -> None:
    game = Game(Rules.preset("2022", num_players=3), seed=4)
    advice = ask_coach(load_bot("random"), "random", game.rules, game.views())
    assert all(share > 0 for share in advice.probabilities.values())


def test_the_costliest_choices_are_marked() -> None:
    game = Game(Rules.preset("2022", num_players=2, dealer=1), seed=1)
    snapshot = game.snapshot()
    held = [{"10": 1, "0": 1, "ono99": 2}, {"10": 2, "9": 2}]
    deck = dict(game.rules.deck)
    for hand in held:
        for card, count in hand.items():
            deck[card] -= count
    snapshot.update(total=88, current_player=0, hands=held, draw_pile=deck, discard_pile={})
    views = Game.from_snapshot(snapshot).views()
    played = {3: Action.N10, 5: Action.N0}
    judged = review_choices([Choice(move, views, each) for move, each in played.items()])
    best = max(judged, key=lambda each: each["win_chance"])["action"]
    assert [each["is_marked"] for each in judged] == [each["action"] != best for each in judged]
    assert {each["best"] for each in judged} == {best}
    assert sum(each["cost"] > 0 for each in judged) == 1
    assert judged[0]["hand"] == ["0", "10", "ono99", "ono99"]


def test_a_review_of_nothing_is_empty() -> None:
    assert review_choices([]) == []
