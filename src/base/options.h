/* SPDX-License-Identifier: MIT
 *
 * The environment options of options.def, read once, before the first use. Read-only afterwards.
 */
#ifndef WEFT_BASE_OPTIONS_H
#define WEFT_BASE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct weft_options {
#define WEFT_OPTION_TYPE_STRING const char *
#define WEFT_OPTION_TYPE_FILE const char *
#define WEFT_OPTION_TYPE_FOLDER const char *
#define WEFT_OPTION_TYPE_NUMBER int64_t
#define WEFT_OPTION_TYPE_SIZE uint64_t
#define WEFT_OPTION_TYPE_FLAG bool
#define WEFT_OPTION(field, kind, name, preset, help) WEFT_OPTION_TYPE_##kind field;
#include "options.def"
#undef WEFT_OPTION
};

/* Borrowed for the life of the process. A value that does not parse counts as its default, and the
 * log says so. Strings are copies: a later setenv does not change them. */
const struct weft_options *weft_options(void);

/* Whether the option of that name, such as "WEFT_THREADS", takes the text as its value. */
bool weft_option_takes(const char *name, const char *text);

/* Tests only: forget what was read, so that the next call reads the environment again. */
void weft_options_reset(void);

#endif
