/* SPDX-License-Identifier: MIT
 *
 * Kernels in what OpenCL C and C have in common: Weft compiles them for every vector width, and widen_reference.c
 * includes them as plain C. The buffers have: a, f, idx, bout, fout n elements; big, out 4 n; bytes 3 n. idx is
 * a permutation. t: a local int for each work-item, twice. widen_shapes.def says in what NDRanges they run.
 */
#define KERNEL(name)                                                                                                   \
	kernel void name(global const int *a, global const float *f, global const int *big, global const uint *idx,    \
			 global const uchar *bytes, global int *out, global float *fout, global uchar *bout,           \
			 local int *t, int n)

/* ---- divergent control flow ---- */

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

/* ---- memory ---- */

KERNEL(guarded)
{
	size_t i = get_global_id(0);
	if (i < (size_t)n)
		out[i] = a[i] + 1;
}

KERNEL(guarded_uint)
{
	uint i = get_global_id(0);
	if (i >= (uint)n)
		return;
	fout[i] = f[i] * 2.0f + 1.0f;
	bout[i] = bytes[i] + 1;
}

KERNEL(guarded_both_ends)
{
	int i = get_global_id(0);
	if (i > 0 && i < n - 1)
		out[i] = a[i - 1] + 2 * a[i] + a[i + 1];
	else if (i < n)
		out[i] = a[i];
}

KERNEL(reversed)
{
	int i = get_global_id(0);
	out[n - 1 - i] = a[n - 1 - i] + a[i];
	fout[i] = f[n - i - 1];
}

KERNEL(stride_two)
{
	int i = get_global_id(0);
	out[2 * i] = big[2 * i + 1];
	out[2 * i + 1] = big[2 * i] - 1;
}

KERNEL(stride_three_bytes)
{
	int i = get_global_id(0);
	int r = bytes[3 * i], g = bytes[3 * i + 1], b = bytes[3 * i + 2];
	bout[i] = (uchar)((r * 77 + g * 151 + b * 28) >> 8);
}

KERNEL(stride_four)
{
	int i = get_global_id(0);
	for (int k = 0; k < 4; k++)
		out[i * 4 + k] = big[i * 4 + 3 - k];
}

KERNEL(stride_partly)
{
	int i = get_global_id(0);
	out[4 * i + 1] = big[4 * i] + big[4 * i + 2];
	if (a[i] & 1)
		out[4 * i + 3] = big[4 * i + 3];
}

struct record {
	int key;
	float weight;
	short low, high;
	uchar bytes[4];
};

KERNEL(array_of_structs)
{
	int i = get_global_id(0);
	global const struct record *r = (global const struct record *)big + i;
	global struct record *w = (global struct record *)out + i;
	w->key = r->key * 2;
	w->weight = (float)r->low;
	w->low = r->high;
	w->high = r->low;
	for (int k = 0; k < 4; k++)
		w->bytes[k] = r->bytes[3 - k];
}

KERNEL(masked_struct_fields)
{
	int i = get_global_id(0);
	if (i % 3 == 1) {
		global struct record *w = (global struct record *)out + i;
		w->low = (short)a[i];
		w->bytes[1] = 7;
	}
}

/* ---- structures and pixels: what lies side by side in one lane ---- */

KERNEL(backwards_by_four)
{
	int i = get_global_id(0), j = n - 1 - i;
	for (int k = 0; k < 4; k++)
		out[4 * j + k] = big[4 * j + 3 - k] + big[4 * i + k];
}

KERNEL(strides_of_shorts)
{
	int i = get_global_id(0);
	global const short *s = (global const short *)big;
	global short *w = (global short *)out;
	int sum = 0;
	for (int k = 0; k < 5; k++)
		sum = sum * 3 + s[5 * i + k];
	for (int k = 0; k < 6; k++)
		sum ^= s[6 * i + 5 - k] << k;
	for (int k = 0; k < 7; k++)
		w[7 * i + k] = (short)(sum >> k);
}

