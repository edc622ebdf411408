"""What a player may play: R3, R4, R7, R9, R11, R12 and R17."""

from tests.reference.cards import ACTIONS, DISCARD_FOUR, VALUE

State = dict


def is_points_match(state: State) -> bool:
    """R14: whether the match is scored by points."""
    return state["rules"]["format"] in ("points_last_standing", "points_lowest")


def new_total(state: State, card: str) -> int:
    """R3 and R9: the running total after a card, never below ``lowest_total``."""
    total = state["total"] + VALUE[card]
    lowest = state["rules"]["lowest_total"]
    return total if lowest is None else max(total, lowest)


def keeps_limit(state: State, card: str) -> bool:
    """R4: the new total may stand."""
    return new_total(state, card) <= state["rules"]["highest_total"]


def may_play_ono99(state: State) -> bool:
    """R11: the option permits the card at this total, and it is the first one of the turn."""
    permitted = {
        "never": False,
        "total_ends_in_zero": state["total"] % 10 == 0,
        "total_is_zero": state["total"] == 0,
    }
    return permitted[state["rules"]["ono99_play"]] and not state["ono99_played_this_turn"]


def owes_first_of_two(state: State) -> bool:
    """R7: the next card is the first of two owed cards."""
    return state["plays_owed"] == 2


def may_be_first_of_two(state: State, card: str) -> bool:
    """R7: a Play Two that is not an answer may not be the first of two."""
    return card != "play_two" or "play_two" in state["rules"]["play_two_answers"]


def fits_the_obligation(state: State, card: str) -> bool:
    """R7: the obligation, if there is one, does not forbid the card."""
    return not owes_first_of_two(state) or may_be_first_of_two(state, card)


def may_play(state: State, card: str) -> bool:
    """R3: the card can be played by the player to move without breaking the limit."""
    if card == "ono99" and not may_play_ono99(state):
        return False
    return keeps_limit(state, card) and fits_the_obligation(state, card)


def may_discard_four(state: State, hand: dict[str, int]) -> bool:
    """R12: four ONO 99 cards may be discarded; as a play, only at a total that may stand."""
    option = state["rules"]["four_ono99_discard"]
    if option == "off" or hand.get("ono99", 0) < 4:
        return False
    return option == "then_play" or state["total"] <= state["rules"]["highest_total"]


def may_bust_with(state: State, card: str) -> bool:
    """R17: the card may be played over the limit."""
    return card != "ono99" and not keeps_limit(state, card) and fits_the_obligation(state, card)


def legal_actions(state: State, seat: int) -> list[str]:
    """R3: what the seat may do if it is to move, in the order of the action ids."""
    hand = state["hands"][seat]
    legal = [card for card in hand if may_play(state, card)]
    if may_discard_four(state, hand):
        legal.append(DISCARD_FOUR)
    if is_points_match(state) and (not legal or state["rules"]["voluntary_bust"]):
        legal += [card for card in hand if may_bust_with(state, card)]
    return sorted(legal, key=ACTIONS.index)


def could_start_a_turn(state: State, seat: int) -> bool:
    """R13: the seat would have a legal play in a fresh turn, owing one card.

    A discard of four that only precedes a play is none.
    """
    fresh = dict(state, plays_owed=1, second_play=False, ono99_played_this_turn=False)
    plays = legal_actions(fresh, seat)
    if state["rules"]["four_ono99_discard"] == "then_play":
        plays = [action for action in plays if action != DISCARD_FOUR]
    return bool(plays)
