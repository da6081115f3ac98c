#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the built-in library with what programs see declared: nothing missing, nothing extra.

    coverage.py CLANG HEADERS DECLARATIONS EXTENSIONS LIBRARY

HEADERS is Clang's folder with opencl-c.h, which lists every overload of every version and feature; DECLARATIONS is our
own header with what Clang does not know; EXTENSIONS names what devices offer (extensions.def). What the library leaves
out has its reason below. Then a program that calls every overload, compiled as the compiler does it, with Clang's tables
instead of opencl-c.h, must find all that it calls.
"""
import json
import re
import struct
import subprocess
import sys
import tempfile

# Pattern of the name, or of the mangled one: reason.
LEFT_OUT = {
    r"_Z\d+.*ocl_image\w*msaa.*": "multi-sampled images are shared with OpenGL, which is not offered",
    r"_Z\d+read_image.*_rw11ocl_sampler.*|_Z\d+write_image.*_rw(Dv\d_)?ii.*":
        "the specification has levels of detail for read_only and write_only images alone, and so has Clang's table",
    r"printf": "lowered by a pass",
    r"amd_.*|intel_sub_group_(avc|ime|block_prefetch)_?.*": "vendors' extensions that are not offered",
    r"intel_sub_group_block_(read|write)_ul16|_Z\d+intel_sub_group_block_write_ui\d?14ocl_image2d_ro.*":
        "not in the text of Intel's extensions: longs by sixteen, and writing what is only read",
}

# The library defines these for code that no header declares: Clang emits the calls itself, or declares
# them in its table alone; or other functions of the library call them.
EXTRA = {r"_Z\d+__weft_relaxed_.*": "for -cl-fast-relaxed-math (relaxed_math.cpp)",
         r"__to_(global|local|private)": "the address space qualifier functions",
         r"_Z\d+atomic_store.*AtomicDhS_.*": "the table's value of an atomic half is atomic itself",
         r"_Z\d+__weft_estimated_.*": "for CPUs with fine estimates (relaxed_math.cpp)",
         r"_Z\d+__weft_direct_.*": "for CPUs that take numbers apart (relaxed_math.cpp)",
         r"__weft_precompiled_\w+": "bodies of precompiled functions",
         r"__enqueue_kernel_\w+": "Clang's calls for enqueue_kernel",
         r"__get_kernel_\w+_impl": "Clang's calls for queries of blocks",
         r"__weft_once_\w+": "run once for a group",
         r"__\w*(read|write|get)_pipe_\w+|__\w*(reserve|commit)_\w+_pipe": "Clang's calls for functions of pipes",
         r"__weft_image_\w+_code": "for images whose format is known (inline_image_accesses.cpp)"}

# Options under which the header is read: with and without the generic address space. (Without it, the
# header declares float atomics on private pointers, which no program can mean.)
READINGS = (
    ("-cl-std=CL3.0", "-cl-ext=+all"),
    ("-cl-std=CL3.0", "-cl-ext=+all,-__opencl_c_generic_address_space,-__opencl_c_pipes,"
     "-__opencl_c_device_enqueue,-cl_ext_float_atomics"),
    ("-cl-std=CL1.2", "-cl-ext=+all,-cl_ext_float_atomics"),
    ("-cl-std=CL2.0", "-cl-ext=+all"),
)


# The macros under which our own header declares something.
OWN = ("-Dcl_khr_extended_async_copies=1", "-Dcl_khr_work_group_uniform_arithmetic=1",
       "-Dcl_intel_split_work_group_barrier=1", "-Dcl_intel_bfloat16_conversions=1", "-Dcl_intel_subgroups=1",
       "-Dcl_intel_subgroups_char=1", "-Dcl_intel_subgroups_short=1", "-Dcl_intel_subgroups_long=1", "-D__IMAGE_SUPPORT__=1")


def declared(clang, headers, declarations):
    """Mangled name → (plain name, type) of everything the headers declare."""
    result = {}
    for options in READINGS:
        with tempfile.NamedTemporaryFile(suffix=".cl", mode="w") as source:
            dump = subprocess.run(
                [clang, "-cc1", "-triple", "spir64", *options, "-finclude-default-header",
                 "-internal-isystem", headers, *OWN, "-include", declarations, "-x", "cl", "-ast-dump=json",
                 source.name],
                check=True, stdout=subprocess.PIPE).stdout
        for node in json.loads(dump)["inner"]:
            if node["kind"] == "FunctionDecl":
                result[node.get("mangledName", node["name"])] = (node["name"], node["type"]["qualType"])
    return result


def caller(index, name, function_type):
    """A function that calls one with its declared arguments."""
    parameters = re.match(r"[^(]*\((.*?)\)", function_type)[1]
    types = [] if parameters in ("void", "") else parameters.split(", ")
    names = [f"a{i}" for i in range(len(types))]
    declared_parameters = ", ".join(f"{t} {n}" for t, n in zip(types, names))
    return f"void call{index}({declared_parameters}) {{ (void){name}({', '.join(names)}); }}"


def called(clang, headers, declarations, extensions, functions):
    """The mangled names that a program calls which calls every function of OpenCL C 3.0."""
    with open(extensions, encoding="utf-8") as file:
        macros = [f"-D{name}=1" for name in re.findall(r"\((__opencl_c_\w+)\)", file.read())]
    lines = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable"]
    lines += [caller(i, *function) for i, function in enumerate(functions)]
    module = subprocess.run(
        [clang, "-cc1", "-triple", "spir64", "-cl-std=CL3.0", "-cl-ext=+all", "-fdeclare-opencl-builtins",
         "-internal-isystem", headers, *OWN, *macros, "-include", "opencl-c-base.h", "-include", declarations,
         "-w", "-emit-llvm", "-disable-llvm-passes", "-x", "cl", "-", "-o", "-"],
        input="\n".join(lines), check=True, stdout=subprocess.PIPE, text=True).stdout
    return {name for name in re.findall(r"^declare .*?@([\w.]+)\(", module, re.MULTILINE)
            if not name.startswith("llvm.")}


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
    clang, headers, declarations, extensions, library = sys.argv[1:6]
    wanted, have = declared(clang, headers, declarations), defined(library)
    missing, left_out, offered = [], {}, []
    for mangled, function in wanted.items():
        why = reason(function[0], LEFT_OUT) or reason(mangled, LEFT_OUT)
        if why is not None:
            left_out.setdefault(why, set()).add(mangled)
            continue
        offered.append(function)
        if mangled not in have:
            missing.append(mangled)
    extra = [name for name in have if name not in wanted and reason(name, EXTRA) is None]
    not_found = called(clang, headers, declarations, extensions, offered) - have
    for why, names in sorted(left_out.items()):
        print(f"left out, {why}: {len(names)}")
    print(f"declared {len(wanted)}, defined {len(have)}, missing {len(missing)}, extra {len(extra)}, "
          f"called and not found {len(not_found)}")
    for title, names in (("missing", missing), ("extra", extra), ("not found", not_found)):
        for name in sorted(names):
            print(title, name)
    return bool(missing or extra or not_found)


if __name__ == "__main__":
    sys.exit(main())
