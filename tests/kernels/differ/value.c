/* SPDX-License-Identifier: MIT
 *
 * Operators of OpenCL C. Divisions by zero and shifts by too much are as lower_division.h says.
 */
#include "value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

#define BUILTIN_ROW(name, text, arity, kind) {text, arity, kind},
const struct builtin_info builtin_infos[NUM_BUILTINS] = {BUILTINS(BUILTIN_ROW)};

static unsigned bits_of(enum scalar scalar)
{
	return (unsigned)scalar_size(scalar) * 8;
}

union lane wrap(enum scalar scalar, uint64_t bits)
{
	union lane lane = {.u = bits};

	switch (scalar) {
	case I8:
		lane.i = (int8_t)bits;
		break;
	case U8:
		lane.u = (uint8_t)bits;
		break;
	case I16:
		lane.i = (int16_t)bits;
		break;
	case U16:
		lane.u = (uint16_t)bits;
		break;
	case I32:
		lane.i = (int32_t)bits;
		break;
	case U32:
		lane.u = (uint32_t)bits;
		break;
	case I64:
	case U64:
	case F32:
	case F64:
	case NUM_SCALARS:
		break;
	}
	return lane;
}

struct value value_load(const void *memory, struct type type)
{
	const unsigned char *bytes = memory;
	size_t size = scalar_size(type.scalar);
	struct value value = {0};

	for (unsigned l = 0; l < type.lanes; l++) {
		uint64_t bits = 0;
		memcpy(&bits, bytes + l * size, size);
		if (is_float(type))
			memcpy(&value.lane[l], &bits, size);
		else
			value.lane[l] = wrap(type.scalar, bits);
	}
	return value;
}

void value_store(void *memory, struct type type, const struct value *value)
{
	unsigned char *bytes = memory;
	size_t size = scalar_size(type.scalar);

	for (unsigned l = 0; l < type.lanes; l++)
		memcpy(bytes + l * size, &value->lane[l], size);
}

bool lane_equal(enum scalar scalar, union lane a, union lane b)
{
	if (scalar == F32 && isnan(a.f) && isnan(b.f))
		return true;
	if (scalar == F64 && isnan(a.d) && isnan(b.d))
		return true;
	return memcmp(&a, &b, scalar_size(scalar)) == 0;
}

struct value value_unary(int op, struct type type, const struct value *a)
{
	struct value result = {0};

	for (unsigned l = 0; l < type.lanes; l++) {
		if (op == '!')
			result.lane[l].i = a->lane[l].u == 0;
		else if (op == '~')
			result.lane[l] = wrap(type.scalar, ~a->lane[l].u);
		else if (type.scalar == F32)
			result.lane[l].f = -a->lane[l].f;
		else if (type.scalar == F64)
			result.lane[l].d = -a->lane[l].d;
		else
			result.lane[l] = wrap(type.scalar, 0 - a->lane[l].u);
	}
	return result;
}

static union lane float_lane(enum operator op, union lane a, union lane b)
{
	union lane r = {0};

	r.f = op == ADD ? a.f + b.f : op == SUB ? a.f - b.f : op == MUL ? a.f * b.f : a.f / b.f;
	return r;
}

static union lane double_lane(enum operator op, union lane a, union lane b)
{
	union lane r = {0};

	r.d = op == ADD ? a.d + b.d : op == SUB ? a.d - b.d : op == MUL ? a.d * b.d : a.d / b.d;
	return r;
}

static uint64_t divide(enum operator op, bool is_signed_type, union lane a, union lane b)
{
	if (b.u == 0)
		return op == DIV ? a.u : 0;
	if (!is_signed_type)
		return op == DIV ? a.u / b.u : a.u % b.u;
	if (b.i == -1)
		return op == DIV ? 0 - a.u : 0;
	return (uint64_t)(op == DIV ? a.i / b.i : a.i % b.i);
}

/* A narrow scalar is an int to a shift, a vector's lane is not. */
static uint64_t shift(enum operator op, struct type type, union lane a, union lane b)
{
	unsigned bits = bits_of(type.scalar);

	if (type.lanes == 1 && bits < 32)
		bits = 32;
	unsigned amount = (unsigned)(b.u & (bits - 1));
	if (op == SHL)
		return a.u << amount;
	return is_signed(type) ? (uint64_t)(a.i >> amount) : a.u >> amount;
}

