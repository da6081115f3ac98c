/* SPDX-License-Identifier: MIT
 *
 * Kernels with a barrier in every place where one may stand, each with the same computation in C. A kernel
 * body sees its group's a and out, the local buffers t and u, n, its linear local id l and the group's size L.
 */
#include "barrier_shapes.h"

#include <limits.h>
#include <string.h>

#define B "barrier(CLK_LOCAL_MEM_FENCE);\n"

static void reverse(const int *a, int *out, int size, int n)
{
	(void)n;
	for (int l = 0; l < size; l++)
		out[l] = a[size - 1 - l];
}

static void scan(const int *a, int *out, int size, int n)
{
	int sum = 0;

	(void)n;
	for (int l = 0; l < size; l++)
		out[l] = sum += a[l];
}

static void total(const int *a, int *out, int size, int n)
{
	int sum = 0;

	(void)n;
	for (int l = 0; l < size; l++)
		sum += a[l];
	for (int l = 0; l < size; l++)
		out[l] = sum + l;
}

static void branch(const int *a, int *out, int size, int n)
{
	for (int l = 0; l < size; l++)
		out[l] = (n > 2 ? a[(l + 1) % size] : a[l]) * 3;
}

static void early_return(const int *a, int *out, int size, int n)
{
	int count = n < size ? n : size, sum = 0;

	for (int l = 0; l < count; l++)
		sum += a[l];
	for (int l = 0; l < size; l++)
		out[l] = l < n ? 3 * sum : -7;
}

static void return_in_loop(const int *a, int *out, int size, int n)
{
	(void)a;
	for (int l = 0; l < size; l++) {
		out[l] = 100 + 0 + 1 + 2 + 3;
		for (int i = 3; i >= 0; i--) {
			if (l == i * n)
				out[l] = i;
		}
	}
}

static void nested_loops(const int *a, int *out, int size, int n)
{
	int t[4096], u[4096];

	memcpy(t, a, sizeof(int) * (size_t)size);
	for (int i = 0; i < n; i++) {
		for (int j = 0; j <= i; j++) {
			for (int l = 0; l < size; l++)
				u[l] = t[(l + j + 1) % size] + i;
			memcpy(t, u, sizeof(int) * (size_t)size);
		}
	}
	memcpy(out, t, sizeof(int) * (size_t)size);
}

static void irreducible(const int *a, int *out, int size, int n)
{
	int t[4096], u[4096];

	memcpy(t, a, sizeof(int) * (size_t)size);
	for (int i = 0; i < 3; i++) {
		if (i > 0 || !(n & 1)) {
			for (int l = 0; l < size; l++)
				u[l] = t[(l + 1) % size] + 1;
			memcpy(t, u, sizeof(int) * (size_t)size);
		}
		for (int l = 0; l < size; l++)
			t[l] *= 2;
	}
	memcpy(out, t, sizeof(int) * (size_t)size);
}

static void parting(const int *a, int *out, int size, int n)
{
	int acc[4096], t[4096];

	(void)a;
	(void)n;
	for (int l = 0; l < size; l++)
		acc[l] = l & 1 ? 10 : 1;
	for (int i = 0; i < 3; i++) {
		memcpy(t, acc, sizeof(int) * (size_t)size);
		for (int l = 0; l < size; l++)
			acc[l] += t[(l + 1) % size] + (i == 2 ? 0 : l & 1 ? 1 : 10);
	}
	memcpy(out, acc, sizeof(int) * (size_t)size);
}

static void private_array(const int *a, int *out, int size, int n)
{
	for (int l = 0; l < size; l++) {
		int sum = 0;
		for (int k = 0; k < n; k++)
			sum += (a[l] + ((l + k) & 15)) * (k + 1);
		out[l] = sum + a[(l + 1) % size];
	}
}

static void kinds(const int *a, int *out, int size, int n)
{
	for (int l = 0; l < size; l++) {
		int other = a[(l + 3) % size];
		int v = a[l] + 1 + a[l] * 2 + n + 4;
		out[l] = (a[l] > 0 ? other : -other) + v + (int)((double)a[l] * 0.5) +
			 (l & 1 ? other : other + 1) + l * n;
	}
}

static void conditional(const int *a, int *out, int size, int n)
{
	int t[4096], u[4096];

	memcpy(t, a, sizeof(int) * (size_t)size);
	for (int i = 0; i < n; i++) {
		for (int l = 0; l < size; l++)
			u[l] = i & 1 ? t[(l + 1) % size] : t[l] + 1;
		memcpy(t, u, sizeof(int) * (size_t)size);
	}
	memcpy(out, t, sizeof(int) * (size_t)size);
}

