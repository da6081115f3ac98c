/* SPDX-License-Identifier: MIT
 *
 * Shapes: divergent control flow. Part of widen_shapes.cl.
 */
KERNEL(if_else)
{
	int i = get_global_id(0);
	int x = a[i];
	if (x & 1)
		x = x * 3 + 1;
	else
		x = x / 2;
	out[i] = x;
}

KERNEL(same_in_all_ways)
{
	int i = get_global_id(0), x = a[i];
	uint u = a[n - 1 - i];
	float r;
	if (x & 1)
		r = sqrt((float)(u & 1023)) + x / 3;
	else if (x & 2)
		r = sqrt((float)(u >> 20)) + x / 7;
	else
		r = 2 * sqrt((float)(u & 15));
	out[i] = (int)(r * 16);
}

KERNEL(nested_if)
{
	int i = get_global_id(0), x = a[i], r = 0;
	if (x > 0) {
		if (x & 2) {
			r = x ^ 5;
			if ((x & 12) == 4)
				r += a[n - 1 - i];
		} else if (n > 50) {
			r = x * 7;
		}
		r++;
	}
	out[i] = r;
}

KERNEL(else_if_chain)
{
	size_t i = get_global_id(0);
	int x = a[i] & 15, r;
	if (x == 0)
		r = 10;
	else if (x < 3)
		r = x * 20;
	else if (x < 7)
		r = a[i] - x;
	else if (x == 9)
		r = n;
	else
		r = -x;
	out[i] = r;
}

KERNEL(switch_varying)
{
	int i = get_global_id(0), r = 1;
	switch (a[i] & 7) {
	case 0:
		r = 5;
	case 1:
		r += 2;
		break;
	case 2:
		r = a[i] * 3;
		break;
	case 4:
	case 5:
		r -= i;
	case 6:
		r ^= 99;
		break;
	default:
		r = -1;
	}
	out[i] = r;
}

KERNEL(switch_uniform)
{
	int i = get_global_id(0), r = a[i];
	switch (n & 3) {
	case 0:
		r += 1;
		break;
	case 1:
		r *= 2;
	case 2:
		r ^= i;
		break;
	default:
		if (r & 1)
			r = -r;
	}
	out[i] = r;
}

KERNEL(ternaries)
{
	int i = get_global_id(0);
	int x = a[i];
	out[i] = x > 100 ? x - 100 : x < -100 ? x + 100 : x & 1 ? (n > 64 ? i : -i) : 0;
}

KERNEL(short_circuit)
{
	int i = get_global_id(0), r = 0;
	if (i + 1 < n && a[i + 1] > a[i])
		r |= 1;
	if (i == 0 || a[i - 1] > a[i])
		r |= 2;
	if ((i > 3 && a[i - 4] & 1) || (i + 4 < n && a[i + 4] & 1))
		r |= 4;
	out[i] = r;
}

KERNEL(varying_trip_count)
{
	int i = get_global_id(0), r = 0;
	for (int k = 0; k < (a[i] & 31); k++)
		r += k * i;
	out[i] = r;
}

KERNEL(collatz)
{
	int i = get_global_id(0), steps = 0;
	uint x = (a[i] & 1023) + 1;
	while (x != 1) {
		x = x & 1 ? 3 * x + 1 : x / 2;
		steps++;
	}
	out[i] = steps;
}

KERNEL(break_in_loop)
{
	int i = get_global_id(0), r = 0, k;
	for (k = 0; k < 40; k++) {
		r += big[(i + k) & 3];
		if ((a[i] & 63) == k)
			break;
		r ^= k;
	}
	out[i] = r + 1000 * k;
}

KERNEL(continue_in_loop)
{
	int i = get_global_id(0);
	uint r = 0;
	for (int k = 0; k < 20; k++) {
		if ((a[i] >> (k & 15)) & 1)
			continue;
		r += k;
		if (k == (a[i] & 7))
			continue;
		r *= 3;
	}
	out[i] = (int)r;
}

