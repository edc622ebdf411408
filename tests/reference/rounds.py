"""How rounds and matches are dealt, scored and ended: R2, R13 and R15 to R19, R22."""

from tests.reference import turns
from tests.reference.cards import POINTS

State = dict
Draws = list[str]


def new_round(state: State, seats: list[int], dealer: int, draws: Draws) -> None:
    """R2 and R15: the seats in the match are dealt a round from the full deck."""
    everybody = range(state["rules"]["num_players"])
    state.update(total=0, direction=1, dealer=dealer, last_player=None)
    state["round"] += 1
    state["draw_pile"] = {card: n for card, n in state["rules"]["deck"].items() if n > 0}
    state["discard_pile"] = {}
    state["hands"] = [{} for _ in everybody]
    state["eliminated"] = [seat not in seats for seat in everybody]
    state["history"] = {
        "busted": [False for _ in everybody],
        "first_out": None,
        "plays": 0,
        "reshuffles": 0,
        "top_discard": None,
        "recent_plays": [[] for _ in everybody],
        "truncated": False,
    }
    deal(state, dealer, draws)
    turns.begin_turn(state, turns.next_seat(state, dealer), 1, draws)


def deal(state: State, dealer: int, draws: Draws) -> None:
    """R2: one card at a time, clockwise from the dealer's left."""
    for _ in range(state["rules"]["hand_size"]):
        seat = dealer
        for _ in turns.players_left(state):
            seat = turns.next_seat(state, seat)
            turns.draw(state, seat, draws)


def next_dealer(state: State, seats: list[int]) -> int:
    """R15: who deals the next round to the seats still in the match."""
    count = state["rules"]["num_players"]
    if state["rules"]["next_dealer"] == "rotate":
        dealer = (state["dealer"] + 1) % count
        while dealer not in seats:
            dealer = (dealer + 1) % count
        return dealer
    starter = state["history"]["first_out"]
    while starter not in seats:
        starter = (starter + 1) % count
    dealer = (starter - 1) % count
    while dealer not in seats:
        dealer = (dealer - 1) % count
    return dealer


def end_single_round(state: State, winner: int) -> None:
    """R13: the round is the game; everybody but the winner is out."""
    state["eliminated"] = [seat != winner for seat in range(state["rules"]["num_players"])]
    end_match(state, [winner])


def end_round_of_chips(state: State, loser: int, draws: Draws) -> None:
    """R16: the loser gives up a chip, or leaves the match without one."""
    seats = turns.players_left(state)
    if state["chips"][loser] > 0:
        state["chips"][loser] -= 1
        seats = sorted([*seats, loser])
    if len(seats) == 1:
        end_match(state, seats)
    else:
        new_round(state, seats, next_dealer(state, seats), draws)


def hand_points(state: State, seat: int) -> int:
    """R18: points for cards left, cards short and going out over the limit."""
    hand = state["hands"][seat]
    missing = state["rules"]["hand_size"] - sum(hand.values())
    cards_left = sum(POINTS[card] * count for card, count in hand.items())
    return cards_left + 15 * missing + (25 if state["history"]["busted"][seat] else 0)


def seats_below_target(state: State) -> list[int]:
    """R19: the seats that have not reached the target."""
    target = state["rules"]["target_points"]
    return [seat for seat, points in enumerate(state["points"]) if points < target]


def seats_in_match(state: State) -> list[int]:
    """The seats still in the match while a round is played.

    With chips nobody is out of a round that goes on without being out of the match (R16).
    """
    if state["rules"]["format"] == "points_last_standing":
        return seats_below_target(state)
    if state["rules"]["format"] == "points_lowest":
        return list(range(state["rules"]["num_players"]))
    return turns.players_left(state)


def lowest(state: State, seats: list[int]) -> list[int]:
    """R19: the seats with the lowest score among some; equal scores share the win."""
    best = min(state["points"][seat] for seat in seats)
    return [seat for seat in seats if state["points"][seat] == best]


def end_round_of_points(state: State, draws: Draws) -> None:
    """R18 and R19: everybody in the round scores, then the match ends or goes on."""
    scored = seats_in_match(state)
    for seat in scored:
        state["points"][seat] += hand_points(state, seat)
    below = seats_below_target(state)
    if state["rules"]["format"] == "points_lowest" and len(below) < len(scored):
        end_match(state, lowest(state, scored))
    elif len(below) == 0:
        end_match(state, lowest(state, scored))
    elif len(below) == 1:
        end_match(state, below)
    else:
        new_round(state, below, next_dealer(state, below), draws)


def end_match(state: State, winners: list[int]) -> None:
    """The game is over; the losers pay the winners."""
    count = state["rules"]["num_players"]
    stake = 1 / (count - 1)
    share = (count - len(winners)) * stake / len(winners)
    state.update(is_over=True, winners=winners, current_player=None)
    state.update(plays_owed=0, second_play=False, ono99_played_this_turn=False)
    state["returns"] = [share if seat in winners else -stake for seat in range(count)]


def settle(state: State) -> None:
    """A player who is out of the game has lost at once, before the game is over."""
    if state["is_over"]:
        return
    seats = seats_in_match(state)
    stake = 1 / (state["rules"]["num_players"] - 1)
    state["returns"] = [
        0.0 if seat in seats else -stake for seat in range(state["rules"]["num_players"])
    ]


def truncate(state: State) -> None:
    """R22: a round that has used up its plays ends the game without a winner of its own."""
    longest = state["rules"]["max_plays"]
    if longest is None or state["is_over"] or state["history"]["plays"] < longest:
        return
    state["history"]["truncated"] = True
    end_match(state, seats_in_match(state))
