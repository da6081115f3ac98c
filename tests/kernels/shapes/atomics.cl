/* SPDX-License-Identifier: MIT
 *
 * Shapes: atomics. Part of widen_shapes.cl.
 */
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

/* A thread's own until its range ends. */
KERNEL(few_counters)
{
	int i = get_global_id(0);
	atomic_add(&out[a[i] & 3], a[i]);
	if (a[i] & 1)
		atomic_dec(&out[bytes[i] & 1]);
}

KERNEL(few_bits)
{
	int i = get_global_id(0);
	atomic_and(&out[bytes[i] & 3], a[i] | 255 << (a[i] & 15));
}

/* Ranges of two or one place, side by side. */
KERNEL(ranges_by_counter)
{
	int i = get_global_id(0);
	int count = (a[i] & 1) + 1;
	uint first = (uint)atomic_add(&out[4 * n - 1], count) - (uint)big[0];
	for (int k = 0; k < count; k++)
		out[(first + k) % (uint)(2 * n)] = 1;
}

KERNEL(local_counters)
{
	FLAT
	LOCAL_ARRAY(int, sums, 3);
	if (l < 3)
		sums[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&sums[0], a[i]);
	atomic_max(&sums[1], a[i] & 255);
	if (a[i] & 2)
		atomic_xor(&sums[2], a[i]);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = sums[l % 3];
}
