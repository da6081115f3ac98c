// SPDX-License-Identifier: MIT
// The vector is the kernel's own, as password crackers write it.
kernel void hash_vector(global const uint16 *in, global uint16 *out, int rounds)
{
	int i = get_global_id(0);
	uint16 h = in[i];

	for (int k = 0; k < rounds; k++) {
		h ^= h >> 16;
		h *= 0x85ebca6bu;
		h ^= h >> 13;
		h *= 0xc2b2ae35u;
		h ^= h >> 16;
		h = rotate(h, (uint16)(5u)) + (uint16)(k);
	}
	out[i] = h;
}
