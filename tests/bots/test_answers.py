"""A bot is judged by the table, whatever it does to what it was given, and is named if it fails."""

import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ono99_env import Bot, Game, Rules, Views, load_bot
from ono99_env.bots.answers import AskedBot, Question, ask_strictly
from ono99_env.bots.foreign import check_bot, name_of
from ono99_env.engine.records import counts_from_hand, counts_from_pile
from ono99_env.messages.errors import BotError
from ono99_env.observation.views import COMPACT
from ono99_env.tables.tables import Tables

RULES = Rules.preset("2022", num_players=3)


class Does(Bot):
    """Does something with what it is given, and answers with what that returns."""

    name = "does"

    def __init__(self, does: Callable[[Views, np.random.Generator], Any]) -> None:
        self.does = does

    def act(self, views: Views, rng: np.random.Generator) -> Any:
        answer = self.does(views, rng)
        return first_legal(views) if answer is None else answer


def first_legal(views: Views) -> np.ndarray:
    return views.action_mask.argmax(axis=1)


def ask(does: Callable[[Views, np.random.Generator], Any], count: int = 5) -> np.ndarray:
    games = np.concatenate([Game(RULES, seed=seed).games for seed in range(count)])
    return ask_strictly(Question(AskedBot(Does(does), 0, RULES), RULES, games))


def play(bots: list[Bot], games: int = 60, seed: int = 3) -> Tables:
    tables = Tables(RULES, bots, games, seed)
    holders = np.tile(np.arange(8) % len(bots), (games, 1)).astype(np.int8)
    seeds = np.arange(games, dtype=np.uint64)
    tables.deal(np.arange(games), np.full(games, 3), seeds, holders)
    return tables


def cheat(field: str, value: int) -> Callable[[Views, np.random.Generator], np.ndarray]:
    def does(views: Views, rng: np.random.Generator) -> np.ndarray:
        views.states.setflags(write=True)
        views.states[field] = value
        return np.full(len(views), 16)

    return does


@pytest.mark.parametrize(
    "field", ["legal_plays", "may_discard_four", "current_player", "num_players", "total"]
)
def test_what_a_bot_writes_into_its_records_makes_nothing_legal(field: str) -> None:
    with pytest.raises(BotError, match=r"bot 'does' chose the illegal action 16 in seat \d of a"):
        ask(cheat(field, 1))


def test_a_bot_that_writes_into_everything_changes_no_game() -> None:
    def scribble(views: Views, rng: np.random.Generator) -> np.ndarray:
        actions = first_legal(views)
        for array in (views.states, views.seats, views.observation, views.action_mask):
            assert not array.flags.writeable
            assert not isinstance(array.base, np.ndarray) or not array.base.flags.writeable
            array.setflags(write=True)
            array.view(np.uint8)[:] = 0xAA
            if isinstance(array.base, bytearray):
                array.base[:] = b"\xaa" * len(array.base)
        vars(views.rules)["highest_total"] = 999
        dict.__setitem__(views.rules.deck, "10", 99)
        rng.random(1000)
        return actions

    honest, scribbling = play([Does(lambda *_: None)]), play([Does(scribble)])
    assert np.array_equal(honest.games, scribbling.games)
    assert scribbling.rules == RULES
    for game in scribbling.games:
        held = counts_from_hand(game["hands"]).sum() + counts_from_pile(game["draw_pile"]).sum()
        assert held + counts_from_pile(game["discard_pile"]).sum() == 112


def test_views_of_every_kind_are_read_only_copies() -> None:
    game = Game(RULES, seed=1)
    seats = np.zeros(1, np.int64)
    record = np.zeros((1, COMPACT.itemsize), np.uint8)
    record.view(COMPACT)[0, 0]["state"] = game.games[0]
    for views in (Views.of(RULES, game.games, seats), Views.of_compact(RULES, record)):
        for array in (views.states, views.seats, views.observation, views.action_mask):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
            for memory in (game.games, seats, record):
                assert not np.shares_memory(array, memory)
    seats[:] = 1
    assert seats.flags.writeable


@pytest.mark.parametrize("count", [0, 50])
def test_what_one_bot_does_to_its_randomness_changes_no_other_bots(count: int) -> None:
    def greedy(views: Views, rng: np.random.Generator) -> None:
        rng.random(count)
        if count:
            rng.bit_generator.state = np.random.PCG64(0).state

    def other(views: Views, rng: np.random.Generator) -> None:
        drawn.append(rng.random())

    drawn: list[float] = []
    play([Does(greedy), Does(other)])
    alone = AskedBot(Does(other), 1, RULES, seed=3).rng
    assert drawn
    assert drawn == [alone.random() for _ in drawn]


def test_saved_tables_go_on_with_the_randomness_of_every_bot() -> None:
    def draw(views: Views, rng: np.random.Generator) -> np.ndarray:
        return np.where(views.action_mask, rng.random(views.action_mask.shape), -1).argmax(axis=1)

    one, other = play([Does(draw), Does(draw)], seed=1), play([Does(draw), Does(draw)], seed=2)
    other.load_state_dict(one.state_dict())
    holders = np.tile(np.arange(8) % 2, (60, 1)).astype(np.int8)
    for tables in (one, other):
        seeds = np.arange(60, dtype=np.uint64)
        tables.deal(np.arange(60), np.full(60, 3), seeds, holders)
    assert np.array_equal(one.games, other.games)


class Shifting(np.ndarray):
    """An array that shows others than NumPy's own code another shape and type."""

    shape = property(lambda self: (5,))  # type: ignore[assignment]
    dtype = property(lambda self: np.dtype(np.int64))  # type: ignore[assignment]


class Raises:
    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise SystemExit(1)


