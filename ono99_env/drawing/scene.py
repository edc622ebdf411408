"""`Scene`: what one drawing of a table shows, as plain data."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from ono99_env.drawing.watchers import Watcher, check_watcher
from ono99_env.engine.records import (
    BUST_FLAG,
    GAME_OVER,
    NOBODY,
    RECENT_PLAYS,
    TO_ACT,
    TRUNCATED,
    counts_from_hand,
    counts_from_pile,
)
from ono99_env.jit.types import State
from ono99_env.observation.redaction import redact
from ono99_env.rules.cards import Action, Card
from ono99_env.rules.rules import Rules

Standing = Literal["playing", "out of the round", "out of the game", "wins"]
"""How a seat stands: `SceneSeat.standing`."""


@dataclass(frozen=True)
class ScenePlay:
    """A play, as a drawing shows it."""

    seat: int
    """Who acted."""
    action: str
    """The label of the action."""
    is_bust: bool = False
    """Whether the card was played over the limit (R17)."""

    @classmethod
    def of(cls, rules: Rules, state: State, action: int) -> "ScenePlay":
        """Return an action of the current player that is about to be played.

        Args:
            rules: The rules of the game.
            state: The game's record before it.
            action: A legal action.
        """
        is_card = action != Action.DISCARD_FOUR_ONO99
        total = int(state.total) + (Card(action).added if is_card else 0)
        return cls(int(state.current_player), Action(action).label, total > rules.highest_total)

    @property
    def words(self) -> str:
        """What was done, for people: ``"played 7"``."""
        if self.action == Action.DISCARD_FOUR_ONO99.label:
            return "discarded four ONO 99"
        return f"{'bust with' if self.is_bust else 'played'} {card_name(self.action)}"


@dataclass(frozen=True)
class SceneSeat:
    """A seat, as far as the watcher may see it."""

    seat: int
    name: str
    cards: tuple[str, ...]
    """Labels of the cards that are open to the watcher, by card id."""
    hidden: int
    """How many cards the watcher does not see."""
    chips: int | None
    """Chips left (R16), None in formats without."""
    points: int | None
    """Points so far (R18), None in formats without."""
    standing: Standing
    plays: tuple[ScenePlay, ...]
    """Its latest plays of this round, newest first, at most `RECENT_PLAYS`."""


@dataclass(frozen=True)
class Scene:
    """A table at one moment, as one watcher may see it: all that a drawing shows.

    Build it with `Scene.of`, which redacts. ``as_dict()`` is JSON-serialisable.
    """

    edition: str
    match_format: str
    """How the match is played (R14), such as ``"chips"``."""
    watcher: Watcher
    total: int
    highest_total: int
    direction: int
    """1 clockwise, -1 counter-clockwise."""
    round_number: int | None
    """From 1; None if the game is a single round."""
    draw_pile: int
    """Cards left to draw."""
    discard_pile: int
    """Cards on the discard pile."""
    top_discard: str | None
    """Label of the card played last, None if the pile is empty."""
    current_player: int | None
    plays_owed: int
    """Cards the current player still has to play this turn, 1 or 2 (R7); 0 when it is over."""
    is_second_play: bool
    """Whether the second of two owed cards is due."""
    legal: tuple[str, ...]
    """Labels of the current player's legal actions; empty if the watcher may not know them."""
    last_play: ScenePlay | None
    is_over: bool
    is_truncated: bool
    """Whether the game was cut short (R22)."""
    winners: tuple[int, ...]
    seats: tuple[SceneSeat, ...]
    """By seat."""

    @classmethod
    def of(
        cls,
        rules: Rules,
        state: State,
        watcher: Watcher = "all",
        names: Sequence[str] | None = None,
    ) -> "Scene":
        """Return what a watcher may see of a game.

        Args:
            rules: The rules of the game.
            state: The game's record, or one redacted for the watcher.
            watcher: A seat, or ``"all"``.
            names: What to call the seats; default: ``player_0``, ``player_1`` ...

        Raises:
            ValueError: If there is no such seat, or not a name for each.
        """
        players = int(state.num_players)
        check_watcher(watcher, players)
        names = _checked_names(names, players)
        shown = state if watcher == "all" else redact(state, watcher)
        is_over = shown.phase in GAME_OVER
        top = int(shown.top_discard)
        seats = tuple(_seat(rules, shown, seat, str(names[seat])) for seat in range(players))
        return cls(
            edition=rules.edition,
            match_format=rules.format,
            watcher=watcher,
            total=int(shown.total),
            highest_total=rules.highest_total,
            direction=int(shown.direction),
            round_number=None if rules.format == "single_round" else int(shown.round_number),
            draw_pile=int(counts_from_pile(shown.draw_pile).sum()) - int(shown.hidden_cards.sum()),
            discard_pile=int(counts_from_pile(shown.discard_pile).sum()),
            top_discard=None if top == NOBODY else Card(top).label,
            current_player=int(shown.current_player) if shown.phase == TO_ACT else None,
            plays_owed=int(shown.plays_owed) if shown.phase == TO_ACT else 0,
            is_second_play=bool(shown.second_play),
            legal=_legal(shown),
            last_play=_last_play(shown, seats),
            is_over=bool(is_over),
            is_truncated=bool(shown.phase == TRUNCATED),
            winners=tuple(each.seat for each in seats if each.standing == "wins"),
            seats=seats,
        )

    @property
    def bottom(self) -> int:
        """The seat that is drawn at the bottom: the watcher's, or seat 0."""
        return 0 if self.watcher == "all" else self.watcher

    @property
    def duty(self) -> str:
        """What the current player has to do, for people; empty when the game is over."""
        if self.current_player is None:
            return ""
        if self.plays_owed == 2:
            return "must play two"
        return "second of two" if self.is_second_play else "to play"

    @property
    def outcome_lines(self) -> tuple[str, str]:
        """The names of the winners, and that they win, for people; empty while the game goes on."""
        names = ", ".join(self.seats[seat].name for seat in self.winners)
        if not self.is_over:
            return "", ""
        words = "wins" if len(self.winners) == 1 else "share the win"
        return names, f"{words} (cut short)" if self.is_truncated else words

    @property
    def outcome(self) -> str:
        """Who has won, for people; empty while the game goes on."""
        return " ".join(self.outcome_lines).strip()

    def as_dict(self) -> dict[str, Any]:
        """Return the scene as JSON-serialisable data, with the fields' own names."""
        return asdict(self)


