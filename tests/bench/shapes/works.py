# SPDX-License-Identifier: MIT
"""What a kernel computes: how a work's value begins with a read, takes further reads, and is stored."""
import dataclasses
import math

import data
import kinds

FUNCTIONS = {"sqrt": "sqrt({})", "exp": "exp(-{})", "log": "log({})", "sin": "sin({})", "pow": "pow({}, {})"}
TOLERANCES = {"half": 2e-2, "float": 2e-5, "double": 1e-11}


@dataclasses.dataclass
class Work:
    """The value's type and the output's; {v} and {e} in the texts stand for the value and for what was read."""
    type: str
    output: str
    first: str = "{e}"
    next: str = ""
    second: str = ""  # the other side of a branch; empty: as next
    last: str = "{v}"
    store: str = "b[{target}] = {value};"
    helpers: list = dataclasses.field(default_factory=list)
    tolerance: float = 0.0
    steps: int = 0
    whole: object = None  # makes the whole body of all reads

    def enter(self, read):
        return self.first.format(e=read)

    def step(self, read, place="v"):
        return f"{place} = {self.next.format(v=place, e=f'({read})')};"

    def other(self, read):
        return f"v = {(self.second or self.next).format(v='v', e=f'({read})')};"

    def leave(self, target):
        return [self.store.format(target=target, value=self.last.format(v="v"))]


def vector(element, width):
    return element if width == 1 else f"{element}{width}"


def literal(type_name, value):
    element = type_name.rstrip("0123456789")
    return f"({element}){value}" if element == type_name else f"({type_name})(({element}){value})"


def _simple(shape):
    """Works on values of the type that is read."""
    def l(value):
        return literal(shape.type, value)

    size = data.SIZES[shape.element]
    left, right = {1: (3, 15), 2: (127, 63)}.get(size, (1023, 63))
    half = "3.0f" if shape.is_float else data.most(shape.element) // 2
    if shape.is_float:
        own = {"arith": (f"{{v}} * {l('0.5f')} + {{e}}", f"{{v}} - {{e}} * {l('0.25f')}"),
               "divide": (f"{{v}} * {l('0.5f')} + {{e}} / ({{v}} + {l('2.0f')})", f"{{e}} / ({{v}} + {l('1.0f')})")}
    else:
        own = {"arith": (f"({{v}} & {l(left)}) * ({{e}} & {l(right)}) + ({{e}} >> {l(2)})", f"({{v}} ^ {{e}}) >> {l(1)}"),
               "divide": (f"({{v}} & {l(15)}) + {{e}} / (({{v}} & {l(7)}) + {l(3)})",
                          f"{{e}} % (({{v}} & {l(7)}) + {l(3)})"),
               "bits": (f"rotate({{v}}, {l(3)}) ^ add_sat(hadd({{v}}, {{e}}), popcount({{e}}))",
                        "mul_hi({v}, {e}) + clz({e})")}
    return {
        **own,
        "add": ("{v} + {e}", "{v} - {e}"),
        "compare": (f"{{e}} > {{v}} ? {{e}} : ({{v}} + {{e}} < {l(2)} ? {{v}} : {l(1)})", "{v} == {e} ? {e} : {v}"),
        "minmax": (f"min(max({{v}}, {{e}}), {l(half)})", "min({v}, {e})"),
    }


def _mixed(shape):
    """Integers computed in floats, floats computed in integers."""
    if shape.is_float:
        kind = vector("int", shape.width)
        taken = f"convert_{kind}({{e}} * {literal(shape.type, '16.0f')})"
        return Work(kind, shape.type, taken, f"({{v}} & {literal(kind, 1023)}) * {literal(kind, 3)} + {taken}",
                    last=f"convert_{shape.type}({{v}}) * {literal(shape.type, '0.125f')}")
    kind = vector("double" if data.SIZES[shape.element] == 8 else "float", shape.width)
    return Work(kind, shape.type, f"convert_{kind}({{e}})",
                f"{{v}} * {literal(kind, '0.5f')} + convert_{kind}({{e}}) * {literal(kind, '0.25f')}",
                last=f"convert_{shape.type}({{v}})")


