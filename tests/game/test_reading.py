"""Reading a game: what it prints, its hands, history, copies and pictures."""

import copy
import pickle
import random

import pytest

from ono99_env import Game, Rules
from ono99_env.game import list_frames
from tests.random_games import new_game, play_randomly


def test_a_game_prints_as_lines_and_represents_itself_as_one() -> None:
    game = Game(Rules(num_players=3), seed=1)
    assert len(str(game).splitlines()) == 4
    assert len(repr(game).splitlines()) == 1
    assert game._repr_svg_().startswith("<svg")


def test_hands_are_those_of_the_snapshot() -> None:
    game = Game(Rules(num_players=3), seed=1)
    for seat, hand in game.hands.items():
        assert {name: hand.count(name) for name in hand} == game.snapshot()["hands"][seat]


def test_the_history_has_every_play_that_was_returned() -> None:
    rng = random.Random(8)
    game, plays = new_game(rng), []
    for _ in range(50):
        if not game.is_over:
            plays.append(game.play(rng.choice(game.legal_actions())))
    assert game.history == plays
    assert Game.from_snapshot(game.snapshot()).history == []


def test_a_refused_play_leaves_no_trace_in_the_history() -> None:
    game = Game(seed=1)
    with pytest.raises(ValueError, match="draws"):
        game.play(game.legal_actions()[0], draws=["hold"])
    with pytest.raises(ValueError, match="illegal"):
        game.play(next(action for action in range(17) if action not in game.legal_actions()))
    assert game.history == []


@pytest.mark.parametrize(
    "clone", [Game.clone, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_a_clone_goes_its_own_way(clone) -> None:
    rng = random.Random(4)
    game = play_randomly(Game(seed=4), rng, 5)
    other = clone(game)
    before = game.snapshot()
    assert (other.snapshot(), other.history) == (before, game.history)
    play_randomly(other, rng, 5)
    assert (game.snapshot(), len(game.history)) == (before, 5)
    assert game.play(game.legal_actions()[0])
    assert len(other.history) == 10


@pytest.mark.parametrize("seed", range(12))
def test_the_frames_of_a_game_end_where_it_is(seed: int) -> None:
    rng = random.Random(seed)
    game = play_randomly(new_game(rng), rng, 60)
    frames = list_frames(game)
    assert len(frames) == len(game.history) + 1
    assert frames[-1].scene == game.scene()
    assert [(frame.play.seat, frame.play.action) for frame in frames[1:]] == [
        (play.seat, play.action.label) for play in game.history
    ]
    restored = Game.from_snapshot(game.snapshot())
    play_randomly(restored, rng, 5)
    assert list_frames(restored)[0].scene == game.scene()
    assert list_frames(restored)[-1].scene == restored.scene()


def test_frames_of_a_seat_hide_what_it_cannot_see() -> None:
    game = play_randomly(Game(Rules(num_players=2), seed=3), random.Random(3), 6)
    assert all(frame.scene.seats[1].cards == () for frame in list_frames(game, 0))


def test_giving_up_ends_the_game_and_has_a_frame() -> None:
    game = Game(Rules(num_players=3), seed=1)
    seat = game.current_player
    game.forfeit()
    assert seat not in game.winners
    assert list_frames(game)[-1].scene.is_over
    with pytest.raises(ValueError, match="the game is over"):
        game.forfeit()


def test_the_dealer_can_be_named() -> None:
    for dealer in range(3):
        game = Game(Rules(num_players=3), dealer=dealer)
        assert (game.initial_dealer, game.snapshot()["dealer"]) == (dealer, dealer)
    with pytest.raises(ValueError, match="dealer must be a seat from 0 to 2"):
        Game(Rules(num_players=3), dealer=3)


def test_pictures_are_returned_as_asked_for() -> None:
    game = Game(seed=1)
    assert game.render() == game.render("svg")
    assert game.render("text") == str(game)
    assert game.render("png", width=300).startswith(b"\x89PNG")
    assert game.render("pixels", seat=1, theme="dark", width=300).shape == (270, 300, 3)
    with pytest.raises(ValueError, match="mode must be"):
        game.render("ascii")
