"""Every named slice of the observation, worked out anew from the snapshot in plain Python."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ono99_env import Card, Game
from ono99_env.observation import FEATURES, OBSERVATION_SIZE, Feature
from tests.random_games import positions

FORMATS = ["single_round", "chips", "points_last_standing", "points_lowest"]
CARDS = [card.label for card in Card]
SLOTS = 8
POSITIONS = 3000


def one_hot(size: int, index: int | None) -> list[float]:
    return [float(place == index) for place in range(size)]


class Expected:
    """What a seat should observe, feature by feature; one method a feature."""

    def __init__(self, game: Game, observer: int) -> None:
        self.position, self.observer = game.snapshot(), observer
        self.rules, self.history = self.position["rules"], self.position["history"]
        self.legal_actions = game.legal_actions() if game.current_player == observer else []
        self.players = game.num_players

    def slots(self) -> list[int]:
        """The observer, who is in the round in playing order, and who is out in the same order."""
        step, out = self.position["direction"], self.position["eliminated"]
        others = [(self.observer + step * far) % self.players for far in range(1, self.players)]
        return [self.observer, *sorted(others, key=lambda seat: out[seat])]

    def in_match(self, seat: int) -> bool:
        if self.position["is_over"]:
            return seat in self.position["winners"]
        if self.rules["format"] == "points_lowest":
            return True
        if self.rules["format"] == "points_last_standing":
            return self.position["points"][seat] < self.rules["target_points"]
        return not self.position["eliminated"][seat]

    def is_face_up(self, seat: int) -> bool:
        return self.position["eliminated"][seat] and self.rules["eliminated_hands"] == "face_up"

    def in_hand(self, seat: int) -> list[float]:
        hand = self.position["hands"][seat]
        return [hand.get(card, 0) / self.rules["hand_size"] for card in CARDS]

    def of_deck(self, cards: dict[str, int]) -> list[float]:
        deck = self.rules["deck"]
        return [cards.get(card, 0) / max(1, deck.get(card, 0)) for card in CARDS]

    def by_slot(self, size: int, describe: Callable[[int], list[float]]) -> list[float]:
        values = [value for seat in self.slots() for value in describe(seat)]
        return values + [0.0] * (SLOTS * size - len(values))

    def hand(self) -> list[float]:
        return self.in_hand(self.observer)

    def legal(self) -> list[float]:
        return [float(action in self.legal_actions) for action in range(17)]

    def total(self) -> list[float]:
        part = self.position["total"] / (self.rules["highest_total"] + 80)
        return [max(-1.0, min(1.0, part))]

    def headroom(self) -> list[float]:
        left = self.rules["highest_total"] - self.position["total"]
        return one_hot(12, min(left, 11))

    def turn(self) -> list[float]:
        keys = ("second_play", "ono99_played_this_turn")
        return [
            float(self.position["plays_owed"] == 2),
            *(float(self.position[key]) for key in keys),
        ]

    def direction(self) -> list[float]:
        return [float(self.position["direction"])]

    def num_players(self) -> list[float]:
        return one_hot(7, self.players - 2)

    def players_left(self) -> list[float]:
        return one_hot(8, self.position["eliminated"].count(False) - 1)

    def format(self) -> list[float]:
        return one_hot(4, FORMATS.index(self.rules["format"]))

    def progress(self) -> list[float]:
        parts = [
            self.position["round"] / (self.position["round"] + 50),
            self.history["reshuffles"] / (self.history["reshuffles"] + 10),
            self.history["plays"] / (self.rules["max_plays"] or 200),
        ]
        return [min(1.0, part) for part in parts]

    def pile_sizes(self) -> list[float]:
        deck_size = sum(self.rules["deck"].values())
        piles = (self.position["draw_pile"], self.position["discard_pile"])
        return [sum(pile.values()) / deck_size for pile in piles]

    def discarded(self) -> list[float]:
        return self.of_deck(self.position["discard_pile"])

    def unseen(self) -> list[float]:
        cards = dict(self.position["draw_pile"])
        for seat, hand in enumerate(self.position["hands"]):
            if seat != self.observer and not self.is_face_up(seat):
                for card, count in hand.items():
                    cards[card] = cards.get(card, 0) + count
        return self.of_deck(cards)

    def seats(self) -> list[float]:
        return self.by_slot(11, self.seat)

    def seat(self, seat: int) -> list[float]:
        position, rules = self.position, self.rules
        return [
            1.0,
            float(not position["eliminated"][seat]),
            float(self.in_match(seat)),
            float(position["current_player"] == seat),
            float(position["dealer"] == seat),
            float(position["last_player"] == seat),
            float(self.history["busted"][seat]),
            float(self.history["first_out"] == seat),
            sum(position["hands"][seat].values()) / rules["hand_size"],
            position["chips"][seat] / max(1, rules["chips"]),
            min(1.0, position["points"][seat] / rules["target_points"]),
        ]

    def face_up_hands(self) -> list[float]:
        def describe(seat: int) -> list[float]:
            # The observer's own cards are the feature ``hand``.
            shown = self.is_face_up(seat) and seat != self.observer
            return self.in_hand(seat) if shown else [0.0] * len(CARDS)

        return self.by_slot(len(CARDS), describe)

    def recent_plays(self) -> list[float]:
        def describe(seat: int) -> list[float]:
            plays = [*self.history["recent_plays"][seat], None, None][:2]
            return [value for play in plays for value in self.play(play)]

        return self.by_slot(18, describe)

    def play(self, name: str | None) -> list[float]:
        if name is None:
            return [0.0] * 9
        card = name.removeprefix("bust:")
        kinds = ["ono99", "reverse", "minus_ten", "play_two", "hold", "discard_four_ono99"]
        number = int(card) / 10 if card.isdigit() else 0.0
        return [1.0, number, *(float(card == kind) for kind in kinds), float(card != name)]


def observed(game: Game, observer: int) -> np.ndarray:
    return game.views(observer).observation[0]


def samples(seed: int, count: int) -> Iterator[tuple[Game, int, np.ndarray]]:
    for rng, game in positions(seed, count):
        observer = rng.randrange(game.num_players)
        yield game, observer, observed(game, observer)


@pytest.fixture(scope="module")
def many() -> list[tuple[Expected, np.ndarray]]:
    return [(Expected(game, seat), vector) for game, seat, vector in samples(30, POSITIONS)]


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_is_what_its_description_says(
    name: str, many: list[tuple[Expected, np.ndarray]]
) -> None:
    expected = np.array([getattr(sample, name)() for sample, _ in many])
    actual = np.array([vector[FEATURES[name].slice] for _, vector in many])
    wrong = np.flatnonzero(~np.isclose(actual, expected, atol=1e-6).all(axis=1))
    assert not len(wrong), f"{len(wrong)} of {len(many)}, first: {many[wrong[0]][0].position}"
    assert len(np.unique(actual, axis=0)) > 1, "the samples never vary in this feature"


def test_the_slices_tile_the_vector_exactly() -> None:
    ends = 0
    for name, feature in FEATURES.items():
        assert isinstance(feature, Feature)
        assert (feature.name, feature.start) == (name, ends)
        assert feature.size > 0
        assert feature.description
        ends += feature.size
    assert ends == OBSERVATION_SIZE


def test_every_value_lies_between_minus_one_and_one_and_is_a_float32() -> None:
    touched = np.zeros(OBSERVATION_SIZE, bool)
    for _, _, vector in samples(31, POSITIONS):
        assert vector.dtype == np.float32
        assert vector.shape == (OBSERVATION_SIZE,)
        assert np.isfinite(vector).all()
        assert np.abs(vector).max() <= 1
        touched |= vector != 0
    assert touched.sum() > 0.9 * OBSERVATION_SIZE


def test_every_feature_has_an_independent_computation() -> None:
    assert all(name in vars(Expected) for name in FEATURES)


def test_the_last_seats_to_act_come_last_whatever_the_direction() -> None:
    for game, observer, vector in samples(32, 800):
        seats = vector[FEATURES["seats"].slice].reshape(SLOTS, -1)
        if game.is_over or game.current_player == observer:
            continue
        position = game.snapshot()
        step, seat, waiting = position["direction"], game.current_player, 0
        while seat != observer:
            waiting += not position["eliminated"][seat]
            seat = (seat + step) % game.num_players
        in_round = int(seats[1:, 1].sum())
        assert seats[1 + in_round - waiting, 3] == 1 or position["eliminated"][observer]
