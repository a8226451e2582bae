"""The wire format of Gemini's generateContent."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from tests.providers.script import Call, Fail, Refused, Say, Seen, Wire, check_answered, halves

STOPS = {"end": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}


def read(body: Mapping[str, Any]) -> Seen:
    """The request, or Refused."""
    system = [part["text"] for part in body.get("systemInstruction", {}).get("parts", ())]
    messages = [one for content in body["contents"] for one in read_content(content)]
    if not messages or body["contents"][0]["role"] != "user":
        raise Refused("the first content must be the user's")
    check_answered(messages)
    check_signed(body["contents"])
    tools = [one["name"] for tool in body.get("tools", ()) for one in tool["functionDeclarations"]]
    return Seen("gemini", body, "\n\n".join(system), system, messages, tools)


def read_content(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A content as one or several messages: each result of a tool stands for itself."""
    parts = content["parts"]
    answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
    results = [{"role": "tool", "text": answer["response"]["output"], "id": id_of(answer)} for answer in answers]
    text = "".join(part.get("text", "") for part in parts)
    calls = [part["functionCall"] for part in parts if "functionCall" in part]
    if not (text or calls):
        return results
    role = {"model": "assistant", "user": "user"}[content["role"]]
    spoken: dict[str, Any] = {"role": role, "text": text}
    if calls:
        spoken["calls"] = [(id_of(call), call["name"], call.get("args", {})) for call in calls]
    return [*results, spoken]


def id_of(part: Mapping[str, Any]) -> str:
    """The id of a call or a result; without one, they are matched by name."""
    return str(part.get("id") or part["name"])


def check_signed(contents: list[Mapping[str, Any]]) -> None:
    """A call of the present turn that was signed must come back with its signature: the script signs by a thought."""
    for content in reversed(contents):
        if content["role"] == "user" and any("text" in part for part in content["parts"]):
            return
        for part in content["parts"]:
            if part.get("functionCall", {}).get("name", "").startswith("signed_") and "thoughtSignature" not in part:
                raise Refused("Function call is missing a thought_signature")


def parts_of(step: Say | Call, wire: Wire) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"text": step.text}] if step.text else []
    for name, given in step.calls if isinstance(step, Call) else ():
        # Gemini gives no ids of its own.
        part: dict[str, Any] = {"functionCall": {"name": name, "args": given}}
        thought = getattr(step, "thought", "")
        parts.append({**part, "thoughtSignature": base64.b64encode(thought.encode()).decode()} if thought else part)
    return parts


def is_malformed(step: Say | Call) -> bool:
    """Arguments that are no object never leave Gemini: the answer ends with a reason of its own."""
    return isinstance(step, Call) and any(isinstance(given, str) for _, given in step.calls)


def whole(step: Say | Call, wire: Wire) -> dict[str, Any]:
    """The answer in one piece."""
    if is_malformed(step):
        return answer([], "MALFORMED_FUNCTION_CALL", step)
    return answer(parts_of(step, wire), STOPS[step.stop] if isinstance(step, Say) else "STOP", step)


def pieces(step: Say | Call, wire: Wire) -> list[str]:
    """The answer as a stream of events."""
    if is_malformed(step):
        return [f"data: {json.dumps(whole(step, wire))}\n\n"]
    parts = [{"text": piece} for piece in halves(step.text)]
    parts += [part for part in parts_of(step, wire) if "functionCall" in part]
    reason = STOPS[step.stop] if isinstance(step, Say) else "STOP"
    answers = [answer([part], reason if place == len(parts) - 1 else None, step) for place, part in enumerate(parts)]
    return [f"data: {json.dumps(one)}\n\n" for one in answers]


def answer(parts: list[dict[str, Any]], reason: str | None, step: Say | Call) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    usage = {
        "promptTokenCount": 100,
        "candidatesTokenCount": 10,
        "totalTokenCount": 110,
        "cachedContentTokenCount": getattr(step, "cached", 0),
    }
    ended = {**candidate, "finishReason": reason} if reason else candidate
    return {"candidates": [ended], "usageMetadata": usage, "modelVersion": "scripted"}


def error(step: Fail) -> str:
    inner = {"error": {"code": step.status, "message": step.message, "status": "UNAVAILABLE"}}
    return step.body if step.body is not None else json.dumps(inner)
