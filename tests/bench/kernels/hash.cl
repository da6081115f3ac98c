// SPDX-License-Identifier: MIT
kernel void hash(global const uint *in, global uint *out, int rounds)
{
	int i = get_global_id(0);
	uint h = in[i];

	for (int k = 0; k < rounds; k++) {
		h ^= h >> 16;
		h *= 0x85ebca6bu;
		h ^= h >> 13;
		h *= 0xc2b2ae35u;
		h ^= h >> 16;
		h = rotate(h, 5u) + k;
	}
	out[i] = h;
}
