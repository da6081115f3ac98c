/* SPDX-License-Identifier: MIT
 *
 * Reductions and scans of each type, in the order of collective_reference.h.
 */
#include "collective.h"

#include "../collective_reference.h"

#include <stdlib.h>

COLLECTIVE_REFERENCE(int32_t, WRAPPED_SUM, INT32_MIN, INT32_MAX)
COLLECTIVE_REFERENCE(uint32_t, WRAPPED_SUM, 0, UINT32_MAX)
COLLECTIVE_REFERENCE(int64_t, WRAPPED_SUM, INT64_MIN, INT64_MAX)
COLLECTIVE_REFERENCE(uint64_t, WRAPPED_SUM, 0, UINT64_MAX)
COLLECTIVE_REFERENCE(float, FLOAT_SUM, -INFINITY, INFINITY)
COLLECTIVE_REFERENCE(double, FLOAT_SUM, -INFINITY, INFINITY)

#define COLLECT(type, member)                                                                      \
	static void collect_##type(enum collective collective, union lane *lanes, size_t count)    \
	{                                                                                          \
		enum collective_operation operation = (enum collective_operation)(collective % 3); \
		type *values = malloc(count * sizeof(*values));                                    \
		for (size_t i = 0; i < count; i++)                                                 \
			values[i] = (type)lanes[i].member;                                         \
		if (collective < GROUP_INCLUSIVE)                                                  \
			values[0] = reduce_##type(operation, values, count);                       \
		else                                                                               \
			scan_##type(operation, collective >= GROUP_EXCLUSIVE, values, count);      \
		for (size_t i = 0; i < count; i++)                                                 \
			lanes[i].member = values[collective < GROUP_INCLUSIVE ? 0 : i];            \
		free(values);                                                                      \
	}
COLLECT(int32_t, i)
COLLECT(uint32_t, u)
COLLECT(int64_t, i)
COLLECT(uint64_t, u)
COLLECT(float, f)
COLLECT(double, d)

static void combine(enum collective collective, enum scalar scalar, union lane *lanes, size_t count)
{
	switch (scalar) {
	case I32:
		collect_int32_t(collective, lanes, count);
		break;
	case U32:
		collect_uint32_t(collective, lanes, count);
		break;
	case I64:
		collect_int64_t(collective, lanes, count);
		break;
	case U64:
		collect_uint64_t(collective, lanes, count);
		break;
	case F32:
		collect_float(collective, lanes, count);
		break;
	default:
		collect_double(collective, lanes, count);
		break;
	}
}

void collect(enum collective collective, enum scalar scalar, union lane *lanes, size_t count,
	     size_t speaker)
{
	size_t set = 0;

	if (collective < GROUP_BROADCAST) {
		combine(collective, scalar, lanes, count);
		return;
	}
	for (size_t i = 0; i < count; i++)
		set += lanes[i].u != 0;
	union lane result = lanes[speaker];
	if (collective == GROUP_ANY)
		result.u = set > 0;
	else if (collective == GROUP_ALL)
		result.u = set == count;
	for (size_t i = 0; i < count; i++)
		lanes[i] = result;
}
