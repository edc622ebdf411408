"""Who is up in the AEC environment when players go out: the engine's order, in every case.

At a total of 98 with nothing but tens to draw, a seat lives as long as it has zeros and Reverses to
play. So the hands alone decide who goes out when, and a few lines of Python know the turn order.
"""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ono99_env import Action, Game, Rules
from ono99_env.envs.aec import Ono99AEC
from tests.envs.random_play import loaded_aec
from tests.positions import position

HAND_SIZE = 7
LIVES = ("0", "reverse")


def standing_at_the_limit(lives: Sequence[Sequence[str]], direction: int, first: int) -> Game:
    """A position in which a seat can play just the cards in its ``lives``."""
    players = len(lives)
    deck = {"0": 0, "reverse": 0, "10": 60}
    for card in itertools.chain(*lives):
        deck[card] += 1
    deck["10"] += HAND_SIZE * players - sum(map(len, lives))
    rules = Rules(
        edition="1980", num_players=players, deck=deck, hand_size=HAND_SIZE, format="single_round"
    )
    hands = [" ".join([*cards, *["10"] * (HAND_SIZE - len(cards))]) for cards in lives]
    snapshot = position(rules, hands, total=98, direction=direction, current_player=first)
    return Game.from_snapshot(snapshot)


def expected_order(
    lives: Sequence[Sequence[str]], direction: int, first: int
) -> tuple[list[tuple[int, str]], list[list[int]], int]:
    """Turns as (seat, card), the seats that go out after each turn, and the winner."""
    hands, seats = [list(cards) for cards in lives], list(range(len(lives)))
    turns, deaths, seat = [], [], first
    while True:
        card = hands[seat].pop(0)
        turns.append((seat, card))
        if card == "reverse" and len(seats) > 2:
            direction = -direction
        last, seat = seat, after(seat, seats, direction)
        out = []
        while not hands[seat]:
            out.append(seat)
            seats.remove(seat)
            if not any(hands[other] for other in seats):
                return turns, [*deaths, [*out, *(other for other in seats if other != last)]], last
            if len(seats) == 1:
                return turns, [*deaths, out], seats[0]
            seat = after(seat, seats, direction)
        deaths.append(out)


def after(seat: int, seats: list[int], direction: int) -> int:
    step = seat + direction
    while step % 8 not in seats:
        step += direction
    return step % 8


def check_order(lives: Sequence[Sequence[str]], direction: int, first: int) -> None:
    game = standing_at_the_limit(lives, direction, first)
    env = loaded_aec(game)
    turns, deaths, winner = expected_order(lives, direction, first)
    for (seat, card), out in zip(turns, deaths, strict=True):
        assert env.agent_selection == f"player_{seat}"
        assert game.current_player == seat
        game.play(Action.from_label(card))
        env.step(Action.from_label(card))
        dying = {other: -1 / (len(lives) - 1) for other in out}
        check_the_dead(env, {**dying, winner: 1.0} if game.is_over else dying)
    assert game.winners == [winner]
    assert env.agents == []


def check_the_dead(env: Ono99AEC, rewards: dict[int, float]) -> None:
    """Exactly these seats come up as dead agents, each with its reward."""
    assert {a for a in env.agents if env.terminations[a]} == {f"player_{seat}" for seat in rewards}
    for seat in sorted(rewards):
        assert env.agent_selection == f"player_{seat}"
        _, reward, terminated, _, _ = env.last()
        assert (reward, terminated) == (pytest.approx(rewards[seat]), True)
        env.step(None)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_order_of_elimination(players: int, direction: int) -> None:
    for ranks in itertools.permutations(range(1, players + 1)):
        check_order([["0"] * rank for rank in ranks], direction, first=0)


cards = st.lists(st.sampled_from(LIVES), max_size=HAND_SIZE)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[str]], int, int]:
    lives = draw(st.lists(cards, min_size=2, max_size=8).filter(any))
    first = draw(st.sampled_from([seat for seat, hand in enumerate(lives) if hand]))
    return lives, draw(st.sampled_from([1, -1])), first


@given(tables())
@example(([["0"], [], [], []], 1, 0))  # all the others at once
@example(([["0", "0"], [], ["0"], []], -1, 0))  # two that are not neighbours
@example(([["reverse"], ["0"], [], []], 1, 0))  # the turn comes back from the one who is out
@example(([["0"], ["0"]], 1, 0))  # nobody can play any more: the last one who did wins
def test_turns_after_any_deaths_in_any_direction(table: tuple[list[list[str]], int, int]) -> None:
    check_order(*table)


@pytest.mark.parametrize("players", range(2, 9))
def test_a_stuck_round_ends_for_all_at_once(players: int) -> None:
    lives = [["0"], *[[]] * (players - 1)]
    env = loaded_aec(standing_at_the_limit(lives, 1, 0))
    env.step(Action.N0)
    assert all(env.terminations.values())
    assert env.rewards == {
        agent: pytest.approx(1 if agent == "player_0" else -1 / (players - 1))
        for agent in env.agents
    }


def test_the_dead_are_taken_off_one_by_one_before_anybody_acts() -> None:
    env = loaded_aec(standing_at_the_limit([["0"] * 3, [], [], ["0"] * 3, ["0"]], 1, 0))
    env.step(Action.N0)
    assert env.terminations == {f"player_{seat}": seat in (1, 2) for seat in range(5)}
    for agent in ("player_1", "player_2"):
        assert env.agent_selection == agent
        env.step(None)
    assert env.agents == ["player_0", "player_3", "player_4"]
    assert env.agent_selection == "player_3"
