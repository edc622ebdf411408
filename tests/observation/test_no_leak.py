"""Nothing that a seat may not know (R21) reaches its view, nor anything made of it."""

import random
from collections import Counter

import numpy as np
import pytest

from ono99_env import Bot, Game, Rules, SnapshotError, Views, load_bot, ono99_v0
from ono99_env.drawing import Scene, draw_table
from ono99_env.engine.records import STATE, counts_from_hand
from ono99_env.observation import FEATURES, redact
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.tables import Episodes
from tests.random_games import positions

POSITIONS = 1200


def view_of(game: Game, seat: int) -> Views:
    return game.views(seat)


def hidden_hands(snapshot: dict, observer: int) -> list[int]:
    """The seats whose cards the observer cannot see (R6, R21)."""
    face_up = snapshot["rules"]["eliminated_hands"] == "face_up"
    return [
        seat
        for seat, out in enumerate(snapshot["eliminated"])
        if seat != observer and not (out and face_up)
    ]


def shuffled(snapshot: dict, observer: int, rng: random.Random) -> dict:
    """The same position for the observer: hidden cards dealt anew, and another future."""
    seats = hidden_hands(snapshot, observer)
    cards = Counter(snapshot["draw_pile"])
    for seat in seats:
        cards.update(snapshot["hands"][seat])
    unseen = sorted(cards.elements())
    rng.shuffle(unseen)
    hands = list(snapshot["hands"])
    for seat in seats:
        size = sum(hands[seat].values())
        hands[seat] = dict(Counter(unseen[:size]))
        unseen = unseen[size:]
    future = f"0x{rng.getrandbits(64):016x}"
    return {**snapshot, "hands": hands, "draw_pile": dict(Counter(unseen)), "rng": future}


def other_truth(game: Game, observer: int, rng: random.Random) -> Game | None:
    """A game that differs only in what is hidden, or None if the player to act would be out."""
    for _ in range(5):
        try:
            return Game.from_snapshot(shuffled(game.snapshot(), observer, rng))
        except SnapshotError as error:
            if "has no legal action" not in str(error):
                raise
    return None


def test_states_that_differ_in_hidden_cards_only_give_bit_identical_views() -> None:
    differing: Counter = Counter()
    for rng, game in positions(20, POSITIONS):
        observer = rng.randrange(game.num_players)
        other = other_truth(game, observer, rng)
        if other is None:
            continue
        differing[game.rules.format] += game.snapshot()["hands"] != other.snapshot()["hands"]
        mine, theirs = (
            view_of(Game.from_snapshot(game.snapshot()), observer),
            view_of(other, observer),
        )
        for name in STATE.names:
            assert np.array_equal(mine.states[name], theirs.states[name]), name
        for name, feature in FEATURES.items():
            assert np.array_equal(
                mine.observation[:, feature.slice], theirs.observation[:, feature.slice]
            ), name
        assert mine.observation.tobytes() == theirs.observation.tobytes()
        assert mine.action_mask.tobytes() == theirs.action_mask.tobytes()
        scenes = [Scene.of(game.rules, table.state, observer) for table in (game, other)]
        assert scenes[0].as_dict() == scenes[1].as_dict()
        assert draw_table(scenes[0]) == draw_table(scenes[1])
    assert min(differing[name] for name in Rules.model_fields["format"].annotation.__args__) > 40


def test_a_view_shows_exactly_the_hands_that_the_seat_may_see() -> None:
    seen: Counter = Counter()
    for rng, game in positions(21, POSITIONS):
        observer = rng.randrange(game.num_players)
        view, snapshot = view_of(game, observer).states[0], game.snapshot()
        hidden = hidden_hands(snapshot, observer)
        for seat, hand in enumerate(counts_from_hand(view.hands[: game.num_players])):
            size = sum(snapshot["hands"][seat].values())
            assert hand.sum() == (0 if seat in hidden else size)
            assert view.hidden_cards[seat] == (size if seat in hidden else 0)
            seen["face up"] += seat != observer and hand.sum() > 0
            seen["face down"] += seat in hidden and snapshot["eliminated"][seat] and size > 0
        assert view.random_counter == 0
    assert min(seen["face up"], seen["face down"]) > 5


def test_redact_leaves_the_game_itself_alone() -> None:
    for rng, game in positions(22, 200):
        before = game.games.tobytes()
        redact(game.state, rng.randrange(game.num_players))
        assert game.games.tobytes() == before


def test_only_the_player_to_act_learns_what_is_legal() -> None:
    for _, game in positions(23, 1000):
        for seat in range(game.num_players):
            view = view_of(game, seat)
            expected = game.legal_actions() if seat == game.current_player else []
            assert np.flatnonzero(view.action_mask[0]).tolist() == expected
            assert np.flatnonzero(view.observation[0, FEATURES["legal"].slice]).tolist() == expected


@pytest.mark.parametrize("rules", [Rules(), Rules(edition="1980", num_players=8)])
def test_the_aec_environment_shows_each_agent_only_its_own_view(rules: Rules) -> None:
    env, rng = ono99_v0.env(rules=rules), random.Random(24)
    for seed in range(12):
        game = Game(rules, seed=seed)
        for _ in range(rng.randrange(8)):
            game.play(rng.choice(game.legal_actions()))
        for seat, agent in enumerate(env.possible_agents):
            other = other_truth(game, seat, rng)
            assert other is not None
            seen = []
            for table in (game, other):
                env.load_snapshot(table.snapshot())
                seen.append(env.observe(agent))
            assert all(np.array_equal(seen[0][key], seen[1][key]) for key in seen[0])


class Spy(Bot):
    """Plays at random and keeps everything that it was given."""

    def __init__(self) -> None:
        self.states: list[np.ndarray] = []
        self.seats: list[np.ndarray] = []

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        self.states.append(views.states.copy())
        self.seats.append(views.seats.copy())
        return load_bot("random").act(views, rng)


def test_a_bot_is_given_redacted_records_of_its_own_seat() -> None:
    spy, rng = Spy(), np.random.default_rng(0)
    episodes = Episodes(Rules(num_players=4), 16, [spy], seed=1)
    for _ in range(30):
        mask = episodes.action_mask
        episodes.reset(episodes.step((rng.random(mask.shape) * mask).argmax(axis=1)))
    states, seats = np.concatenate(spy.states), np.concatenate(spy.seats)
    assert len(states) > 500
    assert (states["current_player"] == seats).all()
    assert not states["random_counter"].any()
    is_in = (states["in_round"][:, None] >> np.arange(8)) & 1 == 1
    is_own = np.arange(8) == seats[:, None]
    assert not states["hands"][is_in & ~is_own].any()
    assert (states["hidden_cards"][:, :4][(is_in & ~is_own)[:, :4]] == 4).all()


def test_a_compiled_bot_acts_on_the_same_whatever_is_hidden() -> None:
    for rng, game in positions(25, 250):
        if game.is_over:
            continue
        other = other_truth(game, game.current_player, rng)
        assert other is not None
        for name in ("random", "highest", "search:simulations=20"):
            bot = load_bot(name)
            actions = [
                bot.act(view_of(table, game.current_player), np.random.default_rng(1))[0]
                for table in (game, other)
            ]
            assert actions[0] == actions[1] < NUM_ACTIONS
