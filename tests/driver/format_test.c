/* SPDX-License-Identifier: MIT
 *
 * The printf formatter: every specifier, flag, length and vector size of the OpenCL C
 * specification, the examples of its text, and formats that it leaves undefined, which must do no
 * harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alloc.h"
#include "kernel/format.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ARGS 8

/* Arguments, packed as the compiler packs them. */
struct call {
	struct weft_printf_arg args[MOST_ARGS];
	uint32_t num_args;
	unsigned char bytes[1024];
	uint32_t size;
};

static const uint32_t sizes[] = {0, 1, 2, 4, 8, 2, 4, 8, 8};

static void pack(struct call *call, enum weft_printf_type type, uint32_t lanes, const void *values)
{
	uint32_t size = sizes[type] * lanes;

	call->args[call->num_args++] = (struct weft_printf_arg){type, lanes, call->size, size};
	memcpy(call->bytes + call->size, values, size);
	call->size += size;
}

static char *format(const struct call *call, const char *text)
{
	struct weft_strbuf buffer = {0};
	const struct weft_printf_site site = {text, call->args, call->num_args, call->size};
	/* exactly as large as the block: a byte too many is found by the address sanitizer */
	unsigned char *bytes = malloc(call->size ? call->size : 1);

	assert_non_null(bytes);
	memcpy(bytes, call->bytes, call->size);
	weft_strbuf_puts(&buffer, "");
	weft_format(&buffer, &site, bytes);
	free(bytes);
	assert_false(buffer.failed);
	return buffer.data;
}

static void expect(const struct call *call, const char *text, const char *expected)
{
	char *got = format(call, text);

	assert_string_equal(got, expected);
	weft_free(got);
}

static void expect_int(const char *text, int32_t value, const char *expected)
{
	struct call call = {0};

	pack(&call, WEFT_PRINTF_INT32, 1, &value);
	expect(&call, text, expected);
}

static void expect_long(const char *text, int64_t value, const char *expected)
{
	struct call call = {0};

	pack(&call, WEFT_PRINTF_INT64, 1, &value);
	expect(&call, text, expected);
}

static void expect_double(const char *text, double value, const char *expected)
{
	struct call call = {0};
	struct call single = {0};
	float rounded = (float)value;

	pack(&call, WEFT_PRINTF_DOUBLE, 1, &value);
	expect(&call, text, expected);
	if ((double)rounded == value || isnan(value)) {
		pack(&single, WEFT_PRINTF_FLOAT, 1, &rounded);
		expect(&single, text, expected);
	}
}

static void integers(void **state)
{
	(void)state;
	expect_int("%d|", 10, "10|");
	expect_int("%5d", 10, "   10");
	expect_int("%-5d|", 10, "10   |");
	expect_int("%05d", 10, "00010");
	expect_int("%+5d", 10, "  +10");
	expect_int("%-+5d|", 10, "+10  |");
	expect_int("%.5i", 100, "00100");
	expect_int("%6.5i", 100, " 00100");
	expect_int("%-06i|", 100, "100   |");
	expect_int("%06.5i", 100, " 00100");
	expect_int("% 10d", 42, "        42");
	expect_int("% d", 42, " 42");
	expect_int("%+ d", 42, "+42");
	expect_int("%.0d|", 0, "|");
	expect_int("%.d|", 0, "|");
	expect_int("%d", INT_MIN, "-2147483648");
	expect_int("%u", -1, "4294967295");
	expect_int("%o", 10, "12");
	expect_int("%#o", 100000000, "0575360400");
	expect_int("%#.0o", 0, "0");
	expect_int("%x", -1, "ffffffff");
	expect_int("%#x", 0xABCDEF, "0xabcdef");
	expect_int("%#X", 0xABCDEF, "0XABCDEF");
	expect_int("%#X", 0, "0");
	expect_int("%08x", 399, "0000018f");
	expect_int("%#010x", 399, "0x0000018f");
}

