// SPDX-License-Identifier: MIT
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_root(global const half *in, global half *out)
{
	size_t i = get_global_id(0);

	out[i] = sqrt(in[i]);
}
