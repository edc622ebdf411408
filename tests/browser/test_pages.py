"""The pages in a real browser: ``nox -s browser``, or ``pytest -n 0 tests/browser``.

It needs Selenium, Chromium and its driver (Debian: ``apt install chromium chromium-driver``), and
is skipped where one of them is missing.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ono99_env.play.offered_bots import OfferedBots
from tests.play.conftest import BOT, PERSON, Server, bots, server

webdriver = pytest.importorskip("selenium.webdriver", reason="Selenium is not installed")

from selenium.common.exceptions import WebDriverException  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

__all__ = ["bots", "server"]

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="there is no Chromium with its driver here"
)
PATIENCE = 60
LEGAL = '#cards button[aria-disabled="false"]'
OpenBrowser = Callable[..., Any]


@pytest.fixture
def open_browser() -> Iterator[OpenBrowser]:
    opened: list[Any] = []

    def open_one(width: int = 1280, height: int = 900, *words: str) -> Any:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", *words):
            options.add_argument(word)
        options.add_argument(f"--window-size={width},{height}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        opened.append(webdriver.Chrome(options=options, service=Service(DRIVER)))
        return opened[-1]

    yield open_one
    for browser in opened:
        browser.quit()


def until(fits: Callable[[], Any]) -> Any:
    """What a condition returns as soon as it holds; a page may change while it is looked at."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            found = fits()
        except WebDriverException:
            found = None
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")


def one(browser: Any, selector: str) -> Any:
    return browser.find_element(By.CSS_SELECTOR, selector)


def is_over(browser: Any) -> bool:
    return bool(one(browser, "#over").is_displayed())


def press_first_legal(browser: Any) -> bool:
    """Click a legal card, or the discard of four ONO 99; whether there was one."""
    try:
        cards = browser.find_elements(By.CSS_SELECTOR, LEGAL)
        button = cards[-1] if cards else one(browser, "#discard")
        if not button.is_displayed():
            return False
        button.click()
    except WebDriverException:  # the page has changed in the meantime
        return False
    return True


def play_to_the_end(*browsers: Any) -> None:
    end = time.monotonic() + 2 * PATIENCE
    while not is_over(browsers[0]):
        assert time.monotonic() < end, "the game did not end"
        for browser in browsers:
            press_first_legal(browser)


def complaints(browser: Any) -> list[str]:
    """Errors of scripts, and what the Content-Security-Policy has blocked."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def frames(browser: Any) -> list[str]:
    """The payload of every frame that the page's socket has received."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    received = [each for each in messages if each["method"] == "Network.webSocketFrameReceived"]
    return [each["params"]["response"]["payloadData"] for each in received]


def test_a_table_is_set_up_and_played_to_its_end_by_clicks(
    server: Server, open_browser: OpenBrowser
) -> None:
    browser = open_browser()
    browser.get(server.host)
    until(lambda: one(browser, "#setup").get_attribute("data-ready"))
    one(browser, "summary").click()
    one(browser, "[name=bot_seconds] option[value='0']").click()
    one(browser, "#players option[value='3']").click()
    one(browser, "button.main").click()
    until(lambda: one(browser, "#picture svg"))
    play_to_the_end(browser)
    assert "win" in one(browser, "#over h2").text
    one(browser, "#ask-review").click()
    until(lambda: one(browser, "#review p").text)
    browser.get(one(browser, "#replay").get_attribute("href"))
    until(lambda: one(browser, "#picture svg"))
    one(browser, "#forward").click()
    until(lambda: one(browser, "#where").text.startswith("Move 1 of"))
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    until(lambda: "win" in one(browser, "#told").text)
    assert complaints(browser) == []


def test_a_game_is_played_by_the_keyboard_only(server: Server, open_browser: OpenBrowser) -> None:
    browser = open_browser()
    browser.get(server.address + server.seat(PERSON, BOT, seed=3)[0])
    end = time.monotonic() + 2 * PATIENCE
    until(lambda: one(browser, "#picture svg"))
    while not is_over(browser):
        assert time.monotonic() < end
        version = server.table(browser.current_url).version
        legal = browser.execute_script(
            f"const c = document.querySelector('{LEGAL}'); return c && c.dataset.place"
        )
        body = browser.find_element(By.TAG_NAME, "body")
        if legal is not None:
            body.send_keys(str(int(legal) + 1))
        elif one(browser, "#discard").is_displayed():
            one(browser, "#discard").send_keys(Keys.ENTER)
        time.sleep(0.02 if server.table(browser.current_url).version > version else 0.1)
    assert complaints(browser) == []


def test_two_browsers_play_at_one_table_and_hear_no_hidden_card(
    server: Server, open_browser: OpenBrowser
) -> None:
    """A deck in which the other seat alone holds a Hold, whose word may not be in any frame."""
    deck = {"10": 30, "1": 8, "minus_ten": 20, "hold": 6}
    for seed in range(200):
        rules = {"deck": deck, "play_two_answers": ["reverse"], "format": "single_round"}
        links = server.seat(PERSON, PERSON, edition="1980", house_rules=rules, seed=seed)
        hands = server.table(links[0]).game.hands
        if "hold" in hands[1] and "hold" not in hands[0]:
            break
    browsers = [open_browser(), open_browser()]
    for browser, link in zip(browsers, links, strict=True):
        browser.get(server.address + link)
        until(lambda browser=browser: one(browser, "#picture svg"))
    play_to_the_end(*browsers)
    heard = [frame for frame in frames(browsers[0]) if '"state"' in frame]
    states = [json.loads(frame) for frame in heard]
    known = next(
        (
            number
            for number, state in enumerate(states)
            if "Hold" in " ".join(state["news"])
            or "hold" in [card["action"] for card in state["cards"]]
        ),
        len(states),
    )
    assert known > 0
    assert not any("hold" in frame.lower() for frame in heard[:known])


