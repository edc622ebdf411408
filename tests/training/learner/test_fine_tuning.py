"""``init_from`` starts a training from the networks of a bot file."""

import pytest
import yaml

from ono99_env.messages.errors import UsageError
from tests.training.conftest import TINY
from training.config.command_line import make_config
from training.learner.learner import make_learner
from training.learner.metadata import describe_bot
from training.networks.policy_network import PolicyNetwork, export_bot


def config_of(**fields: object):
    return make_config({**TINY, **fields}, {}, "run.yaml")


@pytest.fixture(scope="module")
def bot_file(tmp_path_factory):
    config = config_of(seed=1)
    learner, _ = make_learner(config)
    path = tmp_path_factory.mktemp("bots") / "bot.onnx"
    # Its biases are still zero, and so are not in the file.
    export_bot(learner.policy, path, describe_bot(config, 0, 0.0))
    return path, PolicyNetwork(learner.policy).state_dict()


@pytest.mark.slow
def test_the_networks_are_those_of_the_file(bot_file):
    path, weights = bot_file
    learner, _ = make_learner(config_of(seed=2, init_from=str(path)))
    taken = PolicyNetwork(learner.policy).state_dict()
    assert taken.keys() == weights.keys()
    assert all((taken[name] == weights[name]).all() for name in weights)
    new, _ = make_learner(config_of(seed=2))
    assert any(
        (tensor != weights[name]).any()
        for name, tensor in PolicyNetwork(new.policy).state_dict().items()
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"net_arch": [8]}, r"made with net_arch \[16\], and the config says \[8\]"),
        ({"features": ["hand"]}, r"made with features \['hand', 'headroom', 'unseen'\], and the"),
    ],
)
def test_other_networks_are_refused(bot_file, fields, message):
    with pytest.raises(UsageError, match=message):
        make_learner(config_of(init_from=str(bot_file[0]), **fields))


@pytest.mark.parametrize(
    ("name", "message"),
    [("highest", "a bot without networks"), ("no.onnx", "init_from: there is no bot file no.onnx")],
)
def test_what_is_no_bot_file_is_refused(name, message):
    with pytest.raises(UsageError, match=message):
        make_learner(config_of(init_from=name))


def test_a_resumed_config_keeps_where_it_came_from():
    fields = config_of(init_from="gone.onnx").model_dump(mode="json")
    assert yaml.safe_load(yaml.safe_dump(fields))["init_from"] == "gone.onnx"
