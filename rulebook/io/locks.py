"""A lock on a file, which the system takes from a process that dies. The standard library is enough.

Processes that were forked under the lock hold it with their parent: they may still be writing when that is killed.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

_RETRY_SECONDS = 0.1  #: seconds between two attempts
WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)  #: told by file systems that have none
_HELD_LOCKS: ContextVar[frozenset[Path]] = ContextVar("_HELD_LOCKS", default=frozenset())  #: by this thread

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
def hold_lock(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock at *path*; call *waiting* once if another process has it. A thread may take it more than once."""
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


def _acquire_lock(path: Path, waiting: Callable[[], None]) -> int:
    """Wait for the lock; return the open file that holds it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if try_lock(handle) and is_current(path, handle):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        waiting()
        waiting = _do_nothing
        time.sleep(_RETRY_SECONDS)


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


def _do_nothing() -> None:
    """Do nothing."""
