# SPDX-License-Identifier: MIT
"""Kernels, and graphs of kernels, that files of JSON describe, over the OpenCL devices of this machine (docs/schedule.md).

    from weft.schedule import Schedule

    with Schedule(devices="cpu:2", strategy="heft") as schedule:
        schedule.read("graph.json")
        schedule.run()
        print(schedule.summary()["makespan"])
        numbers = numpy.frombuffer(schedule.buffer("1", 2), numpy.float32)

It is the library libweft-schedule, called by ctypes. A Schedule is used by one thread at a time.
"""

import ctypes
import glob
import os
import pathlib


class ScheduleError(RuntimeError):
    """A file is wrong, a kernel has failed, or a result is not the right one; the message says which."""


_Progress = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)


class _Options(ctypes.Structure):
    _fields_ = [("devices", ctypes.c_char_p), ("strategy", ctypes.c_char_p), ("own_strategy", ctypes.c_void_p),
                ("sources", ctypes.c_char_p), ("rates", ctypes.c_char_p), ("opencl_library", ctypes.c_char_p),
                ("progress", _Progress), ("progress_data", ctypes.c_void_p)]


class _Summary(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("kernels", "parts", "devices")] + [
        (name, ctypes.c_double) for name in ("makespan", "busy", "critical_path", "lower_bound", "transferred")]


def _open():
    """The library of this package, or the one that the dynamic linker finds."""
    own = pathlib.Path(__file__).resolve().parent / "lib" / "libweft-schedule.so.1"
    library = ctypes.CDLL(str(own) if own.exists() else own.name)
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (
            ("create_sized", pointer, [ctypes.POINTER(_Options), ctypes.c_size_t]), ("destroy", None, [pointer]),
            ("error", text, [pointer]),
            ("set", ctypes.c_bool, [pointer, text, ctypes.c_longlong]), ("read", ctypes.c_bool, [pointer, text]),
            ("run", ctypes.c_bool, [pointer]), ("verify", ctypes.c_bool, [pointer]),
            ("buffer", pointer, [pointer, text, ctypes.c_uint, ctypes.POINTER(ctypes.c_size_t)]),
            ("summarise_sized", None, [pointer, ctypes.POINTER(_Summary), ctypes.c_size_t]),
            ("write_gantt", ctypes.c_bool, [pointer, text]), ("write_trace", ctypes.c_bool, [pointer, text]),
            ("write_features", ctypes.c_bool, [pointer, text])):
        function = getattr(library, "weft_schedule_" + name)
        function.restype, function.argtypes = result, arguments
    return library


def _pyopencl_loader():
    """The loader in PyOpenCL's wheels; None: there is none. It needs a variable that the package sets when it is imported."""
    try:
        import pyopencl
    except ImportError:
        return None
    found = glob.glob(os.path.join(os.path.dirname(pyopencl.__file__), ".libs", "libOpenCL*.so*"))
    return found[0] if found else None


def _encode(text):
    """For C, which would take a zero character for the end."""
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ScheduleError(f"{text!r} has a zero character")
    return encoded


def _encode_option(text):
    return None if text is None else _encode(text)


def _check_range(what, number, least, most):
    """ctypes would take the lower bits of what is out of the range."""
    if not least <= number <= most:
        raise ScheduleError(f"{what} is not from {least} to {most}: {number}")


class Schedule:
    """Reads files, runs their kernels, and has the results.

    devices: words with commas between them, such as "cpu:2,gpu"; None: the first CPU and all devices that are none.
    strategy: a name that `weft schedule --strategies` lists. sources: a folder where kernels' sources are, too.
    rates: a file in which measured rates, and what whole runs have taken, are kept. opencl_library: the OpenCL loader; None: PyOpenCL's, or the system's.
    progress: a function that run and verify call with the share of the kernels that has ended, from 0 to 1.
    Functions raise ScheduleError.
    """

    def __init__(self, devices=None, strategy=None, sources=None, rates=None, opencl_library=None, progress=None):
        self._library = _open()
        self._progress = _Progress(lambda _, share: progress(share)) if progress else _Progress()
        options = _Options(_encode_option(devices), _encode_option(strategy), None, _encode_option(sources), _encode_option(rates),
                           _encode_option(opencl_library or _pyopencl_loader()), self._progress, None)
        self._schedule = self._library.weft_schedule_create_sized(ctypes.byref(options), ctypes.sizeof(options))
        if not self._schedule:
            raise MemoryError

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Frees all that the schedule has; it cannot be used afterwards."""
        if self._schedule:
            self._library.weft_schedule_destroy(self._schedule)
        self._schedule = None

    def _call(self, name, *arguments):
        if not self._schedule:
            raise ScheduleError("the schedule is closed")
        if not getattr(self._library, "weft_schedule_" + name)(self._schedule, *arguments):
            raise ScheduleError(os.fsdecode(self._library.weft_schedule_error(self._schedule)))

    def set(self, name, value):
        """Gives a name of the files' expressions a value (int). To be called before the files are read."""
        _check_range("the value", value, -2**63, 2**63 - 1)
        self._call("set", _encode(name), value)

    def read(self, path):
        """Adds the kernels of a file."""
        self._call("read", _encode(path))

    def run(self):
        """Runs all kernels; writes and checks what the files ask for."""
        self._call("run")

    def verify(self):
        """Runs all kernels one after the other on the first device, and compares the results bit for bit."""
        self._call("verify")

    def write_gantt(self, path):
        """Draws the last run (SVG)."""
        self._call("write_gantt", _encode(path))

    def write_trace(self, path):
        """Writes the last run for Perfetto."""
        self._call("write_trace", _encode(path))

    def write_features(self, path):
        """Writes what Weft's compiler says of the kernels of the last run (JSON)."""
        self._call("write_features", _encode(path))

    def buffer(self, label, pos):
        """A copy (bytes) of a kernel's argument `pos` after a run. The label is its id, or "N/id" in the Nth file."""
        size = ctypes.c_size_t()
        data = None
        _check_range("pos", pos, 0, 2**32 - 1)
        if self._schedule:
            data = self._library.weft_schedule_buffer(self._schedule, _encode(str(label)), pos, ctypes.byref(size))
        if not data:
            raise ScheduleError(f"kernel '{label}' has not run, or its argument {pos} is no buffer")
        return ctypes.string_at(data, size.value)

    def summary(self):
        """Numbers of the last run (dict): kernels, parts, devices; makespan, busy, critical_path and lower_bound in seconds;
        transferred in bytes."""
        summary = _Summary()
        if not self._schedule:
            raise ScheduleError("the schedule is closed")
        self._library.weft_schedule_summarise_sized(self._schedule, ctypes.byref(summary), ctypes.sizeof(summary))
        return {name: getattr(summary, name) for name, _ in _Summary._fields_}
