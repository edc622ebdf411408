"""The same setup gives the same figures: in any order and process, in one go or not."""

import json
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ono99_env import Bot
from ono99_env.arena import Arena
from ono99_env.arena.arena import differing_results
from ono99_env.arena.play.tally import Tally, digest_of, read_identity
from ono99_env.arena.report.result_files import read_json, setup_of, write_csv, write_json
from ono99_env.files.array_archive import read_archive, write_archive
from tests.arena.some_bots import Asked, Drawing, Illegal
from tests.bots.policies.bot_files import linear_weights, write_bot_file

pytestmark = pytest.mark.slow


def new_arena(bots: tuple[str | Bot, ...] = (), **options: object) -> Arena:
    settings = {"players": [2, 3], "games": 1000, "seed": 8, **options}
    return Arena([*(bots or ("highest", "random", Drawing()))], **settings)


def test_jobs_cover_every_round_once():
    arena = new_arena()
    assert len(arena.tournament.jobs) >= 32
    assert [job.number for job in arena.tournament.jobs] == list(range(len(arena.tournament.jobs)))
    for index, schedule in enumerate(arena.tournament.schedules):
        mine = [job for job in arena.tournament.jobs if job.schedule == index]
        played = [job.first_round + index for job in mine for index in range(job.num_rounds)]
        assert played == list(range(schedule.rounds))
    results = arena.play()
    assert arena.tally.is_done.all()
    assert arena.tally.games == arena.tournament.games == sum(row.games for row in results.players)
    assert all(row.games >= 1000 for row in results.players)


def test_the_order_of_jobs_does_not_matter():
    expected = new_arena().play()
    arena = new_arena()
    random.Random(1).shuffle(arena.tournament.jobs)
    assert arena.play() == expected


def test_the_order_in_which_bots_are_named_does_not_matter(tmp_path):
    bots = ["random", "highest", Drawing("x"), "counter", Drawing("a"), "smooth", "tiers"]
    records = []
    for order in (bots, bots[::-1], bots[3:] + bots[:3]):
        arena = new_arena(order, players=[4, 2], games=900)
        records.append(arena.record(arena.play()))
    assert records[0] == records[1] == records[2]
    first = new_arena(bots, players=[4, 2], games=900)
    first.play(state=tmp_path / "state")
    again = new_arena(bots[::-1], players=[4, 2], games=900)
    again.resume(tmp_path / "state")
    assert again.tally.is_done.all()


def test_a_figure_does_not_depend_on_the_number_of_games():
    bots = ("random", "lowest", "highest", "hoarder", "tiers", "smooth", "counter")
    few, many = (
        new_arena(bots, players=4, games=games, seed=1).play() for games in (24_000, 24_400)
    )
    # The tables of the first 24,000 games are the same; `random` draws other actions.
    rates = {bot.name: bot.win_rate for bot in many.bots}
    for bot in few.bots:
        assert bot.win_rate == pytest.approx(rates[bot.name], abs=0.012)
    assert few.players[0].rounds == 6000


def test_the_seed_matters_and_the_global_generators_do_not():
    expected = new_arena().play()
    np.random.seed(3)
    random.seed(3)
    assert new_arena().play() == expected
    assert new_arena(seed=9).play() != expected


def test_several_processes_give_the_same_figures(tmp_path):
    path = str(write_bot_file(tmp_path / "bot.onnx"))
    bots = ("highest", f"{path}?sample", Illegal("illegal"))
    alone, shared = (
        new_arena(bots, games=600, forfeit=True).play(processes=count) for count in (1, 2)
    )
    assert shared == alone
    assert shared.failures.keys() == {"illegal"}


def test_an_executor_gives_the_same_figures():
    bots = ("highest", Illegal("illegal"))
    alone = new_arena(bots, games=600, forfeit=True).play()
    with ThreadPoolExecutor(max_workers=1) as executor:
        shared = new_arena(bots, games=600, forfeit=True).play(executor=executor)
    assert shared == alone


@pytest.mark.parametrize("jobs_played", [0, 1, 17])
def test_an_interrupted_tournament_goes_on_to_the_same_figures(tmp_path, jobs_played):
    expected = new_arena().play()
    state = tmp_path / "results.json.state"
    counted = 0

    def interrupt(tally: Tally) -> None:
        nonlocal counted
        counted += 1
        if counted > jobs_played:
            raise KeyboardInterrupt

    interrupted = new_arena()
    with pytest.raises(KeyboardInterrupt):
        interrupted.play(state=state, watch=interrupt)
    assert sorted(path.name for path in tmp_path.iterdir()) == [state.name]
    with pytest.raises(ValueError, match=r"state of another tournament: .*bots: "):
        new_arena(("highest", "random")).play(state=state)
    again = new_arena()
    again.resume(state)
    assert again.tally.is_done.sum() == jobs_played + 1
    assert again.play(state=state) == expected


