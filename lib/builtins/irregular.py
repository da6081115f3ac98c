# SPDX-License-Identifier: MIT
"""Members whose overloads follow none of families.py's signatures: conversions, vector data load and
store, atomics, copies, shuffles, work-group collectives, sub-groups and bfloat16. One function makes each member's text."""

from families import ALL, FLOATS, INTEGERS, SIGNED, SIZES, UNSIGNED, VECTORS
from overloads import BITS, lanes, vector

_HEAD = ["/* Made by generate.py: change irregular.py or the file with the bodies. */",
         '#include "prelude.h"', '#include "overloads.h"']

READABLE = ("__private", "__generic", "__global", "__local", "__constant")
WRITABLE = ("__private", "__generic", "__global", "__local")
SHARED = ("__global", "__local")


def text(lines, include=None):
    return "\n".join(_HEAD + ([f'#include <{include}>'] if include else []) + lines) + "\n"


def _range(element):
    """The least and the greatest value, as OpenCL C literals."""
    bits = BITS[element]
    if element in UNSIGNED:
        return "0", f"{2 ** bits - 1}{'ul' if bits == 64 else 'u'}"
    suffix = "l" if bits == 64 else ""
    return f"(-{2 ** (bits - 1) - 1}{suffix} - 1)", f"{2 ** (bits - 1) - 1}{suffix}"


# ---------------------------------------------------------------------------------------------------
# convert_<type>[_sat][_rounding]: specification 6.4.3. Members are pairs of element types.

_MODES = ("", "_rte", "_rtz", "_rtp", "_rtn")
_TO_WHOLE = {"_rte": "rint", "_rtp": "ceil", "_rtn": "floor"}


def _whole_to_whole(to, source, n, saturate):
    t, s = vector(to, n), vector(source, n)
    value = "a"
    if saturate:
        low, high = _range(to)
        if source in SIGNED and (to in UNSIGNED or BITS[to] < BITS[source]):
            value = f"__builtin_elementwise_max({value}, ({s}){low})"
        if BITS[to] < BITS[source] or (BITS[to] == BITS[source] and to in SIGNED and source in UNSIGNED):
            value = f"__builtin_elementwise_min({value}, ({s}){high})"
    return f"({t}){value}" if n == 1 else f"__builtin_convertvector({value}, {t})"


def _float_to_whole(to, source, n, mode):
    """Casts of the library saturate, and give NaN as 0 (CMakeLists.txt). Half goes through float, which is exact.

    Not rint for half: LLVM 22 narrows it and drops it before one scalar conversion (AVX512-FP16).
    """
    t = vector(to, n)
    work = "float" if source == "half" else source
    w = vector(work, n)
    lines = [f"{w} x = " + ("a" if source == work else f"CONVERT({w}, a)") + ";"]
    if mode in _TO_WHOLE:
        rounding = "nearbyint" if source == "half" and mode == "_rte" else _TO_WHOLE[mode]
        lines.append(f"x = __builtin_elementwise_{rounding}(x);")
    return lines + [f"return CONVERT({t}, x);"]


def _exact(to, source):
    """Whether every value of source has a place in to."""
    digits = {"half": 11, "float": 24, "double": 53}
    if source in FLOATS:
        return digits[to] >= digits[source]
    if to == "half":
        return BITS[source] == 8
    return BITS[source] - (source in SIGNED) <= digits[to]


def _rounded(to, value, mode):
    """A number as one with fewer digits. Casts round to nearest even."""
    return f"({to}){value}" if mode in ("", "_rte") else f"{to}_from{mode}({value})"


def _convert(to, source, n, saturate, mode):
    t, s = vector(to, n), vector(source, n)
    name = f"convert_{t}{'_sat' if saturate else ''}{mode}"
    if to in INTEGERS and source in INTEGERS:
        lines = [f"return {_whole_to_whole(to, source, n, saturate)};"]
    elif to in INTEGERS:
        lines = _float_to_whole(to, source, n, mode)
    elif to == source:
        lines = ["return a;"]
    elif _exact(to, source) or mode in ("", "_rte"):
        lines = [f"return CONVERT({t}, a);"]
    elif n == 1:
        lines = [f"return {_rounded(to, 'a', mode)};"]
    else:
        lines = [f"return ({t})(" + ", ".join(_rounded(to, f"a.{l}", mode) for l in lanes(n)) + ");"]
    body = "\n\t".join(lines).replace("CONVERT(", "CONVERT1(" if n == 1 else "CONVERTN(")
    return f"WEFT {t} {name}({s} a)\n{{\n\t{body}\n}}"


