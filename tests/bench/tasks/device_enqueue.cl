// SPDX-License-Identifier: MIT
// Work that finds out by itself how much of it there is: once a kernel enqueues the rest, once the host does, after it has
// read how much is left.

// ---- launches ----------------------------------------------------------------------------------

kernel void enqueue_wide(global int *counter, queue_t queue, int count)
{
	for (int i = 0; i < count; i++)
		enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1, 1),
			       ^{ atomic_inc(counter); });
}

void nest(global int *counter, queue_t queue, int left)
{
	counter[0]++;
	if (left > 1)
		enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1, 1),
			       ^{ nest(counter, queue, left - 1); });
}

kernel void enqueue_deep(global int *counter, queue_t queue, int count)
{
	nest(counter, queue, count);
}

// ---- quicksort ----------------------------------------------------------------------------------

#define SORTED_AT_ONCE 256

void sort_short(global uint *a, int first, int end)
{
	for (int i = first + 1; i < end; i++) {
		uint x = a[i];
		int k = i;
		for (; k > first && a[k - 1] > x; k--)
			a[k] = a[k - 1];
		a[k] = x;
	}
}

// Returns where the second part begins; both parts are shorter than the whole.
int partition(global uint *a, int first, int end)
{
	uint x = a[first], y = a[(first + end) / 2], z = a[end - 1];
	uint pivot = max(min(x, y), min(max(x, y), z));
	int i = first - 1, k = end;
	for (;;) {
		do
			i++;
		while (a[i] < pivot);
		do
			k--;
		while (a[k] > pivot);
		if (i >= k)
			return k + 1 < end ? k + 1 : k;
		uint other = a[i];
		a[i] = a[k];
		a[k] = other;
	}
}

void sort_part(global uint *a, queue_t queue, int first, int end)
{
	while (end - first > SORTED_AT_ONCE) {
		int middle = partition(a, first, end);
		int from = first;
		enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1),
			       ^{ sort_part(a, queue, from, middle); });
		first = middle;
	}
	sort_short(a, first, end);
}

kernel void sort_by_device(global uint *a, queue_t queue, int count)
{
	sort_part(a, queue, 0, count);
}

// One level of all parts: those that are left go to `next`.
kernel void sort_by_host(global uint *a, global const int2 *parts, global int2 *next,
			 global int *num_next)
{
	int2 part = parts[get_global_id(0)];
	if (part.y - part.x <= SORTED_AT_ONCE) {
		sort_short(a, part.x, part.y);
		return;
	}
	int middle = partition(a, part.x, part.y);
	int place = atomic_add(num_next, 2);
	next[place] = (int2)(part.x, middle);
	next[place + 1] = (int2)(middle, part.y);
}

// ---- Mandelbrot's set by regions ------------------------------------------------------------------
// A region whose border has one depth has it everywhere; others are divided.

#define LEAST_REGION 16

int depth_at(int x, int y, int size)
{
	float cr = 3.0f * x / size - 2.1f, ci = 3.0f * y / size - 1.5f, r = 0, i = 0;
	int depth = 0;
	while (depth < 1000 && r * r + i * i < 4) {
		float t = r * r - i * i + cr;
		i = 2 * r * i + ci;
		r = t;
		depth++;
	}
	return depth;
}

// A work-group draws a region. Returns whether it has to be divided; else it is done.
bool draw_region(global int *image, int size, int x, int y, int side)
{
	int item = get_local_id(0), items = get_local_size(0);
	int depth = depth_at(x, y, size);
	int same = 1;
	for (int i = item; i < side; i += items)
		same &= depth_at(x + i, y, size) == depth && depth_at(x, y + i, size) == depth &&
			depth_at(x + i, y + side - 1, size) == depth &&
			depth_at(x + side - 1, y + i, size) == depth;
	same = work_group_all(same);
	if (!same && side > LEAST_REGION)
		return true;
	for (int i = item; i < side * side; i += items) {
		int px = x + i % side, py = y + i / side;
		image[py * size + px] = same ? depth : depth_at(px, py, size);
	}
	return false;
}

void draw(global int *image, queue_t queue, int size, int x, int y, int side)
{
	if (!draw_region(image, size, x, y, side) || get_local_id(0) != 0)
		return;
	int part_side = side / 2;
	enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4 * get_local_size(0), get_local_size(0)), ^{
		int part = get_group_id(0);
		draw(image, queue, size, x + (part & 1) * part_side, y + (part >> 1) * part_side, part_side);
	});
}

kernel void draw_by_device(global int *image, queue_t queue, int size)
{
	draw(image, queue, size, 0, 0, size);
}

kernel void draw_by_host(global int *image, global const int4 *regions, global int4 *next,
			 global int *num_next, int size)
{
	int4 region = regions[get_group_id(0)];
	if (!draw_region(image, size, region.x, region.y, region.z) || get_local_id(0) != 0)
		return;
	int part_side = region.z / 2, place = atomic_add(num_next, 4);
	for (int part = 0; part < 4; part++)
		next[place + part] = (int4)(region.x + (part & 1) * part_side,
					    region.y + (part >> 1) * part_side, part_side, 0);
}
