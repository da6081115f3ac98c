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

void weft_write_xml(struct weft_strbuf *buffer, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			weft_strbuf_puts(buffer, "&lt;");
		else if (*text == '&')
			weft_strbuf_puts(buffer, "&amp;");
		else if ((unsigned char)*text >= ' ')
			weft_strbuf_add(buffer, text, 1);
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