def _convert_member(to, source):
    lines = []
    for n in SIZES:
        for saturate in (False, True) if to in INTEGERS else (False,):
            for mode in _MODES:
                lines.append(_convert(to, source, n, saturate, mode))
    return text(lines, "rounding.cl" if to in FLOATS else None)


# ---------------------------------------------------------------------------------------------------
# Vector data load and store: 6.15.7.

def _vload_vstore():
    lines = []
    for element in ALL:
        for n in VECTORS:
            t = vector(element, n)
            if n != 3:
                lines.append(f"typedef {t} packed_{t} __attribute__((aligned({BITS[element] // 8})));")
            for space in READABLE:
                at = f"p + i * {n}"
                load = (f"*(const {space} packed_{t} *)({at})" if n != 3 else
                        f"({t})(p[i * 3], p[i * 3 + 1], p[i * 3 + 2])")
                lines.append(f"WEFT {t} vload{n}(size_t i, const {space} {element} *p)\n{{\n\treturn {load};\n}}")
            for space in WRITABLE:
                store = (f"*({space} packed_{t} *)(p + i * {n}) = a;" if n != 3 else
                         "p[i * 3] = a.s0;\n\tp[i * 3 + 1] = a.s1;\n\tp[i * 3 + 2] = a.s2;")
                lines.append(f"WEFT void vstore{n}({t} a, size_t i, {space} {element} *p)\n{{\n\t{store}\n}}")
    return text(lines)


def _vload_half():
    lines = []
    for space in READABLE:
        for n in SIZES:
            suffix = "" if n == 1 else str(n)
            t = vector("float", n)
            for prefix, stride in (("vload", n), ("vloada", 4 if n == 3 else n)):
                if n == 1 and prefix == "vloada":
                    continue
                values = [f"(float)p[i * {stride} + {k}]" for k in range(n)]
                lines.append(f"WEFT {t} {prefix}_half{suffix}(size_t i, const {space} half *p)\n{{\n"
                             f"\treturn ({t})({', '.join(values)});\n}}")
    return text(lines)


def _vstore_half():
    lines = []
    for space in WRITABLE:
        for source in ("float", "double"):
            for n in SIZES:
                suffix = "" if n == 1 else str(n)
                t = vector(source, n)
                for prefix, stride in (("vstore", n), ("vstorea", 4 if n == 3 else n)):
                    if n == 1 and prefix == "vstorea":
                        continue
                    for mode in _MODES:
                        values = ["a"] if n == 1 else [f"a.{l}" for l in lanes(n)]
                        stores = [f"p[i * {stride} + {k}] = {_rounded('half', v, mode)};"
                                  for k, v in enumerate(values)]
                        lines.append(f"WEFT void {prefix}_half{suffix}{mode}({t} a, size_t i, {space} half *p)\n"
                                     "{\n\t" + "\n\t".join(stores) + "\n}")
    return text(lines, "rounding.cl")


# ---------------------------------------------------------------------------------------------------
# shuffle, shuffle2: 6.15.12. Mask elements are as wide as the data's.

def _shuffle():
    lines = []
    unsigned = {8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}
    for element in ALL:
        for m in (2, 4, 8, 16):
            for n in (2, 4, 8, 16):
                t, r, k = vector(element, m), vector(element, n), vector(unsigned[BITS[element]], n)
                one = ", ".join(f"a[k.{l} & {m - 1}]" for l in lanes(n))
                lines.append(f"WEFT {r} shuffle({t} a, {k} k)\n{{\n\treturn ({r})({one});\n}}")
                if m < 16:
                    both = ", ".join(f"ab[k.{l} & {2 * m - 1}]" for l in lanes(n))
                    lines.append(f"WEFT {r} shuffle2({t} a, {t} b, {k} k)\n{{\n"
                                 f"\t{vector(element, 2 * m)} ab = ({vector(element, 2 * m)})(a, b);\n"
                                 f"\treturn ({r})({both});\n}}")
                else:
                    both = ", ".join(f"(k.{l} & 16 ? b[k.{l} & 15] : a[k.{l} & 15])" for l in lanes(n))
                    lines.append(f"WEFT {r} shuffle2({t} a, {t} b, {k} k)\n{{\n\treturn ({r})({both});\n}}")
    return text(lines)


