/* SPDX-License-Identifier: MIT
 *
 * What a shell offers for arguments and values.
 */
#ifndef WEFT_TOOLS_COMPLETION_H
#define WEFT_TOOLS_COMPLETION_H

#include "commands.h"

/* What a shell offers for the option's value, as commands.def says; "": nothing. */
const char *weft_option_words(const struct weft_option_row *option);

/* Prints the text with a backslash before each of the characters `special`. */
void weft_print_escaped(const char *text, const char *special);

void weft_print_bash_completion(void);
void weft_print_zsh_completion(void);
void weft_print_fish_completion(void);

#endif
