// SPDX-License-Identifier: MIT
// About the middle; outside of the image is nothing.
kernel void image_rotate(read_only image2d_t in, write_only image2d_t out, float cosine, float sine,
			 sampler_t linear)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float2 middle = 0.5f * convert_float2(get_image_dim(in));
	float2 d = convert_float2(p) + 0.5f - middle;
	float2 at = middle + (float2)(cosine * d.x - sine * d.y, sine * d.x + cosine * d.y);

	write_imagef(out, p, read_imagef(in, linear, at));
}
