// SPDX-License-Identifier: MIT
kernel void nbody_float3(global const float3 *positions, global const float *masses, global float3 *forces, int n,
			 float softening)
{
	int i = get_global_id(0);
	float3 mine = positions[i];
	float3 force = (float3)(0.0f);

	for (int j = 0; j < n; j++) {
		float3 d = positions[j] - mine;
		float inverse = rsqrt(dot(d, d) + softening);

		force += d * (masses[j] * inverse * inverse * inverse);
	}
	forces[i] = force;
}
