/* SPDX-License-Identifier: MIT
 *
 * How fast the simulator of RISC-V is: instructions per second of processor time, medians of 9, of loops of one kind each.
 */
#include "riscv/decode.h"
#include "riscv/hart.h"
#include "riscv/system_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 400000
#define RUNS 9
#define MOST_WORDS 12

enum { T0 = 5, A0 = 10, A1 = 11, COUNT = 12, BASE = 13 }; /* registers */

#define R(match, rd, rs1, rs2)                                                                     \
	((uint32_t)(match) | (uint32_t)(rd) << 7 | (uint32_t)(rs1) << 15 | (uint32_t)(rs2) << 20)
#define I(match, rd, rs1, immediate)                                                               \
	((uint32_t)(match) | (uint32_t)(rd) << 7 | (uint32_t)(rs1) << 15 |                         \
	 (uint32_t)(immediate) << 20)
#define S(match, rs1, rs2, immediate)                                                              \
	((uint32_t)(match) | (uint32_t)(rs1) << 15 | (uint32_t)(rs2) << 20 |                       \
	 (uint32_t)(immediate) << 7)
/* Back by so many instructions, if COUNT is not 0. */
#define LOOP(words)                                                                                \
	(0x00001063u | COUNT << 15 | 0xfe000000u | 0x80u |                                         \
	 ((uint32_t)(-4 * (words)) & 0x1eu) << 7 |                                                 \
	 (((uint32_t)(-4 * (words)) >> 5 & 0x3fu) << 25))
#define ADDI 0x13
#define ADD 0x33
#define XOR 0x4033
#define SRLI 0x5013
#define MUL 0x02000033
#define LW 0x2003
#define SW 0x2023
#define FLW 0x2007
#define FSW 0x2027
#define FMADD 0x43
#define FADD 0x53

struct loop {
	const char *name;
	size_t size; /* words, with the branch */
	uint32_t words[MOST_WORDS];
};

static const struct loop loops[] = {
	{"integers",
	 7,
	 {R(ADD, A0, A0, COUNT), R(XOR, A1, A1, A0), I(SRLI, T0, A1, 7), R(MUL, T0, T0, A0),
	  R(ADD, A1, A1, T0), I(ADDI, COUNT, COUNT, 0xfff), LOOP(6)}},
	{"memory",
	 6,
	 {I(LW, A0, BASE, 0), R(ADD, A1, A1, A0), S(SW, BASE, A1, 4), I(LW, T0, BASE, 8),
	  I(ADDI, COUNT, COUNT, 0xfff), LOOP(5)}},
	{"reals",
	 6,
	 {I(FLW, 1, BASE, 0), R(FMADD, 2, 1, 1) | 2u << 27, R(FADD, 3, 3, 2), S(FSW, BASE, 3, 4),
	  I(ADDI, COUNT, COUNT, 0xfff), LOOP(5)}},
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds. */
static double run_once(const struct riscv_code *code, const void *begin)
{
	static float cells[16] = {1.5f, 0.25f, 2.0f};
	static struct riscv_hart hart;
	const double start = now();

	riscv_hart_start(&hart, code);
	(void)riscv_add_range(&hart, cells, sizeof(cells), 1, RISCV_WRITE);
	hart.x[RISCV_RA] = RISCV_END;
	hart.x[COUNT] = ROUNDS;
	hart.x[BASE] = (uintptr_t)cells;
	riscv_run(&hart, riscv_code_at(code, (uintptr_t)begin));
	if (hart.status != WEFT_OK || hart.x[COUNT] != 0)
		exit(1);
	return now() - start;
}

static int compare(const void *a, const void *b)
{
	return *(const double *)a < *(const double *)b ? -1 : 1;
}

static void measure(const struct loop *loop)
{
	_Alignas(8) uint32_t program[MOST_WORDS + 1];
	double times[RUNS];
	struct riscv_code code;

	for (size_t i = 0; i < loop->size; i++)
		program[i] = loop->words[i];
	program[loop->size] = 0x67u | RISCV_RA << 15;
	const struct riscv_section section = {(const unsigned char *)program,
					      (loop->size + 1) * sizeof(program[0])};
	if (riscv_code_init(&code, &section, 1) != WEFT_OK)
		exit(1);
	for (int i = 0; i < RUNS; i++)
		times[i] = run_once(&code, program);
	qsort(times, RUNS, sizeof(times[0]), compare);
	printf("%-10s %6.0f million instructions/s\n", loop->name,
	       1e-6 * ROUNDS * (double)loop->size / times[RUNS / 2]);
	riscv_code_destroy(&code);
}

int main(void)
{
	if (!riscv_system_open())
		return 1;
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++)
		measure(&loops[i]);
	return 0;
}
