// SPDX-License-Identifier: MIT
#define COUNT 16

// Each work-item sorts 16 numbers in its own array.
kernel void private_sort(global const uint *in, global uint *out)
{
	int i = get_global_id(0);
	int n = get_global_size(0);
	uint numbers[COUNT];

	for (int k = 0; k < COUNT; k++)
		numbers[k] = in[k * n + i];
	for (int k = 1; k < COUNT; k++) {
		uint number = numbers[k];
		int at = k - 1;

		while (at >= 0 && numbers[at] > number) {
			numbers[at + 1] = numbers[at];
			at--;
		}
		numbers[at + 1] = number;
	}
	for (int k = 0; k < COUNT; k++)
		out[k * n + i] = numbers[k];
}
