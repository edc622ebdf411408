"""A bot file says what it is, and a file that does not fit is refused with what differs."""

import contextlib
import json

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper
from pydantic import ValidationError

from ono99_env.bots.policies import bot_file
from ono99_env.bots.policies.bot_file import (
    BotMetadata,
    read_metadata,
    write_metadata,
)
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.messages.errors import BotFileError
from tests.bots.policies.bot_files import (
    METADATA,
    RULES,
    linear_model,
    linear_weights,
    write_bot_file,
)


@pytest.fixture
def path(tmp_path):
    return write_bot_file(tmp_path / "bot.onnx")


def edited(path, edit) -> None:
    """Change a bot file with the onnx package."""
    model = onnx.load(path)
    edit(model)
    path.write_bytes(model.SerializeToString())


def set_entry(path, key: str, value: object) -> None:
    def edit(model):
        for entry in model.metadata_props:
            if entry.key == f"ono99.{key}":
                entry.value = value if isinstance(value, str) else json.dumps(value)

    edited(path, edit)


# --- Metadata


def test_metadata_comes_back_as_it_was_written(path):
    assert read_metadata(path) == METADATA


def test_metadata_is_readable_with_the_onnx_package(path):
    entries = {entry.key: json.loads(entry.value) for entry in onnx.load(path).metadata_props}
    assert entries["ono99.format_version"] == 1
    assert entries["ono99.rules"]["highest_total"] == 98
    assert entries["ono99.num_players"] == [2, 3, 4]
    assert entries["ono99.training"] == {"seed": 5}
    assert entries["ono99.licence"] == "MIT"


def test_writing_metadata_replaces_it_and_keeps_the_network(path):
    before = onnx.load(path)
    changed = METADATA.model_copy(update={"results": {"note": "ünïcode " * 100}})
    write_metadata(path, changed)
    assert read_metadata(path) == changed
    after = onnx.load(path)
    onnx.checker.check_model(after)
    del before.metadata_props[:], after.metadata_props[:]
    assert before == after
    assert [file.name for file in path.parent.iterdir()] == ["bot.onnx"]


def test_a_failed_write_leaves_the_old_file(path, monkeypatch):
    content = path.read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(bot_file.Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_metadata(path, METADATA)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == ["bot.onnx"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("num_players", []), ("num_players", [9]), ("rules", {"hand_size": 0}), ("extra", 1)],
)
def test_impossible_metadata_is_refused(field, value):
    fields = {"rules": RULES, "num_players": [2], field: value}
    with pytest.raises(ValidationError, match=field):
        BotMetadata(**fields)


# --- Files that are refused


@pytest.mark.parametrize(
    "content",
    [b"", b"\0", b"hello world", b"PK\3\4" + bytes(100), b"\x80\x04\x95" + bytes(50), b"\xff" * 99],
)
def test_other_files_are_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(BotFileError, match=r"bot\.onnx is (not an ONNX file|an ONNX file but not)"):
        OnnxBot(path)


def test_a_file_cut_short_anywhere_is_refused(path):
    content = path.read_bytes()
    for length in np.linspace(1, len(content) - 1, 60, dtype=int):
        path.write_bytes(content[:length])
        with pytest.raises(BotFileError):
            OnnxBot(path)


def test_damaged_bytes_give_a_bot_or_a_bot_file_error(path):
    content, rng = path.read_bytes(), np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(content)
        # Most of the file is weights; the structure lies at its ends.
        places = np.concatenate([rng.integers(0, 200, 2), -rng.integers(1, 2500, 2)])
        for place in places:
            damaged[place] = rng.integers(256)
        with contextlib.suppress(BotFileError):
            OnnxBot.from_bytes(bytes(damaged), "damaged")


def test_an_onnx_file_without_metadata_is_refused(path):
    path.write_bytes(linear_model(linear_weights()).SerializeToString())
    with pytest.raises(BotFileError, match=r"not a bot file: it has no metadata.*torch_export"):
        OnnxBot(path)


@pytest.mark.parametrize("field", ["format_version", "observation_version"])
def test_another_version_is_refused(path, field):
    set_entry(path, field, 99)
    with pytest.raises(BotFileError, match=f"{field} is 99, and 1 is needed here"):
        OnnxBot(path)


