/* SPDX-License-Identifier: MIT
 *
 * `weft doctor`: one check after the other, causes before their effects.
 */
#include "arguments.h"
#include "child.h"
#include "doctor.h"
#include "terminal.h"
#include "text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#define INDENT 7 /* columns of a verdict */

static const struct {
	const char *title;
	void (*check)(struct weft_doctor *doctor);
} checks[] = {
	{"Environment variables", weft_doctor_check_environment},
	{"Installation", weft_doctor_check_installation},
	{"Drivers that loaders are told of", weft_doctor_check_vendors},
	{"OpenCL loaders", weft_doctor_check_loaders},
	{"Kernel cache", weft_doctor_check_cache},
	{"Limits", weft_doctor_check_limits},
	{"Program", weft_doctor_check_program},
};

void weft_doctor_say(struct weft_doctor *doctor, enum weft_verdict verdict, const char *mend,
		     const char *format, ...)
{
	static const struct {
		const char *word;
		enum weft_colour colour;
	} words[] = {[WEFT_VERDICT_OK] = {"  ok", WEFT_GREEN},
		     [WEFT_VERDICT_NOTE] = {"  note", WEFT_YELLOW},
		     [WEFT_VERDICT_FAULT] = {"  FAULT", WEFT_RED}};
	char finding[4 * PATH_MAX]; /* some name a file twice, and what the linker says of it */
	va_list values;

	va_start(values, format);
	vsnprintf(finding, sizeof(finding), format, values);
	va_end(values);
	doctor->counts[verdict]++;
	weft_print_coloured(words[verdict].colour, words[verdict].word);
	printf("%*s", verdict == WEFT_VERDICT_OK ? 5 : verdict == WEFT_VERDICT_NOTE ? 3 : 2, "");
	/* A finding may quote several lines, of a build's log for example. */
	for (const char *text = finding; *text;) {
		text = weft_print_wrapped(text, INDENT + 2, INDENT + 2);
		if (*text)
			printf("%*s", INDENT + 2, "");
	}
	if (mend) {
		printf("%*s", INDENT + 2, "");
		weft_print_coloured(WEFT_BOLD, "mend:");
		putchar(' ');
		weft_print_wrapped(mend, INDENT + 8, INDENT + 8);
	}
}

const char *weft_doctor_reason(int status, struct weft_strbuf *said)
{
	char ending[WEFT_CHILD_ENDING];

	weft_child_ending(status, ending);
	if (said->size == 0)
		weft_strbuf_puts(said, ending);
	return said->data ? said->data : "out of memory";
}

enum weft_exit weft_doctor_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_DOCTOR, .next = argv};
	struct weft_doctor doctor = {0};

	while (weft_next_argument(&arguments)) {
		if (doctor.program)
			weft_superfluous_argument(&arguments);
		doctor.program = arguments.value;
	}
	if (arguments.ended)
		return arguments.result;
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		if (checks[i].check == weft_doctor_check_program && !doctor.program)
			continue;
		weft_print_coloured(WEFT_BOLD, checks[i].title);
		putchar('\n');
		checks[i].check(&doctor);
	}
	printf("\n%u faults, %u notes\n", doctor.counts[WEFT_VERDICT_FAULT],
	       doctor.counts[WEFT_VERDICT_NOTE]);
	return doctor.counts[WEFT_VERDICT_FAULT] ? WEFT_EXIT_REFUSED : WEFT_EXIT_DONE;
}
