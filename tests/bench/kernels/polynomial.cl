// SPDX-License-Identifier: MIT
kernel void polynomial(global const double *in, global double *out)
{
	size_t i = get_global_id(0);
	double x = in[i];
	double y = 0.00001;

	for (int k = 0; k < 8; k++) {
		y = y * x + 0.0013;
		y = y * x - 0.0083;
		y = y * x + 0.0416;
		y = y * x - 0.1666;
	}
	out[i] = y;
}
