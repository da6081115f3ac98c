/* SPDX-License-Identifier: MIT
 *
 * Shapes: structures and pixels: what lies side by side in one lane. Part of widen_shapes.cl.
 */
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

/* Bytes and shorts of structures anywhere, without memory behind the last one or in front of the first one. */
KERNEL(odd_structures_anywhere)
{
	int i = get_global_id(0), j = (int)idx[i];
	global const uchar *three = bytes + 3 * j, *first = (global const uchar *)big + 16 * j, *five = first + 11,
			   *seven = first + 9, *six = first + 10;
	global const short *shorts = (global const short *)big + 8 * j + 5;
	out[i] = three[0] + 3 * three[1] - 5 * three[2];
	out[n + i] = first[0] - 3 * first[1] + 5 * first[2];
	out[2 * n + i] = five[4] - 3 * five[0] + 5 * five[2] + 7 * five[1];
	out[3 * n + i] = seven[6] + 3 * seven[0] - 5 * seven[3];
	fout[i] = (float)(shorts[0] + 3 * shorts[1] - 5 * shorts[2]);
	if (a[i] & 1)
		fout[i] = (float)(six[0] - 3 * six[1] + 5 * six[2] - 7 * six[3] + 9 * six[4] - 11 * six[5]);
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

/* x + 3 is x | 3, but only where the branch is taken. */
KERNEL(sum_without_carry)
{
	uint i = get_global_id(0), r = 0;
	if ((i & 3) == 0)
		r = 3 + (uint)(double)i;
	out[i] = (int)r;
	r = 7;
	if (!((i + 1) & 3))
		r = (i + 1) + 3;
	out[n + i] = (int)r;
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

/* Of floats and of doubles, by one operation, and every second lane's counts. */
KERNEL(saturated_from_two_types)
{
	int i = get_global_id(0);
	uint x = convert_uint_sat(VECTORS(double, big)[i]), y = convert_uint_sat(f[i]);
	out[i] = (int)(get_local_id(0) & 1 ? y : x);
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

/* One element for all lanes that run, and indices that no lane means. */
KERNEL(private_rows)
{
	int i = get_global_id(0), far = n * 100000, x = a[i], p[8];
	uchar q[8];
	for (int k = 0; k < 8; k++) {
		p[k] = x * k;
		q[k] = (uchar)(x + k);
	}
	if (x == 1 << 30) {
		p[far] = 1;
		x += p[far + 1] + q[far];
	}
	for (int k = 0; k < 7; k++) {
		if (x >> k & 1)
			p[k + 1] += p[k] + i;
		if (x & 3)
			q[7 - k] = q[k] ^ (uchar)i;
		if (x == (1 << 30) + k)
			q[far] = (uchar)p[far];
	}
	for (int k = 0; k < (x & 7); k++) {
		p[k] = p[k + 1] - q[k];
		if (p[k] & 4 && n > k * big[k & 3]) {
			q[k + 1] = (uchar)(p[k] / (k + 2));
			p[(n + k) & 7] ^= q[k];
		}
	}
	for (int k = 0; k < 4; k++)
		out[4 * i + k] = p[2 * k] * 3 + p[2 * k + 1] + q[2 * k] + q[2 * k + 1] * 256;
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
