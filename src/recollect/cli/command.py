"""What all commands share: whose memory, where it is, how it answers and how it fails."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

import typer

from recollect import Memory, RecollectError, __version__
from recollect.cli import output
from recollect.cli.options import Db, Json, Owner
from recollect.cli.output import Show
from recollect.cli.settings import Settings
from recollect.errors import InvalidInput, MissingDependency, ModelError, NotAllowed, NotFound, StoreError

Work = TypeVar("Work", bound=Callable[..., Any])

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

app = typer.Typer(
    name="recollect",
    help="Memory for AI agents that outlives the session. Try: recollect demo",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,  # They hold what people said.
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"recollect {__version__}")
        raise typer.Exit


@app.callback()
def options(
    ctx: typer.Context,
    owner: Owner = None,
    db: Db = None,
    as_json: Json = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True)
    ] = False,
) -> None:
    """Memory for AI agents that outlives the session. Try: recollect demo"""
    ctx.obj = Settings().over(owner, db, as_json)


def command(
    on: typer.Typer,
    show: Show,
    *,
    name: str | None = None,
    panel: str | None = None,
    code: Callable[[Any], int] | None = None,
) -> Callable[[Work], Work]:
    """Make a command of a function that takes a memory and gives a result: `show` renders it for people, `code` gives
    the exit code where it is not always 0."""

    def register(work: Work) -> Work:
        @functools.wraps(work)
        def call(settings: Settings, **given: Any) -> None:
            result = run_on_memory(settings, functools.partial(work, **given), show)
            if code is not None and code(result):
                raise typer.Exit(code(result))

        bare_command(on, name=name, panel=panel)(call)
        return work

    return register


def run_on_memory(settings: Settings, work: Callable[[Memory], Any], show: Show) -> Any:
    """Open the memory, do the work, and put the result on stdout."""
    with settings.open() as memory:
        result = work(memory)
    output.emit(result, show, as_json=settings.as_json)
    return result


def bare_command(
    on: typer.Typer, *, name: str | None = None, panel: str | None = None, has_json: bool = True
) -> Callable[[Work], Work]:
    """Make a command of a function that takes the settings, opens a memory only if it wants one, and prints itself."""

    def register(work: Work) -> Work:
        def call(ctx: typer.Context, owner: Owner, db: Db, as_json: Json = False, **given: Any) -> None:
            settings: Settings = ctx.obj.over(owner, db, as_json)
            with reporting(as_json=has_json and settings.as_json):
                work(settings, **given)

        take_options(call, work, has_json=has_json)
        on.command(name or work.__name__, help=inspect.getdoc(work), rich_help_panel=panel)(call)
        return work

    return register


def take_options(call: Callable[..., None], work: Callable[..., object], *, has_json: bool) -> None:
    """Give `call` the parameters of `work`, without the first, and the options that all commands have."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    shared = {"owner": (Owner, None), "db": (Db, None)} | ({"as_json": (Json, False)} if has_json else {})
    parameters = [
        inspect.Parameter("ctx", keyword, annotation=typer.Context),
        *(one.replace(kind=keyword) for one in list(inspect.signature(work, eval_str=True).parameters.values())[1:]),
        *(inspect.Parameter(name, keyword, annotation=kind, default=value) for name, (kind, value) in shared.items()),
    ]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}


def group(name: str, about: str, show: Show | None = None, listing: Callable[..., object] | None = None) -> typer.Typer:
    """A command with commands of its own, which alone does what its command `list` does, or shows its help."""
    made = typer.Typer(name=name, help=about, no_args_is_help=listing is None)

    @made.callback(invoke_without_command=listing is not None, help=about)
    def group_options(ctx: typer.Context, owner: Owner = None, db: Db = None, as_json: Json = False) -> None:
        ctx.obj = settings = ctx.obj.over(owner, db, as_json)
        if ctx.invoked_subcommand is None and listing is not None and show is not None:
            with reporting(as_json=settings.as_json):
                run_on_memory(settings, listing, show)

    if listing is not None and show is not None:
        command(made, show, name="list")(listing)
    app.add_typer(made, rich_help_panel=KEEP)
    return made


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


def confirm(question: str, *, unasked: str, refused: str) -> None:
    """Go on only when a person says so; `unasked` is the error where nobody can be asked."""
    if not sys.stdin.isatty():
        raise InvalidInput(unasked)
    if not typer.confirm(question, err=True):
        output.aside(refused)
        raise typer.Exit(1)
