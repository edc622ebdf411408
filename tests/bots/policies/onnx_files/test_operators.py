"""A bot file holds a feed-forward network of bounded size, and nothing else."""

import os
import socket

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper

from ono99_env.bots.policies.bot_file import (
    LARGEST_FILE,
    read_metadata,
    with_metadata,
)
from ono99_env.bots.policies.metadata_entries import LARGEST_METADATA
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.policies.onnx_files.parser import read_model
from ono99_env.bots.policies.onnx_files.shape_inference import shapes_of
from ono99_env.bots.policies.shipped_files import shipped_files
from ono99_env.messages.errors import BotFileError
from tests.bots.policies import fuzz_bot_files
from tests.bots.policies.bot_files import METADATA, linear_model, linear_weights, write_bot_file
from tests.bots.policies.odd_networks import odd_files, of_columns

make = helper.make_node


def refused(content: bytes, problem: str) -> None:
    with pytest.raises(BotFileError, match=problem) as caught:
        OnnxBot.from_bytes(content, "odd")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", [*odd_files(), *shipped_files()])
def test_shapes_are_those_that_onnxruntime_computes(name):
    content = {**odd_files(), **{k: v.read_bytes() for k, v in shipped_files().items()}}[name]
    model = onnx.load_from_string(content)
    held = {each.name for each in model.graph.output}
    for node in model.graph.node:
        for output in set(node.output) - held - {""}:
            model.graph.output.add().name = output
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(model.SerializeToString(), options)
    names = [each.name for each in session.get_outputs()]
    for batch in (1, 3):
        inputs = {"observation": np.ones((batch, 466), np.float32)}
        inputs["action_mask"] = np.ones((batch, 17), np.bool_)
        shapes = shapes_of(read_model(content), {key: each.shape for key, each in inputs.items()})
        for output, value in zip(names, session.run(names, inputs), strict=True):
            assert shapes[output] == value.shape


@pytest.mark.parametrize(
    "operator",
    ["Loop", "Scan", "If", "NonZero", "RandomNormalLike", "Unique", "Compress", "StringNormalizer",
     "SequenceConstruct", "QLinearMatMul", "LSTM", "NoSuch", "\x1b[2J"],
)  # fmt: skip
def test_operators_that_are_not_of_feed_forward_networks_are_refused(operator):
    refused(of_columns([make(operator, ["columns"], ["all_logits"])]), "uses the operator ")


@pytest.mark.parametrize("domain", ["com.microsoft", "ai.onnx.ml", "ai.onnx.training"])
def test_a_node_of_another_domain_is_refused(domain):
    content = of_columns([make("Gelu", ["columns"], ["all_logits"], domain=domain)])
    refused(content, f"not standard ONNX: '{domain}'")


def _sum_of(*big: onnx.NodeProto) -> list[onnx.NodeProto]:
    """Logits to which the sum of something big is added."""
    return [*big, make("ReduceSum", ["big"], ["sum"], keepdims=0),
            make("Add", ["columns", "sum"], ["all_logits"])]  # fmt: skip


BIG = np.array([40_000, 40_000])


@pytest.mark.parametrize(
    "nodes",
    [
        [make("ConstantOfShape", ["sizes"], ["big"])],
        [make("Expand", ["number", "sizes"], ["big"])],
        [make("Tile", ["square", "sizes"], ["big"])],
        [make("MatMul", ["column", "row"], ["big"])],
        [make("Add", ["column", "row"], ["big"])],
        [make("Gather", ["row", "places"], ["big"])],
        [make("Einsum", ["column", "row"], ["big"], equation="ab,bc->ac")],
        [make("Concat", ["column"] * 9000, ["big"], axis=1)],
    ],
)
def test_a_small_file_that_asks_for_much_memory_is_refused(nodes):
    content = of_columns(
        _sum_of(*nodes),
        sizes=BIG,
        number=np.float32(1),
        square=np.ones((1, 1), np.float32),
        column=np.ones((40_000, 1), np.int8),
        row=np.ones((1, 40_000), np.int8),
        places=np.zeros((400, 40), np.int64),
    )
    assert len(content) < 600_000
    refused(content, "needs too much memory")


def test_sizes_that_follow_from_the_observation_are_refused():
    nodes = [
        make("Cast", ["columns"], ["numbers"], to=TensorProto.INT64),
        make("ReduceMax", ["numbers"], ["size"], keepdims=0),
        make("Unsqueeze", ["size", "zero"], ["sizes"]),
        make("ConstantOfShape", ["sizes"], ["big"]),
    ]
    refused(of_columns(_sum_of(*nodes)), "are computed from the observation")


@pytest.mark.parametrize(
    "nodes",
    [
        [make("Gather", ["columns", "zero"], ["all_logits"])],
        [make("ReduceMean", ["columns", "zero"], ["all_logits"])],
        [make("ReduceMean", ["columns", "one"], ["all_logits"])],
    ],
)
def test_one_row_for_all_is_refused(nodes):
    content = of_columns(nodes)
    model = onnx.load_from_string(content)
    model.graph.node[-1].op_type = "Add"  # without the mask, which would spread it
    del model.graph.node[-1].input[:]
    model.graph.node[-1].input.extend(["all_logits", "lowest"])
    refused(model.SerializeToString(), "observations its logits have the shape")


