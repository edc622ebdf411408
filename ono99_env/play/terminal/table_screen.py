"""`TableScreen`: play at a table in the terminal."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Header, OptionList, Static
from textual.widgets.option_list import Option

from ono99_env.drawing.table_text import write_table
from ono99_env.messages.errors import BotError, RefusedError
from ono99_env.messages.text import printable
from ono99_env.play.coach import Advice, ask_coach
from ono99_env.play.live_table import LiveTable
from ono99_env.play.lobby import HostedTable
from ono99_env.play.review import review_choices
from ono99_env.play.seat_messages import action_name, cards_in_hand, prompt

_SEAT = 0
_SHOWN_NEWS = 12


class TableScreen(App[None]):
    """A table in the terminal, with a person in the first seat and bots in the others.

    Args:
        table: The table.
    """

    TITLE = "ONO 99"
    CSS = """
    #table, #news, #advice { border: round $primary; padding: 0 1; height: auto; }
    #prompt { text-style: bold; padding: 0 1; color: $accent; }
    #cards { height: auto; max-height: 10; border: round $accent; }
    #left { width: 2fr; }
    #right { width: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *[Binding(str(number), f"play({number})", show=False) for number in range(1, 10)],
        Binding("d", "draw", "Draw"),
        Binding("c", "coach", "Coach"),
        Binding("r", "review", "Review"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, table: LiveTable) -> None:
        super().__init__()
        self._table = table
        self._thinking = ThreadPoolExecutor(1, "coach")
        self._hosted = HostedTable(1, table, self._thinking)
        self._actions: list[str] = []

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield Header()
        with Horizontal():
            with Vertical(id="left"):
                yield Static(id="table")
                yield Static(id="prompt")
                yield OptionList(id="cards")
                yield Static(id="refusal")
            with Vertical(id="right"):
                yield Static(id="news")
                yield Static(id="advice")
        yield Footer()

    def on_mount(self) -> None:
        """Start the game."""
        self._hosted.listeners.add(self.show_table)
        self._hosted.open()
        self.show_table()

    def on_unmount(self) -> None:
        """Stop the game."""
        self._hosted.close()
        self._thinking.shutdown(wait=False, cancel_futures=True)

    def show_table(self) -> None:
        """Show the table as it is now."""
        scene = self._table.scene(_SEAT)
        self._say("table", write_table(scene))
        self._say("prompt", prompt(self._table, scene, _SEAT))
        self._say("news", "\n".join(reversed(self._table.news[-_SHOWN_NEWS:])) or "New game.")
        self._say("refusal", "")
        self._say("advice", "c: what would a bot play?")
        cards = cards_in_hand(self._table, scene, _SEAT)
        self._actions = [card["action"] for card in cards]
        options = self.query_one("#cards", OptionList)
        options.clear_options()
        for number, card in enumerate(cards, start=1):
            reason = f"  ({card['reason']})" if not card["is_legal"] else ""
            label = Text(f"{number}  {card['name']}{printable(reason)}")
            options.add_option(Option(label, disabled=not card["is_legal"]))
        if scene.current_player == _SEAT:
            options.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play the card that was chosen by arrows and Enter, or by the mouse."""
        self.action_play(event.option_index + 1)

    def action_play(self, number: int) -> None:
        """Play one of the cards of the list.

        Args:
            number: Its place, from 1.
        """
        if number <= len(self._actions):
            self._try(
                lambda: self._table.play(_SEAT, self._actions[number - 1], self._table.version)
            )

    def action_draw(self) -> None:
        """Draw the replacement card, where a clock runs."""
        self._try(lambda: self._table.draw(_SEAT))

    async def action_coach(self) -> None:
        """Show what a bot would play."""
        table, version = self._table, self._table.version
        if table.game.current_player != _SEAT or table.due_draw is not None:
            self._say("refusal", "The coach speaks when it is your turn.")
            return
        name = table.bots.best_for(table.rules)
        bot, views = table.bots.bot(name, table.rules), table.game.views(_SEAT)
        loop = asyncio.get_running_loop()
        try:
            advice = await loop.run_in_executor(
                self._thinking, ask_coach, bot, name, table.rules, views
            )
        except BotError as error:
            self._say("refusal", f"The coach failed. {error}")
            return
        if version == table.version:
            self._say("advice", advice_lines(advice))

    async def action_review(self) -> None:
        """Show the costliest choices after the game."""
        if not self._table.is_over:
            self._say("refusal", "The review comes after the game.")
            return
        loop = asyncio.get_running_loop()
        choices = self._table.choices[_SEAT]
        judged = await loop.run_in_executor(self._thinking, review_choices, choices)
        costly = [
            f"Total {each['total']}: {action_name(each['action'])} costs {each['cost']:.0%}; "
            f"{action_name(each['best'])} wins {each['best_chance']:.0%}"
            for each in judged
            if each["is_marked"]
        ]
        self._say("advice", "\n".join(costly) or "No choice was clearly worse than another.")

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except RefusedError as refusal:
            self._say("refusal", f"{refusal}.")
        else:
            self._hosted.announce()

    def _say(self, place: str, text: str) -> None:
        self.query_one(f"#{place}", Static).update(Text(printable(text, keep="\n")))


def advice_lines(advice: Advice) -> str:
    """Return advice as lines of text."""
    lines = [f"{advice.bot} would play {action_name(advice.action.label)}."]
    source = "its own estimate" if advice.is_own_estimate else "playouts"
    lines.append(f"Chance to win: {advice.win_chance:.0%} ({source}).")
    for action, share in sorted(advice.probabilities.items(), key=lambda each: -each[1]):
        name = action_name(action.label)
        lines.append(f"{name:12} {share:4.0%}  wins {advice.chances[action]:4.0%}")
    return "\n".join(lines)


def play_in_terminal(table: LiveTable) -> None:
    """Play a game on the whole terminal, until the user quits.

    Args:
        table: A table with a person in the first seat and bots in the others.
    """
    TableScreen(table).run()
