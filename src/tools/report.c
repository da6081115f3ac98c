/* SPDX-License-Identifier: MIT
 *
 * Both forms of a report.
 */
#include "report.h"

#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LABEL 26 /* columns of a name and the space behind it */

/* ---- JSON ------------------------------------------------------------------------------------- */

static void print_string(const char *text, size_t size)
{
	putchar('"');
	for (size_t i = 0; i < size; i++) {
		const unsigned char c = (unsigned char)text[i];
		const size_t length = weft_character_length(text + i, size - i);

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (length == 0)
			printf("\\u%04x", c < 0x80 ? c : 0xfffd);
		else
			printf("%.*s", (int)length, text + i);
		i += length ? length - 1 : 0;
	}
	putchar('"');
}

static void start_value(struct weft_report *report, const char *key)
{
	printf("%s\n%*s", report->is_continued ? "," : "", (int)report->depth * 2, "");
	report->is_continued = true;
	if (key) {
		print_string(key, strlen(key));
		fputs(": ", stdout);
	}
}

static void open_bracket(struct weft_report *report, const char *key, char bracket)
{
	start_value(report, key);
	putchar(bracket);
	report->depth++;
	report->is_continued = false;
}

static void close_bracket(struct weft_report *report, char bracket)
{
	report->depth--;
	printf("\n%*s%c", (int)report->depth * 2, "", bracket);
	report->is_continued = true;
}

/* ---- for people ------------------------------------------------------------------------------- */

static void print_label(const char *key)
{
	int length = printf("  ");

	for (; *key; key++, length++)
		putchar(*key == '_' ? ' ' : *key);
	printf("%*s", length < LABEL ? LABEL - length : 1, "");
}

/* ---- both ------------------------------------------------------------------------------------- */

void weft_report_begin(struct weft_report *report)
{
	if (report->json) {
		putchar('{');
		report->depth = 1;
	}
}

void weft_report_end(struct weft_report *report)
{
	if (report->json) {
		close_bracket(report, '}');
		putchar('\n');
	}
}

void weft_report_open(struct weft_report *report, const char *key, const char *title)
{
	if (report->json)
		open_bracket(report, key, '{');
	else
		printf("%s%s\n", report->is_continued ? "\n" : "", title);
	report->is_continued = !report->json;
}

void weft_report_close(struct weft_report *report)
{
	if (report->json)
		close_bracket(report, '}');
}

void weft_report_open_array(struct weft_report *report, const char *key)
{
	if (report->json)
		open_bracket(report, key, '[');
}

void weft_report_close_array(struct weft_report *report)
{
	if (report->json)
		close_bracket(report, ']');
}

void weft_report_text(struct weft_report *report, const char *key, const char *text)
{
	if (report->json) {
		start_value(report, key);
		print_string(text, strlen(text));
	} else {
		print_label(key);
		weft_print_wrapped(text, LABEL, LABEL);
	}
}

void weft_report_words(struct weft_report *report, const char *key, const char *words)
{
	const char *comma = "";

	words += strspn(words, " ");
	if (!report->json) {
		weft_report_text(report, key, words);
		return;
	}
	start_value(report, key);
	putchar('[');
	while (*words) {
		const size_t length = strcspn(words, " ");

		fputs(comma, stdout);
		print_string(words, length);
		comma = ", ";
		words += length;
		words += strspn(words, " ");
	}
	putchar(']');
}

void weft_report_number(struct weft_report *report, const char *key, uint64_t number)
{
	if (report->json)
		start_value(report, key);
	else
		print_label(key);
	printf("%" PRIu64 "%s", number, report->json ? "" : "\n");
}

void weft_report_real(struct weft_report *report, const char *key, double number)
{
	if (report->json)
		start_value(report, key);
	else
		print_label(key);
	printf("%.6g%s", number, report->json ? "" : "\n");
}

void weft_report_bytes(struct weft_report *report, const char *key, uint64_t bytes)
{
	char text[WEFT_SIZE_TEXT];

	weft_size_text(bytes, text);
	if (report->json)
		weft_report_number(report, key, bytes);
	else
		weft_report_text(report, key, text);
}

void weft_report_flag(struct weft_report *report, const char *key, bool flag)
{
	if (report->json) {
		start_value(report, key);
		fputs(flag ? "true" : "false", stdout);
	} else {
		weft_report_text(report, key, flag ? "yes" : "no");
	}
}
