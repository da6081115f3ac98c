/* SPDX-License-Identifier: MIT
 *
 * The formatter. A directive is parsed, its argument is fetched by the type that the compiler
 * recorded, and the C library converts one element at a time: flags, width and precision mean the
 * same there. Vectors, the length modifiers and %s are ours.
 */
#include "kernel/format.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Wider fields and more digits than this are cut to it: C promises 4095 characters. */
#define MOST_CHARACTERS 65536

enum length {
	LENGTH_NONE,
	LENGTH_HH,
	LENGTH_H,
	LENGTH_HL,
	LENGTH_L, /* also z and t */
};

struct directive {
	char flags[6];  /* each of "-+ #0" at most once, zero-terminated */
	int width;      /* characters; -1: not given */
	int precision;  /* -1: not given */
	unsigned lanes; /* of the vector specifier; 0: not given */
	enum length length;
	char conversion;
};

struct values {
	const struct weft_printf_site *site;
	const unsigned char *bytes;
	uint32_t next; /* index of the argument that the next conversion takes */
};

/* ---- parsing --------------------------------------------------------------------------------- */

static int parse_number(const char **at)
{
	int number = 0;

	for (; **at >= '0' && **at <= '9'; ++*at) {
		number = number * 10 + (**at - '0');
		if (number > MOST_CHARACTERS)
			number = MOST_CHARACTERS;
	}
	return number;
}

static void parse_flags(const char **at, struct directive *directive)
{
	size_t count = 0;

	while (**at && strchr("-+ #0", **at)) {
		if (!memchr(directive->flags, **at, count))
			directive->flags[count++] = **at;
		++*at;
	}
	directive->flags[count] = '\0';
}

static enum length parse_length(const char **at)
{
	if (strncmp(*at, "hh", 2) == 0)
		return *at += 2, LENGTH_HH;
	if (strncmp(*at, "hl", 2) == 0)
		return *at += 2, LENGTH_HL;
	if (**at == 'h')
		return ++*at, LENGTH_H;
	if (**at != 'l' && **at != 'z' && **at != 't')
		return LENGTH_NONE;
	if (strncmp(*at, "ll", 2) == 0) /* reserved; kernels written against C use it */
		++*at;
	++*at;
	return LENGTH_L;
}

/* Parses what follows a '%'; *at is behind the directive afterwards. False when it is none. */
static bool parse(const char **at, struct directive *directive)
{
	*directive = (struct directive){.width = -1, .precision = -1};
	parse_flags(at, directive);
	if (**at >= '1' && **at <= '9')
		directive->width = parse_number(at);
	if (**at == '.') {
		++*at;
		directive->precision = parse_number(at);
	}
	if (**at == 'v') {
		++*at;
		directive->lanes = (unsigned)parse_number(at);
	}
	directive->length = parse_length(at);
	if (!**at || !strchr("diouxXfFeEgGaAcsp%", **at))
		return false;
	directive->conversion = *(*at)++;
	return true;
}

/* ---- fetching -------------------------------------------------------------------------------- */

static const uint32_t type_size[] = {
	[WEFT_PRINTF_INT8] = 1,   [WEFT_PRINTF_INT16] = 2,   [WEFT_PRINTF_INT32] = 4,
	[WEFT_PRINTF_INT64] = 8,  [WEFT_PRINTF_HALF] = 2,    [WEFT_PRINTF_FLOAT] = 4,
	[WEFT_PRINTF_DOUBLE] = 8, [WEFT_PRINTF_POINTER] = 8,
};

static const struct weft_printf_arg *next_arg(struct values *values)
{
	return values->next < values->site->num_args ? &values->site->args[values->next++] : NULL;
}

/* Copies element `lane`, zero-extended; 0 for what does not lie in the argument. */
static uint64_t fetch(const struct values *values, const struct weft_printf_arg *arg, uint32_t lane)
{
	uint64_t bits = 0;

	if (arg->type < WEFT_PRINTF_INT8 || arg->type > WEFT_PRINTF_POINTER)
		return 0;
	uint64_t size = type_size[arg->type];
	uint64_t offset = arg->offset + lane * size;
	if (lane < arg->lanes && offset + size <= values->site->args_size)
		memcpy(&bits, values->bytes + offset, size); /* little-endian */
	return bits;
}