static void divergent_work(const int *a, int *out, int size, int n)
{
	for (int l = 0; l < size; l++) {
		int next = (l + 1) % size, sum = 0;
		for (int k = 0; k < next; k++)
			sum += a[next] ^ k;
		out[l] = sum * n;
	}
}

static void edges(const int *a, int *out, int size, int n)
{
	for (int l = 0; l < size; l++)
		out[l] = a[l] + n;
}

static void breaks(const int *a, int *out, int size, int n)
{
	int last = n < 6 ? n : 6;

	for (int l = 0; l < size; l++)
		out[l] = a[(l + last) % size] + last;
}

static void collective(const int *a, int *out, int size, int n)
{
	int sum = 0;

	for (int l = 0; l < size; l++)
		sum += a[l];
	for (int l = 0; l < size; l++)
		out[l] = sum + a[n % size];
}

static void running_greatest(const int *a, int *out, int size, int n)
{
	int greatest = INT_MIN;

	(void)n;
	for (int i = 0; i < size; i++) {
		greatest = a[i] > greatest ? a[i] : greatest;
		out[i] = greatest;
	}
}

static void collective_of_some(const int *a, int *out, int size, int n)
{
	int sum = 0, most = INT_MIN;

	for (int l = 0; l < size; l++) {
		sum += l < n ? a[l] : 0;
		if (l < n && a[l] > most)
			most = a[l];
	}
	for (int l = 0; l < size; l++)
		out[l] = l < n ? sum + most : -7;
}

static void kept_through(const int *a, int *out, int size, int n)
{
	for (int l = 0; l < size; l++) {
		int x = a[l] + (l & 1 ? a[(l + 1) % size] : 0), y = 5;
		for (int i = 0; i < n; i++) {
			if (l & 2)
				y += (x & 63) + i;
			x -= y;
		}
		out[l] = x + y;
	}
}

static void return_with_array(const int *a, int *out, int size, int n)
{
	for (int l = 0; l < size; l++)
		out[l] = a[l] & 1 ? a[l] : n + a[(l + 1) % size] * 3 + 1;
}

static void changed_by_some(const int *a, int *out, int size, int n)
{
	for (int l = 0; l < size; l++)
		out[l] = l & 1 ? 10 * n + a[(l + 1) % size] : n;
}

static void joined_before(const int *a, int *out, int size, int n)
{
	int x[4096];

	for (int l = 0; l < size; l++)
		x[l] = a[l] + (l & 1 ? a[(l + 1) % size] : 0);
	for (int l = 0; l < size; l++)
		out[l] = x[(l + n) % size];
}

static void odd_sums(const int *a, int *out, int size, int n)
{
	(void)n;
	for (int l = 0; l < size; l++)
		out[l] = l & 1 ? 3 * a[l] + 3 : 0;
}

