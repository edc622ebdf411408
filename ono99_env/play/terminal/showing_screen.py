"""`ShowingScreen`: look at a game in the terminal, at any speed."""

from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Footer, Header, ProgressBar, Static

from ono99_env.drawing.table_text import write_table
from ono99_env.messages.text import printable
from ono99_env.play.showing import Showing

_FASTER = 0.6
_SHORTEST, _LONGEST = 0.05, 60.0


class ShowingScreen(App[None]):
    """A game in the terminal, moment by moment.

    Args:
        showing: The game.
        seconds: How long each moment is shown at first.
    """

    TITLE = "ONO 99"
    CSS = """
    #table { border: round $primary; padding: 0 1; height: auto; }
    #told { text-style: bold; padding: 0 1; }
    #place { padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Play/pause"),
        Binding("right,l,n", "step(1)", "Forward"),
        Binding("left,h,b", "step(-1)", "Back"),
        Binding("home,g", "go_first", "First"),
        Binding("end,G", "go_last", "Last"),
        Binding("plus,equals_sign", "faster", "Faster"),
        Binding("minus", "slower", "Slower"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, showing: Showing, seconds: float) -> None:
        super().__init__()
        self._showing, self._seconds = showing, seconds
        self.place = 0
        """The moment that is shown."""
        self._timer: Timer | None = None

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self._showing.frames) - 1

    @property
    def is_moving(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer is not None

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield Header()
        yield Static(id="table")
        yield Static(id="told")
        yield Static(id="place")
        yield ProgressBar(total=max(1, self.last), show_eta=False, show_percentage=False)
        yield Footer()

    def on_mount(self) -> None:
        """Begin with the deal, and move if the showing says so."""
        self.sub_title = printable(self._showing.title)
        self._show()
        if self._showing.plays_itself:
            self._move()

    def action_pause(self) -> None:
        """Stop, or go on; from the end it begins anew."""
        if self.is_moving:
            self._stop()
            return
        if self.place == self.last:
            self.place = 0
            self._show()
        self._move()

    def action_step(self, change: int) -> None:
        """Go some moments forward or back.

        Args:
            change: How many, negative to go back.
        """
        self._go(self.place + change)

    def action_go_first(self) -> None:
        """Go to the deal."""
        self._go(0)

    def action_go_last(self) -> None:
        """Go to the end."""
        self._go(self.last)

    def action_faster(self) -> None:
        """Show each moment for a shorter time."""
        self._change_speed(_FASTER)

    def action_slower(self) -> None:
        """Show each moment for a longer time."""
        self._change_speed(1 / _FASTER)

    def _change_speed(self, factor: float) -> None:
        self._seconds = min(max(self._seconds * factor, _SHORTEST), _LONGEST)
        if self.is_moving:
            self._stop()
            self._move()
        self._show()

    def _go(self, place: int) -> None:
        self._stop()
        self.place = min(max(place, 0), self.last)
        self._show()

    def _move(self) -> None:
        self._timer = self.set_interval(self._seconds, self._advance)

    def _advance(self) -> None:
        self.place = min(self.place + 1, self.last)
        if self.place == self.last:
            self._stop()
        self._show()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _show(self) -> None:
        self._say("table", write_table(self._showing.frames[self.place].scene))
        self._say("told", self._showing.moments[self.place])
        speed = f"{self._seconds:.2g} s each" if self.is_moving else "paused"
        self._say("place", f"move {self.place} of {self.last}, {speed}")
        self.query_one(ProgressBar).update(progress=self.place)

    def _say(self, place: str, text: str) -> None:
        self.query_one(f"#{place}", Static).update(Text(printable(text, keep="\n")))