static uint64_t integer_lane(enum operator op, struct type type, union lane a, union lane b)
{
	switch (op) {
	case ADD:
		return a.u + b.u;
	case SUB:
		return a.u - b.u;
	case MUL:
		return a.u * b.u;
	case DIV:
	case REM:
		return divide(op, is_signed(type), a, b);
	case AND:
		return a.u & b.u;
	case OR:
		return a.u | b.u;
	case XOR:
		return a.u ^ b.u;
	case SHL:
	case SHR:
		return shift(op, type, a, b);
	case LT:
	case LE:
	case GT:
	case GE:
	case EQ:
	case NE:
		break;
	}
	return 0;
}

/* The generator promises that plain arithmetic stays in its type, as the source relies on it. */
static void check_plain(enum operator op, struct type type, union lane a, union lane b)
{
	wide x = a.i, y = b.i;
	wide r = op == ADD ? x + y : op == SUB ? x - y : op == MUL ? x * y : 0;

	if (is_signed(type) && r != (wide)wrap(type.scalar, (uint64_t)r).i) {
		fprintf(stderr, "the generator's mistake: overflow\n");
		abort();
	}
}

struct value value_binary(const struct expr *expr, const struct value *a, const struct value *b)
{
	struct type type = expr->type;
	enum operator op = (enum operator)expr->op;
	struct value result = {0};

	for (unsigned l = 0; l < type.lanes; l++) {
		if (type.scalar == F32)
			result.lane[l] = float_lane(op, a->lane[l], b->lane[l]);
		else if (type.scalar == F64)
			result.lane[l] = double_lane(op, a->lane[l], b->lane[l]);
		else
			result.lane[l] =
				wrap(type.scalar, integer_lane(op, type, a->lane[l], b->lane[l]));
		if (expr->plain)
			check_plain(op, type, a->lane[l], b->lane[l]);
	}
	return result;
}

#define COMPARED(a, b)                                                                             \
	(op == LT   ? (a) < (b)                                                                    \
	 : op == LE ? (a) <= (b)                                                                   \
	 : op == GT ? (a) > (b)                                                                    \
	 : op == GE ? (a) >= (b)                                                                   \
	 : op == EQ ? (a) == (b)                                                                   \
		    : (a) != (b))

struct value value_compare(enum operator op, struct type type, const struct value *a,
			   const struct value *b)
{
	struct value result = {0};

	for (unsigned l = 0; l < type.lanes; l++) {
		union lane x = a->lane[l], y = b->lane[l];
		bool holds = type.scalar == F32   ? COMPARED(x.f, y.f)
			     : type.scalar == F64 ? COMPARED(x.d, y.d)
			     : is_signed(type)    ? COMPARED(x.i, y.i)
						  : COMPARED(x.u, y.u);
		result.lane[l].i = holds ? (type.lanes == 1 ? 1 : -1) : 0;
	}
	return result;
}

static wide least(enum scalar scalar)
{
	return scalar % 2 ? 0 : -((wide)1 << (bits_of(scalar) - 1));
}

static wide most(enum scalar scalar)
{
	return ((wide)1 << (bits_of(scalar) - (scalar % 2 ? 0 : 1))) - 1;
}

static union lane clamp(enum scalar scalar, wide x)
{
	wide low = least(scalar), high = most(scalar);

	return wrap(scalar, (uint64_t)(x < low ? low : x > high ? high : x));
}

static wide wide_of(struct type type, union lane a)
{
	return is_signed(type) ? (wide)a.i : (wide)a.u;
}

/* Towards zero, to the nearest end when out of range, 0 for a NaN. */
static union lane saturated(enum scalar to, double x)
{
	if (isnan(x))
		return (union lane){.u = 0};
	if (x >= 0x1p70 || x <= -0x1p70)
		return clamp(to, x > 0 ? most(I64) * 4 : least(I64) * 4);
	return clamp(to, (wide)x);
}

struct value value_convert(struct type to, struct type from, const struct value *a, bool saturate)
{
	struct value result = {0};

	for (unsigned l = 0; l < to.lanes; l++) {
		union lane x = a->lane[l];
		union lane *r = &result.lane[l];
		if (is_float(from)) {
			double d = from.scalar == F32 ? (double)x.f : x.d;
			if (to.scalar == F32)
				r->f = from.scalar == F32 ? x.f : (float)x.d;
			else if (to.scalar == F64)
				r->d = d;
			else
				*r = saturated(to.scalar, d);
		} else if (to.scalar == F32) {
			r->f = is_signed(from) ? (float)x.i : (float)x.u;
		} else if (to.scalar == F64) {
			r->d = is_signed(from) ? (double)x.i : (double)x.u;
		} else {
			*r = saturate ? clamp(to.scalar, wide_of(from, x)) : wrap(to.scalar, x.u);
		}
	}
	return result;
}

