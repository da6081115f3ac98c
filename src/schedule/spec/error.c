/* SPDX-License-Identifier: MIT */
#include "spec/error.h"

#include <stdarg.h>
#include <stdio.h>

bool weft_fail(struct weft_error *error, const char *format, ...)
{
	va_list list;

	if (error->text[0])
		return false;
	va_start(list, format);
	vsnprintf(error->text, sizeof(error->text), format, list);
	va_end(list);
	return false;
}

bool weft_fail_memory(struct weft_error *error)
{
	return weft_fail(error, "out of memory");
}
