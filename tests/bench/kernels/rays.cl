// SPDX-License-Identifier: MIT
// The first of the spheres (x, y, z and the radius squared) that a ray from the origin's plane along z meets.
kernel void rays(global const float4 *spheres, global int *nearest, int count, int width, float step)
{
	int px = get_global_id(0);
	int py = get_global_id(1);
	float x = px * step;
	float y = py * step;
	float least = FLT_MAX;
	int found = -1;

	for (int i = 0; i < count; i++) {
		float4 sphere = spheres[i];
		float dx = sphere.x - x;
		float dy = sphere.y - y;
		float inside = sphere.w - dx * dx - dy * dy;

		if (inside < 0.0f)
			continue;
		float distance = sphere.z - sqrt(inside);
		if (distance < least) {
			least = distance;
			found = i;
		}
	}
	nearest[py * width + px] = found;
}
