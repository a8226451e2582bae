"""The same told in other words: active or passive, with a verb or a noun, in part; and what only looks the same."""

from __future__ import annotations

import pytest

from recollect.gist import root, shape_of

from .stories import told


@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [
        ("We keep backups for 14 days.", "Backups are kept for 30 days now.", "user | keeps backups for | 30 days"),
        ("Logs are kept for 14 days.", "We keep logs for 30 days now.", "logs | is kept for | 30 days"),
        ("We keep logs for 14 days.", "Log retention is 90 days now.", "user | keeps logs for | 90 days"),
        ("We deploy on Thursdays.", "Deploy day has moved to Mondays.", "user | deploys | Mondays"),
        ("The gateway throttles clients at 200 requests per minute.",
         "We've raised the gateway's throttle to 350 requests per minute.",
         "gateway | throttles clients at | 350 requests per minute"),
        ("Our budget for ads is 800 dollars a month.", "Ad budget got cut to 500 dollars a month.",
         "user | ads budget | 500 dollars a month"),
        ("The sprint length is two weeks.", "Our sprints are three weeks long now.",
         "sprint | length | three weeks long"),
        ("We pay 1,200 euros a month for the office.", "Our office rent is 1,350 euros a month now.",
         "office | costs | 1,350 euros a month"),
        ("We buy our flour from Bärlin.", "Our flour comes from Kornhof now.", "user | flour supplier | Kornhof"),
        ("Node version for the dashboard is 18.", "The dashboard is running Node 22 now.",
         "dashboard | node version | 22"),
        ("Invoices are paid within 30 days.", "We pay invoices within 14 days now.",
         "invoices | is paid within | 14 days"),
        ("Log level in prod is info.", "I set the prod log level to warn.", "prod | log level | warn"),
        ("The vendor for laptops is Dell.", "We get our laptops from Lenovo now.", "laptops | vendor | Lenovo"),
        ("The CI takes 25 minutes.", "CI is down to 14 minutes.", "CI | takes | 14 minutes"),
        ("Our bundler is Webpack.", "We ripped out Webpack and put in Rspack.", "user | bundler | Rspack"),
        ("We're on React 17.", "Finished the upgrade, we're on React 19.", "user | uses | React 19"),
        ("The mailer's log level is debug.", "The mailer's log level is warning now.", "mailer | log level | warning"),
        ("The product is called Lumen.", "We renamed the product, it's Halo now.", "product | name | Halo"),
        ("Tests run on Jenkins.", "Tests don't run on Jenkins anymore, they run on CircleCI.",
         "Tests | runs on | CircleCI"),
        ("The auth team owns the login page.", "The login page belongs to the web team now.",
         "login page | owner | web team"),
        ("Our CRM is HubSpot.", "We migrated our CRM to Pipedrive.", "user | crm | Pipedrive"),
        ("The backend team uses Kotlin.", "The backend team moved from Kotlin to Go.", "backend team | uses | Go"),
        ("We use two-week sprints.", "We use three-week sprints now.", "user | uses | three-week sprints"),
        ("My mentor is Ms. Adeyemi.", "My mentor is Mr. Clarke now.", "user | mentor | Mr. Clarke"),
        ("The default branch of the web repo is master.", "I renamed the web repo's default branch to main.",
         "web repo | default branch | main"),
    ],
)  # fmt: skip
def test_a_new_value_told_in_another_shape_takes_the_old_ones_place(first: str, second: str, holds: str) -> None:
    assert told(first, second) == {holds}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We keep logs for 14 days.", "We keep backups for 30 days now."),
        ("We keep backups for 14 days.", "We keep backups in Frankfurt now."),
        ("Orders are shipped from Leeds.", "Orders are shipped with DHL now."),
        ("The scheduler's heap is capped at 4 GB.", "The gateway's heap is capped at 6 GB."),
        ("The gateway throttles clients at 200 requests per minute.", "The gateway logs 350 requests per minute now."),
        ("We deploy on Thursdays.", "We release on Mondays now."),
        ("The dashboard runs on Node 18.", "The dashboard uses Redis 7 now."),
        ("The dashboard runs on Node 18.", "The mobile app runs on Node 22 now."),
        ("The flour comes from Kornhof.", "The eggs come from Hofer now."),
        ("The standup is on Mondays at 9 am.", "Tomorrow the standup is at 11 am."),
        ("Wanda approves expenses.", "Wanda approves holidays now."),
        ("Invoices are paid within 30 days.", "Invoices are sent within 14 days now."),
        ("The CI takes 25 minutes.", "The walk is now 14 minutes."),
        ("Grace handles refunds.", "Owen is handling refunds while Grace is away."),
        ("The gateway's timeout is 30 seconds.", "The gateway's retry delay is 10 seconds now."),
        ("We use two-week sprints.", "We use three-month budgets now."),
        ("The web repo's default branch is master.", "The docs repo's default branch is main now."),
    ],
)
def test_what_only_sounds_alike_ends_nothing(first: str, second: str) -> None:
    assert told(first) <= told(first, second)


