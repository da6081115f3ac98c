/* SPDX-License-Identifier: MIT
 *
 * Text for people on standard output.
 */
#ifndef WEFT_TOOLS_TEXT_H
#define WEFT_TOOLS_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Prints words, up to the end of `text` or of its line, in lines of 79 columns; the first word is at `column`, and further lines
 * begin at `indent`. Ends the line. Returns what follows it in `text`. */
const char *weft_print_wrapped(const char *text, size_t indent, size_t column);

#define WEFT_SIZE_TEXT 24

/* "1.5 GiB". */
void weft_size_text(uint64_t bytes, char text[WEFT_SIZE_TEXT]);

#endif
