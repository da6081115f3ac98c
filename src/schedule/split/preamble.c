/* SPDX-License-Identifier: MIT
 *
 * A part of a kernel is launched with an offset: global ids are right by themselves. Ids of groups and sizes are made right by
 * macros, which any vendor's compiler takes.
 */
#include "split/source_words.h"
#include "split/split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char preamble[] = "static inline size_t weft_whole_size(uint d) { return d == 0 ? %zu "
			       ": d == 1 ? %zu : d == 2 ? %zu : 1; }\n"
			       "static inline size_t weft_whole_groups(uint d) { return "
			       "weft_whole_size(d) / get_local_size(d); }\n"
			       "static inline size_t weft_first_group(uint d) { return "
			       "get_global_offset(d) / get_local_size(d); }\n"
			       "static inline size_t weft_whole_id(void) { return "
			       "(get_global_id(2) * weft_whole_size(1) + "
			       "get_global_id(1)) * weft_whole_size(0) + get_global_id(0); }\n"
			       "#define get_group_id(d) (get_group_id(d) + weft_first_group(d))\n"
			       "#define get_global_offset(d) ((size_t)0)\n"
			       "#define get_global_size(d) weft_whole_size(d)\n"
			       "#define get_num_groups(d) weft_whole_groups(d)\n"
			       "#define get_global_linear_id() weft_whole_id()\n"
			       "#line 1\n";

char *weft_split_preamble(const struct weft_spec_kernel *kernel, const char *text)
{
	char *result = NULL;

	if (!weft_source_asks_for_range(text))
		return strdup("");
	if (asprintf(&result, preamble, kernel->global[0], kernel->global[1], kernel->global[2]) <
	    0)
		return NULL;
	return result;
}
