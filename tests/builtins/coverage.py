#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the built-in library with what Clang declares: nothing missing, nothing extra.

    coverage.py CLANG HEADERS LIBRARY

HEADERS is Clang's folder with opencl-c.h, which lists every overload of every version and feature. What
the library leaves out has its reason below.
"""
import json
import re
import struct
import subprocess
import sys
import tempfile

# Name pattern: reason.
LEFT_OUT = {
    r"printf": "lowered by a pass",
    r".*image.*": "images come with the image support",
    r".*pipe.*|is_valid_reserve_id": "pipes are not offered",
    r"enqueue_.*|retain_event|release_event|create_user_event|set_user_event_status|is_valid_event"
    r"|capture_event_profiling_info|get_default_queue|ndrange_.D|get_kernel_.*":
        "device-side enqueue is not offered",
    r"amd_.*|intel_.*": "vendors' extensions",
}

# The library defines these for code that no header declares: Clang emits the calls itself, or declares
# them in its table alone.
EXTRA = {r"__to_(global|local|private)": "the address space qualifier functions"}

# Options under which the header is read: with and without the generic address space. (Without it, the
# header declares float atomics on private pointers, which no program can mean.)
READINGS = (
    ("-cl-std=CL3.0", "-cl-ext=+all"),
    ("-cl-std=CL3.0", "-cl-ext=+all,-__opencl_c_generic_address_space,-__opencl_c_pipes,"
     "-__opencl_c_device_enqueue,-cl_ext_float_atomics"),
    ("-cl-std=CL1.2", "-cl-ext=+all,-cl_ext_float_atomics"),
    ("-cl-std=CL2.0", "-cl-ext=+all"),
)


def declared(clang, headers):
    """Mangled name → plain name of everything the header declares."""
    result = {}
    for options in READINGS:
        with tempfile.NamedTemporaryFile(suffix=".cl", mode="w") as source:
            dump = subprocess.run(
                [clang, "-cc1", "-triple", "spir64", *options, "-finclude-default-header",
                 "-internal-isystem", headers, "-x", "cl", "-ast-dump=json", source.name],
                check=True, stdout=subprocess.PIPE).stdout
        for node in json.loads(dump)["inner"]:
            if node["kind"] == "FunctionDecl":
                result[node.get("mangledName", node["name"])] = node["name"]
    return result


def defined(path):
    """The names in the library (library_format.h)."""
    with open(path, "rb") as file:
        data = file.read()
    _, num_members, num_symbols, size = struct.unpack_from("<QIIQ", data)
    assert size == len(data), "the library's size"
    names = []
    for i in range(num_symbols):
        offset, _ = struct.unpack_from("<II", data, 24 + 8 * num_members + 8 * i)
        names.append(data[offset:data.index(b"\0", offset)].decode())
    assert names == sorted(names), "the order of the symbols"
    return set(names)


def reason(name, table):
    for pattern, why in table.items():
        if re.fullmatch(pattern, name):
            return why
    return None


def main():
    clang, headers, library = sys.argv[1:4]
    wanted, have = declared(clang, headers), defined(library)
    missing, left_out = [], {}
    for mangled, name in wanted.items():
        why = reason(name, LEFT_OUT)
        if why is not None:
            left_out.setdefault(why, set()).add(mangled)
        elif mangled not in have:
            missing.append(mangled)
    extra = [name for name in have if name not in wanted and reason(name, EXTRA) is None]
    for why, names in sorted(left_out.items()):
        print(f"left out, {why}: {len(names)}")
    print(f"declared {len(wanted)}, defined {len(have)}, missing {len(missing)}, extra {len(extra)}")
    for title, names in (("missing", missing), ("extra", extra)):
        for name in sorted(names):
            print(title, name)
    return bool(missing or extra)


if __name__ == "__main__":
    sys.exit(main())
