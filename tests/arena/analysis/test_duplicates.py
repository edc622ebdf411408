"""Duplicate deals: fair, repeatable, less noisy, and honest about what is not known."""

import numpy as np
import pytest

from ono99_env import Bot, Game, Rules, Views, load_bot
from ono99_env.arena import one_vs_rest, play_deals
from ono99_env.arena.analysis.intervals import estimate_share
from ono99_env.tables import win_shares
from tests.bots.policies.bot_files import write_bot_file

pytestmark = pytest.mark.slow

RULES = Rules.preset("2022", num_players=4)


class Asked(Bot):
    """A compiled bot that is asked from Python, as bot files are."""

    def __init__(self, name: str) -> None:
        self.name = f"asked {name}"
        self._inner = load_bot(name)
        self.batches: list[int] = []

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        self.batches.append(len(views))
        return self._inner.act(views, rng)


def one_seat_each(num_players: int) -> np.ndarray:
    return (1 - np.eye(num_players)).astype(np.int8)


def test_a_bot_against_copies_of_itself_is_exactly_at_parity():
    # Without chance in the bots, the games of a deal are one game, so each seat wins it once.
    for num_players in (2, 3, 5):
        highest = load_bot("highest")
        result = one_vs_rest(RULES, highest, load_bot("highest"), num_players, 3000, seed=1)
        assert result.win_rate == pytest.approx(1 / num_players, abs=1e-12)
        assert result.score == pytest.approx(1)


def test_games_are_those_of_the_seed_with_the_bot_in_each_seat():
    shares = play_deals(RULES, [load_bot("highest")], np.zeros((1, 4), np.int8), 20, seed=5)
    rng = np.random.default_rng([5, 0])
    rng.integers(2**63)
    order = [*range(10, -1, -1), 12, 14, 13, 15, 16, 11]
    for deal, seed in enumerate(rng.integers(2**64, size=20, dtype=np.uint64)):
        game = Game(RULES, seed=int(seed))
        while not game.is_over:
            game.play(min(game.legal_actions(), key=order.index))
        assert np.flatnonzero(shares[deal, 0]).tolist() == game.winners


def test_the_better_bot_wins_more():
    result = one_vs_rest(RULES, load_bot("highest"), load_bot("random"), 2, 4000, seed=0)
    assert result.interval[0] > 0.6
    reverse = one_vs_rest(RULES, load_bot("random"), load_bot("highest"), 2, 4000, seed=0)
    assert reverse.win_rate + result.win_rate == pytest.approx(1, abs=0.03)


def test_figures_agree_with_each_other():
    result = one_vs_rest(RULES, load_bot("random"), load_bot("highest"), 3, 1000, seed=0)
    assert (result.deals, result.games) == (334, 1002)  # whole deals, at least so many games
    assert result.score == result.win_rate * 3
    low, high = result.interval
    assert high - low == pytest.approx(2 * 1.96 * result.stderr, rel=1e-3)
    wider = one_vs_rest(RULES, load_bot("random"), load_bot("highest"), 3, 1000, 0, confidence=0.99)
    assert wider.win_rate == result.win_rate
    assert wider.interval[0] < low < high < wider.interval[1]


@pytest.mark.parametrize("name", ["random", "asked", "file", "file?sample"])
def test_the_same_seed_gives_the_same_figures(tmp_path, name):
    if name == "asked":
        bot: Bot = Asked("random")
    elif name == "random":
        bot = load_bot(name)
    else:
        path = write_bot_file(tmp_path / "bot.onnx")
        bot = load_bot(name.replace("file", str(path)))
    first = one_vs_rest(RULES, bot, load_bot("random"), 4, 400, seed=3)
    np.random.seed(1)
    assert one_vs_rest(RULES, bot, load_bot("random"), 4, 400, seed=3) == first
    assert one_vs_rest(RULES, bot, load_bot("random"), 4, 400, seed=4) != first


def test_more_games_begin_with_the_same_deals():
    bots = [load_bot("random"), load_bot("highest")]
    few, many = (play_deals(RULES, bots, one_seat_each(4), deals, 9) for deals in (700, 3000))
    assert (many[:700] == few).all()
    assert (many[:1024] != many[1024:2048]).any()  # every block has deals of its own