# ---------------------------------------------------------------------------------------------------
# Copies between global and local memory, prefetch: 6.15.11.

def _copies():
    lines = []
    for element in ALL:
        for n in SIZES:
            t = vector(element, n)
            for to, source in (("__local", "__global"), ("__global", "__local")):
                head = f"{to} {t} *to, const {source} {t} *from, size_t count"
                # What moves is the three elements of a 3-vector and the padding after them.
                move = t if n != 3 else vector(element, 4)
                cast = f"(({to} {move} *)to)[%s] = ((const {source} {move} *)from)[%s];"
                gather, scatter = ("i", "i * stride") if to == "__local" else ("i * stride", "i")
                for name, extra, store, asked in (
                    ("copy", "", cast % ("i", "i"), "count * sizeof(*to), 1"),
                    ("strided_copy", ", size_t stride", cast % (gather, scatter), "sizeof(*to), count"),
                ):
                    lines.append(f"WEFT event_t async_work_group_{name}({head}{extra}, event_t event)\n{{\n"
                                 f"\tif (first_work_item()) {{\n\t\t__weft_request({asked});\n"
                                 f"\t\tfor (size_t i = 0; i < count; i++)\n\t\t\t{store}\n"
                                 "\t\t__weft_request_end();\n\t}\n\treturn event;\n}")
            lines.append(f"WEFT void prefetch(const __global {t} *p, size_t count)\n{{\n}}")
    return text(lines, "copies.cl")


# ---------------------------------------------------------------------------------------------------
# Atomics: 6.15.12.7 and the legacy functions of OpenCL C 1.x with their 64-bit extensions.

_LEGACY = (("add", "add", 2), ("sub", "sub", 2), ("xchg", "exchange_n", 2), ("inc", "add", 1),
           ("dec", "sub", 1), ("min", "min", 2), ("max", "max", 2), ("and", "and", 2), ("or", "or", 2),
           ("xor", "xor", 2), ("cmpxchg", None, 3))


def _legacy_atomics():
    lines = []
    for element in ("int", "uint", "long", "ulong"):
        for name, operation, arity in _LEGACY:
            for prefix in ("atomic_", "atom_") if BITS[element] == 32 else ("atom_",):
                for space in SHARED:
                    lines.append(_legacy(prefix + name, operation, arity, element, space))
    for space in SHARED:
        lines.append(f"WEFT float atomic_xchg(volatile {space} float *p, float a)\n{{\n"
                     f"\treturn as_float(__atomic_exchange_n(({space} int *)p, as_int(a), "
                     "__ATOMIC_RELAXED));\n}")
    return text(lines)


def _legacy(name, operation, arity, element, space):
    parameters = "".join(f", {element} {x}" for x in ("a", "b")[:arity - 1])
    head = f"WEFT {element} {name}(volatile {space} {element} *p{parameters})"
    plain = f"({space} {element} *)p"
    if operation is None:
        return (f"{head}\n{{\n\t__atomic_compare_exchange_n({plain}, &a, b, false, __ATOMIC_RELAXED, "
                "__ATOMIC_RELAXED);\n\treturn a;\n}")
    function = operation if operation == "exchange_n" else "fetch_" + operation
    return f"{head}\n{{\n\treturn __atomic_{function}({plain}, {'a' if arity == 2 else '1'}, __ATOMIC_RELAXED);\n}}"


_ATOMIC_TYPES = ("int", "uint", "long", "ulong", "float", "double")
_FETCH = ("add", "sub", "or", "xor", "and", "min", "max")
_ATOMIC_SPACES = ("__generic", "__global", "__local")