@pytest.mark.parametrize(
    "nodes",
    [
        [make("ReduceMean", ["columns", "zero"], ["mean"]),
         make("Sub", ["columns", "mean"], ["all_logits"])],
        [make("Slice", ["columns", "minus", "least", "zero", "minus"], ["all_logits"])],
        [make("Gather", ["columns", "zero"], ["first"]),
         make("Add", ["columns", "first"], ["all_logits"])],
        [make("CumSum", ["columns", "axis"], ["all_logits"])],
    ],
)  # fmt: skip
def test_rows_that_depend_on_each_other_are_refused(nodes):
    more = {"minus": np.array([-1]), "least": np.array([-(2**62)]), "axis": np.array(0)}
    refused(of_columns(nodes, **more), "does not answer each observation by itself")


def test_values_may_be_a_column(tmp_path):
    model = onnx.load_from_string(of_columns())
    model.graph.node[-2].attribute[0].i = 1
    model.graph.output[1].type.tensor_type.shape.dim.add().dim_value = 1
    bot = OnnxBot.from_bytes(model.SerializeToString(), "column")
    _, value = bot.evaluate(np.ones((4, 466), np.float32), np.ones((4, 17), np.bool_))
    assert value.shape == (4,)


# --- What is read, and how much


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket", "device"])
def test_what_is_no_file_is_refused_and_not_read(tmp_path, kind):
    path = tmp_path / "bot.onnx"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
    else:
        path.symlink_to("/dev/zero")
    for read in (OnnxBot, read_metadata):
        with pytest.raises(BotFileError, match=f"bot.onnx is a {kind}, not a file"):
            read(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "bot.onnx"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(BotFileError, match="larger than 64 MiB"):
        OnnxBot(path)


def test_metadata_has_a_limit_in_reading_and_in_writing():
    content = linear_model(linear_weights()).SerializeToString()
    large = METADATA.model_copy(update={"results": {"note": "x" * LARGEST_METADATA}})
    with pytest.raises(BotFileError, match="bytes of metadata, and a bot file may have 1,048,576"):
        with_metadata(content, large)
    model = onnx.load_from_string(with_metadata(content, METADATA))
    model.metadata_props.add(key="other", value="x" * LARGEST_METADATA)
    refused(model.SerializeToString(), "bytes of metadata, and a bot file may have 1,048,576")


@pytest.mark.parametrize("value", [object(), {1, 2, object()}])
def test_metadata_that_is_not_json_is_not_written(value):
    content = linear_model(linear_weights()).SerializeToString()
    odd = METADATA.model_copy(update={"results": {"note": value}})
    with pytest.raises(BotFileError, match="cannot be written as JSON"):
        with_metadata(content, odd)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("licence", '"\\u001b[2J"'),
        ("training", '{"\\u0007": 1}'),
        ("results", '{"a": [{"b": "\\u202e"}]}'),
        ("results", '{"a": "\\ud800"}'),
        ("format_version", '"\\u001b[31m1"'),
        ("format_version", "true"),
        ("format_version", "1.0"),
        ("format_version", "9" * 4000),
        ("num_players", "[true, 2.0]"),
        ("num_players", '["2"]'),
        ("num_players", "[2, 7]"),
        ("rules", '{"\\u001b[2J": 1}'),
        ("results", "NaN"),
        ("results", '{"a": Infinity}'),
        ("licence", "[" * 100_000),
        ("licence", '"' + "x" * 100_000 + '"'),
        ("\x1b[2J", "1"),
    ],
)
def test_metadata_of_wrong_types_and_control_characters_are_refused(tmp_path, key, value):
    model = onnx.load(write_bot_file(tmp_path / "bot.onnx"))
    kept = [each for each in model.metadata_props if each.key != f"ono99.{key}"]
    entries = [(each.key, each.value) for each in kept]
    del model.metadata_props[:]
    for name, text in [*entries, (f"ono99.{key}", value)]:
        model.metadata_props.add(key=name, value=text)
    with pytest.raises(BotFileError) as caught:
        OnnxBot.from_bytes(model.SerializeToString(), "odd")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


def test_a_tensor_larger_than_its_numbers_is_refused():
    model = onnx.load_from_string(of_columns())
    tensor = numpy_helper.from_array(np.ones(4, np.float32), "lie")
    tensor.dims[0] = 10**9
    model.graph.initializer.append(tensor)
    refused(model.SerializeToString(), "other numbers than its shape")


@pytest.mark.slow
def test_mutants_are_refused_or_play(tmp_path):
    contents = fuzz_bot_files.originals(tmp_path)
    outcomes = dict(fuzz_bot_files.run(contents, seed=1, numbers=range(600)))
    assert set(outcomes.values()) == {"refused", "plays"}
