/* SPDX-License-Identifier: MIT
 *
 * Arrays in local memory whose rows, columns and diagonals work-items access: with groups of a required size, where the compiler may lay
 * them out in another way, kernels compute what they compute without.
 */
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ITEMS 16
#define GROUPS 5
#define NUMBERS (ITEMS * ITEMS)

/* Each has 256 numbers for a group: those of `a` at `f`, results in `out`. */
#define KERNEL(name, body)                                                                         \
	"REQUIRED kernel void " name "(global const uint *a, global uint *out) {\n"                \
	"  int t = get_local_id(0), f = get_group_id(0) * 256;\n" body "}\n"
#define LOAD "  for (int k = 0; k < 16; k++) m[k][t] = a[f + k * 16 + t];\n"
#define STORE                                                                                      \
	BARRIER                                                                                    \
	"  for (int k = 0; k < 16; k++) out[f + k * 16 + t] = m[k][t];\n"
#define BARRIER "  barrier(CLK_LOCAL_MEM_FENCE);\n"

static const char source[] =
	/* Rows owned by work-items. */
	KERNEL("rows", "  local uint m[16][16];\n" LOAD "  for (int k = 0; k < 15; k++) {" BARRIER
		       "    if (t > k) {\n"
		       "      m[t][k] = m[t][k] * 3 + m[k][k];\n"
		       "      for (int j = k + 1; j < 16; j++) m[t][j] -= m[t][k] * m[k][j];\n"
		       "  } }" STORE)
	/* The same with unsigned numbers, rows of 17, and an array in front. */
	KERNEL("padded",
	       "  local uint first[16]; local uint m[16][17];\n"
	       "  uint u = get_local_id(0);\n" LOAD "  m[t][16] = t; first[t] = t;\n" BARRIER
	       "  for (uint k = 0; k < 16u; k++)\n"
	       "    for (uint j = 1; j < 17u; j++) m[u][j] += m[u][j - 1] ^ first[k];\n" STORE)
	/* One dimension, by arithmetic. */
	KERNEL("flat",
	       "  local uint m[256];\n"
	       "  for (int k = 0; k < 16; k++) m[k * 16 + t] = a[f + k * 16 + t];\n" BARRIER
	       "  for (int k = 0; k < 8; k++)\n"
	       "    for (int j = 0; j < 15; j++) m[(t << 4) + j] += m[(t << 4) + j + 1];\n" BARRIER
	       "  for (int k = 0; k < 16; k++) out[f + k * 16 + t] = m[k * 16 + t];\n")
	/* Indices of columns that go past a row's end, or before its start. */
	KERNEL("beyond", "  local uint m[16][16];\n" LOAD BARRIER "  for (int k = 0; k < 8; k++)\n"
			 "    for (int j = 0; j < 16; j++) if (t < 15) m[t][j] += m[0][t * 16 + j "
			 "+ 1];\n" BARRIER
			 "  if (t > 0) for (int j = 0; j < 16; j++) m[t][j - 16] ^= j;\n" STORE)
	/* Atomic operations, and an index that is no sum. */
	KERNEL("atomics",
	       "  local uint m[16][16];\n" LOAD BARRIER "  for (int k = 0; k < 16; k++)\n"
	       "    atomic_add(&m[t][k], m[t][k] >> 1);\n" BARRIER
	       "  for (int k = 0; k < 16; k++) m[t][(k * 5) & 15] ^= k;\n" STORE)
	/* Diagonals, from both sides. */
	KERNEL("diagonals",
	       "  local uint m[17][17]; local uint s[16][16];\n"
	       "  if (t == 0) m[0][0] = f; m[0][t + 1] = t; m[t + 1][0] = 3 * t;\n"
	       "  for (int k = 0; k < 16; k++) s[k][t] = a[f + k * 16 + t];\n" BARRIER
	       "  for (int k = 0; k < 16; k++) {\n"
	       "    if (t <= k) { int x = t + 1, y = k - t + 1;\n"
	       "      m[y][x] = max(m[y - 1][x - 1] + s[y - 1][x - 1],\n"
	       "        max(m[y][x - 1], m[y - 1][x]) * 3);\n"
	       "    }\n" BARRIER "  }\n"
	       "  for (int k = 14; k >= 0; k--) {\n"
	       "    if (t <= k) { int x = t + 16 - k, y = 16 - t;\n"
	       "      m[y][x] = max(m[y - 1][x - 1] + s[y - 1][x - 1],\n"
	       "        max(m[y][x - 1], m[y - 1][x]) * 3);\n"
	       "    }\n" BARRIER "  }\n"
	       "  for (int k = 0; k < 16; k++) out[f + k * 16 + t] = m[k + 1][t + 1];\n")
	/* The address of an array's end, which is the next one's start. */
	KERNEL("ends",
	       "  local uint m[16][16]; local uint n[16][16];\n" LOAD
	       "  for (int k = 0; k < 16; k++) n[k][t] = k * t;\n" BARRIER
	       "  for (int j = 0; j < 16; j++) for (int k = 0; k < 4; k++) m[t][j] += n[t][j] + "
	       "k;\n" BARRIER "  uint sum = 0;\n"
	       "  for (local uint *p = &m[16][0]; p != &m[0][0];) sum = sum * 3 + *--p;\n" BARRIER
	       "  m[t][t] += sum;\n" STORE)
	/* Back from that end, and from the end of the second one. */
	KERNEL("backwards",
	       "  local uint m[16][16]; local uint n[16][16];\n" LOAD
	       "  for (int k = 0; k < 16; k++) n[k][t] = k * t;\n" BARRIER
	       "  for (int j = 0; j < 16; j++) for (int k = 0; k < 4; k++) {\n"
	       "    m[t][j] += n[t][j] + k; n[t][j] ^= m[t][j] * 3;\n"
	       "  }\n" BARRIER "  for (int j = 0; j < 16; j++) {\n"
	       "    (&m[16][0])[-1 - t * 16 - j] += j * 5 + t;\n"
	       "    (&n[16][0])[-16 * (t + 1) + j] += j * 3 + t;\n"
	       "  }\n" BARRIER
	       "  for (int k = 0; k < 16; k++) m[k][t] = m[k][t] * 7 + n[k][t];\n" STORE)
	/* Rows and some of their elements are aligned more than columns are. */
	KERNEL("aligned", "  local uint m[17][16] __attribute__((aligned(64)));\n" LOAD
			  "  m[16][t] = t;\n" BARRIER "  for (int k = 0; k < 16; k++) {\n"
			  "    m[t + 1][8] += k * m[t + 1][0]; m[t + 1][4] ^= m[t + 1][8];\n"
			  "    m[t + 1][0] += m[t + 1][12]; m[t][k] += k;\n" BARRIER "  }\n" STORE)
	/* A column that was computed with 128 bits. */
	KERNEL("wide", "  local uint m[16][16];\n" LOAD BARRIER "  for (int k = 0; k < 16; k++) {\n"
		       "    m[t][mul_hi((ulong)a[f + k] << 40 | 5, 11ul)] += k;\n"
		       "    m[t][k] *= 3; m[t][15 - k] += m[t][k];\n"
		       "  }\n" STORE);

