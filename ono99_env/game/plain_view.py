"""What one seat may know of a game, as plain JSON-serialisable data for programs of others."""

from typing import Any

from ono99_env.game.legality import legal_among
from ono99_env.game.snapshots import to_snapshot
from ono99_env.observation.views import Views

_SHARED_WITH_SNAPSHOTS = (
    "total",
    "direction",
    "dealer",
    "current_player",
    "plays_owed",
    "second_play",
    "ono99_played_this_turn",
    "eliminated",
    "discard_pile",
    "last_player",
    "round",
    "chips",
    "points",
    "history",
)


def plain_view(views: Views, index: int = 0) -> dict[str, Any]:
    """Return what the observer of one view may know, in the words of snapshots.

    Args:
        views: As `Game.views` returns them, or many.
        index: Which of them.

    Returns:
        ``seat`` (the observer), ``legal_actions`` (names; empty if the seat is not to act),
        ``hand``, ``hand_sizes`` and ``in_match`` (by seat), ``face_up_hands`` (by seat, the hands
        of others that lie open), ``draw_pile_size``, ``unseen`` (the cards that the seat cannot
        see: the draw pile and hidden hands); all other keys as in `Game.snapshot`. It describes the
        game of which `ono99_env.observation.encoding` computes the observation.

    Raises:
        IndexError: If there is no such view.
    """
    state, seat = views.states[index], int(views.seats[index])
    rules = views.rules.model_copy(update={"num_players": int(state.num_players)})
    known = to_snapshot(rules, views.states[index : index + 1])
    hands, hidden = known["hands"], state.hidden_cards
    sizes = [sum(hand.values()) + int(hidden[each]) for each, hand in enumerate(hands)]
    legal = legal_among(int(state.legal_plays), int(state.may_discard_four))
    return {
        "seat": seat,
        "legal_actions": [action.label for action in legal],
        "hand": hands[seat],
        "hand_sizes": sizes,
        "face_up_hands": [{} if each == seat else hand for each, hand in enumerate(hands)],
        "in_match": [bool(int(state.in_match) >> each & 1) for each in range(len(hands))],
        "unseen": known["draw_pile"],
        "draw_pile_size": sum(known["draw_pile"].values()) - sum(map(int, hidden)),
        **{name: known[name] for name in _SHARED_WITH_SNAPSHOTS},
    }
