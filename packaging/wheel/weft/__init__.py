# SPDX-License-Identifier: MIT
"""Where this environment's OpenCL driver Weft is, for OpenCL loaders."""

import hashlib
import os
import pathlib
import tempfile

_package = pathlib.Path(__file__).resolve().parent


def library_path():
    """The driver's library, as OCL_ICD_FILENAMES of the Khronos loader or OCL_ICD_VENDORS of ocl-icd takes it (str)."""
    return str(_package / "lib" / "libweft.so.1")


def icd_path():
    """A file `weft.icd` that names the driver's library by its whole path (str).

    OpenCL loaders take it, or the folder that it is in, as OCL_ICD_VENDORS. It is written when it does not name this
    library yet: in this package, or, when that cannot be written to, in the user's cache ($XDG_CACHE_HOME or ~/.cache).
    Raises OSError when neither can be written to.
    """
    content = os.fsencode(library_path()) + b"\n"  # a path may have bytes that are no text
    for folder in _folders():
        path = folder / "weft.icd"
        try:
            if not (path.is_file() and path.read_bytes() == content):
                _write(path, content)
            return str(path)
        except OSError as e:
            error = e
    raise error


def _folders():
    """Where the file may be, the best first. Not every user has a home; a cache with a relative path is to be ignored."""
    yield _package / "vendors"
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        cache = os.path.expanduser("~/.cache")
    if os.path.isabs(cache):
        # Environments share the cache: one folder for each package. Its path may be longer than a name can be.
        name = hashlib.sha256(os.fsencode(_package)).hexdigest()
        yield pathlib.Path(cache, "weft", "vendors", name)


def _write(path, content):
    """Another process may read or write the same file: it is replaced as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise


def activate():
    """Lets the OpenCL loader of this process, and of those that it starts, find Weft and no other driver.

    Sets OCL_ICD_VENDORS and OCL_ICD_FILENAMES; to be called before the first OpenCL call. PyOpenCL's wheels need no
    call: their loader finds Weft beside the system's drivers. Raises OSError where the path has a colon, which no list of
    paths can have, and no folder for `weft.icd` can be written to.
    """
    library = library_path()
    if ":" in library:
        os.environ["OCL_ICD_VENDORS"] = os.path.dirname(icd_path())
        os.environ.pop("OCL_ICD_FILENAMES", None)
    else:
        os.environ["OCL_ICD_VENDORS"] = library
        os.environ["OCL_ICD_FILENAMES"] = library
