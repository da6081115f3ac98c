/* SPDX-License-Identifier: MIT
 *
 * Calls by the vector function ABI: a letter names the registers, and each has loops of its own, compiled for them.
 */
#include "vector_libraries.h"

#include <dlfcn.h>
#include <stdio.h>

static const char *const files[NUM_LIBRARIES] = {
	"libmvec.so.1",
	"libsleefgnuabi.so.3",
	"libsleefgnuabi.so.3",
};

/* Loops over vectors of so many bytes. */
#define LOOPS(suffix, bytes, registers)                                                            \
	typedef float float_##suffix __attribute__((vector_size(bytes)));                          \
	typedef double double_##suffix __attribute__((vector_size(bytes)));                        \
	LOOP(float_##suffix, registers)                                                            \
	LOOP(double_##suffix, registers)

#define LOOP(vector, registers)                                                                    \
	__attribute__((target(registers), noinline)) static void apply_##vector(                   \
		const struct vector_function *function, const vector *a, const vector *b,          \
		vector *out, size_t bytes)                                                         \
	{                                                                                          \
		vector (*one)(vector) = (vector (*)(vector))function->address;                     \
		vector (*two)(vector, vector) = (vector (*)(vector, vector))function->address;     \
                                                                                                   \
		for (size_t i = 0; i < bytes / sizeof(vector); i++)                                \
			out[i] = function->arguments == 1 ? one(a[i]) : two(a[i], b[i]);           \
	}

LOOPS(sse, 16, "sse4.2")
LOOPS(avx2, 32, "avx2,fma")
LOOPS(avx512, 64, "avx512f,avx512dq,avx512vl,avx512bw")

/* Bytes of the widest registers. */
static unsigned vector_bytes(void)
{
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
		return 64;
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 32 : 16;
}

struct vector_function vector_function_find(enum library library, const char *name,
					    unsigned arguments, bool is_double)
{
	struct vector_function function = {NULL, arguments, is_double};
	void *handle = dlopen(files[library], RTLD_NOW | RTLD_LOCAL);
	unsigned bytes = vector_bytes();
	char symbol[64];

	if (!handle)
		return function;
	snprintf(symbol, sizeof(symbol), "_ZGV%cN%u%s_%s%s%s",
		 bytes == 64   ? 'e'
		 : bytes == 32 ? 'd'
			       : 'b',
		 bytes / (is_double ? 8 : 4), arguments == 1 ? "v" : "vv", name,
		 is_double ? "" : "f", library == SLEEF_U35 ? "_u35" : "");
	function.address = dlsym(handle, symbol);
	return function;
}

void vector_function_apply(const struct vector_function *function, const void *a, const void *b,
			   void *out, size_t count)
{
	size_t bytes = count * (function->is_double ? sizeof(double) : sizeof(float));

	switch (vector_bytes() + function->is_double) {
	case 64:
		apply_float_avx512(function, a, b, out, bytes);
		break;
	case 65:
		apply_double_avx512(function, a, b, out, bytes);
		break;
	case 32:
		apply_float_avx2(function, a, b, out, bytes);
		break;
	case 33:
		apply_double_avx2(function, a, b, out, bytes);
		break;
	case 16:
		apply_float_sse(function, a, b, out, bytes);
		break;
	default:
		apply_double_sse(function, a, b, out, bytes);
	}
}
