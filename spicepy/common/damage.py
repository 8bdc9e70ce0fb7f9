"""Damaged files: any error that a library raises for one becomes a sentence.

In: the name of a file that a library reads. Out: an `InputError` that begins with that
name, in place of the library's own exceptions. Libraries of formats (pyarrow, zipfile,
pickle) raise nearly anything at a flipped bit, so that no list of types is complete.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from spicepy.common.errors import InputError, SpicepyError, shown
from spicepy.common.files import name_of

Item = TypeVar("Item")
_SHOWN = 200  # The number of characters shown of a library's message.


@contextmanager
def readable(path: str | Path, form: str) -> Iterator[None]:
    """Turn errors in the `with` block into errors that name the file.

    The block must only read this file.

    Args:
        path: The file.
        form: The format it should have, such as "Parquet".

    Raises:
        InputError: The block raised anything but an error of spicepy's own.
    """
    name = name_of(path)
    try:
        yield
    except SpicepyError:
        raise
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except MemoryError:
        raise InputError(
            f"{name}: cannot be read (it needs more memory than there is, or is "
            f"damaged {form})"
        ) from None
    except Exception as error:
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{name}: cannot be read ({error.strerror})") from None
        raise InputError(f"{name}: cannot be read ({_reason(error, form)})") from None


def each_readable(items: Iterable[Item], path: str | Path, form: str) -> Iterator[Item]:
    """Pass items on; turn errors in making one into errors that name the file.

    Args:
        items: The values that the library reads from the file, made one by one.
        path: The file, as for `readable`.
        form: The form of the file, as for `readable`.

    Raises:
        InputError: As for `readable`; not for what the taker of the items raises.
    """
    arriving = iter(items)
    while True:
        with readable(path, form):
            try:
                item = next(arriving)
            except StopIteration:
                return
        yield item


def _reason(error: Exception, form: str) -> str:
    text = str(error).strip().split("\n")[0] or type(error).__name__
    clear = text.encode("utf-8", "backslashreplace").decode()
    clear = clear if clear.isprintable() else shown(clear)
    return f"damaged {form}, or none: {clear[:_SHOWN]}"
