// SPDX-License-Identifier: MIT
// FUNCTION is one of the built-ins, for one argument or two.
kernel void map(global const float *in, global const float *second, global float *out)
{
	size_t i = get_global_id(0);

	out[i] = FUNCTION;
}
