# SPDX-License-Identifier: MIT
"""The functions of functions.def, and kernels of them."""
import collections
import pathlib
import re

ROW = re.compile(r"^(FUNCTION|NATIVE|WHOLE)\((\w+), (\d), (\S+), (\S+), \w+\)$", re.MULTILINE)

Function = collections.namedtuple("Function", "name arguments low high has_native second_is_whole")

# How a kernel reaches its values: what it does with TYPE, CALL and WHERE it is.
ACCESSES = {
    "plain": "out[i] = {call};",
    "guarded": "if (a[i] != 0x1p-60f) out[i] = {call};",
    "gathered": "out[i] = {call};",
    "scattered": "out[p[i]] = {call};",
    "masked": "if (p[i] & 1) out[i] = {call};",
    "leaving": "{kind} sum = 0; for (int k = p[i] & 7; k > 0; k--) sum = sum * 0.5f + {call}; out[i] = sum;",
}
PRAGMAS = {"half": "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n", "double": "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"}


def functions():
    text = (pathlib.Path(__file__).resolve().parent / "functions.def").read_text()
    return [Function(name, int(arguments), float(low), float(high), macro == "NATIVE", macro == "WHOLE")
            for macro, name, arguments, low, high in ROW.findall(text)]


def function_of(name):
    return next(function for function in functions() if function.name == name)


def kernel_of(function, form, kind, access):
    place = {"gathered": "p[i]", "leaving": "i ^ k"}.get(access, "i")
    second = "" if function.arguments == 1 else f", (int)b[{place}]" if function.second_is_whole else f", b[{place}]"
    call = f"{form}{function.name}(a[{place}]{second})"
    return (f"{PRAGMAS.get(kind, '')}kernel void run(global const {kind} *a, global const {kind} *b, global {kind} *out, "
            f"global const int *p) {{\n\tsize_t i = get_global_id(0);\n\t{ACCESSES[access].format(call=call, kind=kind)}\n}}\n")
