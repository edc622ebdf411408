"""What a release says of itself is said once, or is the same everywhere."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import ono99_env

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_version_is_written_in_the_package_alone():
    assert PROJECT["dynamic"] == ["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == ono99_env.__version__


def test_the_changelog_has_the_release():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## Release {ono99_env.__version__} " in changelog


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_time_limits_and_few_permissions(workflow: Path):
    content = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    assert content["permissions"] == {"contents": "read"}
    for job in content["jobs"].values():
        assert job["timeout-minutes"] <= 120


def test_the_first_and_the_last_python_are_tested_in_ci():
    pythons = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    ci = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert ci["jobs"]["check"]["strategy"]["matrix"]["python"] == [pythons[0], pythons[-1]]


def test_every_pin_of_an_extra_is_among_the_constraints():
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().replace("_", "-")
    pinned = set(re.findall(r"^([a-z0-9.-]+)==", constraints, re.M))
    for extra, requirements in PROJECT["optional-dependencies"].items():
        if extra == "distributed":
            continue  # RLlib needs an older Gymnasium and has pins of its own
        for requirement in requirements:
            name = re.split(r"[\[<>=]", requirement)[0].lower().replace("_", "-")
            assert name in pinned | {"ono99-env"}, requirement
