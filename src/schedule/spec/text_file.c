/* SPDX-License-Identifier: MIT */
#include "spec/text_file.h"

#include "strbuf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)

/* NULL: the whole stream is in `text`; else what is wrong. */
static const char *read_stream(FILE *stream, struct weft_strbuf *text)
{
	char block[16384];
	size_t got = 0;

	while (text->size < MOST_BYTES && (got = fread(block, 1, sizeof(block), stream)) > 0)
		weft_strbuf_add(text, block, got);
	if (ferror(stream))
		return strerror(errno);
	if (text->size >= MOST_BYTES)
		return "the file is too large";
	weft_strbuf_puts(text, "");
	if (text->failed)
		return "out of memory";
	return strlen(text->data) < text->size ? "the file has a zero byte" : NULL;
}

char *weft_text_file_read(const char *path, struct weft_error *error)
{
	struct weft_strbuf text = {0};

	FILE *stream = fopen(path, "rbe");
	if (!stream) {
		weft_fail(error, "%s: %s", path, strerror(errno));
		return NULL;
	}
	const char *problem = read_stream(stream, &text);
	fclose(stream);
	if (!problem)
		return text.data;
	weft_fail(error, "%s: %s", path, problem);
	weft_strbuf_destroy(&text);
	return NULL;
}
