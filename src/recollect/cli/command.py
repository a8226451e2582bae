"""What all commands share: whose memory, where it is, how it answers and how it fails."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer

from recollect import Memory, RecollectError, __version__
from recollect.cli import output
from recollect.cli.settings import Settings
from recollect.errors import InvalidInput, MissingDependency, ModelError, NotAllowed, NotFound, StoreError

if TYPE_CHECKING:
    from rich.console import RenderableType

P = ParamSpec("P")
R = TypeVar("R")

Owner = Annotated[
    str | None, typer.Option("--owner", "-o", metavar="NAME", help="Whose memory; else RECOLLECT_OWNER, else 'me'.")
]
Db = Annotated[
    str | None,
    typer.Option("--db", metavar="PATH", help="The store; else RECOLLECT_DB, else a file in your data directory."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON document.")]

EXIT_CODES: tuple[tuple[type[RecollectError], int], ...] = (
    (InvalidInput, 2),
    (NotFound, 4),
    (NotAllowed, 5),
    (StoreError, 6),
    (ModelError, 7),
    (MissingDependency, 8),
    (RecollectError, 1),
)
INTERRUPTED = 130

PANELS = TELL, ASK, CHANGE, KEEP, SERVE = "Tell", "Ask", "Change", "Keep", "Serve"
"""The groups of commands in the help, in their order."""


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"recollect {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)]

app = typer.Typer(
    name="recollect",
    help="Memory for AI agents that outlives the session. Try: recollect demo",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,  # They hold what people said.
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def options(
    ctx: typer.Context, owner: Owner = None, db: Db = None, as_json: Json = False, version: Version = False
) -> None:
    """Memory for AI agents that outlives the session. Try: recollect demo"""
    ctx.obj = Settings().over(owner, db, as_json)


def group(name: str, about: str, show: Callable[[R], RenderableType], default: Callable[[Memory], R]) -> typer.Typer:
    """A command with commands of its own, which alone does what its `default` does."""
    made = typer.Typer(name=name, help=about)

    @made.callback(invoke_without_command=True, help=about)
    def group_options(ctx: typer.Context, owner: Owner = None, db: Db = None, as_json: Json = False) -> None:
        ctx.obj = ctx.obj.over(owner, db, as_json)
        if ctx.invoked_subcommand is None:
            run(ctx.obj, default, show)

    app.add_typer(made, rich_help_panel=KEEP)
    return made


def success(result: object) -> int:
    """The exit code of a command that did what it was asked."""
    return 0


def command(
    on: typer.Typer,
    show: Callable[[R], RenderableType],
    *,
    name: str | None = None,
    panel: str | None = None,
    code: Callable[[R], int] = success,
) -> Callable[[Callable[Concatenate[Memory, P], R]], Callable[Concatenate[Memory, P], R]]:
    """Make a command of a function that takes a memory and gives a result: `show` renders it for people."""

    def register(work: Callable[Concatenate[Memory, P], R]) -> Callable[Concatenate[Memory, P], R]:
        def call(ctx: typer.Context, owner: Owner, db: Db, as_json: Json, **given: Any) -> None:
            run(ctx.obj.over(owner, db, as_json), functools.partial(work, **given), show, code)

        take_options(call, work)
        on.command(name or work.__name__, help=inspect.getdoc(work), rich_help_panel=panel)(call)
        return work

    return register


def take_options(call: Callable[..., None], work: Callable[..., object]) -> None:
    """Give `call` the parameters of `work`, without the memory, and the options that all commands have."""
    own = list(inspect.signature(work, eval_str=True).parameters.values())[1:]
    shared = {"owner": (Owner, None), "db": (Db, None), "as_json": (Json, False)}
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter("ctx", keyword, annotation=typer.Context),
        *(parameter.replace(kind=keyword) for parameter in own),
        *(inspect.Parameter(name, keyword, annotation=kind, default=value) for name, (kind, value) in shared.items()),
    ]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}


def run(
    settings: Settings,
    work: Callable[[Memory], R],
    show: Callable[[R], RenderableType],
    code: Callable[[R], int] = success,
) -> None:
    """Open the memory, do the work, and put the result on stdout."""
    with reporting(as_json=settings.as_json):
        with settings.open() as memory:
            result = work(memory)
        if settings.as_json:
            output.put_json(result)
        else:
            output.put(show(result))
        sys.stdout.flush()
        if status := code(result):
            raise typer.Exit(status)


@contextmanager
def reporting(*, as_json: bool) -> Iterator[None]:
    """Turn what goes wrong inside into one line and an exit code."""
    try:
        yield
    except RecollectError as error:
        if as_json:
            output.put_json({"error": {"type": type(error).__name__, "message": str(error)}})
        else:
            output.complain(str(error))
        raise typer.Exit(next(code for kind, code in EXIT_CODES if isinstance(error, kind))) from error
    except BrokenPipeError as error:
        # Nobody reads on; the interpreter must not find that out again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(INTERRUPTED) from error
    except (KeyboardInterrupt, typer.Abort) as error:
        raise typer.Exit(INTERRUPTED) from error
