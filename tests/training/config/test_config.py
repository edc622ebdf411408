"""A config is refused with a message that names the field; the command line overrides any field."""

from pathlib import Path
from typing import get_args

import pytest
import yaml

from ono99_env.messages.errors import UsageError
from ono99_env.observation import FEATURES
from training import evaluate, exploit, export
from training.config.command_line import make_config, read_command
from training.config.config import Config
from training.distributed.cluster_config import DistributedConfig

CONFIGS = Path(__file__).parents[3] / "configs"


def refusal(**fields) -> str:
    with pytest.raises(UsageError) as error:
        make_config(fields, {}, "run.yaml")
    return str(error.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"device": "cud"}, "device: must be auto, cpu, cuda, cuda:NUMBER or mps, not 'cud'"),
        ({"seat": "randm"}, "seat from 0, not 'randm'; did you mean 'random'?"),
        ({"name": "a/b"}, "name: must be letters, digits, '_', '-' and '.', such as"),
        ({"nam": "x"}, "nam: there is no such field; did you mean 'name'?"),
        ({"zzz": 1}, "zzz: there is no such field; there are: name, rules"),
        ({"ppo": {"n_epoch": 1}}, "ppo.n_epoch: there is no such field; did you mean 'n_epochs'?"),
        ({"ppo": 3}, "ppo: must be a mapping of fields, not 3"),
        ({"ppo": {"gamma": 1.5}}, "ppo.gamma: must be from 0 to 1, not 1.5"),
        (
            {"ppo": {"batch_size": 10**6}},
            "ppo.batch_size: 1000000 is more than the 32768 decisions",
        ),
        ({"total_decisions": "many"}, "total_decisions: must be a whole number, not 'many'"),
        ({"name": "../x"}, "name: must be letters, digits, '_', '-' and '.', such as run-2"),
        ({"seed": -1}, "seed: must be at least 0, not -1"),
        ({"device": "tpu"}, "device: must be auto, cpu, cuda, cuda:NUMBER or mps, not "),
        ({"num_players": []}, "num_players: must be a list of at least 1, not []"),
        ({"num_players": [9]}, "num_players.0: must be at most 8, not 9"),
        ({"num_players": [7]}, "num_players: the 2022 edition is for 2 to 6 players, not 7"),
        ({"seat": "left"}, "seat: must be 'random' or a seat from 0, not 'left'"),
        ({"seat": 2}, "seat: must be 'random' or from 0 to 1, not 2"),
        ({"features": ["hands"]}, "features: there is no feature 'hands'; did you mean 'hand'?"),
        ({"opponents": ["hihgest"]}, "opponents: unknown bot 'hihgest'"),
        ({"opponents": ["no/bot.onnx"]}, "opponents: "),
        ({"rules": "1990"}, "rules: must be '2022' or '1980', a file"),
        ({"rules": "no.yaml"}, "rules: cannot read 'no.yaml': No such file"),
        ({"rules": {"hand_size": 9}}, "rules: hand_size: must be from 1 to 7, not 9"),
        (
            {"number_format": "bfloat16"},
            "number_format: plain training is done in float32; set self_play too",
        ),
        (
            {"number_format": "bflot16"},
            "number_format: must be 'auto', 'float32' or 'bfloat16', not 'bflot16'; did you mean "
            "'bfloat16'?",
        ),
        ({"formats": ["chips"]}, "formats: plain training plays that of the rules; set self_play"),
        ({"formats": ["poker"], "self_play": {}}, "formats.0: must be 'single_round', 'chips'"),
        ({"formats": ["chips"] * 9, "num_envs": 8, "self_play": {}}, "formats: 9 parts of 8 tab"),
        ({"self_play": {"lerner": 1}}, "self_play.lerner: there is no such field; did you mean 'l"),
        ({"self_play": {"learner": 0}}, "self_play.learner: must be greater than 0, not 0"),
        ({"self_play": {"bots": {"me": 1}}}, "self_play.bots: unknown bot 'me'"),
        ({"self_play": {"bots": {"random": -1}}}, "self_play.bots.random: must be at least 0"),
        ({"evaluation": {"opponents": ["me"]}}, "evaluation.opponents: unknown bot 'me'"),
        ({"evaluation": {"num_players": [3]}}, "evaluation.num_players: [3] are not among"),
    ],
)
def test_a_wrong_field_is_named(fields, message):
    assert message in refusal(**fields)