/* Neither behind the last member nor in front of the first one is there any memory. */
KERNEL(members_at_the_ends)
{
	int i = get_global_id(0);
	global const int *last = big + n + 1, *first = big - 1;
	global const uchar *byte = bytes + n + 1, *far = (global const uchar *)big + 12 * n + 3;
	out[i] = last[3 * i] - last[3 * i + 1] + first[3 * i + 1] * first[3 * i + 2];
	out[n + i] = byte[2 * i] + far[4 * i];
	fout[i] = (float)big[4 * i + 3];
}

KERNEL(pixels)
{
	int i = get_global_id(0);
	global const uchar *in = (global const uchar *)a + 4 * i;
	global uchar *to = (global uchar *)out + 4 * i;
	uchar r = in[0], g = in[1], b = in[2], alpha = in[3];
	to[0] = b;
	to[1] = (uchar)(g + alpha);
	to[2] = r;
	to[3] = 255;
}

KERNEL(packed_pixels)
{
	int i = get_global_id(0);
	global uchar *to = (global uchar *)out;
	for (int k = 0; k < 3; k++)
		to[3 * i + k] = (uchar)(bytes[3 * i + 2 - k] + k);
}

KERNEL(guarded_structs)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	out[3 * i] = big[4 * i] + bytes[3 * i];
	out[3 * i + 1] = big[4 * i + 1] - bytes[3 * i + 1];
	out[3 * i + 2] = big[4 * i + 2] ^ bytes[3 * i + 2];
	bout[i] = bytes[i];
}

KERNEL(structs_under_mask)
{
	int i = get_global_id(0), k = a[i] & 3;
	if (k == 1) {
		global const struct record *r = (global const struct record *)big + i;
		global struct record *w = (global struct record *)out + i;
		w->key = r->key - r->low;
		w->weight = (float)r->high;
		w->low = r->high;
		w->high = r->low;
		for (int j = 0; j < 4; j++)
			w->bytes[j] = r->bytes[3 - j];
	} else if (k == 2) {
		bout[i] = (uchar)(bytes[3 * i] + bytes[2 * n + i]);
	}
}

/* What comes between two members may be one of them. */
KERNEL(members_in_order)
{
	int i = get_global_id(0), k = a[i] & 3;
	global uint *o = (global uint *)out + 4 * i;
	o[0] = (uint)big[4 * i];
	uint x = o[k];
	o[1] = x + 1;
	o[k] += 5;
	o[2] = o[k] ^ o[1];
	o[3] = o[0] - o[2];
	fout[i] = (float)(o[k] >> 8);
	o[k ^ 1] = 7;
	o[1] += o[k];
	o[0] = o[1] + o[3];
}

KERNEL(scattered_pairs)
{
	int i = get_global_id(0), j = (int)idx[i];
	int x = big[4 * j] + big[4 * j + 1], y = big[4 * j + 2] * big[4 * j + 3];
	out[4 * j + 2] = x;
	out[4 * j + 3] = y;
	if (x > y) {
		out[4 * j] = big[4 * j + 1];
		out[4 * j + 1] = big[4 * j];
	}
	fout[j] = f[j];
}

KERNEL(scattered_pixels)
{
	int i = get_global_id(0), j = (int)idx[i];
	global const uchar *in = (global const uchar *)a + 4 * j;
	global uchar *to = (global uchar *)out + 8 * j;
	for (int k = 0; k < 3; k++)
		to[k] = in[2 - k];
	to[3] = 9;
	to[5] = bytes[3 * j];
	to[6] = bytes[3 * j + 1];
}

struct mixed {
	long wide;
	int middle;
	short narrow;
	uchar byte, spare;
};

KERNEL(members_of_all_sizes)
{
	int i = get_global_id(0);
	global const struct mixed *r = (global const struct mixed *)big + i;
	global struct mixed *w = (global struct mixed *)out + (n - 1 - i);
	w->wide = r->wide + r->narrow;
	w->middle = r->middle - r->byte;
	w->narrow = (short)(r->middle >> 3);
	w->byte = (uchar)r->narrow;
	if (i & 4)
		w->spare = r->spare;
}

KERNEL(gather)
{
	int i = get_global_id(0);
	out[i] = a[idx[i]] + big[idx[n - 1 - i] * 4 + 1];
}

KERNEL(scatter)
{
	int i = get_global_id(0);
	out[idx[i]] = a[i];
	bout[idx[i]] = (uchar)i;
}

