"""The table itself: turns, draws by the clock, bots that fail."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ono99_env import Bot, Views
from ono99_env.bots.answers import ask_strictly
from ono99_env.bots.search.determinization import determinize
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import as_argument
from ono99_env.messages.errors import BotError, RefusedError
from ono99_env.observation.redaction import redact
from ono99_env.play.live_table import LiveTable
from ono99_env.play.offered_bots import OfferedBots
from ono99_env.play.seat_messages import state_message
from ono99_env.play.table_setup import TableSetup

PERSON: dict[str, str] = {}


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def table_of(bots: OfferedBots, *seats: dict[str, str], **setup: Any) -> LiveTable:
    clock = setup.pop("clock", Clock())
    return LiveTable(TableSetup.of_data({"seats": list(seats), **setup}), bots, clock)


def play_first(table: LiveTable) -> None:
    """The person or bot whose turn it is plays its first legal action."""
    seat = table.game.current_player
    assert seat is not None
    action = table.game.legal_actions()[0]
    if table.bot_to_act is not None:
        table.play_for_bot(int(action))
    else:
        table.play(seat, action.label, table.version)


def swap_hidden_cards(table: LiveTable, seat: int, number: int) -> None:
    """Deal what a seat cannot see anew; who has to draw still holds what was played."""
    kept, due = table.game.games.copy(), table.due_draw
    for attempt in range(1000):
        unseen = as_argument(np.array([redact(kept[0], seat)]), STATE)
        determinize(unseen, np.array([1000 * number + attempt], np.uint64))
        table.game.games[:] = unseen
        table.game.games["legal_plays"] = kept["legal_plays"]
        if due is None or due.action.label in table.game.hands[due.seat]:
            return
    raise AssertionError("no deal fits")


@pytest.mark.parametrize("setup", [{}, {"edition": "1980"}, {"draw_seconds": 5.0}])
def test_a_message_is_the_same_whatever_the_others_hold(
    setup: dict[str, Any], bots: OfferedBots
) -> None:
    table = table_of(bots, PERSON, {"bot": "lowest"}, PERSON, seed=11, **setup)
    for number in range(40):
        if table.is_over:
            break
        for seat in range(3):
            told = state_message(table, seat, "light")
            kept = table.game.games.copy()
            swap_hidden_cards(table, seat, number)
            assert state_message(table, seat, "light") == told
            table.game.games[:] = kept
        if table.due_draw is not None:
            table.draw(table.due_draw.seat)
        play_first(table)


def test_a_draw_is_missed_when_its_time_is_over(bots: OfferedBots) -> None:
    clock = Clock()
    table = table_of(bots, PERSON, PERSON, seed=2, draw_seconds=5.0, clock=clock)
    seat = table.game.current_player
    assert seat is not None
    play_first(table)
    assert table.seconds_to_draw() == 5
    clock.seconds = 4.9
    assert not table.end_late_draw()
    clock.seconds = 5.0
    with pytest.raises(RefusedError, match="no card to draw"):
        table.draw(seat)
    assert len(table.game.hands[seat]) == 3
    assert "missed the draw" in table.news[-1]


def test_a_draw_in_time_is_made(bots: OfferedBots) -> None:
    table = table_of(bots, PERSON, PERSON, seed=2, draw_seconds=5.0)
    seat = table.game.current_player
    assert seat is not None
    play_first(table)
    table.draw(seat)
    assert len(table.game.hands[seat]) == 4
    assert table.due_draw is None


def test_a_stale_choice_is_refused(bots: OfferedBots) -> None:
    table = table_of(bots, PERSON, PERSON, seed=2)
    seat = table.game.current_player
    assert seat is not None
    with pytest.raises(RefusedError, match="moved on"):
        table.play(seat, table.game.legal_actions()[0].label, table.version + 1)
    assert table.version == 0


class Failing(Bot):
    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        raise RuntimeError("no idea")


def test_a_bot_that_fails_is_replaced_and_the_game_goes_on(bots: OfferedBots) -> None:
    offered = OfferedBots([f"{__name__}:Failing"])
    table = table_of(offered, {"bot": f"{__name__}:Failing"}, {"bot": "lowest"}, seed=2)
    while not table.is_over:
        try:
            table.play_for_bot(int(ask_strictly(table.question())[0]))
        except BotError as error:
            table.replace_bot(str(error))
    assert sum("highest plays on" in said for said in table.news) == 1


def test_choices_of_people_are_kept_for_the_review(bots: OfferedBots) -> None:
    table = table_of(bots, PERSON, {"bot": "lowest"}, seed=2)
    while not table.is_over:
        play_first(table)
    assert set(table.choices) == {0}
    for choice in table.choices[0]:
        assert choice.views.action_mask[0].sum() > 1
        assert choice.views.action_mask[0, choice.action]
        assert table.game.history[choice.move].action == choice.action


def test_every_seat_has_a_name_of_its_own(bots: OfferedBots) -> None:
    seats = [{"name": "Ann"}, {"name": " Ann "}, {"bot": "2022"}, {"bot": "2022"}, PERSON]
    assert table_of(bots, *seats).names == ["Ann", "Ann 2", "Champion", "Champion 2", "Player 5"]


def test_own_bots_are_offered_by_the_command_line_only() -> None:
    offered = OfferedBots([f"{__name__}:Failing"])
    assert offered.names[0] == f"{__name__}:Failing"
    rules = TableSetup.of_data({"seats": [PERSON, PERSON]}).rules()
    with pytest.raises(RefusedError, match="there is no bot"):
        OfferedBots().bot(f"{__name__}:Failing", rules)
