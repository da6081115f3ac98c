/* SPDX-License-Identifier: MIT
 *
 * The simulator of RISC-V: compressed instructions against their long forms (as llvm-mc encodes both), results of single
 * instructions where other machines differ, and faults.
 */
#include "kernel_waits.h"
#include "riscv/decode.h"
#include "riscv/hart.h"
#include "riscv/real_registers.h"
#include "riscv/system_functions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define RISCV_ROW(name, mask, match, format, timing) WORD_##name = (int)(match),
enum {
#include "riscv/instructions.def"
};

static void long_forms(void **state)
{
	static const struct {
		uint16_t compressed;
		uint32_t word;
	} rows[] = {
		{0x1fe8, 0x3fc10513}, /* addi a0, sp, 1020 */
		{0x3de8, 0x0f85b507}, /* fld fa0, 248(a1) */
		{0x5de8, 0x07c5a503}, /* lw a0, 124(a1) */
		{0x67e0, 0x0c87b403}, /* ld s0, 200(a5) */
		{0xa484, 0x0094b427}, /* fsd fs1, 8(s1) */
		{0xc374, 0x04d72223}, /* sw a3, 68(a4) */
		{0xe450, 0x08c43423}, /* sd a2, 136(s0) */
		{0x0001, 0x00000013}, /* addi zero, zero, 0 */
		{0x1f81, 0xfe0f8f93}, /* addi t6, t6, -32 */
		{0x22fd, 0x01f2829b}, /* addiw t0, t0, 31 */
		{0x5dfd, 0xfff00d93}, /* addi s11, zero, -1 */
		{0x7101, 0xe0010113}, /* addi sp, sp, -512 */
		{0x617d, 0x1f010113}, /* addi sp, sp, 496 */
		{0x7305, 0xfffe1337}, /* lui t1, 0xfffe1 */
		{0x917d, 0x03f55513}, /* srli a0, a0, 63 */
		{0x9585, 0x4215d593}, /* srai a1, a1, 33 */
		{0x9a65, 0xff967613}, /* andi a2, a2, -7 */
		{0x8d0d, 0x40b50533}, /* sub a0, a0, a1 */
		{0x8c25, 0x00944433}, /* xor s0, s0, s1 */
		{0x8fd9, 0x00e7e7b3}, /* or a5, a5, a4 */
		{0x8ef1, 0x00c6f6b3}, /* and a3, a3, a2 */
		{0x9d1d, 0x40f5053b}, /* subw a0, a0, a5 */
		{0x9cb5, 0x00d484bb}, /* addw s1, s1, a3 */
		{0xb001, 0x801ff06f}, /* jal zero, -2048 */
		{0xab99, 0x5560006f}, /* jal zero, 1366 */
		{0xd101, 0xf00500e3}, /* beq a0, zero, -256 */
		{0xe4cd, 0x0a049563}, /* bne s1, zero, 170 */
		{0x1e36, 0x02de1e13}, /* slli t3, t3, 45 */
		{0x31fe, 0x1f813187}, /* fld ft3, 504(sp) */
		{0x50fe, 0x0fc12083}, /* lw ra, 252(sp) */
		{0x6936, 0x14813903}, /* ld s2, 328(sp) */
		{0x8282, 0x00028067}, /* jalr zero, 0(t0) */
		{0x8876, 0x01d00833}, /* add a6, zero, t4 */
		{0x9982, 0x000980e7}, /* jalr ra, 0(s3) */
		{0x9192, 0x004181b3}, /* add gp, gp, tp */
		{0xb7ea, 0x1fa13427}, /* fsd fs10, 488(sp) */
		{0xdf7e, 0x0bf12e23}, /* sw t6, 188(sp) */
		{0xea6e, 0x11b13823}, /* sd s11, 272(sp) */
		/* no instructions: nothing, reserved, ebreak */
		{0x0000, 0},
		{0x8000, 0},
		{0x2001, 0},
		{0x6101, 0},
		{0x6081, 0},
		{0x9c41, 0},
		{0x4002, 0},
		{0x8002, 0},
		{0x9002, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (riscv_expand(rows[i].compressed) != rows[i].word)
			fail_msg("%04x: %08x, not %08x", rows[i].compressed,
				 riscv_expand(rows[i].compressed), rows[i].word);
	}
}

/* ---- single instructions --------------------------------------------------------------------- */

enum { A = 10, B = 11, C = 12, TO = 13 }; /* registers */

/* The program's words, and a jump to the end behind them. */
static void run(struct riscv_hart *hart, const uint32_t *words, size_t count)
{
	const uint32_t end = WORD_jalr | RISCV_RA << 15;
	_Alignas(8) uint32_t program[8];
	struct riscv_code code;

	assert_true(count < sizeof(program) / sizeof(program[0]));
	memcpy(program, words, count * sizeof(words[0]));
	program[count] = end;
	const struct riscv_section section = {(const unsigned char *)program,
					      (count + 1) * sizeof(words[0])};
	assert_int_equal(riscv_code_init(&code, &section, 1), WEFT_OK);
	hart->code = &code;
	hart->x[RISCV_RA] = RISCV_END;
	riscv_run(hart, riscv_code_at(&code, (uintptr_t)program));
	riscv_code_destroy(&code);
}

static void start(struct riscv_hart *hart)
{
	memset(hart, 0, sizeof(*hart));
	riscv_hart_start(hart, NULL);
}

static uint32_t word_of(int match, unsigned rounding)
{
	return (uint32_t)match | TO << 7 | A << 15 | B << 20 | rounding << 12;
}

static void integers(void **state)
{
	static const struct {
		int match;
		uint64_t a, b, result;
	} rows[] = {
		{WORD_div, 7, 0, UINT64_MAX},
		{WORD_div, (uint64_t)1 << 63, UINT64_MAX, (uint64_t)1 << 63},
		{WORD_div, (uint64_t)-7, 2, (uint64_t)-3},
		{WORD_rem, (uint64_t)-7, 0, (uint64_t)-7},
		{WORD_rem, (uint64_t)1 << 63, UINT64_MAX, 0},
		{WORD_divu, 7, 0, UINT64_MAX},
		{WORD_remu, 7, 0, 7},
		{WORD_divw, 0x80000000, UINT64_MAX, 0xffffffff80000000},
		{WORD_divw, 5, (uint64_t)1 << 32, UINT64_MAX},
		{WORD_remw, 0x80000000, UINT64_MAX, 0},
		{WORD_divuw, 0xfffffffe, 1, 0xfffffffffffffffe},
		{WORD_remuw, 0x80000001, 0, 0xffffffff80000001},
		{WORD_mulh, UINT64_MAX, UINT64_MAX, 0},
		{WORD_mulhu, UINT64_MAX, UINT64_MAX, UINT64_MAX - 1},
		{WORD_mulhsu, UINT64_MAX, UINT64_MAX, UINT64_MAX},
		{WORD_addw, 0x7fffffff, 1, 0xffffffff80000000},
		{WORD_sllw, 1, 63, 0xffffffff80000000},
		{WORD_srlw, 0x80000000, 31, 1},
		{WORD_sraw, 0x80000000, 31, UINT64_MAX},
		{WORD_sll, 1, 127, (uint64_t)1 << 63},
		{WORD_sra, (uint64_t)1 << 63, 63, UINT64_MAX},
		{WORD_slt, UINT64_MAX, 0, 1},
		{WORD_sltu, UINT64_MAX, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const uint32_t program = word_of(rows[i].match, 0);
		struct riscv_hart hart;

		start(&hart);
		hart.x[A] = rows[i].a;
		hart.x[B] = rows[i].b;
		run(&hart, &program, 1);
		if (hart.x[TO] != rows[i].result)
			fail_msg("row %zu: %llx", i, (unsigned long long)hart.x[TO]);
	}
}

/* Of a conversion to integers, the result; `rounding` as in its word. */
static uint64_t to_integer(int match, unsigned rounding, double value)
{
	/* which sources are doubles: bit 25 of the word */
	const uint32_t program = (uint32_t)match | TO << 7 | A << 15 | rounding << 12;
	struct riscv_hart hart;

	start(&hart);
	if (match & 1 << 25)
		memcpy(&hart.f[A], &value, sizeof(value));
	else
		riscv_put_s(&hart, A, (float)value);
	run(&hart, &program, 1);
	assert_int_equal(hart.status, WEFT_OK);
	return hart.x[TO];
}

static void conversions(void **state)
{
	static const double values[] = {-2.5, -1.5, -1.25, -0.5, 0.5, 1.25, 1.5, 2.5};
	/* by rounding: to nearest, to zero, down, up, away from zero in the middle */
	static const int64_t results[][8] = {
		{-2, -2, -1, 0, 0, 1, 2, 2},  {-2, -1, -1, 0, 0, 1, 1, 2},
		{-3, -2, -2, -1, 0, 1, 1, 2}, {-2, -1, -1, 0, 1, 2, 2, 3},
		{-3, -2, -1, -1, 1, 1, 2, 3},
	};

	(void)state;
	for (unsigned mode = 0; mode < 5; mode++) {
		for (size_t i = 0; i < 8; i++) {
			assert_int_equal(to_integer(WORD_fcvt_l_d, mode, values[i]),
					 results[mode][i]);
			assert_int_equal(to_integer(WORD_fcvt_w_s, mode, values[i]),
					 results[mode][i]);
		}
	}
	assert_int_equal(to_integer(WORD_fcvt_w_d, 1, 3e9), INT32_MAX);
	assert_int_equal(to_integer(WORD_fcvt_w_d, 1, -3e9), INT32_MIN);
	assert_int_equal(to_integer(WORD_fcvt_w_s, 1, (double)NAN), INT32_MAX);
	assert_int_equal(to_integer(WORD_fcvt_wu_d, 1, -3), 0);
	assert_int_equal(to_integer(WORD_fcvt_wu_d, 1, 4294967295.0), UINT64_MAX);
	assert_int_equal(to_integer(WORD_fcvt_wu_s, 1, (double)NAN), UINT64_MAX);
	assert_int_equal(to_integer(WORD_fcvt_l_s, 1, 1e30), INT64_MAX);
	assert_int_equal(to_integer(WORD_fcvt_l_d, 1, (double)-INFINITY), INT64_MIN);
	assert_int_equal(to_integer(WORD_fcvt_lu_d, 1, 1e30), UINT64_MAX);
	assert_int_equal(to_integer(WORD_fcvt_lu_d, 1, 18446744073709549568.0),
			 18446744073709549568u);
	assert_int_equal(to_integer(WORD_fcvt_lu_s, 1, -1), 0);
}

/* An integer becomes a float. */
static double from_integer(int match, unsigned rounding, uint64_t value)
{
	const uint32_t program = (uint32_t)match | TO << 7 | A << 15 | rounding << 12;
	struct riscv_hart hart;

	start(&hart);
	hart.x[A] = value;
	run(&hart, &program, 1);
	assert_int_equal(hart.status, WEFT_OK);
	return match & 1 << 25 ? riscv_get_d(&hart, TO) : (double)riscv_get_s(&hart, TO);
}

static void rounded_integers(void **state)
{
	static const struct {
		int64_t value;
		double results[5]; /* by rounding */
	} rows[] = {
		{16777217, {16777216, 16777216, 16777216, 16777218, 16777218}},
		{16777219, {16777220, 16777218, 16777218, 16777220, 16777220}},
		{-16777217, {-16777216, -16777216, -16777218, -16777216, -16777218}},
		{33554433, {33554432, 33554432, 33554432, 33554436, 33554432}},
		{-33554435, {-33554436, -33554432, -33554436, -33554432, -33554436}},
		{16777216, {16777216, 16777216, 16777216, 16777216, 16777216}},
		{0, {0, 0, 0, 0, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned mode = 0; mode < 5; mode++) {
			if (from_integer(WORD_fcvt_s_l, mode, (uint64_t)rows[i].value) !=
			    rows[i].results[mode])
				fail_msg("%lld, rounding %u", (long long)rows[i].value, mode);
		}
	}
	assert_true(from_integer(WORD_fcvt_d_lu, 1, UINT64_MAX) == 18446744073709549568.0);
	assert_true(from_integer(WORD_fcvt_d_lu, 0, UINT64_MAX) == 0x1p64);
	assert_true(from_integer(WORD_fcvt_s_wu, 0, UINT64_MAX) == 0x1p32);
}

#define BOXED(bits) ((bits) | UINT64_C(0xffffffff00000000))

/* Operations on floats, by their bits. */
static void reals(void **state)
{
	static const struct {
		int match;
		uint64_t a, b, result;
	} rows[] = {
		{WORD_fadd_s, BOXED(0x7fc12345u), BOXED(0x3f800000u), BOXED(0x7fc00000u)},
		{WORD_fadd_s, 0x3f800000u, BOXED(0x3f800000u), BOXED(0x7fc00000u)}, /* no float */
		{WORD_fsub_s, BOXED(0x7f800000u), BOXED(0x7f800000u), BOXED(0x7fc00000u)},
		{WORD_fmin_s, BOXED(0x00000000u), BOXED(0x80000000u), BOXED(0x80000000u)},
		{WORD_fmin_s, BOXED(0x80000000u), BOXED(0x00000000u), BOXED(0x80000000u)},
		{WORD_fmax_s, BOXED(0x80000000u), BOXED(0x00000000u), BOXED(0x00000000u)},
		{WORD_fmax_s, BOXED(0x7fc12345u), BOXED(0x3f800000u), BOXED(0x3f800000u)},
		{WORD_fmin_s, BOXED(0x7fc12345u), BOXED(0xffc00000u), BOXED(0x7fc00000u)},
		{WORD_fsgnjn_s, BOXED(0x7fc12345u), BOXED(0x7fc12345u), BOXED(0xffc12345u)},
		{WORD_fsgnjx_d, 0x8000000000000001, 0x8000000000000000, 1},
		{WORD_fadd_d, 0xfff8000000000001, 0, RISCV_NAN_D},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const uint32_t program = word_of(rows[i].match, 0);
		struct riscv_hart hart;

		start(&hart);
		hart.f[A] = rows[i].a;
		hart.f[B] = rows[i].b;
		run(&hart, &program, 1);
		if (hart.f[TO] != rows[i].result)
			fail_msg("row %zu: %llx", i, (unsigned long long)hart.f[TO]);
	}
}

/* Every half becomes a float and is found again. Between two of them, numbers go to the nearer one, those in the middle to
 * the even one. */
static void halves(void **state)
{
	const uint32_t widen = (uint32_t)WORD_fcvt_s_h | TO << 7 | A << 15;
	const uint32_t narrow = (uint32_t)WORD_fcvt_h_d | TO << 7 | A << 15;
	struct riscv_hart hart;

	(void)state;
	for (uint64_t half = 0; half < 0x7c00; half++) {
		double values[2];
		for (uint64_t k = 0; k < 2; k++) {
			start(&hart);
			hart.f[A] = (half + k) | ~UINT64_C(0xffff);
			run(&hart, &widen, 1);
			values[k] = (double)riscv_get_s(&hart, TO);
		}
		if (half + 1 == 0x7c00)
			values[1] = 65536; /* where infinity begins to be nearer */
		const double middle = (values[0] + values[1]) / 2;
		const double numbers[] = {values[0], nextafter(middle, 0), middle,
					  nextafter(middle, 1e9)};
		const uint64_t expected[] = {half, half, half + half % 2, half + 1};
		for (size_t k = 0; k < 4; k++) {
			start(&hart);
			memcpy(&hart.f[A], &numbers[k], sizeof(numbers[k]));
			run(&hart, &narrow, 1);
			assert_int_equal(hart.f[TO], expected[k] | ~UINT64_C(0xffff));
		}
	}
}

static void fused(void **state)
{
	const uint32_t program =
		(uint32_t)WORD_fnmsub_s | TO << 7 | A << 15 | B << 20 | (uint32_t)C << 27;
	struct riscv_hart hart;

	(void)state;
	assert_true(riscv_system_open());
	start(&hart);
	riscv_put_s(&hart, A, 0x1.000002p0f);
	riscv_put_s(&hart, B, 0x1.000002p0f);
	riscv_put_s(&hart, C, 0x1.000004p0f);
	run(&hart, &program, 1);
	assert_true(riscv_get_s(&hart, TO) == -0x1p-46f);
}

/* ---- memory and faults ----------------------------------------------------------------------- */

static void atomics(void **state)
{
	static const struct {
		int match;
		uint64_t before, operand, loaded, after;
	} rows[] = {
		{WORD_amoadd_w, 0xffffffff7fffffff, 1, 0x7fffffff, 0xffffffff80000000},
		{WORD_amomin_w, 5, UINT64_MAX, 5, 0xffffffff},
		{WORD_amomaxu_w, 5, UINT64_MAX, 5, 0xffffffff},
		{WORD_amomax_d, 5, UINT64_MAX, 5, 5},
		{WORD_amominu_d, 5, UINT64_MAX, 5, 5},
		{WORD_amoswap_d, 5, 6, 5, 6},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const uint32_t program = word_of(rows[i].match, 0);
		uint64_t cell = rows[i].before;
		struct riscv_hart hart;

		start(&hart);
		(void)riscv_add_range(&hart, &cell, sizeof(cell), 1, RISCV_WRITE);
		hart.x[A] = (uintptr_t)&cell;
		hart.x[B] = rows[i].operand;
		run(&hart, &program, 1);
		assert_int_equal(hart.x[TO], rows[i].loaded);
		assert_int_equal(cell, rows[i].after);
	}
}

/* A store-conditional stores if the reservation is of that place, and once. */
static void reservations(void **state)
{
	const uint32_t load = (uint32_t)WORD_lr_d | C << 7 | A << 15;
	const uint32_t store = word_of(WORD_sc_d, 0);
	const uint32_t both[] = {load, store}, three[] = {load, store, store};
	uint64_t cells[2] = {5, 6};
	struct riscv_hart hart;

	(void)state;
	start(&hart);
	(void)riscv_add_range(&hart, cells, sizeof(cells), 1, RISCV_WRITE);
	hart.x[A] = (uintptr_t)cells;
	hart.x[B] = 7;
	run(&hart, &store, 1);
	assert_int_equal(hart.x[TO], 1);
	run(&hart, both, 2);
	assert_int_equal(hart.x[TO], 0);
	assert_int_equal(cells[0], 7);
	run(&hart, three, 3);
	assert_int_equal(hart.x[TO], 1);
	run(&hart, &load, 1);
	hart.x[A] += sizeof(cells[0]);
	run(&hart, &store, 1);
	assert_int_equal(hart.x[TO], 1);
	assert_int_equal(cells[1], 6);
}

static void faults(void **state)
{
	uint64_t cells[2] = {1, 2};
	const uintptr_t place = (uintptr_t)cells;
	const struct {
		uint32_t word;
		uint64_t address;
	} rows[] = {
		{word_of(WORD_ld, 3) & 0xfffff, place + 9},
		{word_of(WORD_ld, 3) & 0xfffff, place - 1},
		{word_of(WORD_lb, 0) & 0xfffff, place + 16},
		{word_of(WORD_ld, 3) & 0xfffff, 0},
		{word_of(WORD_ld, 3) & 0xfffff, UINT64_MAX - 3},
		{(uint32_t)WORD_sd | A << 15, place + 12},
		{word_of(WORD_amoadd_w, 2), place + 2},
		{word_of(WORD_amoadd_d, 3), place + 16},
		{(uint32_t)WORD_jalr | A << 15, place},
		{(uint32_t)WORD_jalr | A << 15, 0},
		{WORD_jal | 0x7ff00000u, 0},       /* to nowhere */
		{0xffffffff, 0},                   /* no instruction */
		{0x00100073, 0},                   /* ebreak */
		{word_of(WORD_fadd_s, 1), 0},      /* rounding that arithmetic does not have */
		{WORD_csrrw | 0x30000000u, place}, /* mstatus */
		{WORD_csrrw | 0x00200000u | A << 15, 1}, /* a rounding mode */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct weft_waiting_context context = {0};
		struct riscv_hart hart;

		start(&hart);
		hart.context = &context.base;
		(void)riscv_add_range(&hart, cells, sizeof(cells), 1, RISCV_WRITE);
		hart.x[A] = rows[i].address;
		run(&hart, &rows[i].word, 1);
		if (hart.status != WEFT_OUT_OF_RESOURCES)
			fail_msg("row %zu", i);
		assert_int_equal(cells[0], 1);
		assert_int_equal(cells[1], 2);
	}
}

/* Copies stay in the hart's memory. */
static void system_functions(void **state)
{
	char bytes[8] = "abcdefg";
	struct riscv_hart hart;

	(void)state;
	assert_true(riscv_system_find("no_such_function") == 0);
	const uint64_t copy = riscv_system_find("memmove");
	start(&hart);
	(void)riscv_add_range(&hart, bytes, sizeof(bytes), 1, RISCV_WRITE);
	hart.x[A] = (uintptr_t)bytes + 1;
	hart.x[B] = (uintptr_t)bytes;
	hart.x[C] = 7;
	assert_false(riscv_system_call(&hart, NULL, copy + 1));
	assert_true(riscv_system_call(&hart, NULL, copy));
	assert_memory_equal(bytes, "aabcdefg", 8);
	hart.x[A] = (uintptr_t)bytes;
	hart.x[C] = 0;
	assert_true(riscv_system_call(&hart, NULL, copy));
	assert_int_equal(hart.status, WEFT_OK);
	hart.x[C] = 9;
	const uint32_t call = (uint32_t)WORD_jalr | (uint32_t)TO << 15;
	struct weft_waiting_context context = {0};
	hart.context = &context.base;
	hart.x[TO] = copy;
	run(&hart, &call, 1);
	assert_int_equal(hart.status, WEFT_OUT_OF_RESOURCES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_forms),
		cmocka_unit_test(integers),
		cmocka_unit_test(conversions),
		cmocka_unit_test(rounded_integers),
		cmocka_unit_test(reals),
		cmocka_unit_test(halves),
		cmocka_unit_test(fused),
		cmocka_unit_test(atomics),
		cmocka_unit_test(reservations),
		cmocka_unit_test(faults),
		cmocka_unit_test(system_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