def test_a_reload_in_the_middle_comes_back_to_the_same_game(
    server: Server, open_browser: OpenBrowser
) -> None:
    browser = open_browser()
    browser.get(server.address + server.seat(PERSON, PERSON, seed=3)[0])
    until(lambda: one(browser, "#picture svg"))
    table = server.table(browser.current_url)
    if table.game.current_player == 0:
        until(lambda: press_first_legal(browser))
        until(lambda: table.version == 1)
    before = until(lambda: one(browser, "#prompt").text)
    hand = one(browser, "#picture desc").get_attribute("textContent")
    browser.refresh()
    until(lambda: one(browser, "#prompt").text == before)
    assert one(browser, "#picture desc").get_attribute("textContent") == hand


def test_a_draw_is_missed_by_the_clock(server: Server, open_browser: OpenBrowser) -> None:
    for is_in_time in (False, True):
        link = server.seat(
            PERSON, BOT, edition="1980", seed=1, draw_seconds=30 if is_in_time else 0.5
        )[0]
        browser = open_browser()
        browser.get(server.address + link)
        until(lambda browser=browser: press_first_legal(browser))
        if is_in_time:
            until(lambda browser=browser: one(browser, "#draw").is_displayed())
            browser.find_element(By.TAG_NAME, "body").send_keys("d")
        until(lambda browser=browser: not one(browser, "#draw").is_displayed())
        table = server.table(link)
        until(lambda table=table: table.due_draw is None and table.version > 0)
        assert len(table.game.hands[0]) == (4 if is_in_time else 3)


def test_pages_fit_a_phone_and_load_quickly(server: Server, open_browser: OpenBrowser) -> None:
    browser = open_browser()
    size = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    for address in (server.host, server.address + server.seat(seed=5)[0]):
        browser.get(address)
        until(lambda: one(browser, "#picture svg, #setup[data-ready]"))
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= size["width"]
        loaded = browser.execute_script(
            "return performance.getEntriesByType('navigation')[0].loadEventEnd"
        )
        assert loaded < 2000
    until(lambda: browser.find_elements(By.CSS_SELECTOR, LEGAL))
    card = one(browser, LEGAL).size
    assert min(card.values()) >= 44  # what a finger can hit


def test_a_screen_reader_is_told_everything(server: Server, open_browser: OpenBrowser) -> None:
    browser = open_browser()
    browser.get(server.address + server.seat(seed=5)[0])
    until(lambda: browser.find_elements(By.CSS_SELECTOR, LEGAL))
    assert one(browser, "#prompt").get_attribute("aria-live") == "assertive"
    assert one(browser, "#news").get_attribute("aria-live") == "polite"
    assert one(browser, "#picture svg").get_attribute("role") == "img"
    names = [
        card.get_attribute("aria-label")
        for card in browser.find_elements(By.CSS_SELECTOR, "#cards button")
    ]
    assert all(name.startswith("Play ") or ": " in name for name in names)
    barred = one(browser, '#cards button[aria-disabled="true"]')
    barred.click()
    assert "R11" in one(browser, "#refusal").text
    unnamed = browser.execute_script(
        "return [...document.querySelectorAll('button, select, input, a')].filter((each) => "
        "!each.closest('[hidden]') && !(each.ariaLabel || each.textContent || each.labels?.length))"
        ".map((each) => each.outerHTML)"
    )
    assert unnamed == []


def test_motion_can_be_switched_off(server: Server, open_browser: OpenBrowser) -> None:
    moving = "return document.documentElement.dataset.motion"
    link = server.seat(seed=5)[0]
    browser = open_browser()
    browser.get(server.address + link)
    assert browser.execute_script(moving) == "on"
    one(browser, "#motion").click()
    assert browser.execute_script(moving) == "off"
    browser.refresh()
    assert browser.execute_script(moving) == "off"
    calm = open_browser(1280, 900, "--force-prefers-reduced-motion")
    calm.get(server.host)
    assert calm.execute_script(moving) == "off"


def test_a_name_with_markup_is_shown_as_text(server: Server, open_browser: OpenBrowser) -> None:
    browser = open_browser()
    name = "<img src=x onerror=x>"
    browser.get(server.address + server.seat({"name": name}, BOT, seed=1)[0])
    until(lambda: press_first_legal(browser))
    until(lambda: name in one(browser, "#news").text)
    assert not browser.find_elements(By.CSS_SELECTOR, "#news img, #picture img")
    assert complaints(browser) == []


def test_the_files_of_the_pages_are_all_there(server: Server, bots: OfferedBots) -> None:
    pages = Path(__file__).parents[2] / "ono99_env" / "play" / "pages"
    assert {path.suffix for path in pages.iterdir()} == {".html", ".js", ".css", ".svg"}