def _scale(shape, target, saturates):
    """A power of two for what is converted: in range of the target, or beyond it in part."""
    if target in kinds.FLOATS:
        return "1.0f"
    most = 8 if shape.is_float else data.most(shape.element)
    room = data.limit(target) / (2 * most)
    exponent = math.floor(math.log2(room)) + (3 if saturates else 0)
    if shape.element == "half":
        exponent = min(exponent, 12)
    return f"0x1p{exponent}f"


def _conversion(shape):
    """Conversions of computed floats."""
    _, target, *modes = shape.work.split("_")
    output = vector(target, shape.width)
    element = shape.element if shape.is_float else "double" if data.SIZES[shape.element] == 8 else "float"
    kind = vector(element, shape.width)
    taken = "{e}" if shape.is_float else f"convert_{kind}({{e}})"
    value = "{v}" if modes[:1] == ["sat"] or not target.startswith("u") else "fabs({v})"
    value = f"{value} * {literal(kind, _scale(shape, target, modes[:1] == ['sat']))}"
    if target not in kinds.FLOATS and modes:
        value += f" + {literal(kind, '0.5f')}"
    step = f"{{v}} * {literal(kind, '0.5f')} + {taken} * {literal(kind, '0.375f')}"
    return Work(kind, output, taken, step, last=f"convert_{'_'.join([output, *modes])}({value})")


def _cast(shape):
    """Conversions of what was read."""
    _, target, *modes = shape.work.split("_")
    output = vector(target, shape.width)
    return Work(shape.type, output, next="max({v}, {e})", second="min({v}, {e})",
                last=f"convert_{'_'.join([output, *modes])}({{v}})")


def _function(shape):
    """Functions of floats: their results may differ a little."""
    call = FUNCTIONS[shape.work].format("{e}", literal(shape.type, "1.5f"))
    return Work(shape.type, shape.type, next=f"{{v}} * {literal(shape.type, '0.5f')} + {call}",
                tolerance=TOLERANCES[shape.element])


def _magnitude(shape):
    """The length of a gradient, as edge detectors compute it from bytes."""
    kind, real = vector("int", shape.width), vector("float", shape.width)
    length = f"sqrt(convert_{real}({{v}}) * convert_{real}({{v}}) + {literal(real, '9.0f')})"
    return Work(kind, shape.type, f"convert_{kind}({{e}})", f"convert_{kind}({{e}}) * {literal(kind, 2)} - {{v}}",
                last=f"convert_{shape.type}_sat({length})", steps=1)


def _atomic(shape):
    place = {"atomic": "i & 4095", "atomic_one": "0", "atomic_read": "t[i] & 255"}[shape.work]
    return Work(shape.type, "int", next=_simple(shape)["arith"][0], last="convert_int({v})",
                store=f"atomic_add(&b[{place}], {{value}});")


def _sorted(reads, target):
    lines = [f"T q[{len(reads)}] = {{{', '.join(reads)}}};"]
    rounds = f"for (int r = 0; r < {len(reads)}; r++)"
    return [*lines, rounds, f"\tfor (int k = r & 1; k + 1 < {len(reads)}; k += 2) {{",
            "\t\tT low = min(q[k], q[k + 1]), high = max(q[k], q[k + 1]);", "\t\tq[k] = low; q[k + 1] = high;", "\t}",
            f"b[{target}] = q[2];"]


def _looked_up(reads, target):
    count = len(reads)
    return [f"T q[{count}] = {{{', '.join(reads)}}};",
            f"b[{target}] = max(q[c[i] % {count}], q[(c[i] / 2) % {count}]);"]


def work_of(shape):
    """The work of a shape."""
    if shape.work in kinds.GROUP_WORKS:
        output = "int" if shape.work == "histogram" else shape.type
        return Work(shape.type, output, next="{v} + {e}")
    if shape.work in ("sort", "lookup"):
        return Work(shape.type, shape.type, whole=_sorted if shape.work == "sort" else _looked_up)
    if shape.work in kinds.CONVERSIONS:
        return _conversion(shape)
    if shape.work in kinds.CASTS:
        return _cast(shape)
    if shape.work.startswith("atomic"):
        return _atomic(shape)
    for names, make in ((("mixed",), _mixed), (("magnitude",), _magnitude), (tuple(FUNCTIONS), _function)):
        if shape.work in names:
            return make(shape)
    step, other = _simple(shape)[shape.work]
    inexact = shape.is_float and shape.work == "divide"
    return Work(shape.type, shape.type, next=step, second=other, tolerance=TOLERANCES[shape.element] if inexact else 0)


BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"


def _gathered_value(shape, work, read):
    """The value of an item before its group works: one read, or a loop of them."""
    lines = [f"T v = {read('0')};"]
    if shape.flow == "loop":
        lines.append(f"for (int k = 1; k < m; k++) {{ {work.step(read('k'))} }}")
    return lines


def _tile(shape, work, read):
    if shape.flow == "loop":
        return [f"T v = {read('0')};", "for (int k = 0; k < m; k++) {", f"\ts[l] = {read('k')};", "\t" + BARRIER,
                "\t" + work.step("s[l + 1 < g ? l + 1 : 0]"), "\t" + BARRIER, "}", "b[i] = v;"]
    return [f"T v = {read('0')};", "s[l] = v;", BARRIER, work.step("s[l + 1 < g ? l + 1 : 0]"),
            work.step("s[l > 0 ? l - 1 : g - 1]"), "b[i] = v;"]


def _reduce(shape, work, read):
    return [*_gathered_value(shape, work, read), "s[l] = v;", "for (int o = g / 2; o > 0; o /= 2) {", "\t" + BARRIER,
            "\tif (l < o)", "\t\t" + work.step("s[l + o]", "s[l]"), "}", "if (l == 0)", "\tb[get_group_id(0)] = s[0];"]


def _scan(shape, work, read):
    return [*_gathered_value(shape, work, read), "s[l] = v;", "for (int o = 1; o < g; o *= 2) {", "\t" + BARRIER,
            "\tT u = s[l >= o ? l - o : l];", "\t" + BARRIER, "\tif (l >= o)", "\t\t" + work.step("u", "s[l]"), "}",
            "b[i] = s[l];"]


def _rounds(work, count):
    return [f"for (int r = 0; r < {count}; r++) {{", "\ts[l] = p0;", "\t" + BARRIER,
            "\t" + work.step("s[l ^ (r + 1)]", "p1"), "\t" + work.step("p2 + s[l ^ 8]", "p0"), "\t" + BARRIER, "}"]


def _stages(shape, work, read):
    count = "m" if shape.flow == "loop" else "4"
    return [f"T p0 = {read('0')}, p1 = {read('1')}, p2 = {read('2')};", *_rounds(work, count), "b[i] = p0 + p1 + p2;"]


def _gate(shape, work, read):
    count = "m" if shape.flow == "loop" else "2"
    return [f"T p0 = {read('0')}, p1 = {read('1')}, p2 = {read('2')};", "if (c[get_group_id(0)] & 1) {",
            *("\t" + line for line in _rounds(work, count)), "}", "b[i] = p0 + p1 + p2;"]


def _turn(shape, work, read):
    return [*_gathered_value(shape, work, read), "s[get_local_id(1) * (g + 1) + l] = v;", BARRIER,
            "b[(get_group_id(0) * g + get_local_id(1)) * h + get_group_id(1) * g + l] = s[l * (g + 1) + get_local_id(1)];"]


def _histogram(shape, work, read):
    count = "m" if shape.flow == "loop" else "2"
    return ["for (int o = l; o < 256; o += g)", "\ts[o] = 0;", BARRIER,
            f"for (int k = 0; k < {count}; k++)", f"\tatomic_inc(&s[(int){read('k')} & 255]);", BARRIER,
            "for (int o = l; o < 256; o += g)", "\tatomic_add(&b[o], s[o]);"]


GROUP_BODIES = {"tile": _tile, "reduce": _reduce, "scan": _scan, "stages": _stages, "gate": _gate, "turn": _turn,
                "histogram": _histogram}


def group_body(shape, work, read):
    """Statements of a work with local memory; read makes the text of a read of its number's text."""
    size = math.prod(shape.local_size)
    size = 256 if shape.work == "histogram" else size + shape.local_size[0] if shape.work == "turn" else size
    kind = "int" if shape.work == "histogram" else "T"
    return [f"local {kind} s[{size}];", "int l = get_local_id(0), g = get_local_size(0);",
            *GROUP_BODIES[shape.work](shape, work, read)]