/* The value is that of the type that the modifier names. */
static void lengths(void **state)
{
	(void)state;
	expect_int("%hhd", 0x1ff, "-1");
	expect_int("%hhu", 0x1ff, "255");
	expect_int("%hd", 0x1ffff, "-1");
	expect_int("%hu", 0x1ffff, "65535");
	expect_int("%hhx", -1, "ff");
	expect_int("%hx", -1, "ffff");
	expect_int("%hho", -1, "377");
	expect_long("%ld", INT64_MIN, "-9223372036854775808");
	expect_long("%lu", -1, "18446744073709551615");
	expect_long("%#lx", INT64_C(0x123456789abcdef), "0x123456789abcdef");
	expect_long("%-+16.15li|", -10000000000, "-000010000000000|");
	expect_long("%zd", 10, "10");
	expect_long("%5tu|", 10, "   10|");
	expect_long("%lld", -5, "-5");
	expect_int("%ld", -5, "-5");
	expect_int("%lu", -5, "4294967291");
}

static void floats(void **state)
{
	(void)state;
	expect_double("%f", 1.5, "1.500000");
	expect_double("%4.2f", 1.25, "1.25");
	expect_double("%.0f", 2.5, "2");
	expect_double("%#.0f", 2.5, "2.");
	expect_double("%10.1f|", -0.5, "      -0.5|");
	expect_double("%-10.1f|", -0.5, "-0.5      |");
	expect_double("%010.1f", -0.5, "-0000000.5");
	expect_double("%+f", 0.0, "+0.000000");
	expect_double("% f", 0.25, " 0.250000");
	expect_double("%f", -0.0, "-0.000000");
	expect_double("%e", 1024.0, "1.024000e+03");
	expect_double("%.3E", 0.0009765625, "9.766E-04");
	expect_double("%g", 0.0001220703125, "0.00012207");
	expect_double("%g", 1048576.0, "1.04858e+06");
	expect_double("%#g", 1.0, "1.00000");
	expect_double("%G", 0.00000762939453125, "7.62939E-06");
	expect_double("%a", 1.0, "0x1p+0");
	expect_double("%a", 0.15625, "0x1.4p-3");
	expect_double("%A", -10.0, "-0X1.4P+3");
	expect_double("%.1a", 1.03125, "0x1.0p+0");
	expect_double("%a", 0.0, "0x0p+0");
	expect_double("%.20f", 0.1, "0.10000000000000000555");
	char longest[400];
	snprintf(longest, sizeof(longest), "%f", DBL_MAX);
	expect_double("%f", DBL_MAX, longest);
}

/* "converted in one of the styles [-]inf … [-]nan"; F, E, G and A in capitals; never padded with
 * zeros. */
static void infinities(void **state)
{
	static const char *const lower[] = {"%f", "%e", "%g", "%a"};
	static const char *const upper[] = {"%F", "%E", "%G", "%A"};

	(void)state;
	for (int i = 0; i < 4; i++) {
		expect_double(lower[i], (double)INFINITY, "inf");
		expect_double(lower[i], -(double)INFINITY, "-inf");
		expect_double(lower[i], (double)NAN, "nan");
		expect_double(upper[i], (double)INFINITY, "INF");
		expect_double(upper[i], -(double)INFINITY, "-INF");
		expect_double(upper[i], (double)NAN, "NAN");
	}
	expect_double("%08f", (double)INFINITY, "     inf");
	expect_double("%-8f|", (double)NAN, "nan     |");
	expect_double("%+f", (double)INFINITY, "+inf");
}

