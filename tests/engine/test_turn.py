"""The turn moves on when the card is played, before its replacement is drawn."""

import numpy as np
import pytest

from ono99_env import Action, Game, Rules
from ono99_env.engine import batch
from ono99_env.engine.records import DRAWING, rules_array
from ono99_env.engine.seats import count_seats, is_among, next_seat, seat_bit

RULES = Rules.preset("2022", num_players=3, dealer=2)


def begun(rules: Rules, *actions: Action) -> np.void:
    """The record after actions of one game, all but the last with the chance that follows."""
    game = dealt(rules)
    for action in actions[:-1]:
        game.play(action)
    games = game.games.copy()
    batch.begin_action(games, rules_array(rules), int(actions[-1]))
    return games[0]


def dealt(rules: Rules) -> Game:
    """A game in which every seat holds what the tests play."""
    snapshot = Game(rules, seed=1).snapshot()
    hand = {"play_two": 1, "reverse": 1, "0": 1, "1": 1}
    deck, seats = dict(rules.deck), rules.num_players
    snapshot["hands"] = [dict(hand) for _ in range(seats)]
    snapshot["draw_pile"] = {name: deck[name] - seats * hand.get(name, 0) for name in deck}
    return Game.from_snapshot(snapshot)


def test_the_next_player_is_up_while_the_card_of_the_one_before_is_due() -> None:
    state = begun(RULES, Action.N1)
    assert (state.phase, state.draws_due) == (DRAWING, 1)
    assert (state.receiver, state.current_player, state.plays_owed) == (0, 1, 1)


def test_an_obligation_is_passed_on_at_once() -> None:
    state = begun(RULES, Action.PLAY_TWO)
    assert (state.receiver, state.current_player, state.plays_owed) == (0, 1, 2)
    state = begun(RULES, Action.PLAY_TWO, Action.REVERSE)
    assert (state.receiver, state.current_player, state.plays_owed) == (1, 0, 2)
    assert state.direction == -1


def test_who_owes_a_second_card_stays_up() -> None:
    state = begun(RULES, Action.PLAY_TWO, Action.N1)
    assert (state.receiver, state.current_player, state.plays_owed) == (1, 1, 1)
    assert state.second_play == 1


@pytest.mark.parametrize("first", [Action.DISCARD_FOUR_ONO99, Action.N0])
@pytest.mark.parametrize("owed", [1, 2])
def test_the_discard_of_four_moves_the_turn_as_a_card_that_adds_nothing(
    first: Action, owed: int
) -> None:
    snapshot = Game(Rules.preset("2022", num_players=3, hand_size=5), seed=1).snapshot()
    hands = [{"ono99": 4, "0": 1}, {"1": 5}, {"2": 5}]
    deck = snapshot["rules"]["deck"]
    used = {"ono99": 4, "0": 1, "1": 5, "2": 5}
    snapshot["draw_pile"] = {name: deck[name] - used.get(name, 0) for name in deck}
    snapshot |= {"hands": hands, "current_player": 0, "plays_owed": owed, "direction": 1}
    game = Game.from_snapshot(snapshot)
    game.play(first)
    after = game.snapshot()
    assert (after["current_player"], after["plays_owed"]) == ((0, 1) if owed == 2 else (1, 1))
    assert after["second_play"] == (owed == 2)
    assert after["last_player"] == 0


@pytest.mark.parametrize("seats", range(1, 256))
def test_seats_of_a_set_follow_one_another_in_both_directions(seats: int) -> None:
    held = [seat for seat in range(8) if seats >> seat & 1]
    assert count_seats(seats) == len(held)
    assert [seat for seat in range(8) if is_among(seat, seats)] == held
    assert sum(seat_bit(seat) for seat in held) == seats
    for place, seat in enumerate(held):
        assert next_seat(seats, seat, 1) == held[(place + 1) % len(held)]
        assert next_seat(seats, seat, -1) == held[place - 1]
