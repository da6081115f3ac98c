// SPDX-License-Identifier: MIT
// A stage of Stockham's FFT of radix 2, which joins transforms of `part` numbers.
kernel void fft_stage(global const float2 *in, global float2 *out, int part)
{
	int i = get_global_id(0);
	int half_size = get_global_size(0);
	int k = i & (part - 1);
	float angle = -M_PI_F * k / part;
	float2 a = in[i];
	float2 b = in[i + half_size];
	float2 twiddle = (float2)(cos(angle), sin(angle));
	float2 turned = (float2)(b.x * twiddle.x - b.y * twiddle.y, b.x * twiddle.y + b.y * twiddle.x);
	int j = 2 * i - k;

	out[j] = a + turned;
	out[j + part] = a - turned;
}
