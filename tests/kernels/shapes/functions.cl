/* SPDX-License-Identifier: MIT
 *
 * Shapes: functions. Part of widen_shapes.cl.
 */
int __attribute__((noinline)) far_away(uint x, uint y)
{
	uint r = y;
	for (uint k = 0; k < (x & 7); k++) {
		r = r * 3 + k;
		if (r & 64)
			return (int)(r - x);
		switch (r & 3) {
		case 0:
			r += y;
			break;
		case 1:
			r ^= 12345;
			break;
		default:
			r -= k * x;
		}
	}
	return (int)r;
}

KERNEL(call_under_mask)
{
	int i = get_global_id(0);
	uint r = 1;
	if (a[i] & 1)
		r = far_away(a[i], i);
	for (int k = 0; k < (a[i] & 3); k++)
		r += far_away(r, n);
	out[i] = (int)r;
}

void two_results(int x, private int *low, private int *high)
{
	if (x & 1) {
		*low = x & 0xff;
		return;
	}
	*high = x >> 8;
}

KERNEL(results_by_pointer)
{
	int i = get_global_id(0), low = -1, high = -2;
	two_results(a[i], &low, &high);
	if (a[i] & 2)
		two_results(a[i] >> 3, &high, &low);
	out[i] = low * 1000 + high;
}

KERNEL(hash_rounds)
{
	int i = get_global_id(0);
	uint h = a[i], g = i;
	for (int k = 0; k < 20; k++) {
		h ^= g << 5 | g >> 27;
		g += h * 0x9e3779b1u;
		h = h << 13 | h >> 19;
		if (h & 0x100)
			g = ~g;
	}
	out[i] = (int)(h ^ g);
}

KERNEL(slow_chain)
{
	int i = get_global_id(0);
	uint h = a[i];
	for (int k = 0; k < 11; k++) {
		h *= 0x9e3779b1u;
		h *= h | 1;
	}
	out[i] = (int)h;
	if (h & 2)
		out[i] += f[(h >> 3) % (uint)n] > 0.5f;
}

/* One work-item stores to a place that all know. */
KERNEL(one_of_many)
{
	int i = get_global_id(0);
	uint h = a[i];
	for (int k = 0; k < 11; k++) {
		h *= 0x9e3779b1u;
		h *= h | 1;
	}
	out[i] = (int)h;
	if (i == n / 2)
		out[3 * n] = (int)h;
}

/* Operations on the bits of three numbers, of both sizes. */
KERNEL(logic_of_three)
{
	int i = get_global_id(0);
	uint x = a[i], y = big[i], z = idx[i] * 77777u, r = 0;
	ulong u = (ulong)x << 20 ^ z, v = (ulong)y << 31 ^ x, w = (ulong)z << 9 ^ y, s = 0;
	for (int k = 0; k < 4; k++) {
		r += (x & y) | (z & (x ^ y));
		r ^= ~(x | (y & ~z)) ^ k;
		s += (u & v) ^ (u & w) ^ (v & w);
		s ^= (~u & v) | (u & ~w) | (~v & w);
		x = z + (x ^ y ^ ~z);
		w = v + (w ^ (u | ~v));
		y = (y & 0xff00ff) | (x & ~0xff00ff);
	}
	out[i] = (int)(r ^ (uint)s ^ (uint)(s >> 32) ^ (uint)w);
}
