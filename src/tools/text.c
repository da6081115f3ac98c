/* SPDX-License-Identifier: MIT
 *
 * Lines of words, and sizes.
 */
#include "text.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS 79

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
		printf("%.*s", (int)length, text);
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
