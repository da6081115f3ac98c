// SPDX-License-Identifier: MIT
// A step of advection: each cell takes from its neighbour where the flow comes from.
kernel void upwind(global const float *speed, global const float *in, global float *out)
{
	size_t i = get_global_id(0);
	float from = speed[i] > 0.0f ? in[i] : in[i + 2];

	out[i] = in[i + 1] + 0.25f * fabs(speed[i]) * (from - in[i + 1]);
}
