// SPDX-License-Identifier: MIT
float normal_distribution(float d)
{
	const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f;
	const float a4 = -1.821255978f, a5 = 1.330274429f, rsqrt_2pi = 0.39894228040143267793994605993438f;
	float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
	float tail = rsqrt_2pi * exp(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));

	return d > 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(global float *call, global float *put, global const float *price,
			  global const float *strike, global const float *years, float rate, float volatility,
			  int n)
{
	int i = get_global_id(0);

	if (i >= n)
		return;
	float s = price[i];
	float x = strike[i];
	float t = years[i];
	float root = sqrt(t);
	float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
	float d2 = d1 - volatility * root;
	float n1 = normal_distribution(d1);
	float n2 = normal_distribution(d2);
	float discounted = x * exp(-rate * t);

	call[i] = s * n1 - discounted * n2;
	put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
