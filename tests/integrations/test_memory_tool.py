"""Anthropic's memory tool: every command with the SDK's words, on notes and on disk, and nothing beyond /memories."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import itertools
import os
import random
import re
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool

from recollect import Memory
from recollect.errors import InvalidInput, MissingDependency
from recollect.integrations.anthropic_memory import AsyncMemoryTool, Folder, MemoryTool
from tests.providers import Call, Say, Server

NOT_THERE = "The path {} does not exist. Please provide a valid path."


@pytest.fixture(params=["notes", "folder"])
def tool(request: pytest.FixtureRequest, memory: Memory, tmp_path: Path) -> MemoryTool:
    return MemoryTool(memory if request.param == "notes" else Folder(tmp_path / "disk"))


def do(tool: Any, command: str, **given: Any) -> str:
    """What the tool answers, or the words of its error."""
    try:
        return str(tool.call({"command": command, **given}))
    except ToolError as error:
        return f"error: {error}"


def with_file(tool: MemoryTool, text: str = "one\ntwo\nthree\n", path: str = "/memories/a.txt") -> str:
    assert do(tool, "create", path=path, file_text=text) == f"File created successfully at: {path}"
    return path


# Command by command


def test_view_of_a_file_numbers_its_lines(tool: MemoryTool) -> None:
    path = with_file(tool)
    lines = "     1\tone\n     2\ttwo\n     3\tthree\n     4\t"
    assert do(tool, "view", path=path) == f"Here's the content of {path} with line numbers:\n{lines}"
    cut = f"Here's the content of {path} with line numbers:\n     2\ttwo\n     3\tthree"
    assert do(tool, "view", path=path, view_range=[2, 3]) == cut
    assert do(tool, "view", path=path, view_range=[-3, 1]).endswith(":\n     1\tone")
    assert do(tool, "view", path=path, view_range=[3, -1]).endswith(":\n     3\tthree\n     4\t")


def test_view_of_a_folder_lists_two_levels_without_hidden_files(tool: MemoryTool) -> None:
    for path in ("/memories/b.txt", "/memories/d/x.md", "/memories/d/e/deep.md", "/memories/.hidden"):
        with_file(tool, "12345", path)
    assert do(tool, "view", path="/memories").splitlines() == [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:",
        "20B\t/memories",
        "5B\t/memories/b.txt",
        "10B\t/memories/d/",
        "5B\t/memories/d/e/",
        "5B\t/memories/d/x.md",
    ]
    assert do(tool, "view", path="/memories/") == do(tool, "view", path="/memories")
    assert do(tool, "view", path="/memories/d").splitlines()[-1] == "5B\t/memories/d/x.md"


def test_an_empty_memory_can_be_viewed(tool: MemoryTool) -> None:
    header = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:"
    assert do(tool, "view", path="/memories") == f"{header}\n0B\t/memories"


@pytest.mark.parametrize(("bytes_", "shown"), [(0, "0B"), (1023, "1023B"), (1024, "1K"), (1536, "1.5K"), (4096, "4K")])
def test_sizes_are_written_as_the_sdk_does(tool: MemoryTool, bytes_: int, shown: str) -> None:
    with_file(tool, "x" * bytes_)
    assert do(tool, "view", path="/memories").endswith(f"{shown}\t/memories/a.txt")


def test_create_keeps_the_text_and_refuses_to_overwrite(tool: MemoryTool) -> None:
    path = with_file(tool, path="/memories/deep/er/a.txt")
    assert do(tool, "create", path=path, file_text="x") == f"error: File {path} already exists"
    assert do(tool, "create", path="/memories/deep", file_text="x") == "error: File /memories/deep already exists"
    assert "one" in do(tool, "view", path=path)
    assert "is not a directory" in do(tool, "create", path=f"{path}/b.txt", file_text="x")


def test_str_replace_shows_two_lines_around_the_change(tool: MemoryTool) -> None:
    path = with_file(tool, "1\n2\n3\n4\n5\n6")
    assert do(tool, "str_replace", path=path, old_str="4", new_str="four") == (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     2\t2\n     3\t3\n     4\tfour\n     5\t5\n     6\t6"
    )
    assert do(tool, "view", path=path).endswith("     4\tfour\n     5\t5\n     6\t6")


def test_str_replace_needs_one_place(tool: MemoryTool) -> None:
    path = with_file(tool, "red\nblue\ngreen\nred")
    assert do(tool, "str_replace", path=path, old_str="pink", new_str="") == (
        f"error: No replacement was performed, old_str `pink` did not appear verbatim in {path}."
    )
    assert do(tool, "str_replace", path=path, old_str="red", new_str="") == (
        "error: No replacement was performed. Multiple occurrences of old_str `red` in lines: 1, 4. "
        "Please ensure it is unique"
    )
    empty = do(tool, "str_replace", path=path, old_str="", new_str="x")
    assert empty == f"error: No replacement was performed, old_str `` did not appear verbatim in {path}."


@pytest.mark.parametrize("command", ["str_replace", "insert"])
def test_edits_need_a_file(tool: MemoryTool, command: str) -> None:
    with_file(tool, path="/memories/d/a.txt")
    rest = {"old_str": "a", "new_str": "b", "insert_line": 0, "insert_text": "x"}
    assert do(tool, command, path="/memories/d", **rest) == "error: The path /memories/d is not a file."
    assert do(tool, command, path="/memories/no", **rest) == f"error: {NOT_THERE.format('/memories/no')}"


def test_insert_puts_a_line_in_its_place(tool: MemoryTool) -> None:
    path = with_file(tool, "one\nthree")
    assert do(tool, "insert", path=path, insert_line=1, insert_text="two\n\n") == f"The file {path} has been edited."
    assert do(tool, "view", path=path).endswith("     1\tone\n     2\ttwo\n     3\tthree\n     4\t")
    assert do(tool, "insert", path=path, insert_line=4, insert_text="x") == (
        "error: Invalid `insert_line` parameter: 4. It should be within the range [0, 3]."
    )


def test_delete_takes_a_file_or_a_whole_folder(tool: MemoryTool) -> None:
    for path in ("/memories/a.txt", "/memories/d/x", "/memories/d/e/y"):
        with_file(tool, path=path)
    assert do(tool, "delete", path="/memories/a.txt") == "Successfully deleted /memories/a.txt"
    assert do(tool, "delete", path="/memories/d") == "Successfully deleted /memories/d"
    assert do(tool, "delete", path="/memories/d") == "error: The path /memories/d does not exist"
    assert do(tool, "delete", path="/memories") == "error: Cannot delete the /memories directory itself"
    assert do(tool, "view", path="/memories").endswith("0B\t/memories")


def test_rename_moves_a_file_or_a_whole_folder(tool: MemoryTool) -> None:
    with_file(tool, "kept", "/memories/d/e/y")
    assert do(tool, "rename", old_path="/memories/d", new_path="/memories/n/m") == (
        "Successfully renamed /memories/d to /memories/n/m"
    )
    assert "kept" in do(tool, "view", path="/memories/n/m/e/y")
    with_file(tool)
    for new in ("/memories/n", "/memories/a.txt"):
        told = do(tool, "rename", old_path="/memories/a.txt", new_path=new)
        assert told == f"error: The destination {new} already exists"
    gone = do(tool, "rename", old_path="/memories/d", new_path="/memories/z")
    assert gone == "error: The path /memories/d does not exist"
    root = do(tool, "rename", old_path="/memories", new_path="/memories/z")
    assert root == "error: Cannot rename the /memories directory itself"
    assert "is inside" in do(tool, "rename", old_path="/memories/n", new_path="/memories/n/x")


def test_clear_takes_all_files_away(tool: MemoryTool) -> None:
    with_file(tool, path="/memories/d/x")
    with_file(tool)
    assert tool.clear_all_memory() == "All memory cleared"
    assert do(tool, "view", path="/memories").endswith("0B\t/memories")


# What the SDK's own tool gets wrong


def test_a_name_that_only_begins_like_the_root_is_refused(tool: MemoryTool) -> None:
    with_file(tool, path="/memories/foo.txt")
    told = do(tool, "view", path="/memoriesfoo.txt")
    assert told == "error: Path must start with /memories, got: /memoriesfoo.txt"


def test_a_command_without_its_fields_changes_nothing(tool: MemoryTool) -> None:
    assert do(tool, "create", path="/memories/a.txt") == "error: The command create needs `file_text`, a text."
    assert do(tool, "view") == "error: The command view needs `path`, a text."
    assert do(tool, "insert", path="/memories/a", insert_line="1", insert_text="x").startswith("error: The command")
    assert do(tool, "view", path="/memories").endswith("0B\t/memories")


@pytest.mark.parametrize("given", [None, "view", [], {}, {"command": None}, {"command": "sing"}, {"command": ["view"]}])
def test_what_is_no_command_gets_words_and_no_traceback(tool: MemoryTool, given: object) -> None:
    with pytest.raises(ToolError, match="command"):
        tool.call(given)


def test_a_file_cannot_be_made_by_a_folders_name(tool: MemoryTool) -> None:
    told = do(tool, "create", path="/memories/d/", file_text="x")
    assert told == "error: The path /memories/d/ is not a file."
    assert do(tool, "view", path="/memories/d") == f"error: {NOT_THERE.format('/memories/d')}"


@pytest.mark.parametrize("lines", [[3, 2], [9, 12], [1], [1, 2, 3], ["a", 2], "12", {"a": 1}])
def test_a_range_that_shows_nothing_is_an_error(tool: MemoryTool, lines: object) -> None:
    told = do(tool, "view", path=with_file(tool), view_range=lines)
    assert told.startswith("error: Invalid `view_range` parameter")


def test_a_long_file_is_shown_page_by_page(tool: MemoryTool) -> None:
    path = with_file(tool, "\n".join(f"line {number} " + "x" * 100 for number in range(800)))
    seen, place = "", "[1, -1]"
    while place:
        first, last = re.findall(r"-?\d+", place)
        page = do(tool, "view", path=path, view_range=[int(first), int(last)])
        assert len(page) < 61_000
        seen += page
        place = (re.search(r"view again with view_range (\[.*?\])", page) or ["", ""])[1]
    assert all(f"\tline {number} " in seen for number in range(800))


def test_a_file_has_a_largest_size(tool: MemoryTool) -> None:
    told = do(tool, "create", path="/memories/a.txt", file_text="x" * 102_401)
    assert "102,400 are allowed" in told
    path = with_file(tool, "x" * 102_000)
    assert "102,400 are allowed" in do(tool, "insert", path=path, insert_line=0, insert_text="y" * 1000)


def test_secrets_are_taken_out(tool: MemoryTool) -> None:
    path = with_file(tool, "key sk-ant-" + "a1B2" * 8)
    assert "[removed Anthropic key]" in do(tool, "view", path=path)


# No path leads out

OUTSIDE = (
    "/memories/../secret.txt",
    "/memories/a/../../secret.txt",
    "/memories/..",
    "/memories/./a",
    "/memories/..\\secret.txt",
    "\\memories\\a",
    "/memories/%2e%2e%2fsecret.txt",
    "/memories/%2E%2E/secret.txt",
    "/memories/%252e%252e/x",
    "/etc/passwd",
    "memories/a",
    "",
    "/",
    "/memories/\x00",
    "/memories/a\nb",
    "/memories/\ud800",
    "/memories/" + "x" * 300,
    "/memories/" + "x/" * 40 + "y",
    "/memories/" + "/".join("x" * 200 for _ in range(6)),
)


@pytest.mark.parametrize("given", OUTSIDE, ids=range(len(OUTSIDE)))
def test_no_path_leads_out(tool: MemoryTool, given: str) -> None:
    rest = {"file_text": "x", "old_str": "a", "new_str": "b", "insert_line": 0, "insert_text": "x"}
    for command in ("view", "create", "str_replace", "insert", "delete"):
        assert do(tool, command, path=given, **rest).startswith("error: "), command
    with_file(tool)
    assert do(tool, "rename", old_path="/memories/a.txt", new_path=given).startswith("error: ")
    assert do(tool, "rename", old_path=given, new_path="/memories/b.txt").startswith("error: ")
    assert do(tool, "view", path="/memories").endswith("14B\t/memories/a.txt")


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("the launch code")
    (tmp_path / "outside").mkdir()
    return tmp_path


def test_links_on_disk_lead_nowhere(disk: Path) -> None:
    tool = MemoryTool(Folder(disk / "m"))
    root = disk / "m" / "memories"
    (root / "file").symlink_to(disk / "secret.txt")
    (root / "folder").symlink_to(disk / "outside")
    told = "error: Path would escape /memories directory via symlink"
    assert do(tool, "view", path="/memories/file") == told
    assert do(tool, "view", path="/memories/folder") == told
    assert do(tool, "create", path="/memories/folder/x", file_text="x") == told
    assert do(tool, "rename", old_path="/memories/file", new_path="/memories/f") == told
    assert do(tool, "view", path="/memories").endswith("0B\t/memories")
    assert list((disk / "outside").iterdir()) == []


def test_a_link_swapped_in_during_use_leads_nowhere(disk: Path) -> None:
    """The folder becomes a link and a folder again all the time, while the tool reads and writes below it."""
    tool, place = MemoryTool(Folder(disk / "m")), disk / "m" / "memories" / "d"
    (disk / "outside" / "x").write_text("the launch code")
    stop = threading.Event()

    def swap() -> None:
        for number in itertools.count():
            if stop.is_set():
                return
            place.rename(disk / f"away{number}")
            with contextlib.suppress(FileExistsError):  # the tool may have made the folder again
                place.symlink_to(disk / "outside")
                place.unlink()
            place.mkdir(exist_ok=True)

    place.mkdir()
    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        told = [do(tool, "view", path="/memories/d/x") for _ in range(1500)]
        told += [do(tool, "create", path=f"/memories/d/{number}", file_text="x") for number in range(300)]
    finally:
        stop.set()
        swapping.join()
    assert not any("launch code" in one for one in told)
    assert [path.name for path in (disk / "outside").iterdir()] == ["x"]


def test_files_on_disk_are_for_their_owner_alone(disk: Path) -> None:
    before = os.umask(0)
    try:
        with_file(MemoryTool(Folder(disk / "m")), path="/memories/a/b/c.txt")
    finally:
        os.umask(before)
    made = [disk / "m", *(disk / "m").rglob("*")]
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in made}
    assert modes == {"m": 0o700, "memories": 0o700, "a": 0o700, "b": 0o700, "c.txt": 0o600}


def test_other_kinds_of_files_on_disk_are_refused(disk: Path) -> None:
    tool = MemoryTool(Folder(disk / "m"))
    os.mkfifo(disk / "m" / "memories" / "pipe")
    (disk / "m" / "memories" / "image").write_bytes(b"\xff\xfe\x00")
    assert do(tool, "view", path="/memories/pipe") == "error: Unsupported file type for /memories/pipe"
    assert do(tool, "view", path="/memories/image") == "error: Unsupported file type for /memories/image"


def test_a_folder_of_the_sdk_is_taken_over_as_it_is(disk: Path) -> None:
    theirs = BetaLocalFilesystemMemoryTool(base_path=str(disk / "m"))
    theirs.call({"command": "create", "path": "/memories/a.txt", "file_text": "from before"})
    assert "from before" in do(MemoryTool(Folder(disk / "m")), "view", path="/memories/a.txt")


# The same words as the SDK, on whatever is asked

PATHS = ["/memories/" + name for name in ("a", "b.md", "d", "d/x", "d/e/y", "d/e", ".h", "d/.h", "ü/z")]
TEXTS = ["", "one", "one\ntwo\nthree\n", "two\n\ntwo", "aaa\r\nb\n", "x" * 3000, "\n\n", "ünï ©\n日本"]


def random_command(chance: random.Random) -> dict[str, Any]:
    name = chance.choice(["view", "view", "create", "create", "str_replace", "insert", "delete", "rename"])
    path, text = chance.choice([*PATHS, "/memories"]), chance.choice(TEXTS)
    if name == "view":
        return {"command": name, "path": path, "view_range": chance.choice([None, [1, 1], [1, -1], [-2, 1]])}
    rest = {
        "create": {"path": chance.choice(PATHS), "file_text": text},
        "str_replace": {"path": path, "old_str": chance.choice(["o", "two", "x" * 3000, "\n", "b"]), "new_str": text},
        "insert": {"path": path, "insert_line": chance.randint(-1, 4), "insert_text": text},
        "delete": {"path": path},
        "rename": {"old_path": path, "new_path": chance.choice(PATHS)},
    }
    return {"command": name, **rest[name]}


def beyond_the_sdk(told: str) -> bool:
    """Where the SDK's tool fails with a Python error, ours has words of its own."""
    return told.startswith(("error: The destination", "error: The path")) and told.endswith(
        (" is not a directory.", " exists", " does not exist", "inside " + told.rsplit("inside ", 1)[-1])
    )


