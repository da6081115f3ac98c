/* SPDX-License-Identifier: MIT
 *
 * The fixture of tests that compile kernels: the real compiler, and no cache.
 */
#ifndef WEFT_TESTS_API_COMPILED_FIXTURE_H
#define WEFT_TESTS_API_COMPILED_FIXTURE_H

#include "fixture.h"

/* Before the library looks at its options. */
static inline void compiled_options(void)
{
	setenv("WEFT_COMPILER", REAL_COMPILER, 1);
	setenv("WEFT_CACHE", "0", 1);
}

static inline int compiled_set_up(void **state)
{
	compiled_options();
	return fixture_set_up(state);
}

#endif
