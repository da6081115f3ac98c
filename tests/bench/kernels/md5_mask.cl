// SPDX-License-Identifier: MIT
// Looks for the message with a given MD5, as password crackers do: each work-item has the words of a message behind the
// first one, and tries its first words, sixteen at once.
#define F(x, y, z) (z ^ (x & (y ^ z)))
#define G(x, y, z) F(z, x, y)
#define H(x, y, z) (x ^ y ^ z)
#define I(x, y, z) (y ^ (x | ~z))
#define STEP(f, a, b, c, d, w, constant, by) a = b + rotate(a + f(b, c, d) + (w + constant), (uint16)(by))
#define STEPS(f, w0, w1, w2, w3, k0, k1, k2, k3, r0, r1, r2, r3) \
	STEP(f, a, b, c, d, w0, k0, r0);                         \
	STEP(f, d, a, b, c, w1, k1, r1);                         \
	STEP(f, c, d, a, b, w2, k2, r2);                         \
	STEP(f, b, c, d, a, w3, k3, r3);
#define IS(i) (a.s##i == digest[0] - 0x67452301u)
#define IS_ANY (IS(0) || IS(1) || IS(2) || IS(3) || IS(4) || IS(5) || IS(6) || IS(7) || \
		IS(8) || IS(9) || IS(a) || IS(b) || IS(c) || IS(d) || IS(e) || IS(f))

static void search(const uint *w, constant uint16 *firsts, int count, constant uint *digest, global uint *found,
		   uint item)
{
	for (int i = 0; i < count; i++) {
		uint16 first = firsts[i];
		uint16 a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;

		STEPS(F, first, w[1], w[2], w[3], 0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu, 7, 12, 17, 22)
		STEPS(F, w[4], w[5], w[6], w[7], 0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u, 7, 12, 17, 22)
		STEPS(F, w[8], w[9], w[10], w[11], 0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu, 7, 12, 17, 22)
		STEPS(F, w[12], w[13], w[14], w[15], 0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u, 7, 12, 17, 22)
		STEPS(G, w[1], w[6], w[11], first, 0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau, 5, 9, 14, 20)
		STEPS(G, w[5], w[10], w[15], w[4], 0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u, 5, 9, 14, 20)
		STEPS(G, w[9], w[14], w[3], w[8], 0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu, 5, 9, 14, 20)
		STEPS(G, w[13], w[2], w[7], w[12], 0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au, 5, 9, 14, 20)
		STEPS(H, w[5], w[8], w[11], w[14], 0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu, 4, 11, 16, 23)
		STEPS(H, w[1], w[4], w[7], w[10], 0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u, 4, 11, 16, 23)
		STEPS(H, w[13], first, w[3], w[6], 0x289b7ec6u, 0xeaa127fau, 0xd4ef3085u, 0x04881d05u, 4, 11, 16, 23)
		STEPS(H, w[9], w[12], w[15], w[2], 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u, 4, 11, 16, 23)
		STEPS(I, first, w[7], w[14], w[5], 0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u, 6, 10, 15, 21)
		STEPS(I, w[12], w[3], w[10], w[1], 0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u, 6, 10, 15, 21)
		STEPS(I, w[8], w[15], w[6], w[13], 0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u, 6, 10, 15, 21)
		STEPS(I, w[4], w[11], w[2], w[9], 0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u, 6, 10, 15, 21)
		if (!IS_ANY)
			continue;
		uint results[2][16];
		vstore16(a + 0x67452301u, 0, results[0]);
		vstore16(b + 0xefcdab89u, 0, results[1]);
		for (int k = 0; k < 16; k++)
			if (results[0][k] == digest[0] && results[1][k] == digest[1]) {
				found[0] = item;
				found[1] = 16 * i + k;
			}
	}
}

// Messages of 8 bytes.
kernel void md5_mask(global const uint *rests, constant uint16 *firsts, int count, constant uint *digest,
		     global uint *found)
{
	uint w[16] = {0, rests[get_global_id(0)], 0x80};

	w[14] = 64;
	search(w, firsts, count, digest, found, get_global_id(0));
}

// The same, with 8 bytes of salt behind them.
kernel void md5_mask_salted(global const uint *rests, constant uint16 *firsts, int count, constant uint *digest,
			    global uint *found, uint2 salt)
{
	uint w[16] = {0, rests[get_global_id(0)], salt.x, salt.y, 0x80};

	w[14] = 128;
	search(w, firsts, count, digest, found, get_global_id(0));
}