def plain(told: str) -> str:
    """Without the sizes of folders, which are the disk's own business."""
    return re.sub(r"(?m)^\S+(?=\t/memories(?:\S*/)?$)|^\S+(?=\t/memories/(?:d|ü|d/e)$)", "", told)


def prune(root: Path) -> None:
    """Notes have no empty folders."""
    for folder in sorted(root.rglob("*"), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


@pytest.mark.parametrize("seed", range(6))
def test_answers_are_the_sdks_own(tool: MemoryTool, tmp_path: Path, seed: int) -> None:
    chance, theirs = random.Random(seed), BetaLocalFilesystemMemoryTool(base_path=str(tmp_path / "theirs"))
    compared = 0
    for _ in range(150):
        command = random_command(chance)
        ours = do(tool, **command)
        if beyond_the_sdk(ours):
            continue  # and nothing was changed, so that both still hold the same
        compared += 1
        prune(tmp_path / "theirs" / "memories")
        prune(tmp_path / "disk" / "memories")
        assert plain(ours) == plain(do(theirs, **command)), command
    assert compared > 80


# Notes


def test_versions_of_a_file_are_kept_and_an_edit_can_be_undone(memory: Memory) -> None:
    tool = MemoryTool(memory)
    path = with_file(tool, "likes tea")
    do(tool, "str_replace", path=path, old_str="tea", new_str="coffee")
    assert [note.text for note in memory.notes.versions(path)] == ["likes tea", "likes coffee"]
    assert {note.origin for note in memory.notes.versions(path)} == {"assistant"}
    memory.undo()
    assert memory.notes.read(path).text == "likes tea"


def test_a_file_is_found_by_search(memory: Memory) -> None:
    with_file(MemoryTool(memory), "The deployment runs on Fridays.", "/memories/ops.md")
    assert memory.search("when is the deployment?")[0].text.startswith("The deployment")


def test_other_owners_files_are_not_there(memory: Memory) -> None:
    with_file(MemoryTool(memory))
    assert do(MemoryTool(memory.of("bob")), "view", path="/memories/a.txt").startswith("error: ")


def test_what_the_operator_keeps_is_not_the_models_to_change(memory: Memory) -> None:
    memory.notes.write("/memories/project/AGENTS.md", "Use tabs.", pinned=True, origin="operator")
    tool = MemoryTool(memory)
    for given in (
        {"command": "str_replace", "path": "/memories/project/AGENTS.md", "old_str": "tabs", "new_str": "spaces"},
        {"command": "delete", "path": "/memories/project"},
        {"command": "rename", "old_path": "/memories/project", "new_path": "/memories/x"},
    ):
        assert "kept by the operator" in do(tool, **given)
    assert memory.notes.read("/memories/project/AGENTS.md").text == "Use tabs."
    assert "Use tabs." in do(tool, "view", path="/memories/project/AGENTS.md")


def test_two_writers_do_not_lose_each_others_lines(path: Path) -> None:
    with Memory(path, embedder=None) as first, Memory(path, embedder=None) as second:
        file = with_file(MemoryTool(first), "")
        tools = [MemoryTool(one) for one in (first, second)]

        def write(who: int) -> None:
            for number in range(20):
                do(tools[who], "insert", path=file, insert_line=0, insert_text=f"{who}-{number}")

        threads = [threading.Thread(target=write, args=(who,)) for who in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(first.notes.read(file).text.split()) == 40


def test_the_async_tool_answers_the_same(memory: Memory) -> None:
    tool = AsyncMemoryTool(memory)

    async def talk() -> Iterator[object]:
        made = await tool.call({"command": "create", "path": "/memories/a", "file_text": "hi"})
        seen = await tool.call({"command": "view", "path": "/memories/a"})
        await tool.call({"command": "insert", "path": "/memories/a", "insert_line": 1, "insert_text": "ho"})
        await tool.call({"command": "str_replace", "path": "/memories/a", "old_str": "ho", "new_str": "hu"})
        await tool.call({"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"})
        gone = await tool.call({"command": "delete", "path": "/memories/b"})
        return iter([made, seen, gone, await tool.clear_all_memory()])

    assert list(asyncio.run(talk())) == [
        "File created successfully at: /memories/a",
        "Here's the content of /memories/a with line numbers:\n     1\thi",
        "Successfully deleted /memories/b",
        "All memory cleared",
    ]
    with pytest.raises(ToolError, match="Unknown command"):
        asyncio.run(tool.call({"command": "sing"}))


# Through the SDK's tool runner


def test_the_tool_runner_runs_it(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    script = [
        Call(("memory", {"command": "view", "path": "/memories"})),
        Call(("memory", {"command": "create", "path": "/memories/ana.md", "file_text": "Prefers window seats."})),
        Call(("memory", {"command": "view", "path": "/memories/nothing"}), ("memory", {"command": "sing"})),
        Say("Noted."),
    ]
    with Server(*script) as server:
        client = Anthropic(base_url=server.url("anthropic"), api_key="k", max_retries=0)
        asked = {"model": "claude", "max_tokens": 100, "messages": [{"role": "user", "content": "I like windows."}]}
        last = client.beta.messages.tool_runner(**asked, tools=[MemoryTool(memory)], thread=False).until_done()
    assert last.content[0].text == "Noted."
    assert memory.notes.read("/memories/ana.md").text == "Prefers window seats."
    results = [message["text"] for message in server.seen[-1].messages if message["role"] == "tool"]
    assert results[1] == "File created successfully at: /memories/ana.md"
    assert results[2:] == [NOT_THERE.format("/memories/nothing"), results[3]]
    assert results[3].startswith("Unknown command: sing.")
    assert server.seen[0].body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    errors = [part.get("is_error") for part in server.seen[-1].body["messages"][-1]["content"]]
    assert errors == [True, True]


def test_the_async_tool_runner_runs_the_async_tool(memory: Memory) -> None:
    script = [Call(("memory", {"command": "create", "path": "/memories/a.md", "file_text": "x"})), Say("Done.")]

    async def talk(server: Server) -> Any:
        client = AsyncAnthropic(base_url=server.url("anthropic"), api_key="k", max_retries=0)
        asked = {"model": "claude", "max_tokens": 100, "messages": [{"role": "user", "content": "Hi."}]}
        tools = [AsyncMemoryTool(memory)]
        return await client.beta.messages.tool_runner(**asked, tools=tools, thread=False).until_done()

    with Server(*script) as server:
        assert asyncio.run(talk(server)).content[0].text == "Done."
    assert memory.notes.read("/memories/a.md").text == "x"


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic.lib.tools", None)
    monkeypatch.delitem(sys.modules, "recollect.integrations.anthropic_memory")
    with pytest.raises(MissingDependency, match=r"recollect\[anthropic\]"):
        importlib.import_module("recollect.integrations.anthropic_memory")


def test_its_files_are_kept_in_a_memory_or_a_folder_only() -> None:
    with pytest.raises(InvalidInput, match="Memory or a Folder"):
        MemoryTool("./memory")  # type: ignore[arg-type]