def test_all_problems_are_told_at_once():
    message = refusal(nam="x", seed=-1, num_players=["two"])
    assert message.count("\n") == 3
    assert "Tuple" not in message  # the wrong item is the problem, not that the list is too short


@pytest.mark.parametrize("rules", ["1980", 1980, {"edition": "1980"}, "1980.yaml"])
def test_rules_may_be_an_edition_a_file_or_a_mapping(rules, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "1980.yaml").write_text("edition: '1980'")
    config = make_config({"rules": rules, "num_players": [8]}, {}, "run.yaml")
    assert config.rules_for(8).format == "chips"
    assert config.rules["deck"]["hold"] == 4


def test_every_field_has_one_line_of_documentation():
    def fields_of(model):
        for name, field in model.model_fields.items():
            yield name, field.description
            for kind in (field.annotation, *get_args(field.annotation)):
                if hasattr(kind, "model_fields"):
                    yield from fields_of(kind)

    documentation = dict(fields_of(Config))
    assert all(documentation.values())
    assert not [name for name, text in documentation.items() if "\n" in text]


def test_a_written_config_reads_as_the_same_config():
    config = make_config({"rules": "1980", "num_players": [3], "seat": 2}, {}, "run.yaml")
    written = yaml.safe_load(yaml.safe_dump(config.model_dump(mode="json")))
    assert make_config(written, {}, "run.yaml") == config


def test_features_keep_the_order_of_the_observation():
    config = make_config({"features": ["unseen", "hand", "hand"]}, {}, "run.yaml")
    assert config.features == ("hand", "unseen")
    assert Config().features == tuple(FEATURES)


def test_a_player_count_that_is_played_more_often_is_measured_once():
    config = make_config({"num_players": [4, 2, 2]}, {}, "run.yaml")
    assert config.num_players == (4, 2, 2)
    assert config.evaluated_counts == (4, 2)


def test_the_command_line_overrides_the_file(tiny):
    command = read_command(
        [
            *(str(tiny), "--name", "other", "--rules", "1980", "--num_players", "2,4"),
            *("--opponents", '["random", "random"]', "--seat", "1", "--ppo.n_epochs", "3"),
            *("--ppo.final_learning_rate", "1e-5", "--evaluation.num_players", "[]"),
        ]
    )
    assert command.origin == tiny
    config = command.config
    assert (config.name, config.rules_for(2).edition, config.seat) == ("other", "1980", 1)
    assert config.num_players == config.evaluated_counts == (2, 4)
    assert config.opponents == ("random", "random")
    assert (config.ppo.n_epochs, config.ppo.final_learning_rate) == (3, 1e-5)
    assert config.ppo.batch_size == 128  # what the command line does not say stays


def test_the_environment_does_not_override_anything(tiny, monkeypatch):
    monkeypatch.setenv("NAME", "other")
    monkeypatch.setenv("SEED", "7")
    assert read_command([str(tiny)]).config.name == "tiny"
    assert read_command([str(tiny)]).config.seed == 0


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("--ppo.n_epoch", "--ppo.n_epochs"),
        ("--epochs", "--ppo.n_epochs"),
        ("--num-enfs", "--num_envs"),
        ("--reusme", "--resume"),
    ],
)
def test_an_option_that_does_not_exist_is_named_with_the_one_that_was_meant(
    tiny, option, meant, capsys
):
    with pytest.raises(SystemExit) as exit_:
        read_command([str(tiny), option, "3"])
    assert exit_.value.code == 2
    error = capsys.readouterr().err
    assert option.replace("num-enfs", "num_enfs") in error
    assert f"did you mean {meant}?" in error


