/* SPDX-License-Identifier: MIT
 *
 * Shapes: between barriers. Part of widen_shapes.cl.
 */
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

/* Regions in which one work-item, which need not be the first, has something to do. */
KERNEL(last_of_group)
{
	FLAT
	int x = get_local_id(0), X = get_local_size(0);
	t[l] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (x == X - 1)
		t[l] += t[l - x] * 5;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (x == n % 41)
		t[l] ^= X;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (n & 1)
		if (x == n % 29)
			t[l] -= 11;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[l];
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

KERNEL(tiles_by_pointer)
{
	FLAT
	global const int *p = a + l;
	int left = n - l, r = 0;
	for (int tile = 0; tile < n; tile += L) {
		t[l] = left > 0 ? *p : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		r ^= t[(l + 1) % L] + (left ^ tile);
		barrier(CLK_LOCAL_MEM_FENCE);
		p += L;
		left -= L;
	}
	out[i] = r + left;
}

KERNEL(array_by_table)
{
	FLAT
	const int order[] = {0, 2, 1, 3};
	int p[4], r = 0;
	for (int k = 0; k < 4; k++)
		p[k] = a[i] * k;
	t[l] = p[1];
	barrier(CLK_LOCAL_MEM_FENCE);
	int x = t[(l + 1) % L];
	for (int k = 0; k < 4; k++)
		r ^= (p[order[k]] + x * order[3 - k]) << k;
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

KERNEL(sums_in_array)
{
	FLAT
	int sums[4][3];
	for (int y = 0; y < 4; y++) {
		for (int x = 0; x < 3; x++)
			sums[y][x] = x - y;
	}
	for (int tile = 0; tile < 3; tile++) {
		t[l] = a[(i + tile) % n];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < L; k++) {
			for (int y = 0; y < 4; y++) {
				for (int x = 0; x < 3; x++)
					sums[y][x] += t[(k + x) % L] * (y + k);
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	int r = 0;
	for (int y = 0; y < 4; y++) {
		for (int x = 0; x < 3; x++)
			r = r * 31 + sums[y][x];
	}
	out[i] = r;
}

/* Loops over it that end early, and elements that lanes choose. */
KERNEL(array_by_other_ways)
{
	FLAT
	int p[8], q[8];
	for (int k = 0; k < 8; k++) {
		p[k] = a[i] ^ k;
		q[k] = a[i] + k;
	}
	t[l] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < 8; k++) {
		p[k] += t[(l + k) % L];
		if (p[k] % 5 == 0)
			break;
	}
	for (int k = 7; k >= 0; k -= 2)
		q[k] -= t[(l + k) % L];
	barrier(CLK_LOCAL_MEM_FENCE);
	int r = q[a[i] & 7];
	for (int k = 0; k < 8; k++)
		r = r * 3 + p[k] + q[7 - k];
	out[i] = r;
}

/* A barrier in each round of the loop that goes over the array. */
KERNEL(array_around_barriers)
{
	FLAT
	int p[5];
	for (int k = 0; k < 5; k++) {
		p[k] = a[i] * k;
		t[l] = p[k];
		barrier(CLK_LOCAL_MEM_FENCE);
		p[k] += t[(l + 1) % L];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	int r = 0;
	for (int k = 0; k < 5; k++)
		r ^= p[k] << k;
	out[i] = r;
}

KERNEL(vectors_across)
{
	FLAT
	int4 v = VECTORS(int4, big)[i] * 3;
	t[l] = v[1];
	barrier(CLK_LOCAL_MEM_FENCE);
	v[0] += t[L - 1 - l];
	TO_VECTORS(int4, out)[i] = v - VECTORS(int4, big)[i];
}

/* More numbers for all work-items than a CPU has registers. */
#define TAKE(k) r = (r ^ t[(k) % L]) + (r << 1);
#define TAKE8(k) TAKE(k) TAKE(k + 1) TAKE(k + 2) TAKE(k + 3) TAKE(k + 4) TAKE(k + 5) TAKE(k + 6) TAKE(k + 7)

KERNEL(numbers_for_all)
{
	FLAT
	int r = a[i];
	t[l] = r;
	barrier(CLK_LOCAL_MEM_FENCE);
	TAKE8(0) TAKE8(8) TAKE8(16) TAKE8(24) TAKE8(32)
	out[i] = r;
	barrier(CLK_LOCAL_MEM_FENCE);
	t[l] = r;
	barrier(CLK_LOCAL_MEM_FENCE);
	TAKE8(0) TAKE8(8) TAKE8(16) TAKE8(24) TAKE8(32)
	out[i] ^= r;
}
#undef TAKE8
#undef TAKE

/* Values that a branch before a barrier may change; of one the old value is wanted behind the barrier, too. */
KERNEL(changed_by_some)
{
	FLAT
	int v = a[i], w = v * 3 + l, x = w ^ 5, kept = 0;
	for (int k = 0; k < n % 4 + 2; k++) {
		int before = x;
		t[l] = v + k;
		if ((l + k) & 1) {
			v ^= w * 3 + l;
			w = x + k;
			x = v;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		kept += t[L - 1 - l] - before;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (t[(l + 1) % L] & 2)
			w += kept;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[i] = v + w * 7 + x * 31 + kept;
}

/* The same where the two values change places, and where the loop ends between the barriers. */
KERNEL(changed_and_swapped)
{
	FLAT
	int v = a[i], w = i;
	for (int k = 0;; k++) {
		t[l] = v;
		if (v > w) {
			int s = v;
			v = w - k;
			w = s;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		int other = t[(l + k) % L];
		if (k == n % 3 + 1)
			break;
		if (other & 1)
			w = v + other;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = v * 5 + w;
}