KERNEL(masked_gather_scatter)
{
	int i = get_global_id(0);
	if (a[i] > 0)
		out[idx[i]] = big[idx[i] * 3];
	if (i + 5 < n)
		out[n + idx[i]] = a[idx[i + 5]];
}

KERNEL(masked_store)
{
	int i = get_global_id(0);
	if (a[i] & 2)
		out[i] = i;
	if (f[i] > 1.0f)
		fout[i] = f[i];
	if (a[i] & 1)
		bout[i] = (uchar)i;
}

KERNEL(uniform_loads)
{
	int i = get_global_id(0), r = 0;
	for (int k = 0; k < n; k++)
		r += a[k] * (k ^ i);
	out[i] = r + big[3];
}

KERNEL(bytes_and_shorts)
{
	int i = get_global_id(0);
	global const short *s = (global const short *)a;
	global short *w = (global short *)out;
	w[2 * i] = (short)(s[2 * i] + bytes[i]);
	w[2 * i + 1] = (short)(s[2 * i + 1] >> 3);
	bout[i] = (uchar)(bytes[i] * 3 + bytes[2 * n + i]);
}

KERNEL(sixty_four_bits)
{
	long i = get_global_id(0);
	global const long *s = (global const long *)big;
	global long *w = (global long *)out;
	w[i] = s[i] * 3 + (s[2 * n - 1 - i] >> 7);
}

KERNEL(narrow_and_wide)
{
	int i = get_global_id(0);
	global long *w = (global long *)out;
	long x = bytes[i];
	x = x * a[i] + (short)a[i];
	w[i] = x << (bytes[i] & 31);
	fout[i] = (float)bytes[i] + (float)x;
	w[n + i] = (long)(double)(f[i] > -1e6f && f[i] < 1e6f ? f[i] : 0.5f) + (uchar)x;
}

KERNEL(clamped_stencil)
{
	int i = get_global_id(0);
	int low = i - 2 < 0 ? 0 : i - 2, high = i + 2 > n - 1 ? n - 1 : i + 2;
	out[i] = a[low] + a[high] - 2 * a[i];
}

KERNEL(private_varying)
{
	int i = get_global_id(0), p[16];
	for (int k = 0; k < 16; k++)
		p[k] = a[i] + k;
	for (int k = 0; k < 8; k++)
		p[(a[i] + k) & 15] += p[(i + k) & 15];
	uint r = 0;
	for (int k = 0; k < 16; k++)
		r = r * 3 + p[k];
	out[i] = (int)r;
}

KERNEL(private_sort)
{
	int i = get_global_id(0), p[8];
	for (int k = 0; k < 8; k++)
		p[k] = (a[i] >> k) ^ (k * 37);
	for (int k = 1; k < 8; k++) {
		int x = p[k], j = k - 1;
		while (j >= 0 && p[j] > x) {
			p[j + 1] = p[j];
			j--;
		}
		p[j + 1] = x;
	}
	for (int k = 0; k < 4; k++)
		out[4 * i + k] = p[2 * k + (a[i] & 1)];
}

KERNEL(private_bytes)
{
	int i = get_global_id(0);
	uchar p[32];
	for (int k = 0; k < 32; k++)
		p[k] = (uchar)(a[i] >> (k & 7));
	for (int k = 0; k < 32; k++)
		p[p[k] & 31] ^= (uchar)k;
	int r = 0;
	for (int k = 0; k < 32; k++)
		r += p[k] << (k & 15);
	out[i] = r;
}

KERNEL(private_conditionally)
{
	int i = get_global_id(0), p[6], q[6], r = 0;
	for (int k = 0; k < 6; k++) {
		p[k] = i;
		q[k] = k;
	}
	int *s = a[i] & 1 ? p : q;
	s[a[i] & 3] = 100;
	if (a[i] & 4)
		p[(i + 1) % 6] = 50;
	for (int k = 0; k < 6; k++)
		r = r * 7 + p[k] + s[k];
	out[i] = r;
}

