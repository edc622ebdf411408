"""# ONO 99: put cards on the pile, stay below 99, be the last one left.

| | |
| --- | --- |
| Creation | `pettingzoo.make("aec", "ono99/ono99-v0", num_players=4)` or `ono99_v0.env(...)` |
| Agents | `["player_0", ..., "player_7"]`, 2 to 6 (2022 edition) or 2 to 8 (1980 edition) |
| Actions | discrete |
| Action values | `Discrete(17)` |
| Observation shape | (466,) |
| Observation values | [-1, 1] |
| Parallel API | no |
| Manual control | no |

Players put cards on a pile and announce its running total, which must stay below 99. A player who
cannot play a card is out. The last player left wins. Special cards reverse the direction of play,
lower the total, or make the next player play two cards. Hands and the draw pile are hidden.

## Observation space

A dict of `"observation"`, a float32 vector whose named slices are
`ono99_env.observation.FEATURES`, and `"action_mask"`, int8 of shape (17,). The vector holds
everything an agent may know: its hand, the total, the direction, what is owed, all cards played,
sizes of hands and piles, chips and points, hands lying face up, and each seat's latest plays. Seats
are relative to the observer, in playing order.

With `flatten=True` the observation is the vector alone, for libraries and wrappers that do not
accept a dict. The slice `FEATURES["legal"]` of the vector equals the mask.

## Action space

0 to 10 play the number card, 11 plays ONO 99, 12 Reverse, 13 Minus Ten, 14 Play Two, 15 Hold, 16
discards four ONO 99 cards.

## Action mask

In the observation (not with `flatten=True`) and in `infos[agent]["action_mask"]`. The agent to act
has at least one legal action; the mask of every other agent is all zeros. An illegal action raises
`IllegalActionError` and changes nothing; with `illegal="lose"` the offender loses and the game
ends.

## Rewards

0 until an agent has lost or won. Each loser then gets -1/(n-1), with n players. The winners share
equally what the losers paid (+1 for a single winner), so that all rewards of a game sum to 0.

## Elimination

An agent that is out of the *game* is terminated at once: it is selected as a dead agent and takes
a step with the action `None`. An agent that is only out of a *round* of a longer match is skipped.

Some libraries cannot handle agents that leave in mid-game. With `keep_seats=True` an eliminated
agent stays in `agents`, is skipped, and has the all-zero mask; all agents end together. It still
gets its reward in `rewards` of the step that eliminated it, and `last()` reports it at the end.

## Last info

When an agent is terminated or truncated, `infos[agent]` also holds whole numbers:

- `winner`: the seat of the winner; -1 if the others play on, or if several share the win.
- `place`: 1 for who wins or shares the win (also when the game is truncated). An agent that is out
  comes behind all who are still in: with two left, its place is 3. Agents that leave the game at
  the same moment share a place, but in the points formats fewer points come first.
- `length`: how many actions the agent took.
- `seat`: the agent's seat.

## Arguments

- `rules`: `"2022"` (default), `"1980"`, the path of a YAML file, or `ono99_env.Rules`.
- `num_players`: seats at the table (default 4).
- `render_mode`: `None`, `"ansi"` (`render()` returns text), `"human"` (prints it) or `"rgb_array"`
  (returns a picture; needs the extra `render`).
- `illegal`: `"raise"` (default) or `"lose"`.
- `max_cycles`: truncate a round after this many plays a seat; those left share the win.
- `keep_seats`: eliminated agents stay, skipped, until the game is over (default false).
- `flatten`: observations are the bare vector instead of a dict with the mask (default false).
- `features`: what the vector holds: `"full"` (default), `"core"` (what the champion of the 2022
  edition reads, 81 numbers), or names of slices; only these are computed. The attribute `layout`
  has their places.
- any field of `ono99_env.Rules` as a keyword.

## Version history

- v0: first version.
"""

from typing import Any

from ono99_env.envs.aec import Ono99AEC

__all__ = ["env", "raw_env"]


def env(**kwargs: Any) -> Ono99AEC:
    """Make the AEC environment; see this module's page for the arguments.

    It checks order, bounds and legality itself, so it needs none of PettingZoo's wrappers.
    """
    return Ono99AEC(**kwargs)


raw_env = Ono99AEC
"""The same environment: there are no wrappers to leave out."""
