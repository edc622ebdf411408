"""The picture: it is SVG, nothing leaves its place, and it says what it has to say."""

import random
import re
from xml.etree import ElementTree

import pytest

from ono99_env import Action, Game, Rules
from ono99_env.drawing import draw_table
from ono99_env.drawing.arrangement import BOTTOM, HEIGHT, WIDTH, Area, arrange
from ono99_env.drawing.card_faces import Place, draw_card
from ono99_env.drawing.glyphs import fit, glyphs, text_width
from ono99_env.drawing.themes import KIND_COLOURS
from ono99_env.rules.cards import Card
from tests.positions import position
from tests.random_games import positions

SVG = "{http://www.w3.org/2000/svg}"
LONG = [
    "W" * 60,
    "",
    "\N{CJK UNIFIED IDEOGRAPH-592A}" * 30,
    "<b>&amp;\"'",
    "x\x1b[0m",
    "é",
    "1",
    "g",
]


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def test_every_position_is_drawn_as_well_formed_svg_from_any_seat() -> None:
    for rng, game in positions(80, 150):
        watcher = rng.choice([*range(game.num_players), "all"])
        names = LONG[: game.num_players]
        root = parsed(draw_table(game.scene(watcher, names), rng.choice(["light", "dark"])))
        ids = {each.get("id") for each in root.iter(f"{SVG}path")}
        assert {each.get("href")[1:] for each in root.iter(f"{SVG}use")} <= ids
        seats = [each for each in root.iter(f"{SVG}g") if each.get("class") == "seat"]
        assert sorted(int(each.get("data-seat")) for each in seats) == [*range(game.num_players)]


def test_open_cards_can_be_found_in_the_picture() -> None:
    for _, game in positions(81, 60):
        root = parsed(draw_table(game.scene()))
        for seat in root.iter(f"{SVG}g"):
            if seat.get("class") == "seat":
                cards = [
                    each.get("data-card")
                    for each in seat.iter(f"{SVG}g")
                    if each.get("class") == "card"
                ]
                assert tuple(cards) == game.hands[int(seat.get("data-seat"))]


@pytest.mark.parametrize("players", range(2, 9))
def test_seats_and_middle_do_not_overlap_and_stay_in_the_picture(players: int) -> None:
    places = arrange(players)
    areas = [*places.others, places.center, BOTTOM]
    assert len(places.others) == players - 1
    for index, area in enumerate(areas):
        assert area.x >= 0
        assert area.y >= 0
        assert area.right <= WIDTH
        assert area.bottom <= HEIGHT
        assert not any(_overlap(area, other) for other in areas[:index])


def _overlap(first: Area, second: Area) -> bool:
    beside = first.right <= second.x or second.right <= first.x
    return not (beside or first.bottom <= second.y or second.bottom <= first.y)


@pytest.mark.parametrize("text", [*LONG, "player_0", "Bartholomew the Magnificent"])
@pytest.mark.parametrize("width", [40, 120, 400])
def test_a_text_fits_into_its_width(text: str, width: float) -> None:
    label = fit(text, 29, width)
    assert text_width(label.text, label.size) <= width + 0.1
    assert label.text.isprintable()


def test_faces_differ_in_shape_and_not_only_in_colour() -> None:
    for width in (50, 160):
        faces = {draw_card(card.label, Place(0, 0, width)) for card in Card}
        shapes = {re.sub(r"#[0-9a-f]{6}", "", face) for face in faces}
        assert len(shapes) == len(Card)
    assert len(set(KIND_COLOURS.values())) == 5


def test_what_a_table_has_to_say_is_drawn() -> None:
    rules = Rules(num_players=3)
    hands = ["play_two 1 2 3"] + ["0 1 2 3"] * 2
    game = Game.from_snapshot(position(rules, hands, total=50))
    clockwise = draw_table(game.scene())
    game.play(Action.PLAY_TWO)
    told = parsed(draw_table(game.scene())).find(f"{SVG}desc").text
    assert "must play two" in told
    assert "player_0: 1 2 3" in told
    assert "played Play Two" in told
    turned = Game.from_snapshot(position(rules, hands, total=50, direction=-1))
    assert arrows(draw_table(turned.scene())) != arrows(clockwise)


def arrows(svg: str) -> str:
    group = next(each for each in parsed(svg).iter(f"{SVG}g") if each.get("class") == "direction")
    return ElementTree.tostring(group, encoding="unicode")


def test_the_winner_is_marked() -> None:
    rng = random.Random(3)
    game = Game(Rules(num_players=4), seed=3)
    while not game.is_over:
        assert 'class="outcome"' not in draw_table(game.scene())
        game.play(rng.choice(game.legal_actions()))
    assert 'class="outcome"' in draw_table(game.scene())
    assert "wins" in parsed(draw_table(game.scene())).find(f"{SVG}title").text


def test_cards_that_may_not_be_played_are_dimmed_for_the_seat_to_act_only() -> None:
    game = Game.from_snapshot(position(Rules(num_players=2), ["0 9 10 ono99", "1 1 1 1"], total=97))
    dimmed = [
        each.get("data-card")
        for each in parsed(draw_table(game.scene(0))).iter(f"{SVG}g")
        if each.get("opacity") == "0.4"
    ]
    assert dimmed == ["9", "10", "ono99"]
    assert 'opacity="0.4"' not in draw_table(game.scene(1))


@pytest.mark.parametrize(("theme", "width"), [("blue", None), ("light", 0)])
def test_themes_and_widths_that_do_not_exist_are_refused(theme: str, width: int | None) -> None:
    with pytest.raises(ValueError, match=r"theme must be one of light, dark|width must be"):
        draw_table(Game().scene(), theme, width)


def test_the_outlines_hold_all_that_the_package_writes() -> None:
    letters = {character for card in Card for character in card.label.upper()}
    assert letters | set("player_0 pts left of WINS OUT 0123456789") <= set(glyphs("bold"))
    assert set("0123456789") <= set(glyphs("heavy"))
