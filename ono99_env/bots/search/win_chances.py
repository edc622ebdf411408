"""What each legal action is worth: the chance to win after it, by playouts.

The unseen cards are dealt at random, as `search` does, and the round is played out after every
legal action with the same cards, so that most of their luck cancels in the differences.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.search.determinization import deal_unseen, numbered_seed
from ono99_env.bots.search.outcome import SHARE_UNIT, share_of_win
from ono99_env.bots.search.playout import play_out
from ono99_env.engine import legal
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import as_argument, called_from_python
from ono99_env.jit.types import RulesArray, States, Word
from ono99_env.observation.views import Views
from ono99_env.rules.cards import Action

DEFAULT_DEALS = 1000


@dataclass(frozen=True)
class WinChances:
    """The chances to win after each legal action of a seat, from the same random deals."""

    actions: tuple[Action, ...]
    """The legal actions by id."""
    shares: NDArray[np.float64]
    """Share of the win after each action in each deal, 0 to 1, shape (deals, actions)."""

    @property
    def means(self) -> dict[Action, float]:
        """The chance to win after each action."""
        return dict(zip(self.actions, self.shares.mean(axis=0).tolist(), strict=True))

    def cost(self, chosen: Action) -> tuple[float, float]:
        """Return what an action gives away against the best one, and the standard error of that.

        Args:
            chosen: A legal action.
        """
        best = int(self.shares.mean(axis=0).argmax())
        losses = self.shares[:, best] - self.shares[:, self.actions.index(chosen)]
        return float(losses.mean()), float(losses.std() / np.sqrt(len(losses)))


@called_from_python
def play_deals(views: States, rules: RulesArray, seed: Word, shares: NDArray[np.int64]) -> None:
    """Play out every legal action of one view in some deals.

    Args:
        views: The redacted record, shape (1,); its observer is to act.
        rules: The rules of the game.
        seed: Decides all chance.
        shares: Written: the seat's share of the win, 0 to `SHARE_UNIT`, shape (deals, actions).
    """
    games, seat = np.zeros(2, STATE), np.int64(views[0].current_player)
    for deal in range(shares.shape[0]):
        games[0] = views[0]
        deal_unseen(games[0], numbered_seed(np.uint64(seed), deal))
        for index in range(shares.shape[1]):
            games[1] = games[0]
            play_out(games[1], rules[0], legal.nth_legal_action(views[0], index))
            shares[deal, index] = share_of_win(games[1], rules[0], seat)


def estimate_win_chances(
    views: Views, rng: np.random.Generator, deals: int = DEFAULT_DEALS
) -> WinChances:
    """Estimate what each legal action is worth to a seat, from what it may know.

    In a longer match the standing after the round is turned into chances; see `outcome`.

    Args:
        views: One view; its seat is to act.
        rng: Source of all randomness.
        deals: How often the unseen cards are dealt.

    Raises:
        ValueError: If it is not one view, or the seat is not to act.
    """
    if len(views) != 1 or not views.action_mask.any():
        raise ValueError("views must hold one view, of a seat that is to act")
    actions = tuple(Action(int(each)) for each in np.flatnonzero(views.action_mask[0]))
    shares = np.zeros((deals, len(actions)), np.int64)
    seed = rng.integers(2**64, dtype=np.uint64)
    play_deals(as_argument(views.states, STATE), views.rules_array, seed, shares)
    return WinChances(actions, shares / SHARE_UNIT)
