"""What happened at a table, in sentences that everybody may hear."""

from ono99_env.drawing.scene import Scene, ScenePlay


def tell_play(before: Scene, after: Scene, play: ScenePlay, missed_draw: bool) -> str:
    """Tell a play and what followed from it.

    Only what is public is read of the scenes: totals, standings, chips, points and the round.

    Args:
        before: The table before the play, through any eyes.
        after: The table after it.
        play: The play.
        missed_draw: Whether the player missed the draw (R20).
    """
    who = before.seats[play.seat].name
    told = [f"{who} {play.words}."]
    if after.round_number == before.round_number:
        told.append(f"Total {after.total}.")
    if missed_draw:
        told.append(f"{who} missed the draw.")
    told += _standings(before, after)
    if after.direction != before.direction and after.round_number == before.round_number:
        told.append("Clockwise again." if after.direction == 1 else "Counter-clockwise now.")
    if after.round_number != before.round_number:
        told.append(f"Round {after.round_number} begins.")
    if after.is_over:
        told.append(f"{after.outcome}.")
    return " ".join(told)


def _standings(before: Scene, after: Scene) -> list[str]:
    """Tell who has gone out and who has lost a chip or scored."""
    told = []
    for old, new in zip(before.seats, after.seats, strict=True):
        if old.standing == "playing" and new.standing.startswith("out"):
            told.append(f"{new.name} is {new.standing.replace('out of the round', 'out')}.")
        if old.chips is not None and new.chips is not None and new.chips < old.chips:
            told.append(f"{new.name} loses a chip.")
        if old.points is not None and new.points is not None and new.points > old.points:
            told.append(f"{new.name} scores {new.points - old.points}.")
    return told
