// SPDX-License-Identifier: MIT
// Looks for the message with a given SHA-256, as password crackers do: each work-item has the words of a message behind
// the first one, and tries its first words, sixteen at once.
constant uint constants[64] = {
	0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
	0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
	0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
	0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
	0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
	0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
	0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
	0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u,
};

#define TURN(x, by) rotate(x, (uint16)(by))
#define STEP(a, b, c, d, e, f, g, h, word, k)                                                    \
	h += (TURN(e, 26) ^ TURN(e, 21) ^ TURN(e, 7)) + (g ^ (e & (f ^ g))) + constants[k] + word; \
	d += h;                                                                                  \
	h += (TURN(a, 30) ^ TURN(a, 19) ^ TURN(a, 10)) + ((a & b) | (c & (a | b)));
#define STEPS(word, k)                                 \
	STEP(a, b, c, d, e, f, g, h, word(k), k)       \
	STEP(h, a, b, c, d, e, f, g, word(k + 1), k + 1) \
	STEP(g, h, a, b, c, d, e, f, word(k + 2), k + 2) \
	STEP(f, g, h, a, b, c, d, e, word(k + 3), k + 3) \
	STEP(e, f, g, h, a, b, c, d, word(k + 4), k + 4) \
	STEP(d, e, f, g, h, a, b, c, word(k + 5), k + 5) \
	STEP(c, d, e, f, g, h, a, b, word(k + 6), k + 6) \
	STEP(b, c, d, e, f, g, h, a, word(k + 7), k + 7)
#define OLD(k, by) m[(k + by) & 15]
#define GIVEN(k) (m[k] = k == 0 ? first : (uint16)(w[k]))
#define NEXT(k)                                                                                       \
	(m[k & 15] += (TURN(OLD(k, 1), 25) ^ TURN(OLD(k, 1), 14) ^ (OLD(k, 1) >> 3)) + OLD(k, 9) +   \
		      (TURN(OLD(k, 14), 15) ^ TURN(OLD(k, 14), 13) ^ (OLD(k, 14) >> 10)))
#define IS(i) (a.s##i == digest[0] - 0x6a09e667u)
#define IS_ANY (IS(0) || IS(1) || IS(2) || IS(3) || IS(4) || IS(5) || IS(6) || IS(7) || \
		IS(8) || IS(9) || IS(a) || IS(b) || IS(c) || IS(d) || IS(e) || IS(f))

static void search(const uint *w, constant uint16 *firsts, int count, constant uint *digest, global uint *found,
		   uint item)
{
	for (int i = 0; i < count; i++) {
		uint16 first = firsts[i], m[16];
		uint16 a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au;
		uint16 e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;

		STEPS(GIVEN, 0) STEPS(GIVEN, 8) STEPS(NEXT, 16) STEPS(NEXT, 24)
		STEPS(NEXT, 32) STEPS(NEXT, 40) STEPS(NEXT, 48) STEPS(NEXT, 56)
		if (!IS_ANY)
			continue;
		uint results[2][16];
		vstore16(a + 0x6a09e667u, 0, results[0]);
		vstore16(b + 0xbb67ae85u, 0, results[1]);
		for (int k = 0; k < 16; k++)
			if (results[0][k] == digest[0] && results[1][k] == digest[1]) {
				found[0] = item;
				found[1] = 16 * i + k;
			}
	}
}

// Messages of 8 bytes.
kernel void sha256_mask(global const uint *rests, constant uint16 *firsts, int count, constant uint *digest,
			global uint *found)
{
	uint w[16] = {0, rests[get_global_id(0)], 0x80000000u};

	w[15] = 64;
	search(w, firsts, count, digest, found, get_global_id(0));
}

// The same, with 8 bytes of salt behind them.
kernel void sha256_mask_salted(global const uint *rests, constant uint16 *firsts, int count, constant uint *digest,
			       global uint *found, uint2 salt)
{
	uint w[16] = {0, rests[get_global_id(0)], salt.x, salt.y, 0x80000000u};

	w[15] = 128;
	search(w, firsts, count, digest, found, get_global_id(0));
}
