// SPDX-License-Identifier: MIT
// How many prime factors: a loop in a loop, each as long as the number asks for.
kernel void prime_factors(global const uint *numbers, global int *counts)
{
	int i = get_global_id(0);
	uint n = numbers[i];
	int count = 0;

	for (uint d = 2; d * d <= n; d++) {
		while (n % d == 0) {
			n /= d;
			count++;
		}
	}
	counts[i] = count + (n > 1);
}
