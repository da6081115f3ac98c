// SPDX-License-Identifier: MIT
// Red, green and blue lie beside each other.
kernel void luminance(global const float *rgb, global float *out)
{
	int i = get_global_id(0);

	out[i] = 0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2];
}