static const char *const names[] = {"rows",      "padded", "flat",      "beyond",  "atomics",
				    "diagonals", "ends",   "backwards", "aligned", "wide"};

static void sizes_that_are_known(void **state)
{
	static uint32_t a[GROUPS * NUMBERS], known[GROUPS * NUMBERS], other[GROUPS * NUMBERS];
	struct runner *required = runner_build(
		source, "-cl-std=CL1.2 -DREQUIRED=__attribute__((reqd_work_group_size(16,1,1)))");
	struct runner *any = runner_build(source, "-cl-std=CL1.2 -DREQUIRED=");

	(void)state;
	for (size_t i = 0; i < GROUPS * NUMBERS; i++)
		a[i] = (uint32_t)i * 2654435761u >> 7;
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		const size_t global[] = {GROUPS * ITEMS, 1, 1}, local[] = {ITEMS, 1, 1};
		const struct runner_arg args[] = {RUNNER_MEMORY(a), RUNNER_MEMORY(known)};
		const struct runner_arg others[] = {RUNNER_MEMORY(a), RUNNER_MEMORY(other)};
		memset(known, 0, sizeof(known));
		memset(other, 1, sizeof(other));
		runner_run(required, names[k], global, local, args, 2);
		runner_run(any, names[k], global, local, others, 2);
		for (size_t i = 0; i < GROUPS * NUMBERS; i++) {
			if (known[i] != other[i])
				fail_msg("%s: number %zu is %u, not %u", names[k], i, known[i],
					 other[i]);
		}
	}
	runner_destroy(required);
	runner_destroy(any);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_that_are_known)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
