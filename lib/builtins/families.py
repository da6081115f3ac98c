# SPDX-License-Identifier: MIT
"""The one description of OpenCL C's built-in functions, from which generate.py makes all overloads.

A member is a bitcode module of the library: its name, the file with the scalar bodies (if any), and the
functions whose overloads are generated. A function is

    (names, signature, element types, vector sizes, body)

The signature is result(arguments); an argument is named a, b, c, d by its place. Letters:

    T  the type itself, n elements of type E        E  one element
    S  signed integers of T's width, n of them      U  unsigned ones
    I  n ints           R  what a comparison gives: int for a scalar, otherwise S
    H  n elements of the type twice as wide; W its name in expressions
    i  one int          k  one uint
    P  in front: a pointer to what follows, in every address space that may be written to

The body is EACH (the scalar function, which the file defines, once per element; half goes through float
unless OWN_HALF names it) or an expression, written once for scalar and vector. In expressions {T}, {E},
{S}, {U}, {I}, {R}, {W}, {F} (n floats), {n}, {bits}, {min}, {max}, {min_normal} and {name} stand for the
overload's types and numbers, and CONVERT(type, value) for the exact conversion.
"""

SIGNED = ("char", "short", "int", "long")
UNSIGNED = ("uchar", "ushort", "uint", "ulong")
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATS = ("half", "float", "double")
FLOAT = ("float",)
ALL = INTEGERS + FLOATS

SIZES = (1, 2, 3, 4, 8, 16)
VECTORS = (2, 3, 4, 8, 16)
SCALAR = (1,)

EACH = object()

# Functions whose half form is written out in their file instead of going through float.
OWN_HALF = {"fma", "fract", "nextafter", "nan"}


def _f(names, signature, types, body, sizes=SIZES):
    return (tuple(names.split()), signature, types, sizes, body)


def _math(names, signature="T(T)", types=FLOATS):
    return _f(names, signature, types, EACH)


_COMPARISONS = (
    ("isequal", "a == b"),
    ("isnotequal", "a != b"),
    ("isgreater", "a > b"),
    ("isgreaterequal", "a >= b"),
    ("isless", "a < b"),
    ("islessequal", "a <= b"),
    ("islessgreater", "(a < b) | (a > b)"),
    ("isordered", "(a == a) & (b == b)"),
    ("isunordered", "(a != a) | (b != b)"),
)

