// SPDX-License-Identifier: MIT
#define GROUP 256

kernel void nbody_local(global const float4 *bodies, global float4 *forces, int n, float softening)
{
	local float4 tile[GROUP];
	int i = get_global_id(0);
	int t = get_local_id(0);
	float4 mine = bodies[i];
	float4 force = (float4)(0.0f);

	for (int first = 0; first < n; first += GROUP) {
		tile[t] = bodies[first + t];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int j = 0; j < GROUP; j++) {
			float4 d = tile[j] - mine;
			float distance = d.x * d.x + d.y * d.y + d.z * d.z + softening;
			float inverse = rsqrt(distance);
			float scale = tile[j].w * inverse * inverse * inverse;

			force += d * scale;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	force.w = 0.0f;
	forces[i] = force;
}
