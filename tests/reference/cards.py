"""R1: the cards, in the order of their ids, and how piles of them are held."""

NUMBERS = [str(number) for number in range(11)]
CARDS = [*NUMBERS, "ono99", "reverse", "minus_ten", "play_two", "hold"]
DISCARD_FOUR = "discard_four_ono99"
ACTIONS = [*CARDS, DISCARD_FOUR]

VALUE = dict.fromkeys(CARDS, 0)
VALUE.update({number: int(number) for number in NUMBERS})
VALUE["minus_ten"] = -10

POINTS = {number: int(number) for number in NUMBERS}
POINTS.update({"ono99": 20, "reverse": 15, "minus_ten": 15, "play_two": 15, "hold": 15})

Pile = dict[str, int]


def put(pile: Pile, card: str, count: int = 1) -> None:
    """Add cards to a pile or a hand."""
    pile[card] = pile.get(card, 0) + count


def take(pile: Pile, card: str, count: int = 1) -> None:
    """Remove cards from a pile or a hand.

    Raises:
        AssertionError: The pile holds fewer of them.
    """
    assert pile.get(card, 0) >= count, f"no {card} in {pile}"
    pile[card] -= count
    if pile[card] == 0:
        del pile[card]