def _checked_names(names: Sequence[str] | None, num_players: int) -> Sequence[str]:
    if names is None:
        return [f"player_{seat}" for seat in range(num_players)]
    if len(names) != num_players:
        raise ValueError(f"names: must be {num_players}, one for each seat, not {len(names)}")
    return names


def card_name(label: str) -> str:
    """Return the name of a card for people: ``"Play Two"`` for ``"play_two"``."""
    special = {"ono99": "ONO 99", "minus_ten": "Minus Ten"}
    return special.get(label, label.replace("_", " ").title())


def open_cards(state: State, seat: int) -> tuple[str, ...]:
    """Return the labels of the cards that a record shows in a hand, by card id."""
    cards = np.repeat(np.arange(len(Card)), counts_from_hand(state.hands[seat]))
    return tuple(Card(int(card)).label for card in cards)


def _seat(rules: Rules, state: State, seat: int, name: str) -> SceneSeat:
    return SceneSeat(
        seat=seat,
        name=name,
        cards=open_cards(state, seat),
        hidden=int(state.hidden_cards[seat]),
        chips=int(state.chips[seat]) if rules.format == "chips" else None,
        points=int(state.points[seat]) if rules.has_points else None,
        standing=_standing(state, seat),
        plays=_plays(int(state.recent_plays[seat]), seat),
    )


def _standing(state: State, seat: int) -> Standing:
    is_in_match = int(state.in_match) >> seat & 1
    if state.phase in GAME_OVER:
        return "wins" if is_in_match else "out of the game"
    if not is_in_match:
        return "out of the game"
    return "playing" if int(state.in_round) >> seat & 1 else "out of the round"


def _plays(packed: int, seat: int) -> tuple[ScenePlay, ...]:
    codes = [packed >> shift & 0xFF for shift in range(0, 8 * RECENT_PLAYS, 8)]
    return tuple(
        ScenePlay(seat, Action((code & ~BUST_FLAG) - 1).label, bool(code & BUST_FLAG))
        for code in codes
        if code
    )


def _last_play(state: State, seats: Sequence[SceneSeat]) -> ScenePlay | None:
    last = int(state.last_player)
    return seats[last].plays[0] if last != NOBODY and seats[last].plays else None


def _legal(state: State) -> tuple[str, ...]:
    if state.phase != TO_ACT:  # a draw is due: the record still shows what could be played
        return ()
    plays = int(state.legal_plays)
    cards = [Action(card).label for card in Card if plays >> 4 * card & 0xF]
    four = [Action.DISCARD_FOUR_ONO99.label] if state.may_discard_four else []
    return (*cards, *four)
