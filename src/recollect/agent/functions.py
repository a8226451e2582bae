"""Plain Python functions as tools: their type hints become a JSON schema, their docstring says what they are for."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from recollect.errors import InvalidInput
from recollect.records import Tool
from recollect.text.message_formats import shortened
from recollect.text.tokens import trim

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What every provider takes for a tool's name."""
RESULT_TOKENS = 4_000
PLAIN: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A tool and the function behind it."""

    tool: Tool
    function: Callable[..., Any]
    hints: Mapping[str, Any] | None = None
    """The types of its arguments; None when the schema was given and arguments pass as they come."""

    def call(self, arguments: Mapping[str, Any]) -> Any:
        """What the function gives, or an awaitable of it; arguments that do not fit raise InvalidInput."""
        if self.hints is None:
            return self.function(**arguments)
        name, hints = self.tool.name, self.hints
        if strange := [key for key in arguments if key not in hints]:
            raise InvalidInput(f"{name} has no argument {strange[0]!r}: it takes {', '.join(hints) or 'none'}")
        if missing := [key for key in self.tool.parameters["required"] if key not in arguments]:
            raise InvalidInput(f"{name} needs the argument {missing[0]!r}")
        fitted = {key: fit_value(value, hints[key], f"{key!r} of {name}") for key, value in arguments.items()}
        return self.function(**fitted)


def function_tool(given: Callable[..., Any] | tuple[Tool, Callable[..., Any]]) -> FunctionTool:
    """The tool that a function makes; or a Tool with its own schema, and the function that is called for it."""
    if isinstance(given, tuple):
        tool, function = given
        return FunctionTool(Tool(checked_name(tool.name), tool.description, tool.parameters), function)
    name = checked_name(getattr(given, "__name__", given))
    hints, defaults = parameters_of(given, name)
    about, meanings = read_docstring(given)
    properties = {
        key: {**schema_of(hint, f"{key!r} of {name}"), **({"description": meanings[key]} if key in meanings else {})}
        for key, hint in hints.items()
    }
    required = [key for key in hints if key not in defaults]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return FunctionTool(Tool(name, about or name.replace("_", " "), schema), given, hints)


def checked_name(name: object) -> str:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise InvalidInput(
            f"{shortened(name)} cannot be a tool's name: define a function with letters, digits, - and _"
        )
    return name


def parameters_of(function: Callable[..., Any], name: str) -> tuple[dict[str, Any], set[str]]:
    """The types of a function's parameters, and those that have a default."""
    parameters = inspect.signature(function).parameters
    try:
        hints = get_type_hints(function, include_extras=True)
    except NameError as error:
        raise InvalidInput(f"a type hint of the tool {name} cannot be looked up: {error}") from error
    for key, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise InvalidInput(f"the tool {name} takes {parameter}: name each argument, a model gives them by name")
        if key not in hints:
            raise InvalidInput(f"{key!r} of the tool {name} has no type hint: write {key}: str, or what it is")
    defaults = {key for key, parameter in parameters.items() if parameter.default is not parameter.empty}
    return {key: hints[key] for key in parameters}, defaults


def read_docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """What the function is for, and what each argument means where lines such as `city: where to look` say so."""
    text = inspect.getdoc(function) or ""
    about, _, rest = text.partition("\n\n")
    named = re.findall(r"^\s*(\w+)(?: \([^)]*\))?: (.+)$", rest, re.MULTILINE)
    return " ".join(about.split()), {key: meaning.strip() for key, meaning in named}


# Types to schemas, and values to types.


