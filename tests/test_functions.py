"""Plain Python functions as tools: schemas from type hints, arguments checked against them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict

import pytest

from recollect.agent.functions import function_tool, result_text
from recollect.errors import InvalidInput
from recollect.records import Tool


class Class(Enum):
    ECONOMY = "economy"
    FIRST = "first"


@dataclass
class Seat:
    row: int
    letter: str = "A"


class Trip(TypedDict):
    city: str
    days: int


def book(
    city: str,
    seats: list[Seat],
    travel: Class = Class.ECONOMY,
    meal: Literal["meat", "vegetables"] | None = None,
    most: Annotated[float, "In euros"] = 100.0,
) -> str:
    """Book a flight.

    city: where to fly to
    seats (list): one for each traveller
    """
    return f"{city} {seats} {travel.name} {meal} {most}"


def test_hints_and_docstring_become_a_schema() -> None:
    tool = function_tool(book).tool
    assert (tool.name, tool.description) == ("book", "Book a flight.")
    assert tool.parameters["required"] == ["city", "seats"]
    assert tool.parameters["properties"]["city"] == {"type": "string", "description": "where to fly to"}
    assert tool.parameters["properties"]["most"] == {"type": "number", "description": "In euros"}
    assert tool.parameters["properties"]["travel"] == {"enum": ["economy", "first"]}
    assert tool.parameters["properties"]["seats"]["items"]["required"] == ["row"]
    json.dumps(tool.parameters)


def test_arguments_become_what_the_function_wants() -> None:
    given = {"city": "Porto", "seats": [{"row": 3}], "travel": "first", "meal": "meat", "most": 90}
    assert function_tool(book).call(given) == "Porto [Seat(row=3, letter='A')] FIRST meat 90.0"
    assert function_tool(book).call({"city": "Porto", "seats": []}) == "Porto [] ECONOMY None 100.0"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "book needs the argument 'city'"),
        ({"city": 7, "seats": []}, "'city' of book must be a text, got 7"),
        ({"city": "x", "seats": {}}, "'seats' of book must be a list"),
        ({"city": "x", "seats": [{}]}, "needs 'row'"),
        ({"city": "x", "seats": [{"row": "3"}]}, "'row' in 'seats' of book[0] must be a whole number, got '3'"),
        ({"city": "x", "seats": [{"row": True}]}, "must be a whole number, got True"),
        ({"city": "x", "seats": [{"row": 1, "deck": 2}]}, "has no 'deck'"),
        ({"city": "x", "seats": [], "travel": "cargo"}, "must be one of 'economy', 'first'"),
        ({"city": "x", "seats": [], "meal": "fish"}, "'meal' of book must be"),
        ({"city": "x", "seats": [], "pet": "cat"}, "book has no argument 'pet': it takes city"),
    ],
)
def test_arguments_that_do_not_fit_are_told(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(complaint)):
        function_tool(book).call(given)


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (dict[str, int], {"a": 1}),
        (Mapping[str, list[int]], {"a": [1]}),
        (Sequence[str], ["a"]),
        (list, [1, "a"]),
        (dict, {"a": None}),
        (Trip, {"city": "Porto", "days": 3}),
        (int | str, "a"),
        (bool, True),
        (int, 5.0),
    ],
)
def test_usual_types_are_described(hint: Any, value: Any) -> None:
    def take(given: Any) -> Any:
        return given

    take.__annotations__ = {"given": hint}
    tool = function_tool(take)
    json.dumps(tool.tool.parameters)
    assert tool.call({"given": value}) == value


def unhinted(city) -> str:  # type: ignore[no-untyped-def]
    return str(city)


def many(*cities: str) -> str:
    return str(cities)


def keywords(**cities: str) -> str:
    return str(cities)


def by_place(city: str, /) -> str:
    return city


def dated(day: datetime) -> str:
    return str(day)


def called(back: Callable[[], str]) -> str:
    return back()


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (unhinted, "'city' of the tool unhinted has no type hint"),
        (many, "name each argument"),
        (keywords, "name each argument"),
        (by_place, "name each argument"),
        (dated, "which JSON cannot describe"),
        (called, "which JSON cannot describe"),
        (lambda: "x", "cannot be a tool's name"),
        (7, "cannot be a tool's name"),
    ],
)
def test_what_cannot_be_described_is_refused(function: Any, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        function_tool(function)


def test_a_tool_may_bring_its_own_schema() -> None:
    own = Tool("find-it", "Find it.", {"type": "object", "properties": {"q": {"type": "string"}}})
    tool = function_tool((own, lambda q: f"found {q}"))
    assert tool.tool.parameters == own.parameters
    assert tool.call({"q": "tea"}) == "found tea"


def test_a_method_is_a_tool() -> None:
    class Shop:
        def price(self, item: str) -> float:
            """What an item costs."""
            return 2.5

    assert function_tool(Shop().price).tool.parameters["required"] == ["item"]


@pytest.mark.parametrize(
    ("result", "text"),
    [("as is", "as is"), (None, "null"), ({"a": [1]}, '{"a": [1]}'), (Seat(3), '{"row": 3, "letter": "A"}')],
)
def test_results_are_read_as_text(result: object, text: str) -> None:
    assert result_text(result) == text


def test_a_huge_result_is_cut() -> None:
    assert len(result_text("word " * 100_000)) < 30_000
