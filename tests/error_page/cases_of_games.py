"""Errors of rules, games, environments and views: a call or a command line by the message on docs/errors.md."""

# ruff: noqa: E501 - messages stay whole, so that they can be found
# Wrong arguments are the point.
# mypy: disable-error-code="arg-type, call-overload"

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import ono99_env
from ono99_env import Card, Game, Rules, Views, load_bot, ono99_v0
from ono99_env.bots.search.win_chances import estimate_win_chances
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.spaces import ActionSpace
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.files.array_archive import read_archive
from ono99_env.files.regular_files import read_regular_file
from ono99_env.game.game_records import read_record
from ono99_env.observation import FEATURES
from ono99_env.tables import Episodes, Tables
from tests.error_page.situations import (
    CHIPS,
    POINTS,
    TWO,
    act_for_dead_agent,
    archive_of,
    changed,
    file_of,
    finished_game,
    load_state,
    play_with_a_card_of_no_deck,
    reset,
    sb3,
    spoilt_game,
)

IMPOSSIBLE_DECK = {"0": 40, "ono99": 10}
CASES: dict[str, Callable[[], Any] | list[str]] = {
    # Everywhere
    "num_envs must be a whole number from 1, not ...": lambda: Ono99VectorEnv(0),
    "...; did you mean ...": lambda: load_bot("highset"),
    "... No such file or directory...": lambda: Rules.from_yaml("no_such_rules.yaml"),
    # Rules
    "...: there is no such field...": lambda: Rules.preset("2022", hand_siz=3),
    "edition: is given by the name of the preset; leave it out": lambda: Rules.preset(
        "2022", edition="1980"
    ),
    "num_players: the ... edition is for 2 to ... players, not ...": lambda: Rules.preset(
        "2022", num_players=7
    ),
    "deck: ..., so a round may never end. Set max_plays, the number of plays after which a round is ...": lambda: (
        Rules.preset("2022", deck=IMPOSSIBLE_DECK)
    ),
    "unknown cards ...": lambda: Rules.preset("2022", deck={"joker": 2}),
    "... is not a known ...": lambda: Card.from_label("joker"),
    "... cards are too many; at most ...": lambda: Rules.preset("2022", deck={"1": 127, "2": 127}),
    "a deck cannot be changed; make new Rules with deck={name: count, ...}": lambda: (
        TWO.deck.update({"1": 1})
    ),
    "voluntary_bust: needs format points_last_standing or points_lowest, not ...": lambda: (
        Rules.preset("2022", voluntary_bust=True)
    ),
    "rules: none of ... games lasted until the learner could play a card": lambda: Ono99Env(
        num_players=2, deck={"10": 50}, highest_total=0
    ),
    # Files of fields
    "... is not valid YAML: ...": lambda: Rules.from_yaml(file_of(b"a: [")),
    "... is too long for a file of fields: more than 1 MiB": lambda: Rules.from_yaml(
        file_of(b"# " + b"x" * 2**21)
    ),
    "cannot be read: it has no possible name": lambda: read_regular_file(Path("a\0b"), 1000),
    "holds no fields": lambda: read_archive(archive_of(b"[]")),
    "is damaged, or was not written by this program (...)": lambda: read_archive(
        Path(file_of(b"nothing"))
    ),
    "is larger than ... MiB, the most that is read": lambda: read_regular_file(
        Path(file_of(b"x" * 2000)), 1000
    ),
    "is ..., not a file": lambda: read_regular_file(Path("/"), 1000),
    # Games and snapshots
    "action ... (...) is illegal for seat ...: ...; legal are: ...": lambda: Game(TWO, seed=1).play(
        15
    ),
    "... is not an action; actions are integers from 0 to ..., and legal for seat ... are: ...": lambda: (
        Game(TWO, seed=1).play(99)
    ),
    "the game is over; action ... cannot be played": lambda: finished_game().play(1),
    "draws: ... were given but no card is due any more": lambda: Game(TWO, seed=1).play(
        Game(TWO, seed=1).legal_actions()[0], draws=[Card.N1, Card.N2]
    ),
    "a snapshot is a dict with the key 'rules', another dict": lambda: Game.from_snapshot({}),
    "total: ... is above highest_total ...": changed(total=99),
    "hands, draw_pile and discard_pile together hold ... cards ..., but the deck has ...": changed(
        draw_pile={"1": 3}
    ),
    "hands[...]: ... cards, but hand_size is ...": changed(hands=[{"1": 5}, {"2": 4}]),
    "...: ... cards ... are more than any deck holds": changed(draw_pile={"1": 200}),
    "...: needs one entry for each of ... seats, not ...": changed(eliminated=[False]),
    "dealer: there is no seat ... with ... players": changed(dealer=5),
    "current_player: null, but the game is not over": changed(current_player=None),
    "eliminated: fewer than two players are left, but is_over is false": changed(
        eliminated=[True, False]
    ),
    "winners: must be empty while the game is not over": changed(winners=[1, 1]),
    "chips: ... is more than the ... to start with": changed(CHIPS, chips=[3, 4, 3]),
    "points[...]: ... reach target_points ..., so the seat would be out of the match": changed(
        POINTS, points=[200, 0, 0]
    ),
    "round: a single_round game has only round 1, not ...": changed(round=2),
    "plays_owed: the current player owes 1 or 2 cards, not 0": changed(plays_owed=0),
    "history.truncated: true, but is_over is false": changed(history={"truncated": True}),
    # Environments and tables
    "the episode has not begun or has ended; call reset()": lambda: Ono99Env(TWO).step(0),
    "...: there is no such argument, ...": lambda: Ono99Env(num_player=3),
    "...: this environment has no such argument, ...": lambda: Ono99Env(num_threads=3),
    "options: ... is no option of this environment's reset()...": lambda: Ono99Env(TWO).reset(
        options={"dealer": 1}
    ),
    "... is out of the game; its only valid action is None": act_for_dead_agent,
    "the snapshot's rules differ from the environment's in: ...": lambda: ono99_v0.env(
        rules=CHIPS
    ).load_snapshot(Game(TWO, seed=1).snapshot()),
    "the tables have no method ...; only 'action_masks'": lambda: sb3().env_method("act"),
    "the mask allows no action: this seat is not to act": lambda: ActionSpace().sample(
        np.zeros(17, np.int8)
    ),
    "table ...: ...": lambda: reset(Ono99VectorEnv(2, TWO)).step(np.full(2, 99)),
    "state: ... must have shape ... and type ..., not shape ... and type ...": lambda: load_state(
        episodes=np.zeros(2)
    ),
    "bots: at most ... can hold seats, not ...": lambda: Tables(TWO, [load_bot("random")] * 200, 1),
    "...: ... is too large": lambda: Tables(TWO, [load_bot("random")], 1).act(
        np.array([2**64 - 1], np.uint64), [1]
    ),
    "tables[...]: table ... is named twice": lambda: Episodes(TWO, 2).reset(np.array([0, 0])),
    "the learner is not to act at every table; deal new games first": lambda: Tables(
        TWO, [load_bot("random")], 1
    ).act(np.array([0]), np.array([1])),
    "...[...] shows no possible game of these rules: ...": lambda: Views.of_compact(
        TWO, np.full((1, reset(Ono99VectorEnv(1, TWO, compact=True)).reset()[0].shape[1]), 7, "u1")
    ),
    "states[...] or seats[...]: is no view of a game": lambda: (
        Views._of_checked(TWO, spoilt_game(), np.zeros(1, np.int64)).observation
    ),
    "games[...]: is no record of a game": lambda: Views.of(
        TWO, spoilt_game(), np.zeros(1, np.int64)
    ),
    "module 'ono99_env' has no attribute ...": lambda: ono99_env.load_bots,
    "there is no feature ...": lambda: FEATURES["hnad"],
    "...: must be ..., not ...": lambda: Rules.preset("2022", hand_size="x"),
    "rules must be Rules, such as Rules.preset('2022'), not ...": lambda: Game("2022"),
    "seed must be a whole number from 0 to 2**64 - 1, not ...": lambda: Game(TWO, seed=-1),
    "draws: no ... is left in the draw pile": play_with_a_card_of_no_deck,
    "winners: a seat is named twice": lambda: Game.from_snapshot(
        {**finished_game().snapshot(), "winners": [0, 0]}
    ),
    # Records of games
    "this is no record of a game: its 'format' must be ...": lambda: Game.from_record({}),
    "format_version: this package reads version ..., not ...": lambda: Game.from_record(
        {**Game(TWO, seed=1).record(), "format_version": 99}
    ),
    "...[...]: must be a seat from 0 to ..., not ...": lambda: Views.of(
        TWO, Game(TWO, seed=1)._games, np.array([9])
    ),
    "... is not JSON: ...": lambda: read_record(file_of(b"{")),
    "... is no record of a game: it must hold an object": lambda: read_record(file_of(b"[]")),
    "max_cycles must be None or at least 1, not ...": lambda: ono99_v0.env(max_cycles=0),
    "num_threads must be a whole number from 1, not ...": lambda: Ono99VectorEnv(2, num_threads=0),
    "seat must be 'random' or from 0 to ..., not ...": lambda: Ono99Env(TWO, seat=7),
    "num_players must be a whole number or a list of them, not ...": lambda: Ono99VectorEnv(
        2, num_players="two"
    ),
    "illegal must be 'raise' or 'lose', not ...": lambda: ono99_v0.env(illegal="win"),
    "render_mode must be None or one of ..., not ...": lambda: Ono99Env(TWO, render_mode="x"),
    "seed must be one integer for the whole batch, not a list": lambda: Ono99VectorEnv(2).reset(
        seed=[1, 2]
    ),
    "reset_mask must be a bool array of shape (...,), not one of shape ... and type ...": lambda: (
        reset(Ono99VectorEnv(2, TWO)).reset(options={"reset_mask": np.zeros(3)})
    ),
    "assignment destination is read-only": lambda: (
        Ono99VectorEnv(2, TWO, copy=False).reset()[0].__setitem__(0, 0)
    ),
    "agent: ...; agents are ...": lambda: reset(ono99_v0.env(rules=TWO)).unwrapped.views("nobody"),
    "width must be at least 1 pixel, not ...": lambda: Game(TWO, seed=1).render("svg", width=0),
    "features must be a name or a list of names, not ...": lambda: Ono99Env(TWO, features=3),
    "views must hold one view, of a seat that is to act": lambda: estimate_win_chances(
        Game(TWO, seed=1, dealer=0).views(0), np.random.default_rng(1)
    ),
}
