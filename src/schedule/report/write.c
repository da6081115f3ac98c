/* SPDX-License-Identifier: MIT */
#include "report/write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool weft_write_file(const char *path, struct weft_strbuf *text, struct weft_error *error)
{
	bool done = !text->failed || weft_fail_memory(error);
	FILE *file = done ? fopen(path, "we") : NULL;

	if (done && !file)
		done = weft_fail(error, "%s: %s", path, strerror(errno));
	if (file) {
		done = fwrite(text->data, 1, text->size, file) == text->size ||
		       weft_fail(error, "%s: %s", path, strerror(errno));
		if (fclose(file) != 0)
			done = weft_fail(error, "%s: %s", path, strerror(errno));
	}
	weft_strbuf_destroy(text);
	return done;
}

/* What XML does not take: control characters, U+FFFE and U+FFFF. Returns how many bytes it has; 0: it is none. */
static size_t not_xml(const char *text)
{
	return (unsigned char)*text < ' '                                                       ? 1
	       : strncmp(text, "\xEF\xBF\xBE", 3) == 0 || strncmp(text, "\xEF\xBF\xBF", 3) == 0 ? 3
												: 0;
}

void weft_write_xml(struct weft_strbuf *buffer, const char *text)
{
	while (*text) {
		const size_t skipped = not_xml(text);

		if (skipped > 0) {
			text += skipped;
			continue;
		}
		if (*text == '<')
			weft_strbuf_puts(buffer, "&lt;");
		else if (*text == '>')
			weft_strbuf_puts(buffer, "&gt;");
		else if (*text == '&')
			weft_strbuf_puts(buffer, "&amp;");
		else
			weft_strbuf_add(buffer, text, 1);
		text++;
	}
}

void weft_write_json(struct weft_strbuf *buffer, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			weft_strbuf_puts(buffer, "\\");
		if ((unsigned char)*text >= ' ')
			weft_strbuf_add(buffer, text, 1);
	}
}
