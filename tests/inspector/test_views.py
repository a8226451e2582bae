"""Each view shows what it is for, in light and dark, on a phone, by the keyboard, and asks nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.server.conftest import Running

from .conftest import PHONE, VIEWS, WIDE, Look, looking

FAINT = (Path(__file__).parent / "faint.js").read_text(encoding="utf-8")
"""What can hardly be read, as text on its ground."""


@pytest.fixture
def look(browser: Browser, story: Running) -> Iterator[Look]:
    with looking(browser, story) as look:
        yield look
        expect(look.page.locator(".toast.problem")).to_have_count(0, timeout=1)
        assert look.problems == []
        assert look.foreign() == []


def test_now_shows_facts_by_subject_and_category(look: Look) -> None:
    row = look.page.locator("article.fact", has_text="lives in Porto")
    expect(row).to_be_visible()
    expect(row).to_contain_text("user · since 1 May 2025")
    expect(look.page.locator(".group").first).to_contain_text(re.compile("^Ana"))
    expect(look.page.locator(".gutter", has_text="home")).to_be_visible()
    expect(look.page.locator("article.fact", has_text="peanuts").locator(".pinned")).to_be_visible()
    expect(look.page.locator("article.fact", has_text="Braga").locator(".disputed")).to_be_visible()


def test_search_as_you_type_shows_the_reasons_of_each_hit(look: Look) -> None:
    look.page.locator("#search").press_sequentially("where do I live", delay=15)
    expect(look.page.locator("#main .head")).to_contain_text("for “where do I live”")
    first = look.page.locator(".hit").first
    expect(first).to_contain_text("Porto")
    for reason in ("attribute", "words"):
        expect(first.locator(".reason em", has_text=reason)).to_be_visible()
    widths = first.locator(".reason u").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().width)")
    assert widths[0] > 10


def test_a_search_for_nothing_relevant_says_so(look: Look) -> None:
    look.page.fill("#search", "quantum chromodynamics")
    expect(look.page.locator(".hits .nothing")).to_be_visible()


def test_a_fact_opens_with_its_words_its_history_and_its_changes(look: Look) -> None:
    look.page.locator("article.fact", has_text="lives in Porto").click()
    drawer = look.page.locator("#drawer")
    expect(drawer.locator("blockquote mark")).to_have_text("I moved to Porto in May 2025")
    expect(drawer.locator(".lineage .plain")).to_have_text(["Rome", "Lisbon", "Porto", "Braga"])
    expect(drawer.locator(".log")).to_contain_text("stored")
    look.page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


def test_time_draws_a_bar_for_each_value(look: Look) -> None:
    look.go("time")
    home = look.page.locator(".life", has_text="home").first
    expect(home.locator(".bar")).to_have_text(["Rome", "Lisbon", "Porto", "Braga"])
    expect(home.locator(".bar.holds")).to_have_text(["Porto", "Braga"])
    expect(home.locator(".bar.disputed")).to_have_text("Braga")
    rome, lisbon = home.locator(".bar").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect())")[:2]
    assert rome["right"] <= lisbon["left"] + 2


@pytest.mark.parametrize(("clock", "then"), [("True then", "lives in Rome"), ("Believed then", "Nothing was known")])
def test_the_slider_asks_for_any_moment_on_either_clock(look: Look, clock: str, then: str) -> None:
    look.go("time")
    look.page.get_by_text(clock, exact=True).click()
    look.page.locator(".slide input").evaluate("it => { it.value = 1; it.dispatchEvent(new Event('input')) }")
    if clock == "True then":
        expect(look.page.locator(".life", has_text="home").first.locator(".bar.holds", has_text="Rome")).to_be_visible()
    expect(look.page.locator("#moment")).to_be_visible()
    look.page.keyboard.press("1")
    expect(look.page.locator("#main")).to_contain_text(then)
    look.page.locator("#moment").click()
    expect(look.page.locator("#main")).to_contain_text("lives in Porto")


def test_a_view_that_was_left_before_its_answer_changes_nothing(look: Look) -> None:
    held: list[Route] = []
    look.page.route("**/lines?*", lambda route: held.append(route))
    with look.page.expect_request("**/lines?*"):
        look.page.evaluate("location.hash = '#/time'")
    look.go("disputes")
    with look.page.expect_response("**/lines?*"):
        held[0].continue_()
    look.page.evaluate("new Promise(requestAnimationFrame)")
    expect(look.page.locator("#main")).to_have_attribute("data-ready", "disputes")
    expect(look.page.locator(".dispute").first).to_be_visible()


def test_graph_shows_subjects_and_the_facts_between_them(look: Look) -> None:
    look.go("graph")
    for subject in ("Ana", "sister", "Acme", "Siemens"):
        expect(look.page.locator(".node text:not(.count)").get_by_text(subject, exact=True)).to_be_attached()
    look.page.locator(".node", has_text="sister").click()
    expect(look.page.locator(".side")).to_contain_text("sister lives in Vienna")


def test_graph_goes_back_in_time_with_the_slider(look: Look) -> None:
    look.go("graph")
    look.page.locator(".slide input").evaluate("it => { it.value = 40; it.dispatchEvent(new Event('input')) }")
    expect(look.page.locator(".node", has_text="Helios")).to_be_visible()
    expect(look.page.locator(".node", has_text="Acme")).to_have_count(0)


def test_conversations_mark_the_words_that_became_facts(look: Look) -> None:
    look.go("talks/the%20move")
    mark = look.page.locator(".said mark")
    expect(mark).to_have_text("I moved to Lisbon in May 2023")
    mark.click()
    expect(look.page.locator("#drawer h2")).to_have_text("lives in Lisbon")


def test_conversations_tell_what_was_refused_and_why(look: Look) -> None:
    look.go("talks/trip")
    refused = look.page.locator(".refused")
    expect(refused).to_contain_text("password is [removed secret]")
    expect(refused).to_contain_text("a secret was taken out of it")
    assert "hunter2" not in look.page.content()


def test_earlier_words_come_page_by_page(look: Look) -> None:
    look.go("talks/brochure")
    expect(look.page.locator(".said")).to_have_count(48)
    expect(look.page.locator(".said").first).to_contain_text("Draft 1 ")


def test_prompt_shows_the_block_and_what_it_costs(look: Look) -> None:
    look.go("prompt")
    look.page.fill("textarea", "book me a flight to see my sister")
    expect(look.page.locator(".block").nth(1)).to_contain_text("sister lives in Vienna")
    expect(look.page.locator(".block").first).to_contain_text("peanuts")
    small, whole = (int(one.replace(",", "")) for one in look.page.locator(".gauge b").all_text_contents())
    assert 0 < small < whole / 3


def test_a_smaller_budget_leaves_something_out_and_says_what(look: Look) -> None:
    look.go("prompt")
    look.page.fill("textarea", "what changed in the drafts of the brochure?")
    look.page.locator(".budget input").evaluate("it => { it.value = 110; it.dispatchEvent(new Event('input')) }")
    expect(look.page.locator(".leftout li").first).to_contain_text("score")
    expect(look.page.locator(".budget output")).to_have_text("560 tokens")


def test_prompt_says_why_something_is_not_there(look: Look) -> None:
    look.go("prompt")
    look.page.fill("textarea", "what should I cook tonight?")
    look.page.get_by_label("What is missing").fill("budget")
    look.page.get_by_role("button", name="Why not").click()
    expect(look.page.locator(".because")).to_contain_text("was not returned")


def test_disputes_show_both_sides_and_what_waits(look: Look) -> None:
    look.go("disputes")
    expect(look.page.locator(".dispute").first).to_contain_text("lives in Braga")
    expect(look.page.locator(".dispute").first).to_contain_text("lives in Porto")
    expect(look.page.locator(".wait", has_text="editor is Helix")).to_be_visible()
    expect(look.page.locator("#waiting")).to_have_text("1")


def test_live_lists_changes_and_listens(look: Look) -> None:
    look.go("live")
    expect(look.page.locator(".state.open")).to_be_visible()
    expect(look.page.locator(".feed li").first).to_contain_text("Short answers")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_fits_a_phone(browser: Browser, story: Running, view: str) -> None:
    with looking(browser, story, viewport=PHONE, has_touch=True) as look:
        look.go(view)
        sizes = look.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert sizes[0] <= sizes[1]
        expect(look.page.locator(".rail a")).to_have_count(7)
        expect(look.page.locator(".rail a[aria-current=page]")).to_be_in_viewport()
        assert look.problems == []


def test_a_fact_can_be_worked_on_with_a_thumb(browser: Browser, story: Running) -> None:
    with looking(browser, story, viewport=PHONE, has_touch=True) as look:
        look.page.locator("article.fact", has_text="lives in Porto").tap()
        expect(look.page.locator("#drawer .choice", has_text="Correct")).to_be_in_viewport()
        tops = "choices => new Set(choices.map(choice => choice.getBoundingClientRect().top)).size"
        assert look.page.locator("#drawer .choice").evaluate_all(tops) == 1


def test_a_phone_shows_what_a_wide_screen_shows_of_a_fact(browser: Browser, story: Running) -> None:
    with looking(browser, story, viewport=PHONE) as look:
        row = look.page.locator("article.fact", has_text="lives in Porto")
        expect(row.locator(".when")).to_have_text("home · user · since 1 May 2025")
        expect(row.locator(".when")).to_be_visible()
        expect(row.locator(".meter")).to_be_visible()
        look.page.set_viewport_size(WIDE)
        expect(row.locator(".kind-of")).to_be_hidden()
        expect(row).to_have_css("height", "46px")


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_names_in_the_graph_are_as_large_on_a_phone(browser: Browser, story: Running, screen: Any) -> None:
    with looking(browser, story, viewport=screen) as look:
        look.go("graph")
        heights = "names => names.map(name => name.getBoundingClientRect().height)"
        assert min(look.page.locator(".node text:not(.count)").evaluate_all(heights)) >= 12
        inside = """nodes => nodes.every(node => {
            const [one, box] = [node, node.ownerSVGElement].map(it => it.getBoundingClientRect())
            return one.left >= box.left && one.right <= box.right && one.top >= box.top && one.bottom <= box.bottom
        })"""
        assert look.page.locator(".node").evaluate_all(inside)


def test_light_and_dark_follow_the_system_and_the_button(browser: Browser, story: Running) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    with looking(browser, story, color_scheme="dark") as look:
        dark = look.page.evaluate(paper)
        look.page.locator("#theme").click()
        light = look.page.evaluate(paper)
        look.page.locator("#theme").click()
        assert look.page.evaluate(paper) == dark != light


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_can_be_read(browser: Browser, story: Running, scheme: str) -> None:
    with looking(browser, story, color_scheme=scheme, reduced_motion="reduce") as look:
        for view in VIEWS:
            look.go(view)
            assert look.page.evaluate(FAINT) == [], view
        look.go("now")
        look.page.locator("article.fact", has_text="lives in Porto").click()
        expect(look.page.locator("#drawer .log")).to_be_visible()
        assert look.page.evaluate(FAINT) == []
        look.page.fill("#search", "where do I live?")
        expect(look.page.locator(".hit").first).to_be_visible()
        assert look.page.evaluate(FAINT) == []


@pytest.mark.parametrize("view", VIEWS)
def test_everything_that_can_be_used_has_a_name_and_a_place_in_the_tab_order(look: Look, view: str) -> None:
    look.go(view)
    nameless = look.page.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select, textarea, [role=button]')]
        .filter(one => one.checkVisibility() && one.tabIndex >= 0)
        .filter(one => !(one.getAttribute('aria-label') || one.labels?.length || one.textContent.trim() || one.title))
        .map(one => one.outerHTML)"""
    )
    assert nameless == []


def test_the_page_works_by_keyboard_alone(look: Look) -> None:
    press = look.page.keyboard.press
    for number, view in enumerate(VIEWS, 1):
        press(str(number))
        look.ready(view)
        look.page.evaluate("document.activeElement.blur()")
    press("1")
    look.ready("now")
    press("/")
    look.page.keyboard.type("peanuts")
    expect(look.page.locator(".hit").first).to_contain_text("peanuts")
    press("Escape")
    expect(look.page.locator("article.fact").first).to_be_visible()
    press("j")
    press("j")
    press("Enter")
    expect(look.page.locator("#drawer h2")).to_be_visible()
    press("Escape")
    press("?")
    expect(look.page.locator("#keys")).to_contain_text("undo what this tab did last")