static void halves(void **state)
{
	static const struct {
		uint16_t bits;
		const char *text;
	} values[] = {
		{0x3c00, "1"},           {0xc000, "-2"},          {0x7bff, "65504"},
		{0x0001, "5.96046e-08"}, {0x03ff, "6.09756e-05"}, {0x0400, "6.10352e-05"},
		{0x7c00, "inf"},         {0xfc00, "-inf"},        {0x7e00, "nan"},
		{0x8000, "-0"},          {0x3555, "0.333252"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct call call = {0};
		pack(&call, WEFT_PRINTF_HALF, 1, &values[i].bits);
		expect(&call, "%g", values[i].text);
	}
	const uint16_t vector[4] = {0x3c00, 0x4000, 0x4200, 0x4400};
	struct call call = {0};
	pack(&call, WEFT_PRINTF_HALF, 4, vector);
	expect(&call, "%.1v4hf", "1.0,2.0,3.0,4.0");
}

/* The specification's own examples. */
static void examples(void **state)
{
	const float f[4] = {1, 2, 3, 4};
	const uint8_t uc[4] = {0xfa, 0xfb, 0xfc, 0xfd};
	struct call first = {0};
	struct call second = {0};

	(void)state;
	pack(&first, WEFT_PRINTF_FLOAT, 4, f);
	expect(&first, "f4 = %2.2v4hlf\n", "f4 = 1.00,2.00,3.00,4.00\n");
	pack(&second, WEFT_PRINTF_INT8, 4, uc);
	expect(&second, "uc = %#v4hhx\n", "uc = 0xfa,0xfb,0xfc,0xfd\n");
}

/* Every size of vector, of every type. */
static void vectors(void **state)
{
	static const uint32_t lanes[] = {2, 3, 4, 8, 16};
	static const char *const modifier[] = {"", "hh", "h", "hl", "l"};
	int8_t chars[16];
	int16_t shorts[16];
	int32_t ints[16];
	int64_t longs[16];
	const void *const values[] = {NULL, chars, shorts, ints, longs};

	(void)state;
	for (int i = 0; i < 16; i++)
		longs[i] = ints[i] = shorts[i] = chars[i] = (int8_t)(i * 9 - 70);
	for (size_t i = 0; i < 5; i++) {
		for (uint32_t type = WEFT_PRINTF_INT8; type <= WEFT_PRINTF_INT64; type++) {
			struct call call = {0};
			char text[32];
			char expected[256] = "";
			snprintf(text, sizeof(text), "<%%4v%u%sd>", lanes[i], modifier[type]);
			for (uint32_t lane = 0; lane < lanes[i]; lane++)
				snprintf(expected + strlen(expected), 32, "%s%4d", lane ? "," : "<",
					 chars[lane]);
			strcat(expected, ">");
			pack(&call, type, lanes[i], values[type]);
			expect(&call, text, expected);
		}
	}
	const double doubles[3] = {0.5, -1.5, (double)INFINITY};
	struct call call = {0};
	pack(&call, WEFT_PRINTF_DOUBLE, 3, doubles);
	expect(&call, "%v3lg", "0.5,-1.5,inf");
	expect(&call, "%+5.1v3lf|", " +0.5, -1.5, +inf|");
}

static void characters_and_strings(void **state)
{
	const int32_t letter = 'x' + 256;
	const int32_t zero = 0;
	const char *string = "a literal";
	const char *none = NULL;
	struct call call = {0};
	struct call null = {0};
	struct call nul = {0};

	(void)state;
	pack(&call, WEFT_PRINTF_INT32, 1, &letter);
	pack(&call, WEFT_PRINTF_POINTER, 1, &string);
	expect(&call, "%c%s", "xa literal");
	expect(&call, "%4c|%12s|", "   x|   a literal|");
	expect(&call, "%-4c|%-12s|", "x   |a literal   |");
	expect(&call, "%c%.3s", "xa l");
	expect(&call, "%c%5.3s|", "x  a l|");
	expect(&call, "%c%.0s|", "x|");
	expect(&call, "%c%.100s|", "xa literal|");
	pack(&null, WEFT_PRINTF_POINTER, 1, &none);
	expect(&null, "%s", "(null)");
	pack(&nul, WEFT_PRINTF_INT32, 1, &zero);
	struct weft_strbuf buffer = {0};
	const struct weft_printf_site site = {"%3c|", nul.args, nul.num_args, nul.size};
	weft_format(&buffer, &site, nul.bytes);
	assert_int_equal(buffer.size, 4);
	assert_memory_equal(buffer.data, "  \0|", 4);
	weft_strbuf_destroy(&buffer);
}

static void pointers(void **state)
{
	const uint64_t address = 0x1234abcd;
	struct call call = {0};

	(void)state;
	pack(&call, WEFT_PRINTF_POINTER, 1, &address);
	expect(&call, "%p", "0x1234abcd");
	expect(&call, "%12p|", "  0x1234abcd|");
	expect(&call, "%-12p|", "0x1234abcd  |");
}

static void plain_text(void **state)
{
	struct call call = {0};

	(void)state;
	expect(&call, "", "");
	expect(&call, "no conversion\n", "no conversion\n");
	expect(&call, "100%%", "100%");
	expect(&call, "%%d%%", "%d%");
}

static void several_arguments(void **state)
{
	const int32_t one = 1;
	const double two = 2;
	const int64_t three = 3;
	const char *four = "four";
	struct call call = {0};

	(void)state;
	pack(&call, WEFT_PRINTF_INT32, 1, &one);
	pack(&call, WEFT_PRINTF_DOUBLE, 1, &two);
	pack(&call, WEFT_PRINTF_INT64, 1, &three);
	pack(&call, WEFT_PRINTF_POINTER, 1, &four);
	expect(&call, "%d %.1f %ld %s\n", "1 2.0 3 four\n");
	expect(&call, "%d", "1"); /* excess arguments are ignored */
}

/* Text after text: wide fields go on behind what was there. */
static void wide_fields(void **state)
{
	const int32_t one = 1;
	struct call call = {0};

	(void)state;
	pack(&call, WEFT_PRINTF_INT32, 1, &one);
	char *text = format(&call, "%5000d%%");
	assert_int_equal(strlen(text), 5001);
	assert_string_equal(text + 4998, " 1%");
	weft_free(text);
	text = format(&call, "%.4095d");
	assert_int_equal(strlen(text), 4095);
	weft_free(text);
}

/* Nothing here is defined: no crash, nothing read outside of the arguments. */
static void undefined_formats(void **state)
{
	static const char *const formats[] = {
		"%",
		"%5",
		"%-",
		"%.",
		"%v",
		"%v4",
		"%hh",
		"%y",
		"%n",
		"%*d",
		"%d%d%d%d",
		"%v16hhd",
		"%v999999999999d",
		"%99999999999999999999d%s",
		"%.99999999999999d",
		"%s",
		"%p",
		"%c",
		"%f",
		"%a",
		"%-+ #0-+ #0d",
		"%ll",
		"%Lf",
		"%jd",
		"%v0hld",
		"%v3d",
		"%hf",
		"%5%",
	};
	const int32_t value = 77;
	const double real = 1e300;

	(void)state;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct call none = {0};
		struct call integer = {0};
		struct call floating = {0};
		struct call broken = {0};
		weft_free(format(&none, formats[i]));
		pack(&integer, WEFT_PRINTF_INT32, 1, &value);
		weft_free(format(&integer, formats[i]));
		pack(&floating, WEFT_PRINTF_DOUBLE, 1, &real);
		weft_free(format(&floating, formats[i]));
		pack(&broken, WEFT_PRINTF_INT64, 1, &real);
		broken.args[0].lanes = 16; /* says that it is more than there is */
		broken.size = 8;
		if (!strchr(formats[i], 's'))
			weft_free(format(&broken, formats[i]));
		broken.args[0].type = 99;
		weft_free(format(&broken, formats[i]));
	}
}