def schema_of(hint: Any, where: str) -> dict[str, Any]:
    """The JSON schema of a type."""
    if hint in PLAIN:
        return {"type": PLAIN[hint]}
    kind, parts = get_origin(hint), get_args(hint)
    if kind is Annotated:
        told = [extra for extra in parts[1:] if isinstance(extra, str)]
        return {**schema_of(parts[0], where), **({"description": told[0]} if told else {})}
    if kind is Literal:
        return {"enum": list(parts)}
    if kind in (Union, types.UnionType):
        return {"anyOf": [schema_of(part, where) for part in parts]}
    if hint is list or kind in (list, Sequence):
        return {"type": "array", **({"items": schema_of(parts[0], where)} if parts else {})}
    if hint is dict or kind in (dict, Mapping):
        return {"type": "object", **({"additionalProperties": schema_of(parts[1], where)} if parts else {})}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [member.value for member in hint]}
    if fields := fields_of(hint):
        properties = {key: schema_of(part, f"{key!r} in {where}") for key, (part, _) in fields.items()}
        required = [key for key, (_, needed) in fields.items() if needed]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    raise InvalidInput(
        f"{where} has the type {shortened(hint)}, which JSON cannot describe: use str, int, float, bool, list, dict, "
        "Literal, an Enum, a dataclass or a TypedDict"
    )


def fields_of(hint: Any) -> dict[str, tuple[Any, bool]]:
    """The fields of a dataclass or a TypedDict: type, and whether it is needed."""
    if typing.is_typeddict(hint):
        hints = get_type_hints(hint)
        return {key: (part, key in hint.__required_keys__) for key, part in hints.items()}
    if not (isinstance(hint, type) and dataclasses.is_dataclass(hint)):
        return {}
    hints, missing = get_type_hints(hint), dataclasses.MISSING
    return {
        one.name: (hints[one.name], one.default is missing and one.default_factory is missing)
        for one in dataclasses.fields(hint)
        if one.init
    }


def fit_value(value: Any, hint: Any, where: str) -> Any:
    """The value as the type wants it, or InvalidInput."""
    kind, parts = get_origin(hint), get_args(hint)
    if kind is Annotated:
        return fit_value(value, parts[0], where)
    if kind in (Union, types.UnionType):
        for choice in parts:
            try:
                return fit_value(value, choice, where)
            except InvalidInput as error:
                problem = error
        raise problem
    if kind is Literal:
        return value if value in parts else refuse_value(value, where, f"one of {', '.join(map(repr, parts))}")
    if hint in PLAIN:
        return fit_scalar(value, hint, where)
    if hint is list or kind in (list, Sequence):
        if not isinstance(value, list):
            return refuse_value(value, where, "a list")
        return [fit_value(one, parts[0], f"{where}[{place}]") for place, one in enumerate(value)] if parts else value
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        known = {member.value: member for member in hint}
        return known[value] if value in known else refuse_value(value, where, f"one of {', '.join(map(repr, known))}")
    if not isinstance(value, dict):
        return refuse_value(value, where, "an object")
    return fit_object(value, hint, where)


def fit_object(value: dict[str, Any], hint: Any, where: str) -> Any:
    """A JSON object as a dict, a TypedDict or a dataclass."""
    fields = fields_of(hint)
    if not fields:
        parts = get_args(hint)
        return {key: fit_value(one, parts[1], f"{where}[{key!r}]") for key, one in value.items()} if parts else value
    if missing := [key for key, (_, needed) in fields.items() if needed and key not in value]:
        raise InvalidInput(f"{where} needs {missing[0]!r}")
    if strange := [key for key in value if key not in fields]:
        raise InvalidInput(f"{where} has no {strange[0]!r}: it takes {', '.join(fields)}")
    ready = {key: fit_value(one, fields[key][0], f"{key!r} in {where}") for key, one in value.items()}
    return ready if typing.is_typeddict(hint) else hint(**ready)


def fit_scalar(value: Any, hint: Any, where: str) -> Any:
    """A text, number, truth value or nothing; a whole number will do where any number is wanted."""
    if hint is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, hint) and (hint is bool or not isinstance(value, bool)):
        return value
    called = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
    return refuse_value(value, where, called.get(hint, "null"))


def refuse_value(value: Any, where: str, wanted: str) -> Any:
    raise InvalidInput(f"{where} must be {wanted}, got {shortened(value)}")


def result_text(result: object) -> str:
    """What a function gave, as a model reads it."""
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        result = dataclasses.asdict(result)
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    return trim(text, RESULT_TOKENS)
