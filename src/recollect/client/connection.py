"""Requests to a service and their answers: retries, errors, pages."""

from __future__ import annotations

import inspect
import os
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime, timezone
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import quote

from recollect.errors import (
    InvalidInput,
    MissingDependency,
    ModelError,
    NotAllowed,
    NotFound,
    RecollectError,
    StoreError,
)
from recollect.messages import Given
from recollect.records import Change, Fact, Hit, Message, Note
from recollect.serialize import from_plain, to_plain
from recollect.text.dates import Time
from recollect.text.message_formats import as_dict

if TYPE_CHECKING:
    import httpx

Record = TypeVar("Record")
Result = TypeVar("Result")
P = ParamSpec("P")

PAGE = 200
TRIES = 4
MOVING = 660.0
"""Seconds to wait for an export, an import or a backup: a little longer than a service takes for one at most."""
LONGEST_WAIT = 5.0
ERRORS: Mapping[int, type[RecollectError]] = {
    401: NotAllowed,
    403: NotAllowed,
    404: NotFound,
    421: NotAllowed,
    429: StoreError,
    501: MissingDependency,
    502: ModelError,
    503: StoreError,
}


class Connection:
    """One service, asked with one key. A write carries an Idempotency-Key, so that it can be sent again."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        try:
            import httpx
        except ModuleNotFoundError as error:
            raise MissingDependency("httpx is not installed: pip install 'recollect[client]'") from error
        key = key or os.environ.get("RECOLLECT_KEY")
        if not key:
            raise InvalidInput("a service asks for a key: pass key=, or set RECOLLECT_KEY")
        self.url = url.rstrip("/")
        self.failed = httpx.TransportError
        self.http: httpx.Client = httpx.Client(
            base_url=self.url, timeout=timeout, headers={"Authorization": f"Bearer {key}"}
        )

    def get(self, path: str, /, **query: Any) -> Any:
        """Ask; what is None is left out."""
        return content_of(self.send("GET", path, params=plain(query)))

    def post(self, path: str, params: Mapping[str, Any] | None = None, /, **body: Any) -> Any:
        """Tell, or ask with a text; what is None is left out."""
        return content_of(self.send("POST", path, params=params, json=plain(body)))

    def pages(self, path: str, /, **query: Any) -> list[Any]:
        """All rows of a list."""
        rows: list[Any] = []
        cursor = None
        while True:
            page = self.get(path, **query, limit=PAGE, cursor=cursor)
            rows += page["items"]
            cursor = page["next"]
            if cursor is None:
                return rows

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """The answer, asked for again where the service was busy or the connection broke."""
        headers = dict(options.pop("headers", {}))
        if method != "GET":
            headers["Idempotency-Key"] = secrets.token_hex(16)
        for left in reversed(range(TRIES)):
            try:
                response = self.http.request(method, path, headers=headers, **options)
            except self.failed as error:
                if not left:
                    raise StoreError(f"cannot reach {self.url}: {error or type(error).__name__}") from error
                time.sleep(0.1 * 2 ** (TRIES - left))
                continue
            if response.status_code not in (429, 503) or "retry-after" not in response.headers or not left:
                return checked(response)
            time.sleep(wait_of(response.headers["retry-after"]))
        raise AssertionError("the last try returns or raises")

    def download(self, path: str, to: Path, **query: Any) -> None:
        """Write the answer beside its place and move it there, so that a broken one never stands for a whole one."""
        part = to.with_name(to.name + ".part")
        try:
            with self.http.stream("GET", path, params=plain(query), timeout=MOVING) as response:
                if response.status_code != 200:
                    response.read()
                    checked(response)
                with part.open("wb") as file:
                    file.writelines(response.iter_bytes())
            part.replace(to)
        except self.failed as error:
            raise StoreError(f"the answer of {self.url} broke off: {error or type(error).__name__}") from error
        except OSError as error:
            raise InvalidInput(f"cannot write {str(to)!r}: {error.strerror or error}") from error
        finally:
            with suppress(OSError):
                part.unlink()

    def close(self) -> None:
        self.http.close()


def content_of(response: httpx.Response) -> Any:
    """What an answer says, if it is one of ours."""
    try:
        return response.json()
    except ValueError as error:
        raise StoreError(
            f"{response.url} is not the address of a service: it answers {response.text[:80]!r}"
        ) from error


def wait_of(told: str) -> float:
    """Seconds to wait, as the service says; a proxy may say a date instead."""
    return min(LONGEST_WAIT, float(told)) if told.isascii() and told.isdigit() else LONGEST_WAIT


def checked(response: httpx.Response) -> httpx.Response:
    """The answer, if it is none of an error; else the error of our tree that it stands for."""
    if response.status_code < 400:
        return response
    try:
        detail = response.json()["detail"]
    except (ValueError, KeyError, TypeError):
        detail = response.text[:200]
    kind = ERRORS.get(response.status_code, InvalidInput if response.status_code < 500 else StoreError)
    raise kind(detail or f"the service answered {response.status_code}")


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, as JSON; what is None is left out."""
    forms: Mapping[str, Callable[[Any], Any]] = {
        "said": given,
        "what": named,
        "at": moment,
        "known_at": moment,
        "kinds": list,
        "shown": list,
    }
    return {name: forms.get(name, lambda it: it)(value) for name, value in values.items() if value is not None}


def record_of(kind: type[Record]) -> Callable[[Any], Record]:
    """What reads a record of this kind."""
    return partial(from_plain, kind)


def records_of(kind: type[Record]) -> Callable[[Any], list[Record]]:
    """What reads such records from a page or from rows."""
    return lambda found: [from_plain(kind, row) for row in (found["items"] if isinstance(found, dict) else found)]


def remote(
    twin: Callable[Concatenate[Any, P], Result], way: str, path: str, read: Callable[[Any], Result]
) -> Callable[Concatenate[Any, P], Result]:
    """A verb with the signature and the description of its twin in the library, done by `_done` of its object.
    `way`: the method of a connection that asks; `read`: what makes records of the answer."""
    signature = inspect.signature(twin)

    @wraps(twin)
    def verb(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        given = signature.bind(self, *args, **kwargs)
        given.apply_defaults()
        _, *asked = given.arguments.items()
        return read(self._done(way, path, **dict(asked)))

    return verb


def moment(at: Time) -> str:
    """A time as a text that the service understands."""
    if isinstance(at, (int, float)):
        return datetime.fromtimestamp(at, timezone.utc).isoformat()
    return at.isoformat() if isinstance(at, date) else at


def given(said: Given) -> Any:
    """What was said, as JSON."""
    if isinstance(said, str):
        return said
    if isinstance(said, (list, tuple)):
        return [given(item) for item in said]
    if isinstance(said, Message):
        return {"kind": "message", "record": to_plain(said)}
    return to_plain(as_dict(said))


def named(what: object) -> str:
    """The id of a record, or the key as it is."""
    if isinstance(what, (Hit, Fact, Message, Note, Change)):
        return what.id
    if not isinstance(what, str):
        raise InvalidInput(f"name a record by its key, its id or itself, not {what!r}")
    return what


def segment(name: str) -> str:
    """A name as one segment of a path."""
    if name in ("", ".", ".."):
        raise InvalidInput(f"{name!r} cannot stand in a path: choose another name")
    return quote(name, safe="")
