// SPDX-License-Identifier: MIT
struct particle {
	float x, y, z;
	float vx, vy, vz;
	float mass;
	float age;
};

kernel void particles(global const struct particle *in, global struct particle *out, float dt)
{
	int i = get_global_id(0);
	struct particle p = in[i];

	p.vy -= 9.81f * dt;
	p.x += p.vx * dt;
	p.y += p.vy * dt;
	p.z += p.vz * dt;
	if (p.y < 0.0f) {
		p.y = -p.y;
		p.vy = -0.8f * p.vy;
	}
	p.age += dt;
	out[i] = p;
}
