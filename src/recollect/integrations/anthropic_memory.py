"""Anthropic's memory tool (memory_20250818) on a Recollect memory, for the tool runner of the official SDK."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect import Memory
from recollect.errors import InvalidInput, MissingDependency
from recollect.integrations.memory_commands import CommandError, Files, check_command, run_command
from recollect.integrations.note_files import Folder, NoteFiles
from recollect.notes import ROOT

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
    from anyio.to_thread import run_sync
except ImportError as missing:
    raise MissingDependency("the memory tool needs the official SDK: pip install 'recollect[anthropic]'") from missing

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaFunctionToolResultType
    from anthropic.types.beta import BetaCacheControlEphemeralParam
    from pydantic import BaseModel

__all__ = ["AsyncMemoryTool", "Folder", "MemoryTool"]


def files_in(kept_in: Memory | Folder) -> Files:
    """Where the files are: a memory's notes, or a folder."""
    if isinstance(kept_in, Memory):
        return NoteFiles(kept_in)
    if isinstance(kept_in, Folder):
        return kept_in
    raise InvalidInput(f"the memory tool keeps its files in a Memory or a Folder, not in {kept_in!r}")


@contextmanager
def tool_errors() -> Iterator[None]:
    """What cannot be done becomes an error result that the model can read."""
    try:
        yield
    except CommandError as error:
        raise ToolError(str(error)) from error


def answer(files: Files, command: BaseModel) -> str:
    with tool_errors():
        return run_command(files, command.model_dump(warnings=False))


def checked_command(given: object) -> object:
    """What a model sent, if it is a command at all: anything else must not become a traceback."""
    with tool_errors():
        check_command(given)
    return given


def clear_files(files: Files) -> str:
    """Take every file away that the model may change; a memory keeps their versions."""
    with tool_errors(), files.together():
        for entry in sorted(files.entries(ROOT, 1), key=lambda entry: entry.path):
            files.delete(entry.path)
    return "All memory cleared"


class MemoryTool(BetaAbstractMemoryTool):
    """Claude's own memory: its files are a memory's notes with all their versions, or files in a folder."""

    def __init__(self, files: Memory | Folder, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._files = files_in(files)

    def call(self, input: object) -> BetaFunctionToolResultType:
        return super().call(checked_command(input))

    def _answer(self, command: BaseModel) -> str:
        return answer(self._files, command)

    view = create = str_replace = insert = delete = rename = _answer

    def clear_all_memory(self) -> str:
        return clear_files(self._files)


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`: commands run in a thread, the event loop goes on."""

    def __init__(self, files: Memory | Folder, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._files = files_in(files)

    async def call(self, input: object) -> BetaFunctionToolResultType:
        return await super().call(checked_command(input))

    async def _answer(self, command: BaseModel) -> str:
        return await run_sync(answer, self._files, command)

    view = create = str_replace = insert = delete = rename = _answer

    async def clear_all_memory(self) -> str:
        return await run_sync(clear_files, self._files)