@pytest.mark.parametrize("value", ["{", "nonsense"])
def test_metadata_that_is_not_json_is_refused(path, value):
    set_entry(path, "rules", value)
    with pytest.raises(BotFileError, match="damaged: its rules is not JSON"):
        OnnxBot(path)


def test_metadata_with_unknown_rules_is_refused_in_one_paragraph(path):
    set_entry(path, "rules", {"edition": "2022", "gravity": 9.81})
    with pytest.raises(BotFileError, match=r"rules\.gravity: there is no such field") as caught:
        OnnxBot(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"features": 10, "weights": linear_weights()[:10]},
            r"observation is float32 of shape .*10",
        ),
        ({"batch": 1}, "observation is .*'batch'"),
        ({"names": ("state", "action_mask", "logits", "value")}, "outputs are state, action_mask"),
        ({"names": ("observation", "action_mask", "logits", "worth")}, "action_mask, logits, wor"),
    ],
)
def test_other_inputs_and_outputs_are_refused(tmp_path, changes, message):
    path = write_bot_file(tmp_path / "bot.onnx", **changes)
    with pytest.raises(BotFileError, match=f"bot.onnx does not fit: its .*{message}"):
        OnnxBot(path)


def test_a_graph_that_does_not_fit_together_is_refused(path):
    edited(path, lambda model: model.graph.node.pop(0))
    with pytest.raises(BotFileError, match="it reads 'all_logits' before anything computes that"):
        OnnxBot(path)


# --- Tricks


def make_external(tensor) -> None:
    """Move a tensor's numbers to a file of their own, as far as the model says."""
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "secret.bin"


def external_weights(model) -> None:
    make_external(model.graph.initializer[0])


def external_constant(model) -> None:
    tensor = numpy_helper.from_array(linear_weights(), "hidden")
    make_external(tensor)
    node = helper.make_node("Constant", [], ["unused"], value=tensor)
    branch = helper.make_graph([node], "branch", [], [])
    choice = helper.make_node("If", ["action_mask"], [], then_branch=branch, else_branch=branch)
    model.graph.node.append(choice)


def external_sparse(model) -> None:
    sparse = onnx.SparseTensorProto()
    make_external(sparse.values)
    model.graph.sparse_initializer.append(sparse)


@pytest.mark.parametrize(
    ("trick", "problem"),
    [
        (external_weights, "takes numbers from another file"),
        (external_constant, "holds a graph in a graph"),
        (external_sparse, "holds sparse tensors"),
    ],
)
def test_a_file_that_refers_to_other_files_is_refused(path, monkeypatch, trick, problem):
    (path.parent / "secret.bin").write_bytes(linear_weights().tobytes())
    monkeypatch.chdir(path.parent)
    edited(path, trick)
    with pytest.raises(BotFileError, match=problem):
        OnnxBot(path)


def test_a_field_number_too_large_for_other_readers_is_refused(path):
    # Readers that keep 32 bits of a tag would see field 14 here, which names an external file.
    hidden = bytes([0xF0, 0x80, 0x80, 0x80, 0x10, 1])
    with pytest.raises(BotFileError, match="is not an ONNX file"):
        OnnxBot.from_bytes(path.read_bytes() + hidden, "trick")


@pytest.mark.parametrize("domain", ["com.microsoft", "evil"])
def test_operators_that_are_not_standard_are_refused(tmp_path, domain):
    path = write_bot_file(tmp_path / "bot.onnx", domain=domain)
    with pytest.raises(BotFileError, match=f"operators that are not standard ONNX: '{domain}'"):
        OnnxBot(path)


def test_functions_are_refused(path):
    node = helper.make_node("Identity", ["a"], ["b"])
    function = helper.make_function("", "F", ["a"], ["b"], [node], [helper.make_opsetid("", 17)])
    edited(path, lambda model: model.functions.append(function))
    with pytest.raises(BotFileError, match="holds functions"):
        OnnxBot(path)


def test_onnxruntimes_own_format_is_not_read(path):
    # The start of a file in that format, as an ONNX field that other readers skip.
    mark = b"\x0a\x08\x00\x00ORTM" + bytes(2)
    with pytest.raises(BotFileError, match="is not an ONNX file"):
        OnnxBot.from_bytes(mark + path.read_bytes(), "marked")