def test_bots_are_asked_in_large_batches():
    asked = Asked("highest")
    one_vs_rest(RULES, asked, load_bot("random"), 4, 4000, seed=0)
    assert max(asked.batches) > 500


def test_progress_is_told():
    told: list[tuple[int, int]] = []
    show = lambda done, total: told.append((done, total))  # noqa: E731
    one_vs_rest(RULES, load_bot("highest"), load_bot("random"), 2, 10_001, 0, progress=show)
    assert [total for _, total in told] == [10_002] * 3
    assert [done for done, _ in told] == [4096, 8192, 10_002]


def test_shared_wins_are_split():
    rules = Rules.preset("2022", num_players=4, max_plays=1)  # cut short after one play
    shares = play_deals(rules, [load_bot("random")], np.zeros((2, 4), np.int8), 10, seed=0)
    assert shares.shape == (10, 2, 4)
    assert (shares == 0.25).all()


@pytest.mark.parametrize("format_name", ["chips", "points_last_standing", "points_lowest"])
@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_every_format_has_one_win_a_game(edition, format_name):
    rules = Rules.preset(edition, num_players=3, format=format_name)
    bots = [load_bot("highest"), load_bot("random")]
    shares = play_deals(rules, bots, one_seat_each(3), 100, seed=0)
    assert shares.sum(axis=2) == pytest.approx(1)


def test_win_shares_are_those_of_the_games_returns():
    games = [Game(RULES, seed=seed) for seed in range(30)]
    for game in games:
        while not game.is_over:
            game.play(game.legal_actions()[0])
    shares = win_shares(np.concatenate([game.games for game in games]))[:, :4]
    for share, game in zip(shares, games, strict=True):
        assert share == pytest.approx((1 + 3 * np.array(game.returns)) / 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games must be at least 1, not 0"),
        ({"seed": -1}, "seed must not be negative"),
        ({"num_players": 7}, "num_players"),
        ({"num_players": 1}, "num_players"),
        ({"confidence": 95}, "confidence must be between 0 and 1"),
    ],
)
def test_impossible_arguments_are_refused(arguments, message):
    bots = {"bot": load_bot("highest"), "opponent": load_bot("random")}
    with pytest.raises(ValueError, match=message):
        one_vs_rest(RULES, **{**bots, "num_players": 2, "games": 10, "seed": 0, **arguments})


def test_a_bot_that_does_not_fit_the_rules_is_refused(tmp_path):
    bot = load_bot(str(write_bot_file(tmp_path / "bot.onnx")))
    for pair in ((bot, load_bot("random")), (load_bot("random"), bot)):
        with pytest.raises(ValueError, match=r"num_players \(it is 5, and not 2 to 4\)"):
            one_vs_rest(RULES, *pair, 5, 10, seed=0)


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_intervals_cover_the_truth_as_often_as_they_say(num_players):
    # Random play against copies of itself wins one game in n.
    evaluations, deals = 1500, 50
    bots = [load_bot("random"), load_bot("random")]
    rules = RULES.with_players(num_players)
    shares = play_deals(rules, bots, one_seat_each(num_players), evaluations * deals, seed=11)
    own = np.einsum("dss->d", shares).reshape(evaluations, deals) / num_players
    intervals = np.array([estimate_share(part, 0.95, num_players).interval for part in own])
    low, high = intervals.T
    coverage = np.mean((low <= 1 / num_players) & (1 / num_players <= high))
    # Four standard errors of a proportion of 1500.
    assert coverage == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / evaluations))


@pytest.mark.parametrize("num_players", [2, 4])
def test_duplicates_make_figures_less_noisy(num_players):
    bots = [load_bot("highest"), load_bot("random")]
    rules = RULES.with_players(num_players)
    shares = play_deals(rules, bots, one_seat_each(num_players), 20_000, seed=2)
    games = np.einsum("dss->ds", shares)
    of_independent_games = games.var() / num_players
    of_duplicates = games.mean(axis=1).var()
    assert of_duplicates < 0.97 * of_independent_games
