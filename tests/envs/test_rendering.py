"""Rendering: PettingZoo's test, and what the text says and does not say."""

import random
from collections import Counter

import pytest
from pettingzoo.test import render_test

from ono99_env import Card, Game, Rules, ono99_v0
from ono99_env.envs.single import Ono99Env
from tests.envs.random_play import TABLES, loaded_aec, random_action
from tests.positions import position
from tests.random_games import positions

NAMES = {card.label for card in Card}


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_pettingzoo_render(edition: str, players: int, capsys: pytest.CaptureFixture) -> None:
    render_test(lambda **mode: ono99_v0.env(rules=edition, num_players=players, **mode))
    assert "player_0" in capsys.readouterr().out


def cards_in(line: str) -> Counter:
    return Counter(
        word for word in line.split(":")[1].split("  ")[0].split() if word in {*NAMES, "?"}
    )


def test_the_aec_environment_draws_every_card_the_total_and_who_is_up() -> None:
    for _, game in positions(60, 400):
        text, snapshot = loaded_aec(game, render_mode="ansi").render(), game.snapshot()
        head, *lines = text.splitlines()
        lines = lines[: game.num_players]
        assert f"total {snapshot['total']} of {game.rules.highest_total}" in head
        assert f"draw pile {sum(snapshot['draw_pile'].values())}" in head
        assert f"discard pile {sum(snapshot['discard_pile'].values())}" in head
        assert ("counter-clockwise" in head) == (snapshot["direction"] == -1)
        assert [cards_in(line) for line in lines] == [Counter(hand) for hand in snapshot["hands"]]
        up = [seat for seat, line in enumerate(lines) if line.startswith(">")]
        assert up == ([] if game.is_over else [game.current_player])


def test_the_single_environment_hides_what_its_seat_cannot_see() -> None:
    env, rng = Ono99Env(num_players=4, seat=1, render_mode="ansi"), random.Random(61)
    _, info = env.reset(seed=61)
    hidden = 0
    for _ in range(60):
        lines = [line for line in env.render().splitlines() if ": " in line]
        assert "?" not in lines[1]
        for seat in (0, 2, 3):
            is_out = "out of the game" in lines[seat]
            assert set(cards_in(lines[seat])) <= (NAMES if is_out else {"?"})
            hidden += not is_out
        _, _, terminated, _, info = env.step(random_action(info["action_mask"], rng))
        if terminated:
            _, info = env.reset()
    assert hidden > 60


@pytest.mark.parametrize(
    ("changes", "remark"),
    [
        ({"plays_owed": 2}, "must play two"),
        ({"second_play": True}, "second of two"),
        ({"eliminated": [False, False, True], "first_out": 2}, "out of the game"),
    ],
)
def test_obligations_and_eliminations_are_drawn(changes: dict, remark: str) -> None:
    game = Game.from_snapshot(position(Rules(num_players=3), ["0 1 2 3"] * 3, **changes))
    assert remark in loaded_aec(game, render_mode="ansi").render()


def test_rounds_chips_and_points_are_drawn_in_their_formats() -> None:
    for game_format, words in {"chips": "chips 3", "points_lowest": "points 0"}.items():
        env = ono99_v0.env(rules="1980", format=game_format, render_mode="ansi")
        env.reset(seed=1)
        assert words in env.render()
        assert "round 1" in env.render()


def test_pictures_show_the_table_and_nothing_hidden() -> None:
    shown = set()
    for seed in range(4):
        game = Game(Rules(num_players=2), seed=seed)
        other = Game.from_snapshot(swapped(game.snapshot()))
        first, second = (
            loaded_aec(table, render_mode="rgb_array", render_seat=0).render()
            for table in (game, other)
        )
        assert (first.shape, first.dtype) == ((720, 800, 3), "uint8")
        assert first.tobytes() == second.tobytes()
        shown.add(first.tobytes())
    assert len(shown) == 4


def swapped(snapshot: dict) -> dict:
    """The position with other cards in the hand of seat 1."""
    cards = Counter(snapshot["draw_pile"]) + Counter(snapshot["hands"][1])
    hand = Counter(sorted(cards.elements())[:4])
    return {
        **snapshot,
        "hands": [snapshot["hands"][0], dict(hand)],
        "draw_pile": dict(cards - hand),
    }


@pytest.mark.parametrize("maker", [ono99_v0.env, Ono99Env])
def test_without_a_render_mode_it_warns_and_draws_nothing(maker: type) -> None:
    env = maker()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_the_human_mode_prints_every_step(capsys: pytest.CaptureFixture) -> None:
    env = Ono99Env(num_players=2, render_mode="human")
    _, info = env.reset(seed=1)
    assert capsys.readouterr().out.count("total") == 1
    env.step(random_action(info["action_mask"], random.Random(1)))
    assert capsys.readouterr().out.count("total") == 1