KERNEL(early_return)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	int x = a[i];
	out[i] = x;
	if (x % 3 == 0)
		return;
	out[i] = x * 2;
	if (n == 64)
		return;
	out[n + i] = x + i;
}

KERNEL(return_in_loop)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	for (int k = 0; k < 30; k++) {
		if ((a[i] & 31) == k) {
			out[i] = k;
			return;
		}
		out[n + i] = k;
	}
	out[2 * n + i] = 77;
}

KERNEL(nested_varying_loops)
{
	int i = get_global_id(0), r = 0;
	for (int j = 0; j < (a[i] & 7); j++)
		for (int k = j; k < ((a[i] >> 3) & 7); k++)
			r += j * k + i;
	out[i] = r;
}

KERNEL(break_of_two)
{
	int i = get_global_id(0), j, k = 0, r = 0;
	for (j = 0; j < 8; j++)
		for (k = 0; k < 8; k++) {
			r += j ^ k;
			if (j * 8 + k == (a[i] & 63))
				goto found;
		}
found:
	out[i] = r * 100 + j * 10 + k;
}

KERNEL(jump_into_loop)
{
	int i = get_global_id(0), k = 0, r = 0;
	if (a[i] & 1)
		goto middle;
	r = 5;
	do {
		r += 3;
middle:
		r = r * 2 + k;
		k++;
	} while (k < (a[i] & 7));
	out[i] = r;
}

KERNEL(two_entries_two_exits)
{
	int i = get_global_id(0), k = 0, r = a[i];
	if (r & 4)
		goto second;
first:
	r = r * 3 + 1;
	if (++k > 9)
		goto done;
	if (r & 8)
		goto first;
second:
	r ^= k;
	if (++k > 11)
		goto done;
	if (r & 1)
		goto first;
	r++;
	goto second;
done:
	out[i] = r;
}

KERNEL(uniform_in_divergent)
{
	int i = get_global_id(0), r = 0;
	if (a[i] & 1) {
		if (n & 1)
			r = big[n];
		else
			r = 3;
		for (int k = 0; k < n % 13; k++)
			r += big[k % n] ^ a[i];
	} else if (n > 30) {
		r = 9;
	}
	out[i] = r;
}

KERNEL(several_exits)
{
	int i = get_global_id(0), k, r = a[i];
	for (k = 0;; k++) {
		if (r > 100000)
			break;
		if (k > 12) {
			r = -r;
			break;
		}
		if ((r & 255) == 7)
			goto odd;
		r = r * 2 + 1;
	}
	out[i] = r + k;
	return;
odd:
	out[i] = k;
	out[n + i] = r;
}

/* The last round is left by all lanes at once, in front of where they part and meet. */
KERNEL(fuel_between_exits)
{
	int i = get_global_id(0), fuel = 9, r = a[i];
	for (;;) {
		if ((r & 255) == 0)
			break;
		if (--fuel <= 0)
			break;
		if (i > 5 || (r & 3) == 1)
			out[n + i] = r ^= 1 << fuel;
	}
	out[i] = r * 16 + fuel;
}

KERNEL(two_loops_one_fuel)
{
	int i = get_global_id(0), fuel = 11, r = a[i];
outer:
	if (--fuel <= 0)
		goto done;
	r++;
inner:
	if (--fuel <= 0)
		goto done;
	r *= 2;
	if (i % 3 > 0)
		goto inner;
	goto outer;
done:
	out[i] = r;
}

KERNEL(two_loops_each_into_the_other)
{
	int i = get_global_id(0), fuel = 9, r = a[i] & 127;
	if (r & 1)
		goto second;
first:
	r = 2 * r ^ 93;
	if (--fuel <= 0)
		goto done;
	if (r & 4)
		goto first;
second:
	r += 3;
	if (--fuel <= 0)
		goto done;
	if (n & 1)
		goto second;
	goto first;
done:
	out[i] = r;
}

