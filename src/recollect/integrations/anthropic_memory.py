"""Anthropic's memory tool (memory_20250818) on a Recollect memory, for the tool runner of the official SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect import Memory
from recollect.errors import InvalidInput, MissingDependency
from recollect.integrations.memory_commands import ROOT, CommandError, Shelf, check, run
from recollect.integrations.note_files import Folder, NoteShelf

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
    from anyio.to_thread import run_sync
except ImportError as missing:
    raise MissingDependency("the memory tool needs the official SDK: pip install 'recollect[anthropic]'") from missing

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaFunctionToolResultType
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )
    from pydantic import BaseModel

__all__ = ["AsyncMemoryTool", "Folder", "MemoryTool"]


def shelf_of(files: Memory | Folder) -> Shelf:
    """Where the files are: a memory's notes, or a folder."""
    if isinstance(files, Memory):
        return NoteShelf(files)
    if isinstance(files, Folder):
        return files
    raise InvalidInput(f"the memory tool keeps its files in a Memory or a Folder, not in {files!r}")


def answer(shelf: Shelf, command: BaseModel) -> str:
    """What a command answers; what cannot be done becomes an error result that the model can read."""
    try:
        return run(shelf, command.model_dump(warnings=False))
    except CommandError as error:
        raise ToolError(str(error)) from error


def checked(given: object) -> object:
    """What a model sent, if it is a command at all: anything else must not become a traceback."""
    try:
        check(given)
    except CommandError as error:
        raise ToolError(str(error)) from error
    return given


def clear(shelf: Shelf) -> str:
    """Take every file away that the model may change; a memory keeps their versions."""
    try:
        with shelf.together():
            for entry in sorted(shelf.entries(ROOT, 1), key=lambda entry: entry.path):
                shelf.delete(entry.path)
    except CommandError as error:
        raise ToolError(str(error)) from error
    return "All memory cleared"


class MemoryTool(BetaAbstractMemoryTool):
    """Claude's own memory: its files are a memory's notes with all their versions, or files in a folder."""

    def __init__(self, files: Memory | Folder, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._shelf = shelf_of(files)

    def call(self, input: object) -> BetaFunctionToolResultType:
        return super().call(checked(input))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return answer(self._shelf, command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return answer(self._shelf, command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return answer(self._shelf, command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return answer(self._shelf, command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return answer(self._shelf, command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return answer(self._shelf, command)

    def clear_all_memory(self) -> str:
        return clear(self._shelf)


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`: commands run in a thread, the event loop goes on."""

    def __init__(self, files: Memory | Folder, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._shelf = shelf_of(files)

    async def call(self, input: object) -> BetaFunctionToolResultType:
        return await super().call(checked(input))

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await run_sync(answer, self._shelf, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await run_sync(answer, self._shelf, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await run_sync(answer, self._shelf, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await run_sync(answer, self._shelf, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await run_sync(answer, self._shelf, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await run_sync(answer, self._shelf, command)

    async def clear_all_memory(self) -> str:
        return await run_sync(clear, self._shelf)