/* Random formats from the letters that matter. */
static void random_formats(void **state)
{
	static const char letters[] = "%%%%-+ #0123456789.vhl2348diouxXfFeEgGaAcpzt ";
	const uint64_t values[16] = {1, 2, 3, UINT64_MAX, 5, 6, 7, 8};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[24];
		struct call call = {0};
		size_t length = (size_t)rand() % (sizeof(text) - 1);
		for (size_t at = 0; at < length; at++)
			text[at] = letters[(size_t)rand() % (sizeof(letters) - 1)];
		text[length] = '\0';
		for (int arg = 0; arg < 4; arg++)
			pack(&call, (enum weft_printf_type)(rand() % 8 + 1),
			     (uint32_t)(rand() % 4 + 1), values);
		weft_free(format(&call, text));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(lengths),
		cmocka_unit_test(floats),
		cmocka_unit_test(infinities),
		cmocka_unit_test(halves),
		cmocka_unit_test(examples),
		cmocka_unit_test(vectors),
		cmocka_unit_test(characters_and_strings),
		cmocka_unit_test(pointers),
		cmocka_unit_test(plain_text),
		cmocka_unit_test(several_arguments),
		cmocka_unit_test(wide_fields),
		cmocka_unit_test(undefined_formats),
		cmocka_unit_test(random_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
