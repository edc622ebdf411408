"""A few mutants of all that the package reads, and the faults that more of them have found."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from ono99_env import Rules
from ono99_env.arena import Arena
from ono99_env.arena.report.result_files import read_json
from ono99_env.engine.records import rules_array
from ono99_env.files.array_archive import read_archive, write_archive
from ono99_env.observation.scales import scales_array
from tests.reliability.children import is_finding, run_in_children, run_tries
from tests.reliability.fuzz import make_try
from tests.reliability.fuzz_targets import TARGETS

QUICK = {"rules": 300, "rules-files": 200, "configs": 60, "snapshots": 300, "arena-files": 120}


@pytest.mark.slow
@pytest.mark.parametrize("target", QUICK)
def test_mutants_are_right_or_refused(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcomes = list(run_tries(make_try(target, 11, tmp_path), range(QUICK[target])))
    assert [each for each in outcomes if is_finding(each)] == []
    assert {each.word for each in outcomes} == {"taken", "refused"}
    assert target in TARGETS


def odd(folder: Path):
    """Make what ends its process, raises, and succeeds."""

    def attempt(number: int) -> str:
        if number == 1:
            os._exit(3)
        if number == 2:
            raise KeyError("unexpected")
        return "taken"

    return attempt


def test_a_child_that_is_lost_is_told_and_the_next_one_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.reliability.children.SECONDS_OF_TRY", 5)
    outcomes = list(run_in_children(odd, range(4)))
    assert [each.word for each in outcomes] == ["taken", "lost", "failed", "taken"]
    assert "exit code 3" in outcomes[1].detail
    assert "KeyError" in outcomes[2].detail


NAMES = ["\x1b[2J", "\x00", "a" * 5000, "\u202e"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("kind", ["field", "card", "value"])
def test_names_in_messages_are_printable_and_short(name: str, kind: str) -> None:
    fields = {"field": {name: 1}, "card": {"deck": {name: 90}}, "value": {"format": name}}[kind]
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - of any place
        Rules.of_fields(fields)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 800


def test_what_is_kept_of_rules_has_a_limit() -> None:
    for function in (rules_array, scales_array):
        assert function.cache_info().maxsize is not None


def contest() -> Arena:
    return Arena(["highest", "random"], players=2, games=60, seed=1)


@pytest.mark.parametrize(
    ("name", "value"), [("rounds_0", 0), ("seats_0", -1), ("wins_0", 2**62), ("is_done", False)]
)
def test_a_state_whose_numbers_were_changed_is_refused(
    tmp_path: Path, name: str, value: int
) -> None:
    path = tmp_path / "state"
    contest().play(state=path)
    state = read_archive(path)
    state["counts"][name].reshape(-1)[0] = value
    write_archive(path, state)
    with pytest.raises(ValueError, match="its numbers are not those that were saved"):
        contest().resume(path)


def test_a_results_file_that_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        with pytest.raises(ValueError, match=r"not a file$"):
            read_json(path)


def test_more_games_than_can_be_planned_are_refused() -> None:
    with pytest.raises(ValueError, match="games: must be from 1 to 1000000000"):
        Arena(["highest", "random"], players=2, games=10**15)


def test_a_results_file_with_a_digit_too_many_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    record = contest().record(contest().play())
    path.write_text(json.dumps(record).replace('"games": 60', '"games": 60000000000000', 1))
    from ono99_env.arena.report.result_files import setup_of

    with pytest.raises(ValueError, match="games: must be"):
        setup_of(read_json(path), path)


def test_seeds_of_mutants_repeat_them() -> None:
    from tests.reliability.mutants import mutate_tree

    tree = Rules().model_dump(mode="json")
    one, other = (mutate_tree(tree, np.random.default_rng([3, 4])) for _ in range(2))
    assert repr(one) == repr(other)
