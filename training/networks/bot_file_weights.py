"""Weights in and out of bot files: the same network with other weights, and back again.

The exporter of PyTorch takes seconds for a network. A run writes its network many times, always of
the same shape, so it is exported once and then only the weights in the file are replaced.
"""

import copy

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.export_comparison import Reference
from ono99_env.bots.policies.torch_export import bot_file, export_model, reference_of
from training.networks.policy_network import PolicyNetwork


class BotFileMaker:
    """Makes bot files of networks of one shape.

    Args:
        network: A network of that shape; exporting it takes seconds.

    Raises:
        ValueError: If the exported file does not hold each of its weights under its own name.
    """

    def __init__(self, network: PolicyNetwork) -> None:
        template = copy.deepcopy(network)
        # The exporter leaves out what adds nothing, such as biases that are all zero.
        generator = torch.Generator().manual_seed(0)
        with torch.no_grad():
            for weights in template.parameters():
                weights.uniform_(0.5, 1.0, generator=generator)
        self._model = export_model(template)
        held = {tensor.name for tensor in self._model.graph.initializer}
        missing = sorted(set(network.state_dict()) - held)
        if missing:
            raise ValueError(f"the exported network does not hold these weights: {missing}")

    def make(
        self, network: PolicyNetwork, metadata: BotMetadata, reference: Reference | None = None
    ) -> bytes:
        """Make the content of the bot file of a network, in some ten milliseconds.

        Args:
            network: The network.
            metadata: What the file says about itself.
            reference: What the file is compared with; default: the network.

        Raises:
            RuntimeError: If the file would not compute what the network does.
        """
        weights = network.state_dict()
        for tensor in self._model.graph.initializer:
            if tensor.name in weights:
                array = weights[tensor.name].numpy()
                tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
        return bot_file(self._model, reference or reference_of(network), metadata)


def read_weights(content: bytes) -> dict[str, Tensor]:
    """Read the weights in a bot file by name, as in `PolicyNetwork.state_dict`.

    Args:
        content: The content of a bot file; see `ono99_env.bots.policies.bot_file`.
    """
    tensors = onnx.load_model_from_string(content).graph.initializer
    # Copies, for the file's own memory cannot be written to.
    arrays = {tensor.name: numpy_helper.to_array(tensor).copy() for tensor in tensors}
    return {name: torch.from_numpy(array) for name, array in arrays.items() if "." in name}
