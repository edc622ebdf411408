"""How a play is carried out and whose turn comes next: R3 and R5 to R13."""

from tests.reference import rounds
from tests.reference.cards import DISCARD_FOUR, put, take
from tests.reference.legality import (
    could_start_a_turn,
    is_points_match,
    legal_actions,
    new_total,
    owes_first_of_two,
)

State = dict
Draws = list[str]


def players_left(state: State) -> list[int]:
    """R6: the seats that are not out of the round."""
    return [seat for seat, is_out in enumerate(state["eliminated"]) if not is_out]


def next_seat(state: State, seat: int) -> int:
    """R6: the next seat in the direction of play, players who are out skipped."""
    left = players_left(state)
    while True:
        seat = (seat + state["direction"]) % len(state["hands"])
        if seat in left:
            return seat


def reshuffle(state: State) -> None:
    """R5: the discard pile becomes the draw pile, without its top card if that is kept."""
    history = state["history"]
    kept = history["top_discard"] if state["rules"]["keep_top_discard"] else None
    shuffled = dict(state["discard_pile"])
    if kept is not None:
        take(shuffled, kept)
    if shuffled:
        state["draw_pile"] = shuffled
        state["discard_pile"] = {} if kept is None else {kept: 1}
        history["top_discard"] = kept
        history["reshuffles"] += 1


def draw(state: State, seat: int, draws: Draws) -> None:
    """R3 and R5: draw one card, if there is any left to draw."""
    if not state["draw_pile"]:
        reshuffle(state)
    if state["draw_pile"]:
        assert draws, "too few draws"
        card = draws.pop(0)
        take(state["draw_pile"], card)
        put(state["hands"][seat], card)


def lay_down(state: State, seat: int, card: str, count: int = 1) -> None:
    """R3: cards go from the hand onto the discard pile."""
    take(state["hands"][seat], card, count)
    put(state["discard_pile"], card, count)
    state["history"]["top_discard"] = card


def remember(state: State, seat: int, action: str) -> None:
    """R21: every action is public; the last four of each seat are kept, newest first."""
    recent = state["history"]["recent_plays"]
    recent[seat] = [action, *recent[seat]][:4]


def is_answer(state: State, card: str) -> bool:
    """R7 and R8: the card, played as the first of two, moves the obligation on."""
    if card == "reverse":
        heads_up = len(players_left(state)) == 2
        return not heads_up or state["rules"]["reverse_deflects_heads_up"]
    return card in ("play_two", "hold") and card in state["rules"]["play_two_answers"]


def turn_direction(state: State) -> None:
    """R8: Reverse turns the direction, except with two players left."""
    if len(players_left(state)) > 2:
        state["direction"] = -state["direction"]


def play_card(state: State, card: str, missed_draw: bool, draws: Draws) -> None:
    """R3: a card within the limit is played, its effect applies, a card is drawn."""
    seat = state["current_player"]
    answers = owes_first_of_two(state) and is_answer(state, card)
    lay_down(state, seat, card)
    remember(state, seat, card)
    state["last_player"] = seat
    state["total"] = new_total(state, card)
    if card == "ono99":
        state["ono99_played_this_turn"] = True
    if card == "reverse":
        turn_direction(state)
    if not missed_draw:
        draw(state, seat, draws)
    if owes_first_of_two(state) and not answers:
        owe_the_second(state, draws)
    else:
        next_turn(state, 2 if answers or card == "play_two" else 1, draws)


def discard_four(state: State, missed_draw: bool, draws: Draws) -> None:
    """R12: four ONO 99 cards are discarded and four cards drawn, as a play or before the play."""
    seat = state["current_player"]
    lay_down(state, seat, "ono99", 4)
    remember(state, seat, DISCARD_FOUR)
    if not missed_draw:
        for _ in range(4):
            draw(state, seat, draws)
    if state["rules"]["four_ono99_discard"] == "then_play":
        go_out_if_stuck(state, draws)
        return
    state["last_player"] = seat
    if owes_first_of_two(state):
        owe_the_second(state, draws)
    else:
        next_turn(state, 1, draws)


def bust(state: State, card: str, missed_draw: bool, draws: Draws) -> None:
    """R17: a card is played over the limit, without effect; the player draws and is out."""
    seat = state["current_player"]
    lay_down(state, seat, card)
    remember(state, seat, f"bust:{card}")
    state["last_player"] = seat
    state["history"]["busted"][seat] = True
    if state["rules"]["bust_counts"]:
        state["total"] = new_total(state, card)
    if not missed_draw:
        draw(state, seat, draws)
    go_out(state, draws)


def owe_the_second(state: State, draws: Draws) -> None:
    """R7: the first of two cards is played, the second is due."""
    state["plays_owed"] = 1
    state["second_play"] = True
    go_out_if_stuck(state, draws)


def next_turn(state: State, plays_owed: int, draws: Draws) -> None:
    """R3 and R7: the turn passes on."""
    begin_turn(state, next_seat(state, state["current_player"]), plays_owed, draws)


def begin_turn(state: State, seat: int, plays_owed: int, draws: Draws) -> None:
    """R3: a seat is to move, if it can."""
    state["current_player"] = seat
    state["plays_owed"] = plays_owed
    state["second_play"] = False
    state["ono99_played_this_turn"] = False
    go_out_if_stuck(state, draws)


def go_out_if_stuck(state: State, draws: Draws) -> None:
    """R6: a player without a legal play is out."""
    if not legal_actions(state, state["current_player"]):
        go_out(state, draws)


def go_out(state: State, draws: Draws) -> None:
    """R6, R13, R16 and R17: the current player is out; the round ends or goes on.

    A player who is out cancels an obligation (R7): the next one owes one card.
    """
    seat = state["current_player"]
    state["eliminated"][seat] = True
    if state["history"]["first_out"] is None:
        state["history"]["first_out"] = seat
    if state["rules"]["format"] == "chips":
        rounds.end_round_of_chips(state, seat, draws)
    elif is_points_match(state) and len(players_left(state)) == 1:
        rounds.end_round_of_points(state, draws)
    elif state["rules"]["format"] == "single_round" and round_winner(state) is not None:
        rounds.end_single_round(state, round_winner(state))
    else:
        next_turn(state, 1, draws)


def round_winner(state: State) -> int | None:
    """R13: who has won the single round now that a player went out, if anybody."""
    left = players_left(state)
    stuck = not any(could_start_a_turn(state, seat) for seat in left)
    last_to_play = state["rules"]["stuck_round_winner"] == "last_to_play"
    if stuck and last_to_play and state["last_player"] is not None:
        return state["last_player"]
    return left[0] if len(left) == 1 else None
