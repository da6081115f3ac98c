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
