"""A graph is cut down to one output, and computes the same."""

import numpy as np
import onnx
import pytest
from onnx import helper

from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.policies.onnx_format import keep_outputs
from ono99_env.bots.policies.shipped_files import shipped_files
from ono99_env.observation import OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS
from tests.bots.policies.bot_files import linear_model, linear_weights, write_bot_file


def kept_nodes(model: onnx.ModelProto, output: str) -> list[str]:
    cut = onnx.load_from_string(keep_outputs(model.SerializeToString(), [output]))
    assert [each.name for each in cut.graph.output] == [output]
    onnx.checker.check_model(cut)
    return [node.op_type for node in cut.graph.node]


def test_only_what_an_output_needs_is_kept():
    model = linear_model(linear_weights())
    assert kept_nodes(model, "logits") == ["MatMul", "Where"]
    assert kept_nodes(model, "value") == ["MatMul", "ReduceMean"]


def test_names_left_out_join_no_nodes():
    model = linear_model(linear_weights())
    clip = helper.make_node("Clip", ["all_logits", "", "highest"], ["clipped"])
    drop = helper.make_node("Dropout", ["clipped"], ["dropped", ""])
    model.graph.node.extend([clip, drop])
    model.graph.initializer.append(helper.make_tensor("highest", 1, [], [9.0]))
    model.graph.node[1].input[1] = "clipped"
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([nodes[0], *nodes[3:], *nodes[1:3]])
    assert kept_nodes(model, "logits") == ["MatMul", "Clip", "Where"]


@pytest.mark.parametrize("name", ["2022", "1980", "1980_heads_up", "linear"])
def test_decisions_are_those_of_the_whole_file(name, tmp_path):
    files = {"linear": write_bot_file(tmp_path / "bot.onnx"), **shipped_files()}
    bot, rng = OnnxBot(files[name]), np.random.default_rng(1)
    for size in (1, 3, 256):
        observation = rng.uniform(-1, 1, (size, OBSERVATION_SIZE)).astype(np.float32)
        inputs = {"observation": observation, "action_mask": rng.random((size, NUM_ACTIONS)) < 0.5}
        (logits,) = bot._policy.run(["logits"], inputs)
        np.testing.assert_array_equal(logits, bot.evaluate(**inputs)[0])
