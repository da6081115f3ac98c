/* SPDX-License-Identifier: MIT
 *
 * Text for people on standard output.
 */
#ifndef WEFT_TOOLS_TEXT_H
#define WEFT_TOOLS_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Prints words, up to the end of `text` or of its line, in lines of 79 columns; the first word is at `column`, and further lines
 * begin at `indent`. Ends the line. What is no text, as names of others may be, becomes '?'. Returns what follows it in `text`. */
const char *weft_print_wrapped(const char *text, size_t indent, size_t column);

/* The bytes of the character of UTF-8 that `text` begins with, of `size` bytes; 0: it is none, or a control character. */
size_t weft_character_length(const char *text, size_t size);

/* Puts '?' for each byte that is none of such a character. */
void weft_clean_text(char *text);

#define WEFT_SIZE_TEXT 24

/* "1.5 GiB". */
void weft_size_text(uint64_t bytes, char text[WEFT_SIZE_TEXT]);

#endif