KERNEL(store_then_load)
{
	int i = get_global_id(0);
	out[i] = a[i];
	if (a[i] & 1)
		out[i] = out[i] + 5;
	out[n + i] = out[i] * 2;
	out[i] ^= out[n + i];
}

KERNEL(chosen_pointer)
{
	int i = get_global_id(0);
	global const int *p = a[i] & 1 ? a : big;
	global int *w = a[i] & 2 ? out : out + n;
	w[i] = p[n - 1 - i];
}

KERNEL(moving_pointer)
{
	int i = get_global_id(0), r = 0;
	global const int *p = big + i;
	for (int k = 0; k < 4; k++, p += n)
		r = r * 5 + *p;
	for (global const int *q = a + i; q < a + n; q += 9)
		r ^= *q;
	out[i] = r;
}

KERNEL(unsigned_wrap)
{
	uint i = get_global_id(0);
	uint before = i - 1u, after = i + 0xfffffff0u;
	int r = 0;
	if (before < (uint)n)
		r = a[before];
	if (after < (uint)n)
		r += a[after];
	out[i] = r;
}

constant const int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

KERNEL(table_lookup)
{
	int i = get_global_id(0);
	out[i] = table[a[i] & 15] * 10 + table[n & 15] + table[i & 7];
}

KERNEL(grid_stride)
{
	for (int i = get_global_id(0); i < 3 * n; i += (int)get_global_size(0))
		out[i] = big[i] + 3;
}

KERNEL(four_each)
{
	int i = get_global_id(0);
	for (int k = 0; k < 4; k++) {
		int at = i + k * n;
		if (at < 4 * n - 3)
			out[at] = big[at + 3];
	}
}

KERNEL(sparse_rows)
{
	int i = get_global_id(0), r = 0;
	uint first = idx[i] / 2, last = first + (a[i] & 7);
	for (uint k = first; k < last && k < (uint)n; k++)
		r += a[k] * big[idx[k]];
	out[i] = r;
}

/* ---- two and three dimensions ---- */

KERNEL(rows_and_columns)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
	int r = 0;
	for (int k = 0; k < w; k++)
		r += a[y * w + k] * (k + 1);
	for (int k = 0; k < h; k++)
		r ^= a[k * w + x];
	out[y * w + x] = r;
}

KERNEL(ids_by_hand)
{
	int x = get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0);
	int y = get_global_id(1), w = get_global_size(0);
	out[y * w + x] = a[y * w + x] * 3 + x;
	fout[y * w + x] = f[y * w + w - 1 - x];
}

KERNEL(rows_of_tile)
{
	int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);
	int i = get_global_id(1) * get_global_size(0) + get_global_id(0), r = 0;
	t[y * w + x] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < w; k++)
		r = r * 3 + t[y * w + k];
	for (int k = 0; k < h; k++)
		r ^= t[k * w + x] + (int)idx[y];
	if (x > y)
		r += a[i] * (int)idx[get_global_id(1)];
	else if (y & 1)
		fout[i] = f[i] + y;
	out[i] = r;
	bout[i] = bytes[i + y] + x;
}

KERNEL(image_border)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1), r = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h)
				r += bytes[(y + dy) * w + x + dx] * (dx + 2 * dy + 3);
	out[y * w + x] = r;
	bout[y * w + x] = (uchar)(r >> 4);
}

KERNEL(swapped_axes)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
	out[x * h + y] = a[y * w + x];
}

KERNEL(all_ids)
{
	int i = ((int)get_global_id(2) * (int)get_global_size(1) + (int)get_global_id(1)) * (int)get_global_size(0) +
		(int)get_global_id(0);
	int r = 0;
	for (int d = 0; d < 3; d++)
		r = r * 31 + (int)(get_local_id(d) + 3 * get_group_id(d) + 5 * get_local_size(d) + 7 * get_num_groups(d));
	out[i] = r + a[i];
	out[n + i] = (int)get_local_linear_id();
	if (get_local_id(0) == 2 || get_local_id(1) == 1)
		out[2 * n + i] = 1;
}

/* ---- between barriers ---- */

#define FLAT                                                                                                           \
	int i = get_global_linear_id(), l = get_local_linear_id();                                                     \
	int L = (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));

KERNEL(reverse_in_group)
{
	FLAT
	t[l] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[L - 1 - l];
}

