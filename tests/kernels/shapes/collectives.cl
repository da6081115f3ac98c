/* SPDX-License-Identifier: MIT
 *
 * Shapes: what all work-items of a group compute together. Part of widen_shapes.cl.
 */
KERNEL(group_reductions)
{
	FLAT
	int sum = work_group_reduce_add(a[i]);
	int least = work_group_reduce_min(a[i] ^ l);
	out[i] = sum + 3 * least + work_group_reduce_max(sum - a[i]);
}

KERNEL(group_scans)
{
	FLAT
	int sum = work_group_scan_inclusive_add(a[i]);
	int least = work_group_scan_exclusive_min(a[i] ^ l);
	int most = work_group_scan_inclusive_max(a[i] * (l & 3));
	out[i] = sum + (least >> 4) + 5 * most;
}

KERNEL(group_sums_of_floats)
{
	FLAT
	float x = (float)a[i] * 0.37f;
	float sum = work_group_reduce_add(x);
	float before = work_group_scan_exclusive_add(x + sum * 0.01f);
	fout[i] = before + work_group_scan_inclusive_add(x) * 3.0f;
}

KERNEL(group_extremes_of_floats)
{
	FLAT
	float least = work_group_reduce_min(f[i]);
	float most = work_group_scan_inclusive_max(f[i]);
	fout[i] = l & 1 ? least : most;
}

KERNEL(group_broadcasts)
{
	FLAT
	int x = a[i];
	for (int k = 0; k < 5; k++) {
		int from = k * 7 % L, row = from / (int)get_local_size(0);
		x = x * 3 + work_group_broadcast(x, from % get_local_size(0),
						 row % get_local_size(1), row / get_local_size(1));
	}
	out[i] = x;
}

KERNEL(group_decisions)
{
	FLAT
	int x = a[i], rounds = 0;
	while (work_group_any(x > 0) && rounds < 40) {
		x -= 100 + l;
		rounds++;
		if (work_group_all(x < 500))
			rounds += 7;
	}
	out[i] = x + rounds * 10000;
}

KERNEL(group_sums_in_branches)
{
	FLAT
	int x = a[i];
	if (n & 1)
		x += work_group_reduce_add(l & 1 ? x : 1);
	else
		x ^= work_group_scan_exclusive_add(x);
	for (int k = 0; k < (x & 3); k++)
		x += k * l;
	out[i] = x + (int)work_group_reduce_max((long)x * 5);
}
