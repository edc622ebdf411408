"""Names that are spelt a little wrong are answered with the right one."""

from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

import ono99_env
from ono99_env import Card, Game, Rules, load_bot, ono99_v0
from ono99_env.arena import Arena
from ono99_env.cli import main
from ono99_env.observation import FEATURES

ID = "ono99/Ono99-v0"
TWO = Rules.preset("2022", num_players=2)
MISSPELT: list[tuple[Callable[[], Any], str]] = [
    (lambda: load_bot("highset"), "highest"),
    (lambda: load_bot("search:simulation=3"), "simulations"),
    (lambda: load_bot("serch:simulations=4"), "search"),
    (lambda: load_bot("sb4:model.zip"), "sb3"),
    (lambda: Rules.preset("2022", hand_siz=3), "hand_size"),
    (lambda: Rules.preset("1980", format="chip"), "chips"),
    (lambda: Rules.preset("2022", eliminated_hands="faceup"), "face_up"),
    (lambda: Rules.preset("2022", play_two_answers=["revers"]), "reverse"),
    (lambda: Rules.preset("2022", deck={"revers": 3}), "reverse"),
    (lambda: ono99_v0.env(rules={"edition": "2022", "hand_siz": 3}), "hand_size"),
    (lambda: ono99_v0.env(num_player=3), "num_players"),
    (lambda: ono99_v0.env(keep_seat=True), "keep_seats"),
    (lambda: gymnasium.make(ID, opponent=["random"]), "opponents"),
    (lambda: gymnasium.make(ID, opponents=["randm"]), "random"),
    (lambda: gymnasium.make_vec(ID, num_envs=2, num_thread=3), "num_threads"),
    (lambda: gymnasium.make_vec(ID, num_envs=2, autoreset_mod="x"), "autoreset_mode"),
    (lambda: gymnasium.make_vec(ID, num_envs=2, autoreset_mode="NextSteps"), "NextStep"),
    (lambda: FEATURES["hnad"], "hand"),
    (lambda: Card.from_label("revers"), "reverse"),
    (lambda: Game.from_snapshot({**Game(TWO, seed=1).snapshot(), "totl": 3}), "total"),
    (
        lambda: Game.from_snapshot({**Game(TWO, seed=1).snapshot(), "draw_pile": {"hodl": 3}}),
        "hold",
    ),
    (lambda: Arena(["highest", "random"], seating="mixd"), "mixed"),
    (lambda: ono99_env.load_bots, "load_bot"),
    (lambda: Rules.preset("2023"), "2022"),
    (lambda: Rules.preset("2022", dealer="randm"), "random"),
    (lambda: ono99_v0.env(rules="2023"), "2022"),
    (lambda: ono99_v0.env(illegal="rais"), "raise"),
    (lambda: ono99_v0.env(render_mode="anssi"), "ansi"),
    (lambda: ono99_v0.env(render_mode="ansi", render_seat="al"), "all"),
    (lambda: gymnasium.make(ID, seat="randm"), "random"),
    (lambda: gymnasium.make_vec(ID, num_envs=2, seat="randm"), "random"),
    (lambda: Game(TWO, seed=1).render("pnng"), "png"),  # type: ignore[call-overload]
    (lambda: Game(TWO, seed=1).render("svg", theme="drak"), "dark"),  # type: ignore[call-overload]
]


@pytest.mark.parametrize(("call", "right"), MISSPELT, ids=[right for _, right in MISSPELT])
def test_the_right_name_is_suggested(call: Callable[[], Any], right: str) -> None:
    with pytest.raises(Exception, match=f"did you mean '{right}'"):
        call()


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (["arenas"], "arena"),
        (["arena", "highest", "random", "--gmaes", "5"], "--games"),
        (["arena", "highest", "random", "--player", "5"], "--players"),
        (["benchmark", "highest", "--quik"], "--quick"),
        (["benchmark", "highset"], "highest"),
        (["explain", "highest", "--gaems", "5"], "--games"),
        (["--verzion"], "--version"),
    ],
)
def test_a_command_suggests_the_right_word(
    words: list[str], right: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert right in capsys.readouterr().err


def test_a_known_feature_is_found_as_in_any_mapping() -> None:
    assert FEATURES["hand"].name == "hand"
    assert "hnad" not in FEATURES
    assert FEATURES.get("hnad") is None
