"""Writing files: each as a whole, and several together or none of them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EISDIR, ENOENT
from pathlib import Path

__all__ = ["about", "check_place", "write_whole"]


def check_place(place: Path) -> None:
    """Refuse a place where no file can be written, before any work is done for it.

    Raises:
        OSError: it is a folder, or it is in a folder that does not exist.

    >>> check_place(Path())
    Traceback (most recent call last):
    IsADirectoryError: [Errno 21] it is a folder: '.'
    """
    if place.is_dir():
        raise IsADirectoryError(EISDIR, "it is a folder", str(place))
    if not place.parent.is_dir():
        raise FileNotFoundError(ENOENT, "there is no such folder", str(place.parent))


@contextmanager
def about(place: Path) -> Iterator[None]:
    """Have errors name the file that was meant, and not one that is written in its stead.

    >>> with about(Path("a.txt")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    OSError: [Errno 28] No space left on device: 'a.txt'
    """
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(place)) from None


def write_whole(texts: Mapping[Path, str]) -> None:
    """Write texts to files: every one in full, and none if one of them cannot be written.

    The texts are first written next to their places, and only then moved there.  A device
    or a pipe is written to directly, and a link stays a link.

    Raises:
        OSError: a file cannot be written; the places are as they were.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     place = Path(folder, "a.txt")
    ...     write_whole({place: "all of it"})
    ...     place.read_text()
    'all of it'
    """
    written: list[tuple[Path, Path]] = []
    try:
        for named, text in texts.items():
            check_place(named)
            if named.exists() and not named.is_file():
                with about(named), named.open("w", encoding="utf-8") as stream:
                    stream.write(text)
                continue
            place = named.resolve()
            with about(named):
                handle, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
                written.append((Path(name), place))
                with os.fdopen(handle, "w", encoding="utf-8") as stream:
                    stream.write(text)
                    stream.flush()
                    os.fsync(stream.fileno())
                Path(name).chmod(0o644)
        for temporary, place in written:
            with about(place):
                temporary.replace(place)
    except BaseException:
        for temporary, _ in written:
            temporary.unlink(missing_ok=True)
        raise
