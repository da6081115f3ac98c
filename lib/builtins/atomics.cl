/* SPDX-License-Identifier: MIT
 *
 * Atomic arithmetic on floating types (cl_ext_float_atomics): compare-and-exchange loops.
 */
#define FETCH(type, bits, name, space, expression)                                                 \
	HELPER type fetch_##name(space type *p, type a, memory_order order)                        \
	{                                                                                          \
		bits seen = __atomic_load_n((space bits *)p, __ATOMIC_RELAXED), wanted;            \
		do {                                                                               \
			type x = as_##type(seen);                                                  \
			wanted = as_##bits((type)(expression));                                    \
		} while (!__atomic_compare_exchange_n((space bits *)p, &seen, wanted, true, order, \
						      __ATOMIC_RELAXED));                          \
		return as_##type(seen);                                                            \
	}

#define FETCHES(type, bits, space)                                                                 \
	FETCH(type, bits, add, space, x + a)                                                       \
	FETCH(type, bits, sub, space, x - a)                                                       \
	FETCH(type, bits, min, space, (x != x) | (a < x) ? a : x)                                  \
	FETCH(type, bits, max, space, (x != x) | (x < a) ? a : x)

#define FETCHES_IN_SPACES(type, bits)                                                              \
	FETCHES(type, bits, __generic)                                                             \
	FETCHES(type, bits, __global)                                                              \
	FETCHES(type, bits, __local)

FETCHES_IN_SPACES(half, ushort)
FETCHES_IN_SPACES(float, uint)
FETCHES_IN_SPACES(double, ulong)
