/* SPDX-License-Identifier: MIT
 *
 * The rows are those of system_functions.def; a row's own address is the function's in code. Those of libm are found when the first
 * binary is loaded: the driver itself does without that library.
 */
#include "riscv/system_functions.h"

#include "kernel_abi.h"
#include "log.h"
#include "riscv/real_registers.h"
#include "riscv/timing.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

enum kind {
	BYTES, /* integers and addresses */
	FLOAT1,
	FLOAT2,
	FLOAT3,
	FLOAT_INTEGER,
	DOUBLE1,
	DOUBLE2,
	DOUBLE3,
	DOUBLE_INTEGER,
};

/* False: a fault. */
typedef bool call_bytes(struct riscv_hart *hart, uint64_t *args);

struct function {
	const char *name;
	enum kind kind;
	call_bytes *call;
	union {
		void *any; /* of libm; NULL before it is open */
		float (*float1)(float);
		float (*float2)(float, float);
		float (*float3)(float, float, float);
		float (*float_integer)(float, int);
		double (*double1)(double);
		double (*double2)(double, double);
		double (*double3)(double, double, double);
		double (*double_integer)(double, int);
	} libm;
};

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool copy(struct riscv_hart *hart, uint64_t *args)
{
	void *to = riscv_bytes_to_write(hart, args[0], args[2]);
	const void *from = riscv_bytes(hart, args[1], args[2]);

	if (!to || !from)
		return args[2] == 0;
	riscv_spend_on_bytes(hart, args[1], args[2], WEFT_GLOBAL_LOADS);
	riscv_spend_on_bytes(hart, args[0], args[2], WEFT_GLOBAL_STORES);
	memmove(to, from, args[2]);
	return true;
}

static bool set(struct riscv_hart *hart, uint64_t *args)
{
	void *to = riscv_bytes_to_write(hart, args[0], args[2]);

	if (!to)
		return args[2] == 0;
	riscv_spend_on_bytes(hart, args[0], args[2], WEFT_GLOBAL_STORES);
	memset(to, (int)args[1], args[2]);
	return true;
}

static bool compare(struct riscv_hart *hart, uint64_t *args)
{
	const void *a = riscv_bytes(hart, args[0], args[2]);
	const void *b = riscv_bytes(hart, args[1], args[2]);
	const uint64_t size = args[2];

	args[0] = 0;
	if (!a || !b)
		return size == 0;
	riscv_spend_on_bytes(hart, (uintptr_t)a, size, WEFT_GLOBAL_LOADS);
	riscv_spend_on_bytes(hart, (uintptr_t)b, size, WEFT_GLOBAL_LOADS);
	args[0] = (uint64_t)memcmp(a, b, size);
	return true;
}

/* ---- integers of 128 bits, in two registers each --------------------------------------------- */

#define WIDE_DIVISION 100 /* cycles */

static unsigned __int128 wide(const uint64_t *args)
{
	return (unsigned __int128)args[1] << 64 | args[0];
}

static void put_wide(uint64_t *args, unsigned __int128 value)
{
	args[0] = (uint64_t)value;
	args[1] = (uint64_t)(value >> 64);
}

/* What these do for a divisor of 0 is not defined. */
static bool divide_signed(struct riscv_hart *hart, uint64_t *args)
{
	const __int128 a = (__int128)wide(args), b = (__int128)wide(args + 2);

	hart->cycles += WIDE_DIVISION;
	if (b == 0 || b == -1) /* the smallest number by -1 wraps */
		put_wide(args, b == 0 ? 0 : 0 - (unsigned __int128)a);
	else
		put_wide(args, (unsigned __int128)(a / b));
	return true;
}

static bool remainder_signed(struct riscv_hart *hart, uint64_t *args)
{
	const __int128 a = (__int128)wide(args), b = (__int128)wide(args + 2);

	hart->cycles += WIDE_DIVISION;
	put_wide(args, b == 0 || b == -1 ? 0 : (unsigned __int128)(a % b));
	return true;
}

static bool divide_unsigned(struct riscv_hart *hart, uint64_t *args)
{
	const unsigned __int128 a = wide(args), b = wide(args + 2);

	hart->cycles += WIDE_DIVISION;
	put_wide(args, b == 0 ? 0 : a / b);
	return true;
}

