/* SPDX-License-Identifier: MIT
 *
 * Lines of words, and sizes.
 */
#include "text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS 79

static size_t sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	return first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

size_t weft_character_length(const char *text, size_t size)
{
	static const uint32_t least[] = {
		0, ' ', 0xa0, 0x800,
		0x10000}; /* by length: below are controls and overlong forms */
	const size_t length = size ? sequence_length((unsigned char)*text) : 0;

	if (length == 0 || length > size)
		return 0;
	uint32_t code = (unsigned char)*text & (length == 1 ? 0x7fu : 0xffu >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)text[i] & 0x3fu);
	}
	const bool is_surrogate = code >= 0xd800 && code < 0xe000;
	return code < least[length] || code == 0x7f || is_surrogate || code > 0x10ffff ? 0 : length;
}

void weft_clean_text(char *text)
{
	size_t size = strlen(text);

	while (size > 0) {
		size_t length = weft_character_length(text, size);

		if (length == 0) {
			*text = '?';
			length = 1;
		}
		text += length;
		size -= length;
	}
}

static void print_clean(const char *text, size_t size)
{
	while (size > 0) {
		const size_t length = weft_character_length(text, size);

		if (length > 0)
			printf("%.*s", (int)length, text);
		else
			putchar(*text == '\t' ? ' ' : '?');
		text += length ? length : 1;
		size -= length ? length : 1;
	}
}

const char *weft_print_wrapped(const char *text, size_t indent, size_t column)
{
	while (*text && *text != '\n') {
		const size_t length = strcspn(text, " \n");

		if (column > indent && column + 1 + length > COLUMNS) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		print_clean(text, length);
		column += length;
		text += length;
		text += *text == ' ';
	}
	putchar('\n');
	return *text ? text + 1 : text;
}

void weft_size_text(uint64_t bytes, char text[WEFT_SIZE_TEXT])
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	double size = (double)bytes;
	size_t unit = 0;

	while (size >= 1024 && unit + 1 < sizeof(units) / sizeof(*units)) {
		size /= 1024;
		unit++;
	}
	snprintf(text, WEFT_SIZE_TEXT, "%.*f %s",
		 size < 10 && unit > 0 && size != (double)(int)size ? 1 : 0, size, units[unit]);
}
