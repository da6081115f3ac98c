// SPDX-License-Identifier: MIT
kernel void image_color(read_only image2d_t in, write_only image2d_t out, constant float4 *rows)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));

	if (p.x >= get_image_width(in) || p.y >= get_image_height(in))
		return;
	float4 c = read_imagef(in, p);

	write_imagef(out, p,
		     (float4)(dot(c, rows[0]), dot(c, rows[1]), dot(c, rows[2]), dot(c, rows[3])));
}
