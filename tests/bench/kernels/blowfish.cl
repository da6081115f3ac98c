// SPDX-License-Identifier: MIT
// A digest by Blowfish, whose boxes follow from the password, as bcrypt has it: a work-item's boxes are as much as a group
// of a GPU has local memory for.
#define BOX(x, n) boxes[256 * n + (x >> (24 - 8 * n) & 255)]
#define MIX(x) (((BOX(x, 0) + BOX(x, 1)) ^ BOX(x, 2)) + BOX(x, 3))

static void encrypt(local const uint *boxes, const uint *keys, uint *l, uint *r)
{
	uint left = *l ^ keys[0], right = *r;

	for (int k = 1; k < 17; k += 2) {
		right ^= MIX(left) ^ keys[k];
		left ^= MIX(right) ^ keys[k + 1];
	}
	*l = right ^ keys[17];
	*r = left;
}

// Keys and boxes anew, with a password of four words.
static void expand(local uint *boxes, uint *keys, uint4 password)
{
	uint words[4] = {password.x, password.y, password.z, password.w};
	uint left = 0, right = 0;

	for (int k = 0; k < 18; k++)
		keys[k] ^= words[k & 3];
	for (int k = 0; k < 18; k += 2) {
		encrypt(boxes, keys, &left, &right);
		keys[k] = left;
		keys[k + 1] = right;
	}
	for (int k = 0; k < 1024; k += 2) {
		encrypt(boxes, keys, &left, &right);
		boxes[k] = left;
		boxes[k + 1] = right;
	}
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
blowfish(global const uint4 *passwords, global const uint *start, global uint2 *digests, uint4 salt, int rounds)
{
	local uint all_boxes[1][1024];
	local uint *boxes = all_boxes[get_local_id(0)];
	uint4 password = passwords[get_global_id(0)];
	uint keys[18], left = 0x4f727068u, right = 0x65616e42u;

	for (int k = 0; k < 18; k++)
		keys[k] = start[k];
	for (int k = 0; k < 1024; k++)
		boxes[k] = start[18 + k];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < rounds; k++) {
		expand(boxes, keys, password);
		expand(boxes, keys, salt);
	}
	for (int k = 0; k < 64; k++)
		encrypt(boxes, keys, &left, &right);
	digests[get_global_id(0)] = (uint2)(left, right);
}
