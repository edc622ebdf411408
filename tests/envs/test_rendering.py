"""Rendering: PettingZoo's test, and what the text says and does not say."""

import random
from collections import Counter
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import render_test

from ono99_env import Card, Game, Rules, ono99_v0
from ono99_env.envs.single import Ono99Env
from tests.envs.random_play import TABLES, Asked, loaded_aec, random_action
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


def test_the_human_mode_prints_every_step_where_there_is_no_screen(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    env = Ono99Env(num_players=2, render_mode="human")
    _, info = env.reset(seed=1)
    assert capsys.readouterr().out.count("total") == 1
    env.step(random_action(info["action_mask"], random.Random(1)))
    assert capsys.readouterr().out.count("total") == 1


@pytest.mark.parametrize("opponents", [["highest", "counter"], [Asked()], [Asked(), "random"]])
@pytest.mark.parametrize(
    "rules", [{"rules": "2022"}, {"rules": "1980", "format": "points_lowest"}], ids=str
)
def test_the_plays_since_the_last_frame_are_told_in_order(opponents: list, rules: dict) -> None:
    watched = Ono99Env(num_players=3, opponents=opponents, render_mode="ansi", **rules)
    plain = Ono99Env(num_players=3, opponents=opponents, **rules)
    rng, told = random.Random(62), 0
    for seed in range(6):
        _, info = watched.reset(seed=seed)
        plain.reset(seed=seed)
        is_over = False
        while not is_over:
            action = random_action(info["action_mask"], rng)
            before = watched._episodes.tables.games["plays"][0]
            observation, _, terminated, truncated, info = watched.step(action)
            same = plain.step(action)[0]
            is_over = terminated or truncated
            first, head = watched.render().splitlines()[:2]
            assert head.startswith("total")
            plays = first.split("; ")
            seat = watched._episodes.learner_seats[0]
            assert plays[0].startswith(f"player_{seat} ")
            assert np.array_equal(observation, same)
            games = watched._episodes.tables.games
            if games["round_number"][0] == 1:
                assert len(plays) == games["plays"][0] - before
            told += len(plays)
        assert watched._watch._games.tobytes() == watched._episodes.tables.games.tobytes()
    assert told > 30


def test_the_aec_environment_tells_the_plays_since_the_last_frame() -> None:
    env, rng = ono99_v0.env(num_players=3, render_mode="ansi"), random.Random(63)
    env.reset(seed=63)
    assert env.render().startswith("total")
    played = []
    for agent in env.agent_iter(7):
        action = random_action(env.last()[0]["action_mask"], rng)
        played.append((agent, action))
        env.step(action)
    told = env.render().splitlines()[0].split("; ")
    assert [line.split()[0] for line in told] == [agent for agent, _ in played]
    assert env.render().startswith("total")


def test_render_seat_says_who_looks() -> None:
    env = ono99_v0.env(num_players=3, render_mode="ansi", render_seat=1)
    env.reset(seed=1)
    lines = env.render().splitlines()[1:]
    assert ["?" in line for line in lines] == [True, False, True]
    assert [seat.hidden for seat in env.scene("all").seats] == [0, 0, 0]
    single = Ono99Env(num_players=3, seat=2, render_mode="ansi", render_seat="all")
    single.reset(seed=1)
    assert "?" not in single.render()
    assert [seat.hidden for seat in single.scene(0).seats] == [0, 4, 4]


@pytest.mark.parametrize("maker", [ono99_v0.env, Ono99Env])
@pytest.mark.parametrize("seat", [3, -1, "none", True])
def test_a_render_seat_that_does_not_exist_is_refused(maker: type, seat: object) -> None:
    with pytest.raises(ValueError, match="render_seat must be 'all' or from 0 to 2"):
        maker(num_players=3, render_seat=seat)


@pytest.mark.parametrize("maker", [ono99_v0.env, Ono99Env])
def test_environments_show_themselves_in_notebooks(maker: type) -> None:
    env = maker(num_players=2)
    env.reset(seed=1)
    assert env._repr_svg_().startswith("<svg")


def test_gymnasium_records_videos(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    env = gymnasium.make("ono99_env:ono99/Ono99-v0", num_players=2, render_mode="rgb_array")
    env = gymnasium.wrappers.RecordVideo(env, str(tmp_path))
    rng = random.Random(1)
    _, info = env.reset(seed=1)
    is_over = False
    while not is_over:
        _, _, terminated, truncated, info = env.step(random_action(info["action_mask"], rng))
        is_over = terminated or truncated
    env.close()
    assert list(tmp_path.glob("*.mp4"))


def test_a_window_opens_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = ono99_v0.env(num_players=2, render_mode="human")
    env.reset(seed=1)
    assert pygame.display.get_surface().get_size() == (800, 720)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    assert not pygame.display.get_init()
    env.render()
    env.close()
