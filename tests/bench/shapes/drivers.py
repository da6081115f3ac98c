# SPDX-License-Identifier: MIT
"""Drivers as the command line names them, and a process that measures on each.

A driver is NAME=VENDORS[,VARIABLE=VALUE]…, as for the kernel benchmark: a folder of .icd files, or one such file.
"""
import contextlib
import json
import os
import pathlib
import select
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ANSWER_SECONDS = 60.0


class Driver:
    def __init__(self, text):
        name, separator, rest = text.partition("=")
        if not separator:
            raise ValueError(f"{text}: a driver is NAME=VENDORS[,VARIABLE=VALUE]...")
        vendors, *settings = rest.split(",")
        self.name = name
        self.vendors = pathlib.Path(vendors).resolve()
        self.settings = dict(setting.split("=", 1) for setting in settings)

    def environment(self, folder):
        """For a process that finds this driver alone and keeps what it caches in the folder."""
        vendors = self.vendors
        if vendors.is_file():  # some loaders take folders only
            vendors = pathlib.Path(folder) / f"vendors.{self.name}"
            vendors.mkdir(exist_ok=True)
            with contextlib.suppress(FileExistsError):
                (vendors / "driver.icd").symlink_to(self.vendors)
        cache = str(pathlib.Path(folder) / f"cache.{self.name}")
        os.makedirs(cache, exist_ok=True)
        return {**os.environ, "OCL_ICD_VENDORS": str(vendors), "XDG_CACHE_HOME": cache, "WEFT_CACHE_DIR": cache,
                "POCL_CACHE_DIR": cache, "PYOPENCL_NO_CACHE": "1", "PYTHONDONTWRITEBYTECODE": "1", **self.settings}


class Failed(Exception):
    """The process has failed at a request; the text says how."""


class Process:
    """A measured process, which is stopped between its requests and begun anew after it has ended or hung."""

    def __init__(self, driver, folder, program=HERE / "measured.py"):
        self.driver, self.folder, self.program, self.process = driver, folder, program, None

    def _start(self):
        log = open(pathlib.Path(self.folder) / f"log.{self.driver.name}", "a")
        with log:
            self.process = subprocess.Popen([sys.executable, str(self.program)], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=log, text=True,
                                            env=self.driver.environment(self.folder))

    def ask(self, *request):
        """The answer to a request; raises Failed."""
        if not self.process:
            self._start()
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        ready, _, _ = select.select([self.process.stdout], [], [], ANSWER_SECONDS)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            how = f"ended with {self.process.wait()}" if ready else "hung"
            self.end()
            raise Failed(how)
        self.process.send_signal(signal.SIGSTOP)
        answer = json.loads(line)
        if "failed" in answer:
            raise Failed(answer["failed"])
        return answer

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
        self.process = None
