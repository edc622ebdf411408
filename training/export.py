"""Writing a trained policy as a bot file."""

from pathlib import Path

from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from ono99_env.bots.files import BotMetadata


def export_bot(
    policy: MaskableActorCriticPolicy, path: str | Path, metadata: BotMetadata
) -> None:
    """Write a policy as a bot file: one ONNX file that onnxruntime alone can play.

    Args:
        policy: A trained policy.
        path: Where the file goes, ending in ``.onnx``; an older file there is replaced.
        metadata: What the file says about itself.
    """
    raise NotImplementedError