def _explicit_forms(name, parameters, orders, result, body):
    """The three forms of an atomic: plain (sequentially consistent), with orders, with orders and scope.
    `body` is a format over the order expressions."""
    plain = body.format(*["__ATOMIC_SEQ_CST"] * orders)
    explicit = body.format(*["order", "failure"][:orders])
    order_parameters = "".join(f", memory_order {x}" for x in ("order", "failure")[:orders])
    return [f"WEFT {result} {name}({parameters})\n{{\n\t{plain}\n}}",
            f"WEFT {result} {name}_explicit({parameters}{order_parameters})\n{{\n\t{explicit}\n}}",
            f"WEFT {result} {name}_explicit({parameters}{order_parameters}, memory_scope scope)\n"
            f"{{\n\t{explicit}\n}}"]


def _atomics_access():
    """atomic_init, load, store, exchange, compare_exchange: floating types travel as integers."""
    lines = []
    carrier = {"half": "ushort", "float": "uint", "double": "ulong"}
    for element in _ATOMIC_TYPES + ("half",):
        bits = carrier.get(element, element)
        for space in _ATOMIC_SPACES:
            p = f"volatile {space} atomic_{element} *p"
            q = f"({space} {bits} *)p"
            value = f"as_{bits}(a)"
            if element != "half":
                lines.append(f"WEFT void atomic_init({p}, {element} a)\n{{\n\t*{q} = {value};\n}}")
            lines += _explicit_forms("atomic_store", f"{p}, {element} a", 1, "void",
                                     f"__atomic_store_n({q}, {value}, {{}});")
            lines += _explicit_forms("atomic_load", p, 1, element,
                                     f"return as_{element}(__atomic_load_n({q}, {{}}));")
            lines += _explicit_forms("atomic_exchange", f"{p}, {element} a", 1, element,
                                     f"return as_{element}(__atomic_exchange_n({q}, {value}, {{}}));")
            if element == "half":
                # In Clang's table what is stored is atomic too.
                lines += _explicit_forms("atomic_store", f"{p}, atomic_half a", 1, "void",
                                         f"__atomic_store_n({q}, *(__private ushort *)&a, {{}});")
                continue
            for expected in ("__generic",) if space == "__generic" else ("__private",) + SHARED:
                for strength, weak in (("strong", "false"), ("weak", "true")):
                    body = (f"{bits} seen = as_{bits}(*expected);\n"
                            f"\tbool done = __atomic_compare_exchange_n({q}, &seen, {value}, {weak}, "
                            "{}, {});\n\tif (!done)\n"
                            f"\t\t*expected = as_{element}(seen);\n\treturn done;")
                    lines += _explicit_forms(f"atomic_compare_exchange_{strength}",
                                             f"{p}, {expected} {element} *expected, {element} a", 2,
                                             "bool", body)
    return text(lines)


def _atomics_fetch():
    lines = []
    for element in ("int", "uint", "long", "ulong"):
        for space in _ATOMIC_SPACES:
            p = f"volatile {space} atomic_{element} *p"
            for operation in _FETCH:
                lines += _explicit_forms(f"atomic_fetch_{operation}", f"{p}, {element} a", 1, element,
                                         f"return __atomic_fetch_{operation}(({space} {element} *)p, a, {{}});")
    # Mixed signs, where the language has them for atomics of uintptr_t and intptr_t.
    for element, operand in (("ulong", "long"), ("long", "ulong")):
        for operation in ("add", "sub", "or", "xor", "and", "min"):
            arithmetic = operation in ("add", "sub")
            if arithmetic and element == "long":
                continue
            for space in _ATOMIC_SPACES if arithmetic else SHARED:
                lines += _explicit_forms(
                    f"atomic_fetch_{operation}", f"volatile {space} atomic_{element} *p, {operand} a", 1, element,
                    f"return __atomic_fetch_{operation}(({space} {element} *)p, ({element})a, {{}});")
    for element in FLOATS:
        for space in _ATOMIC_SPACES:
            for operation in ("add", "sub", "min", "max"):
                lines += _explicit_forms(f"atomic_fetch_{operation}",
                                         f"volatile {space} atomic_{element} *p, {element} a", 1, element,
                                         f"return fetch_{operation}(({space} {element} *)p, a, {{}});")
    for space in _ATOMIC_SPACES:
        p = f"volatile {space} atomic_flag *p"
        lines += _explicit_forms("atomic_flag_test_and_set", p, 1, "bool",
                                 f"return __atomic_exchange_n(({space} int *)p, 1, {{}}) != 0;")
        lines += _explicit_forms("atomic_flag_clear", p, 1, "void",
                                 f"__atomic_store_n(({space} int *)p, 0, {{}});")
    return text(lines, "atomics.cl")


