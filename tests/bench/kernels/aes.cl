// SPDX-License-Identifier: MIT
// AES-128 of a block of 16 bytes for each work-item, by four tables of 256 words.
uint column(constant uint *t, uint a, uint b, uint c, uint d)
{
	return t[a >> 24] ^ t[256 + ((b >> 16) & 255)] ^ t[512 + ((c >> 8) & 255)] ^ t[768 + (d & 255)];
}

uint last_column(constant uint *s, uint a, uint b, uint c, uint d)
{
	return (s[a >> 24] << 24) ^ (s[(b >> 16) & 255] << 16) ^ (s[(c >> 8) & 255] << 8) ^ s[d & 255];
}

kernel void aes(global const uint4 *in, global uint4 *out, constant uint *tables, constant uint *box,
		constant uint *keys)
{
	int i = get_global_id(0);
	uint4 block = in[i];
	uint a = block.x ^ keys[0], b = block.y ^ keys[1], c = block.z ^ keys[2], d = block.w ^ keys[3];

	for (int round = 1; round < 10; round++) {
		uint e = column(tables, a, b, c, d) ^ keys[4 * round];
		uint f = column(tables, b, c, d, a) ^ keys[4 * round + 1];
		uint g = column(tables, c, d, a, b) ^ keys[4 * round + 2];
		uint h = column(tables, d, a, b, c) ^ keys[4 * round + 3];

		a = e;
		b = f;
		c = g;
		d = h;
	}
	out[i] = (uint4)(last_column(box, a, b, c, d) ^ keys[40], last_column(box, b, c, d, a) ^ keys[41],
			 last_column(box, c, d, a, b) ^ keys[42], last_column(box, d, a, b, c) ^ keys[43]);
}
