// SPDX-License-Identifier: MIT
// Masses are in w.
kernel void nbody(global const float4 *bodies, global float4 *forces, int n, float softening)
{
	int i = get_global_id(0);
	float4 mine = bodies[i];
	float4 force = (float4)(0.0f);

	for (int j = 0; j < n; j++) {
		float4 other = bodies[j];
		float4 d = other - mine;
		float distance = d.x * d.x + d.y * d.y + d.z * d.z + softening;
		float inverse = rsqrt(distance);
		float scale = other.w * inverse * inverse * inverse;

		force += d * scale;
	}
	force.w = 0.0f;
	forces[i] = force;
}
