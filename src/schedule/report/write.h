/* SPDX-License-Identifier: MIT
 *
 * Files that reports are written to.
 */
#ifndef WEFT_SCHEDULE_WRITE_H
#define WEFT_SCHEDULE_WRITE_H

#include "spec/error.h"

#include "strbuf.h"

/* Writes the text into the file, and frees it. */
bool weft_write_file(const char *path, struct weft_strbuf *text, struct weft_error *error);

/* Adds text so that it stays text: for XML, and within quotation marks of JSON. */
void weft_write_xml(struct weft_strbuf *buffer, const char *text);
void weft_write_json(struct weft_strbuf *buffer, const char *text);

#endif