KERNEL(loops_that_do_nothing)
{
	int i = get_global_id(0), l = get_local_id(0);
	for (int k = 0; k < 8; k++) {
	}
	for (int k = 0; k < (a[i] & 3); k++) {
	}
	for (uint k = 0u & 7u; k-- > 0;) {
	}
	for (int k = 9; k-- > 0 && l > 0;)
		if (big[3] > 0 && f[0] != f[0])
			break;
	out[i] = i;
}

KERNEL(do_while)
{
	int i = get_global_id(0), r = 0, x = a[i] & 0xffff;
	do {
		r += x & 3;
		x >>= 2;
	} while (x);
	out[i] = r;
}

KERNEL(start_by_lane)
{
	int i = get_global_id(0), r = 0;
	for (int k = i; k < n; k += 7)
		r += a[k];
	out[i] = r;
}

KERNEL(mandelbrot)
{
	int i = get_global_id(0), k;
	float x = 0, y = 0, cx = -2.0f + 3.0f * (i % 16) / 16, cy = (i / 16) / 20.0f;
	for (k = 0; k < 50; k++) {
		float xx = x * x, yy = y * y;
		if (xx + yy > 4.0f)
			break;
		y = 2 * x * y + cy;
		x = xx - yy + cx;
	}
	out[i] = k;
	fout[i] = x;
}

KERNEL(binary_search)
{
	int i = get_global_id(0), low = 0, high = n;
	while (low < high) {
		int middle = (low + high) / 2;
		if (big[middle] + middle * 100000 < a[i] * 100)
			low = middle + 1;
		else
			high = middle;
	}
	out[i] = low;
}

KERNEL(swap_in_loop)
{
	int i = get_global_id(0);
	uint p = a[i], q = i;
	for (int k = 0; k < (a[i] & 15); k++) {
		uint s = p;
		p = q;
		q = s + (k & 1 ? q : 1);
	}
	out[i] = (int)p;
	out[n + i] = (int)q;
}

KERNEL(swap_with_memory)
{
	int i = get_global_id(0), x = i;
	for (int k = 0; k < 3; k++)
		out[k * n + i] = a[i] + k;
	for (int k = 0; k < 3; k++) {
		if (a[i] >> k & 1) {
			int before = out[k * n + i];
			out[k * n + i] = x;
			x = before;
		}
	}
	out[3 * n + i] = x;
}

/* Past the end of the buffer unless the guard holds; half of each number is wanted. */
KERNEL(halves_at_end)
{
	global const long *wide = (global const long *)big;
	int i = get_global_id(0), j = i + 2 * n - (n / 2 | 1);
	out[i] = j < 2 * n ? (int)wide[j] : 7;
	out[n + i] = j < 2 * n ? (int)(wide[2 * n - 1 - j] >> 32) : 9;
}

KERNEL(one_division_sometimes)
{
	int i = get_global_id(0), r = i;
	uint first = (uint)n * 7u, d = (uint)n + 3u;
	for (int k = 0; k < n; k++) {
		if (a[k] & 4)
			r += big[first % d];
	}
	out[i] = r;
}

KERNEL(masked_division)
{
	int i = get_global_id(0), d = a[i] & 3, r = -5;
	if (d != 0)
		r = (a[i] ^ i) / d + (a[i] + i) % d;
	out[i] = r;
}

KERNEL(divisions)
{
	int i = get_global_id(0), x = big[4 * i] * 31, d = (a[i] | 1) + 2;
	uint ux = ~0u - (uint)(x & 7), ud = i & 1 ? ~0u - (uint)(i & 15) : (uint)d | 1u;
	short s = (short)x, sd = (short)(d | 1) == -1 ? 3 : (short)(d | 1);
	uchar b = (uchar)x, bd = (uchar)(d | 1);
	if (d == -1 || d == 0)
		d = 7;
	out[i] = (int)(ux / ud + ux % ud) ^ ((x / d) * 3) ^ (x % d) ^ ((s / sd) * 5 + s % sd) ^ (b / bd + b % bd);
}