const struct shape shapes[] = {
	{"reverse", "t[l] = a[l];" B "out[l] = t[L - 1 - l];", reverse},
	{"scan",
	 "t[l] = a[l];" B "for (int s = 1; s < L; s *= 2) { int x = l >= s ? t[l - s] : 0;" B
	 "t[l] += x;" B "} out[l] = t[l];",
	 scan},
	{"two_buffers",
	 "local int *from = t, *to = u; t[l] = a[l];" B
	 "for (int s = 1; s < L; s *= 2) { to[l] = from[l] + (l >= s ? from[l - s] : 0);\n"
	 "local int *old = from; from = to; to = old;" B "} out[l] = from[l];",
	 scan},
	{"total",
	 "t[l] = a[l];" B
	 "for (int s = 2048; s > 0; s >>= 1) { if (l < s && l + s < L) t[l] += t[l + s];" B
	 "} out[l] = t[0] + l;",
	 total},
	{"branch", "int x = a[l]; if (n > 2) { t[l] = x;" B "x = t[(l + 1) % L]; } out[l] = x * 3;",
	 branch},
	{"short_circuit",
	 "int x = a[l]; if ((l < 3 && n > 2) || n > 2) { t[l] = x;" B "x = t[(l + 1) % L]; }\n"
	 "out[l] = x * 3;",
	 branch},
	{"loaded_condition",
	 "u[l] = n > 2;" B "int x = a[l]; if (u[0]) { t[l] = x;" B
	 "x = t[(l + 1) % L]; } out[l] = x * 3;",
	 branch},
	{"loop_under_item_condition",
	 "t[l] = a[l]; u[l] = n;" B "if (u[l] > 0) {\n"
	 "for (int s = 2048; s > 0; s >>= 1) { if (l < s && l + s < L) t[l] += t[l + s];" B
	 "} } out[l] = t[0] + l;",
	 total},
	{"value_under_item_condition",
	 "t[l] = a[l]; u[l] = n; int x = l * 5, y = 9;" B "if (u[l] > 0) { x = l; y = 0;\n"
	 "for (int s = 2048; s > 0; s >>= 1) { if (l < s && l + s < L) t[l] += t[l + s];" B
	 "} } u[l] = x;" B "out[l] = t[0] + u[l] + y;",
	 total},
	{"nested_item_conditions",
	 "t[l] = a[l]; u[l] = n;" B "for (int i = 0; i < n; i++) { if (u[l] > i) { int x = t[l];\n"
	 "if (u[L - 1 - l] > 0 && (i & 1)) { x = t[(l + 1) % L];" B "} else { x++;" B "}\n"
	 "t[l] = x;" B "} } out[l] = t[l];",
	 conditional},
	{"item_counters",
	 "t[l] = a[l]; u[l] = n; int i = 0, x = a[l];" B "while (u[l] > 0) { x = t[(l + 1) % L];" B
	 "t[l] = x; u[l]--; i++;" B "} out[l] = x + i;",
	 breaks},
	{"shared_counter",
	 "t[l] = a[l]; if (l == 0) u[0] = n; int i = 0, x = a[l];" B
	 "while (u[0] > 0) { x = t[(l + 1) % L];" B "t[l] = x; if (l == 0) u[0]--; i++;" B
	 "} out[l] = x + i;",
	 breaks},
	{"switch_parting",
	 "int acc = 0; u[l] = l & 1;" B "for (int i = 0; i < 3; i++) { switch (u[l]) {\n"
	 "case 7: t[l] = 0;" B "break; case 0: continue; default: acc += a[l]; }\n"
	 "acc += i; } out[l] = acc;",
	 odd_sums},
	{"early_return",
	 "out[l] = -7; if (l >= n) return; int sum = 0; int m = min(n, L);\n"
	 "for (int i = 0; i < 3; i++) { t[l] = a[l];" B "for (int k = 0; k < m; k++) sum += t[k];" B
	 "} out[l] = sum;",
	 early_return},
	{"return_in_loop",
	 "int acc = 100; for (int i = 0; i < 4; i++) { if (l == i * n) { out[l] = i; return; }\n"
	 "t[l] = i;" B "acc += t[l];" B "} out[l] = acc;",
	 return_in_loop},
	{"nested_loops",
	 "t[l] = a[l];" B "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) {\n"
	 "int x = t[(l + j + 1) % L] + i;" B "t[l] = x;" B "} out[l] = t[l];",
	 nested_loops},
	{"loaded_bounds",
	 "t[l] = a[l]; u[l] = n;" B
	 "for (int i = 0; i < u[0]; i++) for (int j = 0; j < i + 1 - n + u[1 % L]; j++) {\n"
	 "int x = t[(l + j + 1) % L] + i;" B "t[l] = x;" B "} out[l] = t[l];",
	 nested_loops},
	{"joined_before",
	 "int x = a[l]; t[l] = x; u[l] = n;" B "if (l & 1) x += t[(l + 1) % L];" B
	 "for (int i = 0; i < u[0]; i++) { t[l] = x;" B "x = t[(l + 1) % L];" B "} out[l] = x;",
	 joined_before},
	{"kept_through",
	 "int x = a[l], y = 5; t[l] = x; u[l] = n;" B "if (l & 1) x += t[(l + 1) % L];" B
	 "for (int i = 0; i < u[0]; i++) {" B "if (l & 2) y += (x & 63) + i;" B
	 "x -= y; } out[l] = x + y;",
	 kept_through},
	{"return_with_array",
	 "int p[4]; for (int k = 0; k < 4; k++) p[k] = a[(l + 1) % L] * k + (k & n & 0);\n"
	 "if (a[l] & 1) { out[l] = a[l]; return; }" B "out[l] = n + p[(n & 0) + 3] + 1;",
	 return_with_array},
	{"changed_by_some",
	 "int x = n, y = 0; t[l] = a[l];" B "if (l & 1) { x = 10 * n; y = t[(l + 1) % L]; }" B
	 "out[l] = x + y;",
	 changed_by_some},
	{"in_function", "t[l] = a[l];" B "rotate_by(t, l, L, n); out[l] = t[l];", nested_loops},
	{"irreducible",
	 "int i = 0, x; t[l] = a[l];" B "if (n & 1) goto mid;\n"
	 "top: x = t[(l + 1) % L] + 1;" B "t[l] = x;" B "mid: t[l] *= 2;" B
	 "if (++i < 3) goto top; out[l] = t[l];",
	 irreducible},
	{"parting",
	 "int i = 0, acc = 0; if (l & 1) goto X;\n"
	 "Y: acc += 1; goto M;\n"
	 "X: acc += 10;\n"
	 "M: t[l] = acc;" B "acc += t[(l + 1) % L];" B
	 "if (++i < 3) { if (l & 1) goto Y; else goto X; } out[l] = acc;",
	 parting},
	{"private_array",
	 "int p[16]; for (int k = 0; k < 16; k++) p[k] = a[l] + k; t[l] = a[l];" B
	 "int sum = 0; for (int k = 0; k < n; k++) sum += p[(l + k) & 15] * (k + 1);\n"
	 "out[l] = sum + t[(l + 1) % L];",
	 private_array},
	{"private_array_in_loop",
	 "int p[16]; for (int k = 0; k < 16; k++) p[k] = a[l] + k; t[l] = a[l]; int sum = 0;\n"
	 "for (int k = 0; k < n; k++) {" B
	 "int q[4]; for (int j = 0; j < 4; j++) q[j] = p[(l + k) & 15];\n"
	 "sum += q[k & 3] * (k + 1);" B "}\n"
	 "out[l] = sum + t[(l + 1) % L];",
	 private_array},
	{"kinds",
	 "bool positive = a[l] > 0; int4 v = (int4)(a[l] + 1, a[l] * 2, n, 4); double d = a[l];\n"
	 "local int *p = l & 1 ? t : u; size_t far = get_global_id(0); t[l] = a[l]; u[l] = a[l] + "
	 "1;\n"
	 "int3 w = (int3)(l, n, 0);" B "int other = t[(l + 3) % L]; int from = (l + 3) % L; if "
	 "(far != get_global_id(0)) other = 0;\n"
	 "out[l] = (positive ? other : -other) + v.x + v.y + v.z + v.w + (int)(d * 0.5) + p[from] "
	 "+ w.x * w.y;",
	 kinds},
	{"conditional",
	 "t[l] = a[l];" B "for (int i = 0; i < n; i++) { if (i & 1) { int x = t[(l + 1) % L];" B
	 "t[l] = x;" B "} else { t[l] += 1;" B "} } out[l] = t[l];",
	 conditional},
	{"switched",
	 "t[l] = a[l];" B
	 "for (int i = 0; i < n; i++) { int x; switch (i & 1) { case 1: x = t[(l + 1) % L];" B
	 "break; default: x = t[l] + 1; break; } t[l] = x;" B "} out[l] = t[l];",
	 conditional},
	{"divergent_work",
	 "int sum = 0; for (int k = 0; k < l; k++) sum += a[l] ^ k; if (l & 1) t[l] = sum; else "
	 "t[l] = sum;" B "out[l] = t[(l + 1) % L] * n;",
	 divergent_work},
	{"edges", B B "t[l] = a[l] + n;" B B "out[l] = t[l];" B, edges},
	{"alone", "if (n < 0) return;" B "if (n >= 0) {" B "out[l] = a[l] + n; }" B, edges},
	{"breaks",
	 "t[l] = a[l];" B "int i = 0, x = a[l]; while (true) { if (i == n) break; i++;\n"
	 "x = t[(l + 1) % L];" B "t[l] = x;" B "if (i == 6) break; } out[l] = x + i;",
	 breaks},
	{"do_while",
	 "t[l] = a[l]; int i = 0, x = a[l]; do {" B "if (i == n) continue; x = t[(l + 1) % L];" B
	 "t[l] = x; } while (i != n && ++i < 6);" B "out[l] = x + i;",
	 breaks},
	{"collective",
	 "int sum = work_group_reduce_add(a[l]);\n"
	 "out[l] = sum + work_group_broadcast(a[l], (n % L) % get_local_size(0),\n"
	 "  (n % L) / get_local_size(0) % get_local_size(1),\n"
	 "  (n % L) / get_local_size(0) / get_local_size(1));",
	 collective},
	{"collective_of_some",
	 "out[l] = -7; if (l >= n) return;\n"
	 "int sum = work_group_reduce_add(a[l]);\n"
	 "out[l] = sum + work_group_reduce_max(a[l]);",
	 collective_of_some},
	{"collective_after_parting",
	 "for (int i = 0; i < 3; i++) { if (a[0] < n || a[1] == i) continue;" B "}\n"
	 "out[l] = work_group_scan_inclusive_max(a[l]);",
	 running_greatest},
	{"collective_of_some_parting",
	 "out[l] = -7; if (l >= n) return;\n"
	 "for (int i = 0; i < 3; i++) { if (a[0] < n || a[1] == i) continue;" B "}\n"
	 "int sum = work_group_reduce_add(a[l]);\n"
	 "out[l] = sum + work_group_reduce_max(a[l]);",
	 collective_of_some},
};
const size_t num_shapes = sizeof(shapes) / sizeof(shapes[0]);
