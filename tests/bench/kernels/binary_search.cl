// SPDX-License-Identifier: MIT
kernel void binary_search(global const uint *sorted, global const uint *keys, global int *positions, int n)
{
	int i = get_global_id(0);
	uint key = keys[i];
	int low = 0;
	int high = n;

	while (low < high) {
		int middle = (low + high) / 2;

		if (sorted[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	positions[i] = low;
}