# ---------------------------------------------------------------------------------------------------
# Work-group collectives: 6.15.16, and cl_khr_work_group_uniform_arithmetic.

def _collectives():
    lines = []
    for element in ("int", "uint", "long", "ulong", "half", "float", "double"):
        low, high = _range(element) if element in INTEGERS else ("-INFINITY", "INFINITY")
        identity = {"add": "0", "min": high, "max": low, "mul": "1", "and": "~0", "or": "0", "xor": "0"}
        lines.append(f"VALUES({element})")
        for operation in ("add", "min", "max", "mul") + (("and", "or", "xor") if element in INTEGERS else ()):
            lines.append(f"COLLECTIVES({element}, {operation}, ({element}){identity[operation]})")
        lines.append(f"BROADCASTS({element})")
    lines += [f"LOGICAL({operation})" for operation in ("and", "or", "xor")]
    return text(lines, "collectives.cl")


# ---------------------------------------------------------------------------------------------------
# Sub-groups: 6.15.19, and cl_khr_subgroup_*.

def _broadcast(name, element, n):
    t = vector(element, n)
    parts = ["take(a, lane)"] if n == 1 else [f"take(a.{l}, lane)" for l in lanes(n)]
    return f"WEFT_CONVERGENT {t} {name}({t} a, uint lane)\n{{\n\treturn ({t})({', '.join(parts)});\n}}"


def _sub_group_moves():
    lines = []
    for element in ALL:
        lines.append(f"MOVES({element})")
        for n in SIZES:
            for name in ("sub_group_broadcast", "sub_group_non_uniform_broadcast"):
                lines.append(_broadcast(name, element, n))
    return text(lines, "sub_groups.cl")


def _sub_group_arithmetic():
    lines = []
    for element in ALL:
        for operation in ("add", "min", "max"):
            lines.append(f"REDUCTION(, {operation}, {element})")
        for operation in ("add", "mul", "min", "max") + (("and", "or", "xor") if element in INTEGERS else ()):
            lines.append(f"REDUCTION(non_uniform_, {operation}, {element})")
            lines.append(f"CLUSTERED({operation}, {element})")
    lines += [f"LOGICAL({operation})" for operation in ("and", "or", "xor")]
    return text(lines, "sub_groups.cl")


def _sub_group_queries():
    return text([], "sub_group_queries.cl")


# ---------------------------------------------------------------------------------------------------
# cl_intel_bfloat16_conversions.

def _bfloat16():
    lines = []
    for n in SIZES:
        size = "" if n == 1 else n
        for name, to, source, body in (("intel_convert_bfloat16{0}_as_ushort{0}", "ushort", "float", "to_bfloat16"),
                                       ("intel_convert_as_bfloat16{0}_float{0}", "float", "ushort", "from_bfloat16")):
            parts = ["a"] if n == 1 else [f"a.{l}" for l in lanes(n)]
            t = vector(to, n)
            lines.append(f"WEFT {t} {name.format(size)}({vector(source, n)} a)\n{{\n"
                         f"\treturn ({t})({', '.join(f'{body}({part})' for part in parts)});\n}}")
    return text(lines, "bfloat16.cl")


def _image_access():
    return text([], "image_access.cl")


def members():
    result = {}
    for to in ALL:
        for source in ALL:
            result[f"convert_{to}_{source}"] = lambda t=to, s=source: _convert_member(t, s)
    result.update(vload_vstore=_vload_vstore, vload_half=_vload_half, vstore_half=_vstore_half,
                  shuffle=_shuffle, copies=_copies, legacy_atomics=_legacy_atomics,
                  atomics_access=_atomics_access, atomics_fetch=_atomics_fetch, collectives=_collectives,
                  sub_group_moves=_sub_group_moves, sub_group_arithmetic=_sub_group_arithmetic,
                  sub_group_queries=_sub_group_queries, image_access=_image_access, bfloat16=_bfloat16)
    return result
