"""Cut an ONNX file down to some of its outputs, or replace its metadata.

It works on the encoded message, without the onnx package: `onnx.utils.extract_model` does the same
and would make every user of a bot file install and import onnx.
"""

from collections.abc import Collection, Mapping

from ono99_env.bots.policies.onnx_files.wire_format import delimited, fields_of, text_of

# Numbers of fields in onnx.proto: of a model, a graph, a node, and an entry of the metadata.
_GRAPH, _METADATA = 7, 14
_NODE, _OUTPUT, _VALUE = 1, 12, 13
_NODE_INPUT, _NODE_OUTPUT = 1, 2
_KEY, _ENTRY_VALUE = 1, 2


def replace_metadata_entries(model: bytes, entries: Mapping[str, str]) -> bytes:
    """Replace all metadata entries of a file.

    Raises:
        OnnxFormatError: If the file is not a whole ONNX file.
    """
    kept = [each.whole for each in fields_of(memoryview(model)) if each.number != _METADATA]
    added = [
        delimited(_METADATA, delimited(_KEY, key.encode()) + delimited(_ENTRY_VALUE, text.encode()))
        for key, text in entries.items()
    ]
    return b"".join([*kept, *added])


def keep_outputs(model: bytes, outputs: Collection[str]) -> bytes:
    """Cut a file down to some of its outputs, and drop what it claims of values in between.

    onnxruntime computes all nodes of a graph, whatever outputs it is asked for.

    Args:
        model: An ONNX file that `parser.read_model` accepts.
        outputs: The names of the outputs to keep.

    Raises:
        OnnxFormatError: If it is not a whole ONNX file.
    """
    return b"".join(
        delimited(_GRAPH, _cut_down(each.value, outputs))
        if each.number == _GRAPH
        else bytes(each.whole)
        for each in fields_of(memoryview(model))
    )


def _cut_down(graph: memoryview, outputs: Collection[str]) -> bytes:
    """Encode a graph again without other outputs and the nodes that only these need."""
    fields = list(fields_of(graph))
    nodes = [each.value for each in fields if each.number == _NODE]
    needed = _needed(nodes, outputs)

    def is_kept(number: int, value: memoryview) -> bool:
        if number == _NODE:
            return not needed.isdisjoint(_texts(value, _NODE_OUTPUT))
        if number == _OUTPUT:
            return not set(outputs).isdisjoint(_texts(value, 1))
        return number != _VALUE

    return b"".join(each.whole for each in fields if is_kept(each.number, each.value))


def _needed(nodes: Collection[memoryview], outputs: Collection[str]) -> set[str]:
    """Return the names of all values that some outputs are computed from, with their own."""
    makers = {name: node for node in nodes for name in _texts(node, _NODE_OUTPUT)}
    needed: set[str] = set()
    waiting = list(outputs)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += _texts(makers[name], _NODE_INPUT) if name in makers else []
    return needed


def _texts(message: memoryview, number: int) -> list[str]:
    """Return the texts in a repeated field of a message, without empty ones."""
    fields = fields_of(message)
    return [text_of(each.value) for each in fields if each.number == number and each.value]
