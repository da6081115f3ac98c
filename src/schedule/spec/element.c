/* SPDX-License-Identifier: MIT */
#include "spec/element.h"

#include "spec/arithmetic.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum weft_scalar_kind kind;
	unsigned bytes;
} scalars[] = {
	{"char", WEFT_SCALAR_SIGNED, 1},
	{"uchar", WEFT_SCALAR_UNSIGNED, 1},
	{"unsigned char", WEFT_SCALAR_UNSIGNED, 1},
	{"short", WEFT_SCALAR_SIGNED, 2},
	{"ushort", WEFT_SCALAR_UNSIGNED, 2},
	{"unsigned short", WEFT_SCALAR_UNSIGNED, 2},
	{"int", WEFT_SCALAR_SIGNED, 4},
	{"uint", WEFT_SCALAR_UNSIGNED, 4},
	{"unsigned int", WEFT_SCALAR_UNSIGNED, 4},
	{"unsigned", WEFT_SCALAR_UNSIGNED, 4},
	{"long", WEFT_SCALAR_SIGNED, 8},
	{"long int", WEFT_SCALAR_SIGNED, 8},
	{"ulong", WEFT_SCALAR_UNSIGNED, 8},
	{"unsigned long", WEFT_SCALAR_UNSIGNED, 8},
	{"half", WEFT_SCALAR_REAL, 2},
	{"float", WEFT_SCALAR_REAL, 4},
	{"double", WEFT_SCALAR_REAL, 8},
};

static bool is_lane_count(unsigned long lanes)
{
	return lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

bool weft_element_named(const char *name, struct weft_element *element)
{
	for (size_t i = 0; i < sizeof(scalars) / sizeof(*scalars); i++) {
		const size_t length = strlen(scalars[i].name);

		if (strncmp(name, scalars[i].name, length) != 0)
			continue;
		const char *rest = name + length;
		const bool has_digit = *rest >= '1' && *rest <= '9';
		char *end = NULL;
		const unsigned long lanes = has_digit ? strtoul(rest, &end, 10) : 1;
		if (has_digit ? *end != 0 || !is_lane_count(lanes) || strchr(name, ' ')
			      : *rest != 0)
			continue;
		*element =
			(struct weft_element){scalars[i].kind, scalars[i].bytes, (unsigned)lanes};
		return true;
	}
	return false;
}

size_t weft_element_bytes(const struct weft_element *element)
{
	return (size_t)element->scalar_bytes * (element->lanes == 3 ? 4 : element->lanes);
}

/* ---- scalars ------------------------------------------------------------------------------------- */

double weft_scalar_read(const struct weft_element *element, const void *bytes)
{
	int64_t whole = 0;
	float single = 0;
	double real = 0;

	if (element->kind == WEFT_SCALAR_REAL) {
		if (element->scalar_bytes == sizeof(real)) {
			memcpy(&real, bytes, sizeof(real));
			return real;
		}
		if (element->scalar_bytes == sizeof(single)) {
			memcpy(&single, bytes, sizeof(single));
			return (double)single;
		}
		_Float16 half = 0;
		memcpy(&half, bytes, sizeof(half));
		return (double)half;
	}
	memcpy(&whole, bytes, element->scalar_bytes);
	if (element->kind == WEFT_SCALAR_UNSIGNED)
		return (double)(uint64_t)whole;
	const unsigned unused = 64 - 8 * element->scalar_bytes;
	return (double)((int64_t)((uint64_t)whole << unused) >> unused);
}

void weft_scalar_write(const struct weft_element *element, void *bytes,
		       const struct weft_number *number)
{
	const double real = weft_number_real(number);

	if (element->kind != WEFT_SCALAR_REAL) {
		const int64_t whole = number->is_real ? (int64_t)real : number->whole;
		memcpy(bytes, &whole, element->scalar_bytes);
	} else if (element->scalar_bytes == sizeof(real)) {
		memcpy(bytes, &real, sizeof(real));
	} else if (element->scalar_bytes == sizeof(float)) {
		const float single = (float)real;
		memcpy(bytes, &single, sizeof(single));
	} else {
		const _Float16 half = (_Float16)real;
		memcpy(bytes, &half, sizeof(half));
	}
}

static bool fits(const struct weft_element *element, const struct weft_number *number)
{
	if (element->kind == WEFT_SCALAR_REAL)
		return true;
	if (number->is_real)
		return false;
	if (element->scalar_bytes == 8)
		return element->kind == WEFT_SCALAR_SIGNED || number->whole >= 0;
	const int64_t most = (int64_t)1 << 8 * element->scalar_bytes;
	return element->kind == WEFT_SCALAR_SIGNED
		       ? number->whole >= -most / 2 && number->whole < most / 2
		       : number->whole >= 0 && number->whole < most;
}

const char *weft_element_encode(const struct weft_element *element,
				const struct weft_number *numbers, size_t count,
				unsigned char bytes[WEFT_ELEMENT_MOST_BYTES])
{
	if (count != 1 && count != element->lanes)
		return "the list has not as many numbers as the type has lanes";
	memset(bytes, 0, WEFT_ELEMENT_MOST_BYTES);
	for (size_t i = 0; i < element->lanes; i++) {
		const struct weft_number *number = &numbers[count == 1 ? 0 : i];

		if (!fits(element, number))
			return "the number does not fit the type";
		weft_scalar_write(element, bytes + i * element->scalar_bytes, number);
	}
	return NULL;
}