/* 2^exponent, for a normal result. ldexp would bring libm into every process. */
static double power_of_two(int exponent)
{
	uint64_t bits = (uint64_t)(exponent + 1023) << 52;
	double power;

	memcpy(&power, &bits, sizeof(power));
	return power;
}

static double half_to_double(uint16_t half)
{
	int exponent = half >> 10 & 31;
	double fraction = half & 1023;
	double magnitude;

	if (exponent == 31)
		magnitude = fraction != 0 ? (double)NAN : (double)INFINITY;
	else if (exponent == 0)
		magnitude = fraction * power_of_two(-24);
	else
		magnitude = (fraction + 1024) * power_of_two(exponent - 25);
	return half >> 15 ? -magnitude : magnitude;
}

static bool is_float(uint32_t type)
{
	return type == WEFT_PRINTF_HALF || type == WEFT_PRINTF_FLOAT || type == WEFT_PRINTF_DOUBLE;
}

static double float_of(uint64_t bits, uint32_t type)
{
	float single;
	double wide;
	uint32_t low = (uint32_t)bits;

	if (type == WEFT_PRINTF_HALF)
		return half_to_double((uint16_t)bits);
	if (type == WEFT_PRINTF_FLOAT) {
		memcpy(&single, &low, sizeof(single));
		return (double)single;
	}
	memcpy(&wide, &bits, sizeof(wide));
	return wide;
}

static int64_t sign_extend(uint64_t bits, uint32_t size)
{
	unsigned shift = 64 - 8 * size;

	return (int64_t)(bits << shift) >> shift;
}

/* Bytes of the type that the directive names; the argument's own where it names none. */
static uint32_t integer_size(const struct directive *directive, uint32_t own)
{
	switch (directive->length) {
	case LENGTH_HH:
		return 1;
	case LENGTH_H:
		return 2;
	case LENGTH_HL:
		return 4;
	case LENGTH_NONE:
	case LENGTH_L:
		break;
	}
	return own;
}

/* ---- converting ------------------------------------------------------------------------------ */

/* Builds "%flags width .precision modifier conversion". `spec` has room for 32 characters. */
static void build_spec(const struct directive *directive, const char *modifier, char *spec)
{
	int length = snprintf(spec, 32, "%%%s", directive->flags);

	if (directive->width >= 0)
		length += snprintf(spec + length, 32 - (size_t)length, "%d", directive->width);
	if (directive->precision >= 0)
		length += snprintf(spec + length, 32 - (size_t)length, ".%d", directive->precision);
	snprintf(spec + length, 32 - (size_t)length, "%s%c", modifier, directive->conversion);
}

/* The formats are built by build_spec from checked parts. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void add_integer(struct weft_strbuf *text, const struct directive *directive, uint64_t value)
{
	char spec[32];

	build_spec(directive, "ll", spec);
	weft_strbuf_printf(text, spec, (unsigned long long)value);
}

static void add_float(struct weft_strbuf *text, const struct directive *directive, double value)
{
	char spec[32];

	build_spec(directive, "", spec);
	weft_strbuf_printf(text, spec, value);
}

static void add_character(struct weft_strbuf *text, struct directive directive, int value)
{
	char spec[32];

	directive.precision = -1;
	build_spec(&directive, "", spec);
	if (value != 0) {
		weft_strbuf_printf(text, spec, value);
		return;
	}
	/* a zero byte is a character like any other: pad a blank in its place */
	size_t before = text->size;
	weft_strbuf_printf(text, spec, ' ');
	if (!text->failed && text->size > before)
		text->data[strchr(directive.flags, '-') ? before : text->size - 1] = '\0';
}

static void add_pointer(struct weft_strbuf *text, struct directive directive, uint64_t value)
{
	char spec[32];

	directive.precision = -1;
	build_spec(&directive, "", spec);
	weft_strbuf_printf(text, spec, (void *)(uintptr_t)value);
}