struct value value_as(struct type to, struct type from, const struct value *a)
{
	struct value result = {0};

	(void)from;
	for (unsigned l = 0; l < to.lanes; l++) {
		if (to.scalar == F32)
			result.lane[l].u = a->lane[l].u & 0xbfffffffu;
		else if (to.scalar == F64)
			result.lane[l].u = a->lane[l].u & 0xbfffffffffffffffu;
		else
			result.lane[l] = wrap(to.scalar, a->lane[l].u);
	}
	return result;
}

struct value value_bits(struct type from, const struct value *a)
{
	struct value result = {0};

	for (unsigned l = 0; l < from.lanes; l++) {
		union lane x = a->lane[l];
		if (from.scalar == F32 ? isnan(x.f) : isnan(x.d))
			continue;
		result.lane[l] = wrap(from.scalar == F32 ? I32 : I64,
				      from.scalar == F32 ? (uint32_t)x.u : x.u);
	}
	return result;
}

static unsigned count_ones(uint64_t x)
{
	unsigned count = 0;

	for (; x; x &= x - 1)
		count++;
	return count;
}

static uint64_t leading_zeros(enum scalar scalar, uint64_t x)
{
	uint64_t count = 0;

	while (count < bits_of(scalar) && !(x >> (bits_of(scalar) - 1 - count) & 1))
		count++;
	return count;
}

static uint64_t trailing_zeros(enum scalar scalar, uint64_t x)
{
	uint64_t count = 0;

	while (count < bits_of(scalar) && !(x >> count & 1))
		count++;
	return count;
}

static uint64_t rotated(enum scalar scalar, uint64_t x, uint64_t by)
{
	unsigned bits = bits_of(scalar);
	uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;

	x &= mask;
	by &= bits - 1;
	return by ? x << by | x >> (bits - by) : x;
}

/* Bits of a product that an unsigned or signed wide can hold. */
static uint64_t high_product(struct type type, union lane a, union lane b)
{
	__extension__ typedef unsigned __int128 uwide;
	unsigned bits = bits_of(type.scalar);

	if (is_signed(type))
		return (uint64_t)((wide)a.i * b.i >> bits);
	return (uint64_t)((uwide)a.u * b.u >> bits);
}

static union lane integer_builtin(enum builtin builtin, struct type type, const union lane *x)
{
	enum scalar s = type.scalar;
	wide a = wide_of(type, x[0]), b = wide_of(type, x[1]);

	switch (builtin) {
	case BUILTIN_MUL_HI:
		return wrap(s, high_product(type, x[0], x[1]));
	case BUILTIN_MAD_HI:
		return wrap(s, high_product(type, x[0], x[1]) + x[2].u);
	case BUILTIN_ROTATE:
		return wrap(s, rotated(s, x[0].u, x[1].u));
	case BUILTIN_POPCOUNT:
		return wrap(s, count_ones(x[0].u & (uint64_t)most((enum scalar)(s | 1))));
	case BUILTIN_CLZ:
		return wrap(s, leading_zeros(s, x[0].u));
	case BUILTIN_CTZ:
		return wrap(s, trailing_zeros(s, x[0].u));
	case BUILTIN_ADD_SAT:
		return clamp(s, a + b);
	case BUILTIN_SUB_SAT:
		return clamp(s, a - b);
	case BUILTIN_HADD:
		return wrap(s, (uint64_t)((a + b) >> 1));
	case BUILTIN_RHADD:
		return wrap(s, (uint64_t)((a + b + 1) >> 1));
	case BUILTIN_MAX:
		return a > b ? x[0] : x[1];
	case BUILTIN_MIN:
		return a < b ? x[0] : x[1];
	case BUILTIN_BITSELECT:
		return wrap(s, (x[0].u & ~x[2].u) | (x[1].u & x[2].u));
	case BUILTIN_ABS:
		return wrap((enum scalar)(s | 1), (uint64_t)(a < 0 ? -a : a));
	default: /* BUILTIN_ABS_DIFF */
		return wrap((enum scalar)(s | 1), (uint64_t)(a < b ? b - a : a - b));
	}
}

