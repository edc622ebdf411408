"""The config of a cluster is that of a training with a part of its own; none of it needs Ray."""

from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from ono99_env.messages.errors import UsageError
from tests.training.conftest import TINY
from training.config.command_line import make_config, read_command
from training.config.config import Config
from training.distributed.__main__ import main
from training.distributed.cluster_config import DistributedConfig

ROOT = Path(__file__).parents[3]
FIELDS = {name: value for name, value in TINY.items() if name != "opponents"}


def distributed(**fields: object) -> DistributedConfig:
    config = make_config({**FIELDS, **fields}, {}, "run.yaml", DistributedConfig)
    assert isinstance(config, DistributedConfig)
    return config


def message(**fields: object) -> str:
    with pytest.raises(UsageError) as error:
        distributed(**fields)
    return str(error.value)


def test_the_config_that_comes_along_is_that_of_the_champion_on_a_cluster(monkeypatch):
    monkeypatch.chdir(ROOT)
    ours = read_command(["configs/distributed.yaml"], DistributedConfig).config
    champion = read_command(["configs/2022.yaml"]).config
    fields = ours.model_dump(exclude={"cluster", "name", "evaluation"})
    assert fields == champion.model_dump(exclude={"name", "evaluation"})


def test_fields_of_the_cluster_can_be_given_on_the_command_line(tmp_path):
    path = tmp_path / "run.yaml"
    path.write_text(yaml.safe_dump(FIELDS))
    words = [str(path), "--cluster.num_env_runners", "7", "--cluster.address", "auto"]
    config = read_command(words, DistributedConfig).config
    assert isinstance(config, DistributedConfig)
    assert (config.cluster.num_env_runners, config.cluster.address) == (7, "auto")


def test_an_unknown_field_of_the_cluster_is_named():
    assert "cluster.num_env_runner: there is no such field; did you mean 'num_env_runners'?" in (
        message(cluster={"num_env_runner": 1})
    )


def test_a_training_on_one_machine_has_no_cluster():
    with pytest.raises(UsageError, match="cluster: there is no such field"):
        make_config({**FIELDS, "cluster": {}}, {}, "run.yaml", Config)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"self_play": None}, "self_play: on a cluster the learner always plays itself"),
        ({"ppo": {**FIELDS["ppo"], "target_kl": 0.1}}, "ppo.target_kl: RLlib's PPO has no such"),
        (
            {"formats": ["single_round"] * 2, "cluster": {"num_env_runners": 16}},
            "formats: 2 parts of the 1 tables of each process that plays",
        ),
    ],
)
def test_what_a_cluster_cannot_do_is_refused(fields, expected):
    assert expected in message(**fields)


@pytest.mark.parametrize(("num_env_runners", "tables"), [(0, 16), (1, 16), (3, 6), (16, 1)])
def test_the_tables_are_shared_by_those_who_play(num_env_runners, tables):
    assert distributed(cluster={"num_env_runners": num_env_runners}).tables_of_runner == tables


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_it_is_said_how_to_get_it(tmp_path, capsys):
    path = tmp_path / "run.yaml"
    path.write_text(yaml.safe_dump(FIELDS))
    assert main([str(path)]) == 2
    assert "pip install 'ono99-env[distributed]'" in capsys.readouterr().err
