/* SPDX-License-Identifier: MIT
 *
 * OpenCL C's printf formats (OpenCL C specification, "printf"): one call with its packed arguments
 * to text.
 */
#ifndef WEFT_DEVICES_FORMAT_H
#define WEFT_DEVICES_FORMAT_H

#include "kernel_abi.h"
#include "strbuf.h"

#include <stdbool.h>

/* Appends the text. `args` is site->args_size packed bytes, of any alignment. Formats that the
 * specification leaves undefined give some text, and never touch memory outside of the arguments;
 * %s reads the string that its pointer leads to. */
void weft_format(struct weft_strbuf *text, const struct weft_printf_site *site, const void *args);

/* Whether weft_format follows the pointer that is the argument with this index. */
bool weft_format_takes_string(const struct weft_printf_site *site, uint32_t index);

#endif
