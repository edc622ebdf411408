"""Small bot files made with the onnx package alone: a linear policy, in all the wrong ways too."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from ono99_env import Rules
from ono99_env.bots.policies.bot_file import BotMetadata, with_metadata
from ono99_env.observation import OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS

RULES = Rules.preset("2022", num_players=4)
METADATA = BotMetadata(rules=RULES, num_players=[2, 3, 4], training={"seed": 5})
LOWEST = np.finfo(np.float32).min


def linear_weights(seed: int = 0) -> np.ndarray:
    """Random weights of the logits, shape (features, 17)."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(OBSERVATION_SIZE, NUM_ACTIONS)).astype(np.float32)


def linear_model(
    weights: np.ndarray,
    *,
    features: int = OBSERVATION_SIZE,
    batch: int | str = "batch",
    names: tuple[str, str, str, str] = ("observation", "action_mask", "logits", "value"),
    domain: str | None = None,
) -> onnx.ModelProto:
    """A policy whose logits are a linear function of the observation, and the value too."""
    observation, mask, logits, value = names
    nodes = [
        helper.make_node("MatMul", [observation, "weights"], ["all_logits"]),
        helper.make_node("Where", [mask, "all_logits", "lowest"], [logits]),
        helper.make_node("ReduceMean", ["all_logits"], [value], axes=[1], keepdims=0),
    ]
    inputs = [
        helper.make_tensor_value_info(observation, TensorProto.FLOAT, [batch, features]),
        helper.make_tensor_value_info(mask, TensorProto.BOOL, [batch, NUM_ACTIONS]),
    ]
    outputs = [
        helper.make_tensor_value_info(logits, TensorProto.FLOAT, [batch, NUM_ACTIONS]),
        helper.make_tensor_value_info(value, TensorProto.FLOAT, [batch]),
    ]
    constants = [
        numpy_helper.from_array(weights, "weights"),
        numpy_helper.from_array(np.float32(LOWEST), "lowest"),
    ]
    graph = helper.make_graph(nodes, "policy", inputs, outputs, constants)
    operator_sets = [helper.make_opsetid("", 17)]
    if domain is not None:
        operator_sets.append(helper.make_opsetid(domain, 1))
    return helper.make_model(graph, opset_imports=operator_sets, ir_version=9)


def write_bot_file(
    path: Path, weights: np.ndarray | None = None, metadata: BotMetadata = METADATA, **model: object
) -> Path:
    """Write a linear policy as a bot file."""
    weights = linear_weights() if weights is None else weights
    content = linear_model(weights, **model).SerializeToString()
    path.write_bytes(with_metadata(content, metadata))
    return path
