"""A cache of machine code on disk that loads fast and checks every file before it runs it.

The files are Numba's own, in the user's cache folder, and reading one unpickles it. Each begins
with a digest of the rest, so a file that was cut or changed by accident is neither unpickled nor
run. A damaged file or a read-only folder costs a compilation and a line on the error output; it
never stops the program.
"""

import hashlib
import pickle
from importlib import import_module
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from ono99_env.jit.notice import NOTICE

_DIGEST_SIZE = 32


class DamagedFileError(Exception):
    """A file of the cache does not hold what was written to it."""


class CheckedFiles(IndexDataCacheFile):
    """Numba's index and data files of one function, each with a digest in front.

    The digest of machine code covers the key as well: two processors that share a folder may name
    their files alike, and must not run each other's code.
    """

    def load(self, key: Any) -> Any:
        """Return the data saved with a key, or None if there is none.

        Raises:
            DamagedFileError: If a file does not hold what was written to it.
        """
        name = self._load_index().get(key)
        if name is None:
            return None
        path = Path(self._data_path(name))  # type: ignore[no-untyped-call]
        return _unpickled(path, _key_bytes(key)) if path.exists() else None

    def save(self, key: Any, data: Any) -> None:
        """Keep data with a key; a damaged file is replaced."""
        try:
            overloads = self._load_index()
        except DamagedFileError:
            overloads = {}
        name = overloads.get(key) or self._unused_name(set(overloads.values()))
        self._write(Path(self._data_path(name)), data, _key_bytes(key))  # type: ignore[no-untyped-call]
        if overloads.get(key) != name:
            index = (self._version, self._source_stamp, {**overloads, key: name})
            self._write(Path(self._index_path), index, b"")

    def _load_index(self) -> dict[Any, str]:
        """Return the names of data files by key; none if another version or source wrote them."""
        path = Path(self._index_path)
        if not path.exists():
            return {}
        version, stamp, overloads = _unpickled(path, b"")
        is_current = (version, stamp) == (self._version, self._source_stamp)
        return dict(overloads) if is_current else {}

    def _unused_name(self, used: set[str]) -> str:
        numbers = range(1, len(used) + 2)
        names = (str(self._data_name(number)) for number in numbers)  # type: ignore[no-untyped-call]
        return next(name for name in names if name not in used)

    def _write(self, path: Path, data: Any, key: bytes) -> None:
        content = dumps(data)  # type: ignore[no-untyped-call]
        with self._open_for_write(str(path)) as file:
            file.write(_digest(key, content) + content)


class MachineCodeCache(FunctionCache):
    """Numba's cache of a function, which loads machine code in a third of the time.

    Numba fills its registries of types and functions before it looks into a cache. That takes a
    quarter of a second, and twice as long where SciPy is installed. Machine code needs only the
    runtime that counts references. If a function is not in the cache, the compiler fills the
    registries itself.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = CheckedFiles(  # type: ignore[no-untyped-call]
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the function compiled for a signature, or None if it is not in the cache."""
        rtsys.initialize(target_context)
        try:
            return self._load_overload(sig, target_context)
        except OSError as error:
            NOTICE.say_unreadable(self._cache_path, error.strerror or str(error))
        except Exception as error:  # unpickling raises nearly everything
            NOTICE.say_unreadable(self._cache_path, str(error) or type(error).__name__)
        return None

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        data = self._cache_file.load(self._index_key(sig, target_context.codegen()))  # type: ignore[no-untyped-call]
        if data is None:
            return None
        dependencies, code = data
        for module, name, arguments in dependencies:
            getattr(import_module(module), name).compile(arguments)
        return self._impl.rebuild(target_context, code)

    def _save_overload(self, sig: Any, data: Any) -> None:
        if not self._impl.check_cachable(data):
            return
        self._impl.locator.ensure_cache_path()
        dependencies = [tuple(dependency) for dependency in data.library.dependencies]
        code = dependencies, self._impl.reduce(data)
        self._cache_file.save(self._index_key(sig, data.codegen), code)  # type: ignore[no-untyped-call]

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the function compiled for a signature, if the disk allows it."""
        try:
            self._save_overload(sig, data)
        except OSError as error:
            NOTICE.say_unwritable(self._cache_path, error.strerror or str(error))


def _unpickled(path: Path, key: bytes) -> Any:
    """Return what a file holds.

    Raises:
        DamagedFileError: If its digest does not fit, or it cannot be unpickled.
    """
    content = path.read_bytes()
    digest, data = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
    if digest != _digest(key, data):
        raise DamagedFileError(f"{path.name} is damaged")
    try:
        return pickle.loads(data)
    except Exception as error:
        raise DamagedFileError(f"{path.name} cannot be read ({error})") from error


def _key_bytes(key: Any) -> bytes:
    """Return signature, processor and function as bytes that are the same in every process."""
    return repr((str(key[0]), *key[1:])).encode()


def _digest(key: bytes, data: bytes) -> bytes:
    digest = hashlib.sha256(key)
    digest.update(data)
    return digest.digest()
