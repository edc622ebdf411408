"""`Lobby`: all tables of a server, and the secret links to their seats."""

import asyncio
import hmac
import secrets
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ono99_env.bots.answers import ask_strictly
from ono99_env.messages.errors import BotError, RefusedError
from ono99_env.play.live_table import LiveTable
from ono99_env.play.offered_bots import OfferedBots
from ono99_env.play.table_setup import TableSetup

MOST_TABLES = 200
"""Tables that a server keeps; the oldest that nobody is at makes room for a new one."""

_SECRET_BYTES = 18
_THINKING_THREADS = 2


def new_secret() -> str:
    """Return a text that nobody can guess, for a link."""
    return secrets.token_urlsafe(_SECRET_BYTES)


@dataclass(eq=False)
class SeatLink:
    """The secret link to a seat. The first browser that opens it keeps it."""

    table: "HostedTable"
    seat: int
    secret: str = field(default_factory=new_secret)
    """The part of the address that nobody else knows."""
    holder: str | None = None
    """What the browser that holds the seat shows again when it comes back."""

    def claim(self, shown: str | None) -> str:
        """Let a browser into the seat, and return what it has to show from now on.

        Args:
            shown: What it has been given before, if anything.

        Raises:
            RefusedError: If another browser holds the seat.
        """
        if self.holder is None:
            self.holder = new_secret()
            return self.holder
        self.check(shown)
        return self.holder

    def check(self, shown: str | None) -> None:
        """Refuse a browser that does not hold the seat.

        Args:
            shown: What it was given by `claim`.

        Raises:
            RefusedError: If another browser holds the seat, or none yet.
        """
        if self.holder is None:
            raise RefusedError("open the link of this seat in a browser first")
        if shown is None or not hmac.compare_digest(shown.encode(), self.holder.encode()):
            raise RefusedError(
                "this seat is taken: its link was opened in another browser first. Whoever set up "
                "the table can make a new link"
            )


class HostedTable:
    """A table of the server, with the task that lets its bots play and its clock run.

    Args:
        number: The number of the table.
        table: The game.
        thinking: Threads for what no bot waits for: advice and reviews.
    """

    def __init__(self, number: int, table: LiveTable, thinking: Executor) -> None:
        self.number, self.table, self.thinking = number, table, thinking
        self.links = {seat: SeatLink(self, seat) for seat in table.people}
        self.listeners: set[Callable[[], None]] = set()
        """Called after every change; one for each connected page."""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start to play."""
        self._task = asyncio.create_task(self._run())

    def close(self) -> None:
        """Stop to play."""
        if self._task is not None:
            self._task.cancel()

    def announce(self) -> None:
        """Tell all pages, and the bots, that something has changed."""
        self._changed.set()
        for listener in list(self.listeners):
            listener()

    async def _run(self) -> None:
        """Let bots play and the clock run, until the game is over."""
        while not self.table.is_over:
            self._changed.clear()
            if self.table.due_draw is not None:
                await self._wait_for_draw()
            elif self.table.bot_to_act is not None:
                await self._let_bot_play()
            else:
                await self._changed.wait()

    async def _wait_for_draw(self) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), self.table.seconds_to_draw())
        except TimeoutError:
            if self.table.end_late_draw():
                self.announce()

    async def _let_bot_play(self) -> None:
        """Ask the bot in another thread, so that no other table waits for it."""
        await asyncio.sleep(self.table.setup.bot_seconds)
        try:
            actions = await asyncio.to_thread(ask_strictly, self.table.question())
            self.table.play_for_bot(int(actions[0]))
        except BotError as error:
            self.table.replace_bot(str(error))
        self.announce()


class Lobby:
    """All tables of a server.

    Args:
        bots: The bots that may be seated.
    """

    def __init__(self, bots: OfferedBots) -> None:
        self.bots = bots
        self.host_key = new_secret()
        """Who knows it may set up tables."""
        self._tables: dict[int, HostedTable] = {}
        self._links: dict[str, SeatLink] = {}
        self._last_number = 0
        self._thinking = ThreadPoolExecutor(_THINKING_THREADS, "coach")

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self._tables)

    def check_host(self, key: str) -> None:
        """Refuse who does not know the key of the host.

        Raises:
            RefusedError: If it is another key.
        """
        if not hmac.compare_digest(key.encode(), self.host_key.encode()):
            raise RefusedError(
                "this is not the link of the host. Open the address that 'ono99 play' printed"
            )

    def add_table(self, data: Any) -> HostedTable:
        """Set up a table and start its game.

        Args:
            data: What a page has sent; see `TableSetup`.

        Raises:
            RefusedError: If the setup is impossible, or there are too many tables.
        """
        table = LiveTable(TableSetup.of_data(data), self.bots)
        self._make_room()
        self._last_number += 1
        hosted = HostedTable(self._last_number, table, self._thinking)
        self._tables[hosted.number] = hosted
        self._links.update({link.secret: link for link in hosted.links.values()})
        hosted.open()
        return hosted

    def find_seat(self, secret: str) -> SeatLink:
        """Return the seat of a link.

        Raises:
            RefusedError: If there is none.
        """
        link = self._links.get(secret)
        if link is None:
            raise RefusedError(
                "there is no seat at this address: the link is mistyped, or was replaced by a new "
                "one, or the table has been cleared away"
            )
        return link

    def renew_link(self, number: int, seat: int) -> SeatLink:
        """Replace the link of a seat; whoever used the old one is out.

        Raises:
            RefusedError: If there is no such seat for a person.
        """
        hosted = self._tables.get(number)
        if hosted is None or seat not in hosted.links:
            raise RefusedError(f"table {number} has no seat {seat} for a person")
        del self._links[hosted.links[seat].secret]
        link = hosted.links[seat] = SeatLink(hosted, seat)
        self._links[link.secret] = link
        hosted.announce()
        return link

    def close(self) -> None:
        """Stop all tables."""
        for hosted in self._tables.values():
            hosted.close()
        self._thinking.shutdown(wait=False, cancel_futures=True)

    def _make_room(self) -> None:
        """Clear away the oldest table that nobody is at, if there are too many.

        Raises:
            RefusedError: If people are at all of them.
        """
        if len(self._tables) < MOST_TABLES:
            return
        deserted = [each for each in self._tables.values() if not each.listeners]
        if not deserted:
            raise RefusedError(f"all {MOST_TABLES} tables are in use; try again later")
        oldest = min(deserted, key=lambda each: (not each.table.is_over, each.number))
        oldest.close()
        del self._tables[oldest.number]
        for link in oldest.links.values():
            self._links.pop(link.secret, None)