MEMBERS = [
    # Members written out in full: no overload is generated.
    ("work_item", "work_item.cl", []),
    ("synchronization", "synchronization.cl", []),
    ("address_space", "address_space.cl", []),
    ("clock", "clock.cl", []),
    ("device_enqueue", "device_enqueue.cl", []),
    ("dot_product", "dot_product.cl", []),
    ("pipes", "pipes.cl", []),

    ("exact", "math/exact.cl", [
        _f("fabs", "T(T)", FLOATS, "__builtin_elementwise_abs(a)"),
        _f("ceil", "T(T)", FLOATS, "__builtin_elementwise_ceil(a)"),
        _f("floor", "T(T)", FLOATS, "__builtin_elementwise_floor(a)"),
        _f("rint", "T(T)", ("float", "double"), "__builtin_elementwise_rint(a)"),
        # The same here; LLVM 22 drops rint before a scalar conversion to an integer (AVX512-FP16).
        _f("rint", "T(T)", ("half",), "__builtin_elementwise_nearbyint(a)"),
        _f("trunc", "T(T)", FLOATS, "__builtin_elementwise_trunc(a)"),
        _f("copysign", "T(T,T)", FLOATS, "__builtin_elementwise_copysign(a, b)"),
        _f("sqrt", "T(T)", FLOATS, "__builtin_elementwise_sqrt(a)"),
        _f("rsqrt", "T(T)", ("float", "double"), "({T})1 / __builtin_elementwise_sqrt(a)"),
        _f("rsqrt", "T(T)", ("half",), "CONVERT({T}, ({F})1 / __builtin_elementwise_sqrt(CONVERT({F}, a)))"),
        _f("fma", "T(T,T,T)", ("float", "double"), "__builtin_elementwise_fma(a, b, c)"),
        _f("fma", "T(T,T,T)", ("half",), EACH),
        _f("mad", "T(T,T,T)", ("float", "double"), "__builtin_elementwise_fma(a, b, c)"),
        _f("mad", "T(T,T,T)", ("half",), "a * b + c"),
        _f("fmax", "T(T,T)", FLOATS, "((a != a) | (a < b)) ? b : a"),
        _f("fmin", "T(T,T)", FLOATS, "((a != a) | (b < a)) ? b : a"),
        _f("fmax", "T(T,E)", FLOATS, "fmax(a, ({T})b)", VECTORS),
        _f("fmin", "T(T,E)", FLOATS, "fmin(a, ({T})b)", VECTORS),
        _f("maxmag", "T(T,T)", FLOATS,
           "(fabs(a) > fabs(b)) ? a : ((fabs(b) > fabs(a)) ? b : fmax(a, b))"),
        _f("minmag", "T(T,T)", FLOATS,
           "(fabs(a) < fabs(b)) ? a : ((fabs(b) < fabs(a)) ? b : fmin(a, b))"),
        _f("fdim", "T(T,T)", FLOATS, "(a <= b) ? ({T})0 : a - b"),
        _math("round"),
        _math("nextafter", "T(T,T)"),
        _math("fract modf", "T(T,PT)"),
        _math("frexp", "T(T,PI)"),
        _math("ilogb", "I(T)"),
        _math("logb"),
        _math("ldexp", "T(T,I)"),
        _f("ldexp", "T(T,i)", FLOATS, "ldexp(a, ({I})b)", VECTORS),
        _math("__weft_direct_logb", "T(T)", ("float", "double")),
        _math("__weft_direct_ldexp", "T(T,I)", ("float", "double")),
        _f("__weft_direct_ldexp", "T(T,i)", ("float", "double"), "__weft_direct_ldexp(a, ({I})b)", VECTORS),
        _math("nan", "T(U)"),
    ]),
    ("estimate", "math/estimate.cl", [
        _math("__weft_estimated_rsqrt", "T(T)", ("float", "double")),
        _math("__weft_estimated_recip", "T(T)", ("float",)),
        _math("__weft_estimated_divide", "T(T,T)", ("float",)),
    ]),
    ("fmod", "math/fmod.cl", [
        _math("fmod remainder", "T(T,T)"),
        _math("__weft_direct_fmod", "T(T,T)", ("double",)),
        _math("remquo", "T(T,T,PI)"),
    ]),
    ("long_division", "math/long_division.cl", []),
    ("exponential", "math/exponential.cl", [
        _math("exp exp2 exp10 expm1"),
        _math("__weft_direct_exp __weft_direct_exp2 __weft_direct_exp10", "T(T)", ("double",)),
    ]),
    ("logarithm", "math/logarithm.cl", [
        _math("log log2 log10 log1p"),
        _math("__weft_direct_log __weft_direct_log2 __weft_direct_log10", "T(T)", ("float", "double")),
        _math("__weft_direct_log1p", "T(T)", ("double",)),
    ]),
    ("power", "math/power.cl", [
        _math("pow powr", "T(T,T)"),
        _math("pown rootn", "T(T,I)"),
        _math("__weft_direct_pow __weft_direct_powr", "T(T,T)"),
        _math("__weft_direct_pown __weft_direct_rootn", "T(T,I)"),
    ]),
    ("root", "math/root.cl", [
        _math("cbrt"),
        _math("hypot", "T(T,T)"),
        _math("__weft_estimated_hypot", "T(T,T)", ("double",)),
    ]),
    ("trigonometry", "math/trigonometry.cl", [
        _math("sin cos tan"),
        _math("sincos", "T(T,PT)"),
        _math("sinpi cospi tanpi"),
    ]),
    ("trigonometry_bodies", "math/trigonometry_bodies.cl", []),
    ("large_angles", "math/large_angles.cl", []),
    ("inverse_trigonometry", "math/inverse_trigonometry.cl", [
        _math("asin acos atan asinpi acospi atanpi"),
        _math("atan2 atan2pi", "T(T,T)"),
        _math("__weft_direct_atan __weft_direct_atanpi", "T(T)", ("double",)),
    ]),
    ("hyperbolic", "math/hyperbolic.cl", [
        _math("sinh cosh tanh asinh acosh atanh"),
        _math("__weft_direct_asinh __weft_direct_acosh __weft_direct_atanh", "T(T)", ("double",)),
    ]),
    ("error_function", "math/error_function.cl", [
        _math("erf erfc"),
        _math("__weft_direct_erf __weft_direct_erfc", "T(T)", ("double",)),
    ]),
    ("gamma", "math/gamma.cl", [
        _math("lgamma tgamma"),
        _math("lgamma_r", "T(T,PI)"),
    ]),
    ("gamma_bodies", "math/gamma_bodies.cl", []),
    ("power_bodies", "math/power_bodies.cl", []),
    ("power_direct_bodies", "math/power_direct_bodies.cl", []),
    ("half_native", "math/half_native.cl", [
        _math("half_cos half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_sin half_tan",
              "T(T)", FLOAT),
        _math("half_powr", "T(T,T)", FLOAT),
        _f("half_divide native_divide __weft_relaxed_divide", "T(T,T)", FLOAT, "a / b"),
        _f("half_recip native_recip __weft_relaxed_recip", "T(T)", FLOAT, "({T})1 / a"),
        _f("half_sqrt native_sqrt", "T(T)", FLOAT, "__builtin_elementwise_sqrt(a)"),
        _f("half_rsqrt native_rsqrt", "T(T)", FLOAT, "({T})1 / __builtin_elementwise_sqrt(a)"),
        _math("native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 "
              "native_sin native_tan", "T(T)", FLOAT),
        _math("native_powr __weft_relaxed_pow", "T(T,T)", FLOAT),
        _math("__weft_direct_native_log __weft_direct_native_log2 __weft_direct_native_log10", "T(T)", FLOAT),
        _math("__weft_direct_native_powr __weft_direct_relaxed_pow", "T(T,T)", FLOAT),
    ]),

    ("integer", "integer.cl", [
        _f("abs", "U(T)", SIGNED, "as_{U}(__builtin_elementwise_abs(a))"),
        _f("abs", "U(T)", UNSIGNED, "a"),
        _f("abs_diff", "U(T,T)", INTEGERS, "({U})(as_{U}(__builtin_elementwise_max(a, b)) - "
           "as_{U}(__builtin_elementwise_min(a, b)))"),
        _f("add_sat", "T(T,T)", INTEGERS, "__builtin_elementwise_add_sat(a, b)"),
        _f("sub_sat", "T(T,T)", INTEGERS, "__builtin_elementwise_sub_sat(a, b)"),
        _f("hadd", "T(T,T)", INTEGERS, "({T})((a & b) + ((a ^ b) >> ({T})1))"),
        _f("rhadd", "T(T,T)", INTEGERS, "({T})((a | b) - ((a ^ b) >> ({T})1))"),
        _f("clz", "T(T)", INTEGERS, "__builtin_elementwise_clzg(a, ({T}){bits})"),
        _f("ctz", "T(T)", INTEGERS, "__builtin_elementwise_ctzg(a, ({T}){bits})"),
        _f("popcount", "T(T)", INTEGERS, "__builtin_elementwise_popcount(a)"),
        _f("rotate", "T(T,T)", INTEGERS,
           "as_{T}(__builtin_elementwise_fshl(as_{U}(a), as_{U}(a), as_{U}(b)))"),
        _math("mul_hi", "T(T,T)", ("long", "ulong")),
        _f("mul_hi", "T(T,T)", ("char", "uchar", "short", "ushort", "int", "uint"),
           "CONVERT({T}, (CONVERT({W}, a) * CONVERT({W}, b)) >> ({W}){bits})"),
        _f("mad_hi", "T(T,T,T)", INTEGERS, "as_{T}(({U})(as_{U}(mul_hi(a, b)) + as_{U}(c)))"),
        _math("mad_sat", "T(T,T,T)", ("long", "ulong")),
        _f("mad_sat", "T(T,T,T)", ("char", "uchar", "short", "ushort", "int", "uint"),
           "CONVERT({T}, __builtin_elementwise_min(__builtin_elementwise_max("
           "({W})(CONVERT({W}, a) * CONVERT({W}, b) + CONVERT({W}, c)), ({W}){min}), ({W}){max}))"),
        _f("mul24", "T(T,T)", ("int", "uint"), "a * b"),
        _f("mad24", "T(T,T,T)", ("int", "uint"), "a * b + c"),
        _f("upsample", "H(T,U)", ("char", "uchar", "short", "ushort", "int", "uint"),
           "({W})(CONVERT({W}, a) << ({W}){bits} | CONVERT({W}, b))"),
        _f("bit_reverse", "T(T)", INTEGERS, "__builtin_elementwise_bitreverse(a)"),
        _f("bitfield_insert", "T(T,T,k,k)", INTEGERS,
           "({T})((a & ({T})~FIELD({E}, {bits}, c, d)) | "
           "((b << ({T})c) & ({T})FIELD({E}, {bits}, c, d)))"),
        _f("bitfield_extract_signed", "S(T,k,k)", INTEGERS,
           "c == 0 ? ({S})0 : ({S})(as_{S}(({T})(a << ({T})({bits} - b - c))) >> ({S})({bits} - c))"),
        _f("bitfield_extract_unsigned", "U(T,k,k)", INTEGERS,
           "c == 0 ? ({U})0 : ({U})(as_{U}(({T})(a << ({T})({bits} - b - c))) >> ({U})({bits} - c))"),
    ]),
    ("common", None, [
        _f("max", "T(T,T)", INTEGERS, "__builtin_elementwise_max(a, b)"),
        _f("min", "T(T,T)", INTEGERS, "__builtin_elementwise_min(a, b)"),
        _f("max", "T(T,T)", FLOATS, "(a < b) ? b : a"),
        _f("min", "T(T,T)", FLOATS, "(b < a) ? b : a"),
        _f("max min", "T(T,E)", ALL, "{name}(a, ({T})b)", VECTORS),
        _f("clamp", "T(T,T,T)", ALL, "min(max(a, b), c)"),
        _f("clamp", "T(T,E,E)", ALL, "clamp(a, ({T})b, ({T})c)", VECTORS),
        _f("degrees", "T(T)", ("half",), "CONVERT({T}, CONVERT({F}, a) * ({F})0x1.ca5dc2p+5f)"),
        _f("degrees", "T(T)", FLOAT, "a * ({T})0x1.ca5dc2p+5f"),
        _f("degrees", "T(T)", ("double",), "a * ({T})0x1.ca5dc1a63c1f8p+5"),
        _f("radians", "T(T)", ("half",), "CONVERT({T}, CONVERT({F}, a) * ({F})0x1.1df46ap-6f)"),
        _f("radians", "T(T)", FLOAT, "a * ({T})0x1.1df46ap-6f"),
        _f("radians", "T(T)", ("double",), "a * ({T})0x1.1df46a2529d39p-6"),
        _f("mix", "T(T,T,T)", ("float", "double"), "__builtin_elementwise_fma(b - a, c, a)"),
        _f("mix", "T(T,T,T)", ("half",), "a + (b - a) * c"),
        _f("mix", "T(T,T,E)", FLOATS, "mix(a, b, ({T})c)", VECTORS),
        _f("step", "T(T,T)", FLOATS, "(b < a) ? ({T})0 : ({T})1"),
        _f("step", "T(E,T)", FLOATS, "step(({T})a, b)", VECTORS),
        _f("smoothstep", "T(T,T,T)", FLOATS, "SMOOTH({T}, clamp((c - a) / (b - a), ({T})0, ({T})1))"),
        _f("smoothstep", "T(E,E,T)", FLOATS, "smoothstep(({T})a, ({T})b, c)", VECTORS),
        _f("sign", "T(T)", FLOATS, "(a != a) ? ({T})0 : "
           "((a == ({T})0) ? a : __builtin_elementwise_copysign(({T})1, a))"),
    ]),
    ("geometric", "geometric.cl", []),
    ("relational", None, [
        _f(name, "R(T,T)", FLOATS, "({R})(" + expression + ")")
        for name, expression in _COMPARISONS
    ] + [
        _f("isnan", "R(T)", FLOATS, "({R})(a != a)"),
        _f("isinf", "R(T)", FLOATS, "({R})(__builtin_elementwise_abs(a) == ({T})INFINITY)"),
        _f("isfinite", "R(T)", FLOATS, "({R})(__builtin_elementwise_abs(a) < ({T})INFINITY)"),
        _f("isnormal", "R(T)", FLOATS, "({R})((__builtin_elementwise_abs(a) < ({T})INFINITY) & "
           "(__builtin_elementwise_abs(a) >= ({T}){min_normal}))"),
        _f("signbit", "R(T)", FLOATS, "({R})(as_{S}(a) < ({S})0)"),
        _f("any", "i(T)", SIGNED, "a < ({T})0", SCALAR),
        _f("any", "i(T)", SIGNED, "__builtin_reduce_or(a) < ({E})0", VECTORS),
        _f("all", "i(T)", SIGNED, "a < ({T})0", SCALAR),
        _f("all", "i(T)", SIGNED, "__builtin_reduce_and(a) < ({E})0", VECTORS),
        _f("bitselect", "T(T,T,T)", INTEGERS, "({T})((a & ~c) | (b & c))"),
        _f("bitselect", "T(T,T,T)", FLOATS,
           "as_{T}(({U})((as_{U}(a) & ~as_{U}(c)) | (as_{U}(b) & as_{U}(c))))"),
        _f("select", "T(T,T,S) T(T,T,U)", ALL, "c ? b : a", SCALAR),
        _f("select", "T(T,T,S)", ALL, "as_{T}((c < ({S})0) ? as_{S}(b) : as_{S}(a))", VECTORS),
        _f("select", "T(T,T,U)", ALL, "as_{T}((as_{S}(c) < ({S})0) ? as_{S}(b) : as_{S}(a))", VECTORS),
    ]),
]
