/* SPDX-License-Identifier: MIT
 *
 * Indices that are kept within bounds: vectors that lie within them, and vectors at the edges (clamp_versions.h).
 */
static int kept(int at, int low, int high)
{
	at = at < low ? low : at;
	return at > high ? high : at;
}

KERNEL(clamped_neighbours)
{
	int i = get_global_id(0), sum = 0;
	for (int d = -2; d <= 2; d++)
		sum += (d + 3) * a[kept(i + d, 0, n - 1)];
	out[i] = sum;
}

KERNEL(clamped_in_a_part)
{
	int i = get_global_id(0);
	float last = f[kept(i, n / 5, n / 2)];
	fout[i] = last * f[kept(i - 7, n / 8, n - 1)] + f[kept(i + 7, 0, n - 1 - n / 8)];
}

KERNEL(clamped_pixels)
{
	int i = get_global_id(0);
	int before = 3 * kept(i - 1, 0, n - 1), after = 3 * kept(i + 1, 0, n - 1);
	bout[i] = (uchar)((bytes[before] + bytes[after + 1] + bytes[3 * i + 2]) / 3);
}

/* Lanes that do not run lie outside of the bounds. */
KERNEL(clamped_guarded)
{
	int i = get_global_id(0);
	if (i >= n)
		return;
	int there = a[kept(i + 1, 0, n - 1)];
	if (there & 1)
		there += a[kept(i - 3, 0, n - 1)];
	out[i] = there;
}

/* The number wraps between two lanes of a vector, from the largest to the smallest. */
KERNEL(clamped_wrapping)
{
	uint i = get_global_id(0);
	int at = (int)(i + 0x7fffffffu - (uint)n / 2);
	out[i] = a[kept(at, 0, n - 1)] + a[kept((int)(i + 0x80000000u - (uint)n / 3), 0, n - 1)];
}

KERNEL(clamped_unsigned)
{
	uint i = get_global_id(0), most = (uint)n - 1;
	uint after = i + 2 < most ? i + 2 : most, before = i - 1 < most ? i - 1 : most;
	out[i] = a[after] - 2 * a[before];
}

/* One bound after the other, with a step in between; by more than one in each lane. */
KERNEL(clamped_twice)
{
	int i = get_global_id(0);
	int left = i - 1 > 0 ? i - 1 : 0;
	int right = left + 2 < n - 1 ? left + 2 : n - 1;
	int twice = kept(2 * i - 3, 0, 4 * n - 2);
	out[i] = a[left] * 5 + a[right] + big[twice] - big[twice + 1];
}

KERNEL(clamped_stores)
{
	int i = get_global_id(0);
	int at = kept(i, 0, n - 1);
	out[at] = a[kept(at - 1, 0, n - 1)] + 1;
	fout[kept(n - 1 - i, 0, n - 1)] = f[kept(n - i, 0, n - 1)];
}

/* Several vectors at once, where rows are long. */
KERNEL(clamped_filter)
{
	int i = get_global_id(0);
	float r = 0.0f;
	for (int k = -(a[0] & 7); k <= 3; k++)
		r += f[kept(i + k, 0, n - 1)] * (k + 9);
	fout[i] = r;
}

KERNEL(clamped_rows)
{
	int width = get_global_size(0), height = get_global_size(1);
	int x = get_global_id(0), y = get_global_id(1), sum = 0;
	for (int d = 0; d < 9; d++)
		sum += (d + 1) * a[kept(y + d / 3 - 1, 0, height - 1) * width +
				   kept(x + d % 3 - 1, 0, width - 1)];
	out[y * width + x] = sum;
}

/* Numbers that begin again at 0 at the end of a table, or by bits that are no mask. */
KERNEL(wrapped_indices)
{
	uint i = get_global_id(0), most = (uint)n - 1, size = (uint)n;
	size_t at = get_global_id(0);
	int sum = a[(i + 5) % size] - 3 * a[(i + 3) & most] + 7 * a[((int)i + 9) % n];
	sum ^= a[(at + 2) % (size_t)n] + 5 * a[(at - 1) & (size_t)most];
	out[i] = sum + (int)(i & most) + big[3 * ((i + 1) & most) + 1] - big[2 * ((at + 4) % size)];
	for (int k = 0; k < n % 7; k++)
		out[i] += a[(i + k) & most] * (k + 1);
}

KERNEL(wrapped_vectors)
{
	size_t i = get_global_id(0), most = (size_t)n - 1;
	int4 v = VECTORS(int4, big)[(i + 3) & most] * 3;
	v ^= VECTORS(int4, big)[(i + 5) % (size_t)n];
	v -= VECTORS(int4, big)[i > most / 2 ? most / 2 : i];
	for (int k = 0; k < n % 5; k++)
		v = v * 5 - VECTORS(int4, big)[(uint)(i + (size_t)k) & (uint)most];
	TO_VECTORS(int4, out)[i] = v;
}

