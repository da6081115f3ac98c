/* SPDX-License-Identifier: MIT
 *
 * Shapes: the kernel's own vectors, which neighbours load and store side by side. Part of widen_shapes.cl.
 */
KERNEL(vectors_of_ints)
{
	int i = get_global_id(0);
	int4 v = VECTORS(int4, big)[i], w = VECTORS(int4, big)[n - 1];
	TO_VECTORS(int4, out)[i] = (v * 3 ^ v >> 2) + (int4){1, n, -7, 1 << 20} - w;
}

KERNEL(vectors_and_numbers)
{
	int i = get_global_id(0);
	int4 v = VECTORS(int4, big)[i] * a[i];
	v[2] = v[2] + v[0];
	TO_VECTORS(int4, out)[i] = v;
	bout[i] = (uchar)(v[0] + v[1] - v[3]);
}

KERNEL(vectors_guarded)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	int4 v = VECTORS(int4, big)[i];
	int isOdd = a[i] & 1;
	TO_VECTORS(int4, out)[i] = v;
	if (isOdd)
		TO_VECTORS(int4, out)[i] = v - (v << 3);
	v = VECTORS(int4, out)[i] ^ (isOdd ? v : -v);
	TO_VECTORS(int4, out)[i] = v * VECTORS(int4, big)[i];
}

KERNEL(vectors_of_structs)
{
	int i = get_global_id(0);
	uchar4 p = VECTORS(uchar4, big)[3 * i], q = VECTORS(uchar4, big)[3 * i + 2];
	if (a[i] & 1)
		q = (q ^ VECTORS(uchar4, big)[3 * i + 1]) * (uchar)5;
	TO_VECTORS(uchar4, out)[i] = p + q;
}

KERNEL(vectors_to_structs)
{
	int i = get_global_id(0);
	uchar4 p = VECTORS(uchar4, a)[i], q = VECTORS(uchar4, big)[i];
	TO_VECTORS(uchar4, out)[2 * i] = p * (uchar)3;
	if (a[i] & 1)
		TO_VECTORS(uchar4, out)[2 * i + 1] = p ^ q;
}

KERNEL(bytes_repeated)
{
	int i = get_global_id(0);
	uchar v = bytes[i];
	uchar4 repeated = {v, v, v, v};
	TO_VECTORS(uchar4, out)[i] = (repeated + repeated) ^ VECTORS(uchar4, a)[i];
}

KERNEL(vectors_in_loops)
{
	int i = get_global_id(0), rounds = a[i] & 7;
	int4 v = VECTORS(int4, big)[i], kept = v;
	for (int k = 0; k < rounds; k++) {
		v = v * 5 + VECTORS(int4, big)[i];
		TO_VECTORS(int4, out)[i] = v - k;
		kept = v ^ VECTORS(int4, out)[i];
		if (v[1] > 100000)
			break;
		v = v + kept;
	}
	TO_VECTORS(int4, out)[i] = kept ^ v;
}

KERNEL(vectors_shuffled)
{
	int i = get_global_id(0);
	int4 v = VECTORS(int4, big)[i], w = v & 255;
	int4 mixed = __builtin_shufflevector(v, w, 0, 5, 7, 2);
	int2 half_of = __builtin_shufflevector(mixed, mixed, 3, 1);
	TO_VECTORS(int4, out)[i] = __builtin_shufflevector(half_of, half_of, 0, 1, 1, 0) - mixed;
}

KERNEL(vectors_chosen)
{
	int i = get_global_id(0);
	int4 v = VECTORS(int4, big)[i], w = v * 3 - 1;
	int4 sames = VECTORS(int4, big)[0] > VECTORS(int4, big)[n - 1], both = {-1, 0, 0, -1};
	v = (v & sames) | (w & ~sames);
	TO_VECTORS(int4, out)[i] = (v & both) | (w & ~both);
}

KERNEL(vectors_of_bytes)
{
	int i = get_global_id(0);
	uchar4 p = VECTORS(uchar4, a)[i], q = VECTORS(uchar4, f)[i];
	int4 sum = __builtin_convertvector(p, int4) * 3 + __builtin_convertvector(q, int4);
	TO_VECTORS(uchar4, out)[i] = __builtin_convertvector(sum >> 2, uchar4) + (p ^ q);
}

KERNEL(vectors_of_floats)
{
	int i = get_global_id(0);
	float4 v = __builtin_convertvector(VECTORS(int4, big)[i], float4);
	float4 w = v * 0.25f + f[i];
	int4 over = w > v;
	TO_VECTORS(int4, out)[i] = __builtin_convertvector(v * 0.125f, int4) & over;
	fout[i] = w[2];
}