@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [
        ("The design review is on Thursdays at 2 pm.", "The design review is at 3 pm now.",
         "design review | happens | on Thursdays at 3 pm"),
        ("The retro is on Fridays at 3 pm.", "The retro is on Thursdays now.",
         "retro | happens | on Thursdays at 3 pm"),
    ],
)  # fmt: skip
def test_a_part_of_a_time_leaves_the_other_part(first: str, second: str, holds: str) -> None:
    assert told(first, second) == {holds}


@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [
        ("Grace handles refunds.", "Refunds are handled by Owen now.", {"refunds | owner | Owen"}),
        ("Ines handles invoices in our office.", "Ines handed invoices over to Bruno.", {"invoices | owner | Bruno"}),
        ("Shipping is handled by Nadia.", "Rob took over shipping.", {"Shipping | is handled by | Rob"}),
        ("Shipping is handled by Nadia.", "Nadia doesn't handle shipping anymore.", set()),
        ("Wanda approves expenses.", "Expenses are approved by Kofi now.", {"expenses | is approved by | Kofi"}),
        ("Tom is on call for the platform team.", "Lena is on call for the platform team now, not Tom.",
         {"platform team | on call engineer | Lena"}),
        ("Our on-call phone is with Yusuf.", "Gave the on-call phone to Beatriz.", {"user | on call phone | Beatriz"}),
    ],
)  # fmt: skip
def test_who_sees_to_something_is_known_however_it_is_told(first: str, second: str, holds: set[str]) -> None:
    assert told(first, second) == holds


@pytest.mark.parametrize(
    ("first", "second", "gone"),
    [
        ("My sister has a cat called Mimi.", "My sister's cat died.", "sister | cat | Mimi"),
        ("My brother drives a Golf.", "My brother's Golf was stolen last night.", "brother | car | Golf"),
        ("Sophie, my best friend, is dating Luca.", "Sophie and Luca broke up.", "best friend | partner | Luca"),
        ("My husband goes running every morning.", "My husband has stopped running.",
         "husband | habit | go running every morning"),
    ],
)  # fmt: skip
def test_what_others_had_is_over_when_it_is_told_of_them(first: str, second: str, gone: str) -> None:
    assert gone in told(first)
    assert gone not in told(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My sister has a cat called Mimi.", "My brother's cat died."),
        ("My sister has a cat called Mimi.", "My sister's hamster died."),
        ("My brother is dating Ana.", "My brother and Tom split the bill."),
        ("My husband goes running every morning.", "My husband stopped running the shop."),
        ("My uncle Walter lives in Kiel.", "Uncle Sam wants you."),
        ("My brother earns 3,800 a month.", "My brother makes 40 cakes a month now."),
    ],
)
def test_what_is_told_of_another_leaves_it_alone(first: str, second: str) -> None:
    assert told(first) <= told(first, second)


def test_verb_and_noun_have_one_root() -> None:
    assert len({root(word) for word in ("deploys", "deployed", "deployment", "deploy")}) == 1
    assert root("supplier") == root("supplies")


def test_the_shape_of_a_value_is_its_unit() -> None:
    assert shape_of("14 days") == shape_of("30 days") != shape_of("30 hours")
    assert shape_of("three weeks long") == shape_of("two weeks")
    assert shape_of("on Thursdays") == shape_of("Monday") == "weekday"
    assert shape_of("Kornhof") == ""
