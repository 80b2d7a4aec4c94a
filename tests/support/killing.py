"""Processes that are really killed, at every step that changes the disk, and what they leave."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

CHANGES = ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "shutil.copyfile", "os.truncate")
DONE, KILLED = 0, -signal.SIGKILL


class Countdown:
    """Kills its own process before the nth change of the disk."""

    def __init__(self, folder: Path, at: int) -> None:
        self.folder, self.left = str(folder), at

    def __call__(self, event: str, given: tuple[object, ...]) -> None:
        if event in CHANGES and any(isinstance(one, (str, Path)) and str(one).startswith(self.folder) for one in given):
            if event == "open" and not (isinstance(given[1], str) and set(given[1]) & set("wax+")):
                return
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def child(act: Callable[[], object]) -> int:
    """Do something in a process of its own, and return how that ended."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def killed_everywhere(
    tmp_path: Path, act: Callable[[Path], object], lay: Callable[[Path], None], every: int = 1
) -> Iterator[Path]:
    """Folders in which something was killed some steps later each time, and the last one, where it came to its end."""
    for at in range(1, 400, every):
        home = tmp_path / f"at-{at:03}"
        home.mkdir()
        lay(home)

        def killed(home: Path = home, at: int = at) -> None:
            sys.addaudithook(Countdown(home, at))
            act(home)

        ended = child(killed)
        yield home
        if ended != KILLED:
            assert ended == DONE and at > 5, "it was killed nowhere"
            return
    raise AssertionError("it never came to an end")


def seen(folder: Path) -> Mapping[str, bytes]:
    """All files but those of a mark or lock."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in paths
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def hidden(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob(".*"))


def other_processes(group: int) -> list[str]:
    """Processes of a group that run."""
    found = subprocess.run(["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = (line.split(maxsplit=2) for line in found.splitlines())
    return [row[2] for row in rows if row[0] == str(group) and not row[1].startswith("Z")]