/* Bits below a power of two begin again at 0 in each part of the numbers: a stage of a transform. */
KERNEL(stages_of_transform)
{
	int i = get_global_id(0), part = 1 << n % 7, tail = (n & 32) - 1;
	int j = 2 * i - (i & (part - 1)), sum = a[i] + big[i & tail] - 3 * big[(i + 5) & 15 & tail];
	sum ^= (int)(((global const long *)big)[j] >> 7);
	if (j + part < 2 * n) {
		int2 v = VECTORS(int2, big)[i];
		TO_VECTORS(int2, out)[j] = v + sum;
		TO_VECTORS(int2, out)[j + part] = v * 3 - sum;
	}
}

/* A step of a sorting network: some lanes store what both versions of the loads have found. */
KERNEL(stages_of_sorting)
{
	int i = get_global_id(0), stride = 1 << n % 6;
	int at = 2 * i - (i & (stride - 1));
	if (at + stride >= 4 * n)
		return;
	int x = big[at], y = big[at + stride];
	if (x > y) {
		out[at] = y;
		out[at + stride] = x;
	}
}

/* The other one of a pair, by bits that differ between lanes, or do not. */
KERNEL(exchanged_pairs)
{
	int i = get_global_id(0), high = n & 48, low = n & 7;
	size_t at = get_global_id(0);
	int sum = big[i ^ high] + 3 * big[low ^ i] - 5 * big[(i + 1) ^ (n & 32)];
	sum ^= big[at ^ (size_t)high] + (i < (i ^ high) ? 1 : 2);
	out[i ^ high] = sum;
}

/* Neighbouring numbers whose low bits are set afterwards. */
KERNEL(rounded_with_bits)
{
	int i = get_global_id(0);
	long low = *(global const long *)big & 3;
	out[i] = big[(long)(int)((float)i + 0.5f) | low | 1];
}

/* Rows and columns of a number, as a rule the same in all lanes and neighbours. Few numbers have one quotient by `few`. */
KERNEL(quotients)
{
	int i = get_global_id(0), width = 16 + n % 9, few = 3 + n % 2;
	size_t at = get_global_id(0), row = at / (size_t)width;
	int y = i / width, x = i % width;
	int sum = a[y] - 3 * a[i / few] + 5 * a[i >> 6] + 7 * a[(i - n) / 64 + n - 1];
	sum ^= a[kept((y + 1) * width + x, 0, n - 1)] + big[2 * row] - 9 * big[2 * (at >> 7) + 1];
	for (int k = 0; k < n % 7; k++)
		sum += big[y + k] * (k + 1) - big[i / 70 + k];
	out[i] = sum;
}

/* Some work-items of a vector, or none, are at such places: by their data. No work-item is at the last one, which is nowhere. */
KERNEL(quotients_of_some)
{
	int i = get_global_id(0), x = a[i], sum = x;
	if (x & 1)
		sum += a[i / 16] - 3 * a[kept(i - 2, 0, n - 1) >> 5] + 5 * a[(i + 5) % n];
	else
		sum ^= big[i / 40] + 7 * a[abs(i - n / 2)];
	for (int k = 0; k < (x & 7); k++)
		sum += big[i / 24 + k] - a[kept(i + k, 0, n - 1)];
	if (x * x == 3)
		sum += a[i / 16 + (1 << 28)];
	out[i] = sum;
}

/* What all work-items of a vector load from one place, and compute from that; signed, unsigned and negative numbers, and a negative divisor. */
KERNEL(quotients_of_rows)
{
	int i = get_global_id(0), width = 20 + n % 50, down = -1 - n % 3, y = i / width;
	uint part = (uint)n / 3 + 1;
	size_t at = get_global_id(0), row = at / (size_t)width;
	int sum = big[y] * big[y + 1] - 3 * a[i % width] + 5 * big[y * (width + 2) + i % width];
	sum ^= big[(i - n) / width + n] + 7 * a[i >> n % 11] - 9 * a[-(i / down)];
	sum += big[2 * row + 1] / (1 + (big[row] & 7)) ^ big[at % (size_t)width + 1];
	out[i] = sum ^ big[((uint)i - 7 + part) / part % 4] ^ big[((uint)i - 7) / 70 % 4];
}

KERNEL(quotients_of_guarded)
{
	int i = get_global_id(0), width = 20 + n % 50;
	if (i >= n || n % 64 == 0)
		return;
	out[i] = a[i / width] * a[i % width] + big[i / (n % 64) + 1];
}

KERNEL(quotients_of_planes)
{
	int width = get_global_size(0), x = get_global_id(0), y = get_global_id(1);
	int i = y * width + x, rows = 3 + n % 70;
	out[i] = a[i / rows] * big[x / rows] - 3 * big[i % rows + y];
}

/* Bounds of clamps that are made of quotients: lanes of one vector may have different ones. */
KERNEL(bounds_of_quotients)
{
	int i = get_global_id(0), width = 2 + n % 70, row = i / width, last = row * width + width - 1;
	uint u = get_global_id(0), length = (uint)n * (u / 64 == 0) + 1;
	int end = i / 64 == 0 ? n / 2 : 3, next = i + 1;
	int sum = big[next < last ? next : last] + row;
	sum += 3 * big[i < end ? i : end] - 5 * big[u % length];
	out[i] = sum;
}
