"""Scenes: what a watcher may see, as plain data, and the text made of it."""

import json
import random
from collections import Counter

import pytest

from ono99_env import Action, Game, Rules
from ono99_env.drawing import Scene, ScenePlay, write_table
from ono99_env.engine import batch
from ono99_env.engine.records import rules_array
from tests.positions import position
from tests.random_games import new_game, positions


def test_a_scene_says_what_the_snapshot_says() -> None:
    for _, game in positions(70, 300):
        scene, snapshot = game.scene(), game.snapshot()
        assert [Counter(seat.cards) for seat in scene.seats] == [
            Counter(hand) for hand in snapshot["hands"]
        ]
        assert (scene.total, scene.direction) == (snapshot["total"], snapshot["direction"])
        assert scene.draw_pile == sum(snapshot["draw_pile"].values())
        assert scene.discard_pile == sum(snapshot["discard_pile"].values())
        assert scene.top_discard == snapshot["history"]["top_discard"]
        assert scene.current_player == snapshot["current_player"]
        assert scene.plays_owed == snapshot["plays_owed"]
        assert list(scene.winners) == snapshot["winners"]
        assert scene.legal == tuple(action.label for action in game.legal_actions())


def test_a_seat_sees_its_own_cards_and_the_open_ones_and_counts_the_others() -> None:
    hidden = 0
    for rng, game in positions(71, 300):
        watcher = rng.randrange(game.num_players)
        scene, everything = game.scene(watcher), game.scene()
        for seen, true in zip(scene.seats, everything.seats, strict=True):
            assert len(seen.cards) + seen.hidden == len(true.cards)
            assert seen.cards in ((), true.cards)
            is_out = true.seat not in _in_round(game)
            may_see = seen.seat == watcher or (is_out and game.rules.eliminated_hands == "face_up")
            assert may_see or not seen.cards
            hidden += seen.hidden
        if game.current_player != watcher:
            assert scene.legal == ()
        assert scene.draw_pile == everything.draw_pile
    assert hidden > 500


def _in_round(game: Game) -> set[int]:
    return {seat for seat, out in enumerate(game.snapshot()["eliminated"]) if not out}


def test_scenes_are_json() -> None:
    for _, game in positions(72, 40):
        data = game.scene(0).as_dict()
        assert json.loads(json.dumps(data))["total"] == game.state.total


@pytest.mark.parametrize("watcher", [-1, 3, "0", True, None, 1.0, "everybody"])
def test_watchers_that_do_not_exist_are_refused(watcher: object) -> None:
    with pytest.raises(ValueError, match="seat must be 'all' or from 0 to 2"):
        Game(Rules(num_players=3)).scene(watcher)


def test_there_is_a_name_for_each_seat() -> None:
    game = Game(Rules(num_players=3))
    assert [seat.name for seat in game.scene(names=["a", "b", "c"]).seats] == ["a", "b", "c"]
    with pytest.raises(ValueError, match="names: must be 3"):
        game.scene(names=["a", "b"])


def test_the_last_play_is_told_and_a_bust_is_called_one() -> None:
    rules = Rules.preset("1980", num_players=3, format="points_lowest")
    hands = ["10 10 9 9", "2 2 3 3", "4 4 5 5"]
    game = Game.from_snapshot(position(rules, hands, total=98))
    told = ScenePlay.of(rules, game.state, Action.N10)
    assert (told.is_bust, told.words) == (True, "bust with 10")
    game.play(Action.N10)
    assert game.scene().seats[0].plays[0] == told
    assert "bust with 10" in write_table(game.scene(), [told])


def test_plays_are_told_as_the_record_of_the_game_has_them() -> None:
    rng = random.Random(73)
    busts = 0
    for _ in range(60):
        game = new_game(rng)
        for _ in range(80):
            if game.is_over:
                break
            action, seat = rng.choice(game.legal_actions()), game.current_player
            told, round_number = (
                ScenePlay.of(game.rules, game.state, action),
                game.state.round_number,
            )
            game.play(action)
            if game.state.round_number == round_number and game.scene().seats[seat].plays:
                assert game.scene().seats[seat].plays[0] == told
                busts += told.is_bust
    assert busts > 5


def test_duties_and_outcomes_are_told() -> None:
    rules = Rules(num_players=3)
    hands = ["0 1 2 3"] * 3
    assert Game.from_snapshot(position(rules, hands, plays_owed=2)).scene().duty == "must play two"
    second = position(rules, hands, second_play=True)
    assert Game.from_snapshot(second).scene().duty == "second of two"
    game = Game(Rules(num_players=2, max_plays=1))
    game.play(game.legal_actions()[0])
    assert game.scene().outcome == "player_0, player_1 share the win (cut short)"
    assert Scene.of(game.rules, game.state, 0).duty == ""


def test_text_shows_names_without_control_characters() -> None:
    game = Game(Rules(num_players=2))
    text = write_table(game.scene(names=["a\x1b[2J", "b\nc"]))
    assert "\x1b" not in text
    assert len(text.splitlines()) == 3


def test_nobody_sees_what_could_be_played_while_a_draw_is_due() -> None:
    game = Game(Rules.preset("1980", num_players=3), seed=5)
    mover = game.current_player
    batch.begin_action(game.games, rules_array(game.rules), int(game.legal_actions()[0]))
    for watcher in (0, 1, 2, "all"):
        assert Scene.of(game.rules, game.state, watcher).legal == (), (watcher, mover)
