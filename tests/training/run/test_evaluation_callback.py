"""While a run trains the latest policy within one standard error of the best is kept."""

from types import SimpleNamespace

import pytest
from stable_baselines3.common.logger import Logger

from ono99_env.arena.analysis.duplicates import WinRate
from training.measure.measurements import Evaluation, Measurement
from training.run.evaluation_callback import EvaluationCallback
from training.run.stop_request import StopRequest


def evaluation(decisions: int, score: float, stderr: float = 0.02) -> Evaluation:
    rate = WinRate(100, 50, score / 2, (score / 2 - 0.01, score / 2 + 0.01), score, stderr / 2)
    return Evaluation(decisions, [Measurement("random", 2, "single_round", rate)])


def watcher(scores: list[float], every: int = 100) -> tuple[EvaluationCallback, list[int]]:
    kept: list[int] = []
    left = iter(scores)
    watching = EvaluationCallback(
        lambda decisions: evaluation(decisions, next(left)),
        kept.append,
        lambda _: None,
        every,
        StopRequest(),
    )
    watching.model = SimpleNamespace(logger=Logger(None, []))
    return watching, kept


def train(watching: EvaluationCallback, first: int, last: int, update: int = 50) -> None:
    watching.num_timesteps = first
    watching._on_training_start()
    for decisions in range(first, last, update):
        watching.num_timesteps = decisions
        watching._on_rollout_start()
        watching.num_timesteps = decisions + update
        watching._on_rollout_end()
    watching._on_training_end()


def test_it_is_measured_at_intervals_and_at_the_end():
    watching, _ = watcher([1.0] * 9)
    train(watching, 0, 450)
    assert [each.decisions for each in watching.history] == [100, 200, 300, 400, 450]


def test_a_stop_measures_and_shifts_nothing():
    watching, _ = watcher([1.0] * 9)
    watching.num_timesteps = 150
    watching._stop.is_made = True
    watching._on_rollout_start()
    watching._on_training_end()
    watching._stop.is_made = False
    train(watching, 150, 300)
    assert [each.decisions for each in watching.history] == [150, 200, 300]


def test_nothing_is_measured_twice():
    watching, _ = watcher([1.0] * 9)
    train(watching, 0, 400)
    assert [each.decisions for each in watching.history] == [100, 200, 300, 400]
    train(watching, 400, 400)
    assert len(watching.history) == 4


@pytest.mark.parametrize(
    ("scores", "kept_after"),
    [
        ([1.0, 1.1, 1.2, 1.3], [100, 200, 300, 400]),
        ([1.0, 1.3, 1.1, 1.0], [100, 200]),
        ([1.0, 1.3, 1.29, 1.0], [100, 200, 300]),  # 1.29 is as good as 1.3 may be
        ([1.0, 1.3, 1.27, 1.28], [100, 200, 400]),
    ],
)
def test_the_best_is_kept_and_not_the_last(scores, kept_after):
    watching, kept = watcher(scores)
    train(watching, 0, 400)
    assert kept == kept_after
    assert watching.kept_after == kept_after[-1]


def test_another_process_goes_on_with_the_history():
    first, _ = watcher([1.0, 1.3])
    train(first, 0, 200)
    second, kept = watcher([1.1, 1.31])
    second.load_state_dict(first.state_dict())
    assert second.history == first.history
    train(second, 200, 400)
    assert kept == [400]
    assert [each.score for each in second.history] == [1.0, 1.3, 1.1, 1.31]


def test_scores_weigh_every_table_alike():
    rates = [
        WinRate(100, 50, 0.6, (0.5, 0.7), 1.2, 0.03),
        WinRate(100, 25, 0.25, (0.2, 0.3), 1.0, 0.02),
    ]
    both = Evaluation(
        7, [Measurement("a", 2, "chips", rates[0]), Measurement("a", 4, "chips", rates[1])]
    )
    assert both.score == pytest.approx(1.1)
    assert both.stderr == pytest.approx(((0.06**2 + 0.08**2) ** 0.5) / 2)
    assert Evaluation.from_dict(both.as_dict()) == both
