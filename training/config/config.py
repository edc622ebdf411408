"""The config of a training run: one validated model, read from YAML and the command line.

The line under each field is its documentation; ``python -m training.train --help`` shows it.
"""

from collections.abc import Collection
from itertools import product
from typing import Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    model_validator,
)

from ono99_env import Rules
from ono99_env.bots import load_bot_of_file
from ono99_env.bots.foreign import check_bot
from ono99_env.messages.fields import FieldsError
from ono99_env.observation.layout import FEATURES
from ono99_env.rules.rules import Format
from training.config.field_checks import (
    allowed_names,
    check_bot_file_name,
    check_bot_names,
    check_bot_weights,
    check_device_name,
    check_run_name,
    check_seat_field,
    resolve_rules_field,
    sort_features,
)

Positive = Annotated[int, Field(ge=1)]
NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
AboveZero = Annotated[float, Field(gt=0)]
PlayerCount = Annotated[int, Field(ge=2, le=8)]
NumberFormat = Literal["auto", "float32", "bfloat16"]
Opponents = Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(check_bot_names)]


BotWeights = Annotated[dict[str, NotNegative], AfterValidator(check_bot_weights)]


class Part(BaseModel):
    """A part of a config: every field is checked, and documented by the line under it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, use_attribute_docstrings=True
    )


class PpoConfig(Part):
    """How PPO learns from the decisions it has collected."""

    n_steps: Positive = 32
    """Decisions collected at each table before an update."""
    batch_size: Positive = 4096
    """Decisions in one gradient step."""
    n_epochs: Positive = 4
    """How often an update goes over the decisions collected."""
    learning_rate: AboveZero = 1e-3
    """Step size of Adam at the start."""
    final_learning_rate: NotNegative | None = None
    """Step size at the end, reached linearly; null keeps it constant."""
    gamma: Share = 1.0
    """Discount of a reward for each decision that it lies ahead."""
    gae_lambda: Share = 0.95
    """How far advantages look ahead: 0 trusts the value estimates, 1 only the games' results."""
    clip_range: AboveZero = 0.2
    """How far an update may move the probability of an action, as a share of it."""
    ent_coef: NotNegative = 0.003
    """Weight of the entropy bonus, which keeps the policy exploring."""
    vf_coef: NotNegative = 0.5
    """Weight of the error of the value estimates."""
    max_grad_norm: AboveZero = 0.5
    """Longer gradients are shortened to this norm."""
    target_kl: AboveZero | None = None
    """An update stops early when the policy has moved this far (KL divergence); null never."""


class EvaluationConfig(Part):
    """How the bot is measured: one seat for it, copies of one opponent in the others."""

    opponents: Opponents = ("random", "highest")
    """The bots to play against, one after the other."""
    num_players: tuple[PlayerCount, ...] = ()
    """Player counts to play at; [] for all that the bot is trained for."""
    games: Positive = 20_000
    """Games of the finished bot against each opponent at each player count, at least."""
    decisions_between: Positive = 500_000
    """Decisions after which the policy is measured while it trains; the best is kept."""
    games_between: Positive = 2000
    """Games against each opponent at each player count in a measurement while it trains."""
    seed: Annotated[int, Field(ge=0)] = 1
    """Start of the randomness of the deals."""


class SelfPlayConfig(Part):
    """Who holds the seats of a game: each is drawn by weight, and one is always the learner's."""

    learner: AboveZero = 0.8
    """Weight of the learner: every decision of every seat that it holds is trained on."""
    snapshots: NotNegative = 0.1
    """Weight of past states of the learner; until there is one, the learner plays instead."""
    bots: BotWeights = {"highest": 0.1}
    """Weight of each bot, by its name or file."""
    decisions_between_snapshots: Positive = 2_000_000
    """Decisions after which another snapshot joins the pool."""
    max_snapshots: Annotated[int, Field(ge=1, le=64)] = 16
    """Size of the pool; when it is full, the snapshot that is beaten most makes room."""
    snapshots_at_once: Positive = 2
    """How many of them the games dealt in one rollout meet; more cost time."""
    pfsp_power: NotNegative = 2.0
    """A snapshot beaten with probability p is met with weight (1 - p) to this power."""


