/* SPDX-License-Identifier: MIT
 *
 * A growing byte string, always zero-terminated once anything was added. A failed allocation marks the
 * buffer as failed, later additions do nothing, and the one check is at the end.
 */
#ifndef WEFT_BASE_STRBUF_H
#define WEFT_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

struct weft_strbuf {
	char *data;  /* owned; NULL while empty */
	size_t size; /* bytes, without the terminating zero */
	size_t capacity;
	bool failed;
};

void weft_strbuf_add(struct weft_strbuf *buffer, const void *bytes, size_t size);
void weft_strbuf_puts(struct weft_strbuf *buffer, const char *text);
void weft_strbuf_printf(struct weft_strbuf *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void weft_strbuf_clear(struct weft_strbuf *buffer);
/* Frees the memory; the buffer is empty and usable afterwards. */
void weft_strbuf_destroy(struct weft_strbuf *buffer);

#endif