/* Zeros of fmin and fmax are made positive, in the source too: either is right. */
static double double_builtin(enum builtin builtin, const union lane *x)
{
	double a = x[0].d, b = x[1].d;

	switch (builtin) {
	case BUILTIN_FMA:
		return fma(a, b, x[2].d);
	case BUILTIN_SQRT:
		return sqrt(a);
	case BUILTIN_FABS:
		return fabs(a);
	case BUILTIN_FLOOR:
		return floor(a);
	case BUILTIN_CEIL:
		return ceil(a);
	case BUILTIN_TRUNC:
		return trunc(a);
	case BUILTIN_RINT:
		return rint(a);
	case BUILTIN_FMIN:
		return (isnan(a) || b < a ? b : a) + 0.0;
	default: /* BUILTIN_FMAX */
		return (isnan(a) || b > a ? b : a) + 0.0;
	}
}

/* In double, where all of these but fma are exact, or a square root that a float rounds as it would the exact one. */
static float float_builtin(enum builtin builtin, const union lane *x)
{
	const union lane doubles[3] = {{.d = x[0].f}, {.d = x[1].f}};

	if (builtin == BUILTIN_FMA)
		return fmaf(x[0].f, x[1].f, x[2].f);
	return (float)double_builtin(builtin, doubles);
}

/* any and all: by the most significant bits. */
static struct value judge(enum builtin builtin, struct type type, const struct value *a)
{
	struct value result = {0};
	unsigned count = 0;

	for (unsigned l = 0; l < type.lanes; l++)
		count += a->lane[l].i < 0;
	result.lane[0].i = builtin == BUILTIN_ANY ? count > 0 : count == type.lanes;
	return result;
}

struct value value_builtin(enum builtin builtin, struct type type, const struct value *args)
{
	struct value result = {0};
	unsigned arity = builtin_infos[builtin].arity;

	if (builtin == BUILTIN_ANY || builtin == BUILTIN_ALL)
		return judge(builtin, type, args);
	for (unsigned l = 0; l < type.lanes; l++) {
		union lane x[3] = {{0}, {0}, {0}};
		for (unsigned i = 0; i < arity; i++)
			x[i] = args[i].lane[l];
		if (builtin == BUILTIN_SELECT)
			result.lane[l] = (type.lanes == 1 ? x[2].u != 0 : x[2].i < 0) ? x[1] : x[0];
		else if (type.scalar == F32)
			result.lane[l].f = float_builtin(builtin, x);
		else if (type.scalar == F64)
			result.lane[l].d = double_builtin(builtin, x);
		else
			result.lane[l] = integer_builtin(builtin, type, x);
	}
	return result;
}

uint64_t value_atomic(enum atomic atomic, enum scalar scalar, uint64_t old, uint64_t operand)
{
	bool greater =
		scalar == I32 ? (int32_t)operand > (int32_t)old : (uint32_t)operand > (uint32_t)old;

	switch (atomic) {
	case ATOMIC_ADD:
		return old + operand;
	case ATOMIC_MAX:
		return greater ? operand : old;
	case ATOMIC_MIN:
		return greater ? old : operand;
	case ATOMIC_OR:
		return old | operand;
	case ATOMIC_AND:
		return old & operand;
	case ATOMIC_XOR:
		return old ^ operand;
	case ATOMIC_INC:
		break;
	}
	return old + 1;
}

static double random_double(struct random *random)
{
	static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -2.5, 1e10, -7e-20, 255.0};

	switch (below(random, 12)) {
	case 0:
	case 1:
	case 2:
		return special[below(random, 10)];
	case 3:
		return (double)INFINITY;
	case 4:
		return (double)-INFINITY;
	case 5:
		return (double)NAN;
	case 6:
		return 0x1p-140 * below(random, 1000);
	case 7:
	case 8:
		return below(random, 41) - 20;
	default:
		return (double)(int64_t)random_bits(random) *
		       (one_in(random, 2) ? 0x1p-60 : 0x1p-40);
	}
}

union lane random_lane(struct random *random, enum scalar scalar)
{
	union lane lane = {0};

	if (scalar == F32) {
		lane.f = (float)random_double(random);
	} else if (scalar == F64) {
		lane.d = random_double(random);
	} else {
		uint64_t bits = random_bits(random);
		switch (below(random, 6)) {
		case 0:
			bits = (uint64_t)(below(random, 5) - 2);
			break;
		case 1:
			bits = (uint64_t)least(scalar) - (uint64_t)below(random, 2);
			break;
		case 2:
		case 3:
			bits = (uint64_t)below(random, 100);
			break;
		default:
			break;
		}
		lane = wrap(scalar, bits);
	}
	return lane;
}
