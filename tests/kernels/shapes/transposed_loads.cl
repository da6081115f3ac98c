/* SPDX-License-Identifier: MIT
 *
 * Shapes: loops in which each work-item goes through memory element by element. Part of widen_shapes.cl.
 */
KERNEL(walks)
{
	int i = get_global_id(0);
	int length = n < 45 ? n : 45, start = (int)(idx[i] % (uint)(n - length + 1));
	float sum = 0.0f;
	for (int k = 0; k < length; k++)
		sum = sum * 0.5f + f[start + k];
	fout[i] = sum;
}

KERNEL(walk_rows)
{
	int i = get_global_id(0);
	if (i < n / 8) {
		uint sum = 0;
		for (uint k = 0; k < 32; k++)
			sum = sum * 3 + (uint)big[32 * i + k];
		out[i] = (int)sum;
	}
}

/* Sums of floats that wait for each other, each begun with what was loaded before. */
KERNEL(walk_rows_in_order)
{
	int i = get_global_id(0);
	if (i < n / 8) {
		float sum = f[i], other = f[n - 1 - i];
		for (int k = 0; k < 31; k++) {
			sum = sum * 0.5f + (float)(big[32 * i + k] % 256);
			other = other * 0.25f + sum;
		}
		fout[i] = sum - other;
	}
}

KERNEL(walk_by_pointer)
{
	int i = get_global_id(0);
	int length = n < 23 ? n : 23, sum = 0;
	global const int *p = big + idx[i] % (uint)(4 * n - length + 1);
	do {
		sum = sum / 2 + *p++;
	} while (--length > 0);
	out[i] = sum;
}

KERNEL(walk_under_mask)
{
	int i = get_global_id(0);
	uint sum = 0;
	for (int r = 1; r < 4; r++) {
		if ((a[i] >> r) % 3 == 1) {
			int length = r * n / 4, start = (int)(idx[i] % (uint)(n - length + 1));
			for (int k = 0; k < length; k++)
				sum = sum * 5 + (uint)(a[start + k] / (k + 1));
		}
	}
	out[i] = (int)sum;
}

KERNEL(walk_two)
{
	int i = get_global_id(0);
	global const unsigned long *wide = (global const unsigned long *)big;
	int length = n / 2, start = (int)(idx[i] % (uint)(n - length + 1));
	unsigned long sum = 0;
	for (int k = length - 1; k >= 0; k--) {
		sum = sum * 7 + wide[start + length - 1 - k] +
		      (unsigned long)a[start + (length - k - 1)];
		if (k % 5 == 2 && f[start] < 1.0f)
			sum ^= (unsigned long)a[start + k];
	}
	out[i] = (int)sum ^ (int)(sum >> 32);
}

/* Bytes and shorts, up to the last ones of a buffer: windows of 8 bytes and of 4, and what is left. */
KERNEL(walk_bytes)
{
	int i = get_global_id(0);
	global const short *shorts = (global const short *)a;
	int length = n < 29 ? n : 29, start = (int)(idx[i] % (uint)(3 * n - length + 1)),
	    begin = (int)(idx[i] % (uint)(2 * n - length + 1));
	int sum = 0, other = 0;
	for (int k = 0; k < length; k++)
		sum = (sum ^ bytes[start + k]) * 3;
	for (int k = 0; k < length; k++)
		other = (other ^ shorts[begin + k]) * 5;
	if (a[i] & 1) {
		for (int k = 0; k < length; k++)
			other = (other ^ bytes[3 * n - 1 - start - (length - 1) + k]) * 7;
	}
	out[i] = sum;
	out[n + i] = other;
}

/* Indices that wrap, which those without sign may. */
KERNEL(walk_bytes_around)
{
	int i = get_global_id(0);
	int sum = 0;
	for (uint k = 0; k < 16; k++)
		sum = (sum ^ bytes[(idx[i] + k - (uint)i) % (uint)n]) * 3;
	out[i] = sum;
}

KERNEL(walk_and_write)
{
	int i = get_global_id(0);
	global int *row = out + 4 * i;
	int length = n < 9 ? n : 9, start = (int)(idx[i] % (uint)(n - length + 1));
	for (int k = 0; k < 4; k++)
		row[k] = a[i] + k;
	for (int k = 0; k < length; k++)
		row[k % 4] =
			(int)((uint)row[k % 4] * 3 + (uint)row[(k + 1) % 4] * (uint)a[start + k]);
}

/* The last iteration leaves behind one load, and in front of another one. */
KERNEL(walk_to_middle)
{
	int i = get_global_id(0);
	int length = (n < 67 ? n : 67) / (1 + n % 2), start = (int)(idx[i] % (uint)(n - length + 1));
	uint sum = 0;
	for (int k = 0;; k++) {
		sum = sum * 3 + (uint)a[start + k];
		if (k >= length - 1)
			break;
		sum = sum * 5 ^ (uint)big[3 * start + k];
	}
	out[i] = (int)sum;
}

/* 1 to 48 iterations, and values that change places from one to the next. */
KERNEL(walk_to_end)
{
	int i = get_global_id(0), most = n < 48 ? n : 48;
	for (int length = most; length > 0; length -= 11) {
		int start = (int)(idx[i] % (uint)(n - length + 1)), k = 0;
		uint one = 1, other = 2;
		do {
			uint next = other * 3 + (uint)a[start + k];
			other = one;
			one = next;
		} while (++k < length);
		out[i] = (int)(one ^ (uint)(length == most ? 0 : out[i]) * 7 ^ other << 7);
	}
}

/* Rows of their own that work-items write, up and down. */
KERNEL(write_rows)
{
	int i = get_global_id(0);
	if (i < 4) {
		for (int k = 0; k < n; k++)
			out[i * n + k] = (int)((uint)big[i * n + k] * 3 + (uint)a[k]);
	}
}

KERNEL(write_rows_after_another)
{
	int i = get_global_id(0);
	if (i < 3) {
		for (int k = 1; k < n; k++)
			out[i * n + n - k] = (int)((uint)big[i * n + n - k] * 5 +
						   (uint)out[i * n + n - k + 1] * 3);
	}
}