static bool remainder_unsigned(struct riscv_hart *hart, uint64_t *args)
{
	const unsigned __int128 a = wide(args), b = wide(args + 2);

	hart->cycles += WIDE_DIVISION;
	put_wide(args, b == 0 ? 0 : a % b);
	return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

#define BOTH(name, number)                                                                         \
	{name, DOUBLE##number, NULL, {NULL}},                                                      \
	{                                                                                          \
		name "f", FLOAT##number, NULL,                                                     \
		{                                                                                  \
			NULL                                                                       \
		}                                                                                  \
	}

static struct function functions[] = {
	{"memcpy", BYTES, copy, {NULL}},
	{"memmove", BYTES, copy, {NULL}},
	{"memset", BYTES, set, {NULL}},
	{"memcmp", BYTES, compare, {NULL}},
	{"bcmp", BYTES, compare, {NULL}},
	{"__divti3", BYTES, divide_signed, {NULL}},
	{"__modti3", BYTES, remainder_signed, {NULL}},
	{"__udivti3", BYTES, divide_unsigned, {NULL}},
	{"__umodti3", BYTES, remainder_unsigned, {NULL}},
	BOTH("fma", 3),
	BOTH("fmod", 2),
	BOTH("fmin", 2),
	BOTH("fmax", 2),
	BOTH("pow", 2),
	BOTH("atan2", 2),
	BOTH("ldexp", _INTEGER),
	BOTH("sqrt", 1),
	BOTH("floor", 1),
	BOTH("ceil", 1),
	BOTH("trunc", 1),
	BOTH("rint", 1),
	BOTH("nearbyint", 1),
	BOTH("round", 1),
	BOTH("roundeven", 1),
	BOTH("exp", 1),
	BOTH("exp2", 1),
	BOTH("exp10", 1),
	BOTH("log", 1),
	BOTH("log2", 1),
	BOTH("log10", 1),
	BOTH("sin", 1),
	BOTH("cos", 1),
	BOTH("tan", 1),
	BOTH("asin", 1),
	BOTH("acos", 1),
	BOTH("atan", 1),
	BOTH("sinh", 1),
	BOTH("cosh", 1),
	BOTH("tanh", 1),
};
enum { NUM_FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };
enum { FIRST_OF_LIBM = 9 }; /* fma, then fmaf */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_open;

static void open_libm(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
	bool complete = library != NULL;

	for (size_t i = FIRST_OF_LIBM; i < NUM_FUNCTIONS && complete; i++) {
		functions[i].libm.any = dlsym(library, functions[i].name);
		complete = functions[i].libm.any != NULL;
	}
	if (!complete)
		weft_log(WEFT_LOG_ERROR, "device", "no mathematical functions: %s", dlerror());
	is_open = complete;
}

bool riscv_system_open(void)
{
	pthread_once(&once, open_libm);
	return is_open;
}

float riscv_fma_s(float a, float b, float c)
{
	return functions[FIRST_OF_LIBM + 1].libm.float3(a, b, c);
}

double riscv_fma_d(double a, double b, double c)
{
	return functions[FIRST_OF_LIBM].libm.double3(a, b, c);
}

uint64_t riscv_system_find(const char *name)
{
	for (size_t i = 0; i < NUM_FUNCTIONS; i++) {
		if (strcmp(functions[i].name, name) == 0)
			return (uintptr_t)&functions[i];
	}
	return 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void call_float(struct riscv_hart *hart, const struct function *function)
{
	const float a = riscv_get_s(hart, RISCV_A0), b = riscv_get_s(hart, RISCV_A0 + 1);
	float result;

	if (function->kind == FLOAT1)
		result = function->libm.float1(a);
	else if (function->kind == FLOAT2)
		result = function->libm.float2(a, b);
	else if (function->kind == FLOAT3)
		result = function->libm.float3(a, b, riscv_get_s(hart, RISCV_A0 + 2));
	else
		result = function->libm.float_integer(a, (int)hart->x[RISCV_A0]);
	riscv_put_s(hart, RISCV_A0, result);
}

static void call_double(struct riscv_hart *hart, const struct function *function)
{
	const double a = riscv_get_d(hart, RISCV_A0), b = riscv_get_d(hart, RISCV_A0 + 1);
	double result;

	if (function->kind == DOUBLE1)
		result = function->libm.double1(a);
	else if (function->kind == DOUBLE2)
		result = function->libm.double2(a, b);
	else if (function->kind == DOUBLE3)
		result = function->libm.double3(a, b, riscv_get_d(hart, RISCV_A0 + 2));
	else
		result = function->libm.double_integer(a, (int)hart->x[RISCV_A0]);
	riscv_put_d(hart, RISCV_A0, result);
}

bool riscv_system_call(struct riscv_hart *hart, const struct riscv_instruction *at,
		       uint64_t address)
{
	const uint64_t offset = address - (uintptr_t)functions;

	if (offset >= sizeof(functions) || offset % sizeof(functions[0]))
		return false;
	const struct function *function = &functions[offset / sizeof(functions[0])];
	const bool is_product = function->kind == DOUBLE3 || function->kind == FLOAT3; /* fma */
	if (function->kind != BYTES)
		hart->cycles += is_product ? RISCV_TIME_PRODUCT : RISCV_TIME_FUNCTION;
	if (function->kind >= DOUBLE1)
		call_double(hart, function);
	else if (function->kind >= FLOAT1)
		call_float(hart, function);
	else if (!function->call(hart, &hart->x[RISCV_A0]))
		riscv_fault(hart, at, function->name, hart->x[RISCV_A0]);
	return true;
}
