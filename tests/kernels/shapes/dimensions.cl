/* SPDX-License-Identifier: MIT
 *
 * Shapes: two and three dimensions. Part of widen_shapes.cl.
 */
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

/* Groups of one work-item along x run as one. */
KERNEL(numbers_of_groups)
{
	int group = get_group_id(0), x = get_local_id(0), size = get_local_size(0);
	int i = (int)get_global_id(1) * (int)get_global_size(0) + group * (int)get_enqueued_local_size(0) + x;
	int r = group * 7 + x + 3 * size;
	for (int k = 0; k <= group % 5; k++)
		r = r * 3 + a[(i + k) % n];
	if (x == size - 1)
		r ^= (int)get_group_id(1) * (int)get_num_groups(0);
	out[i] = r;
}

/* The dimension is another one for each work-item. */
KERNEL(any_dimension)
{
	int i = (int)get_global_id(1) * (int)get_global_size(0) + (int)get_global_id(0);
	uint d = (uint)a[i] % 3;
	int r = get_global_id(d) + 3 * get_local_id(d) + 5 * get_group_id(d);
	r = r * 7 + get_global_size(d);
	r = r * 7 + get_enqueued_local_size(d);
	r = r * 7 + get_num_groups(d);
	if (a[i] & 8)
		r ^= get_global_size((d + 1) % 3);
	else
		r ^= get_global_size((d + 2) % 3);
	out[i] = r;
}

KERNEL(own_number)
{
	size_t row = (size_t)get_global_id(1) * get_num_groups(0);
	out[row + get_group_id(0)] = (int)get_group_id(0) + a[row + get_group_id(0)];
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

/* Read along one side and written along the other one, in tiles, whose groups have the sizes and number that they had. */
KERNEL(turned_over)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
	out[x * h + y] = a[y * w + x] * 3 + (int)get_enqueued_local_size(1) + (int)get_num_groups(0);
}

/* y is contiguous: the dimensions change places. */
KERNEL(rows_along_y)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
	int i = x * h + y, r = 0;
	for (int k = 0; k < w; k++)
		r += a[k * h + y] * (k + 1);
	out[i] = r ^ a[i];
	fout[i] = f[i] * 0.5f;
}

/* The same in groups that show, with local memory. */
KERNEL(tile_along_y)
{
	int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);
	int i = (int)get_global_id(0) * (int)get_global_size(1) + (int)get_global_id(1);
	int r = (int)get_group_id(1) * 7 + (int)get_num_groups(0) + (int)get_enqueued_local_size(1);
	t[x * h + y] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < w; k++)
		r = r * 3 + t[k * h + y];
	out[i] = r + x;
	bout[i] = bytes[i] + y;
}

/* Reads along z, stores along x: z, x, y is the order in which work-items run. */
KERNEL(layers)
{
	int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
	int w = get_global_size(0), h = get_global_size(1), d = get_global_size(2);
	int i = (z * h + y) * w + x, j = (x * h + y) * d + z;
	out[i] = big[j] + big[j + 1] * 3 + big[j + 2] * 5 - z;
}

/* Rows along y, blocks of them along z; all ids show. */
KERNEL(layers_of_groups)
{
	int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
	int w = get_local_size(0), h = get_local_size(1), d = get_local_size(2);
	int i = ((int)get_global_id(0) * (int)get_global_size(2) + (int)get_global_id(2)) * (int)get_global_size(1) +
		(int)get_global_id(1);
	int r = (int)get_group_id(0) * 7 + (int)get_group_id(1) * 11 + (int)get_group_id(2) * 13;
	t[(x * d + z) * h + y] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < w; k++)
		r = r * 3 + t[(k * d + z) * h + y] + (int)get_num_groups(2) * k;
	out[i] = r + x + (int)get_enqueued_local_size(2) * z;
	bout[i] = bytes[i] + y;
}

/* A guard in both dimensions around a loop that all rows share. */
KERNEL(guarded_product)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
	int r = 0, s = 0;
	if (x >= w - 1 || y >= h - 1)
		return;
	for (int k = 0; k < h; k++) {
		r += a[y * w + k % w] * a[k * w + x];
		s += bytes[k * w + x];
	}
	out[y * w + x] = r;
	bout[y * w + x] = (uchar)s;
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

/* Conditions of which all must hold, or one: of rows, and of ids up to a limit that may be below 0. */
KERNEL(guarded_corner)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
	int m = n % 7, i = y * w + x;
	if (y < h - m && x + m < w && y != 1)
		out[i] -= a[(y + m) * w + x + m];
	if (!(y > m || x >= w - 2 * n || a[x] < 0))
		bout[i] = bytes[i] + 1;
	else if (y == m && x == m)
		fout[i] = f[i] + x;
}

/* Work-items of one dimension that are places in a plane, of which columns are contiguous. */
KERNEL(columns_of_plane)
{
	int i = get_global_id(0), height = (n + 63) / 64;
	int at = i % 64 * height + i / 64;
	int r = big[at];
	for (int k = 1; k < (a[i] & 3); k++)
		r = r * 3 + big[at + k];
	out[at] = r;
	fout[i] = f[i] + (float)at;
}

KERNEL(columns_of_plane_early)
{
	uint i = get_global_id(0), height = (uint)(n + 63) / 64;
	if (i >= (uint)n)
		return;
	uint at = (i & 63) * height + (i >> 6);
	if (big[at] & 1)
		out[at] = big[at + 1] * 5;
	else
		out[at] = big[at + 2] - big[at];
}

/* The number of columns follows from an argument. */
KERNEL(columns_as_argument)
{
	size_t i = get_global_id(0);
	uint width = ((uint)n >> 4) + 30;
	size_t at = i % width * ((n + width - 1) / width) + i / width;
	if (at < (size_t)n * 4)
		out[at] = big[at] - (int)i;
}
