/* SPDX-License-Identifier: MIT
 *
 * The growing string. Invariant: data[size] is zero whenever data is not NULL.
 */
#include "strbuf.h"

#include "alloc.h"
#include "overflow.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Makes room for `extra` more bytes and the zero. */
static bool reserve(struct weft_strbuf *buffer, size_t extra)
{
	size_t needed;
	size_t capacity = buffer->capacity ? buffer->capacity : 64;

	if (buffer->failed)
		return false;
	if (weft_add_overflows(buffer->size, extra, &needed) ||
	    weft_add_overflows(needed, 1, &needed)) {
		buffer->failed = true;
		return false;
	}
	if (needed <= buffer->capacity)
		return true;
	while (capacity < needed) {
		if (weft_mul_overflows(capacity, 2, &capacity))
			capacity = needed;
	}
	char *data = weft_realloc(buffer->data, capacity, 1);
	if (!data) {
		buffer->failed = true;
		return false;
	}
	buffer->data = data;
	buffer->capacity = capacity;
	return true;
}

void weft_strbuf_add(struct weft_strbuf *buffer, const void *bytes, size_t size)
{
	if (!reserve(buffer, size))
		return;
	if (size)
		memcpy(buffer->data + buffer->size, bytes, size);
	buffer->size += size;
	buffer->data[buffer->size] = '\0';
}

void weft_strbuf_puts(struct weft_strbuf *buffer, const char *text)
{
	weft_strbuf_add(buffer, text, strlen(text));
}

void weft_strbuf_printf(struct weft_strbuf *buffer, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		buffer->failed = true;
	if (length < 0 || !reserve(buffer, (size_t)length))
		return;
	va_start(args, format);
	vsnprintf(buffer->data + buffer->size, (size_t)length + 1, format, args);
	va_end(args);
	buffer->size += (size_t)length;
}

void weft_strbuf_clear(struct weft_strbuf *buffer)
{
	buffer->size = 0;
	buffer->failed = false;
	if (buffer->data)
		buffer->data[0] = '\0';
}

void weft_strbuf_destroy(struct weft_strbuf *buffer)
{
	weft_free(buffer->data);
	*buffer = (struct weft_strbuf){0};
}
