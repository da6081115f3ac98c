/* SPDX-License-Identifier: MIT
 *
 * The simulator of RISC-V: cycles of code, by hand, and how marks share them out. Each program is a few words.
 */
#include "riscv/decode.h"
#include "riscv/hart.h"
#include "riscv/system_functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define RISCV_ROW(name, mask, match, format, timing) WORD_##name = (int)(match),
enum {
#include "riscv/instructions.def"
};

enum { A = 10, B = 11, C = 12, D = 13, FAR = 14 }; /* registers; FAR leads to global memory */
enum { MOST_WORDS = 14, LOCAL = 3, GLOBAL = 50 };

static uint32_t op(int match, unsigned rd, unsigned rs1, unsigned rs2)
{
	return (uint32_t)match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static uint32_t with_immediate(int match, unsigned rd, unsigned rs1, int immediate)
{
	return (uint32_t)match | rd << 7 | rs1 << 15 | (uint32_t)immediate << 20;
}

/* bne, by so many words. */
static uint32_t branch(unsigned rs1, unsigned rs2, int words)
{
	const uint32_t bytes = (uint32_t)words * 4;

	return (uint32_t)WORD_bne | rs1 << 15 | rs2 << 20 | (bytes >> 12 & 1) << 31 |
	       (bytes >> 5 & 63) << 25 | (bytes >> 1 & 15) << 8 | (bytes >> 11 & 1) << 7;
}

static uint32_t mark(unsigned number)
{
	return with_immediate(WORD_mark, 0, 0, (int)number);
}

static uint64_t cells[4], far_cells[4];
static uint64_t item_cycles[4];

static void start(struct riscv_hart *hart)
{
	memset(hart, 0, sizeof(*hart));
	riscv_hart_start(hart, NULL);
	(void)riscv_add_range(hart, cells, sizeof(cells), LOCAL, RISCV_WRITE);
	riscv_add_range(hart, far_cells, sizeof(far_cells), GLOBAL, RISCV_WRITE)->is_far = true;
	hart->items = (struct riscv_item_times){
		.cycles = item_cycles, .room = 4, .transfers = 1 << 5, .gain = GLOBAL - LOCAL};
	hart->x[A] = (uintptr_t)cells;
	hart->x[FAR] = (uintptr_t)far_cells;
}

/* Cycles of the words; a jump to the end follows them. */
static uint64_t run_on(struct riscv_hart *hart, const uint32_t *words, size_t count)
{
	_Alignas(8) uint32_t program[MOST_WORDS + 1];
	struct riscv_code code;

	assert_true(count <= MOST_WORDS);
	memcpy(program, words, count * sizeof(words[0]));
	program[count] = op(WORD_jalr, 0, RISCV_RA, 0);
	const struct riscv_section section = {(const unsigned char *)program,
					      (count + 1) * sizeof(words[0])};
	assert_int_equal(riscv_code_init(&code, &section, 1), WEFT_OK);
	hart->code = &code;
	hart->x[RISCV_RA] = RISCV_END;
	riscv_run(hart, code.instructions);
	const uint64_t cycles = hart->cycles + code.instructions[count].before;
	riscv_code_destroy(&code);
	assert_int_equal(hart->status, WEFT_OK);
	return cycles;
}

static uint64_t run(const uint32_t *words, size_t count)
{
	struct riscv_hart hart;

	start(&hart);
	hart.x[C] = 3;
	return run_on(&hart, words, count);
}

#define RUN(...) run((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static int set_up(void **state)
{
	(void)state;
	return !riscv_system_open();
}

static void operands_are_waited_for(void **state)
{
	const uint32_t add = op(WORD_add, D, B, C), multiply = op(WORD_mul, B, C, C);
	const uint32_t product = op(WORD_fmul_s, 1, 2, 3), sum = op(WORD_fadd_s, 4, 1, 1);

	(void)state;
	assert_int_equal(RUN(add), 1);
	assert_int_equal(RUN(add, add, add), 3);
	assert_int_equal(RUN(multiply), 1);
	assert_int_equal(RUN(multiply, add), 5);
	assert_int_equal(RUN(multiply, op(WORD_add, D, C, C), add), 5);
	assert_int_equal(RUN(multiply, op(WORD_add, D, C, C), op(WORD_add, D, C, C)), 3);
	assert_int_equal(RUN(op(WORD_div, B, C, C), add), 35);
	assert_int_equal(RUN(op(WORD_div, B, C, C), op(WORD_rem, D, C, C)), 35); /* one divider */
	assert_int_equal(RUN(product, sum), 6);
	assert_int_equal(RUN(product, op(WORD_fadd_d, 4, 5, 6), op(WORD_feq_d, D, 4, 4)), 8);
	assert_int_equal(RUN(op(WORD_fmadd_s, 1, 2, 3), sum), 6);
	/* the third operand */
	assert_int_equal(RUN(product, op(WORD_fmadd_s, 4, 2, 3) | 1u << 27), 6);
	assert_int_equal(RUN(op(WORD_fdiv_s, 1, 2, 3), op(WORD_fsqrt_s, 5, 6, 0)), 21);
	/* the number of a conversion's kind is no register */
	assert_int_equal(RUN(op(WORD_fmul_s, 1, 2, 3), op(WORD_fcvt_s_wu, 7, C, 0)), 2);
	/* what goes to the zero register is not read */
	assert_int_equal(RUN(op(WORD_mul, 0, C, C), op(WORD_add, D, 0, 0)), 2);
}

static void accesses_take_their_memory(void **state)
{
	const uint32_t load = op(WORD_ld, B, A, 0), far_load = op(WORD_ld, B, FAR, 0);
	const uint32_t store = op(WORD_sd, 0, A, C), far_store = op(WORD_fsd, 0, FAR, 1);

	(void)state;
	assert_int_equal(RUN(load), LOCAL);
	assert_int_equal(RUN(load, load, load), 3 * LOCAL);
	assert_int_equal(RUN(load, op(WORD_add, D, B, C)), LOCAL + 1);
	assert_int_equal(RUN(far_load, load, far_store, store), 2 * LOCAL + 2 * GLOBAL);
	assert_int_equal(RUN(op(WORD_amoadd_w, B, FAR, C)), 2 * GLOBAL);
	assert_int_equal(RUN(op(WORD_lr_d, B, FAR, 0)), GLOBAL);
}

static void jumps(void **state)
{
	const uint32_t add = op(WORD_add, D, C, C), less = with_immediate(WORD_addi, C, C, -1);

	(void)state;
	assert_int_equal(RUN(branch(0, 0, 2), add), 2); /* not taken, as it is predicted */
	assert_int_equal(RUN(branch(C, 0, 2), add), 4);
	assert_int_equal(RUN(branch(C, 0, 2), add, add), 5);
	/* three rounds of two, and the end, which is not predicted */
	assert_int_equal(RUN(less, branch(C, 0, -1)), 3 * 2 + 3);
	assert_int_equal(RUN(op(WORD_jal, 0, 0, 0) | 8u << 20, add, add), 2);
	assert_int_equal(
		RUN(op(WORD_auipc, D, 0, 0), with_immediate(WORD_jalr, 0, D, 12), add, add),
		1 + 4 + 1);
}

static void marks(void **state)
{
	const uint32_t first = mark(RISCV_MARK_FIRST_REGION), end = mark(RISCV_MARK_END);
	const uint32_t add = op(WORD_add, D, C, C), far_load = op(WORD_ld, B, FAR, 0);
	const uint32_t apart[] = {add, add, first, add, end, add, first, add, add, end, add};
	const uint32_t lanes[] = {first, first, first, far_load, end, end, end};
	const uint32_t transferred[] = {
		first,
		far_load,
		far_load,
		mark(1 * RISCV_MARK_TRANSFERS + 5),
		end,
		first,
		far_load,
		mark(1 * RISCV_MARK_TRANSFERS + 6),
		end, /* is not chosen */
		first,
		far_load,
		mark(3 * RISCV_MARK_TRANSFERS + 5),
		end, /* more than there are */
	};
	struct riscv_hart hart;

	(void)state;
	start(&hart);
	assert_int_equal(run_on(&hart, apart, 11), 7);
	assert_int_equal(hart.items.prologue, 2);
	assert_int_equal(hart.items.count, 2);
	assert_int_equal(item_cycles[0], 1);
	assert_int_equal(item_cycles[1], 3);
	assert_int_equal(hart.items.group, 1);
	assert_false(riscv_end_region(&hart.items, 3, 7));
	assert_true(riscv_end_region(&hart.items, 2, 7));
	start(&hart);
	(void)run_on(&hart, lanes, 7);
	assert_int_equal(hart.items.count, 3);
	assert_int_equal(item_cycles[0], GLOBAL / 3 + GLOBAL % 3);
	assert_int_equal(item_cycles[2], GLOBAL / 3);
	start(&hart);
	(void)run_on(&hart, transferred, sizeof(transferred) / sizeof(transferred[0]));
	assert_int_equal(item_cycles[0], GLOBAL + LOCAL);
	assert_int_equal(item_cycles[1], GLOBAL);
	assert_int_equal(item_cycles[2], LOCAL);
	/* no room */
	start(&hart);
	hart.items.room = 1;
	(void)run_on(&hart, apart, 11);
	assert_int_equal(hart.items.count, 1);
	assert_false(riscv_end_region(&hart.items, 2, 7));
}

/* A loop ends at its jump back once that is asked for. */
static void loops_are_stopped(void **state)
{
	static const _Atomic bool stop = true;
	const uint32_t loops[][2] = {
		{op(WORD_add, D, C, C), branch(C, 0, -1)},
		{op(WORD_add, D, C, C), op(WORD_jal, 0, 0, 0) | 0xffdffu << 12},
		{op(WORD_auipc, D, 0, 0), with_immediate(WORD_jalr, 0, D, 0)},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		struct riscv_hart hart;

		start(&hart);
		hart.x[C] = 1;
		hart.stop = &stop;
		(void)run_on(&hart, loops[i], 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_are_waited_for),
		cmocka_unit_test(accesses_take_their_memory),
		cmocka_unit_test(jumps),
		cmocka_unit_test(marks),
		cmocka_unit_test(loops_are_stopped),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
