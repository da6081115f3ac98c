/* SPDX-License-Identifier: MIT
 *
 * Divisions in 64 bits: of numbers of any length, of multiples of the divisor and numbers next to them, of the least and the largest.
 */

/* 64 bits that differ for each `k`. */
ulong mixed(uint i, uint k)
{
	ulong m = (i + 1ul) * 0x9e3779b97f4a7c15ul + k * 0xbf58476d1ce4e5b9ul;
	m ^= m >> 29;
	m *= 0x94d049bb133111ebul;
	return m ^ (m >> 32);
}

KERNEL(long_divisions)
{
	int i = get_global_id(0);
	ulong sum = (ulong)a[i];
	for (uint k = 0; k < 24; k++) {
		ulong d = mixed(i, k) >> (mixed(i, k + 50) & 63), q = mixed(i, k + 100) >> (mixed(i, k + 150) & 63);
		if (d == 0)
			d = 1;
		ulong product = d * (~0ul / d < q ? ~0ul / d : q), near = product + (k & 1 ? ~0ul : 0ul);
		sum = sum * 5 + q / d + q % d * 3 + near / d * 7 + near % d * 11 + ~0ul / d + ~0ul % d;
		long sd = (long)mixed(i, k + 200) >> (mixed(i, k + 250) & 63), sq = (long)(q ^ (k & 2 ? ~0ul : 0ul));
		if (sd == 0 || sd == -1)
			sd = k & 1 ? -2 : 1;
		long least = (long)(1ul << 63);
		sum += (ulong)(sq / sd) * 13 + (ulong)(sq % sd) * 17 + (ulong)(least / sd) * 19 + (ulong)(least % sd);
	}
	out[i] = (int)(sum ^ (sum >> 32));
}

/* Quotients by constants, whose reciprocals have 64 bits or one more, and a sign or none. */
#define BY(d) sum = sum * 5 + q / (d##ul) + q % (d##ul) * 3 + near / (d##ul) * 7
#define BY_SIGNED(d) sum = sum * 5 + (ulong)((long)q / (d)) * 11 + (ulong)((long)q % (d)) + (ulong)((long)near / (d))
KERNEL(constant_long_divisions)
{
	int i = get_global_id(0);
	ulong sum = (ulong)a[i];
	for (uint k = 0; k < 24; k++) {
		ulong q = mixed(i, k) >> (mixed(i, k + 50) & 63), near = (mixed(i, k + 100) & 3) - 2;
		q ^= (ulong)k << 63;
		BY(3);
		BY(7);
		BY(10);
		BY(28);
		BY(641);
		BY(1000003);
		BY(0x8000000000000001);
		BY(0xffffffffffffffff);
		BY_SIGNED(3);
		BY_SIGNED(-5);
		BY_SIGNED(7);
		BY_SIGNED(-7);
		BY_SIGNED(1000003);
		BY_SIGNED(0x7fffffffffffffff);
	}
	out[i] = (int)(sum ^ (sum >> 32));
}

/* All lanes have one divisor, and some of them divide. */
KERNEL(shared_long_divisions)
{
	int i = get_global_id(0);
	ulong sum = (ulong)a[i];
	for (uint k = 0; k < 24; k++) {
		ulong d = mixed(n, k) >> (mixed(n, k + 50) & 63), q = mixed(i, k) >> (mixed(i, k + 150) & 63);
		long sd = -(long)(d >> 1);
		if (d == 0 || (a[i] & 3) == 0)
			continue;
		sum = sum * 5 + q / d + q % d * 3 + ~0ul / d * 7;
		if (sd < -1)
			sum += (ulong)((long)q / sd) * 11 + (ulong)((long)q % sd);
	}
	out[i] = (int)(sum ^ (sum >> 32));
}
