"""A module that needs a package says which extra brings it."""

import subprocess
import sys

import pytest

from ono99_env.messages.extras import brought_by, need_extra

BLOCKED = """
import sys
sys.modules.update(dict.fromkeys({packages!r}))  # None there: it cannot be imported
{code}
"""

NEEDED = {
    "from ono99_env.envs.sb3 import Ono99VecEnv": "train",
    "import ono99_env.bots.policies.torch_export": "train",
    "import ono99_env.bots.policies.sb3_policies": "train",
    "from ono99_env.bots.policies import sb3_bot; "
    "sb3_bot._check_zip = print; sb3_bot.load_model('model.zip')": "train",
    "import ono99_env.openspiel": "openspiel",
    "import ono99_env.openspiel.tabular": "openspiel",
    "import ono99_env.arena.report.page": "arena",
    "import ono99_env.arena.report.plots": "arena",
    "import ono99_env.arena.report.policy_picture": "arena",
    "from ono99_env.arena import Arena; "
    "Arena(['random', 'highest'], games=96).play(1).ratings()": "arena",
    "import training": "train",
    "from ono99_env.envs.single import Ono99Env; "
    "env = Ono99Env(render_mode='rgb_array'); env.reset(); env.render()": "render",
}
EXTRA_PACKAGES = (
    "torch",
    "stable_baselines3",
    "sb3_contrib",
    "pyspiel",
    "open_spiel",
    "scipy",
    "jinja2",
    "matplotlib",
    "pygame",
    "resvg_py",
    "onnx",
)


def without_extras(code: str) -> subprocess.CompletedProcess[str]:
    blocked = BLOCKED.format(packages=EXTRA_PACKAGES, code=code)
    return subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True)


@pytest.mark.parametrize(("code", "extra"), NEEDED.items())
def test_without_its_package_a_module_names_the_extra(code: str, extra: str) -> None:
    last = without_extras(code).stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: ")
    assert f"which the extra {extra!r} brings: pip install 'ono99-env[{extra}]'" in last


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["arena", "random", "highest", "--games", "96"], "arena"),
        (["arena", "random", "highest", "--report", "page"], "arena"),
        (["explain", "highest"], "arena"),
        (["arena", "random", "sb3:README.zip"], None),
    ],
)
def test_without_its_package_a_command_names_the_extra(words: list[str], extra: str | None) -> None:
    ended = without_extras(f"from ono99_env.cli import main; sys.exit(main({words!r}))")
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    if extra:
        assert f"pip install 'ono99-env[{extra}]'" in ended.stderr


def test_what_is_missing_in_the_package_itself_is_no_matter_of_extras() -> None:
    for own in ("ono99_env.nothing", "training.nothing"):
        expected = pytest.raises(ModuleNotFoundError, match=f"No module named '{own}'")
        with expected, brought_by("train", "this"):
            __import__(own)


def test_all_missing_packages_are_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="this needs no_a and no_b, which the extra 'x'"):
        need_extra("x", "this", "no_a", "sys", "no_b")


@pytest.mark.parametrize("command", ["train", "evaluate", "export", "exploit"])
def test_the_installed_command_says_that_training_runs_from_a_checkout(command: str) -> None:
    ended = without_extras(f"from ono99_env.cli import main; sys.exit(main([{command!r}, 'x']))")
    assert ended.returncode == 2
    assert "training runs from a checkout" in ended.stderr
    assert f"python -m training.{command}" in ended.stderr