KERNEL(vectors_of_pairs)
{
	int i = get_global_id(0);
	int2 sum = {0, 0};
	for (int k = 0; k < 2; k++)
		sum += VECTORS(int2, big)[i + k * n] << k;
	TO_VECTORS(int2, out)[i] = sum;
	TO_VECTORS(int2, out)[n + i] = sum * VECTORS(int2, big)[i];
}

KERNEL(vectors_of_longs)
{
	int i = get_global_id(0);
	long2 v = VECTORS(long2, big)[i];
	TO_VECTORS(long2, out)[i] = v * 1234567 ^ v << 9;
}

KERNEL(vectors_backwards)
{
	int i = get_global_id(0);
	TO_VECTORS(int4, out)[n - 1 - i] = VECTORS(int4, big)[i] * VECTORS(int4, big)[n - 1 - i];
}

KERNEL(vectors_anywhere)
{
	int i = get_global_id(0);
	int4 v = VECTORS(int4, big)[idx[i]];
	TO_VECTORS(int4, out)[i] = v + VECTORS(int4, big)[i] + VECTORS(int4, big)[i / 2];
}

KERNEL(vectors_in_rows)
{
	int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
	int4 v = VECTORS(int4, big)[i];
	if (get_global_id(1) > 2)
		v += VECTORS(int4, big)[i - get_global_size(0)] * 3;
	if (get_local_id(0) != 1)
		TO_VECTORS(int4, out)[i] = v;
}

KERNEL(vectors_of_columns)
{
	int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
	uchar4 p = VECTORS(uchar4, a)[i], q = VECTORS(uchar4, a)[get_global_id(0)];
	TO_VECTORS(uchar4, out)[i] = p * (uchar)3 + q * (uchar4){1, 2, 3, 4};
}

/* Short vectors that lie anywhere are gathered and scattered as numbers. */
KERNEL(cells_anywhere)
{
	int i = get_global_id(0);
	int2 v = VECTORS(int2, big)[idx[i]];
	TO_VECTORS(int2, out)[idx[i]] = (v * 3 ^ v >> 2) + (int2){1, -7};
}

KERNEL(cells_of_bytes)
{
	int i = get_global_id(0);
	uchar4 p = VECTORS(uchar4, a)[idx[i]], q = VECTORS(uchar4, big)[idx[i] * 3];
	TO_VECTORS(uchar4, out)[i] = (p * (uchar)3 ^ q) + (uchar4){1, 2, 3, 4};
}

KERNEL(cells_guarded)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	uchar4 p = VECTORS(uchar4, a)[i];
	TO_VECTORS(uchar4, out)[i] = p;
	if (a[i] & 1) {
		p = (p ^ VECTORS(uchar4, big)[idx[i]]) * (uchar)5;
		TO_VECTORS(uchar4, out)[n + idx[i]] = p;
	}
	TO_VECTORS(uchar4, out)[2 * n + i] = p;
}

KERNEL(cells_in_loops)
{
	int i = get_global_id(0), k = a[i] & 7;
	uchar4 v = VECTORS(uchar4, big)[i];
	while (k > 0) {
		v = (v & (uchar)127) * (uchar)3 + VECTORS(uchar4, big)[idx[i] * 2 + (k & 1)];
		k = (k * 3) >> 2;
	}
	TO_VECTORS(uchar4, out)[idx[i]] = v;
}

/* Short vectors at known distances, of which lanes gather each at once. */
KERNEL(cells_apart)
{
	int i = get_global_id(0);
	if (2 * i + 8 >= n)
		return;
	int2 v = VECTORS(int2, big)[i];
	for (int k = 0; k < 4; k++)
		v = (v ^ VECTORS(int2, big)[i * 3 + k]) * 5;
	TO_VECTORS(int2, out)[i] = v;
}

KERNEL(cells_apart_guarded)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	uchar4 p = VECTORS(uchar4, big)[i * 3], q = VECTORS(uchar4, big)[(n - 1 - i) * 3];
	if (a[i] & 1)
		p = (p ^ VECTORS(uchar4, big)[i * 3 + 1]) * (uchar)5;
	TO_VECTORS(uchar4, out)[i] = p + q;
	TO_VECTORS(uchar4, out)[n + i * 3] = p * (uchar)3 ^ q;
}

KERNEL(long_vectors_apart)
{
	int i = get_global_id(0);
	if (3 * i + 2 >= n)
		return;
	int4 v = VECTORS(int4, big)[3 * i];
	for (int k = 0; k < 3; k++)
		v = (v ^ VECTORS(int4, big)[3 * i + k]) * 5;
	TO_VECTORS(int4, out)[i] = v;
}
