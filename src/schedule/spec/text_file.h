/* SPDX-License-Identifier: MIT
 *
 * A whole file as text.
 */
#ifndef WEFT_SCHEDULE_TEXT_FILE_H
#define WEFT_SCHEDULE_TEXT_FILE_H

#include "spec/error.h"

/* Owned; NULL: the error says why. A file has at most 1 GiB and no zero bytes. */
char *weft_text_file_read(const char *path, struct weft_error *error);

#endif