/* All lanes have one divisor: the least and largest numbers, and those next to multiples of it. */
KERNEL(shared_divisions)
{
	int i = get_global_id(0), d = n + 5, m = (a[i] & 0xffff) * d, least = -2147483647 - 1 + (i & 1), r = 0;
	uint ud = ~0u / (uint)d, ux = (uint)(a[i] & 3) * ud - (uint)(i & 1);
	short s = (short)(-32768 + (a[i] & 3)), sd = (short)(-5 - (d & 1023)), sm = (short)(sd * (i & 7) - (i & 1));
	uchar b = (uchar)(255 - (a[i] & 3)), bd = (uchar)(d % 37 + 1);
	r += (int)((ux / ud) * 3 + (ux % ud) + (~0u - (uint)(i & 3)) / (uint)d);
	r ^= (m - 1) / -d * 5 + (m + 1) % -d + (1 - m) / d * 3 + (-1 - m) % d + least / d * 7 + least % -d;
	r ^= s / sd * 7 + s % sd + sm / sd + sm % sd * 3 + b / bd + b % bd * 11;
	for (int j = 0; j < 6; j++)
		r = (r & 0xffff) * 3 + a[(i + j * 5 + (big[1] & 3)) % n] % 1000;
	out[i] = r;
}

KERNEL(chase)
{
	int i = get_global_id(0), at = i, k = 0;
	while (at >= 0 && k < 12) {
		at = idx[at] > (uint)n / 8 ? (int)idx[at] : -1;
		k++;
	}
	out[i] = at * 16 + k;
}

KERNEL(switch_in_loop)
{
	int i = get_global_id(0), r = 0;
	uint x = a[i];
	for (int k = 0; k < 12; k++) {
		switch (x & 3) {
		case 0:
			x >>= 2;
			continue;
		case 1:
			r += k;
			break;
		case 2:
			if (r > 50)
				goto out_of_it;
			r += 9;
		default:
			r ^= 1;
		}
		x = (x >> 1) + k;
	}
	r += 1000;
out_of_it:
	out[i] = r;
}

KERNEL(nan_branches)
{
	int i = get_global_id(0), r = 0;
	float x = f[i], y = x - x;
	if (x < 0)
		y = sqrt(x);
	if (y == y)
		r = 1;
	else if (!(y < 1.0f))
		r = 2;
	out[i] = r + (x > y ? 4 : 8);
}

/* Forty ways lead behind the conditions, behind the chain, and to the end of an iteration. */
#define FIVE(part, k) part(k) part(k + 1) part(k + 2) part(k + 3) part(k + 4)
#define FORTY(part)                                                                                                    \
	FIVE(part, 1)                                                                                                  \
	FIVE(part, 6) FIVE(part, 11) FIVE(part, 16) FIVE(part, 21) FIVE(part, 26) FIVE(part, 31) FIVE(part, 36)
#define ANYWHERE(k) (uint)a[(uint)(i * 7 + j * 5 + (k) * 11) % (uint)n]
#define IF_SOME(k) || ANYWHERE(k) % 67 == k
#define IF_ALL(k) &&ANYWHERE(k) % 41 != k
#define ELSE_IF(k)                                                                                                     \
	else if (ANYWHERE(k) % 37 == k)                                                                                \
	{                                                                                                              \
		v = ANYWHERE(k + 3);                                                                                   \
		g = g / 2 + k;                                                                                         \
	}
#define IF_NEXT(k)                                                                                                     \
	if (ANYWHERE(k) % 29 == k) {                                                                                   \
		v += k;                                                                                                \
		continue;                                                                                              \
	}

KERNEL(very_many_ways)
{
	int i = get_global_id(0);
	uint v = a[i];
	float g = f[i];
	for (int j = 0; j < (i & 3) + 1; j++) {
		if (0 FORTY(IF_SOME))
			v = v * 3 + 1;
		if (1 FORTY(IF_ALL))
			v ^= 21;
		if (v % 7 == 1)
			v = v / 2;
		FORTY(ELSE_IF)
		else g = 1.5f;
		FORTY(IF_NEXT)
		v++;
	}
	out[i] = v;
	fout[i] = g;
}