def test_a_field_of_the_file_that_does_not_fit_an_option_is_told_with_both(tiny):
    tiny.write_text(f"{tiny.read_text()}\nseat: 2\n".replace("num_players: [2, 3]", ""))
    with pytest.raises(UsageError) as caught:
        read_command([str(tiny), "--num_players", "2"])
    assert "  --num_players: seat: must be 'random' or from 0 to 1, not 2" in str(caught.value)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--num_envs", "0"], "--num_envs: must be at least 1, not '0'"),
        (["--num-envs", "0"], "--num_envs: must be at least 1, not '0'"),
        (["--num_envs=2"], "--num_envs: ppo.batch_size: 128 is more than the 64 decisions"),
        (["--ppo.n_steps=2"], "--ppo.n_steps: ppo.batch_size: 128 is more than the 32 decisions"),
        (["--ppo.batch_size=999"], "--ppo.batch_size: 999 is more than the 512 decisions"),
        (["--number_format", "bfloat16"], "--number_format: plain training is done in float32"),
        (["--num_players", "3", "--seat", "3"], "--num_players, --seat: must be 'random' or from"),
        (["--ppo.gamma", "x"], "--ppo.gamma: must be a number, not 'x'"),
        (["--rules", "2021"], "--rules: must be '2022' or '1980', a file"),
        (["--num_players", "2", "9"], "--num_players: must be at most 8, not 9"),
        (["--num_players=2", "7"], "--num_players: the 2022 edition is for 2 to 6 players, not 7"),
        (["--opponents", "me"], "--opponents: unknown bot 'me'"),
        (["--evaluation.num_players", "5"], "--evaluation.num_players: [5] are not among"),
    ],
)
def test_a_wrong_option_is_blamed_and_not_the_file(tiny, words, message):
    with pytest.raises(UsageError, match=r"^the command line does not describe a run:") as caught:
        read_command([str(tiny), *words])
    assert f"  {message}" in str(caught.value)
    assert tiny.name not in str(caught.value)


def test_file_and_command_line_can_both_be_wrong(tiny):
    tiny.write_text(f"{tiny.read_text()}\nseed: -1\n")
    with pytest.raises(UsageError, match=r"tiny\.yaml and the command line do not") as caught:
        read_command([str(tiny), "--num_envs", "0"])
    assert "  --num_envs: must" in str(caught.value)
    assert "  seed: must be at least 0, not -1" in str(caught.value)


def test_an_option_that_cannot_be_read_is_named(tiny):
    with pytest.raises(UsageError, match="command line: --num_players: "):
        read_command([str(tiny), "--num_players", "[2"])


def test_help_holds_the_documentation_of_fields(capsys):
    with pytest.raises(SystemExit) as exit_:
        read_command(["--help"])
    assert exit_.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "--ppo.batch_size int Decisions in one gradient step. (default: 4096)" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot read the config"),
        ("name: [", "is not valid YAML"),
        ("- name", "must hold a mapping of fields"),
        ("", "must hold a mapping of fields"),
    ],
)
def test_a_file_that_is_no_config_is_refused(tmp_path, text, message):
    path = tmp_path / "run.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError, match=message):
        read_command([str(path)])


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_the_configs_that_come_with_the_project_are_valid(path):
    model = DistributedConfig if path.stem == "distributed" else Config
    config = read_command([str(path)], model).config
    assert config.evaluation.games >= 20_000


@pytest.mark.parametrize("option", ["--players", "--num_players", "--num-players"])
def test_player_counts_have_two_spellings(option):
    words = [option, "2", "3", "--evaluation.num_players", "3"]
    command = read_command([str(CONFIGS / "quickstart.yaml"), *words])
    assert command.config.num_players == (2, 3)
    assert exploit.parser().parse_args(["random", option, "3"]).players == 3
    assert evaluate._parser().parse_args(["random", option, "3"]).players == [3]
    assert export._parser().parse_args(["runs/x", option, "3"]).players == [3]