static void add_string(struct weft_strbuf *text, const struct directive *directive,
		       const char *string)
{
	size_t length = directive->precision >= 0 ? strnlen(string, (size_t)directive->precision)
						  : strlen(string);
	size_t padding = directive->width > 0 && (size_t)directive->width > length
				 ? (size_t)directive->width - length
				 : 0;
	bool left = strchr(directive->flags, '-') != NULL;

	if (padding && !left)
		weft_strbuf_printf(text, "%*s", (int)padding, "");
	weft_strbuf_add(text, string, length);
	if (padding && left)
		weft_strbuf_printf(text, "%*s", (int)padding, "");
}

#pragma GCC diagnostic pop

/* An element under one of diouxX. Floating-point arguments are undefined; they become integers. */
static void convert_integer(struct weft_strbuf *text, const struct directive *directive,
			    uint64_t bits, uint32_t type)
{
	bool is_signed = directive->conversion == 'd' || directive->conversion == 'i';
	uint32_t own = type_size[type];

	if (is_float(type)) {
		double value = float_of(bits, type);
		bits = value >= -9e18 && value <= 9e18 ? (uint64_t)(int64_t)value : 0;
		own = 8;
	}
	uint32_t size = integer_size(directive, own);
	if (size > own) { /* a smaller argument than promised: keep its value */
		bits = is_signed ? (uint64_t)sign_extend(bits, own) : bits;
		size = own;
	}
	int64_t value = sign_extend(bits, size);
	if (is_signed)
		add_integer(text, directive, (uint64_t)value);
	else
		add_integer(text, directive,
			    size == 8 ? bits : bits & ((UINT64_C(1) << 8 * size) - 1));
}

static void convert_element(struct weft_strbuf *text, const struct directive *directive,
			    uint64_t bits, uint32_t type)
{
	switch (directive->conversion) {
	case 'c':
		add_character(text, *directive, (int)(bits & 0xff));
		break;
	case 'p':
		add_pointer(text, *directive, bits);
		break;
	case 's':
		/* only literal strings are defined; the compiler marks pointers */
		if (type != WEFT_PRINTF_POINTER || bits == 0)
			add_string(text, directive, "(null)");
		else
			add_string(text, directive, (const char *)(uintptr_t)bits);
		break;
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
		convert_integer(text, directive, bits, type);
		break;
	default:
		add_float(text, directive,
			  is_float(type) ? float_of(bits, type)
					 : (double)sign_extend(bits, type_size[type]));
	}
}

/* "value1,value2,…" for a vector. */
static void convert(struct weft_strbuf *text, const struct directive *directive,
		    struct values *values)
{
	const struct weft_printf_arg *arg = next_arg(values);

	if (!arg || arg->type < WEFT_PRINTF_INT8 || arg->type > WEFT_PRINTF_POINTER)
		return; /* too few arguments: undefined */
	uint32_t lanes = directive->lanes ? directive->lanes : 1;
	if (lanes > arg->lanes)
		lanes = arg->lanes;
	for (uint32_t lane = 0; lane < lanes; lane++) {
		if (lane > 0)
			weft_strbuf_add(text, ",", 1);
		convert_element(text, directive, fetch(values, arg, lane), arg->type);
	}
}

void weft_format(struct weft_strbuf *text, const struct weft_printf_site *site, const void *args)
{
	struct values values = {.site = site, .bytes = args};
	const char *at = site->format;

	while (*at) {
		size_t plain = strcspn(at, "%");
		weft_strbuf_add(text, at, plain);
		at += plain;
		if (*at == '\0')
			break;
		const char *start = at++;
		struct directive directive;
		if (!parse(&at, &directive))
			weft_strbuf_add(text, start,
					(size_t)(at - start)); /* undefined: as it stands */
		else if (directive.conversion == '%')
			weft_strbuf_add(text, "%", 1);
		else
			convert(text, &directive, &values);
	}
}

bool weft_format_takes_string(const struct weft_printf_site *site, uint32_t index)
{
	const char *at = site->format;
	uint32_t next = 0;

	while ((at = strchr(at, '%'))) {
		struct directive directive;

		at++;
		if (parse(&at, &directive) && directive.conversion != '%' && next++ == index)
			return directive.conversion == 's';
	}
	return false;
}