class Config(Part):
    """A training run."""

    # Fields come from files: a bot that runs code is refused unless the context of the validation
    # allows its name, as in model_validate(fields, context=allowing(names)).

    name: Annotated[str, AfterValidator(check_run_name)] | None = None
    """Folder under runs/; null for the name of the config file and the time."""
    rules: Annotated[str | dict[str, Any], BeforeValidator(resolve_rules_field)] = "2022"
    """Edition ("2022", "1980"), path of a YAML file of rules, or a mapping of their fields."""
    num_players: Annotated[tuple[PlayerCount, ...], Field(min_length=1)] = (2, 4)
    """Player counts, one drawn for each game; name one twice to play it more often."""
    opponents: Opponents = ("highest", "random")
    """Bots in the other seats, each drawn; name one twice to meet it more often. See self_play."""
    formats: tuple[Format, ...] = ()
    """Match formats, each for a part of the tables; name one twice for two. Needs self_play."""
    seat: Annotated[int | Literal["random"], BeforeValidator(check_seat_field)] = "random"
    """The learner's seat, or "random" to draw it for each game."""
    features: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(sort_features)] = (
        tuple(FEATURES)
    )
    """Parts of the observation that the networks read; the default is all of them."""
    net_arch: tuple[Positive, ...] = (128, 128)
    """Units of each hidden layer, of the policy network and of the value network alike."""
    init_from: Annotated[str | None, AfterValidator(check_bot_file_name)] = None
    """Bot file whose networks the training starts from; null for new ones."""
    total_decisions: Positive = 2_000_000
    """Decisions of the learner to train on, rounded up to whole updates."""
    num_envs: Positive = 1024
    """Tables that run side by side."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    """Start of randomness; on the CPU, seed, threads and number format determine the bot."""
    checkpoint_seconds: NotNegative = 60.0
    """Seconds from one checkpoint to the next; 0 saves after every update."""
    num_threads: Positive = 1
    """CPU threads of PyTorch; more threads than idle cores make it many times slower."""
    device: Annotated[str, AfterValidator(check_device_name)] = "auto"
    """Where the networks are: "cpu", "cuda", or "auto" for a GPU if there is one."""
    self_play: SelfPlayConfig | None = None
    """Let the learner hold several seats of a game; null for one seat against `opponents`."""
    number_format: NumberFormat = "auto"
    """Numbers in the hidden layers; auto takes the faster here. bfloat16 is for self_play only."""
    ppo: PpoConfig = PpoConfig()
    """How PPO learns from the decisions it has collected."""
    evaluation: EvaluationConfig = EvaluationConfig()
    """How the finished bot is measured."""

    def rules_for(self, num_players: int, match_format: str | None = None) -> Rules:
        """Return the rules of the run at one player count.

        Args:
            num_players: The player count.
            match_format: One of `formats`; default: that of the rules.
        """
        fields = cast("dict[str, Any]", self.rules)  # the validator leaves nothing else
        chosen = {} if match_format is None else {"format": match_format}
        return Rules.of_fields({**fields, **chosen, "num_players": num_players})

    @property
    def rules_of_formats(self) -> list[Rules]:
        """The rules with each format to play, at the largest player count."""
        formats = dict.fromkeys(self.formats or (None,))
        return [self.rules_for(max(self.num_players), each) for each in formats]

    @property
    def rules_of_tables(self) -> list[Rules]:
        """The rules of each equal part of the tables; a format may have several parts."""
        return [self.rules_for(max(self.num_players), each) for each in self.formats or (None,)]

    @property
    def evaluated_counts(self) -> tuple[int, ...]:
        """The player counts at which the bot is measured."""
        return tuple(dict.fromkeys(self.evaluation.num_players or self.num_players))

    @property
    def evaluated_tables(self) -> list[Rules]:
        """The rules with each format and player count at which the bot is measured."""
        return [
            rules.with_players(count)
            for rules in self.rules_of_formats
            for count in self.evaluated_counts
        ]

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of all bots in it."""
        held = () if self.self_play is None else tuple(self.self_play.bots)
        return tuple(dict.fromkeys([*self.opponents, *held, *self.evaluation.opponents]))

    @model_validator(mode="after")
    def _check_together(self, info: ValidationInfo) -> Self:
        self._check_player_counts()
        self._check_self_play_only()
        self._check_sizes()
        self._check_bots(allowed_names(info))
        return self

    def _check_player_counts(self) -> None:
        untrained = sorted(set(self.evaluated_counts) - set(self.num_players))
        if untrained:
            raise FieldsError(
                "evaluation.num_players",
                f"{untrained} are not among the player counts trained for, "
                f"{list(self.num_players)} (num_players)",
                others=["num_players"],
            )
        fewest = min(self.num_players)
        if self.seat != "random" and self.seat >= fewest:
            raise FieldsError(
                "seat",
                f"must be 'random' or from 0 to {fewest - 1}, not {self.seat}, since {fewest} "
                "players are the fewest (num_players)",
                others=["num_players"],
            )

    def _check_self_play_only(self) -> None:
        if self.self_play is not None:
            return
        if self.number_format == "bfloat16":
            reason = "plain training is done in float32; set self_play too"
            raise FieldsError("number_format", reason, others=["self_play"])
        if self.formats:
            reason = "plain training plays that of the rules; set self_play too"
            raise FieldsError("formats", reason, others=["self_play"])

    def _check_sizes(self) -> None:
        if len(self.formats) > self.num_envs:
            reason = f"{len(self.formats)} parts of {self.num_envs} tables (num_envs)"
            raise FieldsError("formats", reason, others=["num_envs"])
        decisions = self.num_envs * self.ppo.n_steps
        if self.ppo.batch_size > decisions:
            raise FieldsError(
                "ppo.batch_size",
                f"{self.ppo.batch_size} is more than the {decisions} decisions of an update "
                "(num_envs times ppo.n_steps)",
                others=["num_envs", "ppo.n_steps"],
            )

    def _check_bots(self, allow_code: Collection[str]) -> None:
        """Refuse bots that cannot play at all tables where they are to."""
        if self.self_play is None:
            self._check_tables("opponents", "num_players", self.opponents, allow_code)
        else:
            bots = tuple(self.self_play.bots)
            self._check_tables("self_play.bots", "num_players", bots, allow_code)
        counts = "evaluation.num_players" if self.evaluation.num_players else "num_players"
        opponents = self.evaluation.opponents
        self._check_tables("evaluation.opponents", counts, opponents, allow_code)

    def _check_tables(
        self, field: str, counts: str, bots: tuple[str, ...], allow_code: Collection[str]
    ) -> None:
        """Refuse a player count that the rules or a bot cannot play.

        Args:
            field: The field that names the bots.
            counts: The field with the player counts.
            bots: The names of the bots.
            allow_code: The names of bots that may run code.
        """
        is_measured = counts == "evaluation.num_players"
        played = self.evaluated_counts if is_measured else self.num_players
        tables = self._tables_with(played, counts)
        for name, rules in product(dict.fromkeys(bots), tables):
            try:
                check_bot(load_bot_of_file(name, allow_code), rules)
            except ValueError as error:
                raise FieldsError(field, f"{name!r}: {error}", others=[counts]) from error

    def _tables_with(self, counts: tuple[int, ...], field: str) -> list[Rules]:
        """Return the rules with each format and player count, which a field names."""
        try:
            return [rules.with_players(n) for n in counts for rules in self.rules_of_formats]
        except ValueError as error:
            wrong, _, reason = str(error).partition(": ")
            if wrong != "num_players":
                raise
            raise FieldsError(field, reason, others=["rules"]) from error
