/* SPDX-License-Identifier: MIT */
#include "spec/arithmetic.h"

#include <math.h>
#include <string.h>

static const char too_large[] = "a number is too large";

double weft_number_real(const struct weft_number *number)
{
	return number->is_real ? number->real : (double)number->whole;
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t floor_remainder(int64_t a, int64_t b)
{
	const int64_t rest = a % b;

	return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static const char *whole_power(int64_t base, int64_t exponent, int64_t *result)
{
	*result = 1;
	for (; exponent > 0; exponent >>= 1) {
		if ((exponent & 1) && __builtin_mul_overflow(*result, base, result))
			return too_large;
		if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
			return too_large;
	}
	return NULL;
}

static const char *combine_whole(char operation, int64_t a, int64_t b, int64_t *result)
{
	bool overflows = false;

	switch (operation) {
	case '+':
		overflows = __builtin_add_overflow(a, b, result);
		break;
	case '-':
		overflows = __builtin_sub_overflow(a, b, result);
		break;
	case '*':
		overflows = __builtin_mul_overflow(a, b, result);
		break;
	case '^':
		return whole_power(a, b, result);
	default:
		if (b == 0)
			return "a division by 0";
		if (a == INT64_MIN && b == -1)
			return too_large;
		*result = operation == '%' ? floor_remainder(a, b) : floor_quotient(a, b);
	}
	return overflows ? too_large : NULL;
}

static const char *combine_real(char operation, double a, double b, double *result)
{
	switch (operation) {
	case '+':
		*result = a + b;
		break;
	case '-':
		*result = a - b;
		break;
	case '*':
		*result = a * b;
		break;
	case '^':
		*result = pow(a, b);
		break;
	default:
		if (b == 0)
			return "a division by 0";
		*result = operation == '%'   ? a - floor(a / b) * b
			  : operation == 'f' ? floor(a / b)
					     : a / b;
	}
	return isfinite(*result) ? NULL : too_large;
}

const char *weft_number_combine(char operation, struct weft_number *number,
				const struct weft_number *other)
{
	if (number->is_real || other->is_real || (operation == '^' && other->whole < 0)) {
		const double a = weft_number_real(number);

		number->is_real = true;
		return combine_real(operation, a, weft_number_real(other), &number->real);
	}
	return combine_whole(operation, number->whole, other->whole, &number->whole);
}

/* ---- functions ----------------------------------------------------------------------------------- */

/* PySchedCL's number of elements for a part of the work: steps of a hundredth, or a tenth of few elements. All of 100 percent and
 * none of 0, of an odd number as well, so that a kernel that runs as a whole has all elements. */
static int64_t partition_round(int64_t elements, int64_t percent)
{
	const int64_t odd = elements % 2;
	const int64_t even = elements - odd;

	if (percent <= 0 || percent >= 100)
		return percent <= 0 ? 0 : elements;
	if (percent == 50)
		return even / 2 + odd;
	const int64_t step = even < 100 ? even / 10 : even / 100;
	const int64_t factor = even < 100 ? 10 : 1;
	return percent > 50 ? even - step * (100 - percent) / factor
			    : step * percent / factor + odd;
}

static const char *call_partition_round(const struct weft_number *arguments, size_t count,
					struct weft_number *result)
{
	if (count != 2 || arguments[0].is_real || arguments[1].is_real)
		return "two whole numbers are wanted";
	if (arguments[0].whole < 0)
		return "the number of elements is negative";
	*result = (struct weft_number){
		.whole = partition_round(arguments[0].whole, arguments[1].whole)};
	return NULL;
}

static const char *call_extreme(bool largest, const struct weft_number *arguments, size_t count,
				struct weft_number *result)
{
	*result = arguments[0];
	for (size_t i = 1; i < count; i++) {
		const double a = weft_number_real(&arguments[i]);

		if (largest ? a > weft_number_real(result) : a < weft_number_real(result))
			*result = arguments[i];
	}
	return NULL;
}

static const char *call_int(const struct weft_number *argument, struct weft_number *result)
{
	*result = *argument;
	if (!argument->is_real)
		return NULL;
	if (fabs(argument->real) >= 0x1p63)
		return too_large;
	*result = (struct weft_number){.whole = (int64_t)argument->real};
	return NULL;
}

const char *weft_number_call(const char *name, const struct weft_number *arguments, size_t count,
			     struct weft_number *result)
{
	if (strcmp(name, "partition_round") == 0)
		return call_partition_round(arguments, count, result);
	if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
		return call_extreme(name[1] == 'a', arguments, count, result);
	if (strcmp(name, "int") != 0 && strcmp(name, "float") != 0 && strcmp(name, "abs") != 0)
		return "there is no such function";
	if (count != 1)
		return "one number is wanted";
	if (name[0] == 'i')
		return call_int(arguments, result);
	*result = arguments[0];
	if (name[0] == 'f') {
		*result =
			(struct weft_number){.is_real = true, .real = weft_number_real(arguments)};
		return NULL;
	}
	static const struct weft_number zero = {.whole = 0};
	if (weft_number_real(arguments) >= 0)
		return NULL;
	*result = zero;
	return weft_number_combine('-', result, arguments);
}
