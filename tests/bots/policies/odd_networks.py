"""Small bot files in which many operators stand, and such as ask for too much."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from ono99_env.bots.policies.bot_file import with_metadata
from ono99_env.observation.layout import OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS
from tests.bots.policies.bot_files import LOWEST, METADATA

Node = onnx.NodeProto


def network(nodes: list[Node], constants: dict[str, object], operator_set: int = 18) -> bytes:
    """A bot file of nodes that make ``all_logits`` (B, 17) and ``value`` out of ``observation``."""
    whole = [*nodes, helper.make_node("Where", ["action_mask", "all_logits", "lowest"], ["logits"])]
    tensors = [numpy_helper.from_array(np.asarray(each), name) for name, each in constants.items()]
    tensors.append(numpy_helper.from_array(np.float32(LOWEST), "lowest"))
    shapes = {"observation": [OBSERVATION_SIZE], "logits": [NUM_ACTIONS], "value": []}
    values = {
        name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])
        for name, shape in shapes.items()
    }
    mask = helper.make_tensor_value_info("action_mask", TensorProto.BOOL, ["batch", NUM_ACTIONS])
    inputs, outputs = [values["observation"], mask], [values["logits"], values["value"]]
    graph = helper.make_graph(whole, "policy", inputs, outputs, tensors)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", operator_set)], ir_version=9
    )
    return with_metadata(model.SerializeToString(), METADATA)


def _first_columns(more: list[Node] | None = None) -> list[Node]:
    make = helper.make_node
    return [
        make("Slice", ["observation", "zero", "seventeen", "one"], ["columns"]),
        *(more or [make("Identity", ["columns"], ["all_logits"])]),
        make("ReduceMean", ["columns", "one"], ["value"], keepdims=0),
    ]


CONSTANTS: dict[str, object] = {
    "zero": np.array([0]),
    "one": np.array([1]),
    "seventeen": np.array([17]),
}


def of_columns(more: list[Node] | None = None, **constants: object) -> bytes:
    """A bot file whose logits are made of ``columns``, the first 17 numbers of the observation."""
    return network(_first_columns(more), {**CONSTANTS, **constants})


def odd_files() -> dict[str, bytes]:
    """Valid bot files that between them use many operators."""
    make = helper.make_node
    attention = [
        make("Shape", ["columns"], ["shape"], start=0, end=1),
        make("Concat", ["shape", "one", "seventeen"], ["sizes"], axis=0),
        make("Reshape", ["columns", "sizes"], ["tokens"]),
        make("Transpose", ["tokens"], ["turned"], perm=[0, 2, 1]),
        make("MatMul", ["turned", "tokens"], ["scores"]),
        make("Softmax", ["scores"], ["weights"], axis=2),
        make("MatMul", ["weights", "turned"], ["mixed"]),
        make("Squeeze", ["mixed", "two"], ["flat"]),
        make("LayerNormalization", ["flat", "scale"], ["all_logits"]),
    ]
    layers = [
        make("Gemm", ["columns", "weights", "bias"], ["hidden"], transB=1),
        make("Tanh", ["hidden"], ["bent"]),
        make("Add", ["bent", "columns"], ["sum"]),
        make("Expand", ["row", "sizes_of_row"], ["wide"]),
        make("Tile", ["wide", "repeats"], ["tiled"]),
        make("Mul", ["sum", "tiled"], ["scaled"]),
        make("Clip", ["scaled", "least"], ["all_logits"]),
    ]
    rng = np.random.default_rng(0)
    return {
        "attention": of_columns(
            attention, two=np.array([2]), scale=np.ones(NUM_ACTIONS, np.float32)
        ),
        "layers": of_columns(
            layers,
            weights=rng.normal(size=(17, 17)).astype(np.float32),
            bias=np.ones(17, np.float32),
            row=np.ones((1, 1), np.float32),
            sizes_of_row=np.array([1, 17]),
            repeats=np.array([1, 1]),
            least=np.float32(-5),
        ),
    }
