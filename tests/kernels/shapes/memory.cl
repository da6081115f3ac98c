/* SPDX-License-Identifier: MIT
 *
 * Shapes: memory. Part of widen_shapes.cl.
 */
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

/* All work-items load from one place. */
KERNEL(first_loads)
{
	int i = get_global_id(0);
	int p = a[n / 2], q = bytes[1] / (a[0] | 1);
	out[i] = a[i] * p + q;
	bout[i] = bytes[i] ^ a[n / 2];
	fout[i] = f[0] * f[i];
}

KERNEL(first_loads_guarded)
{
	size_t i = get_global_id(0);
	if (n > 3 && i < (size_t)n - 3) {
		int p = a[2];
		if (a[i] > p)
			out[i] = (int)idx[p & 3] % (a[1] | 1);
		fout[i] = f[1] - f[i];
	}
	int k = (int)get_global_id(0);
	if (k < n)
		bout[k] = bytes[k] + bytes[2 * n];
}

/* Between writes to a work-item's own array. */
KERNEL(first_loads_private)
{
	int i = get_global_id(0), own[4] = {n, 0, 0, 0};
	if (n < 4 || i >= n)
		return;
	own[2] = a[0];
	own[a[i] & 3] += a[1];
	own[1] ^= a[2] + i;
	out[i] = own[(i + a[0]) & 3] - own[a[1] & 3];
	bout[i] = bytes[2 * n];
}

/* Loops that all work-items run alike, before they write and behind that. */
KERNEL(uniform_loops)
{
	int i = get_global_id(0), sum = 0, least = n;
	for (int k = 0; k < n % 13; k++)
		sum += a[k] * (k + 1);
	for (int k = 0; k < n / 7; k++)
		for (int j = 0; j <= k % 3; j++)
			least = (a[k + j] ^ sum) < least ? a[k + j] ^ sum : least;
	out[i] = sum + least * i;
	for (int k = 0; k < n % 5; k++)
		sum += out[i] ^ a[k];
	out[i] = sum;
}

KERNEL(uniform_loops_guarded)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	int count = a[0] & 15, sum = i;
	float total = 0;
	for (int k = 0; k < count && k < n; k++)
		total += f[k] * 0.5f;
	int end = a[n - 1] & 7;
	for (int k = 0; k < (end < n ? end : n); k++)
		sum ^= a[k] + count;
	out[i] = sum;
	fout[i] = total;
}

/* No work-item of the last groups passes, and all take what the loops take. */
KERNEL(uniform_loops_of_some)
{
	int i = get_global_id(0), v = n * 7 + 3, m = n / 3;
	if (i < m) {
		int sum = a[0] & 15;
		for (int k = 0; k < m; k++)
			sum += a[((v + k) & 63) % n];
		sum ^= a[(v & 31) % n];
		for (int k = 0; k < (v & 7); k++)
			sum += a[((v ^ 5) & 15) % n] * v;
		out[i] = sum;
	} else
		out[i] = v + (v ^ 5);
}

KERNEL(sum_in_memory)
{
	int i = get_global_id(0);
	out[i] = 5;
	for (int k = 0; k < n % 37; k++)
		out[i] += a[k] * big[3 * i] - (int)idx[(i + k) % n];
	fout[i] = f[i];
	for (int k = i % 5; k < 4; k++) {
		fout[i] = fout[i] * 0.5f + f[(i + k) % n];
		if (a[i] & k)
			fout[i] += 1.0f;
	}
}

/* Nothing is stored where a loop does not run; the rest of the kernel may be another work-item's. */
KERNEL(sums_of_some)
{
	int i = get_global_id(0);
	for (int k = 0; k < a[i] % 4; k++) {
		out[4 * i] += k + a[(i + k) % n];
		out[4 * i + 1] ^= bytes[i + k];
	}
	if (a[i] % 4 <= 0)
		out[4 * i + 2] = i;
}

/* What is loaded may be what was stored. */
KERNEL(sum_of_itself)
{
	int i = get_global_id(0);
	for (int k = 0; k < 4; k++)
		out[4 * i + k] = a[i] + k;
	for (int k = 0; k < 4; k++)
		out[4 * i + 2] += 3 * out[4 * i + k];
	for (int k = 0; k < 2; k++)
		out[4 * i + 3] += 3 * out[4 * i + k];
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

/* Arithmetic that fits 16 bits, with and without a sign, and some that does not. */
KERNEL(narrow_filter)
{
	int i = get_global_id(0);
	int before = bytes[i], here = bytes[i + n], after = bytes[i + 2 * n];
	int slope = 2 * here - before - after, size = slope < 0 ? -slope : slope;
	int mixed = ((slope >> 2 ^ before) & 0x7f) | (after << 6 & 0x1c0);
	size = size + (mixed & 0xff) < 255 ? size + (mixed & 0xff) : 255;
	bout[i] = (uchar)(slope > 3 ? size : size - mixed);
}

KERNEL(narrow_and_not)
{
	int i = get_global_id(0);
	int p = bytes[i], q = ((global const char *)bytes)[n + i], difference = p - q;
	int bits = (int)((uint)difference >> 28), product = p * q + difference;
	uint least = (uint)difference < (uint)q ? (uint)difference : (uint)q;
	int sum = (p * 127 >> 7) + (q * 64 - p / 3) + (difference > q ? p & ~q : p | q) + bits;
	sum += difference * 100 % 7 + (product ^ q) + (int)(least >> 3 & 7) + p * p;
	bout[i] = (uchar)(sum ^ sum >> 8);
}

KERNEL(narrow_guarded)
{
	int i = get_global_id(0);
	if (i < 1 || i >= n - 1)
		return;
	int gradient = bytes[i + 1] - bytes[i - 1];
	gradient = gradient < 0 ? -gradient : gradient;
	if (gradient > 40)
		gradient = (gradient + bytes[i] + 1) >> 1;
	bout[i] = (uchar)(gradient > 200 ? 200 : gradient);
}

/* Sums of elements that lie anywhere, as many as data say: scalars may be faster than lanes. */
KERNEL(uneven_sums)
{
	int i = get_global_id(0), r = 0;
	int end = (int)idx[i] + (a[i] & 63);
	for (int k = (int)idx[i]; k < n && k < end; k++)
		r += big[3 * (int)idx[k]] ^ k;
	out[i] = r;
}

KERNEL(even_sums)
{
	int i = get_global_id(0), r = 0;
	int first = (int)(idx[i] / 2);
	int end = first + n / 2 - (i & 1);
	for (int k = first; k < end; k++)
		r += big[3 * (int)idx[k]] ^ k;
	out[i] = r;
}

/* Each work-item writes a row of its own, whose elements need those before. Lanes do so where rows lie well. */
KERNEL(rows_of_ones_own)
{
	int i = get_global_id(0), width = 2 + n % 3;
	out[i * width] = a[i];
	for (int k = 1; k < width; k++)
		out[i * width + k] = big[i * width + k] * 3 - out[i * width + k - 1];
}
