"""A lock on a file, which the system takes from a process that dies. The standard library is enough.

Processes that were forked under the lock hold it with their parent, since they may still be writing when that is
killed; they notice it and end. A lock file names the process that holds it, and is as old as it has been held.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

_RETRY_SECONDS = 0.1  #: seconds between two attempts
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  #: a link in the place of a lock would have a file made where it leads
WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)  #: told by file systems that have none
_HELD_LOCKS: ContextVar[frozenset[Path]] = ContextVar("_HELD_LOCKS", default=frozenset())  #: by this thread
_PARENT_CHECK_SECONDS = 0.2  #: seconds between two looks of a worker at its parent

if sys.platform == "win32":
    import msvcrt

    LOCKED = (errno.EACCES, errno.EDEADLK)
    NO_LOCKS = (*WITHOUT_LOCKS, errno.EINVAL)  #: the last stands for "invalid function" and "not supported"

    def try_lock(handle: int) -> bool:
        """Lock an open file, unless another process has locked it."""
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as fault:
            if fault.errno not in (*LOCKED, *NO_LOCKS):
                raise
            return fault.errno in NO_LOCKS
        return True
else:
    import fcntl

    def try_lock(handle: int) -> bool:
        """Lock an open file, unless another process has locked it."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as fault:
            if fault.errno not in WITHOUT_LOCKS:
                raise
        return True


@contextmanager
def hold_lock(path: Path, waiting: Callable[[str], None] = lambda holder: None) -> Iterator[None]:
    """Hold the lock at *path*. A thread may take it more than once.

    If another process has it, *waiting* is called once with what is known of that: its number, and since when.
    """
    path = path.absolute()
    if path in _HELD_LOCKS.get():
        yield
        return
    handle, before = _acquire_lock(path, waiting), _HELD_LOCKS.set(_HELD_LOCKS.get() | {path})
    try:
        yield
    finally:
        _HELD_LOCKS.reset(before)
        try:
            remove_lock_file(path)  # under the lock: afterwards it may be another's
        finally:
            os.close(handle)
        if sys.platform == "win32":  # where a file that is open keeps its name
            remove_lock_file(path)


def _acquire_lock(path: Path, waiting: Callable[[str], None]) -> int:
    """Wait for the lock; return the open file that holds it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o644)
        try:
            if try_lock(handle) and is_current(path, handle):
                os.ftruncate(handle, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        waiting(describe_lock_holder(path))
        waiting = _do_nothing
        time.sleep(_RETRY_SECONDS)


def describe_lock_holder(path: Path) -> str:
    """Describe the process that holds a lock, as "process 4711 since 14:32"; empty if it cannot be read."""
    with suppress(OSError, ValueError):  # it has just been given back; on Windows nobody else may read it
        number = int(path.read_text(encoding="ascii"))
        return f"process {number} since {time.strftime('%H:%M', time.localtime(path.stat().st_mtime))}"
    return ""


def is_current(path: Path, handle: int) -> bool:
    """Return whether an open file still bears its name: who held the lock before may have removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def remove_lock_file(path: Path) -> None:
    """Remove a lock file; one that stays does no harm."""
    with suppress(OSError):
        path.unlink()


def _do_nothing(holder: str) -> None:
    """Do nothing."""


# ---- processes that are forked under a lock
def begin_worker(parent: int) -> None:
    """In a process that was just forked: end with the parent, and leave to it what the user's signals ask for."""
    for name, action in (("SIGINT", signal.SIG_IGN), ("SIGHUP", signal.SIG_IGN), ("SIGTERM", signal.SIG_DFL)):
        with suppress(ValueError):  # forked by a thread
            signal.signal(getattr(signal, name), action)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK_SECONDS)
    os._exit(1)


def _begin_lock_worker() -> None:
    if _HELD_LOCKS.get():
        begin_worker(_forking_process)


def _note_forking_process() -> None:
    global _forking_process
    _forking_process = os.getpid()


_forking_process = 0
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_note_forking_process, after_in_child=_begin_lock_worker)