def test_an_interruption_amid_counting_is_not_saved(tmp_path):
    state = tmp_path / "state"
    arena = new_arena()
    arena.play(state=state)
    before = state.read_bytes()
    arena.tally.is_done[:] = False
    arena.tally.schedules[0].add = lambda outcome: (_ for _ in ()).throw(KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        arena.tournament.play(arena.tally, keep=lambda tally: tally.save(state, {}))
    assert state.read_bytes() == before


def test_a_state_is_refused_if_anything_differs(tmp_path):
    path = write_bot_file(tmp_path / "bot.onnx")
    arena = new_arena(("highest", str(path)))
    arena.tally.save(tmp_path / "state", arena.identity)
    assert read_identity(tmp_path / "state") == arena.identity
    write_bot_file(path, linear_weights(seed=1))
    with pytest.raises(ValueError, match=f"another tournament: {path}: .* then, .* now"):
        new_arena(("highest", str(path))).resume(tmp_path / "state")
    with pytest.raises(ValueError, match="seed: 8 then, 9 now"):
        new_arena(("highest", str(path)), seed=9).resume(tmp_path / "state")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 cut short"])
def test_what_is_not_a_state_is_refused(tmp_path, content):
    (tmp_path / "state").write_bytes(content)
    with pytest.raises(ValueError, match="does not hold the state of a tournament"):
        new_arena().resume(tmp_path / "state")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("identity", None),
        ("games", "many"),
        ("failures", {"highest": 3}),
        ("failed_in", {"highest": "first"}),
        ("counts", {}),
        ("counts", {"is_done": 1}),
        ("format", "another"),
    ],
)
def test_a_state_with_other_fields_is_refused(tmp_path, field, value):
    path = tmp_path / "state"
    arena = new_arena(games=130)
    arena.tally.save(path, arena.identity)
    state = {**read_archive(path), field: value}
    del state["digest"]
    write_archive(path, {**state, "digest": digest_of(state)})
    with pytest.raises(ValueError, match=r"another version|does not hold the state"):
        new_arena(games=130).resume(path)


def test_a_record_is_json_and_repeats_exactly(tmp_path):
    path = tmp_path / "results.json"
    bots = ("highest", str(write_bot_file(tmp_path / "bot.onnx")))
    arena = new_arena(bots)
    write_json(path, arena.record(arena.play()))
    record = read_json(path)
    assert record["fingerprints"][bots[1]] is not None
    assert record["fingerprints"]["highest"] is None
    again = Arena.of(setup_of(record, path))
    repeated = json.loads(json.dumps(again.record(again.play())))
    assert differing_results(record, repeated) == []
    assert repeated == record
    repeated["bots"][0]["score"] += 1
    (line,) = differing_results(record, repeated)
    assert line.startswith("bots[0].score: ")


def test_the_list_of_bots_has_the_fields_that_others_read():
    arena = new_arena()
    record = arena.record(arena.play())
    assert {row["name"] for row in record["bots"]} == {"highest", "random", "drawing"}
    for row in record["bots"]:
        low, high = row["interval"]
        assert low < row["win_rate"] < high
        assert row["games"] > 0
        assert row["score"] > 0
    assert record["tables"] == []


def test_one_against_the_rest_has_an_entry_for_each_opponent():
    arena = new_arena(("highest", "random", Asked("asked")), seating="one_vs_rest")
    record = arena.record(arena.play())
    rows = [(row["num_players"], row["opponent"], row["name"]) for row in record["tables"]]
    assert rows == [
        (2, "random", "highest"),
        (2, "asked", "highest"),
        (3, "random", "highest"),
        (3, "asked", "highest"),
    ]
    for row in record["tables"]:
        assert row["games"] == (1000 if row["num_players"] == 2 else 1002)
        low, high = row["interval"]
        assert low <= row["win_rate"] <= high
        assert row["score"] == pytest.approx(row["win_rate"] * row["num_players"])
        if row["opponent"] == "asked":  # the same policy: the games of a deal are one game
            assert row["score"] == pytest.approx(1)
        else:
            assert low > 1 / row["num_players"]


def test_the_csv_has_every_bot_at_every_player_count(tmp_path):
    arena = new_arena()
    write_csv(tmp_path / "figures.csv", arena.record(arena.play()))
    lines = (tmp_path / "figures.csv").read_text().splitlines()
    assert lines[0].startswith("num_players,name,games,win_rate,low,high,score")
    assert [line.split(",")[0] for line in lines[1:]] == ["all"] * 3 + ["2"] * 3 + ["3"] * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bots": ["highest"]}, "bots: a tournament needs two at least, not 1"),
        ({"bots": ["highest", "random", "highest"]}, "bots: 'highest' is named twice"),
        ({"bots": ["highst", "random"]}, "unknown bot 'highst'.*did you mean 'highest'"),
        ({"players": [2, 2]}, "players: 2 is named twice"),
        ({"players": []}, "players: name one player count"),
        ({"players": 7}, "2022 edition is for 2 to 6 players, not 7"),
        ({"games": 10}, "games: 10 are too few for 2 bots at tables of 2; at least 60"),
        ({"games": 0}, "games"),
        ({"seed": -1}, "seed"),
        ({"confidence": 95}, "confidence"),
        ({"time_limit": 0}, "time_limit"),
        ({"rules": "2021"}, "'2022' or '1980'"),
    ],
)
def test_impossible_arguments_are_refused(options, message):
    settings = {"bots": ["highest", "random"], "players": 2, "games": 1000, **options}
    with pytest.raises(ValueError, match=message):
        Arena(**settings)


def test_a_bot_that_cannot_play_the_rules_is_refused(tmp_path):
    path = str(write_bot_file(tmp_path / "bot.onnx"))
    with pytest.raises(ValueError, match=r"num_players \(it is 5, and not 2 to 4\)"):
        Arena([path, "random"], players=[2, 5], games=1000)


def test_bots_that_cannot_be_sent_to_a_process_are_refused():
    unpicklable = Drawing()
    unpicklable.memory = lambda: None
    with pytest.raises(ValueError, match="bots must be picklable"):
        new_arena(("highest", unpicklable)).play(processes=2)