KERNEL(tree_reduction)
{
	FLAT
	t[l] = a[i];
	for (int count = L; count > 1;) {
		int rest = (count + 1) / 2;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l + rest < count)
			t[l] += t[l + rest];
		count = rest;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[0];
}

KERNEL(scan_in_group)
{
	FLAT
	t[l] = a[i];
	for (int d = 1; d < L; d *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		int x = l >= d ? t[l - d] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		t[l] += x;
	}
	out[i] = t[l];
}

KERNEL(values_across)
{
	FLAT
	int u = n * 3, v = a[i] * 5, p[4] = {i, v, u, l};
	float x = f[i] * 2.0f;
	t[l] = v;
	barrier(CLK_LOCAL_MEM_FENCE);
	int w = t[(l + 1) % L];
	p[w & 3] += u;
	barrier(CLK_LOCAL_MEM_FENCE);
	t[l] = p[1] + w;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[(l + L / 2) % L] + p[a[i] & 3] + v;
	fout[i] = x + (float)w;
}

KERNEL(divergent_between)
{
	FLAT
	int r = a[i];
	t[l] = 0;
	for (int k = 0; k < n % 5 + 2; k++) {
		if (r & 1) {
			for (int j = 0; j < (r & 7); j++)
				t[l] += j;
		} else {
			t[l] -= k;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		int x = t[(l + k + 1) % L];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (x > 10)
			r += x;
		else
			r = (r >> 1) ^ x;
	}
	out[i] = r;
}

KERNEL(barrier_if_uniform)
{
	FLAT
	int r = a[i];
	t[l] = r;
	if (n & 1) {
		barrier(CLK_LOCAL_MEM_FENCE);
		r = t[(l + 3) % L];
	} else if (n > 20) {
		r++;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (r & 2)
			r = t[L - 1 - l];
	}
	out[i] = r;
}

KERNEL(return_after_barrier)
{
	FLAT
	t[l] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l % 3 == 1)
		return;
	out[i] = t[(l + 1) % L];
}

KERNEL(first_item_only)
{
	FLAT
	LOCAL_VARIABLE(int, sum);
	t[l] = a[i];
	if (l == 0)
		sum = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0)
		for (int k = 0; k < L; k++)
			sum += t[k];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = sum;
}