@pytest.mark.parametrize(
    "answer",
    [
        np.zeros(5),
        np.zeros(5, np.bool_),
        np.zeros((5, 1), np.int64),
        np.zeros(4, np.int64),
        np.zeros(5, "m8[s]"),
        np.array([2**70] * 5),
        np.zeros((5, 17), np.int64).view(Shifting),
        np.broadcast_to(np.int8(0), (10**15,)),
        [True] * 5,
        [0.0] * 5,
        "00000",
        0,
        {},
        object(),
        Raises(),
        [[0], [1, 2]],
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_an_answer_that_is_no_integer_for_each_view_names_the_bot(answer: Any) -> None:
    with pytest.raises(BotError, match=r"^bot 'does' .* in seat \d of a table of 3 players"):
        ask(lambda *_: answer)


@pytest.mark.parametrize("kind", ["list", "int8", "uint64", "subclass", "strided"])
def test_integers_of_every_kind_are_an_answer(kind: str) -> None:
    def does(views: Views, rng: np.random.Generator) -> Any:
        actions = first_legal(views)
        if kind == "list":
            return actions.tolist()
        if kind == "subclass":
            return actions.view(np.ma.MaskedArray)
        if kind == "strided":
            return np.repeat(actions, 2)[::2]
        return actions.astype(kind)

    assert ask(does).tolist() == ask(lambda *_: None).tolist()


@pytest.mark.parametrize("number", [-1, 17, 2**63, 2**64 - 1])
def test_numbers_that_are_no_actions_are_illegal(number: int) -> None:
    dtype = np.uint64 if number > 17 else np.int64
    with pytest.raises(BotError, match="chose the illegal action"):
        ask(lambda views, _: np.full(len(views), number, dtype))


def test_an_answer_that_changes_after_the_check_is_played_as_it_was_checked() -> None:
    kept: list[np.ndarray] = []

    def does(views: Views, rng: np.random.Generator) -> np.ndarray:
        kept.append(first_legal(views))
        return kept[-1]

    actions = ask(does)
    expected = actions.copy()
    kept[0][:] = 16
    assert np.array_equal(actions, expected)


class SilentError(Exception):
    def __str__(self) -> str:
        raise SystemExit(2)


class Stops(BaseException):
    pass


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SystemExit(3), "SystemExit: 3"),
        (SystemExit(), "SystemExit"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (GeneratorExit(), "GeneratorExit"),
        (StopIteration(), "StopIteration"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (MemoryError(), "MemoryError"),
        (Stops("x"), "Stops: x"),
        (BotError("somebody else"), "BotError: somebody else"),
        (SilentError(), "SilentError: its message cannot be read"),
        (ValueError("red\x1b[31m"), r"ValueError: red\\x1b\[31m"),
        (ValueError("x" * 10_000), "ValueError: x{500}[.]{3}"),
    ],
)
def test_a_bot_that_raises_anything_is_named(error: BaseException, words: str) -> None:
    def does(views: Views, rng: np.random.Generator) -> None:
        raise error

    where = r"in seat \d of a table of 3 players \(2022 rules, single_round\), asked for 5 actions"
    with pytest.raises(BotError, match=f"^bot 'does' raised {words} - {where}$"):
        ask(does)


@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_real_interruption_stops_everything_though_the_bot_hides_it(is_hidden: bool) -> None:
    def does(views: Views, rng: np.random.Generator) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            if not is_hidden:
                raise

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        ask(does)
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_bot_that_sets_the_handler_of_interruptions_does_not_keep_it() -> None:
    handler = signal.getsignal(signal.SIGINT)
    ask(lambda *_: signal.signal(signal.SIGINT, signal.SIG_IGN) and None)
    assert signal.getsignal(signal.SIGINT) is handler


def test_in_another_thread_an_interruption_is_the_bots_own() -> None:
    caught: list[BaseException] = []

    def does(views: Views, rng: np.random.Generator) -> None:
        raise KeyboardInterrupt

    def run() -> None:
        try:
            ask(does)
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert isinstance(caught[0], BotError)


@pytest.mark.parametrize("name", [5, None, b"x", SystemExit(1)])
def test_a_bot_whose_name_is_no_text_is_refused_at_the_door(name: Any) -> None:
    def get(_: Bot) -> Any:
        if isinstance(name, BaseException):
            raise name
        return name

    named = type("Named", (Does,), {"name": property(get)})
    with pytest.raises(BotError, match="bots: the name of a Named must be text"):
        Tables(RULES, [named(lambda *_: None)], 1)
    assert name_of(named(lambda *_: None)) == "Named without a name"


@pytest.mark.parametrize("error", [SystemExit(0), RuntimeError("boom"), ImportError("no torch")])
def test_a_bot_that_fails_when_asked_about_rules_is_named(error: BaseException) -> None:
    class Failing(Does):
        def check_rules(self, rules: Rules) -> None:
            raise error

    with pytest.raises(BotError, match=r"bot 'does' raised .* - in check_rules, .* of 3 players"):
        Tables(RULES, [Failing(lambda *_: None)], 1)


def test_a_bot_that_refuses_rules_is_named_and_cannot_change_them() -> None:
    class Refusing(Does):
        def check_rules(self, rules: Rules) -> None:
            vars(rules)["num_players"] = 2
            raise ValueError("too many at the table")

    with pytest.raises(ValueError, match="bot 'does' cannot play this game: too many at the table"):
        check_bot(Refusing(lambda *_: None), RULES)
    assert RULES.num_players == 3


def test_a_subclass_of_a_compiled_bot_plays_as_it_says() -> None:
    asked: list[int] = []

    class Own(type(load_bot("highest"))):  # type: ignore[misc]
        def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
            asked.append(len(views))
            return first_legal(views)

    play([Own("highest")])
    assert asked
