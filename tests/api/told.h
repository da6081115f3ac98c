/* SPDX-License-Identifier: MIT
 *
 * What the three callbacks of a command are told.
 */
#ifndef WEFT_TESTS_API_TOLD_H
#define WEFT_TESTS_API_TOLD_H

#include "fixture.h"
#include "latch.h"

#include <stdatomic.h>

/* By the status that the callback is for. Lives until all three have been called. */
struct told {
	_Atomic cl_int status[CL_SUBMITTED + 1];
	struct latch calls;
};

struct told_one {
	struct told *told;
	cl_int type;
};

static inline void CL_CALLBACK told_note(cl_event event, cl_int status, void *user_data)
{
	struct told_one *one = user_data;
	struct told *told = one->told;

	(void)event;
	atomic_store(&told->status[one->type], status);
	free(one);
	latch_raise(&told->calls);
}

static inline void told_ask(struct told *told, cl_event event)
{
	*told = (struct told){.calls = LATCH_INITIALIZER};
	for (cl_int type = CL_COMPLETE; type <= CL_SUBMITTED; type++) {
		struct told_one *one = malloc(sizeof(*one));

		*one = (struct told_one){told, type};
		assert_int_equal(clSetEventCallback(event, type, told_note, one), CL_SUCCESS);
	}
}

/* Waits until all have been called; all must have been told that. */
static inline void told_check(struct told *told, cl_int expected)
{
	assert_int_equal(latch_wait(&told->calls, 3), 3);
	for (cl_int type = CL_COMPLETE; type <= CL_SUBMITTED; type++) {
		cl_int status = atomic_load(&told->status[type]);

		if (status != expected)
			fail_msg("the callback for %d was told %d, not %d", type, status, expected);
	}
}

#endif