/* Regions in which the work-items from some id on have nothing to do. */
KERNEL(few_of_group)
{
	FLAT
	int x = get_local_id(0), X = get_local_size(0);
	t[l] = a[i];
	for (int s = X / 2; s > 0; s >>= 1) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (x < s)
			t[l] += t[l + s];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (n % 3 - 1 >= x)
		t[l] += 1000;
	else if (n & 4 && x < 6)
		t[l] -= 500;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (n & 1) {
		if (x == n % 7)
			t[l] *= 3;
	} else if (!(get_local_id(0) > (size_t)n % 23)) {
		t[l] ^= 77;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (x + n % 4 < X - 3)
		t[l] += x;
	barrier(CLK_LOCAL_MEM_FENCE);
	if ((uint)x >= (uint)n % 11)
		t[l] += 3;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[l];
}

/* And with values that change for all between the barriers. */
KERNEL(few_and_shared)
{
	FLAT
	int x = get_local_id(0), count = n & 7, rounds = 0;
	t[l] = a[i];
	while (count < 40) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (x < count)
			t[l] += count;
		count = count * 2 + (rounds & 1);
		if (++rounds == n % 5)
			break;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (x >= 2)
		count++;
	out[i] = t[l] + count * 100 + rounds;
}

KERNEL(odd_even_sort)
{
	FLAT
	t[l] = a[i];
	for (int k = 0; k < L; k++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if ((l & 1) == (k & 1) && l + 1 < L && t[l] > t[l + 1]) {
			int x = t[l];
			t[l] = t[l + 1];
			t[l + 1] = x;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[l];
}

KERNEL(tiled_sums)
{
	FLAT
	int r = 0;
	for (int tile = 0; tile < n; tile += L) {
		t[l] = tile + l < n ? a[tile + l] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < L; k++)
			r += t[k] * (i ^ k);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[i] = r;
}

KERNEL(two_halves)
{
	FLAT
	t[l] = a[i];
	t[L + l] = -a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < 3; k++) {
		int from = k & 1 ? L : 0, to = k & 1 ? 0 : L;
		int x = t[from + (l + 1) % L] + t[from + l];
		barrier(CLK_LOCAL_MEM_FENCE);
		t[to + l] = x;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[i] = t[l] + t[L + l];
}

KERNEL(through_global_memory)
{
	FLAT
	out[i] = a[i];
	barrier(CLK_GLOBAL_MEM_FENCE);
	int x = out[i - l + (l + 1) % L];
	barrier(CLK_GLOBAL_MEM_FENCE);
	out[i] = x * 2;
}

/* ---- atomics ---- */

KERNEL(local_histogram)
{
	FLAT
	LOCAL_ARRAY(int, bins, 16);
	for (int k = l; k < 16; k += L)
		bins[k] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&bins[a[i] & 15]);
	if (a[i] & 16)
		atomic_add(&bins[i & 15], 1000);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = bins[l & 15];
}

KERNEL(global_atomics)
{
	int i = get_global_id(0);
	atomic_add(&out[0], a[i]);
	if (n > 3) {
		atomic_max(&out[1], a[i]);
		if (a[i] & 1)
			atomic_xor(&out[2 + (a[i] & 1)], a[i]);
		atomic_dec(&out[n]);
	}
}

KERNEL(compare_exchange)
{
	int i = get_global_id(0), old, seen = out[0];
	do {
		old = seen;
		seen = atomic_cmpxchg(&out[0], old, old > a[i] ? old : a[i]);
	} while (seen != old);
}

KERNEL(slots_by_counter)
{
	int i = get_global_id(0);
	if (a[i] & 1) {
		uint slot = (uint)atomic_inc(&out[4 * n - 1]) - (uint)big[0];
		out[slot % (uint)n] = 1;
	}
}

/* ---- functions ---- */

int __attribute__((noinline)) far_away(uint x, uint y)
{
	uint r = y;
	for (uint k = 0; k < (x & 7); k++) {
		r = r * 3 + k;
		if (r & 64)
			return (int)(r - x);
		switch (r & 3) {
		case 0:
			r += y;
			break;
		case 1:
			r ^= 12345;
			break;
		default:
			r -= k * x;
		}
	}
	return (int)r;
}

KERNEL(call_under_mask)
{
	int i = get_global_id(0);
	uint r = 1;
	if (a[i] & 1)
		r = far_away(a[i], i);
	for (int k = 0; k < (a[i] & 3); k++)
		r += far_away(r, n);
	out[i] = (int)r;
}

void two_results(int x, private int *low, private int *high)
{
	if (x & 1) {
		*low = x & 0xff;
		return;
	}
	*high = x >> 8;
}

KERNEL(results_by_pointer)
{
	int i = get_global_id(0), low = -1, high = -2;
	two_results(a[i], &low, &high);
	if (a[i] & 2)
		two_results(a[i] >> 3, &high, &low);
	out[i] = low * 1000 + high;
}

KERNEL(hash_rounds)
{
	int i = get_global_id(0);
	uint h = a[i], g = i;
	for (int k = 0; k < 20; k++) {
		h ^= g << 5 | g >> 27;
		g += h * 0x9e3779b1u;
		h = h << 13 | h >> 19;
		if (h & 0x100)
			g = ~g;
	}
	out[i] = (int)(h ^ g);
}

KERNEL(slow_chain)
{
	int i = get_global_id(0);
	uint h = a[i];
	for (int k = 0; k < 11; k++) {
		h *= 0x9e3779b1u;
		h *= h | 1;
	}
	out[i] = (int)h;
	if (h & 2)
		out[i] += f[(h >> 3) % (uint)n] > 0.5f;
}

/* One work-item stores to a place that all know. */
KERNEL(one_of_many)
{
	int i = get_global_id(0);
	uint h = a[i];
	for (int k = 0; k < 11; k++) {
		h *= 0x9e3779b1u;
		h *= h | 1;
	}
	out[i] = (int)h;
	if (i == n / 2)
		out[3 * n] = (int)h;
}
