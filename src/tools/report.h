/* SPDX-License-Identifier: MIT
 *
 * Rows of names and values on standard output: for people, or as JSON.
 */
#ifndef WEFT_TOOLS_REPORT_H
#define WEFT_TOOLS_REPORT_H

#include <stdbool.h>
#include <stdint.h>

struct weft_report {
	bool json;
	unsigned depth;    /* of JSON's brackets */
	bool is_continued; /* JSON: something stands before, at this depth */
};

void weft_report_begin(struct weft_report *report);
void weft_report_end(struct weft_report *report);

/* A group of rows: an object of JSON; for people a line with the title. `key` is NULL within an array. */
void weft_report_open(struct weft_report *report, const char *key, const char *title);
void weft_report_close(struct weft_report *report);
/* An array of groups. */
void weft_report_open_array(struct weft_report *report, const char *key);
void weft_report_close_array(struct weft_report *report);

/* `key` is the name, with '_' where people read a space. */
void weft_report_text(struct weft_report *report, const char *key, const char *text);
/* Words with spaces between them: an array. */
void weft_report_words(struct weft_report *report, const char *key, const char *words);
void weft_report_number(struct weft_report *report, const char *key, uint64_t number);
void weft_report_real(struct weft_report *report, const char *key, double number);
void weft_report_bytes(struct weft_report *report, const char *key, uint64_t bytes);
void weft_report_flag(struct weft_report *report, const char *key, bool flag);

#endif
