// SPDX-License-Identifier: MIT
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable

// Sharp in the middle, and the more blurred the farther from it.
kernel void image_pyramid(read_only image2d_t in, write_only image2d_t out, float most,
			  sampler_t trilinear)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float2 at = (convert_float2(p) + 0.5f) / convert_float2(get_image_dim(out));
	float2 d = at - 0.5f;
	float level = most * min(2.0f * sqrt(d.x * d.x + d.y * d.y), 1.0f);

	write_imagef(out, p, read_imagef(in, trilinear, at, level));
}
